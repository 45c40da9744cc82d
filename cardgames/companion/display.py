"""Everything the page of a sheet draws: seats, the turn, the score sheet and who has won, as one viewer may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames import sheets
from cardgames.drawing import menagerie as menagerie_drawing
from cardgames.drawing import monarchs as monarchs_drawing
from cardgames.engine import Deck, Words
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.menagerie.faces import ANIMALS, ROLE, VIZIER
from cardgames.games.menagerie.score import LIMIT
from cardgames.games.monarchs import companion as monarchs
from cardgames.games.monarchs.faces import COLOURS
from cardgames.models import Sheet
from cardgames.role_dealing import held
from pages.numbers import whole
from people.who import Who
from refusal import Refusal

FIGURE_MOST = 99
COUNTING = {
    "menagerie": "Each player says how many of each type stand in the menagerie. The sheet knows the points.",
    "monarchs": "Each player lays hand, draw deck and discards together and sorts them by colour. Gray cards do not count. "
    "Then count the cards and the crowns of each colour, those behind a slash too.",
}


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat: its name, and how its role stands for this viewer. A role is here only if all may see it."""

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
class Line:
    """One line of a player's count: what is counted, the fields, and the points it makes."""

    key: str
    label: str
    charge: str
    tincture: str
    values: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class Count:
    """The count of one player. ``role`` is what was entered where printed role cards are in play."""

    seat: SeatRow
    lines: tuple[Line, ...]
    total: int
    won: bool
    role: str = ""


@dataclass(frozen=True, slots=True)
class Score:
    counts: tuple[Count, ...]
    sentence: str
    outcome: str
    warnings: tuple[str, ...]
    refusal: str = ""
    # The result as the game's own functions give it, with no name in it.
    played: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """What happens now, in words."""

    sentence: str
    steps: tuple[str, ...] = ()
    more: str = ""


def seat_rows(sheet: Sheet, who: Who) -> list[SeatRow]:
    state = sheet.state
    rows = []
    for seat in sheet.seat_set.all():
        open_role = seat.role if sheet.roles_open or seat.role == VIZIER else ""
        rows.append(
            SeatRow(
                seat.number,
                seat.name,
                seat.label,
                open_role,
                seat.number == state.get("vizier"),
                seat.number == state["active"] and not state["over"],
                seat.number in state["out"],
                seat.token_id is not None,
                held(who, seat),
                seat.seen_at is not None,
            )
        )
    return rows


def turn_of(sheet: Sheet, seats: Sequence[SeatRow]) -> Turn:
    state = sheet.state
    if state["active"] is None:
        return Turn("Nobody has begun yet.")
    if state["over"]:
        return Turn("The game is over. Count the points.", more=COUNTING[sheet.game])
    name = seats[state["active"]].name
    if sheet.game == "menagerie":
        return _menagerie_turn(state, name)
    return _monarchs_turn(state, name, seats)


def _menagerie_turn(state: Mapping[str, Any], name: str) -> Turn:
    now = menagerie.turn(state["active"], state["vizier"], state["ends"])
    cards = "a card" if now.play == 1 else f"{now.play} cards"
    steps = (f"Draw {cards}.", f"Play {cards}.") if now.draw else (f"Play {cards}.",)
    more = (
        "End-stage: nobody draws. Mark each hand that is empty." if state["ends"] else "An animal is a gift to another."
    )
    return Turn(f"{name}: draw {now.draw}, play {now.play}." if now.draw else f"{name} plays {cards}.", steps, more)


def _monarchs_turn(state: Mapping[str, Any], name: str, seats: Sequence[SeatRow]) -> Turn:
    steps = tuple(text for _, text in monarchs.TURN_STEPS)
    if not state["ends"]:
        return Turn(f"It is {name}'s turn.", steps)
    left = monarchs.turns_left(state["start"], state["seats"], state["active"])
    if not left:
        return Turn(f"{name} takes the last turn of the game.", steps, "The court deck is empty.")
    last = seats[monarchs.last_seat(state["start"], state["seats"])].name
    turns = "one turn" if left == 1 else f"{left} turns"
    return Turn(f"It is {name}'s turn.", steps, f"The court deck is empty. After this {turns} to go; {last} is last.")


def dice_words(sheet: Sheet) -> list[str]:
    """Solo: what each die takes."""
    dice = sheet.state.get("dice") or []
    if len(dice) != 2:
        return []
    words = []
    for row in monarchs.dice_spots(dice[0], dice[1]):
        colour = "White" if row["row"] == "front" else "Black"
        what = "you choose a card" if row["choose"] else f"the card on spot {row['die']} from the left goes"
        words.append(f"{colour} {row['die']}: in the {row['row']} row {what}.")
    return words


# ── The score sheet ──────────────────────────────────────────────────────────────────────────────────────


def field(seat: int, key: str, part: str = "") -> str:
    return f"s{seat}.{key}{f'.{part}' if part else ''}"


def read_seat(sheet: Sheet, form: Mapping[str, Any], seat: int) -> dict[str, Any]:
    """The figures of one seat on the form. Empty is none; what is no number is refused."""
    if sheet.game == "menagerie":
        figures: dict[str, Any] = {animal: _figure(form, field(seat, animal), LIMIT) for animal in ANIMALS}
        role = str(form.get(field(seat, "role"), ""))
        return figures | {"role": role} if role in ROLE else figures
    return {
        colour: [_figure(form, field(seat, colour, part)) for part in ("cards", "crowns", "left")] for colour in COLOURS
    }


def _figure(form: Mapping[str, Any], name: str, most: int = FIGURE_MOST) -> int:
    figure = whole(str(form.get(name, "") or "0"))
    if figure is None or figure > most:
        raise Refusal(f"Each figure is a whole number from 0 to {most}.", field=name)
    return figure


def score_of(sheet: Sheet, seats: Sequence[SeatRow]) -> Score:
    """Live totals by the functions that score the digital game. What cannot be is said, and the figures stay."""
    given = sheet.entered
    deck = sheets.deck_of(sheet)
    scored = _score_menagerie if sheet.game == "menagerie" else _score_monarchs
    try:
        result = scored(sheet, seats, given, deck)
        sentence = ""
        if result.get("outcome"):
            words = Words([seat.name for seat in seats], {})
            values = {**result["facts"], "winners": result["winners"]}
            sentence = words.fill(result["sentence"], values)
        warnings = tuple(_warning(seats, warning) for warning in result["warnings"])
        counts = _counts(sheet, seats, given, deck, result)
        return Score(counts, sentence, result.get("outcome") or "", warnings, played=result)
    except Refusal as refusal:
        return Score(_counts(sheet, seats, given, deck, None), "", "", (), refusal.sentence)


def _score_menagerie(
    sheet: Sheet, seats: Sequence[SeatRow], given: Sequence[Mapping[str, Any]], deck: Deck
) -> dict[str, Any]:
    counts = [{key: value for key, value in each.items() if key != "role"} for each in given]
    roles = [seat.role or str(each.get("role", "")) for seat, each in zip(seats, given, strict=True)]
    known = all(roles)
    return menagerie.score_sheet(counts, deck, roles if known else None, sheet.options["sum_tie"])


def _score_monarchs(
    sheet: Sheet, seats: Sequence[SeatRow], given: Sequence[Mapping[str, Any]], deck: Deck
) -> dict[str, Any]:
    counts = [{colour: (pair[0], pair[1]) for colour, pair in each.items()} for each in given]
    left = None
    if sheet.options["family_scoring"]:
        left = [{colour: pair[2] for colour, pair in each.items()} for each in given]
    return monarchs.score_sheet(counts, deck, sheet.options["tiebreak"], left)


def _warning(seats: Sequence[SeatRow], warning: Any) -> str:
    if isinstance(warning, str):
        return warning
    return warning["text"] if warning["seat"] is None else f"{seats[warning['seat']].name}: {warning['text']}"


def _counts(
    sheet: Sheet,
    seats: Sequence[SeatRow],
    given: Sequence[Mapping[str, Any]],
    deck: Deck,
    result: Mapping[str, Any] | None,
) -> tuple[Count, ...]:
    counts = []
    for seat, each in zip(seats, given, strict=True):
        points = {} if result is None else {line["key"]: line["points"] for line in result["lines"][seat.number]}
        if sheet.game == "menagerie":
            rows = [(key, str(deck.row(key).values["name"]), *menagerie_drawing.ANIMALS[key]) for key in ANIMALS]
            lines = [Line(*row, (int(each.get(row[0], 0)),), points.get(row[0], 0)) for row in rows]
        else:
            lines = [
                Line(
                    colour, colour.capitalize(), "", tincture, tuple(each.get(colour, (0, 0, 0))), points.get(colour, 0)
                )
                for colour in COLOURS
                for tincture in (monarchs_drawing.COLOURS[colour][0],)
            ]
        total = 0 if result is None else result["scores"][seat.number]
        won = result is not None and seat.number in result["winners"] and len(seats) > 1
        counts.append(Count(seat, tuple(lines), total, won, str(each.get("role", ""))))
    return tuple(counts)
