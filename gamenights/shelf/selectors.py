"""The games of a group with how often they were played, and what fits tonight."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Count, Max, Q

from cardgames.games import SHELF, house_deck
from gamenights.nights.models import Night
from gamenights.plays.values import Scoring
from gamenights.shelf.models import Game, GameVote
from gamenights.shelf.suggestions import Candidate, Suggestion, best_fit, suggest_games
from groups.models import Group

OWN = "own:"
MAX_SUGGESTIONS = 5


def list_games(group: Group) -> list[Game]:
    """The shelf with ``times`` and ``last`` of each game."""
    standing = Q(plays__removed_at=None)
    games = Game.objects.filter(group=group).annotate(
        times=Count("plays", filter=standing), last=Max("plays__day", filter=standing)
    )
    return list(games.order_by("name_key"))


def candidates(games: Iterable[Game], votes: dict[int, list[int]]) -> list[Candidate]:
    """Games on the shelf, and the card games of this site."""
    rows = list(games)
    fitting = [
        Candidate(
            key=str(game.pk),
            name=game.name,
            players_min=game.players_min,
            players_max=game.players_max,
            minutes=game.minutes,
            cooperative=game.scoring == Scoring.COOPERATIVE.value,
            plays=game.times,
            last_played=game.last,
            voters=tuple(votes.get(game.pk, ())),
        )
        for game in rows
        if game.on_shelf
    ]
    known = {game.own_key for game in rows}
    for key, game in SHELF.items():
        if key not in known:
            low, high = game.seat_limits(house_deck(key))
            fitting.append(Candidate(f"{OWN}{key}", game.title, low, high))
    return fitting


def suggest_for_night(night: Night, people: int, today: dt.date) -> list[Suggestion]:
    votes: dict[int, list[int]] = defaultdict(list)
    rows = GameVote.objects.filter(night=night).order_by("pk")
    for game, person, root in rows.values_list("game_id", "person_id", "person__merged_into_id"):
        votes[game].append(root or person)
    return best_fit(
        suggest_games(candidates(list_games(night.group), votes), people=people, today=today), MAX_SUGGESTIONS
    )
