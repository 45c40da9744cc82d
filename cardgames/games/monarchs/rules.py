"""Of Mice and Monarchs as it is played: reads like the rule sheet, top to bottom."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, compress
from typing import Any

from cardgames.engine import (
    NONE,
    OWNER,
    Card,
    Deck,
    Part,
    Question,
    QuestionGroup,
    RandomSource,
    Script,
    Spots,
    Table,
    Zone,
    fixed,
    places,
    public,
)
from cardgames.games.monarchs.deck_definition import (
    BRISK,
    COLOURS,
    COLUMNS,
    GRAY,
    HAND,
    SPOTS,
    TURNED_UP,
    Mouse,
    costs_of,
    piles_of,
    strengths_of,
)
from cardgames.games.monarchs.scoring import FAMILY_DISCARD, count_by_colour, family_left, result

# The back row stands further off.
SURCHARGE = 2
SURCHARGES = tuple(SURCHARGE if spot.startswith("back") else 0 for spot in SPOTS)
# More than any influence can pay: the price of an empty spot.
OUT_OF_REACH = 1_000_000
FREE_FACES = (5, 6)
FRONT, BACK = range(COLUMNS), range(COLUMNS, 2 * COLUMNS)

BUY = tuple((f"buy:{spot}", ("buy", number)) for number, spot in enumerate(SPOTS))
MOVE = tuple((f"move:{spot}", ("move", number)) for number, spot in enumerate(SPOTS))
COVER = tuple((f"cover:{spot}", number) for number, spot in enumerate(SPOTS))
REMOVE = tuple((f"remove:{spot}", number) for number, spot in enumerate(SPOTS))
DONE = "done"
NOTHING = (False,) * len(SPOTS)


class Court(Table):
    """The court in two rows, its deck, and each player's own deck, hand, played cards and discards."""

    turn: int = public(0)
    active: int = public(-1)
    start: int = public(-1)
    influence: int = public(0)
    moves: int = public(0)
    bought: int = public(0)
    last_round: bool = public(False)
    dice: list[int] = public(list)
    # What each has bought lies open when it is bought, so everybody may count it.
    owned: list[tuple[str, ...]] = public(list)
    rules_deck: Deck = fixed()
    costs: Mapping[str, int] = fixed()
    # What each card gives when it is laid: influence and moves.
    strengths: Mapping[str, tuple[int, int]] = fixed()
    court: Spots = places()
    deck: Zone = places()
    revealed: Zone = places()
    removed: Zone = places()
    box: Zone = places()
    draws: list[Zone] = places()
    hands: list[Zone] = places()
    played: list[Zone] = places()
    discards: list[Zone] = places()


def open_table(deck: Deck, seats: int, options: Mapping[str, Any], source: RandomSource, quiet: bool) -> Court:
    t = Court(seats, options, source, quiet=quiet)
    t.rules_deck = deck
    t.costs = costs_of(deck)
    t.strengths = strengths_of(deck)
    t.court = t.spots("court", SPOTS, browsable=options["stacks_browsable"])
    t.deck = t.zone("deck", NONE, ordered=True)
    t.revealed = t.zone("revealed")
    t.removed = t.zone("removed")
    t.box = t.zone("box", NONE)
    t.draws = t.zones_each("draw", NONE, ordered=True)
    t.hands = t.zones_each("hand", OWNER)
    t.played = t.zones_each("played", "all")
    t.discards = t.zones_each("discard", "all")
    t.owned = [()] * seats
    return t


def face(card: Card) -> Mouse:
    mouse = card.face
    assert isinstance(mouse, Mouse)
    return mouse


def play(t: Court) -> Script:
    set_up(t)
    return turns(t)


def turns(t: Court) -> Script:
    seat = t.start
    while True:
        yield from take_turn(t, seat)
        if t.seats == 1 and not t.last_round:
            yield from solo_dice(t, seat)
        seat = (seat + 1) % t.seats
        # The round is always completed, so everybody has had as many turns.
        if t.last_round and seat == t.start:
            break
    for zone in (*t.hands, *t.draws):
        t.reveal(zone)
    t.active = -1
    owned = [_all_of(t, seat) for seat in range(t.seats)]
    counts = [count_by_colour(cards) for cards in owned]
    if not t.options["family_scoring"]:
        return result(counts, t.options["tiebreak"])
    left = yield from family(t, owned)
    return result(counts, t.options["tiebreak"], left)


def set_up(t: Court) -> None:
    starting, court = piles_of(t.rules_deck)
    for seat in range(t.seats):
        own = t.make_cards(starting)
        t.shuffle(own, f"deck-{seat}")
        t.draws[seat].cards = own
    cards = t.make_cards(court)
    if t.options["brisk_court"]:
        cards = put_three_aside(t, cards)
    t.shuffle(cards, "court")
    t.deck.cards = cards
    t.start = t.roll(t.seats, "start") - 1 if t.seats > 1 else 0
    t.log_event("start", seat=t.start)
    refill(t)
    for seat in range(t.seats):
        draw_hand(t, seat)


def put_three_aside(t: Court, cards: list[Card]) -> list[Card]:
    """The brisk court: three of each colour go back into the box unseen."""
    left: list[Card] = []
    for colour in COLOURS:
        same = [card for card in cards if face(card).colour == colour]
        t.shuffle(same, "brisk")
        t.box.cards += same[-BRISK:]
        left += same[:-BRISK]
    t.log_event("brisk", n=BRISK)
    return left


def take_turn(t: Court, seat: int) -> Part:
    t.turn += 1
    t.active = seat
    hand, played = t.hands[seat], t.played[seat]
    t.put_all(played, hand.cards)
    hand.cards.clear()
    laid = [card.key for card in played.cards]
    influence = moves = 0
    strengths = t.strengths
    for key in laid:
        more_influence, more_moves = strengths[key]
        influence += more_influence
        moves += more_moves
    t.influence, t.moves, t.bought = influence, moves, 0
    t.log_event("lays", seat=seat, cards=laid, influence=influence, moves=moves)
    yield from at_court(t, seat, None)
    if not t.bought and t.deck.cards:
        yield from reveal(t, seat)
        if t.options["after_reveal_continue"]:
            yield from at_court(t, seat, TURNED_UP)
    t.discards[seat].cards += played.cards
    played.cards.clear()
    t.influence = t.moves = t.bought = 0
    refill(t)
    draw_hand(t, seat)


def at_court(t: Court, seat: int, about: str | None) -> Part:
    """Buying and moving in any order, until the player is done."""
    piles, costs = t.court.piles, t.costs
    # Only what is bought or moved changes a price before the turn ends.
    prices = [
        costs[pile[-1].key] + more if pile else OUT_OF_REACH for pile, more in zip(piles, SURCHARGES, strict=True)
    ]
    while True:
        influence = t.influence
        can_buy = tuple([price <= influence for price in prices])
        can_move = tuple(map(bool, piles)) if t.moves else NOTHING
        act, spot = yield court_question(seat, can_buy, can_move, about)
        if act == DONE:
            return
        if act == "buy":
            left, price = piles[spot], prices[spot]
            card = left.pop()
            t.influence = influence - price
            take_home(t, seat, card)
            t.log_event("bought", seat=seat, card=card.key, price=price, spot=SPOTS[spot])
        else:
            to = yield move_question(seat, spot)
            left = piles[spot]
            card = left.pop()
            piles[to].append(card)
            prices[to] = costs[card.key] + SURCHARGES[to]
            t.moves -= 1
            t.log_event("moved", seat=seat, card=card.key, start=SPOTS[spot], end=SPOTS[to])
        prices[spot] = costs[left[-1].key] + SURCHARGES[spot] if left else OUT_OF_REACH


@lru_cache(maxsize=4096)
def court_question(seat: int, can_buy: tuple[bool, ...], can_move: tuple[bool, ...], about: str | None) -> Question:
    """What can be done at the court, by spots; most questions come up again and again."""
    options = {**dict(compress(BUY, can_buy)), **dict(compress(MOVE, can_move)), DONE: (DONE, 0)}
    return Question(seat, "court", options, about)


@cache
def move_question(seat: int, spot: int) -> Question:
    """Where the top card of this spot goes."""
    options = {f"to:{other}": number for number, other in enumerate(SPOTS) if number != spot}
    return Question(seat, "move", options, SPOTS[spot])


def take_home(t: Court, seat: int, card: Card) -> None:
    t.put(t.discards[seat], card)
    t.owned[seat] += (card.key,)
    t.bought += 1


def reveal(t: Court, seat: int) -> Part:
    """Nothing bought: the top card of the court deck is turned up, to be bought or laid on a card in front."""
    card = t.draw(t.deck, t.revealed)
    mouse = face(card)
    t.log_event("revealed", seat=seat, card=mouse.id)
    check_end(t)
    front = tuple(map(bool, t.court.piles[:COLUMNS]))
    spot = yield revealed_question(seat, mouse.id, mouse.cost <= t.influence, front)
    t.revealed.cards.clear()
    if spot < 0:
        t.influence -= mouse.cost
        take_home(t, seat, card)
        t.log_event("bought-revealed", seat=seat, card=mouse.id, price=mouse.cost)
    else:
        t.place(t.court, spot, card)
        t.log_event("covered", seat=seat, card=mouse.id, spot=SPOTS[spot])


@lru_cache(maxsize=4096)
def revealed_question(seat: int, card: str, can_buy: bool, front: tuple[bool, ...]) -> Question:
    """Buy the card that was turned up, or lay it on a card in front; on an empty row, anywhere in it."""
    options = {"buy": -1} if can_buy else {}
    options.update(compress(COVER, front) if any(front) else COVER[:COLUMNS])
    return Question(seat, "revealed", options, card)


def refill(t: Court) -> None:
    """What stands behind an empty front spot slides forward; then the deck fills front and back from the left."""
    piles = t.court.piles
    if all(piles):
        check_end(t)
        return
    for column in FRONT:
        if not piles[column] and piles[column + COLUMNS]:
            piles[column], piles[column + COLUMNS] = piles[column + COLUMNS], piles[column]
    fresh = []
    deck = t.deck.cards
    for spot, pile in enumerate(piles):
        if not pile and deck:
            card = deck.pop()
            t.place(t.court, spot, card)
            fresh.append(card.key)
    if fresh:
        t.log_event("filled", cards=fresh)
    check_end(t)


def check_end(t: Court) -> None:
    """The last round begins when the court deck is empty, whatever emptied it."""
    if not t.deck.cards and not t.last_round:
        t.last_round = True
        t.log_event("last-round", seat=(t.start - 1) % t.seats)


def draw_hand(t: Court, seat: int) -> None:
    """Five cards from the own deck. If it holds fewer, the shuffled discards first go beneath it."""
    own = t.draws[seat]
    if len(own.cards) < HAND and t.discards[seat].cards:
        again = t.discards[seat].cards
        t.discards[seat].cards = []
        t.shuffle(again, f"deck-{seat}")
        own.cards = again + own.cards
        t.log_event("reshuffled", seat=seat)
    drawn = [card.key for card in t.draw_many(own, t.hands[seat], HAND)]
    t.log_event("drew", {seat: {"cards": drawn}}, seat=seat, n=len(drawn))


def solo_dice(t: Court, seat: int) -> Part:
    """Solo: two dice take a card from each row. Five and six leave the choice to the player."""
    white, black = t.roll(6, "white"), t.roll(6, "black")
    t.dice = [white, black]
    t.log_event("dice", white=white, black=black)
    for row, fallen in ((FRONT, white), (BACK, black)):
        spot: int | None = row[fallen - 1] if fallen not in FREE_FACES else None
        if spot is None:
            options = {key: number for key, number in REMOVE if number in row and t.court.piles[number]}
            if not options:
                continue
            spot = yield Question(seat, "dice", options, {"row": "front" if row is FRONT else "back", "die": fallen})
        if t.court.piles[spot]:
            card = t.court.piles[spot].pop()
            t.put(t.removed, card)
            t.log_event("removed", card=card.key, spot=SPOTS[spot])
    t.dice = []
    refill(t)


def _all_of(t: Court, seat: int) -> list[Mouse]:
    cards = [*t.hands[seat].cards, *t.draws[seat].cards, *t.discards[seat].cards]
    return [mouse for card in cards if isinstance(mouse := card.face, Mouse)]


def family(t: Court, owned: Sequence[Sequence[Mouse]]) -> Generator[QuestionGroup, Any, list[dict[str, int]]]:
    """Family scoring: everybody picks two cards of each colour to lose, all at once, colour by colour."""
    left: list[dict[str, int]] = [{} for _ in owned]
    for colour in COLOURS:
        asks = []
        heaps = [[mouse for mouse in cards if mouse.colour == colour] for cards in owned]
        for seat, heap in enumerate(heaps):
            if len(heap) <= FAMILY_DISCARD:
                left[seat][colour] = 0
            else:
                asks.append(
                    Question(seat, "family", discards(heap), {"colour": colour, "cards": [mouse.id for mouse in heap]})
                )
        if asks:
            answers = yield QuestionGroup(asks)
            for seat, gone in answers.items():
                left[seat][colour] = family_left(heaps[seat], gone)
                t.log_event("family", seat=seat, cards=[mouse.id for mouse in gone], colour=colour)
    return left


def discards(heap: Sequence[Mouse]) -> dict[str, tuple[Mouse, ...]]:
    """Every pair that may go, those with fewest crowns first."""
    ordered = sorted(heap, key=lambda mouse: (mouse.crowns, mouse.id))
    pairs = {"+".join(mouse.id for mouse in pair): pair for pair in combinations(ordered, FAMILY_DISCARD)}
    return dict(sorted(pairs.items(), key=lambda item: sum(mouse.crowns for mouse in item[1])))


assert GRAY not in COLOURS
