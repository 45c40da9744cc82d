"""A card table ready to draw for one viewer: its seats, the game as they see it, and their choices."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardgames.bots import LEVEL, LEVELS
from cardgames.drawing import DeckPictures, deck_pictures_of
from cardgames.drawing.menagerie_cards import ANIMALS as CHARGES
from cardgames.engine import Game, RunningTable
from cardgames.engine.seat_view import view_of
from cardgames.games import GAMES, HOWTO, find_game
from cardgames.models import Seat, Table
from cardgames.tables import load_from_log
from cardgames.tables.activity_feed import Notice, recent_notices
from cardgames.tables.board_layout import Board, gift_consequence, layout_board
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
    board: Board = field(default_factory=dict)

    @property
    def newest_events(self) -> list[dict[str, Any]]:
        return self.events[::-1]

    @property
    def scores(self) -> list[dict[str, Any]]:
        """The final score of each seat."""
        result = self.view["result"]
        if result is None:
            return []
        return [
            {
                "name": seat["name"],
                "role": seat.get("role", ""),
                "points": result["scores"][seat["number"]],
                "won": seat["number"] in result["winners"],
                "lines": [line for line in result["lines"][seat["number"]] if line["points"]],
            }
            for seat in self.board["seats"]
        ]

    @property
    def glance(self) -> tuple[str, ...]:
        """The rules in a few lines."""
        return HOWTO[self.view["game"]].glance

    # How the choices are drawn

    @property
    def is_card_choice(self) -> bool:
        """Whether the choices are cards of a hand or a row."""
        return self.ask is not None and self.ask["kind"] in ("play", "pick")

    @property
    def hand_is_choice(self) -> bool:
        """Whether the choices are the hand, so it is not drawn again."""
        return self.ask is not None and self.ask["kind"] == "play"

    @property
    def is_animal_choice(self) -> bool:
        """Whether the choices are animals in menageries."""
        return self.ask is not None and self.ask["kind"] in ("shoot", "steal", "trade-first", "trade-second")

    @property
    def choices(self) -> list[dict[str, Any]]:
        assert self.ask is not None
        hand = self.board["hand"]
        return [{**choice, "count": hand.count(choice["card"])} for choice in self.ask["choices"]]

    @property
    def choices_by_seat(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Choices grouped by menagerie."""
        assert self.ask is not None
        found: dict[int, list[dict[str, Any]]] = {}
        for choice in self.ask["choices"]:
            icon = f"c-{CHARGES[choice['card']][0]}"
            found.setdefault(choice["seat"], []).append({**choice, "icon": icon})
        names = {seat["number"]: "Yours" if seat["is_me"] else seat["name"] for seat in self.board["seats"]}
        return [(names[seat], choices) for seat, choices in found.items()]

    @property
    def other_choices(self) -> list[dict[str, Any]]:
        """Choices that belong to no spot on the board, each with its consequence."""
        if self.ask is None:
            return []
        rows = self.board.get("rows", ())
        hung = {choice["key"] for row in rows for spot in row["spots"] for choice in spot["choices"]}
        return [
            {**choice, **gift_consequence(self.view, choice, self.pack.deck)}
            for choice in self.ask["choices"]
            if choice["key"] not in hung
        ]

    @property
    def has_board_choices(self) -> bool:
        return self.ask is not None and any(s["choices"] for row in self.board.get("rows", ()) for s in row["spots"])


def build_play_display(running: RunningTable, seat: int | None, names: list[str], since: int = 0) -> PlayDisplay:
    """``since`` leaves out events before that number."""
    seen = running.sheet(seat, names, since)
    pack = deck_pictures_of(running.record.deck)
    choices = seen["ask"]["choices"] if seen["ask"] else ()
    board = layout_board(seen["view"], seen["standing"], names, pack, choices)
    return PlayDisplay(seat=seat, pack=pack, board=board, **seen)


def build_replay_display(table: Table, step: int, seat: int | None, names: list[str]) -> PlayDisplay | None:
    """A finished game after this many choices, or None if its rules are no longer available."""
    if (table.game, table.rules) not in GAMES:
        return None
    running = load_from_log.rewind_to_step(load_from_log.load_running_table(table), step)
    view = view_of(running, seat)
    pack = deck_pictures_of(running.record.deck)
    standing = running.game.standing(view, running.record.deck)
    board = layout_board(view, standing, names, pack)
    outcome = running.outcome(seat, names)
    return PlayDisplay(seat, view, None, running.waiting(None, names), [], standing, outcome, pack, board)
