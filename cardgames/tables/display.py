"""A card table ready to draw for one viewer: its seats, the game as they see it, and their choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.bots import LEVEL, LEVELS
from cardgames.drawing import DeckPictures, deck_pictures_of
from cardgames.engine import Game, RunningTable
from cardgames.engine.board import Board
from cardgames.engine.seat_view import view_of
from cardgames.games import GAMES, HOWTO, find_game
from cardgames.models import Seat, Table
from cardgames.tables import load_from_log
from cardgames.tables.activity_feed import Notice, recent_notices
from cardgames.tables.board_layout import Frame, Past, SinceLine, frame_board, lines_since
from cardgames.tables.seats import seat_change
from people.models import Pass
from people.requester import Who

State = Table.State


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat as everybody at the table sees it."""

    number: int
    name: str
    arms: Any
    bot: str
    is_free: bool
    is_mine: bool  # on this phone
    is_own: bool  # the viewer's own, on any phone
    is_asked: bool
    is_host: bool
    can_rename: bool
    claim: int | None
    is_claimed_here: bool

    @property
    def place(self) -> int:
        return self.number + 1


@dataclass(frozen=True, slots=True)
class TableDisplay:
    """A table for one viewer, without any cards."""

    table: Table
    game: Game
    version: int
    seats: list[SeatRow]
    names: list[str]
    mine: dict[int, tuple[Seat, Pass]]
    is_host: bool
    notices: list[Notice]
    # The table of the rematch.
    rematch: Table | None = None

    @property
    def code(self) -> str:
        return self.table.code

    @property
    def free_seats(self) -> list[SeatRow]:
        return [seat for seat in self.seats if seat.is_free]

    @property
    def own_seat_elsewhere(self) -> SeatRow | None:
        """The viewer's own seat, if another phone plays it."""
        return next((seat for seat in self.seats if seat.is_own and not seat.is_mine), None)

    @property
    def next_on_this_phone(self) -> str:
        """Whose turn it is among those who share this phone."""
        return next((s.name for s in self.seats if s.is_mine and s.is_asked and not s.bot), "")

    @property
    def can_start(self) -> bool:
        return self.is_host and self.table.state == State.LOBBY and all(not s.is_free or s.bot for s in self.seats)

    @property
    def levels(self) -> tuple[Any, ...]:
        return LEVELS

    @property
    def options(self) -> list[tuple[str, str]]:
        """The options that differ from the default."""
        rows = []
        for option in self.game.options:
            value = self.table.options.get(option.key, option.default)
            if value != option.default:
                rows.append((option.label, next(label for choice, label in option.choices if choice == value)))
        return rows


def build_table_display(table: Table, who: Who) -> TableDisplay:
    seats = load_from_log.seats_of(table)
    mine = seat_change.held_seats(table, who, seats)
    names = load_from_log.get_seat_names(seats)
    held = {row.pk for row in who.passes}
    rows = [
        SeatRow(
            number=seat.number,
            name=names[seat.number],
            arms=seat.person.root.arms if seat.person else None,
            bot=LEVEL[seat.bot].name if seat.bot else "",
            is_free=seat.is_free,
            is_mine=seat.number in mine,
            is_own=seat_change.is_own_seat(who, seat),
            is_asked=seat.number in table.asked,
            is_host=seat.person_id is not None and seat.person_id == table.host_id,
            can_rename=seat.person is not None
            and seat.person.root.keeper_id == table.host_id
            and not seat.person.root.account_id,
            claim=seat.claim_id if seat.claim is not None and seat.claim.revoked_at is None else None,
            is_claimed_here=seat.claim_id in held,
        )
        for seat in seats
    ]
    return TableDisplay(
        table,
        find_game(table.game, table.rules),
        table.log.version,
        rows,
        names,
        mine,
        seat_change.is_host(table, who),
        recent_notices(table, names),
        Table.objects.filter(follows=table).only("code").first() if table.state == State.OVER else None,
    )


@dataclass(frozen=True, slots=True)
class PlayerHead:
    """A player beside their row of the board."""

    number: int
    name: str
    points: int
    standing: str
    arms: Any = None
    bot: str = ""
    is_turn: bool = False
    is_me: bool = False


@dataclass(frozen=True, slots=True)
class PlayDisplay:
    """The game as one seat sees it, or as the TV shows it if ``seat`` is None."""

    seat: int | None
    view: dict[str, Any]
    ask: dict[str, Any] | None
    waiting: str
    events: list[dict[str, Any]]
    standing: list[dict[str, Any]]
    outcome: str
    pack: DeckPictures
    frame: Frame
    players: list[PlayerHead]
    since: list[SinceLine]
    past: Past | None = None

    @property
    def board(self) -> Board:
        return self.frame.board

    @property
    def newest_events(self) -> list[dict[str, Any]]:
        return self.events[::-1]

    @property
    def is_first_turn(self) -> bool:
        """Whether this seat has not chosen anything yet."""
        return self.past is not None and self.past.is_first

    @property
    def points_then(self) -> int | None:
        """This seat's points when it last chose."""
        return self.past.points[self.seat] if self.past and self.seat is not None else None

    @property
    def last_actor(self) -> int | None:
        """Who made the last move that is worth a line."""
        return self.since[-1].seat if self.since else None

    @property
    def last_bot_move(self) -> int | None:
        """The number of the last move, if a bot made it."""
        actor = self.last_actor
        return self.since[-1].number if actor is not None and self.players[actor].bot else None

    @property
    def me(self) -> PlayerHead | None:
        return next((player for player in self.players if player.is_me), None)

    @property
    def scores(self) -> list[dict[str, Any]]:
        """The final score of each seat."""
        result = self.view["result"]
        if result is None:
            return []
        return [
            {
                "name": player.name,
                "role": player.standing if "roles" in result["facts"] else "",
                "points": result["scores"][player.number],
                "won": player.number in result["winners"],
                "lines": [line for line in result["lines"][player.number] if line["points"]],
            }
            for player in self.players
        ]

    @property
    def glance(self) -> tuple[str, ...]:
        """The rules in a few lines."""
        return HOWTO[self.view["game"]].glance


def build_play_display(
    running: RunningTable,
    seat: int | None,
    names: list[str],
    since: int = 0,
    *,
    people: Sequence[SeatRow] = (),
    path: Sequence[str] = (),
    past: Past | None = None,
) -> PlayDisplay:
    """``since`` leaves out events before that number. ``path`` is what the player has selected, but not confirmed."""
    return _build(running, seat, names, running.sheet(seat, names, since), people, path, past)


def build_replay_display(table: Table, step: int, seat: int | None, names: list[str]) -> PlayDisplay | None:
    """A finished game after this many choices, or None if its rules are no longer available."""
    if (table.game, table.rules) not in GAMES:
        return None
    running = load_from_log.rewind_to_step(load_from_log.load_running_table(table), step)
    view = view_of(running, seat)
    sheet = {
        "view": view,
        "ask": None,
        "waiting": running.waiting(None, names),
        "events": [],
        "standing": running.game.standing(view, running.record.deck),
        "outcome": running.outcome(seat, names),
    }
    return _build(running, seat, names, sheet)


def _build(
    running: RunningTable,
    seat: int | None,
    names: Sequence[str],
    sheet: dict[str, Any],
    people: Sequence[SeatRow] = (),
    path: Sequence[str] = (),
    past: Past | None = None,
) -> PlayDisplay:
    pack, words = deck_pictures_of(running.record.deck), running.words(seat, names)
    lines = lines_since(running.game, past, sheet["events"], words) if past else []
    frame = frame_board(running, seat, sheet, words, pack, path, past.view if past else None)
    players = [
        PlayerHead(
            number,
            name,
            sheet["standing"][number]["points"],
            frame.board.standing.get(number, ""),
            people[number].arms if people else None,
            people[number].bot if people else "",
            is_turn=number == frame.board.active,
            is_me=number == seat,
        )
        for number, name in enumerate(names)
    ]
    return PlayDisplay(seat=seat, pack=pack, frame=frame, players=players, since=lines, past=past, **sheet)
