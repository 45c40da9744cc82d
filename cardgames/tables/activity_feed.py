"""Public news of a table: who sat down, whose seat moved, what the host did. Never a card."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from cardgames.bots import LEVEL
from cardgames.models import Table
from cardgames.tables.load_from_log import CHOICE, get_bot_name
from log.models import Entry
from people.name_validation import inline_name

MAX_NOTICES = 6
CALLED_OFF = "called-off"

SENTENCES = {
    "opened": "{actor} opens the table.",
    "opened-again": "The table for the next game is open.",
    "again": "{actor} wants to play again.",
    "arrived": "{actor} plays again.",
    "sat": "{actor} sits down.",
    "left": "{actor} leaves the table.",
    "removed": "The host frees {other}'s seat.",
    "bot": "A bot ({level}) now plays for {seat}.",
    "bot-back": "{seat} takes over from the bot.",
    "started": "The game starts.",
    "paused": "The host pauses the game.",
    "resumed": "The host resumes the game.",
    CALLED_OFF: "The host calls off the game.",
    "call-off-undone": "The host opens the table again.",
    "asked-to-sit": "{actor} asks to take over from {seat}. The host decides.",
    "not-given": "The host declines. {seat} plays on.",
    "rules": "The host changes the rules of this table.",
    "cohost": "{seat} is now a co-host.",
    "no-cohost": "{seat} is no longer a co-host.",
    "new-host": "{actor} takes over as host.",
    "returned": "{actor} is back.",
    "asked-for": "Another phone asks for {seat}'s seat. The host decides.",
    "moved": "{seat}'s seat has moved to another phone.",
    "not-moved": "The host declines to move {seat}'s seat.",
    "renamed": "The host corrects a name: {seat}.",
}


@dataclass(frozen=True, slots=True)
class Notice:
    sentence: str
    at: dt.datetime
    act: str
    seat: int | None
    # Of a seat that was left: the pass with which it was played.
    token: int | None


def recent_notices(table: Table, names: Sequence[str], most: int = MAX_NOTICES) -> list[Notice]:
    """Newest first."""
    entries = (
        Entry.objects.filter(log_id=table.log_id)
        .exclude(act=CHOICE)
        .select_related("actor__merged_into", "on_behalf_of__merged_into")
        .order_by("-number")[:most]
    )
    return [
        Notice(_sentence(entry, names), entry.entered_at, entry.act, entry.body.get("seat"), entry.body.get("pass"))
        for entry in entries
    ]


def _sentence(entry: Entry, names: Sequence[str]) -> str:
    number = entry.body.get("seat", 0)
    actor, other = entry.actor, entry.on_behalf_of
    words = {
        "actor": inline_name(actor.root.name) if actor else "The host",
        "other": inline_name(other.root.name) if other else "somebody",
        "seat": names[number] if number < len(names) else "somebody",
        "level": LEVEL[level].name if (level := entry.body.get("level", "")) in LEVEL else "",
    }
    if entry.act == "sat" and entry.body.get("took_over"):
        return f"{words['actor']} sits down and takes over from {get_bot_name(number, names)}."
    return SENTENCES.get(entry.act, "The table has changed.").format(**words)
