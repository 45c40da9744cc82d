"""When to notify somebody: something is waiting on their home page, they won a roll-off, a night is coming up."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from campaign import services as campaign_services
from gamenights.nights.models import Attendance, Night
from gamenights.notices.core.notice_formats import Notice
from gamenights.notices.personal import services
from gamenights.notices.personal.models import NoticeChoice, Topic
from gamenights.plays.models import Play
from gamenights.plays.values import format_day
from groups.models import Group, Member
from jobs import services as jobs_services
from jobs.models import Due
from jobs.registry import JobContext, Outcome
from pages import home_items
from pages.site_address_for_guests import base_url
from people.name_validation import inline_name
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
    kingdom = written.state.kingdoms.get(written.entry.body.get("winner") or "")
    if kingdom is None or kingdom.acting is None:
        return
    campaign = written.campaign
    notice = Notice(
        f"roll-off-{campaign.pk}-{written.entry.number}",
        f"{campaign.name}: you won the roll-off",
        f"{kingdom.name} attacks. Choose a target and declare the battle.",
        timezone.now(),
        base_url() + campaign.get_absolute_url(),
    )
    services.tell([kingdom.acting], Topic.ROLL_OFF, notice)


def tell_of_night(night: Night, notice: Notice) -> None:
    """A night planned or moved: everyone of the group."""
    services.tell(night.group.members.values_list("person", flat=True), Topic.NIGHT, notice)


def tell_of_recap(night: Night, notice: Notice) -> None:
    came = Attendance.objects.filter(night=night).exclude(here_at=None).values_list("person", flat=True)
    services.tell(came, Topic.RECAP, notice)


def tell_of_proposal(play: Play, who: Who) -> None:
    """A change of a play waits for consent: its other players and the hosts are asked, as the group chose."""
    hosts = play.group.members.filter(role=Member.Role.HOST).values_list("person", flat=True)
    players = play.players.exclude(person=None).values_list("person", flat=True)
    asked = {*hosts} if play.group.consent == Group.Consent.HOST else {*hosts, *players}
    mine = set(who.person.all_ids()) if who.person else set()
    name = inline_name(who.person.root.name) if who.person else "Someone"
    notice = Notice(
        f"proposal-{play.pk}-{len(play.entries)}",
        f"{play.game.name}, {format_day(play.day)}: agree to a change",
        f"{name} wants to change or remove this play. Agree to it or reject it.",
        timezone.now(),
        base_url() + play.get_absolute_url(),
    )
    services.tell(asked - mine, Topic.CONFIRM, notice)


# ── Looked for every ten minutes ─────────────────────────────────────────────────────────────────────────


def order_scan(due: Due) -> None:
    if NoticeChoice.objects.exclude(topics=[]).exists():
        jobs_services.request_job(SCAN_JOB, {}, None)


def scan(job: JobContext) -> Outcome:
    """The job: notify people of what is newly waiting for them."""
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
    """The day before: everyone who is coming, might come or has not answered."""
    coming = Night.objects.open(now).filter(starts_at__gt=now, starts_at__lte=now + REMIND_BEFORE)
    for night in coming.select_related("group"):
        start = night.starts_at.astimezone(night.group.tzinfo) if night.starts_at else now
        absent = night.attendances.filter(answer=Attendance.Answer.NO).values("person")
        people = night.group.members.exclude(person__in=absent).values_list("person", flat=True)
        text = f"{start:%A} at {start:%H:%M}" + (f", {night.place}" if night.place else "") + "."
        key = f"soon-{night.pk}-{start:%Y%m%d%H%M}"
        url = base_url() + night.get_absolute_url()
        services.tell(people, Topic.NIGHT, Notice(key, f"{night.name} on {start:%A}", text, now, url))
