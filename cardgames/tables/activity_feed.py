"""What happened around a table, for everybody: who sat down, whose seat moved, what the host did. Never a card."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from cardgames.bots import LEVEL
from cardgames.loading import BOT_NAMES, CHOICE
from cardgames.models import Table
from log.models import Entry
from people.names import said

MOST = 6

LINES = {
    "opened": "{actor} opens the table.",
    "opened-again": "{actor} calls the same people to another game.",
    "again": "The same people play again.",
    "sat": "{actor} sits down.",
    "left": "{actor} stands up.",
    "removed": "The host frees the seat of {other}.",
    "bot": "A bot plays for {seat} now ({level}).",
    "bot-back": "{seat} plays again; the bot is gone.",
    "started": "The game begins.",
    "paused": "The host pauses the table.",
    "resumed": "The game goes on.",
    "called-off": "The host calls the table off.",
    "asked-for": "Another phone asks for the seat of {seat}. The host decides.",
    "moved": "The seat of {seat} has moved to another phone.",
    "not-moved": "The host leaves the seat of {seat} where it is.",
    "renamed": "The host corrects a name: {seat}.",
}


@dataclass(frozen=True, slots=True)
class Notice:
    sentence: str
    at: dt.datetime


def notices_of(table: Table, names: Sequence[str], most: int = MOST) -> list[Notice]:
    """The newest first."""
    entries = (
        Entry.objects.filter(log_id=table.log_id)
        .exclude(act=CHOICE)
        .select_related("actor__merged_into", "on_behalf_of__merged_into")
        .order_by("-number")[:most]
    )
    return [Notice(_sentence(entry, names), entry.entered_at) for entry in entries]


def _sentence(entry: Entry, names: Sequence[str]) -> str:
    number = entry.body.get("seat", 0)
    actor, other = entry.actor, entry.on_behalf_of
    words = {
        "actor": said(actor.root.name) if actor else "The host",
        "other": said(other.root.name) if other else "somebody",
        "seat": names[number] if number < len(names) else "somebody",
        "level": LEVEL[level].name if (level := entry.body.get("level", "")) in LEVEL else "",
    }
    if entry.act == "sat" and entry.body.get("took_over"):
        return f"{words['actor']} sits down and takes over from {BOT_NAMES[number % len(BOT_NAMES)]}."
    return LINES.get(entry.act, "The table has changed.").format(**words)
