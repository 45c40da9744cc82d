"""Two pages with all that play needs: the figures and texts of the rulebook's own rows."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from printing.sheet import RULES, Content, Sheet, register
from printing.words import NONE, signed, span, typeset
from rulebook.conquest import REASON
from rulebook.events import EVENT_RULES, EVENTS
from rulebook.heroes import HEROES, MUSICIAN, SPELLS
from rulebook.kingdoms import PLACES
from rulebook.marks import MARKS
from rulebook.morale import MORALE
from rulebook.muster_table import MUSTER, MUSTER_RULES
from rulebook.playing import (
    FLEE_RULES,
    MARK_RULES,
    MELEE_RULES,
    MORALE_RULES,
    MOVE_RULES,
    ROUND_RULES,
    SAVE_RULES,
    SHOOT_RULES,
)
from rulebook.rows import Rule
from rulebook.scenarios import SCENARIOS, Scenario
from rulebook.siege import PIECE_KINDS, SIEGE_RULES
from rulebook.solo import SOLO_RULES, SOLO_TABLE
from rulebook.spoils import PRICES, VP_RULES
from rulebook.terrain import TERRAIN_RULES, TERRAINS
from rulebook.units import UNITS, Unit

# Sentences about a unit that its figures say already.
_SAID = ("A hero on", "No hero", "Always led", "They shoot", "Two melee dice", "An [A] to hit units on foot")
_CAMPAIGN = ("retaken_lands", "retaken_border", "king_out", "won_two", "won_held")
_FIGURE = re.compile(r"\d")
ROLLS = (("shooting", "Shooting"), ("melee", "Melee"), ("save", "Save"), ("morale", "Morale"))


def told(rules: Iterable[Rule], without: tuple[str, ...] = ()) -> list[list[str]]:
    """Rules by name; ``without`` those that a table beside them says already, or that nobody asks for in play."""
    return [[rule.title, typeset(rule.text)] for rule in rules if rule.key not in without]


def hero_of(unit: Unit) -> str:
    if unit.never_hero:
        return "never"
    return "always" if unit.always_hero else "10" if unit.hero_on == 10 else f"{unit.hero_on}+"


def dice(unit: Unit) -> tuple[str, str]:
    """Dice in melee and when shooting, for each model or for the whole unit."""
    each = "" if unit.models == 1 else " each"
    melee = f"{unit.melee_dice}{each}"
    if unit.shooting_dice is None:
        return melee, NONE
    return melee, f"{unit.shooting_dice}{'' if unit.war_machine else each}"


def unit_row(unit: Unit) -> dict[str, Any]:
    melee, shots = dice(unit)
    wounds = str(unit.wounds[-1])
    if len(set(unit.wounds)) > 1:
        wounds = f"{unit.wounds[0]}, {unit.name} {unit.wounds[-1]}"
    notes = [point for point in unit.points if not point.startswith(_SAID)]
    return {
        "name": unit.name, "q": signed(unit.q), "sq": signed(unit.sq), "ac": str(unit.ac), "models": str(unit.models),
        "wounds": wounds, "melee": melee, "shots": shots, "move": f"{unit.move}″{', mounted' if unit.mounted else ''}",
        "hero": hero_of(unit), "notes": typeset(" ".join(notes)),
    }  # fmt: skip


def marks() -> list[dict[str, Any]]:
    rows = []
    for key, name in ROLLS:
        of = {
            # A name is enough where its text holds no figure.
            kind: [
                [mark.name, typeset(mark.text) if _FIGURE.search(mark.text) else ""]
                for mark in MARKS
                if (mark.roll, mark.kind) == (key, kind)
            ]
            for kind in ("A", "D")
        }
        flat = [[mark.name, signed(mark.worth)] for mark in MARKS if (mark.roll, mark.kind) == (key, "flat")]
        rows.append({"roll": name, **of, "flat": flat})
    return rows


def scenario_row(scenario: Scenario) -> dict[str, Any]:
    return {
        "roll": str(scenario.roll or NONE), "name": scenario.name,
        "rounds": str(scenario.rounds or NONE), "wins": [[] if scenario.equal else [side.key, typeset(side.wins)] for side in scenario.sides],
        "both": typeset(scenario.sides[0].wins) if scenario.equal else "",
        "vp": [[line.key, "" if line.side == "both" else line.side, line.vp] for line in scenario.vp],
    }  # fmt: skip


def gather(_: None) -> Content:
    return {
        "units": [unit_row(unit) for unit in UNITS],
        "round": told(ROUND_RULES),
        "marks_rules": told(MARK_RULES),
        "marks": marks(),
        "move": told(MOVE_RULES),
        "shoot": told(SHOOT_RULES),
        "melee": told(MELEE_RULES),
        "save": told(SAVE_RULES),
        "morale_rules": told(MORALE_RULES, ("table",)),
        "morale": [[span(row.low, row.high), row.name, typeset(row.text)] for row in MORALE],
        "flee": told(FLEE_RULES),
        "terrain": [
            {
                "name": ground.name, "examples": ground.examples, "enter": ground.enterable, "stops": ground.stops,
                "blocks": ground.blocks_sight, "inside": "[A]" if ground.high else "[D]" if ground.hinders else "",
                "against": "[D]" if ground.covers else "", "hides": ground.hides,
            }
            for ground in TERRAINS
        ],
        "terrain_rules": told(TERRAIN_RULES),
        "muster": [[span(row.low, row.high), row.name, row.hero] for row in MUSTER],
        "muster_rules": told(MUSTER_RULES, ("size",)),
        "heroes": [[str(hero.roll), hero.name, typeset(hero.text)] for hero in (*HEROES[:6], MUSICIAN, *HEROES[6:])],
        "spells": [[span(spell.low, spell.high), spell.name, typeset(spell.text)] for spell in SPELLS],
        "prices": [[str(price.vp), price.name] for price in PRICES],
        "vp": told(VP_RULES, ("goals", "loser")),
        "campaign": [[place.name, typeset(place.text)] for place in PLACES[:3]]
        + told(REASON[key] for key in _CAMPAIGN),
        "events": [[span(row.low, row.high), row.name, typeset(row.text)] for row in EVENTS],
        "event_rules": told(EVENT_RULES),
        "scenarios": [scenario_row(scenario) for scenario in SCENARIOS],
        "siege": told(SIEGE_RULES, ("castle", "vp")),
        "pieces": [
            [kind.name, str(kind.number), str(kind.ac), signed(kind.save_bonus), str(kind.hits)]
            for kind in PIECE_KINDS
            if kind.wall
        ],
        "solo": [[span(row.low, row.high), row.name, typeset(row.text)] for row in SOLO_TABLE],
        "solo_rules": told(SOLO_RULES, ("before",)),
    }  # fmt: skip


register(
    Sheet(
        "quick-reference",
        "Quick reference",
        "Two pages with all that play needs: units, marks, morale, terrain, heroes, prices, events, scenarios, siege and solo.",
        RULES,
        "quick-reference.typ",
        gather,
    )
)
