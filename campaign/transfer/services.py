"""Export a campaign as one file, and import such a file as a new campaign."""

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

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle import export_format
from campaign.chronicle.acts.registry import RULES_VERSION
from campaign.chronicle.entries import CORRECTIONS, RESTORE, ChronicleEntry, effective_entries, fold, index_corrections
from campaign.chronicle.import_validation import RuleDifference, validate_chronicle
from campaign.chronicle.person_ids import find_person_ids, replace_person_ids
from campaign.chronicle.seasons.season_records import split_seasons
from campaign.chronicle.seasons.standings import rank_careers, rank_kingdoms
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from campaign.models import Campaign, Member
from campaign.seasons.saved_pages import save_season_page
from heraldry import Arms
from jobs.registry import Progress
from log import services as log_services
from log.models import Entry
from people.guests.services import MAX_GUESTS
from people.models import Person
from people.name_validation import clean_name
from people.requester import Who
from refusal import Refusal

MAX_PEOPLE = MAX_GUESTS
MAX_ENTRIES = 100_000


# --- out ------------------------------------------------------------------------------------------------------------


def export_contents(campaign: Campaign) -> dict[str, Any]:
    """People by number, members, every entry; nothing that is computed from them."""
    entries = list(Entry.objects.filter(log=campaign.log_id).order_by("number"))
    lines = [_chronicle_entry(entry) for entry in entries]
    acts = {line.number: line.act for line in lines}
    members = list(campaign.members.order_by("since", "pk"))
    ids = [person for line in lines for person in find_person_ids(line, acts)] + [m.person_id for m in members]
    rows = Person.objects.filter(pk__in=set(ids)).select_related("merged_into")
    root = {person.pk: person.root for person in rows}
    # Merged people are one in the file.
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
            _entry_as_json(replace_person_ids(line, number_of, acts), entry.entered_at)
            for line, entry in zip(lines, entries, strict=True)
        ],
    }


def _chronicle_entry(entry: Entry) -> ChronicleEntry:
    day = entry.played_on.isoformat()
    return ChronicleEntry(
        entry.number, entry.act, entry.body, entry.effects, day, entry.actor_id, entry.on_behalf_of_id
    )


def _entry_as_json(line: ChronicleEntry, entered_at: dt.datetime) -> dict[str, Any]:
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
    order = effective_entries(campaign_selectors.entries_of(campaign))
    state = campaign_selectors.state_of(campaign)
    told = {career.kingdom: career for career in rank_careers(order, split_seasons(order), state)}
    head = (
        "place kingdom territories vp loyalty houses battles won drawn lost vp_earned vp_spent land_taken "
        "castles_taken wars_won seasons_led"
    )
    rows = []
    for rank in rank_kingdoms(state, order):
        r, career = rank.record, told[rank.kingdom]
        now = (rank.place, rank.name, rank.holds, rank.vp, rank.loyalty, rank.sworn)
        fought = (r.fought, r.won, r.drawn, r.lost, r.earned, r.spent, r.taken, r.castles)
        rows.append((*now, *fought, career.wars, career.seasons_led))
    return _csv(tuple(head.split()), rows)


def entries_csv(campaign: Campaign) -> str:
    lines = campaign_selectors.entries_of(campaign)
    stand = index_corrections(lines)
    state = campaign_selectors.state_of(campaign)
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
        rows.append((line.number, line.played_on, line.act, describe_entry(now, names), actor, became, by))
    return _csv(("number", "played_on", "act", "entry", "written_by", "became", "by_entry"), rows)


def _people_of(lines: list[ChronicleEntry]) -> Iterable[int]:
    acts = {line.number: line.act for line in lines}
    return (person for line in lines for person in find_person_ids(line, acts))


def _csv(head: tuple[str, ...], rows: Iterable[tuple]) -> str:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(head)
    table.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    """Keep spreadsheets from running a text as a formula."""
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
class ImportPreview:
    """A checked file, ready to preview."""

    name: str
    visibility: str
    founded_at: dt.datetime
    lines: tuple[ChronicleEntry, ...]
    entered: tuple[dt.datetime, ...]
    people: tuple[FilePerson, ...]
    members: tuple[tuple[int, dt.datetime], ...]
    state: State
    differences: tuple[RuleDifference, ...]
    is_edited: bool
    other_rules: bool

    @property
    def kingdoms(self) -> list[str]:
        return [kingdom.name for kingdom in self.state.in_play()]

    @property
    def corrections(self) -> int:
        return sum(line.act in (*CORRECTIONS, RESTORE) for line in self.lines)


def check_file(raw: bytes, progress: Progress = lambda stage, k=0, n=0: None) -> ImportPreview:
    """What a file contains and where it differs from the rulebook, or a refusal."""

    def judged(lines: Sequence[ChronicleEntry]) -> tuple[State, tuple[RuleDifference, ...]]:
        told = partial(progress, "Checking each entry against the rulebook", n=len(lines))
        return validate_chronicle(lines, today=timezone.localdate(), progress=told)

    return _open_file(raw, judged)


def reopen_file(raw: bytes, differences: tuple[RuleDifference, ...]) -> ImportPreview:
    """A file that was checked before, with its findings."""
    return _open_file(raw, lambda lines: (fold(effective_entries(lines)), differences))


Judge = Callable[[Sequence[ChronicleEntry]], tuple[State, tuple[RuleDifference, ...]]]


def _open_file(raw: bytes, judge: Judge) -> ImportPreview:
    opened = export_format.read_export(raw)
    try:
        return _make_preview(opened, judge)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Refusal(f"The file is incomplete: {type(error).__name__} {error}.", field="file") from error


def _make_preview(opened: export_format.ExportFile, judge: Judge) -> ImportPreview:
    held = opened.contents
    rows = held["entries"]
    if len(rows) > MAX_ENTRIES:
        raise Refusal(f"The file has {len(rows)} entries; the limit is {MAX_ENTRIES}.", field="file")
    if len(held["people"]) > MAX_PEOPLE:
        raise Refusal(f"The file has {len(held['people'])} people; the limit is {MAX_PEOPLE}.", field="file")
    known = range(1, len(held["people"]) + 1)
    lines = tuple(_entry_from_json(row, known) for row in rows)
    state, differences = judge(lines)
    acts = {line.number: line.act for line in lines}
    for line in lines:
        for person in find_person_ids(line, acts):
            if person not in known:
                raise Refusal(f"Entry {line.number} names person {person}, who is not in the file.", field="file")
    members = tuple((int(row["person"]), _parse_moment(row["since"])) for row in held["members"])
    if any(person not in known for person, _ in members):
        raise Refusal("A member of the campaign is not among the people of the file.", field="file")
    if len({person for person, _ in members}) != len(members):
        raise Refusal("A member of the campaign is in the file twice.", field="file")
    if held["visibility"] not in Campaign.Visibility.values:
        raise Refusal("The file does not say who can see the campaign.", field="file")
    people = tuple(_file_person(number, row, state) for number, row in enumerate(held["people"], 1))
    return ImportPreview(
        name=clean_name(state.name, "name of the campaign"),
        visibility=held["visibility"],
        founded_at=_parse_moment(held["founded_at"]),
        lines=lines,
        entered=tuple(_parse_moment(row["entered_at"]) for row in rows),
        people=people,
        members=members,
        state=state,
        differences=differences,
        is_edited=opened.is_edited,
        other_rules=opened.rules != RULES_VERSION,
    )


def _entry_from_json(row: dict[str, Any], known: range) -> ChronicleEntry:
    number = row["number"]
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refusal(f"An entry has the number {number!r}.", field="file")
    for field, kind in (("act", str), ("played_on", str), ("body", dict), ("effects", list)):
        if not isinstance(row[field], kind):
            raise Refusal(f"Entry {number} is incomplete: {field} is missing.", field="file")
    for field in ("by", "for"):
        if row.get(field) is not None and row[field] not in known:
            raise Refusal(f"Entry {number} names person {row[field]!r}, who is not in the file.", field="file")
    return ChronicleEntry(
        number, row["act"], row["body"], row["effects"], row["played_on"], row.get("by"), row.get("for")
    )


def _parse_moment(text: str) -> dt.datetime:
    moment = parse_datetime(text)
    if moment is None or moment.tzinfo is None:
        raise Refusal(f"{text!r} is not a valid time.", field="file")
    return moment


def _file_person(number: int, row: dict[str, Any], state: State) -> FilePerson:
    rules = tuple(realm.name for realm in state.ruled_by({number}))
    arms = Arms.from_dict(row["arms"]) if row.get("arms") else None
    return FilePerson(number, clean_name(row["name"]), arms, rules, number in state.masters)


def import_campaign(who: Who, arrival: ImportPreview, *, key: str, me: int | None) -> Campaign:
    """Create a campaign from a file. Its people are guests of the importer; ``me`` is which of them the importer is."""
    person = who.require_person()
    log_services.check_key(key)
    if me is not None and not 1 <= me <= len(arrival.people):
        raise Refusal("Choose one of the people in the file, or none.", field="me")
    founding_key = f"{who.ref}/{key}"
    before = Campaign.objects.filter(founding_key=founding_key).first()
    if before:
        return before
    coming = len(arrival.people) - (me is not None)
    if Person.objects.looked_after_by(who).count() + coming > MAX_GUESTS:
        raise Refusal(f"{coming} guests would be added; you can look after at most {MAX_GUESTS}.")
    try:
        with transaction.atomic():
            return _create_campaign(person, arrival, founding_key, me)
    except IntegrityError:  # the same tap arrived twice at the same moment
        return Campaign.objects.get(founding_key=founding_key)


def _create_campaign(person: Person, arrival: ImportPreview, founding_key: str, me: int | None) -> Campaign:
    ids: dict[int, int] = {}
    for one in arrival.people:
        if one.number == me:
            ids[one.number] = person.pk
        else:
            blazon = one.arms.to_dict() if one.arms else {}
            ids[one.number] = Person.objects.create(name=one.name, blazon=blazon, keeper=person).pk
    acts = {line.number: line.act for line in arrival.lines}
    lines = [replace_person_ids(line, ids.__getitem__, acts) for line in arrival.lines]
    log = log_services.create_log("campaign")
    Entry.objects.bulk_create(
        [_entry_as_row(log.pk, line, at) for line, at in zip(lines, arrival.entered, strict=True)], batch_size=500
    )
    log.length = len(lines)
    if me is None or me not in arrival.state.masters:
        _add_master(log_services.LogWriter(log), person, arrival.state)
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
    campaign_services.update_projections(campaign, campaign_selectors.refold(campaign))
    for line in lines:
        if line.act == "season_closed":
            save_season_page(campaign, line.number, lines)
    return campaign


def _entry_as_row(log_id: int, line: ChronicleEntry, entered_at: dt.datetime) -> Entry:
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


def _add_master(writer: log_services.LogWriter, person: Person, state: State) -> None:
    """The importer becomes a game master too; an entry says so."""
    body = {"person": person.pk, "in_force": {"options": state.options, "rules": RULES_VERSION}}
    writer.append(
        "master_shared", actor=person.pk, body=body, effects=[{"do": "master", "person": person.pk, "is": True}]
    )
