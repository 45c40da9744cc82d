"""Writes of notices: webhooks of a group, what a person chose, and sending, which jobs do: no page waits for it."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Annotated, Any

from django.conf import settings
from django.core.mail import send_mail
from django.db import models, transaction
from django.utils import timezone

from dataclass_json import Ask, Count, Text
from gamenights.notices.models import MAX_NOTICE_KEY, NoticeChoice, PersonalNotice, Topic, Webhook, WebhookDelivery
from gamenights.notices.notice_formats import SIGNATURE_HEADER, Notice, sign, write_json
from gamenights.notices.webhook_post import MAX_ADDRESS, Delivery, check_form, next_delay, send
from groups.models import Group
from groups.permissions import require_host
from jobs import services as jobs_services, timers
from jobs.models import Due, Job
from jobs.registry import JobContext, Outcome
from log.services import new_key
from pages.site_address_for_guests import base_url
from people.models import Person
from people.requester import Who
from refusal import Refusal

MAX_WEBHOOKS = 10
SENDER = "Mice-at-Arms"


@dataclass(frozen=True, slots=True)
class Queue:
    """Notices of one kind that wait to be sent, by a job and, if that fails, a timer of the same ``name``."""

    name: str
    model: type[WebhookDelivery | PersonalNotice]
    argument: str  # of the job: the row's number
    keep: int  # rows that were sent

    def add(self, rows: models.Manager[Any], key: str, **values: object) -> None:
        """Once per key."""
        with transaction.atomic():
            row, is_new = rows.get_or_create(key=key, defaults=values)
            if is_new:
                sent = rows.exclude(state=WebhookDelivery.State.WAITING).values_list("pk", flat=True)
                rows.filter(pk__in=list(sent[self.keep :])).delete()
                self._request_job(row.pk)

    def _request_job(self, pk: int) -> None:
        jobs_services.request_job(self.name, {self.argument: pk}, None)

    def record_attempt(self, job: Job) -> None:
        """After the job: write down how it ended, and set the time for another attempt."""
        row = self.model.objects.filter(pk=job.args[self.argument]).first()
        facts = job.result
        if row is None or facts.get("gone"):
            return
        attempt = Delivery(
            facts["delivered"], facts["sentence"], can_retry=facts["can_retry"], retry_after=facts.get("retry_after")
        )
        row.attempts += 1
        row.answer = attempt.sentence[:300]
        if isinstance(row, WebhookDelivery):
            row.tried_at = timezone.now()
        delay = next_delay(row.attempts, attempt)
        if attempt.is_delivered:
            row.state = WebhookDelivery.State.DELIVERED
        elif delay is None:
            row.state = WebhookDelivery.State.FAILED
        else:
            timers.set_timer(self.name, row.pk, timezone.now() + dt.timedelta(seconds=delay))
        row.save()

    def try_again(self, due: Due) -> None:
        if self.model.objects.filter(pk=due.ref, state=WebhookDelivery.State.WAITING).exists():
            self._request_job(int(due.ref))


DELIVERIES = Queue("webhook", WebhookDelivery, "delivery", keep=100)
PERSONAL = Queue("personal-notice", PersonalNotice, "notice", keep=200)


def _post(url: str, notice: bytes, secret: str) -> Delivery:
    headers = {
        "Content-Type": "application/json",
        "User-Agent": SENDER,
        SIGNATURE_HEADER: sign(notice, secret, timezone.now()),
    }
    return send(url, notice, headers, allow_private=settings.PRIVATE_WEBHOOKS)


# ── Webhooks of a group ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class AddWebhook:
    """The same address again is the same webhook."""

    url: Annotated[
        str, Text("The address", MAX_ADDRESS), Ask("Address", "A webhook of a Discord channel, or any other program.")
    ]


def add_webhook(group: Group, who: Who, sent: AddWebhook) -> Webhook:
    """Only the form of the address is checked here; where it leads is checked each time something is sent."""
    require_host(group, who)
    check_form(sent.url)
    if group.webhooks.count() >= MAX_WEBHOOKS:
        raise Refusal(f"A group has at most {MAX_WEBHOOKS} webhooks. Remove one first.", status=409)
    return group.webhooks.get_or_create(url=sent.url.strip(), defaults={"made_by": who.require_person()})[0]


def remove_webhook(webhook: Webhook, who: Who) -> None:
    require_host(webhook.group, who)
    webhook.delete()


def send_webhook_test(webhook: Webhook, who: Who) -> None:
    require_host(webhook.group, who)
    text = f"Notices from {webhook.group.name} arrive here."
    _deliver(webhook, _test_notice(text, base_url() + webhook.group.get_absolute_url()))


def _test_notice(text: str, url: str) -> Notice:
    return Notice(f"test-{new_key()}", "A test", text, timezone.now(), url)


def announce(group: Group, notice: Notice) -> None:
    """Tell every webhook of the group, once per key of the notice."""
    for webhook in group.webhooks.select_related("group"):
        _deliver(webhook, notice)


def _deliver(webhook: Webhook, notice: Notice) -> None:
    body = write_json(notice, webhook.group.name).decode()
    DELIVERIES.add(webhook.deliveries, notice.key[:MAX_NOTICE_KEY], title=notice.title[:300], body=body)


def send_delivery(job: JobContext) -> Outcome:
    """The job: one attempt, in a process of its own."""
    row = WebhookDelivery.objects.select_related("webhook").filter(pk=job.args["delivery"]).first()
    if row is None:
        return Outcome({"gone": True})
    attempt = _post(row.webhook.url, row.body.encode(), row.webhook.secret)
    return Outcome(
        {
            "delivered": attempt.is_delivered,
            "sentence": attempt.sentence,
            "status": attempt.status,
            "can_retry": attempt.can_retry,
            "retry_after": attempt.retry_after,
        }
    )


# ── Notices of one person ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Notices:
    topics: Annotated[tuple[Topic, ...], Count("Topics", len(Topic))]
    by_mail: bool
    url: Annotated[
        str, Text("The address", MAX_ADDRESS, empty=True), Ask("URL", "A webhook of one's own; empty for none.")
    ]


@dataclass(frozen=True)
class ChooseNotices(Notices):
    """All of them at once."""


def choose_notices(who: Who, sent: ChooseNotices) -> NoticeChoice:
    person = who.require_person()
    url = sent.url.strip()
    if url:
        check_form(url)
    if sent.by_mail and not mail_address(person):
        raise Refusal("Add your e-mail address first, on your page.", field="by_mail")
    topics = [topic for topic in Topic.values if topic in set(sent.topics)]
    values = {"topics": topics, "by_mail": sent.by_mail, "url": url}
    return NoticeChoice.objects.update_or_create(person=person, defaults=values)[0]


def mail_address(person: Person) -> str:
    """Where mail to them goes, if this site sends mail and they gave an address."""
    return person.account.email if settings.EMAIL_HOST and person.account else ""


def send_test(who: Who) -> None:
    choice = NoticeChoice.objects.filter(person=who.require_person()).first()
    if choice is None or not (choice.by_mail or choice.url):
        raise Refusal("Choose e-mail or an address first.", field="by_mail")
    _notify(choice, Topic.NIGHT, _test_notice("Your notices arrive here.", base_url()))


def notify(people: Iterable[int], topic: Topic, notice: Notice) -> None:
    """Notify those of them who chose this topic, once per key. Part of the caller's transaction."""
    for choice in NoticeChoice.objects.filter(person__in=set(people)).select_related("person"):
        if topic in choice.topics and (choice.by_mail or choice.url):
            _notify(choice, topic, notice)


def _notify(choice: NoticeChoice, topic: Topic, notice: Notice) -> None:
    key = notice.key if len(notice.key) <= MAX_NOTICE_KEY else sha256(notice.key.encode()).hexdigest()
    values = {"topic": topic, "title": notice.title[:300], "text": notice.text, "url": notice.url[:500]}
    PERSONAL.add(choice.person.notices, key, **values)


def send_notice(job: JobContext) -> Outcome:
    """The job: one attempt by each way they chose, in a process of its own."""
    row = PersonalNotice.objects.select_related("person__account").filter(pk=job.args["notice"]).first()
    choice = NoticeChoice.objects.filter(person=row.person).first() if row else None
    if row is None or choice is None:
        return Outcome({"gone": True})
    attempts = [_send_mail(row)] if choice.by_mail and mail_address(row.person) else []
    if choice.url:
        notice = Notice(row.key, row.title, row.text, row.made_at, row.url)
        attempts.append(_post(choice.url, write_json(notice, SENDER), choice.secret))
    if not attempts:
        return Outcome({"gone": True})
    # Whoever got it one way does not get it again because the other way failed.
    delivered = [attempt for attempt in attempts if attempt.is_delivered]
    outcome = delivered[0] if delivered else attempts[-1]
    return Outcome({"delivered": outcome.is_delivered, "sentence": outcome.sentence, "can_retry": outcome.can_retry})


def _send_mail(row: PersonalNotice) -> Delivery:
    text = "\n\n".join(part for part in (row.text, row.url) if part)
    try:
        send_mail(row.title.replace("\n", " "), f"{text}\n", None, [mail_address(row.person)])
    except OSError as error:  # smtplib's errors are among them
        return Delivery(False, f"The mail server refused it: {type(error).__name__}.", 0, can_retry=True)
    return Delivery(True, "Sent by e-mail.", 0)


def forget_notices(ids: tuple[int, ...]) -> None:
    NoticeChoice.objects.filter(person__in=ids).delete()
    PersonalNotice.objects.filter(person__in=ids).delete()


def notices_of(ids: tuple[int, ...]) -> dict[str, object]:
    """What they add to the file of somebody's own data."""
    return {
        "chosen": list(NoticeChoice.objects.filter(person__in=ids).values("topics", "by_mail", "url")),
        "sent": list(PersonalNotice.objects.filter(person__in=ids).values("title", "text", "made_at", "state")),
    }
