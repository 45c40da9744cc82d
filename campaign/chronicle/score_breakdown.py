"""Every point traces to its entry: the steps that led to a kingdom's loyalty or VP, in order of play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.annals.lines import Line
from campaign.annals.tales import Names, tale, why


@dataclass(frozen=True, slots=True)
class Step:
    number: int  # the entry
    played_on: str
    by: int
    total: int
    why: str
    tale: str


def steps(lines: Iterable[Line], kingdom: str, what: str, names: Names) -> tuple[Step, ...]:
    """Steps of ``loyalty`` or ``vp``, from lines that count, in order. Their sum is the score; a new war starts from 0."""
    found: list[Step] = []
    total = 0
    for line in lines:
        for effect in line.effects:
            if effect["do"] == "war":
                found.clear()
                total = 0
            elif effect["do"] == what and effect["kingdom"] == kingdom:
                total += effect["by"]
                found.append(Step(line.number, line.played_on, effect["by"], total, why(effect), tale(line, names)))
    return tuple(found)
