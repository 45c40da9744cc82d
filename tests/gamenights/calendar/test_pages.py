"""A night as a file, and a group's calendar and feed for programs that cannot log in."""

from __future__ import annotations

import datetime as dt
import re
from xml.etree import ElementTree as xml

import pytest
from icalendar import Calendar

from gamenights.nights import services as nights_services
from gamenights.nights.calendar_feeds import make_token
from gamenights.nights.entries import ChangeNight
from gamenights.plays import services as plays_services
from gamenights.plays.values import PlayerResult, PlayFacts
from people.models import Person
from people.requester import Who

pytestmark = pytest.mark.django_db


def events(response):
    assert response.status_code == 200
    return {str(event["uid"]).partition("@")[0]: event for event in Calendar.from_ical(response.content).walk("VEVENT")}


def test_everyone_with_the_code_gets_the_night_as_a_file(client, coming):
    response = client.get(f"/nights/{coming.code}/calendar.ics")
    (event,) = events(response).values()
    assert event["summary"] == "Long Candle"
    assert event["dtstart"].dt == coming.starts_at.replace(microsecond=0)
    assert response["Content-Type"].startswith("text/calendar")
    assert "attachment" in response["Content-Disposition"]


def test_a_member_subscribes_without_a_log_in_until_they_leave(client, group, coming, player):
    page = player.client.get(f"/groups/{group.code}/calendar/").content.decode()
    token = re.search(r"/groups/calendar/([^/\s\"]+)\.ics", page)[1]
    assert f"night-{coming.pk}" in events(client.get(f"/groups/calendar/{token}.ics"))
    group.members.filter(person=player).delete()
    assert client.get(f"/groups/calendar/{token}.ics").status_code == 404
    assert client.get(f"/groups/calendar/{token[:-1]}x.ics").status_code == 404
    assert client.get("/groups/calendar/none.ics").status_code == 404


def test_address_of_a_guest_ends_when_they_are_handed_over(client, group, master, player):
    guest = Person.objects.create(name="Pip", keeper=master)
    group.members.create(person=guest, role="member")
    url = f"/groups/calendar/{make_token(group, guest)}.ics"
    assert client.get(url).status_code == 200
    Person.objects.filter(pk=guest.pk).update(keeper=player)
    assert client.get(url).status_code == 404


def test_changes_and_cancellation_reach_the_calendar(client, group, coming, master, player):
    url = f"/groups/calendar/{make_token(group, player)}.ics"
    before = events(client.get(url))[f"night-{coming.pk}"]
    later = coming.starts_at + dt.timedelta(hours=2)
    nights_services.change_night(
        coming,
        Who.of(master),
        "two-hours-later",
        ChangeNight(title="Longer Candle", place="Mill", plan="", starts_at=later),
    )
    after = events(client.get(url))[f"night-{coming.pk}"]
    assert after["sequence"] > before["sequence"]
    assert after["dtstart"].dt == later.replace(microsecond=0)
    assert after["location"] == "Mill"
    coming.refresh_from_db()
    nights_services.close_night(coming, Who.of(master), key="called-off-again")
    cancelled = events(client.get(url))[f"night-{coming.pk}"]
    assert cancelled["status"] == "CANCELLED"
    assert cancelled["sequence"] > after["sequence"]


def test_feed_lists_nights_and_results(client, group, coming, master, player):
    game = plays_services.find_or_add_game(group, "Azul")
    players = (
        PlayerResult(str(master.pk), master.name, score_text="9"),
        PlayerResult(str(player.pk), player.name, score_text="3"),
    )
    facts = PlayFacts("a-play-of-the-feed", str(game.pk), "Azul", dt.date(2026, 3, 5), players)
    plays_services.log_play(group, Who.of(master), key="a-play-of-the-feed", facts=facts)
    response = client.get(f"/groups/calendar/{make_token(group, player)}.atom")
    names = {"a": "http://www.w3.org/2005/Atom"}
    titles = [one.text for one in xml.fromstring(response.content).findall("a:entry/a:title", names)]
    assert sorted(titles) == ["Azul", "Long Candle"]
    assert f"{master.name} won with 9" in response.content.decode()
