"""Upload a file of plays and import it: ordered by whoever confirms its preview, written by a job in small parts.

The job can be killed and run again at any point. A play is known by its uuid and a person by their key in the file; the
row of the upload counts what was written, in the same transaction.
"""

import contextlib
import datetime as dt
import gzip
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone

from dataclass_json import write_all
from gamenights.plays import services as plays_services
from gamenights.plays.entries import ImportPlays
from gamenights.plays.models import Play
from gamenights.plays.values import PlayFacts, day_of
from gamenights.shelf.models import Game
from gamenights.transfer.core import FileGame, FilePerson, PlaysFile, read_plays_file
from gamenights.transfer.core.parsed_plays import MAX_FILE, check_size
from gamenights.transfer.models import PersonKey, PlaysUpload
from gamenights.transfer.preview import (
    NEW,
    Comparison,
    Preview,
    compare_with_group,
    known_keys,
    make_preview,
    read_preview,
)
from groups import services as groups_services
from groups.entries import write_body
from groups.models import Group
from groups.permissions import require_member
from jobs import services as jobs_services, timers
from jobs.models import OPEN, Due, Job, State
from jobs.registry import JobContext, Outcome, Progress
from log import services as log_services
from log.models import Log
from log.services import LogWriter
from people import guests as guests_services
from people.guests import clean_person_names
from people.models import Person
from people.requester import Who
from refusal import Refusal

CHECK_JOB = "plays-file"
EXPIRY_TIMER = "plays-file"
KEEP_FOR = dt.timedelta(days=1)
MAX_BODY = MAX_FILE + 1024 * 1024  # of a request with a file
IMPORT_JOB = "plays-import"
# A part is one transaction: on SQLite all other writers wait for it.
PLAYS_AT_ONCE = 100
PEOPLE_AT_ONCE = 200
GONE = "The file was deleted. Upload it again."
CHANGED = "Upload the file again and choose who it is."


# ── The file: stored for a day, checked by a job, previewed, deleted once it is imported ─────────────────


def store_upload(group: Group, person: Person, name: str, raw: bytes) -> Job:
    """Keep the file and have it checked. Sending the same file twice checks it once."""
    check_size(raw)
    now = timezone.now()
    digest = sha256(raw).hexdigest()
    values = {
        "name": name[:200],
        "packed": gzip.compress(raw, 6),
        "at": now,
        "digest": digest,
        "found": None,
        "import_job": None,
        "imported_plays": 0,
        "imported_people": 0,
    }
    with transaction.atomic():
        before = _uploads(group, person).first()
        if before is not None and before.import_job is not None and before.import_job.is_open:
            raise Refusal("Your last file is still being imported. Wait until it is done.", status=409, field="file")
        if before is not None and before.job is not None and before.job.is_open:
            if before.digest == digest:
                return before.job
            with contextlib.suppress(Refusal):  # it has just ended
                jobs_services.cancel_job(before.job)
        row, _ = PlaysUpload.objects.update_or_create(group=group, person=person, defaults=values)
        timers.set_timer(EXPIRY_TIMER, row.pk, now + KEEP_FOR)
        row.job = jobs_services.request_job(CHECK_JOB, {"upload": row.pk}, person)
        row.save(update_fields=["job"])
        return row.job


def _uploads(group: Group, person: Person) -> QuerySet[PlaysUpload]:
    """Without the file itself, which pages do not need."""
    rows: QuerySet[PlaysUpload] = PlaysUpload.objects.filter(group=group, person=person)
    return rows.select_related("group", "job", "import_job").defer("packed")


def read_file(group: Group, raw: bytes) -> PlaysFile:
    return read_plays_file(raw, day_of(timezone.now(), group.tzinfo), group.tzinfo)


def check_upload(job: JobContext) -> Outcome:
    """The job: read the whole file and compare it with the group, in a process of its own. Pages show what it found."""
    row = PlaysUpload.objects.select_related("group").filter(pk=job.args["upload"]).first()
    if row is None:
        raise Refusal("The file was deleted. Upload it again.")
    job.progress("Reading the plays")
    file = read_file(row.group, gzip.decompress(bytes(row.packed)))
    job.progress("Comparing them with yours")
    preview = make_preview(compare_with_group(row.group, file))
    job.progress("Done", len(file.plays), len(file.plays))
    return Outcome({"plays": len(file.plays), "left_out": preview.left_out, "preview": write_all(preview)})


def save_preview(job: Job) -> None:
    """What the file holds goes with the file, and is deleted with it."""
    facts = dict(job.result)
    PlaysUpload.objects.filter(pk=job.args["upload"], job=job).update(found=facts.pop("preview"))
    Job.objects.filter(pk=job.pk).update(result=facts)


def find_pending(group: Group, person: Person) -> PlaysUpload | None:
    return _uploads(group, person).filter(at__gte=timezone.now() - KEEP_FOR).first()


def delete_upload(row: PlaysUpload) -> None:
    timers.cancel_timer(EXPIRY_TIMER, row.pk)
    row.delete()


def delete_old_upload(due: Due) -> None:
    old = PlaysUpload.objects.filter(at__lt=timezone.now() - KEEP_FOR + dt.timedelta(seconds=1))
    old.exclude(import_job__state__in=OPEN).delete()


# ── The order ────────────────────────────────────────────────────────────────────────────────────────────


def order_import(group: Group, who: Who, *, key: str, upload: PlaysUpload, answers: Mapping[str, str]) -> Job:
    """Have a checked file imported. ``answers`` says for each doubtful person which person here they are, or ``new``.

    Confirming it twice imports it once.
    """
    require_member(group, who)
    log_services.check_key(key)
    with transaction.atomic():
        row = PlaysUpload.objects.select_for_update().defer("packed").filter(pk=upload.pk, digest=upload.digest).first()
        if row is None:
            raise Refusal(GONE, status=409)
        if row.import_job is not None and row.import_job.is_open:
            return row.import_job
        args = {
            "upload": row.pk,
            "digest": row.digest,
            "group": group.code,
            "answers": _read_answers(read_preview(row), answers),
        }
        row.import_job = jobs_services.request_job(IMPORT_JOB, args, who.require_person(), _job_key(group, who, key))
        row.at = timezone.now()
        row.save(update_fields=["import_job", "at"])
        timers.set_timer(EXPIRY_TIMER, row.pk, row.at + KEEP_FOR)
        return row.import_job


def find_order(group: Group, who: Who, key: str) -> Job | None:
    """The job that this key has already ordered, unless it ended without a result."""
    rows = Job.objects.asked_by(who).filter(kind=IMPORT_JOB, key=_job_key(group, who, key))
    job = rows.filter(state__in=(*OPEN, State.DONE)).first()
    if job is not None:
        pending = find_pending(group, who.require_person())
        if pending is not None and pending.digest != job.args["digest"]:
            raise Refusal("This form was already sent with different contents. Reload the page.", status=409)
    return job


def _job_key(group: Group, who: Who, key: str) -> str:
    return sha256(f"{group.pk}/{who.ref}/{key}".encode()).hexdigest()


def _read_answers(preview: Preview, answers: Mapping[str, str]) -> dict[str, str]:
    for doubtful in preview.doubtful:
        if answers.get(doubtful.field) not in {NEW, *map(str, doubtful.namesakes)}:
            raise Refusal(f"Choose who {doubtful.name} is.", field=doubtful.field)
    return {doubtful.field: answers[doubtful.field] for doubtful in preview.doubtful}


# ── The job ──────────────────────────────────────────────────────────────────────────────────────────────


def run_import(job: JobContext) -> Outcome:
    rows = PlaysUpload.objects.select_related("group", "person__merged_into")
    row = rows.filter(pk=job.args["upload"], digest=job.args["digest"]).first()
    if row is None:
        raise Refusal(GONE)
    job.progress("Reading the plays")
    file = read_file(row.group, gzip.decompress(bytes(row.packed)))
    return Outcome(import_file(row, file, job.args["answers"], job.progress))


def delete_imported(job: Job) -> None:
    """All of it is written: the file and its preview are no longer needed."""
    for row in PlaysUpload.objects.defer("packed").filter(pk=job.args["upload"], import_job=job):
        delete_upload(row)


def import_file(row: PlaysUpload, file: PlaysFile, answers: Mapping[str, str], progress: Progress) -> dict[str, int]:
    """Write what is new, in parts. Everything that can be refused is, before the first part is written."""
    group, who = row.group, Who.of(row.person)
    require_member(group, who)
    progress("Comparing them with yours")
    compared = compare_with_group(group, file)
    choice = _choose_people(group, file, compared, answers)
    clean_person_names(person.name for person in choice.new)
    _check_room(group, compared, choice)
    people = dict(choice.known)
    for start in range(0, len(choice.new), PEOPLE_AT_ONCE):
        progress("Adding the people", start, len(choice.new))
        people |= _add_people(row, who.require_person(), choice.new[start : start + PEOPLE_AT_ONCE])
    with transaction.atomic():
        _link_people(group, choice.same)
        games = _find_games(group, compared)
    plays = [_with_our_keys(play, people, games) for play in compared.new_plays]
    done = row.imported_plays
    for start in range(0, len(plays), PLAYS_AT_ONCE):
        progress("Importing the plays", done + start, done + len(plays))
        _add_plays(row, who, plays[start : start + PLAYS_AT_ONCE], answers)
    row.refresh_from_db(fields=["imported_plays", "imported_people"])
    progress("Done", row.imported_plays, row.imported_plays)
    known = len(file.plays) - row.imported_plays
    return {"plays": row.imported_plays, "people": row.imported_people, "known": known}


@contextlib.contextmanager
def _let_others_write() -> Iterator[None]:
    """Then leave the database to others for as long as it was held: whoever waits for SQLite asks now and then only."""
    begun = time.monotonic()
    yield
    time.sleep(min(time.monotonic() - begun, 0.5))


def _count(row: PlaysUpload, *, plays: int = 0, people: int = 0) -> None:
    """Part of the transaction that writes them. Refused once the job was cancelled or the file replaced."""
    ours = PlaysUpload.objects.filter(pk=row.pk, digest=row.digest, import_job__state__in=OPEN)
    if not ours.update(imported_plays=F("imported_plays") + plays, imported_people=F("imported_people") + people):
        raise Refusal("The import was stopped. What was written before stays.", status=409)


# ── People ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PeopleOfFile:
    known: Mapping[str, int]  # key in the file to id here
    same: Mapping[str, int]  # those of them whom the importer recognised just now
    new: Sequence[FilePerson]


def _choose_people(group: Group, file: PlaysFile, comparison: Comparison, answers: Mapping[str, str]) -> PeopleOfFile:
    new, same = list(comparison.new_people), {}
    keys = known_keys(group) if comparison.doubtful else {}
    of_file = {keys[person.key] for person in file.people if person.key in keys}
    for doubtful in comparison.doubtful:
        answer = answers.get(doubtful.field)
        others = set(doubtful.namesakes) - of_file
        if answer == NEW or (answer is None and not others):
            # Nobody was asked about two people of one name in the file, of whom an earlier part has added one.
            new.append(FilePerson(doubtful.key, doubtful.name))
        elif answer is None:
            raise Refusal(f"Somebody called {doubtful.name} has come to the group since the preview. {CHANGED}")
        elif answer in map(str, doubtful.namesakes):
            same[doubtful.key] = int(answer)
        else:
            raise Refusal(f"Whom you chose for {doubtful.name} has changed since. {CHANGED}")
    return PeopleOfFile({**comparison.known_people, **same}, same, new)


def _add_people(row: PlaysUpload, importer: Person, part: Sequence[FilePerson]) -> dict[str, int]:
    """People who are new become guests of the importer."""
    with _let_others_write(), transaction.atomic():
        log_services.bump_versions(row.group.log_id)  # holds the group's log
        rows = PersonKey.objects.filter(
            group=row.group, key__in=[person.key for person in part], person__forgotten_at=None
        )
        people = {known.key: known.person.merged_into_id or known.person_id for known in rows.select_related("person")}
        fresh = [person for person in part if person.key not in people]
        _count(row, people=len(fresh))
        guests = guests_services.create_guests([person.name for person in fresh], importer)
        groups_services.add_new_guests(row.group, guests)
        added = {person.key: guest.pk for person, guest in zip(fresh, guests, strict=True)}
        _link_people(row.group, added)
    return people | added


def _link_people(group: Group, people: Mapping[str, int]) -> None:
    PersonKey.objects.bulk_create(
        [PersonKey(group=group, key=key, person_id=pk) for key, pk in people.items()],
        update_conflicts=True,
        unique_fields=["group", "key"],
        update_fields=["person"],
    )


# ── Games and plays ──────────────────────────────────────────────────────────────────────────────────────


def _find_games(group: Group, compared: Comparison) -> dict[str, int]:
    Game.objects.bulk_create([_new_game(group, game) for game in compared.new_games], ignore_conflicts=True)
    by_name = dict(Game.objects.filter(group=group).values_list("name_key", "pk"))
    return {**compared.known_games, **{game.key: by_name[game.name.casefold()] for game in compared.new_games}}


def _new_game(group: Group, game: FileGame) -> Game:
    return Game(
        group=group,
        name=game.name,
        name_key=game.name.casefold(),
        scoring=game.scoring.value,
        bgg_id=game.bgg_id,
        players_min=game.fewest_players,
        players_max=game.most_players,
        minutes=game.minutes,
        uuid=game.key,
    )


def _with_our_keys(play: PlayFacts, people: Mapping[str, int], games: Mapping[str, int]) -> PlayFacts:
    players = tuple(
        replace(player, person=str(people[player.person]) if player.person else "") for player in play.players
    )
    return replace(play, game=str(games[play.game]), players=players)


def _add_plays(row: PlaysUpload, who: Who, part: Sequence[PlayFacts], answers: Mapping[str, str]) -> None:
    group = row.group
    prepared = plays_services.prepare_many(part, "imported")

    def work(writer: LogWriter) -> log_services.Answer:
        uuids = [play.uuid for play in part]
        here = set(Play.objects.filter(group=group, uuid__in=uuids).values_list("uuid", flat=True))
        fresh = [play for play in prepared if play.facts.uuid not in here]
        _count(row, plays=len(fresh))
        plays_services.append_plays(group, writer, who.require_person().pk, fresh)
        return {"plays": len(fresh)}

    act = ImportPlays(row.digest, dict(answers))
    body = {"act": act.key, **write_body(act.key, act)}
    with _let_others_write():
        log_services.write(group.log_id, who=who.ref, key=log_services.new_key(), body=body, act=work)


def _check_room(group: Group, compared: Comparison, choice: PeopleOfFile) -> None:
    """Refuse a file whose plays do not all fit into the group's log."""
    free = log_services.MAX_LOG - Log.objects.values_list("size", flat=True).get(pk=group.log_id)
    # How long the numbers of new people and games will be.
    people = dict.fromkeys((row.key for row in choice.new), _last(Person) + len(choice.new)) | dict(choice.known)
    games = dict.fromkeys((row.key for row in compared.new_games), _last(Game) + len(compared.new_games)) | dict(
        compared.known_games
    )
    for fits, play in enumerate(compared.new_plays):
        (prepared,) = plays_services.prepare_many([_with_our_keys(play, people, games)], "imported")
        free -= log_services.entry_size(prepared.body, ())
        if free < 0:
            raise Refusal(
                f"The group has room for {fits} more plays, and the file has {len(compared.new_plays)} new ones."
                " Upload a shorter period."
            )


def _last(model: type[Person] | type[Game]) -> int:
    return model.objects.aggregate(last=Max("pk"))["last"] or 0
