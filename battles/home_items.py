"""Battles on a person's home page, those to report and those of tonight, and in their personal data file."""

import datetime as dt
from collections.abc import Iterator
from typing import Any, TypedDict

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle
from battles.side_display import title_and_subtitle
from campaign import selectors as campaign_selectors
from campaign.models import Campaign
from log.models import Entry
from pages import home_items as pages_home_items
from pages.home_items import HomeItem
from people import privacy
from people.requester import Who, WhoWithPasses
from prepared_queries import prepared_query

MAX_ITEMS = 5
# A battle without a step for this long is no longer tonight's.
TONIGHT = dt.timedelta(hours=36)


def register() -> None:
    pages_home_items.register_source(list_home_items, tonight=True)
    privacy.register_part("battles", export_battles)


@prepared_query
def _unreported_and_in_play(who: Who, since: dt.datetime) -> QuerySet[Battle]:
    """Battles of their campaigns that are not reported; others with a step since then."""
    unreported = Battle.objects.open().exclude(stage=Battle.Stage.REPORTED)
    unreported = unreported.filter(campaign__in=Campaign.objects.of(who))
    touched = Entry.objects.filter(log=OuterRef("log"), entered_at__gt=since)
    in_play = Battle.objects.involving(who).filter(Exists(touched), campaign=None, stage=Battle.Stage.ON_THE_TABLE)
    wanted = Q(pk__in=unreported.values("pk")[:MAX_ITEMS]) | Q(pk__in=in_play.values("pk")[:MAX_ITEMS])
    return Battle.objects.filter(wanted).select_related("campaign__log").defer("snapshot")


def list_home_items(request: HttpRequest) -> Iterator[HomeItem]:
    if not request.who.is_known:
        return
    battles = _unreported_and_in_play(WhoWithPasses(request.who), timezone.now() - TONIGHT)
    yield from _battles_in_play(battles)
    ids = set(request.who.person.all_ids())
    for battle in battles:
        if battle.campaign is None:
            continue
        state = campaign_selectors.own_campaigns(request.who).state_of(battle.campaign)
        declared = state.battles.get(battle.number)
        if declared is None or not any(
            kingdom.id in (declared.attacker, declared.defender) for kingdom in state.ruled_by(ids)
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


def _battles_in_play(battles: list[Battle]) -> Iterator[HomeItem]:
    """Standalone battles in progress. Campaign battles are listed for their captains anyway."""
    for battle in battles:
        if battle.campaign is not None:
            continue
        title, under = title_and_subtitle(battle, None)
        yield HomeItem(
            group="tonight",
            title=title,
            text=f"{under}. In progress.",
            url=reverse("battles:tracker", args=[battle.code]),
            button="Open the tracker",
            icon="c-castle" if battle.siege else "c-battle",
        )


# ── The personal data file ──────────────────────────────────────────────────────────────────────────────────


class BattleData(TypedDict):
    code: str
    scenario: str
    stage: str
    made_at: dt.datetime
    played_on: dt.date | None
    armies: list[str]
    led_by_me: list[str]
    result: Any  # the body of the report


def export_battles(ids: tuple[int, ...]) -> list[BattleData]:
    rows = Battle.objects.filter(Q(made_by__in=ids) | Q(people__in=ids), campaign=None).distinct().order_by("made_at")
    return [
        {
            "code": battle.code,
            "scenario": battle.scenario,
            "stage": battle.stage,
            "made_at": battle.made_at,
            "played_on": battle.played_on,
            "armies": [side["name"] for side in battle.sides],
            "led_by_me": [side["side"] for side in battle.sides if side["person"] in ids],
            "result": battle.result,
        }
        for battle in rows
    ]
