"""A file of plays compared with the group, and its preview as the job found it and as page and API show it."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import dataclass_json
from dataclass_json import Ask, PageOnly, stored_as
from gamenights.plays.models import Play
from gamenights.plays.values import PlayFacts
from gamenights.shelf.models import Game
from gamenights.transfer.core import FileGame, FilePerson, LeftOut, PlaysFile
from gamenights.transfer.core.parsed_plays import read_key
from gamenights.transfer.models import PersonKey, PlaysUpload, own_game_key, own_key
from groups.models import Group
from groups.selectors import people_of
from jobs.models import State
from people.models import Person
from refusal import Refusal

NEW = "new"
MAX_LISTED = 100
# Each is a question on the page.
MAX_DOUBTFUL = 300


# ── Compared with the group ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FoundDoubtful:
    """A person of the file with a name that people here have too. The importer says who it is."""

    key: str
    name: str
    plays: int
    namesakes: tuple[int, ...]  # ids of people here

    @property
    def field(self) -> str:
        return f"person-{self.key}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Which people, games and plays of a file are new, known or doubtful."""

    new_plays: tuple[PlayFacts, ...]
    known_plays: int
    new_people: tuple[FilePerson, ...]
    known_people: Mapping[str, int]  # key in the file to id here
    doubtful: tuple[FoundDoubtful, ...]
    new_games: tuple[FileGame, ...]
    known_games: Mapping[str, int]
    left_out: tuple[LeftOut, ...]


def compare_with_group(group: Group, file: PlaysFile) -> Comparison:
    uuids = set(Play.objects.filter(group=group).values_list("uuid", flat=True))
    here = uuids | {read_key("play", uuid) for uuid in uuids}
    new_plays = tuple(play for play in file.plays if play.uuid not in here)
    counts = Counter(player.person for play in new_plays for player in play.players if player.person)
    known = known_keys(group)
    unknown = [person for person in file.people if person.key in counts and person.key not in known]
    by_name: dict[str, list[int]] = defaultdict(list)
    for member in people_of(group):
        by_name[member.name.casefold()].append(member.pk)
    games = {play.game for play in new_plays}
    known_games = _match_games(group, file)
    return Comparison(
        new_plays=new_plays,
        known_plays=len(file.plays) - len(new_plays),
        new_people=tuple(person for person in unknown if person.name.casefold() not in by_name),
        known_people={key: known[key] for key in counts if key in known},
        doubtful=tuple(
            FoundDoubtful(person.key, person.name, counts[person.key], tuple(by_name[person.name.casefold()]))
            for person in unknown
            if person.name.casefold() in by_name
        ),
        new_games=tuple(game for game in file.games if game.key in games and game.key not in known_games),
        known_games=known_games,
        left_out=file.left_out,
    )


def known_keys(group: Group) -> dict[str, int]:
    """Keys of people whom somebody confirmed, and those that our own exports give out."""
    given_out = {own_key(group, person.pk): person.pk for person in people_of(group)}
    rows = PersonKey.objects.filter(group=group, person__forgotten_at=None).select_related("person")
    return given_out | {row.key: row.person.merged_into_id or row.person_id for row in rows}


def _match_games(group: Group, file: PlaysFile) -> dict[str, int]:
    rows = list(Game.objects.filter(group=group).values_list("pk", "uuid", "name_key"))
    by_key = {read_key("game", uuid): pk for pk, uuid, _ in rows if uuid}
    by_key |= {own_game_key(group, pk): pk for pk, _, _ in rows}
    by_name = {name: pk for pk, _, name in rows}
    matches = {game.key: by_key.get(game.key) or by_name.get(game.name.casefold()) for game in file.games}
    return {key: pk for key, pk in matches.items() if pk}


# ── Stored ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class FoundLeftOut:
    api_name = "LeftOut"

    which: str
    why: str


@dataclass(frozen=True, slots=True)
class Preview:
    """Lists name the first ``MAX_LISTED``; the numbers count all."""

    new_plays: int
    known_plays: int
    new_people: int
    known_people: int
    new_games: int
    left_out: int
    new_people_names: tuple[str, ...]
    new_games_names: tuple[str, ...]
    left_out_rows: tuple[FoundLeftOut, ...]
    doubtful: tuple[FoundDoubtful, ...]


def make_preview(comparison: Comparison) -> Preview:
    if len(comparison.doubtful) > MAX_DOUBTFUL:
        raise Refusal(
            f"More than {MAX_DOUBTFUL} people of this file have the name of somebody here. Import it in parts.",
            field="file",
        )
    return Preview(
        new_plays=len(comparison.new_plays),
        known_plays=comparison.known_plays,
        new_people=len(comparison.new_people),
        known_people=len(comparison.known_people),
        new_games=len(comparison.new_games),
        left_out=len(comparison.left_out),
        new_people_names=tuple(person.name for person in comparison.new_people[:MAX_LISTED]),
        new_games_names=tuple(game.name for game in comparison.new_games[:MAX_LISTED]),
        left_out_rows=tuple(FoundLeftOut(row.which, row.why) for row in comparison.left_out[:MAX_LISTED]),
        doubtful=comparison.doubtful,
    )


def read_preview(upload: PlaysUpload) -> Preview:
    """What the job found in the file."""
    if not upload.is_checked:
        raise Refusal("The file has not been checked yet.", status=409)
    return dataclass_json.read(Preview, upload.found)


def find_namesakes(preview: Preview) -> dict[int, Person]:
    """People here whose name somebody in the file has, by their id."""
    people: dict[int, Person] = Person.objects.in_bulk({pk for row in preview.doubtful for pk in row.namesakes})
    return people


# ── Shown ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Namesake:
    pk: PageOnly[int]
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Someone in the file with a name that people here have too."""

    key: Annotated[str, Ask("Person", "their key in the file")] = field(metadata=stored_as("person"))
    name: str
    plays: int
    namesakes: tuple[Namesake, ...]
    input: PageOnly[str]  # the name of its field in the form


def build_doubtful(preview: Preview) -> tuple[Doubtful, ...]:
    people = find_namesakes(preview)
    return tuple(
        Doubtful(
            row.key,
            row.name,
            row.plays,
            tuple(Namesake(pk, people[pk].code, people[pk].name) for pk in row.namesakes if pk in people),
            row.field,
        )
        for row in preview.doubtful
    )


@dataclass(frozen=True, slots=True)
class UploadDisplay:
    """A file that is still being checked, or could not be."""

    api_name = "PlaysUpload"

    state: State
    error: str


FIRST = Ask("Names", f"the first {MAX_LISTED}")


@dataclass(frozen=True, slots=True)
class PreviewDisplay(UploadDisplay):
    """What a checked file would add, who is doubtful, and what is left out."""

    api_name = "PlaysPreview"

    new_plays: int
    known_plays: int
    new_people: Annotated[tuple[str, ...], FIRST]
    new_people_count: int
    new_games: Annotated[tuple[str, ...], FIRST]
    new_games_count: int
    doubtful: tuple[Doubtful, ...]
    left_out: Annotated[tuple[FoundLeftOut, ...], FIRST]
    left_out_count: int


def build_preview(upload: PlaysUpload) -> UploadDisplay | PreviewDisplay:
    job = upload.job
    assert job is not None
    state = State(job.state)
    if not upload.is_checked:
        return UploadDisplay(state, job.error)
    preview = read_preview(upload)
    return PreviewDisplay(
        state=state,
        error=job.error,
        new_plays=preview.new_plays,
        known_plays=preview.known_plays,
        new_people=preview.new_people_names,
        new_people_count=preview.new_people,
        new_games=preview.new_games_names,
        new_games_count=preview.new_games,
        doubtful=build_doubtful(preview),
        left_out=preview.left_out_rows,
        left_out_count=preview.left_out,
    )
