"""From taps to the rulebook's report: each ending says what it means for the units that were not tapped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.telling.asks import ROUNDS_MOST, asks
from battles.telling.fielded import FieldUnit, from_json
from refusal import Refusal
from rulebook.options import BY_THE_BOOK, Options
from rulebook.scenarios import scenario_of
from rulebook.scoring import BUILDINGS, SIDES, Report, SideReport

Keys = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Told:
    """What somebody told of a battle of two sides."""

    scenario: str
    ending: str
    fielded: Mapping[str, tuple[FieldUnit, ...]]
    removed: Keys = field(default_factory=dict)
    escaped: tuple[str, ...] = ()  # of side A
    crossings: Mapping[str, int] = field(default_factory=dict)
    mounds: tuple[tuple[int, int], ...] = ()  # per round, of A and of B
    ablaze: int = 0

    # --- in and out ---------------------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
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
    def from_json(cls, kept: Mapping[str, Any]) -> Told:
        try:
            return cls(
                scenario=kept["scenario"],
                ending=kept["ending"],
                fielded={side: from_json(kept["fielded"][side]) for side in SIDES},
                removed={side: tuple(kept.get("removed", {}).get(side, ())) for side in SIDES},
                escaped=tuple(kept.get("escaped", ())),
                crossings=dict(kept.get("crossings", {})),
                mounds=tuple((int(a), int(b)) for a, b in kept.get("mounds", ())),
                ablaze=kept.get("ablaze", 0),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Refusal(f"The report is not whole: {error}.", field="report") from error

    # --- what it means ------------------------------------------------------------------------------------------

    def gone(self, side: str) -> tuple[str, ...]:
        """The units removed: those told, and all that were left where the side was destroyed or nobody of it stayed."""
        told = tuple(dict.fromkeys(self.removed.get(side, ())))
        if self.ending == f"destroyed-{side}" or (self.ending == "over" and side == "A"):
            away = self.escaped if side == "A" else ()
            return tuple(unit.key for unit in self.fielded[side] if unit.key not in away)
        return told

    def report(self, options: Options = BY_THE_BOOK) -> Report:
        """The rulebook's report, which refuses what cannot have happened."""
        asked = asks(self.scenario, options)
        name = scenario_of(self.scenario).name
        ending = asked.ending(self.ending)
        if ending is None:
            raise Refusal(f"Say how it ended. {name} does not end like this." if self.ending else "Say how it ended.", field="ending")  # fmt: skip
        for side in SIDES:
            _known(self.removed.get(side, ()), self.fielded[side], side, "removed")
        if self.escaped and not asked.escapes:
            raise Refusal(f"No unit escapes in {name}; that is Break Free.", field="escaped")
        _known(self.escaped, self.fielded["A"], "A", "escaped")
        both = set(self.escaped) & set(self.removed.get("A", ()))
        if both:
            raise Refusal("A unit either escaped or was removed, not both.", field="escaped")
        if len(self.mounds) > ROUNDS_MOST:
            raise Refusal(f"Mounds can be told for {ROUNDS_MOST} rounds.", field="mounds")
        ablaze = BUILDINGS if self.ending == "ablaze" else self.ablaze
        return Report(
            scenario=self.scenario,
            a=self._side("A"),
            b=self._side("B"),
            crossings=dict(self.crossings),
            mounds=tuple({"A": a, "B": b} for a, b in self.mounds),
            ablaze=ablaze,
            holder=self._holder(),
            stopped=self.ending == "draw",
        )

    def _holder(self) -> Any:
        if self.ending in ("fortress-A", "fortress-B"):
            return self.ending[-1]
        return "A" if self.ending == "castle" else None

    def _side(self, side: str) -> SideReport:
        fielded, removed = len(self.fielded[side]), len(self.gone(side))
        escaped = len(set(self.escaped)) if side == "A" else 0
        left = max(fielded - removed - escaped, 0)
        if self.ending == f"routed-{side}" and not left:
            raise Refusal(f"No unit of side {side} is left to flee. It was destroyed.", field="ending")
        fleeing = left if self.ending == f"routed-{side}" else 0
        return SideReport(fielded, removed, fleeing, escaped, self.ending == f"yielded-{side}")


def _known(keys: tuple[str, ...], fielded: tuple[FieldUnit, ...], side: str, what: str) -> None:
    there = {unit.key for unit in fielded}
    if len(set(keys)) > len(there):
        raise Refusal(f"Side {side} had {len(there)} units, and {len(set(keys))} are said to be {what}.", field=what)
    if set(keys) - there:
        raise Refusal(f"A unit that did not take the field for side {side} cannot {'be removed' if what == 'removed' else 'have escaped'}.", field=what)  # fmt: skip


def report_json(report: Report, side_a: str | None = None) -> dict[str, Any]:
    """The report as the chronicle keeps it: what a scenario does not ask for is left out."""

    def side(one: SideReport) -> dict[str, Any]:
        rest = {"fleeing": one.fleeing, "escaped": one.escaped, "yielded": one.yielded}
        return {
            "fielded": one.fielded,
            "removed": one.removed,
            **{name: value for name, value in rest.items() if value},
        }

    kept: dict[str, Any] = {"scenario": report.scenario, "a": side(report.a), "b": side(report.b)}
    if side_a is not None:
        kept["side_a"] = side_a
    for name in ("rounds", "crossings", "ablaze", "holder", "stopped"):
        if value := getattr(report, name):
            kept[name] = dict(value) if name == "crossings" else value
    if report.mounds:
        kept["mounds"] = [dict(held) for held in report.mounds]
    return kept
