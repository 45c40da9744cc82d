"""Royal Menagerie as it is played: reads like the rule sheet, top to bottom."""

from collections.abc import Callable
from itertools import chain, compress

from cardgames.engine import (
    NONE,
    OWNER,
    Card,
    Part,
    Question,
    Result,
    Script,
    Spots,
    Table,
    Zone,
    fixed,
    public,
    seat_spots,
    seat_zones,
    table_zone,
)
from cardgames.games.menagerie.deck_definition import (
    ANIMALS,
    ROLE,
    ROLES,
    SEATS,
    STARTING_ANIMALS,
    STARTING_HAND,
    VIZIER,
    play_deck,
)
from cardgames.games.menagerie.scoring import MAX_PEN, result

TYPES = len(ANIMALS)
KINDS = range(TYPES)
# Keys are made once: "2" is a seat, "2:mammoth" an animal in that seat's menagerie.
SEAT_KEY = tuple(str(seat) for seat in range(SEATS))
PEN_KEY = tuple(tuple(f"{seat}:{animal}" for animal in ANIMALS) for seat in range(SEATS))
PEN = tuple(tuple((seat, kind) for kind in KINDS) for seat in range(SEATS))
OTHERS = tuple(tuple(other for other in range(SEATS) if other != seat) for seat in range(SEATS))
# Each key with the pen it names, menagerie by menagerie.
TARGETS = tuple((PEN_KEY[seat][kind], PEN[seat][kind]) for seat in range(SEATS) for kind in KINDS)
ALL_OTHERS = tuple({SEAT_KEY[other]: other for other in others} for others in OTHERS)
# Who gets an animal for which all others have room, by seat and type: the question that is asked most often.
GIFT_TO_ANY = tuple(tuple(Question(seat, "gift", ALL_OTHERS[seat], key) for key in ANIMALS) for seat in range(SEATS))

MAIN, END = "main", "end"


class Menagerie(Table):
    """Four menageries, four hands, the deck, and the cards being carried out."""

    stage: str = public(MAIN)
    turn: int = public(0)
    active: int = public(-1)
    vizier: int = public(-1)
    plays_left: int = public(0)
    # The piles of each menagerie by seat and type, without the way through their zones.
    piles: list[list[list[Card]]] = fixed()
    # The same piles one after the other, as in TARGETS.
    all_piles: list[list[Card]] = fixed()
    deck: Zone = table_zone("deck", NONE, ordered=True)
    discard: Zone = table_zone("discard")
    at_work: Zone = table_zone("at-work")
    roles: list[Zone] = seat_zones("role", OWNER)
    hands: list[Zone] = seat_zones("hand", OWNER)
    pens: list[Spots] = seat_spots("menagerie", ANIMALS, alike=True)

    def prepare(self) -> None:
        self.piles = [spots.piles for spots in self.pens]
        self.all_piles = [*chain.from_iterable(self.piles)]


def play(t: Menagerie) -> Script:
    set_up(t)
    return turns(t, (t.vizier + 1) % SEATS)


def turns(t: Menagerie, first: int) -> Script:
    immediate = t.options["endstage_immediate"]
    seat = first - 1
    hands = t.hands
    a, b, c, d = hands
    while t.deck.cards or a.cards or b.cards or c.cards or d.cards:
        seat = (seat + 1) % SEATS
        # The stage is fixed at the start of a turn; in the end-stage whoever has no card is passed over.
        plays = start_turn(t, seat)
        hand = hands[seat]
        while plays and hand.cards:
            t.plays_left = plays
            yield from play_from(t, seat, hand, "play")
            plays -= 1
            if immediate and not t.deck.cards:
                end_stage(t)
                plays = 0
    return finish(t)


def set_up(t: Menagerie) -> None:
    roles = t.make_cards([ROLE[role] for role in ROLES])
    t.shuffle(roles, "roles")
    for seat, card in enumerate(roles):
        t.put(t.roles[seat], card)
        if card.key == VIZIER:
            t.vizier = seat
            t.reveal(t.roles[seat])
    t.log_event("vizier", seat=t.vizier)

    deck = t.make_cards(play_deck(t.rules_deck))
    t.shuffle(deck, "deck")
    t.deck.cards = deck
    order = [(t.vizier + step) % SEATS for step in range(1, SEATS + 1)]
    aside = t.zone("set-aside")
    given: list[list[str]] = [[] for _ in range(SEATS)]
    for seat in order * STARTING_ANIMALS:
        while (card := deck.pop()).face.index >= TYPES:
            t.put(aside, card)
        t.place(t.pens[seat], card.face.index, card)
        given[seat].append(card.key)
    t.log_event("starting-animals", animals=given, aside=[card.key for card in aside.cards])
    deck += aside.cards
    t.zones.remove(aside)
    t.shuffle(deck, "deck")
    hands: dict[int, dict[str, list[str]]] = {}
    for seat in order:
        hands[seat] = {"cards": [card.key for card in t.draw_many(t.deck, t.hands[seat], STARTING_HAND)]}
    t.log_event("dealt", hands, n=STARTING_HAND)


def start_turn(t: Menagerie, seat: int) -> int:
    """Draws for the turn; gives how many cards are to be played."""
    hand, deck = t.hands[seat], t.deck
    if deck.cards:
        plays = 2 if seat == t.vizier else 1
        drawn = [t.draw(deck, hand).key]
        if plays == 2 and deck.cards:
            drawn.append(t.draw(deck, hand).key)
        t.log_event("drew", {seat: {"cards": drawn}}, seat=seat, n=len(drawn))
    elif hand.cards:
        plays = 1
        end_stage(t)
    else:
        return 0
    t.turn += 1
    t.active = seat
    return plays


def end_stage(t: Menagerie) -> None:
    if t.stage == MAIN:
        t.stage = END
        t.log_event("end-stage")


def play_from(t: Menagerie, seat: int, pile: Zone, kind: str) -> Part:
    """The seat picks a card of the pile, its hand or a Bazaar's row, and plays it at once."""
    options = {}
    for card in pile.cards:
        options[card.key] = card
    card = yield Question(seat, kind, options)
    at_work = t.at_work
    t.give(pile, card, at_work)
    face = card.face
    if kind == "pick":
        t.log_event("took", seat=seat, card=face.id)
    animal = face.index
    if animal < TYPES:
        piles = t.piles
        a, b, c = others = OTHERS[seat]
        if len(piles[a][animal]) < MAX_PEN and len(piles[b][animal]) < MAX_PEN and len(piles[c][animal]) < MAX_PEN:
            question: Question | None = GIFT_TO_ANY[seat][animal]
        else:
            takers = {SEAT_KEY[other]: other for other in others if len(piles[other][animal]) < MAX_PEN}
            question = Question(seat, "gift", takers, face.id) if takers else None
        if question is not None:
            to = yield question
            at_work.cards.pop()
            piles[to][animal].append(card)
            t.log_event("gift", seat=seat, to=to, card=face.id)
            if all(piles[to]):
                stampede(t, to)
            return
        t.log_event("no-pen", seat=seat, card=face.id)
    else:
        if kind == "play":
            t.log_event("played", seat=seat, card=face.id)
        yield from EFFECT[face.id](t, seat)
    # What is laid on top of a card at work is finished and gone before it.
    at_work.cards.pop()
    t.discard.cards.append(card)


def shoot(t: Menagerie, seat: int) -> Part:
    targets = dict(compress(TARGETS, t.all_piles))
    if not targets:
        t.log_event("fizzle", seat=seat, card="shoot")
        return
    of, kind = yield Question(seat, "shoot", targets)
    card = t.piles[of][kind].pop()
    t.discard.cards.append(card)
    t.log_event("shot", seat=seat, of=of, card=card.key)


def steal(t: Menagerie, seat: int) -> Part:
    own = t.piles[seat]
    targets = {key: pen for key, pen in compress(TARGETS, t.all_piles) if pen[0] != seat and len(own[pen[1]]) < MAX_PEN}
    if not targets:
        t.log_event("fizzle", seat=seat, card="steal")
        return
    of, kind = yield Question(seat, "steal", targets)
    card = t.piles[of][kind].pop()
    own[kind].append(card)
    t.log_event("stole", seat=seat, of=of, card=card.key)
    stampede(t, seat)


def trade(t: Menagerie, seat: int) -> Part:
    """Two animals of two different players change places, and no pen may be overfull after it."""
    piles = t.piles
    held = [*compress(TARGETS, t.all_piles)]
    firsts = dict(held)
    for a in range(SEATS):
        if not has_room_for_another(piles, a):
            # Then only an animal whose type stands in another menagerie too can change places.
            for x in KINDS:
                if piles[a][x] and not any(piles[b][x] for b in OTHERS[a]):
                    del firsts[PEN_KEY[a][x]]
    if not firsts:
        t.log_event("fizzle", seat=seat, card="trade")
        return
    a, x = yield Question(seat, "trade-first", firsts)
    own = piles[a]
    seconds = {
        key: (b, y)
        for key, (b, y) in held
        if a != b and (x == y or (len(own[y]) < MAX_PEN and len(piles[b][x]) < MAX_PEN))
    }
    b, y = yield Question(seat, "trade-second", seconds, PEN_KEY[a][x])
    first, second = t.piles[a][x].pop(), t.piles[b][y].pop()
    t.piles[a][y].append(second)
    t.piles[b][x].append(first)
    t.log_event("traded", seat=seat, of=a, first=first.key, to=b, second=second.key)
    stampede(t, a)
    stampede(t, b)


def has_room_for_another(piles: list[list[list[Card]]], seat: int) -> bool:
    """Whether this menagerie could take an animal that stands in another."""
    own = piles[seat]
    for other in OTHERS[seat]:
        for kind in KINDS:
            if piles[other][kind] and len(own[kind]) < MAX_PEN:
                return True
    return False


def bazaar(t: Menagerie, seat: int) -> Part:
    with t.open_row("bazaar", supply(t, seat, 4)) as row:
        if row.cards:
            t.log_event("bazaar", seat=seat, cards=[card.key for card in row.cards])
        else:
            t.log_event("fizzle", seat=seat, card="bazaar")
        for picker in t.clockwise_from(seat):
            if row.cards:
                yield from play_from(t, picker, row, "pick")


def windfall(t: Menagerie, seat: int) -> Part:
    hand = t.hands[seat]
    cards = supply(t, seat, 2)
    t.put_all(hand, cards)
    if cards:
        t.log_event("drew", {seat: {"cards": [card.key for card in cards]}}, seat=seat, n=len(cards))
    for _ in range(2):
        if hand.cards:
            yield from play_from(t, seat, hand, "play")


EFFECT: dict[str, Callable[[Menagerie, int], Part]] = {
    "shoot": shoot,
    "steal": steal,
    "trade": trade,
    "bazaar": bazaar,
    "windfall": windfall,
}


def supply(t: Menagerie, seat: int, wanted: int) -> list[Card]:
    """The top cards of the deck; what it lacks comes from the shuffled discard pile, the rest of which goes back."""
    deck = t.deck.cards
    cards = [deck.pop() for _ in range(min(wanted, len(deck)))]
    missing = wanted - len(cards)
    if missing and t.discard.cards:
        pile = t.discard.cards[:]
        t.discard.cards.clear()
        t.shuffle(pile, "discard")
        n = min(missing, len(pile))
        cards += [pile.pop() for _ in range(n)]
        t.put_all(t.discard, pile)
        t.log_event("from-discard", seat=seat, n=n)
    return cards


def stampede(t: Menagerie, seat: int) -> None:
    """All six types at once cannot stand each other: one of each runs off, as often as it applies."""
    piles = t.piles[seat]
    while all(piles):
        for pile in piles:
            t.discard.cards.append(pile.pop())
        t.log_event("stampede", seat=seat)


def finish(t: Menagerie) -> Result:
    roles = []
    for seat, zone in enumerate(t.roles):
        t.reveal(zone)
        role = zone.cards[0].key
        roles.append(role)
        t.log_event("role", seat=seat, card=role)
    t.active = -1
    t.plays_left = 0
    counts = [list(map(len, piles)) for piles in t.piles]
    return result(counts, roles, t.rules_deck, t.options["sum_tie"])
