"""A score sheet ready to draw for one viewer: seats, turn, points and the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.companion import services
from cardgames.companion.hidden_roles import is_role_holder
from cardgames.drawing import menagerie_cards as menagerie_drawing
from cardgames.drawing import monarchs_cards as monarchs_drawing
from cardgames.engine import Deck, SentenceBuilder
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.menagerie.deck_faces import ANIMALS, ROLE, VIZIER
from cardgames.games.menagerie.scoring import LIMIT
from cardgames.games.monarchs import companion as monarchs
from cardgames.games.monarchs.deck_faces import COLOURS
from cardgames.models import Sheet
from pages.number_parsing import parse_int
from people.requester import Who
from refusal import Refusal

MAX_FIGURE = 99
COUNTING_HELP = {
    "menagerie": "Enter how many animals of each type each player has. The points are added up for you.",
    "monarchs": "Put your hand, draw deck and discards together and sort them by colour. "
    "Grey cards do not count. "
    "Then count the cards and crowns of each colour, including crowns after a slash.",
}


@dataclass(frozen=True, slots=True)
class SheetSeatRow:
    """One seat, and what this viewer may know of its role. ``role`` is set only if everybody may see it."""

    number: int
    name: str
    label: str
    role: str
    is_vizier: bool
    is_active: bool
    is_out: bool
    is_taken: bool
    is_mine: bool
    is_covered: bool

    @property
    def place(self) -> int:
        return self.number + 1

    @property
    def role_name(self) -> str:
        return ROLE[self.role].name if self.role else ""


@dataclass(frozen=True, slots=True)
class CountLine:
    """One line of a player's count: what is counted, the figures, and the points."""

    key: str
    label: str
    charge: str
    tincture: str
    values: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class PlayerCount:
    """The count of one player. ``role`` was entered by hand, from a printed role card."""

    seat: SheetSeatRow
    lines: tuple[CountLine, ...]
    total: int
    won: bool
    role: str = ""


@dataclass(frozen=True, slots=True)
class ScoreDisplay:
    counts: tuple[PlayerCount, ...]
    sentence: str
    outcome: str
    warnings: tuple[str, ...]
    refusal: str = ""
    # What is missing before a winner can be named.
    why_no_winner: str = ""
    # The result from the game's own scoring, without names.
    played: ScoreSheet | None = None


@dataclass(frozen=True, slots=True)
class TurnDisplay:
    """What happens now, in words."""

    sentence: str
    steps: tuple[str, ...] = ()
    more: str = ""


def seat_rows(sheet: Sheet, who: Who) -> list[SheetSeatRow]:
    state = sheet.state
    rows = []
    for seat in sheet.seat_set.all():
        open_role = seat.role if sheet.roles_open or seat.role == VIZIER else ""
        rows.append(
            SheetSeatRow(
                seat.number,
                seat.name,
                seat.label,
                open_role,
                seat.number == state.get("vizier"),
                seat.number == state["active"] and not state["over"],
                seat.number in state["out"],
                seat.token_id is not None,
                is_role_holder(who, seat),
                seat.seen_at is not None,
            )
        )
    return rows


def turn_of(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> TurnDisplay:
    state = sheet.state
    if state["active"] is None:
        return TurnDisplay("The game has not started yet.")
    if state["over"]:
        return TurnDisplay("The game is over. Count the points.", more=COUNTING_HELP[sheet.game])
    name = seats[state["active"]].name
    if sheet.game == "menagerie":
        return _menagerie_turn(state, name)
    return _monarchs_turn(state, name, seats)


def _menagerie_turn(state: Mapping[str, Any], name: str) -> TurnDisplay:
    now = menagerie.turn(state["active"], state["vizier"], state["ends"])
    cards = "a card" if now.play == 1 else f"{now.play} cards"
    steps = (f"Draw {cards}.", f"Play {cards}.") if now.draw else (f"Play {cards}.",)
    more = "End-stage: nobody draws. Mark empty hands." if state["ends"] else "An animal is a gift to another player."
    return TurnDisplay(
        f"{name}: draw {now.draw}, play {now.play}." if now.draw else f"{name} plays {cards}.", steps, more
    )


def _monarchs_turn(state: Mapping[str, Any], name: str, seats: Sequence[SheetSeatRow]) -> TurnDisplay:
    steps = tuple(text for _, text in monarchs.TURN_STEPS)
    if not state["ends"]:
        return TurnDisplay(f"It is {name}'s turn.", steps)
    left = monarchs.turns_left(state["start"], state["seats"], state["active"])
    if not left:
        return TurnDisplay(f"{name} takes the last turn of the game.", steps, "The court deck is empty.")
    last = seats[monarchs.last_seat(state["start"], state["seats"])].name
    turns = "one turn" if left == 1 else f"{left} turns"
    return TurnDisplay(
        f"It is {name}'s turn.", steps, f"The court deck is empty. After this, {turns} left; {last} is last."
    )


def dice_sentences(sheet: Sheet) -> list[str]:
    """Solo games: what each die does."""
    dice = sheet.state.get("dice") or []
    if len(dice) != 2:
        return []
    sentences = []
    for row in monarchs.dice_spots(dice[0], dice[1]):
        colour = "White" if row.row == "front" else "Black"
        card = f"the card on spot {row.die} from the left" if row.spot else "a card of your choice"
        sentences.append(f"{colour} {row.die}: in the {row.row} row, remove {card}.")
    return sentences


# ── The score sheet ──────────────────────────────────────────────────────────────────────────────────────


def field_name(seat: int, key: str, part: str = "") -> str:
    return f"s{seat}.{key}{f'.{part}' if part else ''}"


def read_seat_figures(sheet: Sheet, form: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """One seat's figures from the form. Empty means 0; anything but a number is refused."""
    if sheet.game == "menagerie":
        figures: dict[str, Any] = {animal: _read_figure(form, field_name(seat, animal), LIMIT) for animal in ANIMALS}
        role = str(form.get(field_name(seat, "role"), ""))
        return figures | {"role": role} if role in ROLE else figures
    return {
        colour: [_read_figure(form, field_name(seat, colour, part)) for part in ("cards", "crowns", "left")]
        for colour in COLOURS
    }


def _read_figure(form: Mapping[str, Any], name: str, most: int = MAX_FIGURE) -> int:
    figure = parse_int(str(form.get(name, "") or "0"))
    if figure is None or figure > most:
        raise Refusal(f"Enter whole numbers from 0 to {most}.", field=name)
    return figure


def score_of(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> ScoreDisplay:
    """Live totals, scored like the digital game. Impossible figures give a refusal and stay as entered."""
    given = sheet.entered
    deck = services.deck_of(sheet)
    scored = _score_menagerie if sheet.game == "menagerie" else _score_monarchs
    try:
        result = scored(sheet, seats, given, deck)
        sentence = ""
        if result.outcome:
            words = SentenceBuilder([seat.name for seat in seats], {})
            values = {**result.facts, "winners": list(result.winners)}
            sentence = words.fill(result.sentence, values)
        warnings = tuple(_warning(seats, warning) for warning in result.warnings)
        counts = _counts(sheet, seats, given, deck, result)
        why = "" if sentence else _why_no_winner(sheet, result)
        return ScoreDisplay(counts, sentence, result.outcome or "", warnings, why_no_winner=why, played=result)
    except Refusal as refusal:
        return ScoreDisplay(_counts(sheet, seats, given, deck, None), "", "", (), refusal.sentence)


def _why_no_winner(sheet: Sheet, result: ScoreSheet) -> str:
    if any(isinstance(warning, SheetWarning) and warning.text == menagerie.STAMPEDE for warning in result.warnings):
        return "Correct the menagerie with all six types to see who has won."
    if sheet.state.get("dealt"):
        return "Show the roles to see who has won."
    return "Enter the four roles to see who has won."


def _score_menagerie(
    sheet: Sheet, seats: Sequence[SheetSeatRow], given: Sequence[Mapping[str, Any]], deck: Deck
) -> ScoreSheet:
    counts = [{key: value for key, value in each.items() if key != "role"} for each in given]
    roles = [seat.role or str(each.get("role", "")) for seat, each in zip(seats, given, strict=True)]
    known = all(roles)
    return menagerie.score_sheet(counts, deck, roles if known else None, sheet.options["sum_tie"])


def _score_monarchs(
    sheet: Sheet, seats: Sequence[SheetSeatRow], given: Sequence[Mapping[str, Any]], deck: Deck
) -> ScoreSheet:
    counts = [{colour: (pair[0], pair[1]) for colour, pair in each.items()} for each in given]
    left = None
    if sheet.options["family_scoring"]:
        left = [{colour: pair[2] for colour, pair in each.items()} for each in given]
    return monarchs.score_sheet(counts, deck, sheet.options["tiebreak"], left)


def _warning(seats: Sequence[SheetSeatRow], warning: SheetWarning | str) -> str:
    if isinstance(warning, str):
        return warning
    return warning.text if warning.seat is None else f"{seats[warning.seat].name}: {warning.text}"


def _counts(
    sheet: Sheet,
    seats: Sequence[SheetSeatRow],
    given: Sequence[Mapping[str, Any]],
    deck: Deck,
    result: ScoreSheet | None,
) -> tuple[PlayerCount, ...]:
    counts = []
    for seat, each in zip(seats, given, strict=True):
        points = {} if result is None else {line.key: line.points for line in result.lines[seat.number]}
        if sheet.game == "menagerie":
            rows = [(key, str(deck.row(key).values["name"]), *menagerie_drawing.ANIMALS[key]) for key in ANIMALS]
            lines = [CountLine(*row, (int(each.get(row[0], 0)),), points.get(row[0], 0)) for row in rows]
        else:
            lines = [
                CountLine(
                    colour, colour.capitalize(), "", tincture, tuple(each.get(colour, (0, 0, 0))), points.get(colour, 0)
                )
                for colour in COLOURS
                for tincture in (monarchs_drawing.COLOURS[colour][0],)
            ]
        total = 0 if result is None else result.scores[seat.number]
        won = result is not None and seat.number in result.winners and len(seats) > 1
        counts.append(PlayerCount(seat, tuple(lines), total, won, str(each.get("role", ""))))
    return tuple(counts)
