"""Exact odds of every unit of one army against every unit of another, in one situation. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal
from urllib.parse import urlencode

from dataclass_json import OneOf, Whole
from refusal import Refusal
from rulebook.battle.situations import Melee, Shooting
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.battlefield import EVENT, EVENTS, TERRAIN, TERRAINS
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.muster.army import Army, MusteredUnit
from rulebook.odds.attack import shooting_odds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import exchange_odds
from text import join_list

Kind = Literal["melee", "shooting"]
KINDS: tuple[Kind, ...] = ("melee", "shooting")
TERRAIN_KEYS = tuple(terrain.key for terrain in TERRAINS if terrain.enterable)
MAX_INCHES = 34  # the diagonal of the table
# Shades by how often the attack breaks its target.
SHADES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


def terrain_choices() -> list[tuple[str, str]]:
    return [(key, TERRAIN[key].name) for key in TERRAIN_KEYS]


def event_choices() -> list[tuple[str, str]]:
    return [("", "none"), *((event.key, event.name) for event in EVENTS)]


Ground = Annotated[str, OneOf(terrain_choices, f"Choose one of {join_list(TERRAIN_KEYS)}.")]


@dataclass(frozen=True, slots=True)
class Setting:
    """The situation: the same for every pair."""

    kind: Kind = "melee"
    charged: bool = True
    inches: Annotated[float, Whole("The distance", 0, MAX_INCHES)] = 6.0
    moved: bool = False
    at: Annotated[Ground, "where the attackers stand"] = "clear"
    target_at: Ground = "clear"
    flanked: Annotated[bool, "another enemy is in contact with the target"] = False
    king: Annotated[bool, "The target's King is within 8 inches."] = False
    event: Annotated[str, OneOf(event_choices, "There is no such random event.")] = ""

    @property
    def words(self) -> str:
        """The situation in a sentence."""
        ground = {terrain.key: terrain.name.lower() for terrain in TERRAINS}
        if self.kind == "melee":
            sentence = "The attackers charge" if self.charged else "The attackers are already in melee"
        else:
            sentence = f'The shooters are {self.inches:g}" away' + (" and have moved" if self.moved else "")
        if self.at != "clear":
            sentence += f"; attackers in {ground[self.at]}"
        if self.target_at != "clear":
            sentence += f"; targets in {ground[self.target_at]}"
        if self.flanked:
            sentence += "; the target is flanked"
        if self.king:
            sentence += '; its King is within 8"'
        if self.event:
            sentence += f"; {EVENT[self.event].name.lower()}"
        return f"{sentence}."


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """Exact odds of one unit's attack on another."""

    damage: Fraction  # average wounds, without excess wounds on the last model
    models: Fraction  # average models killed
    breaks: Fraction  # chance that the target flees, scatters or is destroyed
    destroys: Fraction
    back: Fraction | None  # models the attacker loses when the target battles back, or None


@dataclass(frozen=True, slots=True)
class Cell:
    target: MusteredUnit
    odds: AttackOdds | None
    why_not: str  # why this attack is impossible
    shade: int  # 0 to 4, by the chance to break the target
    best: bool  # of its row
    question: str  # query for the odds page


@dataclass(frozen=True, slots=True)
class Row:
    attacker: MusteredUnit
    cells: tuple[Cell, ...]

    @property
    def why_never(self) -> str:
        """The reason, if this unit can attack nobody."""
        reasons = {cell.why_not for cell in self.cells}
        return next(iter(reasons)) if len(reasons) == 1 else ""


@dataclass(frozen=True, slots=True)
class AttackTable:
    """One army attacking the other."""

    rows: tuple[Row, ...]
    targets: tuple[MusteredUnit, ...]
    damage: Fraction | None  # average over all possible pairs
    breaks: Fraction | None
    strongest: tuple[MusteredUnit, Cell] | None
    reasons: tuple[str, ...]  # why some pairs are impossible


@dataclass(frozen=True, slots=True)
class Comparison:
    setting: Setting
    there: AttackTable  # the first army attacks the second
    back: AttackTable  # the second attacks the first


def compare(one: Army, two: Army, setting: Setting | None = None, options: Options = BY_THE_BOOK) -> Comparison:
    """Every unit against every other, both ways."""
    setting = setting or Setting()
    return Comparison(setting, _table(one, two, setting, options), _table(two, one, setting, options))


def _table(attackers: Army, targets: Army, setting: Setting, options: Options) -> AttackTable:
    rows = tuple(_row(unit, targets, setting, options) for unit in attackers.units)
    struck = [(row.attacker, cell, cell.odds) for row in rows for cell in row.cells if cell.odds is not None]
    strongest = max(struck, key=lambda one: (one[2].breaks, one[2].damage), default=None)
    reasons = [cell.why_not for row in rows if not row.why_never for cell in row.cells if cell.why_not]
    return AttackTable(
        rows,
        targets.units,
        sum((blow.damage for _, _, blow in struck), Fraction(0)) / len(struck) if struck else None,
        sum((blow.breaks for _, _, blow in struck), Fraction(0)) / len(struck) if struck else None,
        strongest[:2] if strongest else None,
        tuple(dict.fromkeys(reasons)),
    )


def _row(attacker: MusteredUnit, targets: Army, setting: Setting, options: Options) -> Row:
    attacks: list[tuple[MusteredUnit, AttackOdds | None, str]] = []
    for target in targets.units:
        try:
            attacks.append(
                (target, attack_odds(situation_for(attacker.in_play(), target.in_play(), setting), options), "")
            )
        except Refusal as refusal:
            attacks.append((target, None, refusal.sentence))
    most = max((struck.breaks for _, struck, _ in attacks if struck is not None), default=Fraction(0))
    return Row(
        attacker,
        tuple(
            Cell(
                target,
                struck,
                why_not,
                sum(struck.breaks >= shade for shade in SHADES) if struck else 0,
                bool(struck and most and struck.breaks == most),
                odds_query(attacker, target, setting),
            )
            for target, struck, why_not in attacks
        ),
    )


def situation_for(attacker: UnitInPlay, target: UnitInPlay, setting: Setting) -> Shooting | Melee:
    """The situation for one pair; the rulebook refuses what is impossible."""
    # The King's own unit always has him, so leave him out there.
    king: Literal["near"] | None = "near" if setting.king and target.key != "king" else None
    at = Place(setting.at)
    target_at = Place(setting.target_at, flanked=int(setting.flanked), king=king)
    event = setting.event or None
    if setting.kind == "shooting":
        return Shooting(attacker, target, setting.inches, at, target_at, setting.moved, event=event)
    return Melee(attacker, target, at, target_at, setting.charged, event=event)


@lru_cache(maxsize=4096)
def attack_odds(met: Shooting | Melee, options: Options = BY_THE_BOOK) -> AttackOdds:
    """The odds of one attack, cached for equal units."""
    back: Fraction | None = None
    if isinstance(met, Shooting):
        attack = shooting_odds(met, options)
    else:
        whole = exchange_odds(met, options)
        attack, back = whole.attack, whole.attacker_lost.mean
    return AttackOdds(
        _mean_wounds(attack.wounds, met.target.wounds_left),
        attack.models_lost.mean,
        attack.gone + attack.chance("flee"),
        attack.chance("destroyed"),
        back,
    )


def _mean_wounds(wounds: Distribution, most: int) -> Fraction:
    return sum((min(number, most) * chance for number, chance in enumerate(wounds.chances)), Fraction(0))


def odds_query(attacker: MusteredUnit, target: MusteredUnit, setting: Setting) -> str:
    """The query that shows this pair on the odds page."""
    query: dict[str, object] = {
        "kind": setting.kind,
        **_unit_query("attacker", attacker),
        **_unit_query("target", target),
    }
    query |= {"at": setting.at, "target_at": setting.target_at, "event": setting.event}
    if setting.kind == "melee":
        query["charged"] = "on" if setting.charged else ""
    else:
        query |= {"inches": f"{setting.inches:g}", "moved": "on" if setting.moved else ""}
    query["target_at_flanked"] = "on" if setting.flanked else ""
    query["target_king"] = "near" if setting.king and target.unit != "king" else ""
    return urlencode({name: value for name, value in query.items() if value})


def _unit_query(who: str, unit: MusteredUnit) -> Mapping[str, object]:
    unit_in_play = unit.in_play()
    query = {who: unit.unit, f"{who}_hero": unit.hero or "", f"{who}_spear": "on" if unit_in_play.spear else ""}
    if who == "target":
        query["target_shield"] = "on" if unit_in_play.shield else ""
    return query
