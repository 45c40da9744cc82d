"""What battles lay before their captains on the home page: one that is declared and not yet reported."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import HttpRequest
from django.urls import reverse

from battles.models import Battle
from campaign import reading
from campaign.models import Campaign
from pages import moves
from pages.moves import Move

MOST = 5


def register() -> None:
    moves.register(of)


def of(request: HttpRequest) -> Iterator[Move]:
    if not request.who.is_known:
        return
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
