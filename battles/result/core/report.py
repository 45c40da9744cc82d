"""A report of two to six armies, unit by unit: two have the goals of their scenario, more fight a Pitched Battle."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NotRequired, TypedDict

import dataclass_json
from refusal import Refusal
from rulebook.campaign.battle_scoring import How, Report, Score, ScoreLine, SideReport
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenario_goals import Ending, Escapes, HeldEachRound, SetAblaze
from rulebook.data.scenarios import SCENARIO, SIDES, SideKey, find_ending, scenario_of, scenarios_with
from rulebook.input_checks import check_count
from rulebook.muster.army import HOUSE_SLOTS, HOUSES, KING_SLOT, Army, Slot

SIEGE_EXTRAS = 2  # Cat-non of the attacker, Ballistae of the garrison
_EXTRA = {"A": ("train", "cat_non"), "B": ("garrison", "ballista")}


@dataclass(frozen=True, slots=True)
class FieldedUnit:
    """One unit of one side. ``unit`` and ``hero`` are the rulebook's keys; None if unknown."""

    key: str
    origin: str
    number: int
    unit: str | None = None
    hero: str | None = None
    weapon: str | None = None

    @property
    def house(self) -> int | None:
        return self.number if self.origin == "house" else None

    @property
    def slot(self) -> Slot:
        return Slot(self.origin, self.number)  # type: ignore[arg-type]

    def to_json(self) -> dict[str, str | int]:
        return {name: value for name, value in asdict(self).items() if value is not None}


def units_from_army(army: Army) -> tuple[FieldedUnit, ...]:
    units: list[FieldedUnit] = []
    seen: dict[str, int] = {}
    for unit in army.units:
        slot = unit.slot
        seen[slot.key] = seen.get(slot.key, 0) + 1
        # By the book a slot sends unit unit; if players allowed more, each still needs its own key.
        key = slot.key if seen[slot.key] == 1 else f"{slot.key}-{seen[slot.key]}"
        units.append(FieldedUnit(key, slot.origin, slot.number, unit.unit, unit.hero, unit.weapon))
    return tuple(units)


def default_units(side: str, *, siege: bool = False, silent: Iterable[int] = ()) -> tuple[FieldedUnit, ...]:
    """The King's unit, one for each house that sent one, and in a siege the engines of that side."""
    quiet = set(silent)
    units = [FieldedUnit(KING_SLOT.key, "king", 1, "king")]
    units += [FieldedUnit(HOUSE_SLOTS[house].key, "house", house) for house in HOUSES if house not in quiet]
    if siege and side in _EXTRA:
        origin, unit = _EXTRA[side]
        units += [FieldedUnit(f"{origin}-{n}", origin, n, unit) for n in range(1, SIEGE_EXTRAS + 1)]
    return tuple(units)


def units_from_json(rows: Iterable[Mapping[str, Any]]) -> tuple[FieldedUnit, ...]:
    return tuple(FieldedUnit(**row) for row in rows)


# ── Two armies: the counts that the rulebook scores ─────────────────────────────────────────────────────────


MAX_ROUNDS = 30
ROUNDS_OFFERED = 6  # on form and slip, where a battle has no fixed length

Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class UnitReport:
    """A battle of two sides as reported, unit by unit. The names of counts are those of ``Track``."""

    scenario: str
    ending: str
    fielded: Mapping[str, tuple[FieldedUnit, ...]]
    removed: Keys = field(default_factory=dict)
    escaped: tuple[str, ...] = ()  # of side A
    crossings: Mapping[str, int] = field(default_factory=dict)
    mounds: tuple[tuple[int, int], ...] = ()  # per round, of A and of B
    ablaze: int = 0

    # --- JSON ---------------------------------------------------------------------------------------------

    def to_json(self) -> Mapping[str, object]:
        """As the chronicle and battles store it."""
        return {
            "scenario": self.scenario,
            "ending": self.ending,
            "fielded": {side: [unit.to_json() for unit in self.fielded[side]] for side in SIDES},
            "removed": {side: sorted(self.removed.get(side, ())) for side in SIDES},
            "escaped": sorted(self.escaped),
            "crossings": dict(self.crossings),
            "mounds": [list(row) for row in self.mounds],
            "ablaze": self.ablaze,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "UnitReport":
        try:
            return cls(
                scenario=stored["scenario"],
                ending=stored["ending"],
                fielded={side: units_from_json(stored["fielded"][side]) for side in SIDES},
                removed={side: tuple(stored.get("removed", {}).get(side, ())) for side in SIDES},
                escaped=tuple(stored.get("escaped", ())),
                crossings=dict(stored.get("crossings", {})),
                mounds=tuple((int(a), int(b)) for a, b in stored.get("mounds", ())),
                ablaze=stored.get("ablaze", 0),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Refusal(f"The report is incomplete: {error}.", field="report") from error

    # --- for scoring ------------------------------------------------------------------------------------------

    def removed_units(self, side: str) -> tuple[str, ...]:
        """The units marked as removed, or all that were left if the ending says so."""
        # What house rules add says nothing about units removed, so the book's endings are enough.
        ending = find_ending(self.scenario, self.ending) if self.scenario in SCENARIO else None
        if ending is not None and ending.gone == side:
            away = self.escaped if side == Escapes.side else ()
            return tuple(unit.key for unit in self.fielded[side] if unit.key not in away)
        return tuple(dict.fromkeys(self.removed.get(side, ())))

    def count_removed(self, side: str) -> int:
        return len(self.removed_units(side))

    def to_scoring_report(self, options: Options = BY_THE_BOOK) -> Report:
        """The counts for the rulebook, which refuses what cannot have happened."""
        scenario = scenario_of(self.scenario)
        name = scenario.name
        ending = find_ending(self.scenario, self.ending, options)
        if ending is None:
            raise Refusal(
                f"Choose how it ended. {name} cannot end like this." if self.ending else "Choose how it ended.",
                field="ending",
            )
        for side in SIDES:
            _check_units(self.removed.get(side, ()), self.fielded[side], side, "removed")
        if self.escaped and scenario.track(Escapes) is None:
            raise Refusal(f"Units escape only in {scenarios_with(Escapes)}, not in {name}.", field="escaped")
        _check_units(self.escaped, self.fielded["A"], "A", "escaped")
        both = set(self.escaped) & set(self.removed.get("A", ()))
        if both:
            raise Refusal("A unit cannot be both escaped and removed.", field="escaped")
        if len(self.mounds) > MAX_ROUNDS:
            held = scenario.track(HeldEachRound)
            what = held.noun if held else HeldEachRound.field
            raise Refusal(f"Enter {what} for at most {MAX_ROUNDS} rounds.", field="mounds")
        burning = scenario.track(SetAblaze)
        return Report(
            scenario=self.scenario,
            a=self._side("A", ending),
            b=self._side("B", ending),
            crossings=dict(self.crossings),
            mounds=tuple({"A": a, "B": b} for a, b in self.mounds),
            ablaze=burning.most if burning and ending.complete else self.ablaze,
            holder=ending.holder,
            stopped=ending.winner is None,
        )

    def _side(self, side: SideKey, ending: Ending) -> SideReport:
        fielded, removed = len(self.fielded[side]), len(self.removed_units(side))
        escaped = len(set(self.escaped)) if side == Escapes.side else 0
        left = max(fielded - removed - escaped, 0)
        flees = ending.flees == side
        if flees and not left:
            raise Refusal(f"Side {side} has no units left to flee. It was destroyed.", field="ending")
        fleeing = left if flees else 0
        return SideReport(fielded, removed, fleeing, escaped, ending.yields == side)


def _check_units(keys: tuple[str, ...], fielded: tuple[FieldedUnit, ...], side: str, what: str) -> None:
    there = {unit.key for unit in fielded}
    if len(set(keys)) > len(there):
        raise Refusal(f"Side {side} had {len(there)} units, but {len(set(keys))} are marked as {what}.", field=what)
    if set(keys) - there:
        fate = "be removed" if what == "removed" else "have escaped"
        raise Refusal(f"A unit that did not take the field for side {side} cannot {fate}.", field=what)


def scoring_report_to_json(report: Report) -> Mapping[str, Any]:
    """The counts as the log of a battle stores them: what is empty is left out, but never how many were removed."""
    stored: Mapping[str, Any] = dataclass_json.write(report)
    for side in ("a", "b"):
        stored[side].setdefault("removed", 0)
    return stored


# ── More armies: who won and which units each removed (SCEN-01, VP-01, VP-03) ───────────────────────────────


MAX_SIDES = 6
MAX_UNITS = 20
SIDE_LETTERS = "ABCDEF"
MULTI_ARMY_SCENARIO = "pitched_battle"
BY_NOBODY = ""  # a unit that fled from the table, or nobody remembers who removed it

Fallen = Mapping[str, Mapping[str, str]]  # by side: the keys of its removed units, each with the side that removed it


class MultiArmyJson(TypedDict):
    """As the chronicle and battles store it."""

    sides: list[str]
    winner: str | None
    removed: dict[str, int]
    lost: dict[str, int]
    yielded: list[str]
    fielded: NotRequired[dict[str, list[dict[str, str | int]]]]
    fallen: NotRequired[dict[str, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class MultiArmyReport:
    """``winner`` None is a draw. ``removed`` counts enemy units a side removed, ``lost`` its own losses.

    ``fielded`` and ``fallen`` tell it unit by unit; reports of older releases have only the counts.
    """

    sides: tuple[str, ...]
    winner: str | None
    removed: Mapping[str, int] = field(default_factory=dict)
    lost: Mapping[str, int] = field(default_factory=dict)
    yielded: tuple[str, ...] = ()
    fielded: Mapping[str, tuple[FieldedUnit, ...]] = field(default_factory=dict)
    fallen: Fallen = field(default_factory=dict)

    @classmethod
    def from_units(
        cls,
        winner: str | None,
        fielded: Mapping[str, tuple[FieldedUnit, ...]],
        fallen: Fallen,
        yielded: tuple[str, ...] = (),
    ) -> "MultiArmyReport":
        """Counted from the units; refuses what cannot have happened."""
        sides = tuple(fielded)
        kept: dict[str, dict[str, str]] = {}
        for side, units in fallen.items():
            known = {unit.key for unit in fielded.get(side, ())}
            for key, by in units.items():
                if key not in known:
                    raise Refusal(f"Side {side} has no unit “{key}”.", field="fallen")
                if by != BY_NOBODY and (by not in sides or by == side):
                    raise Refusal(
                        f"A unit of side {side} can only be removed by another side, or by nobody.", field="fallen"
                    )
            if units:
                kept[side] = dict(units)
        if winner is not None and fielded.get(winner) and len(kept.get(winner, ())) == len(fielded[winner]):
            raise Refusal(f"Side {winner} has no unit left, so it cannot have won.", field="winner")
        return cls(
            sides,
            winner,
            removed={
                side: n for side in sides if (n := sum(by == side for units in kept.values() for by in units.values()))
            },
            lost={side: len(units) for side, units in kept.items()},
            yielded=yielded,
            fielded=dict(fielded),
            fallen=kept,
        )

    def __post_init__(self) -> None:
        if not 3 <= len(self.sides) <= MAX_SIDES:
            raise Refusal(f"Enter 3 to {MAX_SIDES} armies.", field="sides")
        if self.winner is not None and self.winner not in self.sides:
            raise Refusal("The winner must be one of the armies.", field="winner")
        if self.winner in self.yielded:
            raise Refusal(f"Side {self.winner} yielded, so it cannot have won.", field="yielded")
        for what, counts in (("removed", self.removed), ("lost", self.lost)):
            for side, number in counts.items():
                if side not in self.sides:
                    raise Refusal(f"There is no side {side} in this battle.", field=what)
                check_count(
                    number, f"units of side {side} {what}", most=MAX_UNITS * (MAX_SIDES if what == "removed" else 1)
                )
        killed, fallen = sum(self.removed.values()), sum(self.lost.values())
        if killed > fallen:
            raise Refusal(f"The armies removed {killed} units but lost only {fallen}.", field="removed")

    def removed_units(self, side: str) -> tuple[str, ...]:
        return tuple(self.fallen.get(side, ()))

    def count_removed(self, side: str) -> int:
        return self.lost.get(side, 0)

    def score(self) -> Score:
        """Every army earns VP for the units it removed, the winner for the battle."""
        scenario = SCENARIO[MULTI_ARMY_SCENARIO]
        lines = []
        for side in self.sides:
            kills = self.removed.get(side, 0) * scenario.pays("kill", "A")
            win = scenario.pays("win", "A") if side == self.winner else 0
            lines += [ScoreLine(side, "kill", 0, kills, "Enemy units removed.")] if kills else []
            lines += [ScoreLine(side, "win", 0, win, "Battle won.")] if win else []
        how: How = "yielded" if self.yielded else "destroyed"
        return Score(MULTI_ARMY_SCENARIO, self.winner, how, "", tuple(lines), ())

    def to_json(self) -> MultiArmyJson:
        stored: MultiArmyJson = {
            "sides": list(self.sides),
            "winner": self.winner,
            "removed": dict(self.removed),
            "lost": dict(self.lost),
            "yielded": list(self.yielded),
        }
        if self.fielded:
            stored["fielded"] = {side: [unit.to_json() for unit in units] for side, units in self.fielded.items()}
            stored["fallen"] = {side: dict(units) for side, units in self.fallen.items()}
        return stored

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "MultiArmyReport":
        return cls(
            tuple(stored["sides"]),
            stored["winner"],
            dict(stored["removed"]),
            dict(stored["lost"]),
            tuple(stored["yielded"]),
            {side: units_from_json(rows) for side, rows in stored.get("fielded", {}).items()},
            {side: dict(units) for side, units in stored.get("fallen", {}).items()},
        )


# ── As a result's body stores it ──────────────────────────────────────────────────────────────────────────


def read_armies(body: Mapping[str, Any]) -> UnitReport | MultiArmyReport | None:
    """The report of two or more armies in it; None if only the winner is known."""
    if many := body.get("many"):
        return MultiArmyReport.from_json(many)
    return UnitReport.from_json(body["told"]) if body.get("told") else None
