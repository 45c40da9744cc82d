"""A step while it is worked out: it notes every cell it reads and keeps what it writes until all of it is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from battles.tracker.table import Cells, Standing, Table, Terms, meeting
from refusal import Refusal
from rulebook.inplay import UnitInPlay
from rulebook.rolls import known


@dataclass(slots=True)
class Draft:
    """What a step sees and does. ``before`` is the table without note-taking, for what a step only shows or guesses."""

    before: Table
    terms: Terms
    reads: set[str] = field(default_factory=set)
    writes: Cells = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    dice: list[dict[str, Any]] = field(default_factory=list)
    table: Table = field(init=False)

    def __post_init__(self) -> None:
        self.table = Table(self.before.cells, self.look, self.peek)

    def look(self, cell: str) -> Any:
        if cell in self.writes:
            return self.writes[cell]
        self.reads.add(cell)
        return self.before.cells.get(cell)

    def peek(self, cell: str) -> Any:
        """A look that the step does not rest on."""
        return self.writes[cell] if cell in self.writes else self.before.cells.get(cell)

    def put(self, cell: str, now: Any) -> None:
        self.writes[cell] = now

    def say(self, sentence: str) -> None:
        self.said.append(sentence)

    # --- what most steps need --------------------------------------------------------------------------------

    @property
    def round(self) -> int:
        return self.table.round

    def unit(self, key: object, what: str = "unit", noted: tuple[str, ...] | None = None) -> Standing:
        """A unit that is still here. ``noted``: the cells of it the step rests on beside that; nothing said is all."""
        unit = self.table.unit(key, None if noted is None else ("gone", *noted))
        if not unit.here:
            raise Refusal(self.does(unit, "is", "are") + " removed.", field=what, status=409)
        return unit

    def called(self, key: str) -> str:
        return self.before.called(key)

    def does(self, unit: Standing, one: str, many: str) -> str:
        """The unit with its verb: a King flees, Hoppers flee."""
        return f"{self.called(unit.id)} {many if unit.row.many else one}"

    def begun(self) -> None:
        if self.round == 0:
            raise Refusal("The battle has not begun. Roll for the initiative first.", status=409)

    def left(self, unit: Standing, now: UnitInPlay) -> None:
        """Write what is left of a unit, and whether it flees."""
        told: dict[str, Any] = {"models": now.models}
        for what in ("wounds", "hero_wounds", "shield", "ladybug"):
            if value := getattr(now, what):
                told[what] = value
        self.put(f"{unit.id}/left", told)
        if now.fleeing != unit.fleeing:
            self.put(f"{unit.id}/flees", now.fleeing)
            if now.fleeing:
                self.part(unit.id)

    def gone(self, unit: Standing, how: str, why: str) -> None:
        """The unit leaves the table; whoever it fought is free."""
        self.put(f"{unit.id}/gone", {"how": how, "why": why, "round": self.round})
        self.part(unit.id)
        if unit.now.ladybug and how == "removed":
            self.put(f"ladybug/{unit.side}", unit.id)
            self.say(f"{self.called(unit.id)} had a Ladybug: it flies to a friend within 8″, or is lost.")

    def part(self, key: str) -> None:
        """The unit is in melee with nobody any more."""
        for other in self.before.contacts(key):
            self.put(meeting(key, other), None)
        for cell, value in self.before.cells.items():
            if value and cell.startswith("poured/") and cell.endswith(f":{key}"):
                self.put(cell, None)

    def acted(self, unit: Standing) -> None:
        """The unit's activation is over: its token, and whose turn it was. The first of its army is marked."""
        now = self.round
        if now == 0:
            return
        side = unit.side
        first = self.before.cells.get(f"first/{side}")
        if not (first and first[0] == now):
            self.put(f"first/{side}", [now, unit.id])
            self.put(f"{unit.id}/first", now)
        self.put(f"{unit.id}/acted", now)
        self.put("last", [now, side])


# What the body of a step may hold; anything else somebody sends is not kept.
TOLD = (
    "unit", "target", "other", "side", "did", "how", "fight", "piece", "event", "keep", "why", "models", "wounds",
    "hero_wounds", "shield", "ladybug", "roll", "second", "building", "vp", "round", "die", "face", "at", "damage", "vat",
    "of", "token", "on", "away", "stopped", "to", "held", "rolls", "ticks", "faces", "here", "seen", "inches", "units",
    "spent", "sides", "solo", "vats", "towers",
)  # fmt: skip

Work = Callable[[Draft, Mapping[str, Any]], None]

_kinds: dict[str, Work] = {}
_free: set[str] = set()


def step(kind: str, *, free: bool = False) -> Callable[[Work], Work]:
    """Register the work of a kind of step. ``free``: it may be taken before the armies stand."""

    def registered(work: Work) -> Work:
        _kinds[kind] = work
        if free:
            _free.add(kind)
        return work

    return registered


def kinds() -> tuple[str, ...]:
    return tuple(_kinds)


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was judged: what goes into the log."""

    kind: str
    body: dict[str, Any]
    effects: list[dict[str, Any]]
    idle: bool  # nothing would change: the table stands so already


def work_out(cells: Cells, terms: Terms, kind: str, body: Mapping[str, Any]) -> Done:
    """Judge a step against the table and say what it writes. Raises Refusal where it cannot be."""
    work = known(kind, _kinds, "step")
    table = Table(cells)
    if not table.laid and kind not in _free:
        raise Refusal("The armies are not on the table yet.", status=409)
    if table.laid and kind in _free:
        raise Refusal("The armies are on the table already.", status=409)
    draft = Draft(table, terms)
    work(draft, body)
    changes = any(now != cells.get(cell) and (now or cells.get(cell)) for cell, now in draft.writes.items())
    effects = [{"cell": cell, "now": now} for cell, now in draft.writes.items()]
    whole = {
        **{name: body[name] for name in TOLD if name in body},
        "said": draft.said,
        "reads": sorted(draft.reads),
        "round": int(cells.get("round", 0)),
    }
    if draft.dice:
        whole["dice"] = draft.dice
    return Done(kind, whole, effects, idle=not changes)
