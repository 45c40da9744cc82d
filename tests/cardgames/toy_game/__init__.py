"""Pebbles, a game added as anybody would: all of it is in this folder, and nothing else changes.

Rules, deck, board, drawings, a companion beside printed cards and a score pad for paper.

Each of two or three players plays three cards, one a turn, to any player's row. A bell or an acorn helps, a thorn does
not.
"""

from __future__ import annotations

from pathlib import Path

from cardgames.engine import (
    NONE,
    OWNER,
    CardGroup,
    Choice,
    DeckSchema,
    EventSentence,
    Face,
    Game,
    Question,
    QuestionDisplay,
    Result,
    ScoreLine,
    SeatScore,
    Spots,
    Table,
    ValueKind,
    Zone,
    public,
    seat_spots,
    seat_zones,
    table_zone,
)
from cardgames.engine.board import Board, Cell, Change, Fan, PlayerRow, PlayerRows, Preview, Scene, hand_cards
from cardgames.engine.card_content import CardContent, CardSign, Drawings
from cardgames.engine.how_to_play import Example, HowTo, Section, Step
from cardgames.engine.printed_game import (
    MARK_DECK_EMPTY,
    Companion,
    Figure,
    ScorePad,
    ScoreSheet,
    TurnButton,
    TurnDisplay,
)
from cardgames.games import house_deck, register_game

KINDS = ("acorn", "bell", "thorn")
HAND = 3
SCHEMA = DeckSchema(
    "pebbles",
    (
        CardGroup(
            "cards",
            "Cards",
            (
                ValueKind("name", "Name", "text", 1, 40),
                ValueKind("copies", "Copies", "number", 0, 20),
                ValueKind("worth", "Worth", "number", -5, 5),
            ),
            KINDS,
        ),
    ),
)


FOLDER = Path(__file__).parent


def faces_of(deck):
    return tuple(Face(row.id, "cards", n, str(row.values["name"]), "", row.values) for n, row in enumerate(deck.rows))


class Pebbles(Table):
    active: int = public(-1)
    deck: Zone = table_zone("deck", NONE, ordered=True)
    hands: list[Zone] = seat_zones("hand", OWNER)
    rows: list[Spots] = seat_spots("rows", KINDS, alike=True)

    def prepare(self):
        copies = {row.id: row.copies for row in self.rules_deck.rows}
        self.deck.cards = self.make_cards([face for face in faces_of(self.rules_deck) for _ in range(copies[face.id])])


def play(t):
    t.shuffle(t.deck.cards, "deck")
    for hand in t.hands * HAND:
        t.draw(t.deck, hand)
    for turn in range(HAND * t.seats):
        seat = t.active = turn % t.seats
        hand = t.hands[seat]
        card = yield Question(seat, "card", {card.key: card for card in hand.cards})
        to = yield Question(seat, "row", {f"{other}:{card.key}": other for other in range(t.seats)}, card.key)
        hand.cards.remove(card)
        t.place(t.rows[to], KINDS.index(card.key), card)
        t.log_event("gave", seat=seat, to=to, card=card.key)
    t.active = -1
    return result_of([[len(pile) for pile in spots.piles] for spots in t.rows])


def result_of(rows) -> Result:
    scores = tuple(points(counts) for counts in rows)
    best = max(scores)
    winners = tuple(seat for seat, score in enumerate(scores) if score == best)
    return Result("best", winners, scores, lambda: [[ScoreLine("all", "All", "", score)] for score in scores], {})


def points(counts) -> int:
    worth = {row.id: int(row.values["worth"]) for row in house_deck("pebbles").rows}
    return sum(worth[kind] * count for kind, count in zip(KINDS, counts, strict=True))


def current_scores(view, deck) -> list[SeatScore]:
    return [SeatScore(seat, points(counts)) for seat, counts in enumerate(view.spots_each("rows").counts)]


def describe(view, words, deck):
    keys, about = view.asked.keys, view.asked.about
    if about is None:
        return QuestionDisplay("Which card?", tuple(Choice(key, words.card(key), card=key) for key in keys))
    choices = tuple(Choice(key, f"To {words.who(int(key[0]))}", seat=int(key[0])) for key in keys)
    return QuestionDisplay(f"Who gets the {words.card(about)}?", choices)


def lay_out(scene: Scene) -> Board:
    view, words = scene.view, scene.words
    counts = view.spots_each("rows").counts
    rows = tuple(
        PlayerRow(
            seat,
            tuple(
                Cell(f"{seat}:{kind}", words.card(kind), f"c-{kind}", "or", count, 4, str(count))
                for kind, count in zip(KINDS, row, strict=True)
            ),
        )
        for seat, row in enumerate(counts)
    )
    previews = []
    for choice in scene.question.choices if scene.question else ():
        if choice.card:
            previews.append(Preview(choice.key, f"Play {choice.label}", f"hand-{choice.key}", label=choice.label))
            continue
        kind, by = choice.key[2:], points([choice.key[2:] == kind for kind in KINDS])
        before = points(counts[choice.seat])
        change = Change(choice.seat, before, before + by)
        press = f"Give {words.card(kind)} to {words.who(choice.seat)}"
        previews.append(Preview(choice.key, press, choice.key, label=press, changes=(change,), tag=by))
    hand = view.zones_each("hand").each[view.seat] if view.seat is not None and view.seat >= 0 else ()
    active = view.fields["active"]
    return Board(
        label="Your turn" if active == view.seat else f"{words.whose(active)} turn" if active >= 0 else "",
        title=scene.question.prompt if scene.question else "",
        icon="c-acorn",
        pieces=(PlayerRows("Rows", rows),),
        fan=Fan("Your hand", hand_cards(hand)) if hand else None,
        tallies=(("deck", view.zone("deck").size),),
        active=active,
        previews=tuple(previews),
    )


def card_content(face: Face) -> CardContent:
    return CardContent("pebbles", face.id, "card", face.name, face.id, "or", f"{face.name}, card.")


DRAWINGS = Drawings(
    {"play": ("acorn", "or")}, card_content, lambda pictures: [(CardSign(kind), pictures[kind].name) for kind in KINDS]
)


class PebblesCompanion(Companion):
    counting_help = "Count the cards of each row."
    counts_help = "cards by kind"
    acts = {"ends": MARK_DECK_EMPTY}

    def set_up(self, deck, seats, options):
        return [f"Deal {HAND} cards to each of the {seats} players."]

    def turn(self, now):
        return TurnDisplay(f"{now.names[now.state['active']]} plays a card.")

    def turn_buttons(self, state):
        return () if state["ends"] else (TurnButton("ends", "The deck is empty"),)

    def next_seat(self, state, deck):
        return None if state["turn"] == HAND * state["seats"] else super().next_seat(state, deck)

    def figures(self, deck):
        return [Figure(row.id, str(row.values["name"]), 20, row.id, "or") for row in deck.rows]

    def score(self, now):
        return self.score_sent({"counts": now.figures}, now.deck)

    def score_sent(self, sent, deck):
        rows = [[each.get(kind, 0) for kind in KINDS] for each in sent["counts"]]
        return ScoreSheet.of(result_of(rows), "{winners} won.", {}, ())


def score_pad(deck) -> ScorePad:
    rows = tuple((str(row.values["name"]), str(row.values["worth"])) for row in deck.rows)
    return ScorePad(rows, ("cards", "points"), "worth", "the best row wins")


GAME = Game(
    key="pebbles",
    title="Pebbles",
    version=1,
    blurb="Three cards each.",
    schema=SCHEMA,
    options=(),
    seat_limits=lambda deck: (2, 3),
    faces=faces_of,
    open_table=Pebbles,
    play=play,
    event_sentences={"gave": EventSentence("{seat} gives {to} the {card}.", "You give {to} the {card}.")},
    waiting_sentences={"card": "{seat} chooses a card.", "row": "{seat} chooses a row."},
    outcome_sentences={"best": "{winners} won."},
    describe_question=describe,
    current_scores=current_scores,
    rate_choices=lambda view, deck: dict.fromkeys(view.asked.keys, 1.0),
    value_of_result=lambda result, seat: float(seat in result.winners),
    lay_out=lay_out,
    follow_ups=frozenset({"row"}),
    drawings=DRAWINGS,
    companion=PebblesCompanion(),
    score_pad=score_pad,
)

HOWTO = HowTo(
    "Have the best row.",
    ("Play a card to any row.",),
    (Section("Play", ("Play a card to any row.",)),),
    Example(("Ada", "Bo"), (), (), (Step(0, None, "The start."),)),
    (),
)


register_game(GAME, HOWTO, FOLDER)
