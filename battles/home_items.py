"""Home page items for captains: battles declared but not yet reported, and battles being played tonight."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from battles.battle_titles import title_and_subtitle
from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign.models import Campaign
from log.models import Entry
from pages import home_items as pages_home_items
from pages.home_items import HomeItem

MAX_ITEMS = 5
# A battle without a step for this long is no longer tonight's.
TONIGHT = dt.timedelta(hours=36)


def register() -> None:
    pages_home_items.register_source(list_home_items)


def list_home_items(request: HttpRequest) -> Iterator[HomeItem]:
    if not request.who.is_known:
        return
    yield from _battles_in_play(request)
    ids = set(request.who.person.all_ids())
    rows = (
        Battle.objects.open().exclude(stage=Battle.Stage.REPORTED).filter(campaign__in=Campaign.objects.of(request.who))
    )
    for battle in rows.select_related("campaign__log")[:MAX_ITEMS]:
        state = campaign_selectors.own_campaigns(request.who).state_of(battle.campaign)
        declared = state.battles.get(battle.number)
        if declared is None or not any(
            realm.id in (declared.attacker, declared.defender) for realm in state.ruled_by(ids)
        ):
            continue
        foes = f"{state.kingdoms[declared.attacker].name} against {state.kingdoms[declared.defender].name}"
        yield HomeItem(
            group="me",
            title=f"The battle for {state.place_name(declared.target)}",
            text=f"{foes}. Set it up, print the slip, or report the result.",
            url=reverse("battles:page", args=[battle.code]),
            button="Go to the battle",
            icon="c-battle",
        )


def _battles_in_play(request: HttpRequest) -> Iterator[HomeItem]:
    """Standalone battles in progress. Campaign battles are listed for their captains anyway."""
    touched = Entry.objects.filter(log=OuterRef("log"), entered_at__gt=timezone.now() - TONIGHT)
    rows = (
        Battle.objects.involving(request.who)
        .filter(campaign=None, stage=Battle.Stage.ON_THE_TABLE)
        .filter(Exists(touched))
    )
    for battle in rows.order_by("-made_at", "-pk")[:MAX_ITEMS]:
        title, under = title_and_subtitle(battle, None)
        yield HomeItem(
            group="tonight",
            title=title,
            text=f"{under}. In progress.",
            url=reverse("battles:tracker", args=[battle.code]),
            button="Open the tracker",
            icon="c-castle" if battle.siege else "c-battle",
        )
