"""What a file of plays would add, as the job found it: everything the page and the API show, and no more."""

from __future__ import annotations

from dataclasses import dataclass

from gamenights.transfer.comparison_with_group import Comparison
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
    people: dict[int, Person] = Person.objects.in_bulk({pk for one in preview.doubtful for pk in one.namesakes})
    return people
