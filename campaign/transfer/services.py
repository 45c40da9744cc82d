"""Export a campaign as one file, import such a file as a new campaign; archive or delete one."""

import csv
import datetime as dt
import io
import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from campaign import selectors, services
from campaign.chronicle import codec, export_and_import
from campaign.chronicle.acts.administration import ShareMaster
from campaign.chronicle.acts.registry import RULES_VERSION
from campaign.chronicle.entries_and_fold import (
    CORRECTIONS,
    RESTORE,
    ChronicleEntry,
    effective_entries,
    fold,
    index_corrections,
)
from campaign.chronicle.export_and_import import (
    RuleDifference,
    drop_unknown_keys,
    find_person_ids,
    replace_person_ids,
    validate_chronicle,
)
from campaign.chronicle.seasons.cut_into_seasons import split_seasons
from campaign.chronicle.seasons.standings import rank_careers, rank_kingdoms
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from campaign.display import names_of_people
from campaign.invitations.services import KIND
from campaign.models import Campaign, Member
from dataclass_json import PageOnly
from heraldry import Arms
from jobs.registry import Progress
from log import services as log_services
from log.models import Entry, Log
from people.guests import MAX_GUESTS
from people.models import Pass, Person
from people.name_validation import clean_name
from people.requester import Who
from refusal import Refusal

MAX_ENTRIES = 100_000


# --- out ------------------------------------------------------------------------------------------------------------


def export_file(request: HttpRequest, campaign: Campaign) -> str:
    """The whole campaign as one file. This browser, or token, has then downloaded it."""
    text: str = export_and_import.write_export(export_contents(campaign))
    request.session[f"exported-{campaign.code}"] = campaign.log.version
    return text


def was_exported(request: HttpRequest, campaign: Campaign) -> bool:
    """Whether this browser has downloaded the current file."""
    return bool(request.session.get(f"exported-{campaign.code}") == campaign.log.version)


def export_contents(campaign: Campaign) -> export_and_import.Json:
    """People by number, members, every entry; nothing that is computed from them."""
    stored = list(Entry.objects.filter(log=campaign.log_id).order_by("number"))
    entries = [selectors.chronicle_entry(row) for row in stored]
    acts = {entry.number: entry.act for entry in entries}
    members = list(campaign.members.order_by("since", "pk"))
    ids = [person for entry in entries for person in find_person_ids(entry, acts)] + [m.person_id for m in members]
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
            _entry_as_json(replace_person_ids(entry, number_of, acts), row.entered_at)
            for entry, row in zip(entries, stored, strict=True)
        ],
    }


def _entry_as_json(entry: ChronicleEntry, entered_at: dt.datetime) -> export_and_import.Json:
    return {
        "number": entry.number,
        "act": entry.act,
        "played_on": entry.played_on,
        "entered_at": entered_at.isoformat(),
        "by": entry.actor,
        "for": entry.on_behalf_of,
        "body": entry.body,
        "effects": codec.write_effects(entry.effects),
    }


def standings_csv(campaign: Campaign) -> str:
    """Today's standings, then one line for each kingdom over all seasons."""
    order = effective_entries(selectors.entries_of(campaign))
    state = selectors.state_of(campaign)
    careers = {career.kingdom: career for career in rank_careers(order, split_seasons(order), state)}
    head = (
        "place kingdom territories vp loyalty houses battles won drawn lost vp_earned vp_spent land_taken "
        "castles_taken wars_won seasons_led"
    )
    rows = []
    for rank in rank_kingdoms(state, order):
        r, career = rank.record, careers[rank.kingdom]
        now = (rank.place, rank.name, rank.holds, rank.vp, rank.loyalty, rank.sworn)
        fought = (r.fought, r.won, r.drawn, r.lost, r.earned, r.spent, r.taken, r.castles)
        rows.append((*now, *fought, career.wars, career.seasons_led))
    return _csv(tuple(head.split()), rows)


def entries_csv(campaign: Campaign) -> str:
    entries = selectors.entries_of(campaign)
    acts = {entry.number: entry.act for entry in entries}
    index = index_corrections(entries)
    ids = {person for entry in entries for person in find_person_ids(entry, acts)}
    names = Names(selectors.state_of(campaign), names_of_people(ids))
    rows = []
    for entry in entries:
        sentence, actor = describe_entry(index.amend(entry), names), names.person(entry.actor) if entry.actor else ""
        became = "struck" if entry.number in index.struck else "amended" if entry.number in index.amended else ""
        by = index.find_correction(entry.number) or ""
        rows.append((entry.number, entry.played_on, entry.act, sentence, actor, became, by))
    return _csv(("number", "played_on", "act", "entry", "written_by", "became", "by_entry"), rows)


def _csv(head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> str:
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
    arms: PageOnly[Arms | None]
    rules: tuple[str, ...]
    is_master: bool


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """A checked file, ready to preview."""

    name: str
    visibility: str
    founded_at: dt.datetime
    entries: tuple[ChronicleEntry, ...]
    entered: tuple[dt.datetime, ...]
    people: tuple[FilePerson, ...]
    members: tuple[tuple[int, dt.datetime], ...]
    state: State
    differences: tuple[RuleDifference, ...]
    is_edited: bool
    other_rules: bool
    ignored: tuple[str, ...]  # keys that no act knows; they are not imported

    @property
    def kingdoms(self) -> list[str]:
        return [kingdom.name for kingdom in self.state.in_play()]

    @property
    def corrections(self) -> int:
        return sum(entry.act in (*CORRECTIONS, RESTORE) for entry in self.entries)


def check_file(raw: bytes, progress: Progress = lambda stage, k=0, n=0: None) -> ImportPreview:
    """What a file contains and where it differs from the rulebook, or a refusal."""

    def judged(entries: Sequence[ChronicleEntry]) -> tuple[State, tuple[RuleDifference, ...]]:
        checked = partial(progress, "Checking each entry against the rulebook", n=len(entries))
        return validate_chronicle(entries, today=timezone.localdate(), progress=checked)

    return _open_file(raw, judged)


def reopen_file(raw: bytes, differences: tuple[RuleDifference, ...]) -> ImportPreview:
    """A file that was checked before, with its findings."""
    return _open_file(raw, lambda entries: (fold(effective_entries(entries)), differences))


Judge = Callable[[Sequence[ChronicleEntry]], tuple[State, tuple[RuleDifference, ...]]]


def _open_file(raw: bytes, judge: Judge) -> ImportPreview:
    opened = export_and_import.read_export(raw)
    try:
        return _make_preview(opened, judge)
    except Refusal as refusal:
        raise Refusal(refusal.sentence, field="file") from refusal
    except KeyError as error:
        sentence = f"The file is incomplete: “{error.args[0]}” is missing. Export the campaign again."
        raise Refusal(sentence, field="file") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise Refusal("The file is damaged. Export the campaign again.", field="file") from error


def _make_preview(opened: export_and_import.ExportFile, judge: Judge) -> ImportPreview:
    contents = opened.contents
    rows = contents["entries"]
    if len(rows) > MAX_ENTRIES:
        raise Refusal(f"The file has {len(rows)} entries; the limit is {MAX_ENTRIES}.", field="file")
    if len(contents["people"]) > MAX_GUESTS:
        raise Refusal(f"The file has {len(contents['people'])} people; the limit is {MAX_GUESTS}.", field="file")
    known = range(1, len(contents["people"]) + 1)
    unknown: list[str] = []
    entries, more = drop_unknown_keys([_entry_from_json(row, known, unknown) for row in rows])
    state, differences = judge(entries)
    acts = {entry.number: entry.act for entry in entries}
    for entry in entries:
        for person in find_person_ids(entry, acts):
            if person not in known:
                raise Refusal(f"Entry {entry.number} names person {person}, who is not in the file.", field="file")
    members = tuple((int(row["person"]), _parse_moment(row["since"])) for row in contents["members"])
    if any(person not in known for person, _ in members):
        raise Refusal("A member of the campaign is missing from the file's people.", field="file")
    if len({person for person, _ in members}) != len(members):
        raise Refusal("A member of the campaign is in the file twice.", field="file")
    if contents["visibility"] not in Campaign.Visibility.values:
        raise Refusal("The file does not say who can see the campaign.", field="file")
    people = tuple(_file_person(number, row, state) for number, row in enumerate(contents["people"], 1))
    return ImportPreview(
        name=clean_name(state.name, "name of the campaign", is_new=False),
        visibility=contents["visibility"],
        founded_at=_parse_moment(contents["founded_at"]),
        entries=entries,
        entered=tuple(_parse_moment(row["entered_at"]) for row in rows),
        people=people,
        members=members,
        state=state,
        differences=differences,
        is_edited=opened.is_edited,
        other_rules=opened.rules != RULES_VERSION,
        ignored=(*unknown, *more),
    )


def _entry_from_json(row: export_and_import.Json, known: range, unknown: list[str]) -> ChronicleEntry:
    number = row["number"]
    if isinstance(number, bool) or not isinstance(number, int):
        raise Refusal(f"An entry has the number {number!r}.", field="file")
    for field, kind in (("act", str), ("played_on", str), ("body", dict), ("effects", list)):
        if not isinstance(row[field], kind):
            raise Refusal(f"Entry {number} is incomplete: {field} is missing.", field="file")
    for field in ("by", "for"):
        if row.get(field) is not None and row[field] not in known:
            raise Refusal(f"Entry {number} names person {row[field]!r}, who is not in the file.", field="file")
    try:
        effects = codec.read_effects(row["effects"], lambda path: unknown.append(f"entry {number}: {path}"))
    except Refusal as refusal:
        raise Refusal(f"Entry {number} is invalid: {refusal.sentence}", field="file") from refusal
    return ChronicleEntry(number, row["act"], row["body"], effects, row["played_on"], row.get("by"), row.get("for"))


def _parse_moment(text: str) -> dt.datetime:
    moment = parse_datetime(text)
    if moment is None or moment.tzinfo is None:
        raise Refusal(f"{text!r} is not a valid time.", field="file")
    return moment


def _file_person(number: int, row: export_and_import.Json, state: State) -> FilePerson:
    rules = tuple(kingdom.name for kingdom in state.ruled_by({number}))
    arms = Arms.from_dict(row["arms"]) if row.get("arms") else None
    return FilePerson(number, clean_name(row["name"], is_new=False), arms, rules, number in state.masters)


def import_campaign(who: Who, arrival: ImportPreview, *, key: str, me: int | None) -> Campaign:
    """Create a campaign from a file. Its people are guests of the importer; ``me`` is which of them the importer is."""
    person = who.require_person()
    log_services.check_key(key)
    if me is not None and not 1 <= me <= len(arrival.people):
        raise Refusal("Choose one of the people in the file, or none.", field="me")
    founding_key = f"{who.ref}/{key}"
    if before := Campaign.objects.filter(founding_key=founding_key).first():
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
    for row in arrival.people:
        if row.number == me:
            ids[row.number] = person.pk
        else:
            blazon = row.arms.to_dict() if row.arms else {}
            ids[row.number] = Person.objects.create(name=row.name, blazon=blazon, keeper=person).pk
    acts = {entry.number: entry.act for entry in arrival.entries}
    entries = [replace_person_ids(entry, ids.__getitem__, acts) for entry in arrival.entries]
    log = log_services.create_log("campaign")
    Entry.objects.bulk_create(
        [_entry_as_row(log.pk, entry, at) for entry, at in zip(entries, arrival.entered, strict=True)], batch_size=500
    )
    log.length = len(entries)
    log_services.add_to_size(
        log, sum(log_services.entry_size(entry.body, codec.write_effects(entry.effects)) for entry in entries)
    )
    if me is None or me not in arrival.state.masters:
        _add_master(log_services.LogWriter(log), person, arrival.state)
    log.save(update_fields=["length", "size"])
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
    services.update_projections(campaign, selectors.refold(campaign))
    for entry in entries:
        if entry.act == "season_closed":
            services.save_season_page(campaign, entry.number, entries)
    return campaign


def _entry_as_row(log_id: int, entry: ChronicleEntry, entered_at: dt.datetime) -> Entry:
    return Entry(
        log_id=log_id,
        number=entry.number,
        act=entry.act,
        actor_id=entry.actor,
        on_behalf_of_id=entry.on_behalf_of,
        body=entry.body,
        effects=codec.write_effects(entry.effects),
        played_on=dt.date.fromisoformat(entry.played_on),
        entered_at=entered_at,
    )


def _add_master(writer: log_services.LogWriter, person: Person, state: State) -> None:
    """The importer becomes a game master too; an entry says so."""
    act = ShareMaster(person.pk)
    body = codec.write_body(act, options=state.options, entry=writer.log.length + 1)
    writer.append(act.key, actor=person.pk, body=body, effects=codec.write_effects(act.decide(state, state.rules())))


# --- Archive or delete ---------------------------------------------------------------------------------------


def set_archived(campaign: Campaign, archived: bool) -> None:
    """Make it read-only, or take it out of the archive again."""
    with transaction.atomic():
        log_services.bump_versions(campaign.log_id)  # waits for writes in progress
        rows = Campaign.objects.filter(pk=campaign.pk)
        if archived:
            rows.filter(archived_at=None).update(archived_at=timezone.now())
        else:
            rows.update(archived_at=None)


def delete_campaign(campaign: Campaign, *, typed: str, exported: bool) -> None:
    """Delete it with its chronicle: only if archived, exported, and its name is typed."""
    if not campaign.archived_at:
        raise Refusal("Archive the campaign first, so that nobody adds to it.", status=409)
    if not exported:
        raise Refusal("Download the campaign's file first. It is all that will be left.", status=409)
    if " ".join(typed.split()).casefold() != campaign.name.casefold():
        raise Refusal("That is not the name of the campaign.", field="name")
    with transaction.atomic():
        Pass.objects.filter(kind=KIND, target=campaign.pk).delete()
        campaign.delete()
        # The campaign points at its log, so the log goes second; its entries and receipts go with it.
        Log.objects.filter(pk=campaign.log_id).delete()
