"""What a file of plays would add: as the job found it, and as the page and the API show it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from dataclass_json import Ask, PageOnly, stored_as
from gamenights.transfer.comparison_with_group import Comparison
from jobs.models import Job, State
from people.models import Person
from refusal import Refusal

MAX_LISTED = 100
# Each is a question on the page.
MAX_DOUBTFUL = 300


@dataclass(frozen=True, slots=True)
class FoundDoubtful:
    """Someone of the file with a name that people here have too."""

    key: str
    name: str
    plays: int
    namesakes: tuple[int, ...]  # ids of people here

    @property
    def field(self) -> str:
        return f"person-{self.key}"


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


def make_preview(found: Comparison) -> Preview:
    if len(found.doubtful) > MAX_DOUBTFUL:
        raise Refusal(
            f"More than {MAX_DOUBTFUL} people of this file have the name of somebody here. Import it in parts.",
            field="file",
        )
    return Preview(
        new_plays=len(found.new_plays),
        known_plays=found.known_plays,
        new_people=len(found.new_people),
        known_people=len(found.known_people),
        new_games=len(found.new_games),
        left_out=len(found.left_out),
        new_people_names=tuple(person.name for person in found.new_people[:MAX_LISTED]),
        new_games_names=tuple(game.name for game in found.new_games[:MAX_LISTED]),
        left_out_rows=tuple(FoundLeftOut(one.which, one.why) for one in found.left_out[:MAX_LISTED]),
        doubtful=tuple(
            FoundDoubtful(one.person.key, one.person.name, one.plays, tuple(person.pk for person in one.namesakes))
            for one in found.doubtful
        ),
    )


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


def build_preview(job: Job, preview: Preview | None) -> UploadDisplay | PreviewDisplay:
    upload = UploadDisplay(State(job.state), job.error)
    if preview is None:
        return upload
    return PreviewDisplay(
        state=upload.state,
        error=upload.error,
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
