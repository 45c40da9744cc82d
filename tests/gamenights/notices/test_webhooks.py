"""Webhooks of a group: queued with the act, sent by a job, tried again, and never in the way of a page."""

from __future__ import annotations

import datetime as dt
import http.server
import json
import re
import threading
from pathlib import Path

import pytest
from django.utils import timezone

from gamenights.models import Webhook, WebhookDelivery
from gamenights.nights import services as nights_services
from gamenights.nights.entries import ChangeNight, PlanNight
from gamenights.notices import services
from gamenights.notices.notice_formats import is_signed
from jobs.models import Due, Job
from jobs.registry import JobContext
from people.requester import Who
from refusal import Refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver():
    """A real server on this machine. ``receiver.status`` is what it answers."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            self.server.received.append((dict(self.headers), body))
            self.send_response(self.server.status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.received, server.status = [], 204
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def webhook(group, master, receiver, settings):
    settings.PRIVATE_WEBHOOKS = True
    return services.add_webhook(
        group, Who.of(master), services.AddWebhook(f"http://127.0.0.1:{receiver.server_port}/hook")
    )


def run_jobs():
    """What a worker does: the work in its own process, then what follows it."""
    for job in Job.objects.open().filter(kind=services.DELIVERIES.name):
        job.result = dict(services.send_delivery(JobContext(job.args, lambda *_: None, Path())).facts)
        job.state = "done"
        job.save()
        services.DELIVERIES.record_attempt(job)


def test_a_planned_night_is_announced_and_signed(group, master, webhook, receiver):
    start = timezone.now() + dt.timedelta(days=3)
    nights_services.plan_night(
        group, Who.of(master), "a-night-to-announce", PlanNight(dates=(start,), title="Long Candle")
    )
    assert receiver.received == []  # not by the page
    run_jobs()
    ((headers, body),) = receiver.received
    assert json.loads(body)["embeds"][0]["title"].startswith("Long Candle on ")
    assert is_signed(body, webhook.secret, headers["X-Mice-Signature"])
    row = WebhookDelivery.objects.get()
    assert (row.state, row.attempts, row.answer) == ("delivered", 1, "Delivered.")


def test_the_same_date_is_announced_once_a_moved_one_again(group, master, webhook, coming):
    change = {"title": "Long Candle", "place": "Mill", "plan": ""}
    nights_services.change_night(coming, Who.of(master), "only-the-place", ChangeNight(starts_at=None, **change))
    assert WebhookDelivery.objects.count() == 1
    later = coming.starts_at + dt.timedelta(days=1)
    nights_services.change_night(coming, Who.of(master), "another-day-then", ChangeNight(starts_at=later, **change))
    assert WebhookDelivery.objects.count() == 2
    nights_services.close_night(coming, Who.of(master), key="called-off-then")
    assert WebhookDelivery.objects.first().title == "Cancelled: Long Candle"


def test_a_failing_receiver_is_tried_again_and_then_given_up(webhook, master, receiver):
    receiver.status = 500
    services.send_webhook_test(webhook, Who.of(master))
    run_jobs()
    row = WebhookDelivery.objects.get()
    assert (row.state, row.attempts, row.answer) == ("waiting", 1, "The receiver answered 500.")
    for attempt in range(2, 7):
        due = Due.objects.get(kind=services.DELIVERIES.name, ref=str(row.pk))
        due.delete()
        services.DELIVERIES.try_again(due)
        run_jobs()
        row.refresh_from_db()
        assert row.attempts == attempt
    assert row.state == "failed"
    assert not Due.objects.filter(kind=services.DELIVERIES.name).exists()
    assert len(receiver.received) == 6


def test_a_private_address_is_not_reached_unless_the_owner_allows_it(webhook, master, receiver, settings):
    settings.PRIVATE_WEBHOOKS = False
    services.send_webhook_test(webhook, Who.of(master))
    run_jobs()
    row = WebhookDelivery.objects.get()
    assert row.state == "waiting", "tried again, as any name that is not found"
    assert "not found on the public internet" in row.answer
    assert receiver.received == []


def test_a_removed_webhook_is_not_sent_to(webhook, master, receiver):
    services.send_webhook_test(webhook, Who.of(master))
    services.remove_webhook(webhook, Who.of(master))
    run_jobs()
    assert receiver.received == []


def test_hosts_add_test_and_remove_on_the_page(group, master, player, receiver, settings):
    settings.PRIVATE_WEBHOOKS = True
    page = f"/groups/{group.code}/webhooks/"
    assert player.client.get(page).status_code == 403
    assert master.client.post(page, {"url": "ftp://x.example.org/", "key": "a-bad-address-1"}).status_code == 422
    good = {"url": f"http://127.0.0.1:{receiver.server_port}/", "key": "a-good-address"}
    assert master.client.post(page, good).status_code == 302
    webhook = Webhook.objects.get()
    assert master.client.post(page, {"act": "test", "webhook": webhook.pk}).status_code == 302
    run_jobs()
    assert len(receiver.received) == 1
    text = master.client.get(page).content.decode()
    assert "Delivered." in text
    assert master.client.post(page, {"act": "remove", "webhook": webhook.pk}).status_code == 302
    assert not Webhook.objects.exists()


def test_form_of_the_page_can_be_sent_as_it_is(group, master):
    """The page issues the key that its form needs."""
    page = master.client.get(f"/groups/{group.code}/webhooks/").text
    key = re.search(r'name="key" value="([^"]+)"', page)[1]
    sent = {"key": key, "url": "https://hooks.example.org/night"}
    assert master.client.post(f"/groups/{group.code}/webhooks/", sent).status_code == 302
    assert Webhook.objects.get().url == sent["url"]


def test_a_group_has_at_most_ten(group, master):
    for number in range(10):
        services.add_webhook(group, Who.of(master), services.AddWebhook(f"https://x.example.org/{number}"))
    with pytest.raises(Refusal, match="at most 10"):
        services.add_webhook(group, Who.of(master), services.AddWebhook("https://x.example.org/more"))
