"""Writes of a night: plan, answers, check-in, what to bring, dates, co-hosts, closing. All go into the group's log."""

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.db import IntegrityError
from django.http import HttpRequest
from django.utils import timezone

from battles.models import Battle
from cardgames.games import find_game, house_deck
from cardgames.models import Seat, Table, new_code
from cardgames.tables import table_creation
from cardgames.tables.core.acts import HostTable
from gamenights.nights.entries import (
    AddBringItem,
    ChangeBringItem,
    ChangeNight,
    ClaimAnswered,
    CoHostSet,
    DateChosen,
    DatesVoted,
    GiveAnswer,
    NightPlanned,
    PlanNight,
    is_answer,
)
from gamenights.nights.models import Attendance, BringItem, DateOption, DateVote, Night, NightTable
from gamenights.nights.permissions import require_part, require_run
from gamenights.nights.selectors import find_namesakes
from gamenights.notices import occasions
from gamenights.plays.values import day_of, end_of_day
from groups import services as groups_services
from groups.entries import Ref
from groups.models import Group, Member
from groups.permissions import require_member
from log.services import Answer, LogWriter, new_key
from pages.fields.columns_and_rows import extend, put
from people import guests, merging, rate_limits
from people.accounts import log_ins
from people.models import Person
from people.name_validation import clean_name, inline_name
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

MAX_ITEMS = 40
CODE_ATTEMPTS = 5
OVER = "This night is over. Ask its host to reopen it."


def plan_night(group: Group, who: Who, key: str, sent: PlanNight, *, battle: Battle | None = None) -> Night:
    """Plan a night, with its date or with dates to vote on; once per key. Whoever plans it is the host."""
    require_member(group, who)
    person = who.require_person()
    options = sorted(set(sent.dates))
    if not options:
        raise Refusal("Enter when it starts, or some dates to vote on.", field="starts_at")
    for option in options:
        _evening_of(option, group.tzinfo)
    starts_at = options.pop() if len(options) == 1 else None

    def change(_: LogWriter) -> Answer:
        night = Night(group=group, host=person, battle=battle)
        put(night, sent, but=("dates", "battle"))
        if group.visibility == Group.Visibility.PUBLIC:
            night.code = new_code()  # short: whoever guesses it sees what everyone may see
        _set_start(night, starts_at)
        night.save()
        DateOption.objects.bulk_create(DateOption(night=night, starts_at=at) for at in options)
        Attendance.objects.create(night=night, person=person, answer=Attendance.Answer.YES)
        occasions.announce_night(night)
        return {"night": night.pk}

    planned = NightPlanned(sent.title, starts_at, tuple(options), battle.pk if battle else None)
    for attempt in range(CODE_ATTEMPTS):
        try:
            answer = groups_services.write_to_log(group, who, key, "night_planned", change, planned)
        except IntegrityError:  # the code was taken at the same moment
            if attempt + 1 == CODE_ATTEMPTS:
                raise
        else:
            break
    return Night.objects.select_related("group__log").get(pk=answer["night"])


def start_tonight(group: Group, who: Who, *, key: str) -> Night:
    """The night that is on now, or a new one. Whoever starts it is here."""
    now = timezone.now()
    today = day_of(now, group.tzinfo)
    night = Night.objects.filter(group=group, day=today).open(now).select_related("group__log").first()
    night = night or plan_night(group, who, key, PlanNight((now,)))
    check_in(night, who, key=f"{key}-here")
    return night


def change_night(night: Night, who: Who, key: str, sent: ChangeNight) -> None:
    require_run(night, who)

    def change(_: LogWriter) -> None:
        put(night, sent, but=("starts_at",))
        _set_start(night, sent.starts_at)
        night.save()
        occasions.announce_night(night)

    _write(night, who, key, "night_changed", change, sent)


def _set_start(night: Night, starts_at: dt.datetime | None) -> None:
    if starts_at is None:
        return
    night.day, night.ends_at = _evening_of(starts_at, night.group.tzinfo)
    night.starts_at = starts_at


def _evening_of(starts_at: dt.datetime, zone: dt.tzinfo) -> tuple[dt.date, dt.datetime]:
    """Its day, and when it ends."""
    try:
        day = day_of(starts_at, zone)
        return day, end_of_day(day, zone)
    except OverflowError:
        raise Refusal("No calendar has this date. Enter another one.", field="starts_at") from None


def close_night(night: Night, who: Who, *, key: str) -> None:
    """Close it before its 05:00. Whoever is still here is checked out."""
    require_run(night, who)

    def change(_: LogWriter) -> None:
        now = timezone.now()
        Night.objects.filter(pk=night.pk).update(closed_at=now)
        night.attendances.filter(here_at__isnull=False, left_at=None).update(left_at=now)
        occasions.announce_end(night, now)

    _write(night, who, key, "night_closed", change)


def reopen_night(night: Night, who: Who, *, key: str) -> None:
    require_run(night, who)
    if night.ends_at is not None and night.ends_at <= timezone.now():
        raise Refusal("This night ended at 05:00. Start a new one.", status=409)
    _write(night, who, key, "night_reopened", lambda _: _update(night, closed_at=None))


def _update(night: Night, **fields: Any) -> None:
    Night.objects.filter(pk=night.pk).update(**fields)


def _write(
    night: Night, who: Who, key: str, act: str, change: Callable[[LogWriter], Any], sent: object = None, **about: Ref
) -> Answer:
    return groups_services.write_to_log(night.group, who, key, act, change, sent, night=night.pk, **about)


# ── Who comes and who is here ────────────────────────────────────────────────────────────────────────────


def answer_invitation(night: Night, who: Who, key: str, sent: GiveAnswer) -> None:
    """Say whether you are coming. Anyone with the night's link or code may answer."""
    person = who.require_person()
    _require_open(night)
    _attend(night, who, key, "night_answered", person, {"answer": sent.answer}, extend(GiveAnswer, sent))


def check_in(night: Night, who: Who, *, key: str, person: Person | None = None) -> None:
    """You are here; or, for whoever is in the room, someone without a phone is here."""
    if person is None:
        person = who.require_person()
    else:
        require_part(night, who)
    _require_open(night)
    _attend(night, who, key, "night_checked_in", person, {"here_at": timezone.now(), "left_at": None})


def check_out(night: Night, who: Who, *, key: str, person: Person | None = None) -> None:
    if person is None:
        person = who.require_person()
    else:
        require_run(night, who)
    _attend(night, who, key, "night_left", person, {"left_at": timezone.now()})


def _attend(
    night: Night, who: Who, key: str, act: str, person: Person, new: dict[str, Any], sent: object = None, **about: Ref
) -> None:
    _write(night, who, key, act, lambda _: set_attendance(night, person, **new), sent, person=person.pk, **about)


def set_attendance(night: Night, person: Person, **fields: Any) -> None:
    """Their attendance with these values. Newcomers become guests of the group."""
    row = night.attendances.filter(person__in=person.all_ids()).first()
    row = row or Attendance(night=night, person=person.root)
    if row.here_at is not None and row.left_at is None:
        fields.pop("here_at", None)  # already here: the first moment counts
    for name, value in fields.items():
        setattr(row, name, value)
    row.save()
    groups_services.add_member(night.group, person, Member.Role.GUEST)


def _require_open(night: Night) -> None:
    if night.is_over():
        raise Refusal(OVER, status=409)


# ── "Is that you, of 10 November?" ───────────────────────────────────────────────────────────────────────


def claim_known_person(night: Night, who: Who, *, key: str, known: Person) -> None:
    """A newcomer says that they are someone the group knows. A host decides."""
    person = who.require_person()
    if known.root.has_account:
        raise Refusal(f"{inline_name(known.root.name)} has an account. Log in with its password.", status=409)
    if not night.group.members.filter(person__in=known.all_ids()).exists():
        raise Refusal("This person is not in the group.", status=404)
    _attend(night, who, key, "night_claimed", person, {"claims": known.root}, known=known.pk)


def answer_claim(night: Night, who: Who, *, key: str, attendance: Attendance, agree: bool) -> None:
    """Confirm that a newcomer is a person the group knows: both become one, and it can be undone on their page."""
    require_run(night, who)
    known, newcomer = attendance.claims, attendance.person
    if known is None:
        raise Refusal("This was already answered.", status=409)

    def change(_: LogWriter) -> None:
        if agree:
            merging.claim_person(known, by=Who.of(newcomer))
        Attendance.objects.filter(pk=attendance.pk).update(claims=None, confirmed=known if agree else None)

    _write(night, who, key, "night_claim_answered", change, ClaimAnswered(agree), person=newcomer.pk, known=known.pk)


def undo_claim(night: Night, who: Who, *, key: str, attendance: Attendance) -> None:
    """Separate two people whom a host of this night merged, each with their own plays."""
    require_run(night, who)
    known = attendance.confirmed
    if known is None or known.merged_into is None:
        raise Refusal("They are already two people.", status=409)
    root = known.merged_into

    def change(_: LogWriter) -> None:
        merging.unmerge_person(known, by=Who.of(root))
        Attendance.objects.filter(pk=attendance.pk).update(confirmed=None)

    _write(night, who, key, "night_claim_undone", change, person=root.pk, known=known.pk)


# ── A phone without a log-in becomes a guest of the night's host, and is remembered ──────────────────────

NOBODY = "nobody"


class IsThatYou(Exception):
    """The group knows people of this name. The newcomer has to say which of them they are, or that it is nobody."""

    def __init__(self, name: str, namesakes: list[tuple[Person, dt.date | None]]) -> None:
        super().__init__(name)
        self.name = name
        self.namesakes = namesakes


def come_by_name(
    request: HttpRequest, night: Night, name: str, said: str, then: Callable[[Who], object]
) -> Person | None:
    """Do something as a newcomer of this name, or raise ``IsThatYou``. A refusal leaves no guest behind.

    ``said`` answers "Is that you?": a person's code, or NOBODY. That person is returned; a host confirms it.
    """
    name = clean_name(name)
    namesakes = find_namesakes(night.group, name)
    known = next((person for person, _ in namesakes if person.code == said), None)
    if namesakes and known is None and said != NOBODY:
        raise IsThatYou(name, namesakes)
    rate_limits.SIGN_UP.count_use(request)
    newcomer = guests.create_guest(name, night.host.root)
    who = Who.of(newcomer)
    try:
        then(who)
    except Refusal:
        newcomer.delete()
        raise
    if known is not None:
        claim_known_person(night, who, key=new_key(), known=known)
    log_ins.log_in_by_link(request, passes_services.issue_link(newcomer, by=who))
    return known


# ── Hosts ────────────────────────────────────────────────────────────────────────────────────────────────


def set_co_host(night: Night, who: Who, *, key: str, person: Person, co_host: bool) -> None:
    require_run(night, who)
    _attend(night, who, key, "night_co_host", person, {"co_host": co_host}, CoHostSet(co_host))


def hand_over(night: Night, who: Who, *, key: str, person: Person) -> None:
    """Make someone else the host. The host before stays as co-host."""
    require_run(night, who)
    before = night.host

    def change(_: LogWriter) -> None:
        _update(night, host=person.root)
        set_attendance(night, before, co_host=True)

    _write(night, who, key, "night_handed_over", change, person=person.pk)


# ── What to bring ────────────────────────────────────────────────────────────────────────────────────────


def add_bring_item(night: Night, who: Who, key: str, sent: AddBringItem) -> None:
    require_part(night, who)
    if night.bring_items.count() >= MAX_ITEMS:
        raise Refusal(f"A list has at most {MAX_ITEMS} things.", field="what")

    def change(_: LogWriter) -> Answer:
        return {"item": BringItem.objects.create(night=night, what=sent.what).pk}

    _write(night, who, key, "bring_added", change, sent)


def change_bring_item(night: Night, who: Who, key: str, sent: ChangeBringItem, *, item: BringItem) -> None:
    """Offer to bring it, take the offer back, or remove it from the list."""
    require_part(night, who)
    person = who.require_person()

    def change(_: LogWriter) -> None:
        row = BringItem.objects.filter(pk=item.pk)
        if sent.act == "remove":
            row.delete()
        else:
            row.update(person=person if sent.act == "take" else None)

    _write(night, who, key, f"bring_{sent.act}", change, item=item.pk)


# ── Dates ────────────────────────────────────────────────────────────────────────────────────────────────


def vote_on_dates(night: Night, who: Who, *, key: str, answers: Mapping[int, str]) -> None:
    """Answer each proposed date with yes, maybe or no."""
    person = who.require_person()
    _require_open(night)
    options = {option.pk: option for option in night.date_options.all()}
    given = {pk: answer for pk, answer in answers.items() if pk in options and is_answer(answer)}
    if not given:
        raise Refusal("Answer at least one date.", field="answers")

    def change(_: LogWriter) -> None:
        for pk, answer in given.items():
            DateVote.objects.filter(option=pk, person__in=person.all_ids()).delete()
            DateVote.objects.create(option_id=pk, person=person, answer=answer)
        set_attendance(night, person)

    voted = DatesVoted({str(pk): answer for pk, answer in given.items()})
    _write(night, who, key, "dates_voted", change, voted, person=person.pk)


def choose_date(night: Night, who: Who, *, key: str, option: DateOption) -> None:
    """Choose the date. Whoever voted for it is coming."""
    require_run(night, who)

    def change(_: LogWriter) -> None:
        _set_start(night, option.starts_at)
        night.save()
        occasions.announce_night(night)
        for vote in option.votes.select_related("person__merged_into"):
            set_attendance(night, vote.person, answer=vote.answer)

    _write(night, who, key, "date_chosen", change, DateChosen(option.starts_at))


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────


def open_table(night: Night, who: Who, *, key: str, game: str) -> Table:
    """Open a card table in this night; guests can too."""
    require_part(night, who)
    _require_open(night)
    table = table_creation.open_table(who, HostTable(game, _count_seats(night, game)), key=key)
    _write(night, who, key, "table_opened", lambda _: _link_table(night, table), table=table.code)
    return table


def _count_seats(night: Night, game: str) -> int:
    """A seat for everybody who is here and sits at no table yet; at least two, as far as the game allows."""
    here = night.attendances.filter(here_at__isnull=False, left_at=None).values_list("person", flat=True)
    open_tables = Table.objects.open().filter(night_table__night=night)
    seated = Seat.objects.filter(table__in=open_tables, person__in=here).values_list("person", flat=True)
    fewest, most = find_game(game).seat_limits(house_deck(game))
    return max(fewest, min(most, max(2, len(set(here) - set(seated)))))


def _link_table(night: Night, table: Table) -> None:
    NightTable.objects.get_or_create(table=table, defaults={"night": night})


# ── What whoever runs the night can do, by the names that page and API send ──────────────────────────────

OF_THE_NIGHT: dict[str, Callable[..., None]] = {"close": close_night, "reopen": reopen_night}
OF_A_PERSON: dict[str, Callable[..., None]] = {
    "hand_over": hand_over,
    "check_in": check_in,
    "check_out": check_out,
    "co_host": partial(set_co_host, co_host=True),
    "no_co_host": partial(set_co_host, co_host=False),
}
OF_A_CLAIM: dict[str, Callable[..., None]] = {
    "confirm": partial(answer_claim, agree=True),
    "deny": partial(answer_claim, agree=False),
    "split": undo_claim,
}
