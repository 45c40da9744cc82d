"""Entries of the chronicle, which of them still count, and the fold that turns them into a state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from campaign.chronicle.codec import Body, load_effects
from campaign.chronicle.effects import (
    BattleClosed,
    BattleDeclared,
    Effect,
    KingdomJoined,
    NumberReserved,
    apply_effects,
)
from campaign.chronicle.state import State

# Acts that correct other entries. Their body carries the bundle worked out when they were confirmed.
STRIKE, AMEND, RESTORE = "strike", "amend", "restore"
CORRECTIONS = (STRIKE, AMEND)
# What is left of a struck entry that had given a kingdom or a battle its number.
STRUCK = "struck"


class ChronicleEntry(NamedTuple):
    number: int
    act: str
    body: Body
    effects: list[Effect]
    played_on: str  # ISO, so that text order is day order
    actor: int | None = None
    on_behalf_of: int | None = None

    @property
    def sort_key(self) -> tuple[str, int]:
        """Where it folds: by the day played, then by the order in which entries were entered."""
        return self.played_on, self.number


@dataclass(slots=True)
class CorrectionIndex:
    """What became of each entry: struck by which correction, amended by which."""

    struck: dict[int, int] = field(default_factory=dict)
    amended: dict[int, int] = field(default_factory=dict)
    bodies: dict[int, Body] = field(default_factory=dict)
    effects: dict[int, list[Effect]] = field(default_factory=dict)
    restored: dict[int, int] = field(default_factory=dict)  # corrections switched off, and by which entry


def index_corrections(entries: Iterable[ChronicleEntry]) -> CorrectionIndex:
    """Read the corrections in the order they were entered; restored ones are ignored."""
    corrections = sorted(
        (entry for entry in entries if entry.act in (*CORRECTIONS, RESTORE)), key=lambda entry: entry.number
    )
    found = CorrectionIndex()
    for entry in corrections:
        if entry.act == RESTORE:
            found.restored[entry.body["restores"]] = entry.number
    for entry in corrections:
        if entry.act == RESTORE or entry.number in found.restored:
            continue
        for number in entry.body["bundle"]["strike"]:
            found.struck[number] = entry.number
            found.amended.pop(number, None)
        for key, changed in entry.body["bundle"]["amend"].items():
            number = int(key)
            found.amended[number] = entry.number
            found.effects[number] = load_effects(changed["effects"])
            if "body" in changed:
                found.bodies[number] = changed["body"]
    return found


def effective_entries(entries: Sequence[ChronicleEntry], known: CorrectionIndex | None = None) -> list[ChronicleEntry]:
    """The entries that count, as they now read, in order of play. Of a struck entry at most its numbers remain."""
    stand = known or index_corrections(entries)
    count = []
    for entry in entries:
        if entry.number in stand.struck:
            if numbers := _reserved_numbers(entry):
                count.append(entry._replace(act=STRUCK, body={}, effects=numbers))
            continue
        if entry.number in stand.amended:
            n = entry.number
            entry = entry._replace(effects=stand.effects[n], body=stand.bodies.get(n, entry.body))
        count.append(entry)
    count.sort(key=lambda entry: entry.sort_key)
    return count


def _reserved_numbers(entry: ChronicleEntry) -> list[Effect]:
    """The numbers an entry has given. If they were given anew, restoring it would bring two under one number."""
    given: list[Effect] = [NumberReserved(kingdom=e.kingdom) for e in entry.effects if isinstance(e, KingdomJoined)]
    return given + [
        NumberReserved(battle=e.battle) for e in entry.effects if isinstance(e, BattleDeclared | BattleClosed)
    ]


def fold(entries: Iterable[ChronicleEntry], start: State | None = None) -> State:
    """The state these entries lead to; they must be effective and in order."""
    state = start.copy() if start else State()
    for entry in entries:
        if entry.effects:
            apply_effects(state, entry.effects)
    return state
