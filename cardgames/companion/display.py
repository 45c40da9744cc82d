"""A score sheet ready to draw for one viewer: seats, turn, points and the winner."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from cardgames.companion.entries import SeatFigures
from cardgames.engine import SentenceBuilder
from cardgames.engine.printed_game import Figure, ScoreSheet, SheetNow, SheetWarning, TurnDisplay
from cardgames.games import find_companion, find_game
from cardgames.models import Sheet
from dataclass_json import PageOnly, stored_as
from pages.number_parsing import parse_int
from people.requester import Who
from refusal import Refusal


@dataclass(frozen=True, slots=True)
class SheetSeatRow:
    """One seat, and what this viewer may know of its hidden cards."""

    api_name = "SheetSeat"

    number: int
    name: str
    label: PageOnly[str]
    role: Annotated[str, "only if everybody may see it"]
    is_leader: PageOnly[bool]
    is_active: bool
    is_out: PageOnly[bool]
    is_taken: bool
    is_mine: bool
    is_covered: PageOnly[bool]
    # The names of all its hidden cards, if everybody may see them.
    role_name: PageOnly[str]

    @property
    def place(self) -> int:
        return self.number + 1


@dataclass(frozen=True, slots=True)
class CountLine:
    """One line of a player's count: what is counted, the numbers, and the points."""

    figure: Figure
    values: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """The count of one player."""

    api_name = "SheetCount"

    seat: PageOnly[SheetSeatRow]
    number: int = field(metadata=stored_as("seat"))
    lines: PageOnly[tuple[CountLine, ...]]
    total: int
    won: bool
    # Entered by hand, from a printed role card.
    role: PageOnly[str]
    # How it ended for this player where there are no points.
    verdict: PageOnly[str]


@dataclass(frozen=True, slots=True)
class ScoreDisplay:
    api_name = "SheetScore"

    counts: tuple[PlayerCount, ...]
    sentence: str = ""
    outcome: str = ""
    warnings: tuple[str, ...] = ()
    refusal: str = ""
    # What is missing before a winner can be named.
    why_no_winner: str = ""
    # The result from the game's own scoring, without names.
    played: PageOnly[ScoreSheet | None] = None


def seat_rows(sheet: Sheet, who: Who) -> list[SheetSeatRow]:
    state, companion = sheet.state, find_companion(sheet.game)
    names = {face.id: face.name for face in find_game(sheet.game).faces(sheet.read_deck())}
    rows = []
    for seat in sheet.seat_set.all():
        is_open = sheet.roles_open or seat.role in companion.open_cards
        rows.append(
            SheetSeatRow(
                seat.number,
                seat.name,
                seat.label,
                seat.role if is_open else "",
                seat.number == companion.leader(state),
                seat.number == state["active"] and not state["over"],
                seat.number in state["out"],
                seat.token_id is not None,
                seat.is_held_by(who),
                seat.seen_at is not None,
                ", ".join(names[card] for card in seat.hidden_cards if card in names) if is_open else "",
            )
        )
    return rows


def sheet_now(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> SheetNow:
    """The sheet as its game reads it."""
    return SheetNow(
        sheet.read_deck(),
        sheet.state,
        sheet.options,
        [seat.name for seat in seats],
        [{key: value for key, value in each.items() if key != "role"} for each in sheet.entered],
        [seat.role or str(each.get("role", "")) for seat, each in zip(seats, sheet.entered, strict=True)],
        (sheet.table_cards if sheet.roles_open else ()) if sheet.table_cards else None,
    )


def turn_of(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> TurnDisplay:
    companion = find_companion(sheet.game)
    if sheet.state["active"] is None:
        return TurnDisplay("The game has not started yet.")
    if sheet.state["over"]:
        return TurnDisplay("The game is over. Count the points.", more=companion.counting_help)
    return companion.turn(sheet_now(sheet, seats))


# ── The score sheet ──────────────────────────────────────────────────────────────────────────────────────


def read_seat_figures(sheet: Sheet, form: Mapping[str, Any], seat: int) -> SeatFigures:
    """One seat's figures from the form. Empty means 0; anything but a number is refused."""
    deck, companion = sheet.read_deck(), find_companion(sheet.game)
    counts, rows = {}, {}
    for figure in companion.figures(deck):
        name = f"s{seat}.{figure.key}"
        if companion.parts:
            one, two, three = (_read_figure(form, f"{name}.{part.key}", figure.most) for part in companion.parts)
            rows[figure.key] = (one, two, three)
        else:
            counts[figure.key] = _read_figure(form, name, figure.most)
    role = str(form.get(f"s{seat}.role", ""))
    return SeatFigures(counts, rows, role if any(role == face.id for face in companion.roles(deck)) else "")


def _read_figure(form: Mapping[str, Any], name: str, most: int) -> int:
    figure = parse_int(str(form.get(name, "") or "0"))
    if figure is None or figure > most:
        raise Refusal(f"Enter whole numbers from 0 to {most}.", field=name)
    return figure


def score_of(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> ScoreDisplay:
    """Live totals, scored like the digital game. Impossible figures give a refusal and stay as entered."""
    now, companion = sheet_now(sheet, seats), find_companion(sheet.game)
    try:
        result = companion.score(now)
        sentence = ""
        if result.outcome:
            values = {**result.facts, "winners": list(result.winners)}
            sentence = SentenceBuilder(now.names, {}).fill(result.sentence, values)
        warnings = tuple(_warning(seats, warning) for warning in result.warnings)
        why = "" if sentence else companion.why_no_winner(now, result)
        counts = _counts(sheet, seats, result)
        return ScoreDisplay(counts, sentence, result.outcome or "", warnings, why_no_winner=why, played=result)
    except Refusal as refusal:
        return ScoreDisplay(_counts(sheet, seats, None), refusal=refusal.sentence)


def _warning(seats: Sequence[SheetSeatRow], warning: SheetWarning | str) -> str:
    if isinstance(warning, str):
        return warning
    return warning.text if warning.seat is None else f"{seats[warning.seat].name}: {warning.text}"


def _counts(sheet: Sheet, seats: Sequence[SheetSeatRow], result: ScoreSheet | None) -> tuple[PlayerCount, ...]:
    companion = find_companion(sheet.game)
    figures = companion.figures(sheet.read_deck())
    counts = []
    for seat, each in zip(seats, sheet.entered, strict=True):
        points = {} if result is None else {line.key: line.points for line in result.lines[seat.number]}
        lines = []
        for figure in figures:
            values = tuple(each.get(figure.key, (0, 0, 0))) if companion.parts else (int(each.get(figure.key, 0)),)
            lines.append(CountLine(figure, values, points.get(figure.key, 0)))
        total = 0 if result is None else result.scores[seat.number]
        won = result is not None and seat.number in result.winners and len(seats) > 1
        verdict = "" if result is None else companion.verdict(result, seat.number)
        counts.append(PlayerCount(seat, seat.number, tuple(lines), total, won, str(each.get("role", "")), verdict))
    return tuple(counts)
