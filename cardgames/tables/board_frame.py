"""The frame around a game's board: what is chosen so far, what a tap on each piece chooses, and what pressing does.

A player selects, sees what would happen, and confirms. What is selected is a path of keys: a card, then its target. The
next question of a path is looked at only if neither chance nor a card that is new to the seat comes before it. Beside
the board stands what happened since the seat last chose: the main events, each with the points it changed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cardgames.drawing import DeckPictures
from cardgames.engine import Card, Game, RunningTable, Table, View
from cardgames.engine.board import (
    Board,
    Cell,
    Change,
    ChipRow,
    Clues,
    Fan,
    Pick,
    Piece,
    PlayerRows,
    Preview,
    Road,
    Scene,
    ScoreCell,
    ScoreTable,
    SpotRows,
)
from cardgames.engine.seat_reading import EventView, SeatDisplay
from cardgames.engine.sentences import SentenceBuilder
from text import format_signed

# Keys of choices hold no bar.
JOINED_BY = "|"
# A choice of several cards that still lacks one.
UNFINISHED = "+"


@dataclass(frozen=True, slots=True)
class Frame:
    """A board with everything around it. ``path`` is what is selected; ``button`` confirms it once it is complete."""

    board: Board
    path: tuple[str, ...] = ()
    is_complete: bool = False
    button: str = ""
    explanation: str = ""
    totals: tuple[tuple[str, int, int], ...] = ()
    alternatives: tuple[tuple[str, str], ...] = ()
    buttons: tuple[Pick, ...] = ()
    odds: tuple[tuple[str, str], ...] = ()

    @property
    def hint(self) -> str:
        """What can be done next, until a choice is complete."""
        if self.path:
            return "Now tap one of the marked places."
        if self.board.hint:
            return self.board.hint
        if _fan_is_asked(self.board):
            return "Tap a card to see what it does."
        return "Tap a choice to see what it does."


def split_path(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(JOINED_BY) if part)


def follows_up(running: RunningTable, seat: int) -> bool:
    """Whether the open question completes this seat's last choice."""
    ask = running.question_for(seat)
    return ask is not None and ask.kind in running.game.follow_ups


class _Unforeseeable(Exception):
    """What comes next depends on chance."""


class _NoChance:
    """Stands in for chance while a choice is only looked at."""

    by_hand = False

    def shuffled(self, cards: Sequence[Card], stream: str) -> list[Card]:
        raise _Unforeseeable

    def roll(self, sides: int, stream: str) -> int:
        raise _Unforeseeable

    def uncover(self, table: Table, card: Card, mask: int) -> None:
        raise _Unforeseeable


def _look_ahead(running: RunningTable, seat: int, key: str) -> bool:
    """Plays on along a selected key. Whether its follow-up can be shown: no chance, and no card new to the seat."""
    table, bit = running.table, 1 << seat
    known = [card.seen & bit for card in table.all_cards]
    table.source = _NoChance()
    try:
        running.choose(seat, key)
    except _Unforeseeable:
        return False
    return follows_up(running, seat) and known == [card.seen & bit for card in table.all_cards]


def frame_board(
    running: RunningTable,
    seat: int | None,
    display: SeatDisplay,
    words: SentenceBuilder,
    pictures: DeckPictures,
    path: Sequence[str] = (),
    past: View | None = None,
) -> Frame:
    """The board of this seat with ``path`` selected. ``running`` is played on along the path and must not be stored."""
    scene = Scene(
        display.view,
        [score.points for score in display.scores],
        words,
        running.record.deck,
        pictures,
        display.question,
        past=past,
    )
    lay_out = running.game.lay_out
    if scene.question is None or seat is None:
        return Frame(_own_row_last(lay_out(scene), seat))
    boards: list[Board] = []
    chosen: list[str] = []
    is_complete = False
    for key in [*path, ""]:
        known = key in scene.view.asked.keys
        if not known and not key.endswith(UNFINISHED):
            key = ""
        scene = replace(scene, chosen=key)
        boards.append(_own_row_last(lay_out(scene), seat))
        if not key:
            break
        chosen.append(key)
        if not known:
            break
        if not _look_ahead(running, seat, key):
            is_complete = True
            break
        # Only the first question is compared with the past: later ones change nothing on the board.
        scene = replace(scene, view=running.view(seat), question=running.question_display(seat, words.names))
    return _frame(boards, chosen, is_complete, words)


def _own_row_last(board: Board, seat: int | None) -> Board:
    """Whoever reads sits below, nearest to the hand; the others follow in playing order."""
    if seat is None or seat < 0:
        return board

    def turned(piece: Piece) -> Piece:
        if isinstance(piece, PlayerRows):
            return replace(piece, rows=(*piece.rows[seat + 1 :], *piece.rows[: seat + 1]))
        if isinstance(piece, ScoreTable):
            return replace(piece, rows=(*piece.rows[seat + 1 :], *piece.rows[: seat + 1]))
        return piece

    return replace(board, pieces=tuple(map(turned, board.pieces)))


def _frame(boards: list[Board], chosen: list[str], is_complete: bool, words: SentenceBuilder) -> Frame:
    first, last = boards[0], boards[-1]
    depth = len(boards) - 1
    key = chosen[depth] if len(chosen) > depth else ""
    drawn = _with_picks(last, tuple(chosen[:depth]), key)
    if depth and first.fan is not None and not _fan_is_asked(drawn):
        # The hand stays under the thumb, so that another card can be chosen instead.
        drawn = replace(drawn, fan=_with_picks(first, (), chosen[0]).fan)
    preview = next((shown for shown in last.previews if shown.key == key and shown.button), None)
    if preview is None and depth:
        preview = next((shown for shown in boards[-2].previews if shown.key == chosen[depth - 1]), None)
        preview = replace(preview, explanation="", changes=(), odds=()) if preview else None
    buttons = tuple(
        Pick(JOINED_BY.join((*chosen[:depth], shown.key)), shown.button, is_chosen=shown.key == key)
        for shown in last.previews
        if not shown.piece
    )
    if key:
        alternatives = _of_the_same_piece(last, chosen[:depth], key)
    else:
        # Another card of the same cell, although what was selected leads on. Cards of the hand are tapped themselves.
        alternatives = _of_the_same_piece(boards[-2], chosen[: depth - 1], chosen[-1]) if depth else ()
        hand = {card.key for card in first.fan.cards} if first.fan else set()
        if depth and _piece_of(boards[-2], chosen[-1]) in hand:
            alternatives = ()
    changes = preview.changes if preview else ()
    return Frame(
        drawn,
        tuple(chosen),
        is_complete,
        preview.button if preview else "",
        preview.explanation if preview else "",
        tuple((words.who(change.seat), change.before, change.after) for change in changes if change.by),
        alternatives,
        buttons,
        preview.odds if preview else (),
    )


def _piece_of(board: Board, key: str) -> str:
    return next((preview.piece for preview in board.previews if preview.key == key and preview.button), "")


def _of_the_same_piece(board: Board, before: Sequence[str], key: str) -> tuple[tuple[str, str], ...]:
    """Other choices that belong to the piece of this one, as paths with a short label."""
    piece = _piece_of(board, key)
    return tuple(
        (JOINED_BY.join((*before, other.key)), other.short_button or other.button)
        for other in board.previews
        if piece and other.piece == piece and other.key != key
    )


def _fan_is_asked(board: Board) -> bool:
    """Whether the open question is about the cards under the thumb."""
    return board.fan is not None and any(card.pick for card in board.fan.cards)


def _with_picks(board: Board, before: tuple[str, ...], key: str) -> Board:
    """The board with what a tap on each piece chooses, and with what the chosen one would change."""
    by_piece: dict[str, list[Preview]] = {}
    for preview in board.previews:
        by_piece.setdefault(preview.piece, []).append(preview)
    chosen = next((preview for preview in board.previews if preview.key == key and preview.button), None)
    would_be = chosen.becomes if chosen else {}
    # Targets in the order they are drawn: the first gets the focus, so that Tab goes through all of them.
    targets: list[str] = []

    def pick(piece: str) -> Pick | None:
        here = by_piece.get(piece)
        if not here:
            return None
        preview = next((shown for shown in here if shown.key == key), here[0])
        is_chosen = piece in board.chosen or (bool(key) and preview.key == key)
        label = preview.label or preview.button
        value = JOINED_BY.join((*before, preview.key)) if preview.key else JOINED_BY.join(before)
        targets.append(piece)
        return Pick(value, label, preview.tag, is_chosen, is_first=len(targets) == 1 and bool(before) and not key)

    def cell(one: Cell) -> Cell:
        mine = pick(one.key)
        own = by_piece[one.key][0].becomes.get(one.key, "") if mine else ""
        return replace(one, pick=mine or _only_chosen(board, one.key), becomes=would_be.get(one.key, own))

    def piece(one: Piece) -> Piece:
        if isinstance(one, PlayerRows):
            rows = tuple(
                replace(row, cells=tuple(map(cell, row.cells)), pick=pick(f"seat-{row.seat}")) for row in one.rows
            )
            return replace(one, rows=rows)
        if isinstance(one, Clues | Road):
            return one
        if isinstance(one, ScoreTable):
            scores = tuple(
                replace(row, cells=tuple(_would_be(score, would_be) for score in row.cells)) for row in one.rows
            )
            return replace(one, rows=scores)
        if isinstance(one, ChipRow):
            chips = (replace(chip, pick=pick(chip.key) or _only_chosen(board, chip.key)) for chip in one.chips)
            return replace(one, chips=tuple(chips))
        spots = tuple(
            replace(row, spots=tuple(replace(s, pick=pick(s.key) or _only_chosen(board, s.key)) for s in row.spots))
            for row in one.rows
        )
        return SpotRows(one.label, spots)

    pieces, fan = tuple(map(piece, board.pieces)), board.fan
    if fan is not None:
        cards = tuple(replace(card, pick=pick(card.key)) for card in fan.cards)
        fan = Fan(fan.label, cards, fan.is_small)
    return replace(board, pieces=pieces, fan=fan)


def _only_chosen(board: Board, piece: str) -> Pick | None:
    """A piece that was already chosen: it is highlighted, and a tap on it does nothing."""
    return Pick("", "", is_chosen=True) if piece in board.chosen else None


def _would_be(score: ScoreCell, would_be: Mapping[str, str]) -> ScoreCell:
    return replace(score, becomes=would_be.get(score.key, ""))


# ── What happened since a seat last chose ──────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Past:
    """The table when a seat last chose, and each move since: how many events there were after it, and the points."""

    view: View
    events: int
    points: tuple[int, ...]
    moves: tuple[tuple[int, tuple[int, ...]], ...]
    is_first: bool


@dataclass(frozen=True, slots=True)
class SinceLine:
    number: int
    seat: int | None
    sentence: str
    changes: tuple[Change, ...]
    words: str


def lines_since(game: Game, past: Past, events: Sequence[EventView], words: SentenceBuilder) -> list[SinceLine]:
    """The main events since then, the oldest first, each with the points that its move changed."""
    lines: list[SinceLine] = []
    before, start = past.points, past.events
    for end, points in past.moves:
        main = [e for e in events if start <= e.number < end and not game.event_sentences[e.key].minor]
        changes = tuple(
            Change(seat, old, new) for seat, (old, new) in enumerate(zip(before, points, strict=True)) if old != new
        )
        for event in main:
            changed = ", ".join(f"{words.who(change.seat)} {format_signed(change.by)}" for change in changes)
            lines.append(SinceLine(event.number, event.values.get("seat"), event.sentence or "", changes, changed))
            changes = ()
        before, start = points, end
    return lines
