"""Two armies side by side: what each unit does to each, exactly, in a situation that is the same for all pairs. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal
from urllib.parse import urlencode

from refusal import Refusal
from rulebook import odds
from rulebook.army import Army, MusteredUnit
from rulebook.events import EVENT
from rulebook.inplay import Place, UnitInPlay
from rulebook.odds.spread import Distribution
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import known, one_of
from rulebook.situations import Melee, Shooting
from rulebook.terrain import TERRAINS

Kind = Literal["melee", "shooting"]
KINDS: tuple[Kind, ...] = ("melee", "shooting")
GROUNDS = tuple(terrain.key for terrain in TERRAINS if terrain.enterable)
INCHES_MOST = 34  # the diagonal of the table
# A blow that breaks its target this often is shaded so deeply.
SHADES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))


@dataclass(frozen=True, slots=True)
class Setting:
    """How everybody meets everybody: the same for every pair."""

    kind: Kind = "melee"
    charged: bool = True
    inches: float = 6.0
    moved: bool = False
    at: str = "clear"  # where the attackers stand
    target_at: str = "clear"
    flanked: bool = False  # another enemy is in contact with the target
    king: bool = False  # the target's King is within 8"
    event: str = ""

    def __post_init__(self) -> None:
        one_of(self.kind, KINDS, "kind")
        one_of(self.at, GROUNDS, "ground")
        one_of(self.target_at, GROUNDS, "ground")
        if self.event:
            known(self.event, EVENT, "event")
        if not 0 <= self.inches <= INCHES_MOST:
            raise Refusal(f'The distance is {self.inches:g}"; from 0 to {INCHES_MOST} is possible.', field="inches")

    @property
    def words(self) -> str:
        """The situation in a sentence."""
        ground = {terrain.key: terrain.name.lower() for terrain in TERRAINS}
        if self.kind == "melee":
            said = "The attackers charge" if self.charged else "The attackers are in melee already"
        else:
            said = f'The shooters are {self.inches:g}" away' + (" and have moved" if self.moved else "")
        if self.at != "clear":
            said += f"; their ground: {ground[self.at]}"
        if self.target_at != "clear":
            said += f"; the target's ground: {ground[self.target_at]}"
        if self.flanked:
            said += "; the target is flanked"
        if self.king:
            said += '; its King is within 8"'
        if self.event:
            said += f"; {EVENT[self.event].name.lower()}"
        return f"{said}."


@dataclass(frozen=True, slots=True)
class Blow:
    """One unit's attack on another. Everything is exact."""

    damage: Fraction  # wounds that count, on average; what goes beyond the last model does not
    models: Fraction  # that fall to wounds, on average
    breaks: Fraction  # that the target flees, scatters or is destroyed
    destroys: Fraction
    back: Fraction | None  # models the attacker loses when the target battles back; None where there is no answer


@dataclass(frozen=True, slots=True)
class Cell:
    target: MusteredUnit
    blow: Blow | None
    why_not: str  # the sentence of the rulebook where there can be no such attack
    shade: int  # 0 to 4 by the chance to break
    best: bool  # of its row
    question: str  # the same situation as a query of the odds page


@dataclass(frozen=True, slots=True)
class Row:
    attacker: MusteredUnit
    cells: tuple[Cell, ...]

    @property
    def why_never(self) -> str:
        """One sentence where this unit can attack nobody at all."""
        reasons = {cell.why_not for cell in self.cells}
        return next(iter(reasons)) if len(reasons) == 1 else ""


@dataclass(frozen=True, slots=True)
class Table:
    """One army attacking the other."""

    rows: tuple[Row, ...]
    targets: tuple[MusteredUnit, ...]
    damage: Fraction | None  # on average over all pairs that can be
    breaks: Fraction | None
    strongest: tuple[MusteredUnit, Cell] | None
    reasons: tuple[str, ...]  # why single pairs cannot meet


@dataclass(frozen=True, slots=True)
class Comparison:
    setting: Setting
    there: Table  # the first army attacks the second
    back: Table  # the second attacks the first


def compare(one: Army, two: Army, setting: Setting | None = None, options: Options = BY_THE_BOOK) -> Comparison:
    """Each unit against each, both ways."""
    setting = setting or Setting()
    return Comparison(setting, _table(one, two, setting, options), _table(two, one, setting, options))


def _table(attackers: Army, targets: Army, setting: Setting, options: Options) -> Table:
    rows = tuple(_row(unit, targets, setting, options) for unit in attackers.units)
    struck = [(row.attacker, cell, cell.blow) for row in rows for cell in row.cells if cell.blow is not None]
    strongest = max(struck, key=lambda one: (one[2].breaks, one[2].damage), default=None)
    reasons = [cell.why_not for row in rows if not row.why_never for cell in row.cells if cell.why_not]
    return Table(
        rows,
        targets.units,
        sum((blow.damage for _, _, blow in struck), Fraction(0)) / len(struck) if struck else None,
        sum((blow.breaks for _, _, blow in struck), Fraction(0)) / len(struck) if struck else None,
        strongest[:2] if strongest else None,
        tuple(dict.fromkeys(reasons)),
    )


def _row(attacker: MusteredUnit, targets: Army, setting: Setting, options: Options) -> Row:
    found: list[tuple[MusteredUnit, Blow | None, str]] = []
    for target in targets.units:
        try:
            found.append((target, blow(situation(attacker.in_play(), target.in_play(), setting), options), ""))
        except Refusal as refusal:
            found.append((target, None, refusal.sentence))
    most = max((struck.breaks for _, struck, _ in found if struck is not None), default=Fraction(0))
    return Row(
        attacker,
        tuple(
            Cell(
                target,
                struck,
                why_not,
                sum(struck.breaks >= shade for shade in SHADES) if struck else 0,
                bool(struck and most and struck.breaks == most),
                question(attacker, target, setting),
            )
            for target, struck, why_not in found
        ),
    )


def situation(attacker: UnitInPlay, target: UnitInPlay, setting: Setting) -> Shooting | Melee:
    """The setting for one pair. What cannot be is refused by the rulebook."""
    # A King is always with his own unit, so nothing is said about him there.
    king: Literal["near"] | None = "near" if setting.king and target.key != "king" else None
    at = Place(setting.at)
    target_at = Place(setting.target_at, flanked=int(setting.flanked), king=king)
    event = setting.event or None
    if setting.kind == "shooting":
        return Shooting(attacker, target, setting.inches, at, target_at, setting.moved, event=event)
    return Melee(attacker, target, at, target_at, setting.charged, event=event)


@lru_cache(maxsize=4096)
def blow(met: Shooting | Melee, options: Options = BY_THE_BOOK) -> Blow:
    """The odds of one attack. Two units alike are reckoned once, whichever houses sent them."""
    back: Fraction | None = None
    if isinstance(met, Shooting):
        attack = odds.shooting(met, options)
    else:
        whole = odds.exchange(met, options)
        attack, back = whole.attack, whole.attacker_lost.mean
    return Blow(
        _counted(attack.wounds, met.target.wounds_left),
        attack.models_lost.mean,
        attack.gone + attack.chance("flee"),
        attack.chance("destroyed"),
        back,
    )


def _counted(wounds: Distribution, most: int) -> Fraction:
    return sum((min(number, most) * chance for number, chance in enumerate(wounds.chances)), Fraction(0))


def question(attacker: MusteredUnit, target: MusteredUnit, setting: Setting) -> str:
    """The pair as a query of the rulebook's page of odds, which shows every die of it."""
    asked: dict[str, object] = {"kind": setting.kind, **_told("attacker", attacker), **_told("target", target)}
    asked |= {"at": setting.at, "target_at": setting.target_at, "event": setting.event}
    if setting.kind == "melee":
        asked["charged"] = "on" if setting.charged else ""
    else:
        asked |= {"inches": f"{setting.inches:g}", "moved": "on" if setting.moved else ""}
    asked["target_at_flanked"] = "on" if setting.flanked else ""
    asked["target_king"] = "near" if setting.king and target.unit != "king" else ""
    return urlencode({name: value for name, value in asked.items() if value})


def _told(who: str, unit: MusteredUnit) -> Mapping[str, object]:
    standing = unit.in_play()
    told = {who: unit.unit, f"{who}_hero": unit.hero or "", f"{who}_spear": "on" if standing.spear else ""}
    if who == "target":
        told["target_shield"] = "on" if standing.shield else ""
    return told
