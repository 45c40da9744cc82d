"""Small games that test the engine: each has one mechanism and little else.

Keyhole: private knowledge that goes stale. Parcel: simultaneous secret answers. Siege: a reaction window. Attic: one
seat picks another's discards. Salon: negotiation with replies. Gossip: Keyhole with a leak that the leak test finds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cardgames.engine import (
    ALL,
    NONE,
    OWNER,
    PASS,
    CardGroup,
    Choice,
    Deck,
    DeckSchema,
    EventSentence,
    Face,
    Game,
    HandQuestion,
    Part,
    Question,
    QuestionDisplay,
    QuestionGroup,
    ReactionWindow,
    Record,
    Result,
    Script,
    SentenceBuilder,
    Table,
    ValueKind,
    View,
    Zone,
    ask_for_reactions,
    make_deck,
    public,
    seat_zones,
    secret,
    table_zone,
)

SEATS = 3


def toy_schema(key: str) -> DeckSchema:
    return DeckSchema(key, (CardGroup("cards", "Cards", (ValueKind("copies", "Copies", "number", 0, 9),)),))


def toy_deck(key: str, copies: Mapping[str, int]) -> Deck:
    rows = [
        {"id": face, "group": "cards", "values": {"copies": count}, "sources": {"house": ["copies"]}}
        for face, count in copies.items()
    ]
    data = {"schema": "mice-at-arms.deck/1", "game": key, "id": key, "title": key, "note": "", "cards": rows}
    return make_deck(toy_schema(key), data)


def faces_of(deck: Deck) -> tuple[Face, ...]:
    return tuple(Face(row.id, "cards", number) for number, row in enumerate(deck.rows))


def cards_of(deck: Deck) -> list[Face]:
    faces = {face.id: face for face in faces_of(deck)}
    return [faces[row.id] for row in deck.rows for _ in range(row.copies)]


class ToyTable(Table):
    round: int = public(0)
    score: list[int] = public(list)
    whim: list[int] = secret(0)
    middle: Zone = table_zone("middle", NONE, ordered=True)
    discard: Zone = table_zone("discard")
    hands: list[Zone] = seat_zones("hand", OWNER, ordered=True)
    plays: list[Zone] = seat_zones("play", ALL)

    def prepare(self) -> None:
        self.score = [0] * self.seats
        cards = self.make_cards(cards_of(self.rules_deck))
        self.shuffle(cards, "deck")
        self.middle.cards = cards


def over(t: ToyTable) -> Result:
    for zone in (*t.hands, t.middle):
        t.reveal(zone)
    best = max(t.score)
    winners = tuple(seat for seat, score in enumerate(t.score) if score == best)
    return Result("over", winners, tuple(t.score), lambda: [() for _ in t.score], {})


def describe(view: View, words: SentenceBuilder, deck: Deck) -> QuestionDisplay:
    return QuestionDisplay("Choose.", tuple(Choice(key, key.capitalize()) for key in view.asked.keys))


def toy(key: str, play: Callable[[Any], Script], copies: Mapping[str, int]) -> tuple[Game, Deck]:
    kinds = (
        "told",
        "peeked",
        "swapped",
        "passed",
        "attack",
        "held",
        "fell",
        "given",
        "dropped",
        "invited",
        "came",
        "gossip",
    )
    game = Game(
        key=key,
        title=key.capitalize(),
        version=1,
        blurb="",
        schema=toy_schema(key),
        options=(),
        seat_limits=lambda deck: (SEATS, SEATS),
        faces=faces_of,
        open_table=ToyTable,
        play=play,
        event_sentences={
            kind: EventSentence(kind.capitalize() + ".", private=kind.capitalize() + ": {cards}.") for kind in kinds
        },
        waiting_sentences={},
        outcome_sentences={"over": "Over. {winners}."},
        describe_question=describe,
        current_scores=lambda view, deck: [],
        rate_choices=lambda view, deck: dict.fromkeys(view.asked.keys, 0.0),
        value_of_result=lambda result, seat: float(seat in result.winners),
    )
    return game, toy_deck(key, copies)


def table_of(toy: tuple[Game, Deck], seed: bytes) -> Record:
    game, deck = toy
    return Record(game.key, 1, deck, SEATS, {}, seed)


# Keyhole


def keyhole(t: ToyTable) -> Script:
    return _keyhole(t, gossip=False)


def gossip(t: ToyTable) -> Script:
    return _keyhole(t, gossip=True)


def _keyhole(t: ToyTable, gossip: bool) -> Script:
    """Two hidden moods each, one in the middle. Look through a keyhole, or secretly swap one for the middle."""
    for seat in range(t.seats):
        for _ in range(2):
            t.draw(t.middle, t.hands[seat])
    king = t.zone("king", NONE)
    t.draw(t.middle, king)
    for t.round in range(1, 5):
        for seat in range(t.seats):
            looks = {
                f"look:{other}:{slot}": (other, slot) for other in range(t.seats) if other != seat for slot in (0, 1)
            }
            # What stays secret is named by its place, never by its face.
            swaps = {f"swap:{slot}": (seat, slot) for slot in (0, 1)}
            owner, slot = yield Question(seat, "mood", {**looks, **swaps, PASS: (None, 0)})
            if owner is None:
                t.log_event("passed", seat=seat)
            elif owner != seat:
                card = t.hands[owner].cards[slot]
                t.look(seat, t.hands[owner], [card], "keyhole", of=owner)
                t.log_event("peeked", {seat: {"cards": [card.face.id]}}, seat=seat, of=owner)
                if gossip and card.face.id == "joyous":
                    t.log_event("gossip", seat=seat)
            else:
                t.swap(t.hands[seat], slot, king, 0)
                # The others only know that one of these three is now in the middle.
                t.mix([*t.hands[seat].cards, king.cards[0]], knowing=1 << seat)
                t.log_event("swapped", seat=seat)
    t.reveal(king)
    for seat in range(t.seats):
        t.score[seat] = sum(card.face.id == "joyous" for card in t.hands[seat].cards)
    return over(t)


MOODS = {"joyous": 2, "brooding": 2, "lamenting": 2, "passionate": 1, "operatic": 1}
KEYHOLE = toy("keyhole", keyhole, MOODS)
GOSSIP = toy("gossip", gossip, MOODS)


# Parcel


def parcel(t: ToyTable) -> Script:
    """Everybody passes a hidden card to the left at the same moment, three times."""
    for seat in range(t.seats):
        for _ in range(3):
            t.draw(t.middle, t.hands[seat])
    for t.round in range(1, 4):

        def slots(seat: int) -> Callable[[], dict[str, int]]:
            return lambda: {f"slot-{number}": number for number in range(len(t.hands[seat].cards))}

        answers = yield QuestionGroup([HandQuestion(seat, "parcel", slots(seat)) for seat in range(t.seats)])
        sent = [t.hands[seat].cards.pop(answers[seat]) for seat in range(t.seats)]
        for seat, card in enumerate(sent):
            # The others cannot tell which card of the hand is on its way.
            t.mix([*t.hands[seat].cards, card], knowing=1 << seat)
        for seat, card in enumerate(sent):
            t.put(t.hands[(seat + 1) % t.seats], card)
        t.log_event(
            "passed", {(seat + 1) % t.seats: {"cards": [card.face.id]} for seat, card in enumerate(sent)}, seat=0
        )
    for seat in range(t.seats):
        t.score[seat] = len({card.face.id for card in t.hands[seat].cards})
    return over(t)


PARCEL = toy("parcel", parcel, {"cheese": 4, "thyme": 4, "acorn": 4})

# Siege

WINDOW = ReactionWindow(hold=3.0)
STRICT = ReactionWindow(hold=3.0, deadline=20.0)


def siege(t: ToyTable) -> Script:
    return _siege(t, WINDOW)


def strict_siege(t: ToyTable) -> Script:
    return _siege(t, STRICT)


def _siege(t: ToyTable, window: ReactionWindow) -> Script:
    """One attacks all others at once. Each may answer with a shield, and is asked whether they have one or not."""
    for seat in range(t.seats):
        for _ in range(2):
            t.draw(t.middle, t.hands[seat])
    for t.round in range(1, 4):
        for attacker in range(t.seats):
            wish = yield Question(attacker, "attack", {"attack": True, PASS: False})
            if not wish:
                continue
            t.log_event("attack", seat=attacker)
            others = [seat for seat in range(t.seats) if seat != attacker]

            def shield(seat: int) -> dict[str, Any]:
                held = [card for card in t.hands[seat].cards if card.face.id == "shield"]
                return {"shield": held[0]} if held else {}

            answers = yield ask_for_reactions(others, "defend", shield, window=window)
            for seat, card in answers.items():
                if card is None:
                    t.score[attacker] += 1
                    t.log_event("fell", seat=seat)
                else:
                    t.give(t.hands[seat], card, t.discard)
                    t.log_event("held", seat=seat, card=card.face.id)
    return over(t)


SIEGE = toy("siege", siege, {"shield": 4, "spoon": 5})
STRICT_SIEGE = toy("strict", strict_siege, {"shield": 4, "spoon": 5})


# Attic


def attic(t: ToyTable) -> Script:
    """Draw a card in secret, keep it or give it away; whoever has more than two open cards chooses what to drop."""
    seat = 0
    while t.middle.cards:
        t.draw(t.middle, t.hands[seat])
        to = yield Question(
            seat, "keep-or-give", {"keep": seat, **{f"give:{q}": q for q in range(t.seats) if q != seat}}
        )
        card = t.hands[seat].cards.pop()
        t.put(t.plays[to], card)
        t.log_event("given", seat=seat, to=to, card=card.face.id)
        yield from attic_drop(t, to)
        seat = (seat + 1) % t.seats
    for seat in range(t.seats):
        t.score[seat] = len({card.face.id for card in t.plays[seat].cards})
    return over(t)


def attic_drop(t: ToyTable, owner: int) -> Part:
    while len(t.plays[owner].cards) > 2:
        card = yield Question(owner, "drop", {card.face.id: card for card in t.plays[owner].cards})
        t.give(t.plays[owner], card, t.discard)
        t.log_event("dropped", seat=owner, card=card.face.id)


ATTIC = toy("attic", attic, {"drama": 3, "comedy": 3, "romance": 3})


# Salon


def salon(t: ToyTable) -> Script:
    """The host invites one open card from each other seat; they lend it, offer another or refuse; the host decides."""
    for seat in range(t.seats):
        for _ in range(3):
            t.draw(t.middle, t.plays[seat])
    for host in range(t.seats):
        t.round += 1
        wanted: dict[int, Any] = {}
        for other in range(t.seats):
            if other != host:
                options = {card.face.id: card for card in t.plays[other].cards}
                wanted[other] = yield Question(host, "invite", {**options, "nobody": None}, {"of": other})
        asked = {seat: card for seat, card in wanted.items() if card is not None}
        t.log_event("invited", seat=host, cards=[card.face.id for card in asked.values()])
        coming = []
        if asked:
            asks = []
            for seat, card in asked.items():
                others = {f"offer:{other.face.id}": other for other in t.plays[seat].cards if other is not card}
                asks.append(
                    Question(
                        seat, "reply", {"lend": card, **others, "refuse": None}, {"host": host, "card": card.face.id}
                    )
                )
            replies = yield QuestionGroup(asks)
            coming = [card for card in replies.values() if card is not None]
        while coming:
            card = yield Question(host, "attend", {**{card.face.id: card for card in coming}, "enough": None})
            if card is None:
                break
            coming.remove(card)
            t.score[host] += 1
            t.log_event("came", seat=host, card=card.face.id)
    return over(t)


SALON = toy("salon", salon, {"newton": 2, "hume": 2, "kant": 2, "haydn": 3})

TOYS = {"keyhole": KEYHOLE, "parcel": PARCEL, "siege": SIEGE, "strict": STRICT_SIEGE, "attic": ATTIC, "salon": SALON}
