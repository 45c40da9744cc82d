"""Notices a person chose: by e-mail or to an address of their own, sent once, by jobs."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from django.core import mail
from django.utils import timezone

from gamenights.models import NoticeChoice, PersonalNotice
from gamenights.nights import services as nights_services
from gamenights.nights.entries import GiveAnswer, PlanNight
from gamenights.notices import occasions, services
from gamenights.notices.models import Topic
from gamenights.notices.notice_formats import is_signed
from jobs.models import Due, Job
from jobs.registry import JobContext
from people import privacy
from people.requester import Who
from refusal import Refusal
from tests.gamenights.notices.test_webhooks import receiver  # noqa: F401
from tests.musters.sample_war import scene

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail_server(settings):
    settings.EMAIL_HOST = "mail.example.org"


def choose(person, *topics, by_mail=True, url=""):
    person.account.email = f"{person.name.lower()}@example.org"
    person.account.save()
    return services.choose_notices(Who.of(person), services.ChooseNotices(tuple(topics or Topic.values), by_mail, url))


def run_jobs():
    for job in Job.objects.open().filter(kind=services.PERSONAL.name):
        job.result = dict(services.send_notice(JobContext(job.args, lambda *_: None, Path())).facts)
        job.state = "done"
        job.save()
        services.PERSONAL.record_attempt(job)


def titles(person) -> list[str]:
    return list(PersonalNotice.objects.filter(person=person).order_by("pk").values_list("title", flat=True))


def test_members_are_notified_of_a_night_the_day_before_and_of_its_recap(group, master, player, other_player):
    choose(player)
    choose(other_player, Topic.RECAP)
    start = timezone.now() + dt.timedelta(hours=30)
    night = nights_services.plan_night(
        group, Who.of(master), "night-for-notices", PlanNight(dates=(start,), title="Candle")
    )
    for _ in range(2):
        occasions.remind_of_coming_nights(timezone.now())
    assert len(titles(player)) == 2  # planned, and tomorrow
    assert titles(other_player) == []
    nights_services.check_in(night, Who.of(player), key="player-comes-in")
    night.starts_at = timezone.now() - dt.timedelta(hours=1)
    night.save()
    nights_services.close_night(night, Who.of(master), key="close-this-night")
    assert titles(player)[-1] == "Recap: Candle"
    assert titles(other_player) == []  # was not there
    run_jobs()
    assert len(mail.outbox) == 3
    assert mail.outbox[0].to == ["tam@example.org"]
    assert any(f"/nights/{night.code}/recap/" in one.body for one in mail.outbox)


def test_people_who_declined_are_not_reminded(group, master, player):
    choose(player)
    start = timezone.now() + dt.timedelta(hours=30)
    night = nights_services.plan_night(group, Who.of(master), "night-for-notices", PlanNight(dates=(start,)))
    nights_services.answer_invitation(night, Who.of(player), "player-declines", GiveAnswer("no"))
    occasions.remind_of_coming_nights(timezone.now())
    assert len(titles(player)) == 1


def test_waiting_home_item_is_notified_once(make_person):
    war = scene(make_person)
    choice = choose(war.oak, Topic.MUSTER)
    for _ in range(2):
        occasions.notify_of_waiting_items(choice)
    assert len(titles(war.oak)) == 1
    assert PersonalNotice.objects.get().topic == Topic.MUSTER


def test_winner_of_a_roll_off_is_notified(make_person):
    war = scene(make_person)
    war.do("battle_called_off", {"battle": war.battle})
    choose(war.oak)
    throws = [{"kingdom": "k1", "roll": 9}, {"kingdom": "k2", "roll": 2}]
    war.do("roll_off", {"throws": throws, "winner": "k1"})
    assert titles(war.oak) == ["The War of the Hedges: you won the roll-off"]


def test_own_webhook_gets_a_signed_notice(master, receiver, settings):  # noqa: F811
    settings.PRIVATE_WEBHOOKS = True
    url = f"http://127.0.0.1:{receiver.server_port}/me"
    choice = services.choose_notices(Who.of(master), services.ChooseNotices((), False, url))
    services.send_test(Who.of(master))
    run_jobs()
    [(headers, body)] = receiver.received
    assert is_signed(body, choice.secret, headers["X-Mice-Signature"])
    assert json.loads(body)["embeds"][0]["description"] == "Your notices arrive here."
    assert PersonalNotice.objects.get().state == "delivered"


def test_failed_notice_is_tried_again_later(master, receiver, settings):  # noqa: F811
    settings.PRIVATE_WEBHOOKS = True
    receiver.status = 500
    services.choose_notices(
        Who.of(master), services.ChooseNotices((), False, f"http://127.0.0.1:{receiver.server_port}/me")
    )
    services.send_test(Who.of(master))
    run_jobs()
    row = PersonalNotice.objects.get()
    assert (row.state, row.attempts) == ("waiting", 1)
    due = Due.objects.get(kind=services.PERSONAL.name)
    receiver.status = 204
    services.PERSONAL.try_again(due)
    run_jobs()
    row.refresh_from_db()
    assert row.state == "delivered"


def test_mail_server_that_is_down_is_tried_again(player, settings, monkeypatch):
    choose(player)
    services.send_test(Who.of(player))
    monkeypatch.setattr(services, "send_mail", lambda *_: (_ for _ in ()).throw(ConnectionRefusedError()))
    run_jobs()
    assert PersonalNotice.objects.get().answer == "The mail server refused it: ConnectionRefusedError."
    assert Due.objects.filter(kind=services.PERSONAL.name).exists()


def test_nothing_is_sent_without_a_choice(group, master, player):
    start = timezone.now() + dt.timedelta(hours=30)
    nights_services.plan_night(group, Who.of(master), "night-for-notices", PlanNight(dates=(start,)))
    occasions.order_scan(Due(kind=occasions.SCAN_TIMER))
    assert not PersonalNotice.objects.exists()
    assert not Job.objects.filter(kind=occasions.SCAN_JOB).exists()


def test_page_saves_the_choice_and_refuses_what_cannot_work(master, settings):
    page = master.client.get("/me/notices/").text
    assert "Your muster is due" in page
    sent = {"topics": ["muster", "recap"], "url": "https://hooks.example.org/me"}
    assert master.client.post("/me/notices/", sent).status_code == 302
    choice = NoticeChoice.objects.get()
    assert (choice.topics, choice.by_mail) == (["muster", "recap"], False)
    assert master.client.post("/me/notices/", {"by_mail": "on"}).status_code == 422  # no address given
    assert master.client.post("/me/notices/", {"url": "ftp://example.org"}).status_code == 422
    assert master.client.post("/me/notices/", {"topics": ["everything"]}).status_code == 422
    NoticeChoice.objects.all().delete()
    with pytest.raises(Refusal):
        services.send_test(Who.of(master))


def test_my_data_has_notices_and_forget_me_deletes_them(player):
    choose(player, Topic.RECAP)
    services.send_test(Who.of(player))
    found = privacy.export_my_data(player)["notices"]
    assert found["chosen"][0]["topics"] == ["recap"]
    assert found["sent"][0]["title"] == "A test"
    privacy.forget_person(player, by=Who.of(player))
    assert not NoticeChoice.objects.exists()
    assert not PersonalNotice.objects.exists()
