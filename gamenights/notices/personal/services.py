"""Writes: what a person chose, what was sent to them, and how that went. Jobs do the sending; no page waits for it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from hashlib import sha256

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils import timezone

from gamenights.notices.core.addresses import check_form
from gamenights.notices.core.notice_formats import SIGNATURE_HEADER, Notice, sign, write_json
from gamenights.notices.core.webhook_post import Delivery, next_delay, send
from gamenights.notices.personal.models import NoticeChoice, PersonalNotice, Topic
from jobs import services as jobs_services
from jobs import timers
from jobs.models import Due, Job
from jobs.registry import JobContext, Outcome
from log.services import new_key
from pages.site_address_for_guests import base_url
from people.models import Person
from people.requester import Who
from refusal import Refusal

SEND_JOB = "personal-notice"
RETRY_TIMER = "personal-notice"
KEEP_NOTICES = 200
SENDER = "Mice-at-Arms"


def choose_notices(who: Who, *, topics: Iterable[str], by_mail: bool, url: str) -> NoticeChoice:
    person = who.require_person()
    wanted = [topic for topic in Topic.values if topic in set(topics)]
    url = url.strip()
    if url:
        check_form(url)
    if by_mail and not mail_address(person):
        raise Refusal("Add your e-mail address first, on your page.", field="by_mail")
    values = {"topics": wanted, "by_mail": by_mail, "url": url}
    return NoticeChoice.objects.update_or_create(person=person, defaults=values)[0]


def mail_address(person: Person) -> str:
    """Where mail to them goes, if this site sends mail and they gave an address."""
    return person.account.email if settings.EMAIL_HOST and person.account else ""


def send_test(who: Who) -> None:
    person = who.require_person()
    choice = NoticeChoice.objects.filter(person=person).first()
    if choice is None or not (choice.by_mail or choice.url):
        raise Refusal("Choose e-mail or an address first.", field="by_mail")
    notice = Notice(f"test-{new_key()}", "A test", "Your notices arrive here.", timezone.now(), base_url())
    _queue(choice, Topic.NIGHT, notice)


def tell(people: Iterable[int], topic: Topic, notice: Notice) -> None:
    """Tell those of them who chose this topic, once per key. Part of the caller's transaction."""
    for choice in NoticeChoice.objects.filter(person__in=set(people)).select_related("person"):
        if topic in choice.topics and (choice.by_mail or choice.url):
            _queue(choice, topic, notice)


def _queue(choice: NoticeChoice, topic: Topic, notice: Notice) -> None:
    key = notice.key if len(notice.key) <= 120 else sha256(notice.key.encode()).hexdigest()
    values = {"topic": topic, "title": notice.title[:300], "text": notice.text, "url": notice.url[:500]}
    with transaction.atomic():
        row, is_new = PersonalNotice.objects.get_or_create(person=choice.person, key=key, defaults=values)
        if is_new:
            old = PersonalNotice.objects.filter(person=choice.person).exclude(state=PersonalNotice.State.WAITING)
            old.filter(pk__in=list(old.values_list("pk", flat=True)[KEEP_NOTICES:])).delete()
            jobs_services.request_job(SEND_JOB, {"notice": row.pk}, None)


# ── Sending ──────────────────────────────────────────────────────────────────────────────────────────────


def send_notice(job: JobContext) -> Outcome:
    """The job: one attempt by each way they chose, in a process of its own."""
    row = PersonalNotice.objects.select_related("person__account").filter(pk=job.args["notice"]).first()
    choice = NoticeChoice.objects.filter(person=row.person).first() if row else None
    if row is None or choice is None:
        return Outcome({"gone": True})
    found = [_send_mail(row)] if choice.by_mail and mail_address(row.person) else []
    if choice.url:
        found.append(_send_to_address(row, choice))
    if not found:
        return Outcome({"gone": True})
    failed = [one for one in found if not one.is_delivered]
    # Whoever got it one way does not get it again because the other way failed.
    last = failed[-1] if len(failed) == len(found) else next(one for one in found if one.is_delivered)
    return Outcome({"delivered": last.is_delivered, "sentence": last.sentence, "can_retry": last.can_retry})


def _send_mail(row: PersonalNotice) -> Delivery:
    text = "\n\n".join(part for part in (row.text, row.url) if part)
    try:
        send_mail(row.title.replace("\n", " "), f"{text}\n", None, [mail_address(row.person)])
    except OSError as error:  # smtplib's errors are among them
        return Delivery(False, f"The mail server refused it: {type(error).__name__}.", 0, can_retry=True)
    return Delivery(True, "Sent by e-mail.", 0)


def _send_to_address(row: PersonalNotice, choice: NoticeChoice) -> Delivery:
    body = write_json(Notice(row.key, row.title, row.text, row.made_at, row.url), SENDER)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": SENDER,
        SIGNATURE_HEADER: sign(body, choice.secret, timezone.now()),
    }
    return send(choice.url, body, headers, allow_private=settings.PRIVATE_WEBHOOKS)


def record_attempt(job: Job) -> None:
    row = PersonalNotice.objects.filter(pk=job.args["notice"]).first()
    facts = job.result
    if row is None or facts.get("gone"):
        return
    row.attempts += 1
    row.answer = facts["sentence"][:300]
    found = Delivery(facts["delivered"], facts["sentence"], 0, can_retry=facts["can_retry"])
    delay = next_delay(row.attempts, found)
    if found.is_delivered:
        row.state = PersonalNotice.State.DELIVERED
    elif delay is None:
        row.state = PersonalNotice.State.FAILED
    else:
        timers.set_timer(RETRY_TIMER, row.pk, timezone.now() + dt.timedelta(seconds=delay))
    row.save()


def try_again(due: Due) -> None:
    if PersonalNotice.objects.filter(pk=due.ref, state=PersonalNotice.State.WAITING).exists():
        jobs_services.request_job(SEND_JOB, {"notice": int(due.ref)}, None)


def forget_notices(ids: tuple[int, ...]) -> None:
    NoticeChoice.objects.filter(person__in=ids).delete()
    PersonalNotice.objects.filter(person__in=ids).delete()
