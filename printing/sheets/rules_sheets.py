"""The quick reference of two pages, and the scenarios with their tables."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from musters.core.battlefield_svg import SIDE, Figure, draw_table
from people.requester import Who
from printing.sheet_registry import (
    NONE,
    RULES,
    Content,
    Sheet,
    Subject,
    format_range,
    get_row_or_404,
    pick,
    register_sheets,
    typeset,
)
from rulebook.battle.castle import (
    GARRISON_BALLISTAE,
    PIECE_KINDS,
    PIECES,
    SIEGE_ENDS,
    SIEGE_RULES,
    TRAIN_CAT_NON,
    VATS,
    PieceKind,
)
from rulebook.battle.modifiers import MODIFIERS
from rulebook.campaign.campaign_map import TERRITORY_KINDS
from rulebook.campaign.conquest import REASON
from rulebook.campaign.vp_spending import PRICES, VP_RULES
from rulebook.data.battlefield import EVENT_RULES, EVENTS, MORALE_TABLE, TERRAIN_RULES, TERRAINS
from rulebook.data.heroes import HEROES, MUSICIAN, SPELLS
from rulebook.data.muster_table import MUSTER_RULES, MUSTER_TABLE
from rulebook.data.rule_texts import (
    FLEE_RULES,
    MARK_RULES,
    MELEE_RULES,
    MORALE_RULES,
    MOVE_RULES,
    ROUND_RULES,
    SAVE_RULES,
    SHOOT_RULES,
    Rule,
)
from rulebook.data.scenario_goals import Escapes, HeldEachRound
from rulebook.data.scenarios import SCENARIO, SCENARIO_RULES, SCENARIOS, TABLE, Scenario, VpAward
from rulebook.data.units import UNITS, Unit
from rulebook.muster.army import HOUSES
from rulebook.solo_opponent import SOLO_RULES, SOLO_TABLE
from text import format_bonus

# Leave out sentences that the figures already say.
_SAID_BY_FIGURES = ("A hero on", "No hero", "Always led", "They shoot", "Two melee dice", "An [A] to hit units on foot")
_CAMPAIGN_REASONS = ("retaken_lands", "retaken_border", "king_out", "won_two", "won_held")
_FIGURE = re.compile(r"\d")
ROLLS = (("shooting", "Shooting"), ("melee", "Melee"), ("save", "Save"), ("morale", "Morale"))


def rule_rows(rules: Iterable[Rule], without: tuple[str, ...] = ()) -> list[list[str]]:
    """Rules by name, without those that a table beside them shows."""
    return [[rule.title, typeset(rule.text)] for rule in rules if rule.key not in without]


def rolled_rows(rows: Iterable[Any]) -> list[list[str]]:
    """A table on which one rolls."""
    return [[format_range(row.low, row.high), row.name, typeset(row.text)] for row in rows]


def piece_row(kind: PieceKind) -> list[str]:
    return [kind.name, str(kind.number), str(kind.ac), format_bonus(kind.save_bonus), str(kind.hits)]


def hero_text(unit: Unit) -> str:
    if unit.never_hero:
        return "never"
    return "always" if unit.always_hero else "10" if unit.hero_on == 10 else f"{unit.hero_on}+"


def dice_text(unit: Unit) -> tuple[str, str]:
    """Melee and shooting dice, per model or for the whole unit."""
    each = "" if unit.models == 1 else " each"
    melee = f"{unit.melee_dice}{each}"
    if unit.shooting_dice is None:
        return melee, NONE
    return melee, f"{unit.shooting_dice}{'' if unit.war_machine else each}"


def unit_row(unit: Unit) -> Content:
    melee, shots = dice_text(unit)
    wounds = str(unit.wounds[-1])
    if len(set(unit.wounds)) > 1:
        wounds = f"{unit.wounds[0]}, {unit.name} {unit.wounds[-1]}"
    notes = [point for point in unit.points if not point.startswith(_SAID_BY_FIGURES)]
    return {
        "name": unit.name,
        "q": format_bonus(unit.q),
        "sq": format_bonus(unit.sq),
        "ac": str(unit.ac),
        "models": str(unit.models),
        "wounds": wounds,
        "melee": melee,
        "shots": shots,
        "move": f"{unit.move}″{', mounted' if unit.mounted else ''}",
        "hero": hero_text(unit),
        "notes": typeset(" ".join(notes)),
    }


def advantage_rows() -> list[Content]:
    rows = []
    for key, name in ROLLS:
        of = {
            # The name is enough if the text has no figure.
            kind: [
                [mark.name, typeset(mark.text) if _FIGURE.search(mark.text) else ""]
                for mark in MODIFIERS
                if (mark.roll, mark.kind) == (key, kind)
            ]
            for kind in ("A", "D")
        }
        flat = [[mark.name, format_bonus(mark.worth)] for mark in MODIFIERS if (mark.roll, mark.kind) == (key, "flat")]
        rows.append({"roll": name, **of, "flat": flat})
    return rows


def _each(scenario: Scenario, line: VpAward) -> str:
    paid = {"kill": "removed"} | {track.key: track.each for track in scenario.tracks}
    return paid.get(line.key, line.key)


def scenario_row(scenario: Scenario) -> Content:
    return {
        "roll": str(scenario.roll or NONE),
        "name": scenario.name,
        "rounds": str(scenario.rounds or NONE),
        "wins": [[] if scenario.equal else [side.key, typeset(side.wins)] for side in scenario.sides],
        "both": typeset(scenario.sides[0].wins) if scenario.equal else "",
        "vp": [[_each(scenario, line), "" if line.side == "both" else line.side, line.vp] for line in scenario.vp],
    }


def gather(_: None) -> Content:
    return {
        "units": [unit_row(unit) for unit in UNITS],
        "round": rule_rows(ROUND_RULES),
        "marks_rules": rule_rows(MARK_RULES),
        "marks": advantage_rows(),
        "move": rule_rows(MOVE_RULES),
        "shoot": rule_rows(SHOOT_RULES),
        "melee": rule_rows(MELEE_RULES),
        "save": rule_rows(SAVE_RULES),
        "morale_rules": rule_rows(MORALE_RULES, ("table",)),
        "morale": rolled_rows(MORALE_TABLE),
        "flee": rule_rows(FLEE_RULES),
        "terrain": [
            {
                "name": ground.name,
                "examples": ground.examples,
                "enter": ground.enterable,
                "stops": ground.stops,
                "blocks": ground.blocks_sight,
                "inside": "[A]" if ground.high else "[D]" if ground.hinders else "",
                "against": "[D]" if ground.covers else "",
                "hides": ground.hides,
            }
            for ground in TERRAINS
        ],
        "terrain_rules": rule_rows(TERRAIN_RULES),
        "muster": [[format_range(row.low, row.high), row.name, row.hero] for row in MUSTER_TABLE],
        "muster_rules": rule_rows(MUSTER_RULES, ("size",)),
        "heroes": [[str(hero.roll), hero.name, typeset(hero.text)] for hero in (*HEROES[:6], MUSICIAN, *HEROES[6:])],
        "spells": rolled_rows(SPELLS),
        "prices": [[str(price.vp), price.name] for price in PRICES],
        "vp": rule_rows(VP_RULES, ("goals", "loser")),
        "campaign": [[place.name, typeset(place.text)] for place in TERRITORY_KINDS[:3]]
        + rule_rows(REASON[key] for key in _CAMPAIGN_REASONS),
        "events": rolled_rows(EVENTS),
        "event_rules": rule_rows(EVENT_RULES),
        "scenarios": [scenario_row(scenario) for scenario in SCENARIOS],
        "siege": rule_rows(SIEGE_RULES, ("castle", "vp")),
        "pieces": [piece_row(kind) for kind in PIECE_KINDS if kind.wall],
        "solo": rolled_rows(SOLO_TABLE),
        "solo_rules": rule_rows(SOLO_RULES, ("before",)),
    }


register_sheets(
    Sheet(
        "quick-reference",
        "Quick reference",
        "Two pages with everything for play: units, advantages, morale, terrain, heroes, prices, "
        "events, scenarios, siege and solo.",
        RULES,
        "quick-reference.typ",
        gather,
    )
)


# ── Scenario sheets with the table from above, and all of them as a booklet ──────────────────────────────


# Boxes for rounds if the battle has no fixed length.
OPEN_ROUNDS = 10
UNITS_OF_AN_ARMY = len(HOUSES) + 1  # the King's and one of each house


def figure_content(figure: Figure) -> Content:
    return {
        **pick(figure, "kind", "x", "y", "inner", "letter"),
        "css": figure.css.split(),
        "w": figure.width,
        "h": figure.height,
        "r": figure.radius,
        "mx": figure.middle_x,
        "my": figure.middle_y,
    }


def table_content(scenario: Scenario) -> Content:
    drawn = draw_table(scenario)
    return {
        "side": SIDE,
        "inches": TABLE,
        "floor": list(map(figure_content, (*drawn.floor, *drawn.areas))),
        "zones": list(map(figure_content, drawn.zones)),
        "pieces": list(map(figure_content, drawn.pieces)),
        "legend": [typeset(words) for _, words in drawn.legend],
        "alt": f"{scenario.name}, the table from above. {typeset(drawn.words)}",
    }


def score_line(scenario: Scenario, line: VpAward) -> dict[str, object]:
    """One line of the scenario's points, with its boxes."""
    track = next((track for track in scenario.tracks if track.key == line.key), None)
    extra = max(GARRISON_BALLISTAE, TRAIN_CAT_NON) if scenario.is_siege else 0
    boxes = {"kill": UNITS_OF_AN_ARMY + extra, "win": 1}
    if track is not None:
        boxes[line.key] = UNITS_OF_AN_ARMY if isinstance(track, Escapes) else track.most
    return {
        "side": line.side,
        "vp": line.vp,
        "text": typeset(line.text),
        "boxes": boxes[line.key],
        "each_round": track.key if isinstance(track, HeldEachRound) else "",
        "goals": [piece.name for piece in scenario.objectives] if track and track.most else [],
    }


def scenario_page(scenario: Scenario) -> Content:
    return {
        **pick(scenario, "key", "roll", "name", "equal", "length"),
        "text": typeset(scenario.text),
        "rounds": scenario.rounds or OPEN_ROUNDS,
        "fixed": scenario.rounds is not None,
        "begins": scenario.first_turn or "",
        "sides": [{"key": side.key, "name": side.name, "wins": typeset(side.wins)} for side in scenario.sides],
        "setup": [typeset(step) for step in scenario.setup],
        "ground": table_content(scenario),
        "score": [score_line(scenario, line) for line in scenario.vp],
        "rules": rule_rows(SCENARIO_RULES, ("which",)),
        "castle": castle_content() if scenario.is_siege else None,
    }


def castle_content() -> Content:
    return {
        "pieces": [
            {"key": piece.key, "name": piece.name, "kind": piece.kind.key, "hits": piece.kind.hits or 0}
            for piece in PIECES
        ],
        "kinds": [[*piece_row(kind), typeset(kind.holds)] for kind in PIECE_KINDS if kind.wall],
        "rules": rule_rows(SIEGE_RULES, ("castle", "vp")),
        "ends": [[(end.winner or "").capitalize(), typeset(end.text)] for end in SIEGE_ENDS if end.winner],
        "vats": VATS,
        "ballistae": GARRISON_BALLISTAE,
        "train": TRAIN_CAT_NON,
    }


def find(who: Who, key: str) -> Scenario:
    scenario: Scenario = get_row_or_404(SCENARIO, key)
    return scenario


def subjects(who: Who) -> Iterator[Subject]:
    for scenario in SCENARIOS:
        yield Subject(scenario.key, scenario.name)


def back(scenario: Scenario) -> tuple[str, str]:
    return f"/rules/scenarios/{scenario.key}/", scenario.name


register_sheets(
    Sheet(
        "scenario",
        "Scenario sheet",
        "One scenario per page: the table, set-up, victory and boxes for points.",
        RULES,
        "scenarios.typ",
        lambda scenario: {"title": scenario.name, "booklet": False, "scenarios": [scenario_page(scenario)]},
        find=find,
        name=lambda scenario: scenario.name,
        subjects=subjects,
        back=back,
    ),
    Sheet(
        "scenarios",
        "Scenario booklet",
        "All ten scenarios and the siege, one page each, with a table to roll on.",
        RULES,
        "scenarios.typ",
        lambda _: {"title": "The scenarios", "booklet": True, "scenarios": list(map(scenario_page, SCENARIOS))},
        hint="Print it as a booklet, two pages per side.",
    ),
)
