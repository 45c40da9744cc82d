"""Moods of the Mad King with printed cards: set-up, turns, score sheet, and the score pad on paper."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import Deck, Rng, ScoreLine
from cardgames.engine.cards import Face
from cardgames.engine.printed_game import (
    Companion,
    Deal,
    Figure,
    HiddenCards,
    ScorePad,
    ScoreSheet,
    SheetNow,
    SheetWarning,
    State,
    Tap,
    TurnAct,
    TurnButton,
    TurnDisplay,
)
from cardgames.engine.randomness import shuffle_list
from cardgames.games.moods.deck_definition import (
    FEWEST_SEATS,
    GENRES,
    MAX_ACTS,
    MAX_SEATS,
    MOODS,
    MOODS_DEALT,
    MUSES,
    PLAYS,
    actions_dealt,
    cards_of,
    faces_of,
)
from cardgames.games.moods.scoring import OUTCOMES, result
from refusal import Refusal


def score_sheet(
    plays: Sequence[Mapping[str, int]],
    deck: Deck,
    king: str = "",
    muses: Sequence[str] = (),
    two_cards_when_same: bool = False,
) -> ScoreSheet:
    """Who keeps head and patron, from the genres of each play; without King's Mood and Muses nobody has won yet."""
    _check_seats(len(plays))
    counted = [_count(play) for play in plays]
    warnings: list[SheetWarning | str] = [
        SheetWarning(f"A play has at most {MAX_ACTS} cards.", seat)
        for seat, play in enumerate(counted)
        if sum(play) > MAX_ACTS
    ]
    for number, genre in enumerate(GENRES):
        entered, copies = sum(play[number] for play in counted), deck.row(PLAYS[number]).copies
        if entered > copies:
            warnings.append(f"{entered} of {genre} entered, but the deck has only {copies}.")
    if len(set(muses) - {""}) < len([muse for muse in muses if muse]):
        warnings.append("Every Muse exists once. Correct the Muses.")
    options = {"two_cards_when_same": two_cards_when_same}
    is_known = king in MOODS and len(muses) == len(plays) and all(muse in MUSES for muse in muses)
    if not is_known or warnings:
        empty: tuple[ScoreLine, ...] = ()
        return ScoreSheet((0,) * len(plays), (empty,) * len(plays), options, tuple(warnings))
    acts = [[number for number, count in enumerate(play) for _ in range(count)] for play in counted]
    name = next(face.name for face in faces_of(deck) if face.id == king)
    played = result(acts, MOODS.index(king), [MUSES.index(muse) for muse in muses], name, two_cards_when_same)
    return ScoreSheet.of(played, OUTCOMES[played.outcome], options, ())


def _count(play: Mapping[str, int]) -> tuple[int, ...]:
    for genre, count in play.items():
        if genre not in GENRES:
            raise Refusal(f"“{genre}” is not a genre. Choose from: {', '.join(GENRES)}.", field="counts")
        if type(count) is not int or not 0 <= count <= 99:
            raise Refusal("Enter whole numbers from 0 to 99.", field="counts")
    return tuple(play.get(genre, 0) for genre in GENRES)


def _check_seats(seats: int) -> None:
    if type(seats) is not int or not FEWEST_SEATS <= seats <= MAX_SEATS:
        raise Refusal("Moods of the Mad King is for 2 to 4 players.", field="seats")


# More cards than any action puts back.
MAX_ADDED = 15


def _add_play_card(state: State, tap: Tap) -> None:
    """An action card put a play card back, or took one more out of the deck."""
    state["changed"] = min(MAX_ADDED, state["changed"] + 1)


def _remove_play_card(state: State, tap: Tap) -> None:
    if _cards_left(state, tap.deck) == 0:
        raise Refusal("The deck is already empty.", status=409)
    state["changed"] -= 1


def _enter_king(state: State, tap: Tap) -> None:
    """The King's Mood of the printed cards, turned up at the show."""
    if tap.what not in MOODS:
        raise Refusal("Choose the King's Mood.", field="what")
    state["king"] = tap.what


def _cards_left(state: Mapping[str, Any], deck: Deck) -> int:
    """Play cards still in the deck: each turn draws one, and action cards may add or take some (DR-20)."""
    left: int = deck.count(("play",)) + state.get("changed", 0) - state["turn"]
    return max(0, left)


def _kings_mood(now: SheetNow) -> str:
    """The King's Mood once it is turned up: dealt by phones, or entered by hand."""
    if now.table_cards is None:
        return str(now.state.get("king", ""))
    return next(iter(now.table_cards), "")


class MoodsCompanion(Companion):
    counting_help = "Turn up the King's Mood and the Muses, then enter the genres of each play."
    count_button = "Enter the plays"
    points_label = "The show"
    role_label = "Muse"
    counts_help = "play cards by genre, with the Muses as roles"
    facts = {"king": (str, "the King's Mood")}
    hidden = HiddenCards(
        heading="Muses and Moods",
        invitation="Let the phones deal: the King's Mood stays hidden from everybody, and each player sees only their "
        "own Muse and Moods.",
        deal="Deal Muses and Moods on phones",
        deal_again="Deal the cards again",
        reveal="Turn up the King's Mood and all cards",
        hint="Press and hold a card to see it. Your Muse comes first. None of your Moods is the King's.",
        cover="Hidden cards",
        noun="cards",
        are_several=True,
    )
    agreed = frozenset({"two_cards_when_same"})
    acts = {
        "king": TurnAct(_enter_king, while_playing=False),
        "card-more": TurnAct(_add_play_card),
        "card-fewer": TurnAct(_remove_play_card),
    }

    def set_up(self, deck: Deck, seats: int, options: Mapping[str, Any]) -> list[str]:
        _check_seats(seats)
        moods = "two Moods" if MOODS_DEALT[seats] == 2 else "a Mood"
        spare = len(MOODS) - 1 - seats * MOODS_DEALT[seats]
        return [
            f"Deal {actions_dealt(deck, seats)} shuffled action cards to each player. "
            "The rest go into the box, unseen.",
            "Deal one Muse to each player, face down. The others go into the box, unseen.",
            "Put one Mood face down in the middle: the King's Mood.",
            f"Deal {moods} to each player." + (" Put the last Mood aside, unseen." if spare else ""),
            f"Shuffle the {deck.count(('play',))} play cards and lay them on the show card.",
            "Whoever saw a play last begins. Play goes clockwise.",
        ]

    def set_up_counts(self, deck: Deck, seats: int) -> list[tuple[int, str]]:
        return [
            (deck.count(("play",)), "play cards"),
            (actions_dealt(deck, seats), "action cards per player"),
            (1, "Muse per player"),
            (MOODS_DEALT[seats], "Moods per player" if MOODS_DEALT[seats] > 1 else "Mood per player"),
        ]

    def begin(self, state: State) -> None:
        state["changed"] = 0

    def next_seat(self, state: State, deck: Deck) -> int | None:
        """The game ends when the deck is empty at the start of a turn (D30)."""
        return super().next_seat(state, deck) if _cards_left(state, deck) else None

    def turn(self, now: SheetNow) -> TurnDisplay:
        left = _cards_left(now.state, now.deck)
        cards = "no card is left" if not left else "one card is left" if left == 1 else f"{left} cards are left"
        more = "Keep the card, or give it away and use one action card."
        return TurnDisplay(
            f"{now.names[now.state['active']]} draws a card.", (), f"{more} After this draw {cards} in the deck."
        )

    def turn_buttons(self, state: Mapping[str, Any]) -> Sequence[TurnButton]:
        return (TurnButton("card-more", "Add a card to the deck"), TurnButton("card-fewer", "Take a card off the deck"))

    def own_values(self, now: SheetNow) -> Mapping[str, object]:
        return {"moods": cards_of(now.deck, "mood"), "king": _kings_mood(now)}

    def deal(self, seats: int, rng: Rng) -> Deal:
        """D11 to D13: a Muse and one or two Moods each, and the King's Mood. What is left over nobody sees."""
        _check_seats(seats)
        muses, moods = shuffle_list(rng, MUSES), shuffle_list(rng, MOODS)
        king, each = moods.pop(), MOODS_DEALT[seats]
        hands = tuple((muses[seat], *moods[seat * each : (seat + 1) * each]) for seat in range(seats))
        return Deal(hands, (king,))

    def begin_dealt(self, state: State, deal: Deal) -> None:
        super().begin_dealt(state, deal)
        state["king"] = ""

    def figures(self, deck: Deck) -> Sequence[Figure]:
        return [Figure(genre, genre.capitalize(), MAX_ACTS) for genre in GENRES]

    def roles(self, deck: Deck) -> Sequence[Face]:
        return cards_of(deck, "muse")

    def score(self, now: SheetNow) -> ScoreSheet:
        same = now.options["two_cards_when_same"]
        return score_sheet(now.figures, now.deck, _kings_mood(now), now.roles, same)

    def score_sent(self, sent: Mapping[str, Any], deck: Deck) -> ScoreSheet:
        return score_sheet(sent["counts"], deck, sent.get("king", ""), sent.get("roles", ()))

    def why_no_winner(self, now: SheetNow, result: ScoreSheet) -> str:
        if now.state.get("dealt"):
            return super().why_no_winner(now, result)
        return "Enter the King's Mood and the Muses to see who has won."

    def verdict(self, result: ScoreSheet, seat: int) -> str:
        if "beheaded" not in result.facts:
            return ""
        ends = {"beheaded": "beheaded", "without_patron": "lost their patron"}
        return " and ".join(text for key, text in ends.items() if seat in result.facts[key]) or "keeps head and patron"


def score_pad(deck: Deck) -> ScorePad:
    """A row for each genre, with the Mood it pleases; at the show one ticks what each play has."""
    moods = {str(row.values["genre"]): str(row.values["name"]) for row in deck.group("mood")}
    rows = tuple((genre.capitalize(), moods[genre]) for genre in GENRES)
    return ScorePad(rows, ("acts", "Muse"), "Mood", "circle the King's Mood", "Wins")
