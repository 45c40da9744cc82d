"""A report unit by unit, turned into the counts that the rulebook scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import dataclass_json
from battles.result.core.fielded_units import FieldedUnit, units_from_json
from refusal import Refusal
from rulebook.campaign.battle_scoring import Report, SideReport
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenarios import SCENARIO, SIDES, SideKey, find_ending, scenario_of, scenarios_with
from rulebook.data.tracks import Ending, Escapes, HeldEachRound, SetAblaze

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
    def from_json(cls, stored: Mapping[str, Any]) -> UnitReport:
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
