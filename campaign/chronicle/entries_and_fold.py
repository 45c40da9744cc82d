"""Entries of the chronicle, which of them still count, and the fold that turns them into a state."""

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

    def find_correction(self, number: int) -> int | None:
        """The entry that struck or amended this one."""
        return self.struck.get(number) or self.amended.get(number)

    def amend(self, entry: ChronicleEntry) -> ChronicleEntry:
        """The entry as it reads now."""
        if entry.number not in self.amended:
            return entry
        return entry._replace(effects=self.effects[entry.number], body=self.bodies.get(entry.number, entry.body))


def index_corrections(entries: Iterable[ChronicleEntry]) -> CorrectionIndex:
    """Read the corrections in the order they were entered; restored ones are ignored."""
    corrections = sorted(
        (entry for entry in entries if entry.act in (*CORRECTIONS, RESTORE)), key=lambda entry: entry.number
    )
    index = CorrectionIndex()
    index.restored = {entry.body["restores"]: entry.number for entry in corrections if entry.act == RESTORE}
    for entry in corrections:
        if entry.act == RESTORE or entry.number in index.restored:
            continue
        for number in entry.body["bundle"]["strike"]:
            index.struck[number] = entry.number
            index.amended.pop(number, None)
        for key, changed in entry.body["bundle"]["amend"].items():
            number = int(key)
            index.amended[number] = entry.number
            index.effects[number] = load_effects(changed["effects"])
            if "body" in changed:
                index.bodies[number] = changed["body"]
    return index


def effective_entries(entries: Sequence[ChronicleEntry], known: CorrectionIndex | None = None) -> list[ChronicleEntry]:
    """The entries that count, as they now read, in order of play. Of a struck entry at most its numbers remain."""
    corrections = known or index_corrections(entries)
    order = []
    for entry in entries:
        if entry.number not in corrections.struck:
            order.append(corrections.amend(entry))
        elif numbers := _reserved_numbers(entry):
            order.append(entry._replace(act=STRUCK, body={}, effects=numbers))
    order.sort(key=lambda entry: entry.sort_key)
    return order


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
