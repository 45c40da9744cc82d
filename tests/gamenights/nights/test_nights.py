"""The night as a room: code, answers, check-in, co-hosts, dates, its end."""

from __future__ import annotations

import datetime as dt
from html import unescape
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from cardgames.models import Table
from gamenights.models import Attendance, DateOption, Night, Play
from gamenights.nights import services
from gamenights.nights.entries import PlanNight
from gamenights.plays.selectors import load_facts
from gamenights.plays.values import day_of, end_of_day
from gamenights.standings.selectors import get_summary
from groups import services as groups_services
from groups.entries import FoundGroup
from groups.models import Member
from people.models import Person
from people.requester import Who
from tests.gamenights.plays.sample_plays import log_sample_play

pytestmark = pytest.mark.django_db
BERLIN = ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize(
    ("hour", "day"), [(4, dt.date(2026, 5, 13)), (5, dt.date(2026, 5, 14)), (23, dt.date(2026, 5, 14))]
)
def test_a_day_ends_at_five_in_the_groups_zone(hour, day):
    assert day_of(dt.datetime(2026, 5, 14, hour, 30, tzinfo=BERLIN), BERLIN) == day


def test_the_end_is_five_oclock_also_when_clocks_change():
    assert end_of_day(dt.date(2026, 3, 28), BERLIN).isoformat() == "2026-03-29T05:00:00+02:00"


def test_planning_by_the_form(group, master):
    tomorrow = (timezone.now() + dt.timedelta(days=1)).strftime("%Y-%m-%dT19:30")
    data = {
        "key": "plan-a-new-night",
        "title": "Long Candle",
        "starts_at": tomorrow,
        "place": "At Wren's",
        "plan": "Cascadia",
    }
    answer = master.client.post(f"/groups/{group.code}/nights/plan/", data)
    night = Night.objects.get()
    assert answer.url == night.get_absolute_url()
    assert night.starts_at.astimezone(BERLIN).hour == 19
    page = master.client.get(answer.url).text
    assert night.code in page
    assert "At Wren's" in unescape(page)


def test_a_night_without_a_date_is_refused_at_the_field(group, master):
    answer = master.client.post(f"/groups/{group.code}/nights/plan/", {"key": "plan-a-new-night"})
    assert answer.status_code == 422
    assert "Enter when it starts." in answer.text


def test_answer_by_link_without_an_account(coming):
    phone = Client()
    assert "I am coming" in phone.get(coming.get_absolute_url()).text
    phone.post(coming.get_absolute_url() + "answer/", {"name": "Bryony", "answer": "yes", "key": "bryony-answers"})
    row = Attendance.objects.get(person__name="Bryony")
    assert row.answer == "yes"
    assert row.here_at is None
    assert "Bryony" in phone.get(coming.get_absolute_url()).text
    assert Member.objects.get(person=row.person).role == "guest"


def test_check_in_by_code_from_the_page_for_codes(night):
    phone = Client()
    answer = phone.post("/n/", {"code": night.code.lower()})
    assert answer.url == night.get_absolute_url()
    phone.post(night.get_absolute_url() + "here/", {"name": "Hazel", "key": "hazel-is-here"})
    assert Attendance.objects.get(person__name="Hazel").is_here


def test_table_code_page_accepts_codes_of_nights_too(night):
    assert Client().post("/tables/join/", {"code": night.code}).url == night.get_absolute_url()


def test_wrong_code_shows_an_error_at_the_field():
    answer = Client().post("/n/", {"code": "AEIO"})
    assert answer.status_code == 404
    assert "Nothing has this code." in answer.text


def test_one_tap_opens_a_table_and_one_tap_sits_down(night, master, player):
    opened = player.client.post(night.get_absolute_url() + "start-table/", {"key": "open-a-table", "game": "monarchs"})
    table = Table.objects.get()
    assert opened.url == table.get_absolute_url()
    assert f"Sit down at table {table.code}" in master.client.get(night.get_absolute_url()).text
    master.client.post(f"/tables/{table.code}/sit/", {"key": "wren-sits-down", "seat": "1"})
    assert f"table {table.code}" in master.client.get(night.get_absolute_url()).text
    # It stays on the night's page while it is played.
    player.client.post(f"/tables/{table.code}/run/", {"key": "begin-the-game", "act": "begin", "level": "greedy"})
    table.refresh_from_db()
    assert table.state == Table.State.PLAY
    for person in (player, master):
        assert f"table {table.code}" in person.client.get(night.get_absolute_url()).text


def test_table_has_a_seat_for_everybody_here_without_one(night, master, player, other_player):
    for person in (player, other_player):
        services.check_in(night, Who.of(person), key=f"here-is-{person.name}")
    table = services.open_table(night, Who.of(player), key="a-table-for-three", game="monarchs")
    assert table.seat_set.count() == 3
    for number, person in enumerate((player, other_player)):
        person.client.post(f"/tables/{table.code}/sit/", {"key": f"seat-{number}-please", "seat": number})
    assert services.open_table(night, Who.of(master), key="a-second-table", game="monarchs").seat_set.count() == 2
    assert services.open_table(night, Who.of(master), key="a-third-table-now", game="menagerie").seat_set.count() == 4


def test_known_name_is_asked_about_and_a_host_confirms_it(night, group, master):
    first = Client()
    first.post(night.get_absolute_url() + "here/", {"name": "Bryony", "key": "bryony-is-here"})
    second = Client()
    asked = second.post(night.get_absolute_url() + "here/", {"name": "bryony", "key": "bryony-again"})
    assert "Is that you?" in asked.text
    known = Person.objects.get(name="Bryony")
    second.post(night.get_absolute_url() + "here/", {"name": "bryony", "key": "bryony-again", "known": known.code})
    newcomer = Person.objects.get(name="bryony")
    assert newcomer.merged_into is None
    known.refresh_from_db()
    assert known.merged_into is None
    row = Attendance.objects.get(person=newcomer)
    assert "Confirm: same person" in master.client.get(night.get_absolute_url()).text
    master.client.post(
        night.get_absolute_url() + "run/", {"key": "yes-the-same", "act": "confirm", "attendance": row.pk}
    )
    known.refresh_from_db()
    assert known.merged_into == newcomer


def come_in(night, name, key, **more):
    phone = Client()
    answer = phone.post(night.get_absolute_url() + "here/", {"name": name, "key": key, **more})
    return phone, answer


def test_a_host_confirms_denies_and_splits_again_with_history(group, master, player, make_person):
    """Line by line: asked with the day, the host decides, plays follow, and all of it can be undone."""
    before = services.plan_night(
        group, Who.of(master), "ten-november-night", PlanNight(dates=(dt.datetime(2025, 11, 10, 19, tzinfo=BERLIN),))
    )
    known = make_person("Bryony", account=False, keeper=player)
    services.set_attendance(before, known, here_at=before.starts_at, left_at=before.starts_at)
    old_play = log_sample_play(group, Who.of(master), [(known, "12"), (master, "9")], key="an-old-play")
    night = services.start_tonight(group, Who.of(master), key="tonight-then")
    phone, asked = come_in(night, "Bryony", "bryony-is-here")
    assert "of 10 November" in asked.text
    assert not Attendance.objects.filter(night=night, person__name="Bryony").exists()  # nothing before the answer
    phone.post(night.get_absolute_url() + "here/", {"name": "Bryony", "key": "bryony-2", "known": known.code})
    row = Attendance.objects.get(night=night, claims=known)
    play = log_sample_play(group, Who.of(master), [(row.person, "8"), (master, "9")], key="a-play-of-tonight")
    run = night.get_absolute_url() + "run/"
    assert phone.post(run, {"key": "let-me-be-her", "act": "confirm", "attendance": row.pk}).status_code == 403
    assert {one.person for one in get_summary(group).board} == {str(pk) for pk in (known.pk, row.person_id, master.pk)}

    master.client.post(run, {"key": "yes-that-is-her", "act": "confirm", "attendance": row.pk})
    plays = {one.person: one.plays for one in get_summary(group).board}
    assert plays == {str(row.person_id): 2, str(master.pk): 2}
    assert "Separate them again" in master.client.get(night.get_absolute_url()).text
    assert phone.get(night.get_absolute_url()).text.count("Are you here?") == 0  # her phone stays logged in

    assert phone.post(run, {"key": "i-am-not-her-2", "act": "split", "attendance": row.pk}).status_code == 403
    assert master.client.post(run, {"key": "two-after-all", "act": "split", "attendance": row.pk}).status_code == 302
    assert {one.person: one.plays for one in get_summary(group).board} == {
        str(known.pk): 1, str(row.person_id): 1, str(master.pk): 2,
    }  # fmt: skip
    assert load_facts(Play.objects.filter(pk=old_play.pk))[0].people[0].person == str(known.pk)
    assert load_facts(Play.objects.filter(pk=play.pk))[0].people[0].person == str(row.person_id)
    again = master.client.post(run, {"key": "two-after-all-2", "act": "split", "attendance": row.pk})
    assert again.status_code == 409
    acts = set(group.log.entries.values_list("act", flat=True))
    assert acts >= {"night_claimed", "night_claim_answered", "night_claim_undone"}


def test_a_claim_that_the_host_denies_leaves_two_people(night, master):
    come_in(night, "Bryony", "bryony-is-here")
    known = Person.objects.get(name="Bryony")
    come_in(night, "Bryony", "bryony-again-1", known=known.code)
    row = Attendance.objects.get(claims=known)
    run = night.get_absolute_url() + "run/"
    master.client.post(run, {"key": "no-not-the-same", "act": "deny", "attendance": row.pk})
    assert Person.objects.filter(name="Bryony", merged_into=None).count() == 2
    again = master.client.post(run, {"key": "no-not-the-same-2", "act": "confirm", "attendance": row.pk})
    assert again.status_code == 409


def test_a_name_with_an_account_is_never_offered(night, player):
    _, answer = come_in(night, player.name, "tam-without-a-log-in")
    assert answer.status_code == 302
    assert Person.objects.filter(name=player.name, merged_into=None).count() == 2


def test_the_same_phone_is_the_same_person_with_another_host(night, make_person):
    phone, _ = come_in(night, "Bryony", "bryony-is-here")
    host = make_person("Another Host", account=True)
    elsewhere = groups_services.found_group(Who.of(host), "a-group-elsewhere", FoundGroup(name="Elsewhere"))
    other = services.start_tonight(elsewhere, Who.of(host), key="tonight-elsewhere")
    phone.post(other.get_absolute_url() + "here/", {"key": "bryony-elsewhere"})
    assert Person.objects.filter(name="Bryony").count() == 1
    assert Attendance.objects.filter(person__name="Bryony", here_at__isnull=False).count() == 2


def test_a_namesake_who_says_no_stays_someone_else(night):
    Client().post(night.get_absolute_url() + "here/", {"name": "Bryony", "key": "bryony-is-here"})
    Client().post(night.get_absolute_url() + "here/", {"name": "Bryony", "key": "bryony-again", "known": "nobody"})
    assert Person.objects.filter(name="Bryony", merged_into=None).count() == 2
    assert not Attendance.objects.exclude(claims=None).exists()


def test_co_host_closes_the_night_and_others_cannot(night, master, player):
    assert (
        player.client.post(night.get_absolute_url() + "run/", {"key": "close-it-now", "act": "close"}).status_code
        == 403
    )
    master.client.post(
        night.get_absolute_url() + "run/", {"key": "tam-is-co-host", "act": "co_host", "person": player.pk}
    )
    player.client.post(night.get_absolute_url() + "run/", {"key": "close-it-now-2", "act": "close"})
    night.refresh_from_db()
    assert night.is_over()
    assert not Attendance.objects.filter(left_at=None, here_at__isnull=False).exists()


def test_handing_over_makes_another_host(night, master, player):
    master.client.post(
        night.get_absolute_url() + "run/", {"key": "tam-is-host", "act": "hand_over", "person": player.pk}
    )
    night.refresh_from_db()
    assert night.host == player
    assert Attendance.objects.get(person=master).co_host


def test_a_night_is_over_after_its_five_oclock(night):
    assert not night.is_over(night.ends_at - dt.timedelta(minutes=1))
    assert night.is_over(night.ends_at)


def test_voting_on_dates_and_choosing_one(group, master, player):
    soon = [timezone.now() + dt.timedelta(days=days) for days in (5, 6)]
    night = services.plan_night(group, Who.of(master), "which-day-is-it", PlanNight(dates=tuple(soon)))
    first, second = DateOption.objects.all()
    player.client.post(
        night.get_absolute_url() + "dates/",
        {"key": "tam-votes-now", f"date-{first.pk}": "no", f"date-{second.pk}": "yes"},
    )
    assert "most votes" in master.client.get(night.get_absolute_url()).text
    refused = player.client.post(night.get_absolute_url() + "dates/", {"key": "tam-fixes-it", "choose": second.pk})
    assert refused.status_code == 403
    master.client.post(night.get_absolute_url() + "dates/", {"key": "wren-fixes-it", "choose": second.pk})
    night.refresh_from_db()
    assert night.starts_at == second.starts_at
    assert Attendance.objects.get(person=player).answer == "yes"


def test_things_to_bring(coming, master, player):
    player.client.post(coming.get_absolute_url() + "bring/", {"key": "cheese-please", "act": "add", "what": "Cheese"})
    item = coming.bring_items.get()
    player.client.post(coming.get_absolute_url() + "bring/", {"key": "i-bring-cheese", "act": "take", "item": item.pk})
    item.refresh_from_db()
    assert item.person == player
    page = master.client.get(coming.get_absolute_url()).text
    assert "Cheese" in page
    answer = master.client.post(
        coming.get_absolute_url() + "bring/", {"key": "nothing-please", "act": "add", "what": " "}
    )
    assert answer.status_code == 422


def test_a_stranger_sees_a_night_by_its_code_only_while_it_lasts(night, stranger):
    assert stranger.client.get(night.get_absolute_url()).status_code == 200
    Night.objects.update(closed_at=timezone.now() - dt.timedelta(days=2))
    assert stranger.client.get(night.get_absolute_url()).status_code == 404


def test_starting_tonight_twice_is_one_night(night, group, master, player):
    again = services.start_tonight(group, Who.of(player), key="tonight-again-then")
    assert again == night
    assert Attendance.objects.filter(here_at__isnull=False).count() == 2
