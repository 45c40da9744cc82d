"""What players wrote about a battle, as the chronicle has it now."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from django.db.models import QuerySet
from django.db.models.fields.json import KeyTextTransform

from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle.entries_and_fold import index_corrections
from dataclass_json import Ask
from log.models import Entry
from people.requester import Who
from prepared_queries import prepared_query
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class WrittenReport:
    entry: Annotated[int, Ask("Entry", "of the chronicle")]
    text: str
    by: str
    on: dt.date


def add_written_report(battle: Battle, who: Who, *, key: str, text: str) -> None:
    """A report in plain words is a note of the chronicle about this battle, so files, prints and privacy know it."""
    if battle.campaign is None or not battle.number:
        raise Refusal("Only battles of a campaign have a chronicle to write in.", status=409)
    campaign_services.add_note(battle.campaign, who, key=key, text=text, battle=battle.number)


@prepared_query
def _notes_about(log_id: int, battle: str) -> QuerySet[Entry]:
    notes = Entry.objects.filter(log=log_id, act="note").alias(about=KeyTextTransform("battle", "body"))
    return notes.filter(about=battle).select_related("actor__merged_into").order_by("number")


def written_reports_of(battle: Battle) -> tuple[WrittenReport, ...]:
    """Without struck ones; amended ones as amended."""
    if battle.campaign is None or not battle.number:
        return ()
    found = _notes_about(battle.campaign.log_id, str(battle.number))
    if not found:
        return ()
    stand = index_corrections(campaign_selectors.corrections_of(battle.campaign))
    return tuple(
        WrittenReport(
            entry=row.number,
            text=str(stand.bodies.get(row.number, row.body)["text"]),
            by=row.actor.root.name if row.actor else "",
            on=row.played_on,
        )
        for row in found
        if row.number not in stand.struck
    )
