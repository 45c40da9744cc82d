"""What battles lay before their captains on the home page: one that is declared and not yet reported, one on the table tonight."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.titles import titled
from campaign import reading
from campaign.models import Campaign
from log.models import Entry
from pages import moves
from pages.moves import Move

MOST = 5
# A table nobody has touched for so long is no longer tonight's.
TONIGHT = dt.timedelta(hours=36)


def register() -> None:
    moves.register(of)


def of(request: HttpRequest) -> Iterator[Move]:
    if not request.who.is_known:
        return
    yield from _on_the_table(request)
    ids = set(request.who.person.all_ids())
    rows = (
        Battle.objects.open().exclude(stage=Battle.Stage.REPORTED).filter(campaign__in=Campaign.objects.of(request.who))
    )
    for battle in rows.select_related("campaign__log", "campaign__snapshot")[:MOST]:
        state = reading.kept_or_folded(battle.campaign)
        told = state.battles.get(battle.number)
        if told is None or not any(realm.id in (told.attacker, told.defender) for realm in state.ruled_by(ids)):
            continue
        foes = f"{state.kingdoms[told.attacker].name} against {state.kingdoms[told.defender].name}"
        yield Move(
            waits="me",
            title=f"The battle for {state.place_name(told.target)}",
            text=f"{foes}. Set it up, print the slip, or tell how it ended.",
            url=reverse("battles:page", args=[battle.code]),
            button="Go to the battle",
            icon="c-battle",
        )


def _on_the_table(request: HttpRequest) -> Iterator[Move]:
    """Battles outside a campaign that are being played: those of a campaign stand with their captains anyway."""
    touched = Entry.objects.filter(log=OuterRef("log"), entered_at__gt=timezone.now() - TONIGHT)
    rows = Battle.objects.of(request.who).filter(campaign=None, stage=Battle.Stage.ON_THE_TABLE).filter(Exists(touched))
    for battle in rows.order_by("-made_at", "-pk")[:MOST]:
        title, under = titled(battle, None)
        yield Move(
            waits="tonight",
            title=title,
            text=f"{under}. It is on the table.",
            url=reverse("battles:table", args=[battle.code]),
            button="Go to the table",
            icon="c-castle" if battle.siege else "c-battle",
        )
