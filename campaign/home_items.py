"""What a campaign lays before its people on the home page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Count
from django.http import HttpRequest
from django.urls import reverse

from campaign import reading
from campaign.annals.state import SOLO, State
from campaign.annals.tales import Names
from campaign.models import Campaign, Petition
from campaign.waiting import row_of
from pages import moves
from pages.moves import Move
from people.models import Person

MOST = 20


def register() -> None:
    moves.register(of)


def of(request: HttpRequest) -> Iterator[Move]:
    yield from _petitions(request)
    alone = Campaign.objects.run_by(request.who).annotate(size=Count("members")).filter(size=1)
    for campaign in alone.filter(archived_at=None).select_related("log", "snapshot")[:5]:
        if any(realm.status == SOLO for realm in reading.kept_or_folded(campaign).kingdoms.values()):
            continue  # who plays alone waits for nobody
        yield Move(
            waits="me",
            title=campaign.name,
            text="Nobody has joined yet. A link or a code at the table is enough; friends need no account.",
            url=reverse("campaign:invite", args=[campaign.code]),
            button="Invite your players",
            icon="c-map",
        )


def _petitions(request: HttpRequest) -> Iterator[Move]:
    """Reports and corrections that wait for one's word; and one's own that wait for others."""
    who = request.who
    if who.person is None:
        return
    found = Petition.objects.visible_to(who).open().filter(campaign__archived_at=None)
    found = list(found.select_related("campaign__log", "campaign__snapshot")[:MOST])
    mine = set(who.person.all_ids())
    states = {row.campaign_id: reading.kept_or_folded(row.campaign) for row in found}
    people = _people(found, states.values())
    for row in found:
        state = states[row.campaign_id]
        told = row_of(row, state, Names(state, people), mine)
        laid = row.laid_by_id in mine
        if not told.asks_me and not laid:
            continue
        yield Move(
            waits="me" if told.asks_me or told.trouble else "others",
            title=f"{row.campaign.name}: {told.title}",
            text=told.trouble or told.text,
            url=told.url,
            button="Answer it" if told.asks_me else "Look at it",
            icon="c-seal",
        )


def _people(found: list[Petition], states: Iterable[State]) -> dict[int, str]:
    wanted = {one["person"] for row in found for one in row.versions}
    wanted |= {realm.acting for state in states for realm in state.kingdoms.values() if realm.acting}
    rows = Person.objects.filter(pk__in=wanted).select_related("merged_into") if found else ()
    return {person.pk: person.root.name for person in rows}
