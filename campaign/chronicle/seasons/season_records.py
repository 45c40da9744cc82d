"""The chronicle cut into seasons: what each began with, what was played in it, what it ended with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from campaign.annals.effects import apply
from campaign.annals.fought import Fought, battles, is_battle
from campaign.annals.lines import CORRECTIONS, RESTORE, Line, effective
from campaign.annals.state import State


class Since(NamedTuple):
    """Since when a territory has been in these hands: the day, and how many battles had been fought by then."""

    day: str
    battles: int


@dataclass(frozen=True, slots=True)
class Chapter:
    season: int
    name: str
    war: int
    new_war: bool
    lines: tuple[Line, ...]  # from the opening to the closing, both included
    before: State  # as it opened
    after: State  # as it closed, or stands now
    since: Mapping[str, Since]  # for land that had changed hands before it opened
    battles_before: int
    closed: Line | None

    @property
    def opened(self) -> Line:
        return self.lines[0]

    @property
    def last_day(self) -> str:
        return self.lines[-1].played_on

    @property
    def is_open(self) -> bool:
        return self.closed is None

    def fought(self) -> list[Fought]:
        return battles(self.lines)


def chapters(order: Iterable[Line]) -> list[Chapter]:
    """The seasons of lines that count, in order of play. What was played between two seasons belongs to neither."""
    found: list[Chapter] = []
    state = State()
    since: dict[str, Since] = {}
    count = 0
    begun: dict[str, object] | None = None
    gathered: list[Line] = []

    def shut(closed: Line | None) -> None:
        nonlocal begun
        if begun is not None:
            found.append(Chapter(**begun, lines=tuple(gathered), after=state.copy(), closed=closed))  # type: ignore[arg-type]
        begun = None
        gathered.clear()

    for line in order:
        turned = next((effect for effect in line.effects if effect["do"] == "season"), None)
        apply(state, line.effects)
        count += is_battle(line)
        for effect in line.effects:
            if effect["do"] == "hold":
                since[effect["territory"]] = Since(line.played_on, count)
            elif effect["do"] == "war":
                since.clear()
        if turned and turned["open"]:
            shut(None)  # two openings in a row, where the closing between them was struck
            begun = {
                "season": state.season,
                "name": state.season_name,
                "war": state.war,
                "new_war": any(effect["do"] == "war" for effect in line.effects),
                "before": state.copy(),
                "since": dict(since),
                "battles_before": count,
            }
        if begun is not None:
            gathered.append(line)
        if turned and not turned["open"]:
            shut(line)
    shut(None)
    return found


def since_closed(lines: Sequence[Line], closing: int) -> tuple[int, ...]:
    """Entries that changed a season after this line had closed it: corrections of its lines, and lines entered late."""
    last = next((line for line in lines if line.number == closing), None)
    if last is None:
        return ()
    inside = {line.number for line in lines if line.place <= last.place}
    bundles = {line.number: _touched(line) for line in lines if line.act in CORRECTIONS}
    found = []
    for line in lines:
        if line.number <= closing:
            continue
        if line.act in CORRECTIONS:
            touches = bundles[line.number] & inside
        elif line.act == RESTORE:
            touches = bundles.get(line.body["restores"], set()) & inside
        else:
            touches = {line.number} if line.place < last.place and line.effects else set()
        if touches:
            found.append(line.number)
    return tuple(found)


def _touched(line: Line) -> set[int]:
    bundle = line.body["bundle"]
    return {*bundle["strike"], *(int(number) for number in bundle["amend"])}


def as_it_closed(lines: Sequence[Line], closing: int) -> Chapter | None:
    """The season as it was known in the moment this line closed it."""
    known = effective([line for line in lines if line.number <= closing])
    return next((c for c in chapters(known) if c.closed is not None and c.closed.number == closing), None)
