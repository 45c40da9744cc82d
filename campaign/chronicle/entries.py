"""Lines of the chronicle, which of them still count, and the fold that makes a state of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from campaign.annals.effects import Effect, apply
from campaign.annals.state import State

# Acts that correct other lines. Their body carries the bundle worked out when they were confirmed.
STRIKE, AMEND, RESTORE = "strike", "amend", "restore"
CORRECTIONS = (STRIKE, AMEND)
# What is left of a struck line that had given a kingdom or a battle its number.
STRUCK = "struck"


class Line(NamedTuple):
    number: int
    act: str
    body: dict[str, Any]
    effects: list[Effect]
    played_on: str  # ISO, so that text order is day order
    actor: int | None = None
    on_behalf_of: int | None = None

    @property
    def place(self) -> tuple[str, int]:
        """Where it folds: by the day played, then by the order in which lines were entered."""
        return self.played_on, self.number


@dataclass(slots=True)
class Standing:
    """What became of each line: struck by which correction, amended by which."""

    struck: dict[int, int] = field(default_factory=dict)
    amended: dict[int, int] = field(default_factory=dict)
    bodies: dict[int, dict[str, Any]] = field(default_factory=dict)
    effects: dict[int, list[Effect]] = field(default_factory=dict)
    restored: dict[int, int] = field(default_factory=dict)  # corrections switched off, and by which line


def standing(lines: Iterable[Line]) -> Standing:
    """Read the corrections in the order they were entered; a restored one counts for nothing."""
    corrections = sorted((line for line in lines if line.act in (*CORRECTIONS, RESTORE)), key=lambda line: line.number)
    found = Standing()
    for line in corrections:
        if line.act == RESTORE:
            found.restored[line.body["restores"]] = line.number
    for line in corrections:
        if line.act == RESTORE or line.number in found.restored:
            continue
        for number in line.body["bundle"]["strike"]:
            found.struck[number] = line.number
            found.amended.pop(number, None)
        for key, changed in line.body["bundle"]["amend"].items():
            number = int(key)
            found.amended[number] = line.number
            found.effects[number] = changed["effects"]
            if "body" in changed:
                found.bodies[number] = changed["body"]
    return found


def effective(lines: Sequence[Line], known: Standing | None = None) -> list[Line]:
    """The lines that count, as they now read, in order of play. Of a struck line at most its numbers remain."""
    stand = known or standing(lines)
    count = []
    for line in lines:
        if line.number in stand.struck:
            if numbers := _numbers(line):
                count.append(line._replace(act=STRUCK, body={}, effects=numbers))
            continue
        if line.number in stand.amended:
            n = line.number
            line = line._replace(effects=stand.effects[n], body=stand.bodies.get(n, line.body))
        count.append(line)
    count.sort(key=lambda line: line.place)
    return count


def _numbers(line: Line) -> list[Effect]:
    """The numbers a line has given. If they were given anew, restoring it would bring two under one number."""
    given: list[Effect] = [{"do": "numbered", "kingdom": e["kingdom"]} for e in line.effects if e["do"] == "joined"]
    return given + [
        {"do": "numbered", "battle": e["battle"]} for e in line.effects if e["do"] in ("declared", "closed")
    ]


def fold(lines: Iterable[Line], start: State | None = None) -> State:
    """The state these lines lead to; they must be effective and in order."""
    state = start.copy() if start else State()
    for line in lines:
        if line.effects:
            apply(state, line.effects)
    return state


def as_known_then(lines: Iterable[Line], number: int) -> list[Line]:
    """What the chronicle said when this line had just been entered."""
    return effective([line for line in lines if line.number <= number])
