"""When somebody is told: what waits for them on their home page, a roll-off they won, a night that comes."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from campaign import services as campaign_services
from gamenights.nights.models import Attendance, Night
from gamenights.notices.core.messages import Notice
from gamenights.notices.personal import services
from gamenights.notices.personal.models import NoticeChoice, Topic
from jobs import services as jobs_services
from jobs.models import Due
from jobs.registry import JobContext, Outcome
from pages import home_items
from pages.guest_address import base_url
from people.requester import Who

SCAN_JOB = "waiting-for-you"
SCAN_TIMER = "waiting-for-you"
EVERY = dt.timedelta(minutes=10)
REMIND_BEFORE = dt.timedelta(hours=36)
# What waits for a person, by the app that says so.
WAITING = {"musters": Topic.MUSTER, "campaign": Topic.CONFIRM, "cardgames": Topic.TURN}


def register() -> None:
    campaign_services.register_follow_up("roll_off", tell_winner)


def tell_winner(written: campaign_services.WrittenEntry) -> None:
    realm = written.state.kingdoms.get(written.entry.body.get("winner") or "")
    if realm is None or realm.acting is None:
        return
    campaign = written.campaign
    notice = Notice(
        f"roll-off-{campaign.pk}-{written.entry.number}",
        f"{campaign.name}: you won the roll-off",
        f"{realm.name} attacks. Choose a target and declare the battle.",
        timezone.now(),
        base_url() + campaign.get_absolute_url(),
    )
    services.tell([realm.acting], Topic.ROLL_OFF, notice)


def tell_of_night(night: Night, notice: Notice) -> None:
    """A night planned or moved: everyone of the group."""
    services.tell(night.group.members.values_list("person", flat=True), Topic.NIGHT, notice)


def tell_of_recap(night: Night, notice: Notice) -> None:
    came = Attendance.objects.filter(night=night).exclude(here_at=None).values_list("person", flat=True)
    services.tell(came, Topic.RECAP, notice)


# ── Looked for every ten minutes ─────────────────────────────────────────────────────────────────────────


def order_scan(due: Due) -> None:
    if NoticeChoice.objects.exclude(topics=[]).exists():
        jobs_services.request_job(SCAN_JOB, {}, None)


def scan(job: JobContext) -> Outcome:
    """The job: whatever has come to wait for somebody since the last time."""
    tell_of_coming_nights(timezone.now())
    for choice in NoticeChoice.objects.exclude(topics=[]).select_related("person__account", "person__merged_into"):
        tell_what_waits(choice)
    return Outcome({})


def tell_what_waits(choice: NoticeChoice) -> None:
    now = timezone.now()
    for app, item in home_items.collect_outside_a_request(Who.of(choice.person), WAITING):
        topic = WAITING[app]
        if item.group == "me":
            key = f"{topic}-{item.url}-{item.title}"
            services.tell([choice.person_id], topic, Notice(key, item.title, item.text, now, base_url() + item.url))


def tell_of_coming_nights(now: dt.datetime) -> None:
    """The day before: those who come, may come or have not answered."""
    coming = Night.objects.open(now).filter(starts_at__gt=now, starts_at__lte=now + REMIND_BEFORE)
    for night in coming.select_related("group"):
        start = night.starts_at.astimezone(night.group.tzinfo) if night.starts_at else now
        absent = night.attendances.filter(answer=Attendance.Answer.NO).values("person")
        people = night.group.members.exclude(person__in=absent).values_list("person", flat=True)
        text = f"{start:%A} at {start:%H:%M}" + (f", {night.place}" if night.place else "") + "."
        key = f"soon-{night.pk}-{start:%Y%m%d%H%M}"
        url = base_url() + night.get_absolute_url()
        services.tell(people, Topic.NIGHT, Notice(key, f"{night.name} on {start:%A}", text, now, url))
