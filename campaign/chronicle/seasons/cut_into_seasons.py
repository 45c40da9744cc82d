"""The chronicle cut into seasons: what each began with, what was played in it, what it ended with."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from campaign.chronicle.battles_from_entries import BattleRecord, is_battle, list_battles
from campaign.chronicle.effects import SeasonTurned, TerritoryTaken, WarStarted, apply_effects
from campaign.chronicle.entries_and_fold import CORRECTIONS, RESTORE, ChronicleEntry, effective_entries
from campaign.chronicle.state import State


class HeldSince(NamedTuple):
    """Since when a territory has been in these hands: the day, and how many battles had been fought by then."""

    day: str
    battles: int


@dataclass(frozen=True, slots=True)
class SeasonRecord:
    number: int
    name: str
    war: int
    new_war: bool
    entries: tuple[ChronicleEntry, ...]  # from the opening to the closing, both included
    before: State  # as it opened
    after: State  # as it closed, or stands now
    since: Mapping[str, HeldSince]  # for land that had changed hands before it opened
    battles_before: int
    closed: ChronicleEntry | None

    @property
    def opened(self) -> ChronicleEntry:
        return self.entries[0]

    @property
    def last_day(self) -> str:
        return self.entries[-1].played_on

    @property
    def is_open(self) -> bool:
        return self.closed is None

    def battles(self) -> list[BattleRecord]:
        return list_battles(self.entries)


def split_seasons(order: Iterable[ChronicleEntry]) -> list[SeasonRecord]:
    """The seasons of entries that count, in order of play. What was played between two seasons belongs to neither."""
    seasons: list[SeasonRecord] = []
    state = State()
    since: dict[str, HeldSince] = {}
    count = 0
    begun: SeasonRecord | None = None
    gathered: list[ChronicleEntry] = []

    def shut(closed: ChronicleEntry | None) -> None:
        nonlocal begun
        if begun is not None:
            seasons.append(replace(begun, entries=tuple(gathered), after=state.copy(), closed=closed))
        begun = None
        gathered.clear()

    for entry in order:
        turned = next((effect for effect in entry.effects if isinstance(effect, SeasonTurned)), None)
        apply_effects(state, entry.effects)
        count += is_battle(entry)
        for effect in entry.effects:
            if isinstance(effect, TerritoryTaken):
                since[effect.territory] = HeldSince(entry.played_on, count)
            elif isinstance(effect, WarStarted):
                since.clear()
        if turned and turned.open:
            shut(None)  # two openings in a row, where the closing between them was struck
            begun = SeasonRecord(
                number=state.season,
                name=state.season_name,
                war=state.war,
                new_war=any(isinstance(effect, WarStarted) for effect in entry.effects),
                entries=(),
                before=state.copy(),
                after=state,
                since=dict(since),
                battles_before=count,
                closed=None,
            )
        if begun is not None:
            gathered.append(entry)
        if turned and not turned.open:
            shut(entry)
    shut(None)
    return seasons


def find_changes_since_closing(entries: Sequence[ChronicleEntry], closing: int) -> tuple[int, ...]:
    """Entries that changed a season after this one closed it: corrections and late entries."""
    last = next((entry for entry in entries if entry.number == closing), None)
    if last is None:
        return ()
    inside = {entry.number for entry in entries if entry.sort_key <= last.sort_key}
    bundles = {entry.number: _corrected_numbers(entry) for entry in entries if entry.act in CORRECTIONS}
    changes = []
    for entry in entries:
        if entry.number <= closing:
            continue
        if entry.act in CORRECTIONS:
            touches = bundles[entry.number] & inside
        elif entry.act == RESTORE:
            touches = bundles.get(entry.body["restores"], set()) & inside
        else:
            touches = {entry.number} if entry.sort_key < last.sort_key and entry.effects else set()
        if touches:
            changes.append(entry.number)
    return tuple(changes)


def _corrected_numbers(entry: ChronicleEntry) -> set[int]:
    bundle = entry.body["bundle"]
    return {*bundle["strike"], *(int(number) for number in bundle["amend"])}


def find_season_as_closed(entries: Sequence[ChronicleEntry], closing: int) -> SeasonRecord | None:
    """The season as it was known in the moment this entry closed it."""
    known = effective_entries([entry for entry in entries if entry.number <= closing])
    return next((c for c in split_seasons(known) if c.closed is not None and c.closed.number == closing), None)


SEASON_OF_MONTH = ("Winter", "Winter", *["Spring"] * 3, *["Summer"] * 3, *["Autumn"] * 3, "Winter")


def suggest_season_name(day: dt.date) -> str:
    """A name for a season that opens on this day; the game master can change it."""
    return f"{SEASON_OF_MONTH[day.month - 1]} {day.year}"


def gather_war(order: Iterable[ChronicleEntry], war: int, won_by: int) -> SeasonRecord | None:
    """A whole war as one long season, up to the entry that won it, so that titles are given for all of it."""
    state = State()
    begun: State | None = None
    gathered: list[ChronicleEntry] = []
    count = battles_before = 0
    for entry in order:
        apply_effects(state, entry.effects)
        count += is_battle(entry)
        if begun is None and state.war == war and state.masters:
            begun, battles_before = state.copy(), count
        if begun is not None:
            gathered.append(entry)
        if entry.number == won_by:
            break
    if begun is None:
        return None
    return SeasonRecord(
        number=state.season,
        name=state.season_name,
        war=war,
        new_war=war > 1,
        entries=tuple(gathered),
        before=begun,
        after=state,
        since={},
        battles_before=battles_before,
        closed=gathered[-1],
    )
