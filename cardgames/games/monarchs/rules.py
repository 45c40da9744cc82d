"""Of Mice and Monarchs as it is played: reads like the rule sheet, top to bottom."""

from collections.abc import Generator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations, compress
from typing import Any

from cardgames.engine import (
    ALL,
    NONE,
    OWNER,
    Card,
    Part,
    Question,
    QuestionGroup,
    Script,
    Spots,
    Table,
    Zone,
    fixed,
    public,
    seat_zones,
    table_spots,
    table_zone,
)
from cardgames.games.monarchs.deck_definition import (
    BRISK,
    COLOURS,
    COLUMNS,
    GRAY,
    HAND,
    MAX_COST,
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
DEAREST = MAX_COST + SURCHARGE
# More than any influence can pay: the price of an empty spot.
OUT_OF_REACH = 255
# Prices are bytes, one for each spot, and these tables turn all of them at once into what can be moved or bought.
IS_TAKEN = bytes(price != OUT_OF_REACH for price in range(256))
CAN_PAY = tuple(bytes(price <= influence for price in range(256)) for influence in range(DEAREST + 1))
FREE_FACES = (5, 6)
FRONT, BACK = range(COLUMNS), range(COLUMNS, 2 * COLUMNS)

BUY, MOVE, DONE = "buy", "move", "done"
TO_BUY = tuple((f"buy:{spot}", (BUY, number)) for number, spot in enumerate(SPOTS))
TO_MOVE = tuple((f"move:{spot}", (MOVE, number)) for number, spot in enumerate(SPOTS))
COVER = tuple((f"cover:{spot}", number) for number, spot in enumerate(SPOTS))
REMOVE = tuple((f"remove:{spot}", number) for number, spot in enumerate(SPOTS))
NOTHING = bytes(len(SPOTS))


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
    costs: Mapping[str, int] = fixed()
    # What each card gives when it is laid: influence and moves.
    strengths: Mapping[str, tuple[int, int]] = fixed()
    # What the top card of each spot costs there.
    prices: bytearray = fixed()
    court: Spots = table_spots("court", SPOTS)
    deck: Zone = table_zone("deck", NONE, ordered=True)
    revealed: Zone = table_zone("revealed")
    removed: Zone = table_zone("removed")
    box: Zone = table_zone("box", NONE)
    draws: list[Zone] = seat_zones("draw", NONE, ordered=True)
    hands: list[Zone] = seat_zones("hand", OWNER)
    played: list[Zone] = seat_zones("played", ALL)
    discards: list[Zone] = seat_zones("discard", ALL)

    def prepare(self) -> None:
        self.costs, self.strengths = costs_of(self.rules_deck), strengths_of(self.rules_deck)
        self.prices = bytearray([OUT_OF_REACH] * len(SPOTS))
        self.court.browsable = self.options["stacks_browsable"]
        self.owned = [()] * self.seats


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
    lay_out_hand(t, seat)
    # Buying and moving in any order, until the player is done.
    about: str | None = None
    while True:
        act, spot = yield court_question(seat, spots_to_buy(t), spots_to_move(t), about)
        if act == BUY:
            buy(t, seat, spot)
        elif act == MOVE:
            to = yield move_question(seat, spot)
            move(t, seat, spot, to)
        else:
            if t.bought or not t.deck.cards or about == TURNED_UP:
                break
            yield from reveal(t, seat)
            if not t.options["after_reveal_continue"]:
                break
            about = TURNED_UP
    end_turn(t, seat)


def lay_out_hand(t: Court, seat: int) -> None:
    t.turn += 1
    t.active = seat
    hand, played = t.hands[seat], t.played[seat]
    cards, hand.cards = hand.cards, []
    t.put_all(played, cards)
    keys = []
    influence = moves = 0
    strengths = t.strengths
    for card in cards:
        key = card.key
        keys.append(key)
        more_influence, more_moves = strengths[key]
        influence += more_influence
        moves += more_moves
    t.influence, t.moves, t.bought = influence, moves, 0
    t.log_event("lays", seat=seat, cards=keys, influence=influence, moves=moves)


def end_turn(t: Court, seat: int) -> None:
    played = t.played[seat]
    t.discards[seat].cards += played.cards
    played.cards.clear()
    t.influence = t.moves = t.bought = 0
    refill(t)
    draw_hand(t, seat)


def lay_at_court(t: Court, spot: int, card: Card) -> None:
    """Lays a card on a spot. Cards come and go only here and below, so that the prices are right."""
    t.place(t.court, spot, card)
    t.prices[spot] = t.costs[card.key] + SURCHARGES[spot]


def take_from_court(t: Court, spot: int) -> Card:
    pile = t.court.piles[spot]
    card = pile.pop()
    t.prices[spot] = t.costs[pile[-1].key] + SURCHARGES[spot] if pile else OUT_OF_REACH
    return card


def spots_to_buy(t: Court) -> bytes:
    influence = t.influence
    return bytes(t.prices).translate(CAN_PAY[influence if influence < DEAREST else DEAREST])


def spots_to_move(t: Court) -> bytes:
    return bytes(t.prices).translate(IS_TAKEN) if t.moves else NOTHING


def buy(t: Court, seat: int, spot: int) -> None:
    price = t.prices[spot]
    card = take_from_court(t, spot)
    t.influence -= price
    take_home(t, seat, card)
    t.log_event("bought", seat=seat, card=card.key, price=price, spot=SPOTS[spot])


def move(t: Court, seat: int, spot: int, to: int) -> None:
    card = take_from_court(t, spot)
    lay_at_court(t, to, card)
    t.moves -= 1
    t.log_event("moved", seat=seat, card=card.key, start=SPOTS[spot], end=SPOTS[to])


@lru_cache(maxsize=4096)
def court_question(seat: int, can_buy: bytes, can_move: bytes, about: str | None) -> Question:
    """What can be done at the court, 0 or 1 for each spot; most questions come up again and again."""
    options = {**dict(compress(TO_BUY, can_buy)), **dict(compress(TO_MOVE, can_move)), DONE: (DONE, 0)}
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
        lay_at_court(t, spot, card)
        t.log_event("covered", seat=seat, card=mouse.id, spot=SPOTS[spot])


@lru_cache(maxsize=4096)
def revealed_question(seat: int, card: str, can_buy: bool, front: tuple[bool, ...]) -> Question:
    """Buy the card that was turned up, or lay it on a card in front; on an empty row, anywhere in it."""
    options = {"buy": -1} if can_buy else {}
    options.update(compress(COVER, front) if any(front) else COVER[:COLUMNS])
    return Question(seat, "revealed", options, card)


def refill(t: Court) -> None:
    """What stands behind an empty front spot slides forward; then the deck fills front and back from the left."""
    piles, prices = t.court.piles, t.prices
    if all(piles):
        check_end(t)
        return
    for column in FRONT:
        if not piles[column] and piles[column + COLUMNS]:
            piles[column], piles[column + COLUMNS] = piles[column + COLUMNS], piles[column]
            prices[column], prices[column + COLUMNS] = prices[column + COLUMNS] - SURCHARGE, OUT_OF_REACH
    fresh = []
    deck = t.deck.cards
    for spot, pile in enumerate(piles):
        if not pile and deck:
            card = deck.pop()
            lay_at_court(t, spot, card)
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
            card = take_from_court(t, spot)
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
