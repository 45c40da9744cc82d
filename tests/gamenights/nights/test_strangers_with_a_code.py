"""A night's code in the hands of a stranger: until they check in, it shows who, when and the way in, and no more."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from cardgames.models import PRIVATE_CODE
from gamenights.models import Attendance, Night, Play
from gamenights.nights import services
from gamenights.nights.entries import AddBringItem, PlanNight
from groups import services as groups_services
from groups.entries import FoundGroup
from groups.models import Group
from people.models import LogIn, Person
from people.requester import Who
from tests.api_client import Api
from tests.gamenights.plays.sample_plays import log_sample_play

pytestmark = pytest.mark.django_db
SECRETS = ("7 Sorrel Lane", "key is under the pot", "Elderberry wine", "Cascadia")


@pytest.fixture
def night(group, master, player):
    """Tonight, with an address, a plan, something to bring and a play."""
    who = Who.of(master)
    night = services.plan_night(
        group, who, "a-private-evening", PlanNight(dates=(timezone.now(),), place=SECRETS[0], plan=f"The {SECRETS[1]}.")
    )
    services.add_bring_item(night, who, "what-to-bring", AddBringItem(what=SECRETS[2]))
    log_sample_play(group, who, [(master, "31"), (player, "27")], night=night)
    return night


PAGES = ["", "part/", "recap/", "recap.png", "calendar.ics", "tv/", "tv/?show=results", "tv/?show=recap", "tv/part/"]


@pytest.mark.parametrize("page", PAGES)
def test_pages_tell_a_stranger_nothing(night, master, page):
    at = night.get_absolute_url() + page
    answer = Client().get(at, follow=True)
    assert answer.status_code in (200, 403)
    told = answer.content.decode(errors="replace")
    assert not [secret for secret in SECRETS if secret in told]
    assert master.client.get(at, follow=True).status_code == 200


@pytest.mark.parametrize("part", ["", "recap/", "votes/"])
def test_api_tells_a_stranger_nothing(night, part):
    answer = Api().get(f"nights/{night.code}/{part}")
    assert answer.status_code == (403 if part else 200)
    assert not [secret for secret in SECRETS if secret in answer.text]


def test_recap_cannot_be_printed_by_a_stranger(night):
    assert Client().get(f"/print/of/night/{night.code}/").status_code == 404


def test_whoever_checks_in_sees_the_evening(night):
    phone = Client()
    assert "you see where it is" in phone.get(night.get_absolute_url()).text
    phone.post(night.get_absolute_url() + "here/", {"name": "Bryony", "key": "bryony-is-here"})
    page = phone.get(night.get_absolute_url()).text
    assert all(secret in page for secret in SECRETS)


def test_night_of_a_public_group_is_public(night, group):
    Group.objects.filter(pk=group.pk).update(visibility=Group.Visibility.PUBLIC)
    page = Client().get(night.get_absolute_url()).text
    assert all(secret in page for secret in SECRETS)


def test_guest_by_code_changes_only_plays_they_are_in(night, group, master):
    phone = Client()
    phone.post(night.get_absolute_url() + "here/", {"name": "Bryony", "key": "bryony-is-here"})
    play = Play.objects.get()
    assert phone.get(play.get_absolute_url()).status_code == 200
    removed = phone.post(play.get_absolute_url() + "run/", {"act": "remove", "key": "remove-the-play"})
    assert removed.status_code == 403
    assert phone.post(play.get_absolute_url() + "change/", {"key": "change-the-play"}).status_code == 403
    play.refresh_from_db()
    assert play.removed_at is None
    bryony = Person.objects.get(name="Bryony")
    own = log_sample_play(group, Who.of(master), [(master, "1"), (bryony, "2")], night=night, key="with-bryony")
    phone.post(own.get_absolute_url() + "run/", {"act": "remove", "key": "remove-our-play"})
    own.refresh_from_db()
    assert own.removed_at is not None


def test_codes_of_private_nights_are_long_and_read_out_in_halves(night, master):
    assert len(night.code) == PRIVATE_CODE
    assert f"{night.code[:4]}-{night.code[4:]}" in master.client.get(night.get_absolute_url()).text
    typed = Client().post("/n/", {"code": night.spoken_code.lower()})
    assert typed.url == night.get_absolute_url()
    public = groups_services.found_group(Who.of(master), "a-public-group", FoundGroup(name="The Open Door"))
    Group.objects.filter(pk=public.pk).update(visibility=Group.Visibility.PUBLIC)
    public.refresh_from_db()
    assert len(services.start_tonight(public, Who.of(master), key="tonight-at-the-door").code) == 4


def test_typing_the_code_of_a_night_that_is_over_tells_nothing(night, master):
    long_ago = timezone.now() - dt.timedelta(days=3)
    Night.objects.update(closed_at=long_ago, ends_at=long_ago)
    assert Client().post("/n/", {"code": night.code}).status_code == 404
    assert master.client.post("/n/", {"code": night.code}).status_code == 302


@pytest.mark.parametrize("way", ["page", "api"])
def test_refused_check_in_makes_no_guest(night, master, way):
    services.close_night(night, Who.of(master), key="close-the-night")
    people, log_ins = Person.objects.count(), LogIn.objects.count()
    sent = {"name": "Bryony", "key": "bryony-is-late"}
    if way == "page":
        refused = Client().post(night.get_absolute_url() + "here/", sent)
    else:
        phone = Api(Api().done("log-in/", {"scopes": ["read", "play"]})["token"])
        refused = phone.post(f"nights/{night.code}/here/", sent)
    assert refused.status_code == 409
    assert (Person.objects.count(), LogIn.objects.count()) == (people, log_ins)
    assert not Attendance.objects.filter(person__name="Bryony").exists()


def test_votes_on_dates_by_api_ask_is_that_you(group, master):
    starts = [timezone.now() + dt.timedelta(days=days) for days in (3, 4)]
    night = services.plan_night(group, Who.of(master), "two-dates-to-choose", PlanNight(dates=tuple(starts)))
    groups_services.add_member(group, Person.objects.create(name="Bryony", keeper=master))
    phone = Api(Api().done("log-in/", {"scopes": ["read", "play"]})["token"])
    answers = [{"id": night.date_options.first().pk, "answer": "yes"}]
    sent = {"key": "bryony-votes", "answers": answers, "name": "Bryony"}
    asked = phone.put(f"nights/{night.code}/dates/", sent)
    assert (asked.status_code, asked.json()["field"]) == (409, "known")
    done = phone.put(f"nights/{night.code}/dates/", {**sent, "known": "nobody"})
    assert done.json()["dates"][0]["yes"] == ["Bryony"]
