"""Which games fit the people and the time at hand, each with a reason. Pure."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

RECENT = dt.timedelta(days=14)
LONG_AGO = dt.timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game of the shelf. ``key`` is whatever the caller knows it by."""

    key: str
    name: str
    players_min: int | None = None
    players_max: int | None = None
    minutes: int | None = None
    cooperative: bool = False
    plays: int = 0
    last_played: dt.date | None = None
    voters: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Suggestion:
    game: Candidate
    fits: bool
    about: str
    reason: str


def suggest_games(
    games: Iterable[Candidate], *, people: int, today: dt.date, minutes: int | None = None
) -> list[Suggestion]:
    """Games with votes first, then what fits best. What does not fit comes last and says why."""
    suggestions = [_suggest(game, people, minutes, today) for game in games]
    return sorted(
        suggestions, key=lambda row: (-len(row.game.voters), not row.fits, -_score(row.game, today), row.game.name)
    )


def _suggest(game: Candidate, people: int, minutes: int | None, today: dt.date) -> Suggestion:
    why_not = _why_not(game, people, minutes)
    return Suggestion(game, not why_not, describe_game(game), why_not or _why(game, people, today))


def _why_not(game: Candidate, people: int, minutes: int | None) -> str:
    if people and game.players_max is not None and people > game.players_max:
        return f"{people} people are too many"
    if people and game.players_min is not None and people < game.players_min:
        return f"needs {game.players_min} people"
    if minutes is not None and game.minutes is not None and game.minutes > minutes:
        return f"takes longer than {minutes} min"
    return ""


def _why(game: Candidate, people: int, today: dt.date) -> str:
    if game.players_min is not None and game.players_min == game.players_max == people:
        return f"made for {people}"
    if game.last_played is None:
        return "never played here"
    if today - game.last_played > LONG_AGO:
        return f"not played since {game.last_played.day} {game.last_played:%B}"
    return f"played {game.plays} times" if game.plays > 1 else "played once"


def _score(game: Candidate, today: dt.date) -> float:
    """Liked and not played lately."""
    if game.last_played is None:
        return 2.5
    return min(game.plays, 10) / 2 - (4 if today - game.last_played < RECENT else 0)


def describe_game(game: Candidate) -> str:
    """Such as "2 to 4, 45 min, cooperative"."""
    words = [describe_players(game.players_min, game.players_max)]
    if game.minutes:
        words.append(f"{game.minutes} min")
    if game.cooperative:
        words.append("cooperative")
    return ", ".join(word for word in words if word)


def describe_players(low: int | None, high: int | None) -> str:
    if low is None and high is None:
        return ""
    if low == high:
        return f"exactly {low}"
    if high is None:
        return f"{low} or more"
    return f"up to {high}" if low is None else f"{low} to {high}"


def best_fit(suggestions: Sequence[Suggestion], most: int) -> list[Suggestion]:
    """What to show: everything with votes, and what fits."""
    return [row for row in suggestions if row.game.voters or row.fits][:most]
