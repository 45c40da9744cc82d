"""Files games from before there were groups: campaigns, card games and battles into groups, nights and plays.

Runs once, after the migration that adds game nights. Running it again files only what is missing.
"""

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from battles.models import Battle
from campaign.models import Campaign, Member as CampaignMember
from cardgames.models import Result
from gamenights.nights.models import Attendance, Night
from gamenights.nights.selectors import night_on
from gamenights.plays.filing import common_group, file_battle_in, file_result_in, people_of_battle, refile_battles
from gamenights.plays.models import PlayPlayer
from gamenights.plays.values import day_of, end_of_day
from groups.models import Group, Member
from groups.services import KIND, add_member
from log import services as log_services
from people.models import Person
from people.name_validation import shorten_name

FIRST = ("gamenights", "0001_initial")
EVENING = dt.time(19)


def file_after_migration(plan: Iterable[Any] = (), **kwargs: Any) -> None:
    """Signal handler: game nights have just been added to a site that may already have games."""
    done = {(migration.app_label, migration.name) for migration, is_backwards in plan if not is_backwards}
    if FIRST in done:
        file_past_games()


def file_past_games() -> None:
    for campaign in Campaign.objects.filter(group=None).order_by("pk"):
        with transaction.atomic():
            _put_into_group(campaign)
    for result in Result.objects.filter(play=None).select_related("keeper__merged_into").order_by("pk"):
        with transaction.atomic():
            _file_result(result)
    alone = Battle.objects.filter(campaign=None, play=None, stage=Battle.Stage.CONFIRMED).exclude(played_on=None)
    for battle in alone.select_related("made_by__merged_into").order_by("pk"):
        with transaction.atomic():
            _file_standalone_battle(battle)
    for campaign in Campaign.objects.exclude(group=None).select_related("group"):
        for day in Battle.objects.filter(campaign=campaign, play=None, stage=Battle.Stage.CONFIRMED).values_list(
            "played_on", flat=True
        ):
            if day is not None:
                ensure_night(campaign.group, day)
        refile_battles(campaign.pk)
    _add_players_to_nights()


def _put_into_group(campaign: Campaign) -> None:
    """The group of exactly the same people, or a new one with the campaign's name. Game masters are its hosts."""
    members = list(CampaignMember.objects.filter(campaign=campaign).select_related("person__merged_into"))
    ids = {row.person.root.pk for row in members}
    for group in Group.objects.filter(founding_key__startswith="filed:campaign:"):
        if {row.person.root.pk for row in group.members.select_related("person__merged_into")} == ids:
            break
    else:
        group = _create_group(f"filed:campaign:{campaign.pk}", campaign.name)
    for row in members:
        is_host = row.role == CampaignMember.Role.MASTER
        add_member(group, row.person, Member.Role.HOST if is_host else Member.Role.MEMBER)
    Campaign.objects.filter(pk=campaign.pk).update(group=group)


def _create_group(key: str, name: str) -> Group:
    group = Group.objects.filter(founding_key=key).first()
    zone = timezone.get_default_timezone_name()
    return group or Group.objects.create(name=name, zone=zone, log=log_services.create_log(KIND), founding_key=key)


def _file_result(result: Result) -> None:
    """In the one group of all its players, or among the games of whoever saved it, seen by its players only."""
    people = [seat.person.root for seat in result.places.select_related("person__merged_into") if seat.person]
    group = common_group(people) or _group_of_keeper(result.keeper.root, people)
    file_result_in(group, result, ensure_night(group, day_of(result.at, group.tzinfo)))


def _file_standalone_battle(battle: Battle) -> None:
    """As a card game: in the group of its people, or among the games of whoever made it."""
    people = people_of_battle(battle)
    if people:
        keeper = battle.made_by.root if battle.made_by else people[0]
        group = common_group(people) or _group_of_keeper(keeper, people)
        file_battle_in(group, battle, ensure_night(group, battle.played_on))


def _group_of_keeper(keeper: Person, people: Iterable[Person]) -> Group:
    group = _create_group(f"filed:person:{keeper.pk}", f"Games of {shorten_name(keeper.name)}")
    add_member(group, keeper, Member.Role.HOST)
    for person in people:
        add_member(group, person, Member.Role.GUEST)
    return group


def ensure_night(group: Group, day: dt.date) -> Night:
    """The night of this day, or a closed one for the games that were played then."""
    night = night_on(group, day)
    if night is not None:
        return night
    host = group.members.filter(role=Member.Role.HOST).select_related("person__merged_into").first()
    start, end = dt.datetime.combine(day, EVENING, tzinfo=group.tzinfo), end_of_day(day, group.tzinfo)
    person = host.person.root if host else Person.objects.filter(group_memberships__group=group).order_by("pk")[0].root
    return Night.objects.create(group=group, day=day, starts_at=start, ends_at=end, closed_at=end, host=person)


def _add_players_to_nights() -> None:
    """Whoever played in a filed night was there."""
    rows = PlayPlayer.objects.filter(play__night__closed_at__isnull=False, person__isnull=False)
    for night, start, end, person, root in rows.values_list(
        "play__night_id", "play__night__starts_at", "play__night__ends_at", "person_id", "person__merged_into_id"
    ):
        Attendance.objects.get_or_create(
            night_id=night, person_id=root or person, defaults={"answer": "yes", "here_at": start, "left_at": end}
        )
