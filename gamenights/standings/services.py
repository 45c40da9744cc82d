"""Writes of the standings: seasons, counting in the background, and forgetting what a changed play makes wrong."""

import datetime as dt
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from django.db.models import Q

from dataclass_json import Ask, Clean, Text
from gamenights.plays.models import Play
from gamenights.standings import background_count, selectors
from gamenights.standings.core.ratings import ALL_GAMES
from gamenights.standings.core.tally_blocks import blocks_with, month_of
from gamenights.standings.models import RatingMonth, Season, StoredStandings, TallyBlock
from gamenights.standings.stored_months import any_of
from groups.entries import Act
from groups.models import Group
from groups.permissions import require_host
from groups.services import write_to_log
from jobs.registry import JobContext, Outcome
from log.services import LogWriter
from people.name_validation import MAX_STORED, clean_name
from people.requester import Who
from refusal import Refusal

MAX_SEASONS = 200


@dataclass(frozen=True)
class StartSeason:
    name: Annotated[
        str,
        Text("The name of the season", MAX_STORED),
        Clean(partial(clean_name, what="name of the season")),
        Ask("Name of the season"),
    ]
    first_day: Annotated[dt.date, Ask("First day")]


ACTS = {"group_season_started": Act(StartSeason)}


def count_in_background(job: JobContext) -> Outcome:
    """The job that a page ordered. Counting twice stores the same."""
    order = background_count.read_order(job.args["what"])
    if order is not None:
        if order.person:
            selectors.get_person_summary(order.group, order.person, order.period)
        else:
            selectors.get_summary(order.group, order.period, order.slot)
    return Outcome({})


def forget_play(play: Play) -> None:
    """Call before and after a play changes. What came before it stays counted and rated."""
    month = month_of(play.day)
    TallyBlock.objects.filter(any_of(blocks_with(month)), group=play.group_id).delete()
    own, over_all = Q(game=str(play.game_id), variant=play.variant), Q(game=ALL_GAMES.game)
    RatingMonth.objects.filter(own | over_all, group=play.group_id, month__gte=month).delete()
    StoredStandings.objects.filter(group=play.group_id, last_day__gte=play.day).delete()


def forget_since(group: int, day: dt.date) -> None:
    """For many plays at once."""
    month = month_of(day)
    TallyBlock.objects.filter(any_of(blocks_with(month)) | Q(start__gte=month), group=group).delete()
    RatingMonth.objects.filter(group=group, month__gte=month).delete()
    StoredStandings.objects.filter(group=group, last_day__gte=day).delete()


def forget_people(ids: list[int]) -> None:
    """For people who were merged or split: their plays belong to another person now."""
    groups = list(Play.objects.filter(player__person__in=ids).values_list("group", flat=True).distinct())
    for model in (TallyBlock, RatingMonth, StoredStandings):
        model.objects.filter(group__in=groups).delete()


def start_season(group: Group, who: Who, key: str, sent: StartSeason) -> None:
    """Start a season. The one before ends the day before."""
    require_host(group, who)

    def change(_: LogWriter) -> None:
        seasons = group.seasons.order_by("-first_day")
        last = seasons.first()
        if last and sent.first_day <= last.first_day:
            raise Refusal(
                f"“{last.name}” starts later. Choose a day after {last.first_day:%-d %B %Y}.", field="first_day"
            )
        if seasons.count() >= MAX_SEASONS:
            raise Refusal(f"A group has at most {MAX_SEASONS} seasons.", status=409)
        seasons.filter(last_day=None).update(last_day=sent.first_day - dt.timedelta(days=1))
        Season.objects.create(group=group, name=sent.name, first_day=sent.first_day)
        StoredStandings.objects.filter(group=group).delete()

    write_to_log(group, who, key, "group_season_started", change, sent)
