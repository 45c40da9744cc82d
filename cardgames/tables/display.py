"""Everything a page of a table needs, for one viewer: the seats, what the seat sees, what is asked of it. Pages and API draw the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from cardgames import loading, seat_acts
from cardgames.boards import Board, board_of, consequence
from cardgames.bots import LEVEL, LEVELS
from cardgames.drawing import Pack, pack_of
from cardgames.drawing.menagerie import ANIMALS as CHARGES
from cardgames.engine import OPEN, Game, Live
from cardgames.engine.view import view_of
from cardgames.games import GAMES, HOWTO, find_game
from cardgames.models import Seat, Table
from cardgames.notices import Notice, notices_of
from people.models import Pass
from people.who import Who

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
    is_own: bool  # one's own, wherever it is played
    is_asked: bool
    is_host: bool
    may_rename: bool
    claim: int | None
    i_claim: bool

    @property
    def place(self) -> int:
        return self.number + 1


@dataclass(frozen=True, slots=True)
class TableSheet:
    """A table for one viewer, without any cards."""

    table: Table
    game: Game
    version: int
    seats: list[SeatRow]
    names: list[str]
    mine: dict[int, tuple[Seat, Pass]]
    is_host: bool
    notices: list[Notice]
    # The table where the same people play again.
    after: Table | None = None

    @property
    def code(self) -> str:
        return self.table.code

    @property
    def free(self) -> list[SeatRow]:
        return [seat for seat in self.seats if seat.is_free]

    @property
    def elsewhere(self) -> SeatRow | None:
        """One's own seat, if another phone plays it."""
        return next((seat for seat in self.seats if seat.is_own and not seat.is_mine), None)

    @property
    def to_hand_to(self) -> str:
        """Whose turn it is, of those who share this phone."""
        return next((s.name for s in self.seats if s.is_mine and s.is_asked and not s.bot), "")

    @property
    def may_start(self) -> bool:
        return self.is_host and self.table.state == State.LOBBY and all(not s.is_free or s.bot for s in self.seats)

    @property
    def levels(self) -> tuple[Any, ...]:
        return LEVELS

    @property
    def options(self) -> list[tuple[str, str]]:
        """What was agreed, where it is not as usual."""
        rows = []
        for option in self.game.options:
            value = self.table.options.get(option.key, option.default)
            if value != option.default:
                rows.append((option.label, next(label for choice, label in option.choices if choice == value)))
        return rows


def table_sheet(table: Table, who: Who) -> TableSheet:
    seats = loading.seats_of(table)
    mine = seat_acts.held_seats(table, who, seats)
    names = loading.names_of(seats)
    held = {row.pk for row in who.passes}
    rows = [
        SeatRow(
            number=seat.number,
            name=names[seat.number],
            arms=seat.person.root.arms if seat.person else None,
            bot=LEVEL[seat.bot].name if seat.bot else "",
            is_free=seat.is_free,
            is_mine=seat.number in mine,
            is_own=seat_acts.is_own(who, seat),
            is_asked=seat.number in table.asked,
            is_host=seat.person_id is not None and seat.person_id == table.host_id,
            may_rename=seat.person is not None
            and seat.person.root.keeper_id == table.host_id
            and not seat.person.root.account_id,
            claim=seat.claim_id if seat.claim is not None and seat.claim.revoked_at is None else None,
            i_claim=seat.claim_id in held,
        )
        for seat in seats
    ]
    return TableSheet(
        table,
        find_game(table.game, table.rules),
        table.log.version,
        rows,
        names,
        mine,
        seat_acts.is_host(table, who),
        notices_of(table, names),
        Table.objects.filter(follows=table).only("code").first() if table.state == State.OVER else None,
    )


@dataclass(frozen=True, slots=True)
class PlaySheet:
    """The game as one seat sees it, or with ``seat`` None as the screen on the wall does."""

    seat: int | None
    view: dict[str, Any]
    ask: dict[str, Any] | None
    waiting: str
    events: list[dict[str, Any]]
    standing: list[dict[str, Any]]
    outcome: str
    pack: Pack
    board: Board = field(default_factory=dict)

    @property
    def newest(self) -> list[dict[str, Any]]:
        return self.events[::-1]

    @property
    def scores(self) -> list[dict[str, Any]]:
        """How each seat came out, as the game itself counted it."""
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

    # What is asked, by the way it is drawn

    @property
    def as_cards(self) -> bool:
        """A choice among cards of a hand or a row, each drawn whole."""
        return self.ask is not None and self.ask["kind"] in ("play", "pick")

    @property
    def asks_hand(self) -> bool:
        """Whether the hand is drawn as what is asked, and need not be drawn again."""
        return self.ask is not None and self.ask["kind"] == "play"

    @property
    def at_pens(self) -> bool:
        """A choice among animals in menageries."""
        return self.ask is not None and self.ask["kind"] in ("shoot", "steal", "trade-first", "trade-second")

    @property
    def choices(self) -> list[dict[str, Any]]:
        assert self.ask is not None
        hand = self.board["hand"]
        return [{**choice, "count": hand.count(choice["card"])} for choice in self.ask["choices"]]

    @property
    def by_seat(self) -> list[tuple[str, list[dict[str, Any]]]]:
        """Choices by whose menagerie they are in."""
        assert self.ask is not None
        found: dict[int, list[dict[str, Any]]] = {}
        for choice in self.ask["choices"]:
            icon = f"c-{CHARGES[choice['card']][0]}"
            found.setdefault(choice["seat"], []).append({**choice, "icon": icon})
        names = {seat["number"]: "Yours" if seat["is_me"] else seat["name"] for seat in self.board["seats"]}
        return [(names[seat], choices) for seat, choices in found.items()]

    @property
    def loose(self) -> list[dict[str, Any]]:
        """Choices that hang on no spot of the board, each with what would come of it."""
        if self.ask is None:
            return []
        rows = self.board.get("rows", ())
        hung = {choice["key"] for row in rows for spot in row["spots"] for choice in spot["choices"]}
        return [
            {**choice, **consequence(self.view, choice, self.pack.deck)}
            for choice in self.ask["choices"]
            if choice["key"] not in hung
        ]

    @property
    def hangs(self) -> bool:
        return self.ask is not None and any(s["choices"] for row in self.board.get("rows", ()) for s in row["spots"])

    def as_json(self) -> dict[str, Any]:
        """The same as plain data, for the API."""
        return {
            "view": self.view,
            "ask": self.ask,
            "waiting": self.waiting,
            "events": self.events,
            "standing": self.standing,
            "outcome": self.outcome,
        }


def play_sheet(live: Live, seat: int | None, names: list[str], since: int = 0) -> PlaySheet:
    """``since`` leaves out events before that number."""
    sheet = live.sheet(seat, names, since)
    pack = pack_of(live.record.deck)
    choices = sheet["ask"]["choices"] if sheet["ask"] else ()
    board = board_of(sheet["view"], sheet["standing"], names, pack, choices)
    return PlaySheet(seat=seat, pack=pack, board=board, **sheet)


def replay_sheet(table: Table, step: int, seat: int | None, names: list[str]) -> PlaySheet | None:
    """A finished table as it stood after so many choices; nothing if its rules are no longer on the shelf."""
    if (table.game, table.rules) not in GAMES:
        return None
    live = loading.at_step(loading.load(table), step)
    view = view_of(live, seat)
    pack = pack_of(live.record.deck)
    standing = live.game.standing(view, live.record.deck)
    board = board_of(view, standing, names, pack)
    outcome = live.outcome(seat, names)
    return PlaySheet(seat, view, None, live.waiting(None, names), [], standing, outcome, pack, board)


__all__ = ["OPEN", "PlaySheet", "SeatRow", "TableSheet", "play_sheet", "replay_sheet", "table_sheet"]
