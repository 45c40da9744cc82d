"""Webhooks: adding and removing them, and announcing what happens. Sending is done by jobs, never by a page."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from gamenights.nights.models import Night
from gamenights.notices.core.addresses import check_form
from gamenights.notices.core.notice_formats import SIGNATURE_HEADER, Notice, sign, write_json
from gamenights.notices.core.webhook_post import Delivery, next_delay, send
from gamenights.notices.models import Webhook, WebhookDelivery
from gamenights.notices.personal import occasions
from groups.models import Group
from groups.permissions import require_host
from jobs import services as jobs_services
from jobs import timers
from jobs.models import Due, Job
from jobs.registry import JobContext, Outcome
from log.services import new_key
from pages.site_address_for_guests import base_url
from people.requester import Who
from refusal import Refusal

SEND_JOB = "webhook"
RETRY_TIMER = "webhook"
MAX_WEBHOOKS = 10
KEEP_DELIVERIES = 100


def add_webhook(group: Group, who: Who, *, url: str) -> Webhook:
    """Only the form of the address is checked here; where it leads is checked each time something is sent."""
    require_host(group, who)
    check_form(url)
    if group.webhooks.count() >= MAX_WEBHOOKS:
        raise Refusal(f"A group has at most {MAX_WEBHOOKS} webhooks. Remove one first.", status=409)
    found, _ = Webhook.objects.get_or_create(group=group, url=url.strip(), defaults={"made_by": who.require_person()})
    return found


def remove_webhook(webhook: Webhook, who: Who) -> None:
    require_host(webhook.group, who)
    webhook.delete()


def send_test(webhook: Webhook, who: Who) -> None:
    require_host(webhook.group, who)
    text = f"Notices from {webhook.group.name} arrive here."
    url = base_url() + webhook.group.get_absolute_url()
    _queue(webhook, Notice(f"test-{new_key()}", "A test", text, timezone.now(), url))


def announce(group: Group, notice: Notice) -> None:
    """Tell every webhook of the group, once per key of the notice."""
    for webhook in group.webhooks.select_related("group"):
        _queue(webhook, notice)


def announce_night(night: Night) -> None:
    """A night with a date: planned, moved or fixed by a vote."""
    if night.starts_at is None:
        return
    start = night.starts_at.astimezone(night.group.tzinfo)
    when = f"{start:%A} {start.day} {start:%B}, {start:%H:%M}"
    fields = (("When", when), *((("Where", night.place),) if night.place else ()))
    text = night.plan or "Say whether you are coming."
    url = base_url() + night.get_absolute_url()
    notice = Notice(
        f"night-{night.pk}-{start:%Y%m%d%H%M}", f"{night.name} on {start:%A}", text, timezone.now(), url, fields
    )
    announce(night.group, notice)
    occasions.tell_of_night(night, notice)


def announce_end(night: Night, now: dt.datetime) -> None:
    """Its recap; or, for a night that was closed before it began, that it is called off."""
    url = base_url() + night.get_absolute_url()
    if night.starts_at and now < night.starts_at:
        text = "This night is cancelled."
        announce(night.group, Notice(f"off-{night.pk}-{new_key()}", f"Cancelled: {night.name}", text, now, url))
        return
    count = night.plays.filter(removed_at=None).count()
    text = f"{count} {'play' if count == 1 else 'plays'}. See who won."
    notice = Notice(f"recap-{night.pk}", f"Recap: {night.name}", text, now, f"{url}recap/")
    announce(night.group, notice)
    occasions.tell_of_recap(night, notice)


def _queue(webhook: Webhook, notice: Notice) -> None:
    with transaction.atomic():
        body = write_json(notice, webhook.group.name).decode()
        row, is_new = WebhookDelivery.objects.get_or_create(
            webhook=webhook, key=notice.key[:120], defaults={"title": notice.title[:300], "body": body}
        )
        if is_new:
            old = webhook.deliveries.exclude(state=WebhookDelivery.State.WAITING).values_list("pk", flat=True)
            webhook.deliveries.filter(pk__in=list(old[KEEP_DELIVERIES:])).delete()
            jobs_services.request_job(SEND_JOB, {"delivery": row.pk}, None)


# ── Sending ──────────────────────────────────────────────────────────────────────────────────────────────


def send_delivery(job: JobContext) -> Outcome:
    """The job: one attempt, in a process of its own."""
    row = WebhookDelivery.objects.select_related("webhook").filter(pk=job.args["delivery"]).first()
    if row is None:
        return Outcome({"gone": True})
    body = row.body.encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Mice-at-Arms",
        SIGNATURE_HEADER: sign(body, row.webhook.secret, timezone.now()),
    }
    found = send(row.webhook.url, body, headers, allow_private=settings.PRIVATE_WEBHOOKS)
    return Outcome(
        {
            "delivered": found.is_delivered,
            "sentence": found.sentence,
            "status": found.status,
            "can_retry": found.can_retry,
            "retry_after": found.retry_after,
        }
    )


def record_attempt(job: Job) -> None:
    """After the job: write down how it ended, and set the time for another attempt."""
    row = WebhookDelivery.objects.filter(pk=job.args["delivery"]).first()
    facts = job.result
    if row is None or facts.get("gone"):
        return
    found = Delivery(
        facts["delivered"],
        facts["sentence"],
        facts["status"],
        can_retry=facts["can_retry"],
        retry_after=facts["retry_after"],
    )
    row.attempts += 1
    row.tried_at = timezone.now()
    row.answer = found.sentence[:300]
    delay = next_delay(row.attempts, found)
    if found.is_delivered:
        row.state = WebhookDelivery.State.DELIVERED
    elif delay is None:
        row.state = WebhookDelivery.State.FAILED
    else:
        timers.set_timer(RETRY_TIMER, row.pk, timezone.now() + dt.timedelta(seconds=delay))
    row.save()


def try_again(due: Due) -> None:
    if WebhookDelivery.objects.filter(pk=due.ref, state=WebhookDelivery.State.WAITING).exists():
        jobs_services.request_job(SEND_JOB, {"delivery": int(due.ref)}, None)
