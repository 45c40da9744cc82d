"""When to notify somebody: something is waiting on their home page, they won a roll-off, a night is coming up."""

import datetime as dt

from django.utils import timezone

from campaign import services as campaign_services
from gamenights.nights.models import Attendance, Night
from gamenights.notices import services
from gamenights.notices.models import NoticeChoice, Topic
from gamenights.notices.notice_formats import Notice
from gamenights.plays.models import Play
from gamenights.plays.values import format_day
from groups.models import Group, Member
from jobs import services as jobs_services
from jobs.models import Due
from jobs.registry import JobContext, Outcome
from log.services import new_key
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
    campaign_services.register_follow_up("roll_off", notify_winner)


def notify_winner(written: campaign_services.WrittenEntry) -> None:
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
    services.notify([kingdom.acting], Topic.ROLL_OFF, notice)


def announce_night(night: Night) -> None:
    """A night with a date, planned, moved or fixed by a vote: to the group's webhooks and everyone in it."""
    if night.starts_at is None:
        return
    start = night.starts_at.astimezone(night.group.tzinfo)
    when = f"{start:%A} {start.day} {start:%B}, {start:%H:%M}"
    notice = Notice(
        f"night-{night.pk}-{start:%Y%m%d%H%M}",
        f"{night.name} on {start:%A}",
        night.plan or "Say whether you are coming.",
        timezone.now(),
        base_url() + night.get_absolute_url(),
        (("When", when), *((("Where", night.place),) if night.place else ())),
    )
    services.announce(night.group, notice)
    services.notify(night.group.members.values_list("person", flat=True), Topic.NIGHT, notice)


def announce_end(night: Night, now: dt.datetime) -> None:
    """Its recap; or, for a night that was closed before it began, that it is called off."""
    url = base_url() + night.get_absolute_url()
    if night.starts_at and now < night.starts_at:
        cancelled = Notice(
            f"off-{night.pk}-{new_key()}", f"Cancelled: {night.name}", "This night is cancelled.", now, url
        )
        services.announce(night.group, cancelled)
        return
    count = night.plays.filter(removed_at=None).count()
    text = f"{count} {'play' if count == 1 else 'plays'}. See who won."
    notice = Notice(f"recap-{night.pk}", f"Recap: {night.name}", text, now, f"{url}recap/")
    services.announce(night.group, notice)
    came = Attendance.objects.filter(night=night).exclude(here_at=None).values_list("person", flat=True)
    services.notify(came, Topic.RECAP, notice)


def notify_of_proposal(play: Play, who: Who) -> None:
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
    services.notify(asked - mine, Topic.CONFIRM, notice)


# ── Looked for every ten minutes ─────────────────────────────────────────────────────────────────────────


def order_scan(due: Due) -> None:
    if NoticeChoice.objects.exclude(topics=[]).exists():
        jobs_services.request_job(SCAN_JOB, {}, None)


def scan(job: JobContext) -> Outcome:
    """The job: notify people of what is newly waiting for them."""
    remind_of_coming_nights(timezone.now())
    for choice in NoticeChoice.objects.exclude(topics=[]).select_related("person__account", "person__merged_into"):
        notify_of_waiting_items(choice)
    return Outcome({})


def notify_of_waiting_items(choice: NoticeChoice) -> None:
    now = timezone.now()
    for app, item in home_items.collect_outside_a_request(Who.of(choice.person), WAITING):
        topic = WAITING[app]
        if item.group == "me":
            key = f"{topic}-{item.url}-{item.title}"
            services.notify([choice.person_id], topic, Notice(key, item.title, item.text, now, base_url() + item.url))


def remind_of_coming_nights(now: dt.datetime) -> None:
    """The day before: everyone who is coming, might come or has not answered."""
    coming = Night.objects.open(now).filter(starts_at__gt=now, starts_at__lte=now + REMIND_BEFORE)
    for night in coming.select_related("group"):
        start = night.starts_at.astimezone(night.group.tzinfo) if night.starts_at else now
        absent = night.attendances.filter(answer=Attendance.Answer.NO).values("person")
        people = night.group.members.exclude(person__in=absent).values_list("person", flat=True)
        text = f"{start:%A} at {start:%H:%M}" + (f", {night.place}" if night.place else "") + "."
        key = f"soon-{night.pk}-{start:%Y%m%d%H%M}"
        url = base_url() + night.get_absolute_url()
        services.notify(people, Topic.NIGHT, Notice(key, f"{night.name} on {start:%A}", text, now, url))
