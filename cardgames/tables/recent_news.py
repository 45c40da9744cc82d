"""Public news of a table: who sat down, whose seat moved, what the host did. Never a card."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from cardgames.bots import LEVEL
from cardgames.models import Table
from cardgames.tables.core import entries
from cardgames.tables.core.entries import (
    BotSet,
    ChoiceMade,
    SatDown,
    SeatEmptied,
    SeatEntry,
    TableCalledOff,
    TableEntry,
)
from cardgames.tables.load_from_log import get_bot_name
from log.models import Entry
from people.name_validation import inline_name
from prepared_queries import prepared_query

MAX_NOTICES = 6


@dataclass(frozen=True, slots=True)
class Notice:
    sentence: str
    at: dt.datetime
    entry: TableEntry

    @property
    def seat(self) -> int | None:
        return self.entry.seat if isinstance(self.entry, SeatEntry) else None

    @property
    def can_be_undone(self) -> bool:
        """Whether it is of a kind that can be undone for a while."""
        return isinstance(self.entry, SeatEmptied | TableCalledOff)

    @property
    def token(self) -> int | None:
        """Of a seat that was left: the pass with which it was played."""
        return self.entry.token if isinstance(self.entry, SeatEmptied) else None


@prepared_query
def _newest_entries(log_id: int, *, most: int) -> QuerySet[Entry]:
    rows = Entry.objects.filter(log_id=log_id).exclude(act=ChoiceMade.key)
    return rows.select_related("actor__merged_into", "on_behalf_of__merged_into").order_by("-number")[:most]


def recent_notices(table: Table, names: Sequence[str], most: int = MAX_NOTICES) -> list[Notice]:
    """Newest first."""
    rows = _newest_entries(table.log_id, most=most)
    loaded = [(row, entries.load_entry(row.act, row.body)) for row in rows]
    return [Notice(_sentence(row, entry, names), row.entered_at, entry) for row, entry in loaded]


def _sentence(row: Entry, entry: TableEntry, names: Sequence[str]) -> str:
    number = entry.seat if isinstance(entry, SeatEntry) else 0
    actor, other = row.actor, row.on_behalf_of
    words = {
        "actor": inline_name(actor.root.name) if actor else "The host",
        "other": inline_name(other.root.name) if other else "somebody",
        "seat": names[number] if number < len(names) else "somebody",
        "level": LEVEL[entry.level].name if isinstance(entry, BotSet) and entry.level in LEVEL else "",
    }
    if isinstance(entry, SatDown) and entry.took_over:
        return f"{words['actor']} sits down and takes over from {get_bot_name(number, names)}."
    return entry.sentence.format(**words)
