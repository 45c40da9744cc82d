"""A play as plain values: what was played, when, by whom, and how it ended. Knows no Django.

``complete_play`` works out places and winners once, when a play is entered or read from a file.
Standings and recaps then only read ``place`` and ``won``.
"""

import datetime as dt
import re
import uuid as uuids
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, ClassVar

import dataclass_json
from dataclass_json import STORED, TextForm
from refusal import Refusal

MAX_PLAYERS = 100
MAX_MINUTES = 7 * 24 * 60
MAX_NAME = 80
MAX_SCORE = 60
MAX_NOTES = 10_000
EARLIEST_DAY = dt.date(1900, 1, 1)
LARGEST_SCORE = Decimal(10) ** 12
DAY_ENDS = dt.time(5)


class Scoring(StrEnum):
    HIGH = "high"
    LOW = "low"
    NONE = "none"
    COOPERATIVE = "cooperative"

    @property
    def label(self) -> str:
        return _SCORING_LABELS[self]


_SCORING_LABELS = {
    Scoring.HIGH: "Most points win",
    Scoring.LOW: "Fewest points win",
    Scoring.NONE: "No points",
    Scoring.COOPERATIVE: "Cooperative",
}


@dataclass(frozen=True, slots=True)
class Variant:
    """How a game was played. Plays of different variants are never averaged or rated together."""

    solo: bool = False
    family: bool = False
    brisk: bool = False
    deck: str = ""
    bots: bool = False
    roles: bool = False

    @property
    def key(self) -> str:
        """Short and stable: ``""`` for the usual game, ``"brisk,bots,deck:Feast"`` for others."""
        words = [name for name in _VARIANT_LABELS if getattr(self, name)]
        return ",".join([*words, f"deck:{self.deck}"] if self.deck else words)

    @property
    def label(self) -> str:
        words = [label for name, label in _VARIANT_LABELS.items() if getattr(self, name)]
        return ", ".join([*words, f"deck “{self.deck}”"] if self.deck else words)

    @classmethod
    def from_key(cls, key: str) -> "Variant":
        """The reverse of ``key``. The deck comes last, so its name may hold commas."""
        words, _, deck = key.partition("deck:")
        names = set(words.strip(",").split(","))
        return cls(deck=deck, **{name: name in names for name in _VARIANT_LABELS})


_VARIANT_LABELS = {
    "solo": "solo",
    "family": "family game",
    "brisk": "brisk",
    "bots": "with bots",
    "roles": "with roles",
}


@dataclass(frozen=True, slots=True)
class PlayerResult:
    """One player of a play. ``person`` is the key of a person, the same in all their plays."""

    person: str
    name: str
    score: Decimal | None = None
    score_text: str = ""
    team: str = ""
    role: str = ""
    place: int | None = None
    won: bool = False
    started: bool = False
    new: bool = False
    bot: bool = False


@dataclass(frozen=True, slots=True)
class PlayFacts:
    writes_defaults: ClassVar[bool] = True  # as JSON, too

    uuid: str
    game: str
    game_name: str
    day: dt.date
    players: tuple[PlayerResult, ...]
    scoring: Scoring = Scoring.HIGH
    variant: Variant = field(default_factory=Variant)
    started_at: dt.datetime | None = None
    logged_at: dt.datetime | None = None
    minutes: int | None = None
    rated: bool = True
    counted: bool = True  # False: kept, but left out of all statistics
    location: str = ""
    board: str = ""
    notes: str = ""

    @property
    def order(self) -> tuple[dt.date, float, str]:
        """Plays are listed in this order: by day, then by hour as far as it is known."""
        moment = self.started_at or self.logged_at
        return self.day, moment.timestamp() if moment else float("inf"), self.uuid

    @property
    def people(self) -> tuple[PlayerResult, ...]:
        return tuple(player for player in self.players if not player.bot)

    @property
    def winners(self) -> tuple[PlayerResult, ...]:
        return tuple(player for player in self.players if player.won)

    @property
    def is_solo(self) -> bool:
        return self.variant.solo or len(self.players) == 1

    @property
    def is_contest(self) -> bool:
        """Somebody can beat somebody else: not solo, not cooperative."""
        return not self.is_solo and self.scoring is not Scoring.COOPERATIVE

    @property
    def has_teams(self) -> bool:
        return any(player.team for player in self.players)


# A play as JSON, in the log and over the API.
PlayJson = dict[str, Any]

dataclass_json.register_text_form(Variant, TextForm(Variant.from_key, lambda variant: variant.key, "a variant"))


def play_to_json(play: PlayFacts) -> PlayJson:
    """Only what is not as usual in a player, so that a log holds many plays."""
    body: PlayJson = dataclass_json.write(play)
    return body


def play_from_json(body: Mapping[str, Any]) -> PlayFacts:
    """Missing fields have their usual value."""
    return dataclass_json.read(PlayFacts, body, STORED)


def new_uuid() -> str:
    return str(uuids.uuid4())


_SCORE = re.compile(r"[+-]?\s*(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:\s*[+-]\s*(?:\d+(?:[.,]\d*)?|[.,]\d+))*")
_TERM = re.compile(r"([+-]?)\s*(\d+(?:[.,]\d*)?|[.,]\d+)")


def read_score(text: str, field: str = "score") -> Decimal | None:
    """A score as people write it: ``42``, ``-3``, ``12,5`` or a sum like ``12+30``. Empty is none."""
    plain = text.strip().translate({0x2212: "-", 0x2013: "-"})
    if not plain:
        return None
    if len(plain) > MAX_SCORE or not plain.isascii() or not _SCORE.fullmatch(plain):
        raise Refusal(f"“{text.strip()[:MAX_SCORE]}” is not a score. Enter a number or a sum like 12+30.", field=field)
    try:
        total = sum(
            (Decimal(sign + number.replace(",", ".")) for sign, number in _TERM.findall(plain)), start=Decimal(0)
        )
    except InvalidOperation:
        raise Refusal("Enter a number or a sum like 12+30.", field=field) from None
    if abs(total) > LARGEST_SCORE:
        raise Refusal("That score is too large.", field=field)
    return total


def format_score(score: Decimal | None) -> str:
    """``12``, ``12.5`` or ``−3``; empty where there is none."""
    if score is None:
        return ""
    text = f"{score.normalize():f}" if score else "0"
    return f"−{text[1:]}" if text.startswith("-") else text


def day_of(moment: dt.datetime, zone: dt.tzinfo) -> dt.date:
    """The evening a moment belongs to: before 05:00 it is still the day before."""
    local = moment.astimezone(zone)
    return local.date() - dt.timedelta(days=1) if local.time() < DAY_ENDS else local.date()


def end_of_day(day: dt.date, zone: dt.tzinfo) -> dt.datetime:
    return dt.datetime.combine(day + dt.timedelta(days=1), DAY_ENDS, tzinfo=zone)


def format_day(day: dt.date) -> str:
    """``5 March 2026``."""
    return f"{day.day} {day:%B %Y}"


def check_play(play: PlayFacts, today: dt.date) -> None:
    """Refuse a play that cannot be true, with a sentence at the field concerned."""
    if not play.game_name.strip():
        raise Refusal("Choose a game or enter its name.", field="game")
    _check_length(play.game_name, MAX_NAME, "The game's name", "game")
    if not play.people:
        raise Refusal("Add at least one player.", field="players")
    if len(play.players) > MAX_PLAYERS:
        raise Refusal(f"A play has at most {MAX_PLAYERS} players.", field="players")
    if play.day > today:
        raise Refusal("The date is in the future. Enter the day you played.", field="day")
    if play.day < EARLIEST_DAY:
        raise Refusal("Enter a valid date.", field="day")
    if play.minutes is not None and not 0 <= play.minutes <= MAX_MINUTES:
        raise Refusal("Enter the length in minutes, at most 7 days.", field="minutes")
    _check_length(play.notes, MAX_NOTES, "The notes", "notes")
    _check_length(play.location, MAX_NAME, "The place", "location")
    _check_players(play.players, play.scoring)


def _check_players(players: Sequence[PlayerResult], scoring: Scoring) -> None:
    seen: dict[str, str] = {}
    for at, player in enumerate(players):
        if not player.name.strip():
            raise Refusal(f"Player {at + 1} has no name.", field=f"name-{at}")
        _check_length(player.name, MAX_NAME, "A name", f"name-{at}")
        _check_length(player.team, MAX_NAME, "A team's name", f"team-{at}")
        _check_length(player.role, MAX_NAME, "A role", f"role-{at}")
        if player.person and player.person in seen:
            raise Refusal(f"{player.name} is on the list twice.", field=f"name-{at}")
        seen[player.person] = player.name
        if scoring in (Scoring.HIGH, Scoring.LOW) and player.score is None:
            read_score(player.score_text, f"score-{at}")
        if player.place is not None and not 1 <= player.place <= len(players):
            raise Refusal(f"A place is a number from 1 to {len(players)}.", field=f"place-{at}")


def _check_length(text: str, most: int, what: str, field: str) -> None:
    if len(text) > most:
        raise Refusal(f"{what} can have at most {most:,} characters.", field=field)


def is_rated_by_default(variant: Variant, scoring: Scoring, players: Iterable[PlayerResult]) -> bool:
    """Bots, solo and cooperative games are not rated unless somebody chooses so."""
    everybody = tuple(players)
    return not (
        variant.bots
        or variant.solo
        or scoring is Scoring.COOPERATIVE
        or len(everybody) < 2
        or any(player.bot for player in everybody)
    )


def complete_play(play: PlayFacts) -> PlayFacts:
    """The play with every score read, and with places and winners worked out from what is known.

    A marked winner comes before any score, which is how tie-breaks are entered. A team has one place.
    """
    players = tuple(_with_score(player, play.scoring) for player in play.players)
    if not play.is_contest:
        return replace(play, players=tuple(replace(player, place=None) for player in players))
    places = _rank_sides(players, play.scoring)
    if places is None:
        return replace(play, players=players)
    chosen = any(player.won for player in players)
    return replace(
        play,
        players=tuple(
            replace(
                player,
                place=places[_side(at, player)],
                won=player.won or (not chosen and places[_side(at, player)] == 1),
            )
            for at, player in enumerate(players)
        ),
    )


def _with_score(player: PlayerResult, scoring: Scoring) -> PlayerResult:
    if player.score is not None:
        return player if player.score_text else replace(player, score_text=format_score(player.score))
    try:
        return replace(player, score=read_score(player.score_text))
    except Refusal:
        if scoring in (Scoring.HIGH, Scoring.LOW):
            raise
        return player  # "rescued" or "escaped": words beside a game without points


def _side(at: int, player: PlayerResult) -> str:
    return f"team {player.team}" if player.team else f"player {at}"


def _rank_sides(players: Sequence[PlayerResult], scoring: Scoring) -> dict[str, int] | None:
    """The place of each team or single player; None where nothing says who did better."""
    sides: dict[str, list[PlayerResult]] = {}
    for at, player in enumerate(players):
        sides.setdefault(_side(at, player), []).append(player)
    strengths = {name: _strength(members, scoring) for name, members in sides.items()}
    if len(set(strengths.values())) == 1 and not _is_known_draw(players, scoring):
        return None
    ordered = sorted(strengths.values())
    return {name: ordered.index(strength) + 1 for name, strength in strengths.items()}


def _strength(members: Sequence[PlayerResult], scoring: Scoring) -> tuple[bool, int, Decimal]:
    """Smaller is better: marked winners, then given places, then points."""
    lost = not any(member.won for member in members)
    place = min((member.place for member in members if member.place), default=MAX_PLAYERS + 1)
    scores = [member.score for member in members if member.score is not None]
    if not scores or scoring not in (Scoring.HIGH, Scoring.LOW):
        return lost, place, LARGEST_SCORE + 1
    return lost, place, -max(scores) if scoring is Scoring.HIGH else min(scores)


def _is_known_draw(players: Sequence[PlayerResult], scoring: Scoring) -> bool:
    if any(player.won or player.place for player in players):
        return True
    return scoring in (Scoring.HIGH, Scoring.LOW) and any(player.score is not None for player in players)
