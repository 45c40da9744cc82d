"""Writes of the shelf: games and their facts."""

from dataclasses import dataclass
from typing import Annotated, ClassVar

from django.db import IntegrityError

from cardgames.games import SHELF, house_deck
from dataclass_json import Ask, Clean, Text, Whole
from gamenights.nights.models import Night
from gamenights.nights.permissions import require_part
from gamenights.plays.services import find_or_add_game
from gamenights.plays.values import MAX_NAME, Scoring
from gamenights.shelf.models import Game, GameVote
from gamenights.shelf.selectors import OWN
from groups.entries import Act
from groups.models import Group
from groups.permissions import require_member
from groups.services import write_to_log
from log.services import LogWriter
from pages.fields.columns_and_rows import put
from pages.number_parsing import parse_int
from people.name_validation import clean_text
from people.requester import Who
from refusal import Refusal

MAX_GAMES = 2000
ON_SHELF = "This game is already on the shelf."

Players = Annotated[int, Whole("The number of players", 1, 100)]
Minutes = Annotated[int, Whole("The minutes", 1, 10_000)]
BggId = Annotated[int, Whole("The number on BoardGameGeek", 1, 2_000_000_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveGame:
    """A game to add or to change. ``bgg_id`` is its number on BoardGameGeek."""

    name: Annotated[str, Text("The name", MAX_NAME), Clean(clean_text), Ask("Name")]
    players_min: Annotated[Players | None, Ask("Fewest players")] = None
    players_max: Annotated[Players | None, Ask("Most players")] = None
    minutes: Annotated[Minutes | None, Ask("Minutes")] = None
    scoring: Annotated[Scoring, Ask("How to win")] = Scoring.HIGH
    bgg_id: Annotated[BggId | None, Ask("Number on BoardGameGeek")] = None
    on_shelf: Annotated[bool, Ask("We own it; suggest it")] = True
    writes_defaults: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class VoteForGame:
    """A vote for a game of the night, by the game's number."""

    game: Annotated[str, Text("The game", 40)]


ACTS = {"game_added": Act(SaveGame, about=("game",)), "game_changed": Act(SaveGame, about=("game",))}


def save_game(group: Group, who: Who, key: str, sent: SaveGame, *, game: Game | None) -> Game:
    """Add a game to the shelf, or change its facts."""
    require_member(group, who)
    if sent.players_min and sent.players_max and sent.players_min > sent.players_max:
        raise Refusal("The most players must be at least the fewest.", field="players_max")

    def change(_: LogWriter) -> dict[str, object]:
        games = Game.objects.filter(group=group)
        if games.filter(name_key=sent.name.casefold()).exclude(pk=game.pk if game else None).exists():
            raise Refusal(ON_SHELF, field="name")
        if game is None and games.count() >= MAX_GAMES:
            raise Refusal(f"A shelf holds at most {MAX_GAMES:,} games.", field="name")
        row = game or Game(group=group)
        put(row, sent)
        row.save()
        return {"game": row.pk}

    try:
        act = "game_changed" if game else "game_added"
        answer = write_to_log(group, who, key, act, change, sent, game=game.pk if game else None)
    except IntegrityError:
        raise Refusal(ON_SHELF, field="name") from None
    return Game.objects.get(pk=answer["game"])


# ── Votes for a game of the night ──────────────────────────────────────────────────────────────────────


def vote_for_game(night: Night, who: Who, *, key: str, game: str) -> None:
    """Vote for a game tonight; a second vote takes the first back."""
    require_part(night, who)
    person = who.require_person()
    wanted = _find_game(night.group, game)

    def change(_: LogWriter) -> dict[str, object]:
        mine = GameVote.objects.filter(night=night, game=wanted, person__in=person.all_ids())
        if mine.exists():
            mine.delete()
            return {"votes": False}
        GameVote.objects.create(night=night, game=wanted, person=person)
        return {"votes": True}

    write_to_log(night.group, who, key, "game_vote", change, night=night.pk, game=wanted.pk)


def _find_game(group: Group, key: str) -> Game:
    own = key.removeprefix(OWN)
    if key.startswith(OWN) and own in SHELF:
        low, high = SHELF[own].seat_limits(house_deck(own))
        facts = {"own_key": own, "players_min": low, "players_max": high}
        return Game.objects.filter(group=group, own_key=own).first() or find_or_add_game(group, SHELF[own].title, facts)
    game = Game.objects.filter(group=group, pk=parse_int(key) or 0).first()
    if game is None:
        raise Refusal("This game is not on the shelf.", field="game", status=404)
    return game
