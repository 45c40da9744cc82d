"""Carrying a campaign from one place to another: written out as one file, read back as a campaign of its own."""

from __future__ import annotations

import csv
import datetime as dt
import io
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from campaign import door as campaign_door
from campaign import reading
from campaign.annals import parcel
from campaign.annals.acts import RULES_VERSION
from campaign.annals.chapters import chapters
from campaign.annals.lines import CORRECTIONS, RESTORE, Line, effective, fold, standing
from campaign.annals.persons import exchanged, persons_of
from campaign.annals.scrutiny import Difference, scrutinise
from campaign.annals.standings import careers, standings
from campaign.annals.state import State
from campaign.annals.tales import Names, tale
from campaign.models import Campaign, Member
from campaign.seasons import write_page
from heraldry import Arms
from jobs.kinds import Progress
from log import door
from log.models import Entry
from people.keeping import KEPT_MOST
from people.models import Person
from people.names import clean_name
from people.who import Who
from refusal import Refusal

PEOPLE_MOST = KEPT_MOST
ENTRIES_MOST = 100_000


# --- out ------------------------------------------------------------------------------------------------------------


def contents(campaign: Campaign) -> dict[str, Any]:
    """Everything that makes the campaign: its people by number, its members, every entry. What is worked out stays out."""
    entries = list(Entry.objects.filter(log=campaign.log_id).order_by("number"))
    lines = [_line(entry) for entry in entries]
    acts = {line.number: line.act for line in lines}
    members = list(campaign.members.order_by("since", "pk"))
    ids = [person for line in lines for person in persons_of(line, acts)] + [m.person_id for m in members]
    rows = Person.objects.filter(pk__in=set(ids)).select_related("merged_into")
    root = {person.pk: person.root for person in rows}
    # Two who turned out to be one are one in the file.
    numbers: dict[int, int] = {}
    for person in ids:
        numbers.setdefault(root[person].pk, len(numbers) + 1)
    people = {root[person].pk: root[person] for person in ids}

    def number_of(person: int) -> int:
        return numbers[root[person].pk]

    return {
        "name": campaign.name,
        "visibility": campaign.visibility,
        "founded_at": campaign.founded_at.isoformat(),
        "people": [{"name": people[pk].name, "arms": people[pk].blazon} for pk in numbers],
        "members": [{"person": number_of(m.person_id), "since": m.since.isoformat()} for m in members],
        "entries": [
            _entry(exchanged(line, number_of, acts), entry.entered_at)
            for line, entry in zip(lines, entries, strict=True)
        ],
    }


def _line(entry: Entry) -> Line:
    day = entry.played_on.isoformat()
    return Line(entry.number, entry.act, entry.body, entry.effects, day, entry.actor_id, entry.on_behalf_of_id)


def _entry(line: Line, entered_at: dt.datetime) -> dict[str, Any]:
    return {
        "number": line.number,
        "act": line.act,
        "played_on": line.played_on,
        "entered_at": entered_at.isoformat(),
        "by": line.actor,
        "for": line.on_behalf_of,
        "body": line.body,
        "effects": line.effects,
    }


def standings_csv(campaign: Campaign) -> str:
    """Today's standings, then one line for each kingdom over all seasons."""
    order = effective(reading.lines_of(campaign))
    state = reading.state_of(campaign)
    told = {career.kingdom: career for career in careers(order, chapters(order), state)}
    head = (
        "place", "kingdom", "territories", "vp", "loyalty", "houses", "battles", "won", "drawn", "lost", "vp_earned",
        "vp_spent", "land_taken", "castles_taken", "wars_won", "seasons_led",
    )  # fmt: skip
    rows = []
    for rank in standings(state, order):
        r, career = rank.record, told[rank.kingdom]
        rows.append(
            (rank.place, rank.name, rank.holds, rank.vp, rank.loyalty, rank.sworn, r.fought, r.won, r.drawn, r.lost,
             r.earned, r.spent, r.taken, r.castles, career.wars, career.seasons_led)
        )  # fmt: skip
    return _csv(head, rows)


def entries_csv(campaign: Campaign) -> str:
    lines = reading.lines_of(campaign)
    stand = standing(lines)
    state = reading.state_of(campaign)
    people = Person.objects.filter(pk__in={line.actor for line in lines if line.actor} | set(_people_of(lines)))
    names = Names(state, {person.pk: person.root.name for person in people.select_related("merged_into")})
    rows = []
    for line in lines:
        now = line
        if line.number in stand.amended:
            body = stand.bodies.get(line.number, line.body)
            now = line._replace(body=body, effects=stand.effects[line.number])
        became = "struck" if line.number in stand.struck else "amended" if line.number in stand.amended else ""
        by = stand.struck.get(line.number) or stand.amended.get(line.number) or ""
        actor = names.person(line.actor) if line.actor else ""
        rows.append((line.number, line.played_on, line.act, tale(now, names), actor, became, by))
    return _csv(("number", "played_on", "act", "entry", "written_by", "became", "by_entry"), rows)


def _people_of(lines: list[Line]) -> Iterable[int]:
    acts = {line.number: line.act for line in lines}
    return (person for line in lines for person in persons_of(line, acts))


def _csv(head: tuple[str, ...], rows: Iterable[tuple]) -> str:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(head)
    table.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """A spreadsheet takes a text that begins like this for a formula and runs it."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value


# --- in -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FilePerson:
    number: int
    name: str
    arms: Arms | None
    rules: tuple[str, ...]
    is_master: bool


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file looked through, ready to be shown before anybody takes it in."""

    name: str
    visibility: str
    founded_at: dt.datetime
    lines: tuple[Line, ...]
    entered: tuple[dt.datetime, ...]
    people: tuple[FilePerson, ...]
    members: tuple[tuple[int, dt.datetime], ...]
    state: State
    differences: tuple[Difference, ...]
    is_edited: bool
    other_rules: bool

    @property
    def kingdoms(self) -> list[str]:
        return [kingdom.name for kingdom in self.state.in_play()]

    @property
    def corrections(self) -> int:
        return sum(line.act in (*CORRECTIONS, RESTORE) for line in self.lines)


def looked_through(raw: bytes, progress: Progress = lambda stage, k=0, n=0: None) -> Arrival:
    """What a file holds and where the rulebook says otherwise; or a refusal that names the first problem."""

    def judged(lines: Sequence[Line]) -> tuple[State, tuple[Difference, ...]]:
        told = partial(progress, "Judging each entry by the rulebook", n=len(lines))
        return scrutinise(lines, today=timezone.localdate(), progress=told)

    return _opened(raw, judged)


def unpacked(raw: bytes, differences: tuple[Difference, ...]) -> Arrival:
    """A file that was looked through before, with what was found then."""
    return _opened(raw, lambda lines: (fold(effective(lines)), differences))


Judge = Callable[[Sequence[Line]], tuple[State, tuple[Difference, ...]]]


def _opened(raw: bytes, judge: Judge) -> Arrival:
    opened = parcel.opened(raw)
    try:
        return _arrival(opened, judge)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Refusal(f"The file is not whole: {type(error).__name__} {error}.", field="file") from error


def _arrival(opened: parcel.Opened, judge: Judge) -> Arrival:
    held = opened.contents
    rows = held["entries"]
    if len(rows) > ENTRIES_MOST:
        raise Refusal(f"The file has {len(rows)} entries. {ENTRIES_MOST} is the most.", field="file")
    if len(held["people"]) > PEOPLE_MOST:
        raise Refusal(f"The file has {len(held['people'])} people. {PEOPLE_MOST} is the most.", field="file")
    known = range(1, len(held["people"]) + 1)
    lines = tuple(_line_of(row, known) for row in rows)
    state, differences = judge(lines)
    acts = {line.number: line.act for line in lines}
    for line in lines:
        for person in persons_of(line, acts):
            if person not in known:
                raise Refusal(f"Entry {line.number} names person {person}, who is not in the file.", field="file")
    members = tuple((int(row["person"]), _moment(row["since"])) for row in held["members"])
    if any(person not in known for person, _ in members):
        raise Refusal("A member of the campaign is not among the people of the file.", field="file")
    if len({person for person, _ in members}) != len(members):
        raise Refusal("A member of the campaign stands in the file twice.", field="file")
    if held["visibility"] not in Campaign.Visibility.values:
        raise Refusal("The file does not say who may see the campaign.", field="file")
    people = tuple(_person(number, row, state) for number, row in enumerate(held["people"], 1))
    return Arrival(
        name=clean_name(state.name, "name of the campaign"),
        visibility=held["visibility"],
        founded_at=_moment(held["founded_at"]),
        lines=lines,
        entered=tuple(_moment(row["entered_at"]) for row in rows),
        people=people,
        members=members,
        state=state,
        differences=differences,
        is_edited=opened.is_edited,
        other_rules=opened.rules != RULES_VERSION,
    )


def _line_of(row: dict[str, Any], known: range) -> Line:
    number = row["number"]
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refusal(f"An entry has the number {number!r}.", field="file")
    for field, kind in (("act", str), ("played_on", str), ("body", dict), ("effects", list)):
        if not isinstance(row[field], kind):
            raise Refusal(f"Entry {number} is not whole: {field} is missing.", field="file")
    for field in ("by", "for"):
        if row.get(field) is not None and row[field] not in known:
            raise Refusal(f"Entry {number} names person {row[field]!r}, who is not in the file.", field="file")
    return Line(number, row["act"], row["body"], row["effects"], row["played_on"], row.get("by"), row.get("for"))


def _moment(text: str) -> dt.datetime:
    moment = parse_datetime(text)
    if moment is None or moment.tzinfo is None:
        raise Refusal(f"{text!r} is no moment in time.", field="file")
    return moment


def _person(number: int, row: dict[str, Any], state: State) -> FilePerson:
    rules = tuple(realm.name for realm in state.ruled_by({number}))
    arms = Arms.from_dict(row["arms"]) if row.get("arms") else None
    return FilePerson(number, clean_name(row["name"]), arms, rules, number in state.masters)


def take_in(who: Who, arrival: Arrival, *, key: str, me: int | None) -> Campaign:
    """Make a campaign of a file. People arrive unclaimed, kept by who takes it in; ``me`` is who of them that one is."""
    person = who.must_be_known()
    door.must_be_key(key)
    if me is not None and not 1 <= me <= len(arrival.people):
        raise Refusal("Choose one of the people of the file, or none of them.", field="me")
    founding_key = f"{who.ref}/{key}"
    before = Campaign.objects.filter(founding_key=founding_key).first()
    if before:
        return before
    coming = len(arrival.people) - (me is not None)
    if Person.objects.kept_by(who).count() + coming > KEPT_MOST:
        raise Refusal(f"{coming} people would come with it, and {KEPT_MOST} is the most one can look after.")
    try:
        with transaction.atomic():
            return _made(person, arrival, founding_key, me)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Campaign.objects.get(founding_key=founding_key)


def _made(person: Person, arrival: Arrival, founding_key: str, me: int | None) -> Campaign:
    ids: dict[int, int] = {}
    for one in arrival.people:
        if one.number == me:
            ids[one.number] = person.pk
        else:
            blazon = one.arms.to_dict() if one.arms else {}
            ids[one.number] = Person.objects.create(name=one.name, blazon=blazon, keeper=person).pk
    acts = {line.number: line.act for line in arrival.lines}
    lines = [exchanged(line, ids.__getitem__, acts) for line in arrival.lines]
    log = door.open_log("campaign")
    Entry.objects.bulk_create(
        [_row(log.pk, line, at) for line, at in zip(lines, arrival.entered, strict=True)], batch_size=500
    )
    log.length = len(lines)
    if me is None or me not in arrival.state.masters:
        _let_run(door.Pen(log), person, arrival.state)
    log.save(update_fields=["length"])
    campaign = Campaign.objects.create(
        code=secrets.token_hex(5),
        name=arrival.name,
        visibility=arrival.visibility,
        log=log,
        founded_at=arrival.founded_at,
        founding_key=founding_key,
    )
    Member.objects.bulk_create(
        [Member(campaign=campaign, person_id=ids[number], since=since) for number, since in arrival.members]
    )
    campaign_door.project(campaign, reading.refold(campaign))
    for line in lines:
        if line.act == "season_closed":
            write_page(campaign, line.number, lines)
    return campaign


def _row(log_id: int, line: Line, entered_at: dt.datetime) -> Entry:
    return Entry(
        log_id=log_id,
        number=line.number,
        act=line.act,
        actor_id=line.actor,
        on_behalf_of_id=line.on_behalf_of,
        body=line.body,
        effects=line.effects,
        played_on=dt.date.fromisoformat(line.played_on),
        entered_at=entered_at,
    )


def _let_run(pen: door.Pen, person: Person, state: State) -> None:
    """Whoever takes a campaign in runs it beside its own masters; a line says so."""
    body = {"person": person.pk, "in_force": {"options": state.options, "rules": RULES_VERSION}}
    pen.line("master_shared", actor=person.pk, body=body, effects=[{"do": "master", "person": person.pk, "is": True}])
