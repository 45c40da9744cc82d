"""A card table ready to draw for one viewer: its seats, the game as they see it, and their choices."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from cardgames.bots import LEVEL, LEVELS
from cardgames.drawing import DeckPictures, deck_pictures_of
from cardgames.engine import Game, RunningTable, SentenceBuilder, View
from cardgames.engine.board import Board
from cardgames.engine.seat_reading import SeatDisplay
from cardgames.engine.seat_view import view_of
from cardgames.games import GAMES, HOWTO, find_game
from cardgames.models import Seat, Table
from cardgames.tables import load_from_log
from cardgames.tables.board_frame import Frame, Past, SinceLine, frame_board, lines_since
from cardgames.tables.recent_news import Notice, recent_notices
from cardgames.tables.seats import seat_change_helpers
from dataclass_json import PageOnly
from pages.fields.columns_and_rows import extend
from people.models import Pass, Person
from people.name_validation import inline_name
from people.requester import Who

State = Table.State


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat as everybody at the table sees it."""

    api_name = "CardSeat"

    number: int
    name: str
    arms: PageOnly[Any]
    bot: str
    is_free: bool
    is_mine: bool  # on this phone
    is_own: PageOnly[bool]  # the viewer's own, on any phone
    is_asked: bool
    is_host: PageOnly[bool]
    can_rename: PageOnly[bool]
    merge_url: PageOnly[str]  # for the host: another of their guests has the same name
    is_cohost: PageOnly[bool]
    is_here: PageOnly[bool]  # false in a rematch until the player's phone has come over
    claim: PageOnly[int | None]
    claimed_by: PageOnly[str]  # who asks to take over from the bot
    is_claimed_here: PageOnly[bool]

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
    # Every pass this browser ever accepted, and whether one of them has shown it a hand of this game.
    browser_passes: Sequence[int] = ()
    has_seen_hand: bool = False
    # The table of the rematch.
    rematch: Table | None = None

    @property
    def code(self) -> str:
        return self.table.code

    @property
    def free_seats(self) -> list[SeatRow]:
        return [seat for seat in self.seats if seat.is_free]

    @property
    def seats_to_take(self) -> list[SeatRow]:
        """The seats this browser can sit down on, or ask for. None where it would be refused."""
        if self.table.ended_at is not None or (self.table.state == State.PLAY and (self.mine or self.has_seen_hand)):
            return []
        return [seat for seat in self.free_seats if not seat.claim]

    @property
    def claims(self) -> list[SeatRow]:
        """The requests for seats that wait for this viewer's answer."""
        return [seat for seat in self.seats if seat.claim] if self.is_host and not self.table.ended_at else []

    @property
    def undo(self) -> list[Notice]:
        """What this viewer can undo, for a minute: a seat that was left, a game that was called off."""
        after = timezone.now() - seat_change_helpers.UNDO_LASTS
        newest: dict[int | None, Notice] = {}
        for notice in self.notices:
            if notice.at > after and notice.can_be_undone:
                newest.setdefault(notice.seat, notice)
        return [notice for notice in newest.values() if self._can_undo(notice)]

    def _can_undo(self, notice: Notice) -> bool:
        if notice.seat is None:
            return self.is_host and self.table.state == State.CLOSED
        if self.table.ended_at is not None or not self.seats[notice.seat].is_free:
            return False
        return self.is_host or notice.token in self.browser_passes

    @property
    def own_seat_elsewhere(self) -> SeatRow | None:
        """The viewer's own seat, if another phone plays it."""
        return next((seat for seat in self.seats if seat.is_own and not seat.is_mine), None)

    @property
    def next_on_this_phone(self) -> str:
        """Whose turn it is among those who share this phone."""
        return next((s.name for s in self.seats if s.is_mine and s.is_asked and not s.bot), "")

    @property
    def around(self) -> list[tuple[SeatRow, str]]:
        """The seats in playing order with their sides of the table, the viewer's own or the first at the bottom."""
        sides = {1: "s", 2: "sn", 3: "swe", 4: "swne"}.get(len(self.seats), "")
        first = next(iter(self.mine), 0)
        turned = [*self.seats[first:], *self.seats[:first]]
        return [(seat, sides[place] if sides else "") for place, seat in enumerate(turned)]

    @property
    def bots_to_come(self) -> int:
        """How many seats a bot takes if the game begins now."""
        return sum(seat.is_free and not seat.bot for seat in self.seats)

    @property
    def begin_label(self) -> str:
        if not self.bots_to_come:
            return "Begin"
        number = {1: "one bot", 2: "two bots", 3: "three bots"}.get(self.bots_to_come, f"{self.bots_to_come} bots")
        return f"Begin with {number}"

    @property
    def warnings(self) -> list[str]:
        """What is unusual about this deck with these options. Only for the lobby: it reads the whole deck."""
        deck = load_from_log.parse_deck(self.table.game, self.table.rules, self.table.deck)
        return self.game.warnings(deck, self.table.seats, self.table.options)

    @property
    def host_name(self) -> str:
        return inline_name(self.table.host.root.name)

    @property
    def can_take_over_hosting(self) -> int | None:
        """The viewer's seat, if its player may become the host because the host is away."""
        if (
            self.is_host
            or not self.mine
            or self.table.ended_at is not None
            or not seat_change_helpers.is_host_away(self.table)
        ):
            return None
        return next(iter(self.mine))

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


def display_for_request(request: HttpRequest, table: Table, *, has_news: bool = True) -> TableDisplay:
    """The table for this browser, with what it held before."""
    passes = seat_change_helpers.passes_of_browser(request)
    display = build_table_display(table, request.who, passes, has_news=has_news)
    if table.state != State.PLAY or display.mine or not display.free_seats:
        return display
    return replace(display, has_seen_hand=seat_change_helpers.has_held_another_seat(request, table, None))


def build_table_display(
    table: Table, who: Who, browser_passes: Sequence[int] = (), *, has_news: bool = True
) -> TableDisplay:
    """``has_news``: whether it is shown who came, left and asked."""
    seats = load_from_log.seats_seen_by(who, table)
    mine = seat_change_helpers.held_seats(table, who, seats)
    names = load_from_log.get_seat_names(seats)
    held = {row.pk for row in who.passes}
    namesakes = _namesakes_of_guests(seats, who) if table.ended_at is None else set()
    rows = [
        SeatRow(
            number=seat.number,
            name=names[seat.number],
            arms=seat.person.root.arms if seat.person else None,
            bot=LEVEL[seat.bot].name if seat.bot else "",
            is_free=seat.is_free,
            is_mine=seat.number in mine,
            is_own=seat_change_helpers.is_own_seat(who, seat),
            is_asked=seat.number in table.asked,
            is_host=seat.person_id is not None and seat.person_id == table.host_id,
            can_rename=seat.person is not None
            and seat.person.root.keeper_id == table.host_id
            and not seat.person.root.account_id,
            merge_url=_merge_url(seat, namesakes),
            is_cohost=seat.is_cohost,
            is_here=seat.token is None or seat.token.used_at is not None,
            claim=seat.claim_id if seat.claim is not None and seat.claim.revoked_at is None else None,
            claimed_by=inline_name(seat.claim_person.root.name) if seat.claim_person else "",
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
        seat_change_helpers.is_host(table, who, seats),
        recent_notices(table, names) if has_news else [],
        browser_passes,
        False,
        Table.objects.filter(follows=table).only("code", "state").first() if table.state == State.OVER else None,
    )


def _namesakes_of_guests(seats: list[Seat], who: Who) -> set[str]:
    """Names of the viewer's guests elsewhere, where one of their guests at the table might be the same person."""
    if who.person is None or not any(seat.person and seat.person.root.keeper_id == who.person.pk for seat in seats):
        return set()
    here = [pk for seat in seats if seat.person for pk in (seat.person.pk, seat.person.root.pk)]
    others = Person.objects.looked_after_by(who).roots().filter(account=None).exclude(pk__in=here)
    return {name.casefold() for name in others.values_list("name", flat=True)}


def _merge_url(seat: Seat, namesakes: set[str]) -> str:
    if seat.person is None or seat.person.root.account_id or seat.person.root.name.casefold() not in namesakes:
        return ""
    return reverse("people:merge", args=[seat.person.root.code])


@dataclass(frozen=True, slots=True)
class PlayerHead:
    """A player beside their row of the board."""

    number: int
    name: str
    points: int | None  # None in a game without points
    caption: str
    arms: Any = None
    bot: str = ""
    is_turn: bool = False
    is_me: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayDisplay(SeatDisplay):
    """The game as one seat sees it, or as the TV shows it if ``seat`` is None."""

    seat: int | None
    pack: DeckPictures
    frame: Frame
    players: list[PlayerHead]
    since: list[SinceLine]
    past: Past | None
    notes: "tuple[NoteLine, ...]"

    @property
    def board(self) -> Board:
        return self.frame.board

    @property
    def newest_events(self) -> tuple[tuple[int, str | None], ...]:
        """Number and sentence of each."""
        return tuple((event.number, event.sentence) for event in self.events[::-1])

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
    def glance(self) -> tuple[str, ...]:
        """The rules in a few lines."""
        return HOWTO[self.view.game].glance


@dataclass(frozen=True, slots=True)
class NoteLine:
    """Something this seat was shown privately; ``is_stale`` when it may not be so any more."""

    sentence: str
    is_stale: bool


def notes_of(running: RunningTable, view: View, words: SentenceBuilder) -> tuple[NoteLine, ...]:
    texts = running.game.note_sentences
    return tuple(
        NoteLine(words.fill(texts[note.key], {**note.params, "cards": list(note.cards)}), note.is_stale)
        for note in view.notes or ()
        if note.key in texts
    )


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
    return _build(running, seat, names, running.seat_display(seat, names, since), people, path, past)


def build_replay_display(table: Table, step: int, seat: int | None, names: list[str]) -> PlayDisplay | None:
    """A finished game after this many choices, or None if its rules are no longer available."""
    replay = replay_for_seat(table, step, seat, names)
    return None if replay is None else _build(replay[0], seat, names, replay[1])


def replay_for_seat(
    table: Table, step: int, seat: int | None, names: list[str]
) -> tuple[RunningTable, SeatDisplay] | None:
    """The game as it was then, and what this seat saw of it."""
    if (table.game, table.rules) not in GAMES:
        return None
    running = load_from_log.rewind_to_step(load_from_log.load_running_table(table), step)
    view = view_of(running, seat)
    display = SeatDisplay(
        view,
        None,
        running.waiting(None, names),
        (),
        tuple(running.game.current_scores(view, running.record.deck)),
        running.outcome(seat, names),
    )
    return running, display


def _build(
    running: RunningTable,
    seat: int | None,
    names: Sequence[str],
    display: SeatDisplay,
    people: Sequence[SeatRow] = (),
    path: Sequence[str] = (),
    past: Past | None = None,
) -> PlayDisplay:
    pack, words = deck_pictures_of(running.record.deck), running.sentence_builder(seat, names)
    lines = lines_since(running.game, past, display.events, words) if past else []
    frame = frame_board(running, seat, display, words, pack, path, past.view if past else None)
    players = [
        PlayerHead(
            number,
            name,
            display.scores[number].points if running.game.has_points else None,
            frame.board.captions.get(number, ""),
            people[number].arms if people else None,
            people[number].bot if people else "",
            is_turn=number == frame.board.active,
            is_me=number == seat,
        )
        for number, name in enumerate(names)
    ]
    return extend(
        PlayDisplay,
        display,
        seat=seat,
        pack=pack,
        frame=frame,
        players=players,
        since=lines,
        past=past,
        notes=notes_of(running, display.view, words),
    )
