"""A score sheet ready to draw for one viewer: seats, turn, points and the winner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.companion import majesty_and_moods_trackers, services
from cardgames.companion.hidden_roles import is_role_holder
from cardgames.companion.sheet_acts import SeatFigures
from cardgames.drawing import menagerie_cards as menagerie_drawing
from cardgames.drawing import monarchs_cards as monarchs_drawing
from cardgames.engine import Deck, SentenceBuilder
from cardgames.engine.score_sheet import ScoreSheet, SheetWarning
from cardgames.games import find_game
from cardgames.games.majesty import companion as majesty
from cardgames.games.majesty.scoring import target_of
from cardgames.games.menagerie import companion as menagerie
from cardgames.games.menagerie.deck_definition import ANIMALS, ROLE, VIZIER
from cardgames.games.menagerie.scoring import LIMIT
from cardgames.games.monarchs import companion as monarchs
from cardgames.games.monarchs.deck_definition import COLOURS
from cardgames.games.moods import companion as moods
from cardgames.games.moods.deck_definition import GENRES, MOST_ACTS, MUSES
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
    "moods": "Turn up the King's Mood and the Muses, then enter the genres of each play.",
    "majesty": "Check the figures of each court. The prestige is added up for you.",
}


@dataclass(frozen=True, slots=True)
class SheetSeatRow:
    """One seat, and what this viewer may know of its hidden cards. ``role`` is set only if everybody may see it."""

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
    # The names of all its hidden cards, if everybody may see them.
    role_name: str = ""
    scandals: int = 0
    # Lingering events at this court.
    lingering: tuple[str, ...] = ()

    @property
    def place(self) -> int:
        return self.number + 1


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
    # How it ended for this player where there are no points.
    verdict: str = ""


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
    names = _face_names(sheet) if sheet.game in ("moods", "majesty") else {key: face.name for key, face in ROLE.items()}
    rows = []
    for seat in sheet.seat_set.all():
        is_open = sheet.roles_open or seat.role == VIZIER
        rows.append(
            SheetSeatRow(
                seat.number,
                seat.name,
                seat.label,
                seat.role if is_open else "",
                seat.number == state.get("vizier"),
                seat.number == state["active"] and not state["over"],
                seat.number in state["out"],
                seat.token_id is not None,
                is_role_holder(who, seat),
                seat.seen_at is not None,
                ", ".join(names[card] for card in seat.hidden_cards if card in names) if is_open else "",
                _scandals(state, seat.number),
                tuple(names[card] for at, card in state.get("lingering", ()) if at == seat.number),
            )
        )
    return rows


def _face_names(sheet: Sheet) -> dict[str, str]:
    deck = services.deck_of(sheet)
    if sheet.game == "majesty":
        return majesty.lingering_cards(deck)
    return {face.id: face.name for face in find_game(sheet.game).faces(deck)}


def _scandals(state: Mapping[str, Any], seat: int) -> int:
    scandals = state.get("scandals", ())
    return int(scandals[seat]) if seat < len(scandals) else 0


def turn_of(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> TurnDisplay:
    state = sheet.state
    if state["active"] is None:
        return TurnDisplay("The game has not started yet.")
    if state["over"]:
        return TurnDisplay("The game is over. Count the points.", more=COUNTING_HELP[sheet.game])
    name = seats[state["active"]].name
    if sheet.game == "menagerie":
        return _menagerie_turn(state, name)
    if sheet.game == "moods":
        return _moods_turn(sheet, name)
    if sheet.game == "majesty":
        return _majesty_turn(sheet, name)
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


def _moods_turn(sheet: Sheet, name: str) -> TurnDisplay:
    left = majesty_and_moods_trackers.cards_left(sheet, sheet.state)
    cards = "no card is left" if not left else "one card is left" if left == 1 else f"{left} cards are left"
    more = "Keep the card, or give it away and use one action card."
    return TurnDisplay(f"{name} draws a card.", (), f"{more} After this draw {cards} in the deck.")


def _majesty_turn(sheet: Sheet, name: str) -> TurnDisplay:
    state = sheet.state
    left = majesty.MOST_ACTIONS - len(state["taken"])
    more = ""
    if state["expired"] and not state["taken"]:
        names = majesty.lingering_cards(services.deck_of(sheet))
        gone = ", ".join(names.get(card, card) for card in state["expired"])
        more = f"Discard what lingered until now: {gone}."
    words = {0: f"{name} has used both actions.", 1: f"{name} has one action left.", 2: f"{name} has two actions."}
    return TurnDisplay(words[left], (), more)


def action_slots(sheet: Sheet) -> list[tuple[str, str, bool]]:
    """Your Majesty: each type of action, and whether it can still be taken in this turn."""
    taken = sheet.state.get("taken", [])
    full = len(taken) >= majesty.MOST_ACTIONS
    return [(key, label, not full and key not in taken) for key, label in majesty.ACTIONS.items()]


def taken_actions(sheet: Sheet) -> list[str]:
    return [majesty.ACTIONS[key] for key in sheet.state.get("taken", [])]


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


def read_seat_figures(sheet: Sheet, form: Mapping[str, Any], seat: int) -> SeatFigures:
    """One seat's figures from the form. Empty means 0; anything but a number is refused."""
    if sheet.game == "menagerie":
        animals = {animal: _read_figure(form, field_name(seat, animal), LIMIT) for animal in ANIMALS}
        role = str(form.get(field_name(seat, "role"), ""))
        return SeatFigures(animals, role=role if role in ROLE else "")
    if sheet.game == "moods":
        genres = {genre: _read_figure(form, field_name(seat, genre), MOST_ACTS) for genre in GENRES}
        muse = str(form.get(field_name(seat, "role"), ""))
        return SeatFigures(genres, role=muse if muse in MUSES else "")
    if sheet.game == "majesty":
        return SeatFigures({key: _read_figure(form, field_name(seat, key), majesty.MOST) for key in majesty.FIGURES})
    return SeatFigures(colours={colour: _read_colour(form, seat, colour) for colour in COLOURS})


def _read_colour(form: Mapping[str, Any], seat: int, colour: str) -> tuple[int, int, int]:
    cards, crowns, left = (_read_figure(form, field_name(seat, colour, part)) for part in ("cards", "crowns", "left"))
    return cards, crowns, left


def _read_figure(form: Mapping[str, Any], name: str, most: int = MAX_FIGURE) -> int:
    figure = parse_int(str(form.get(name, "") or "0"))
    if figure is None or figure > most:
        raise Refusal(f"Enter whole numbers from 0 to {most}.", field=name)
    return figure


def score_of(sheet: Sheet, seats: Sequence[SheetSeatRow]) -> ScoreDisplay:
    """Live totals, scored like the digital game. Impossible figures give a refusal and stay as entered."""
    given = sheet.entered
    deck = services.deck_of(sheet)
    try:
        result = _SCORERS[sheet.game](sheet, seats, given, deck)
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
    if sheet.game == "majesty":
        return f"Nobody has {target_of(sheet.options['paycheck'])} prestige yet."
    if sheet.game == "moods" and not sheet.state.get("dealt"):
        return "Enter the King's Mood and the Muses to see who has won."
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


def _score_moods(
    sheet: Sheet, seats: Sequence[SheetSeatRow], given: Sequence[Mapping[str, Any]], deck: Deck
) -> ScoreSheet:
    plays = [{key: value for key, value in each.items() if key != "role"} for each in given]
    muses = [seat.role or str(each.get("role", "")) for seat, each in zip(seats, given, strict=True)]
    return moods.score_sheet(plays, deck, kings_mood(sheet), muses, sheet.options["two_cards_when_same"])


def kings_mood(sheet: Sheet) -> str:
    """The King's Mood once it is turned up: dealt by phones, or entered by hand."""
    if sheet.table_cards:
        return str(sheet.table_cards[0]) if sheet.roles_open else ""
    return str(sheet.state.get("king", ""))


def _score_majesty(
    sheet: Sheet, seats: Sequence[SheetSeatRow], given: Sequence[Mapping[str, Any]], deck: Deck
) -> ScoreSheet:
    state = sheet.state
    return majesty.score_sheet(
        given,
        deck,
        abolished=bool(state.get("abolished")),
        paycheck=sheet.options["paycheck"],
        is_over=state["over"],
        rounds=-(-state["turn"] // state["seats"]),
    )


_SCORERS = {
    "menagerie": _score_menagerie,
    "monarchs": _score_monarchs,
    "moods": _score_moods,
    "majesty": _score_majesty,
}


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
        elif sheet.game == "moods":
            lines = [CountLine(genre, genre.capitalize(), "", "", (int(each.get(genre, 0)),), 0) for genre in GENRES]
        elif sheet.game == "majesty":
            lines = [
                CountLine(key, label, "", "", (int(each.get(key, 0)),), 0) for key, label in majesty.FIGURES.items()
            ]
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
        counts.append(PlayerCount(seat, tuple(lines), total, won, str(each.get("role", "")), _verdict(result, seat)))
    return tuple(counts)


def _verdict(result: ScoreSheet | None, seat: SheetSeatRow) -> str:
    if result is None or "beheaded" not in result.facts:
        return ""
    ends = {"beheaded": "beheaded", "without_patron": "lost their patron"}
    return (
        " and ".join(text for key, text in ends.items() if seat.number in result.facts[key]) or "keeps head and patron"
    )
