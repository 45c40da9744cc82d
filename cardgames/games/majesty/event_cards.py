"""What each event does, as code by the id of its row in the deck.

``EVENTS`` holds for each event when it can be played and what it does. The card lies in ``at_work`` meanwhile.
Scandals, lingering and permanent events are laid at a court by their effect; what is left there is discarded.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from cardgames.engine import Card, Part, Question, QuestionGroup, ask_for_reactions
from cardgames.games.majesty import card_moves, deck_definition as named, table_state
from cardgames.games.majesty.deck_definition import MUSES, SCANDAL
from cardgames.games.majesty.table_state import DEBTS_PAID, Kingdoms, Mark, face, others

MAX_STOLEN, MAX_DRAWN, MAX_INTRIGUE, MAX_LETTERS = 3, 3, 2, 3
CROWDED_COURT = 4
NECKLACE_COINS = 3
ENOUGH = "enough"

CanPlay = Callable[[Kingdoms, int], bool]
Play = Callable[[Kingdoms, int, Card], Part]


@dataclass(frozen=True, slots=True)
class EventRule:
    """When an event can be played by a seat that holds it, and what it does."""

    can_play: CanPlay
    play: Play


# Targets


def courts_with(t: Kingdoms, seat: int, what: str) -> list[int]:
    zones = getattr(t, what)
    return [other for other in others(t, seat) if zones[other].cards]


def seat_options(seats: list[int]) -> dict[str, int]:
    return {f"seat-{seat}": seat for seat in seats}


def cards_at(t: Kingdoms, seats: list[int], what: str) -> dict[str, tuple[int, Card]]:
    zones = getattr(t, what)
    return {card.key: (seat, card) for seat in seats for card in zones[seat].cards}


def always(t: Kingdoms, seat: int) -> bool:
    return True


def some_other_has(what: str) -> CanPlay:
    return lambda t, seat: bool(courts_with(t, seat, what))


# Philosophes


def place_at_court(t: Kingdoms, seat: int, played: Card) -> Part:
    """A philosophe of another court moves here, unless the owner answers with the same event."""
    owner, guest = yield Question(seat, "poach", cards_at(t, courts_with(t, seat, "philosophes"), "philosophes"))

    def answers(of: int) -> Mapping[str, Card]:
        return {card.key: card for card in t.hands[of].cards if face(card).row == named.PLACE_AT_COURT}

    t.log_event("poaches", seat=seat, of=owner, card=guest.key)
    reply = yield ask_for_reactions([owner], "cancel", answers, {"by": seat, "card": guest.key})
    answer = reply[owner]
    if answer is not None:
        t.give(t.hands[owner], answer, t.discard)
        t.log_event("cancelled", seat=owner, of=seat, card=guest.key)
        return
    t.philosophes[owner].cards.remove(guest)
    card_moves.welcome(t, seat, guest)
    t.log_event("poached", seat=seat, of=owner, card=guest.key)
    joined(t, seat, guest)


def joined(t: Kingdoms, seat: int, card: Card) -> None:
    """A philosophe of the right muse puts an end to some scandals."""
    rows = {"science": named.SWINDLE, "music": named.AFFAIR}
    muse = face(card).muse
    if muse in rows:
        card_moves.erase(t, seat, lambda row: row == rows[muse])


def consumption(t: Kingdoms, seat: int, played: Card) -> Part:
    owner, guest = yield Question(seat, "kill", cards_at(t, courts_with(t, seat, "philosophes"), "philosophes"))
    card_moves.lose_philosophe(t, owner, guest, t.removed)
    t.log_event("died", seat=seat, of=owner, card=guest.key)


def smallpox_victims(t: Kingdoms) -> list[int]:
    return [
        seat
        for seat in range(t.seats)
        if len(t.philosophes[seat].cards) >= CROWDED_COURT and not table_state.holds(t.reforms[seat], named.INOCULATION)
    ]


def smallpox(t: Kingdoms, seat: int, played: Card) -> Part:
    """All the courts concerned choose at once, and all their losses are one change."""
    victims = smallpox_victims(t)
    choices = yield QuestionGroup(
        [Question(of, "smallpox", {card.key: card for card in t.philosophes[of].cards}) for of in victims]
    )
    for of, card in choices.items():
        card_moves.lose_philosophe(t, of, card, t.removed)
    for of, card in choices.items():
        t.log_event("smallpox", seat=of, card=card.key)


def wounded_vanity(t: Kingdoms, seat: int, played: Card) -> Part:
    owner = yield Question(seat, "offend", seat_options(courts_with(t, seat, "philosophes")))
    t.log_event("offended", seat=seat, of=owner)
    card = yield Question(owner, "resign", {card.key: card for card in t.philosophes[owner].cards}, seat)
    card_moves.lose_philosophe(t, owner, card, t.resigned)
    t.log_event("resigned", seat=owner, card=card.key)


def letters(t: Kingdoms, seat: int, played: Card) -> Part:
    """Looks at the top three, keeps one, and puts the others under the deck in an order only this seat knows."""
    deck = t.salon_deck
    if not deck.cards:
        first = card_moves.top_philosophe(t)
        assert first is not None
        deck.cards.append(first)
    cards = deck.cards[-MAX_LETTERS:][::-1]
    t.look(seat, deck, cards, "letters")
    slots = {f"slot-{number}": card for number, card in enumerate(cards, 1)}
    kept = yield Question(seat, "letters", slots, [card.key for card in cards])
    left = [card for card in cards if card is not kept]
    if len(left) > 1:
        under = {key: card for key, card in slots.items() if card is not kept}
        lowest = yield Question(seat, "underneath", under, [card.key for card in left])
        left = [card for card in left if card is not lowest] + [lowest]
    deck.cards.remove(kept)
    if left:
        t.mix(left, knowing=1 << seat)
        for card in left:
            deck.cards.remove(card)
        for card in left:
            t.put_under(deck, card)
    card_moves.welcome(t, seat, kept)
    t.log_event("introduced", seat=seat, card=kept.key, n=len(left))
    joined(t, seat, kept)


# Colonies


def royal_charter(t: Kingdoms, seat: int, played: Card) -> Part:
    card = yield Question(seat, "claim", {card.key: card for card in t.unclaimed.cards})
    t.unclaimed.cards.remove(card)
    card_moves.gain_colony(t, seat, card)
    t.log_event("claimed", seat=seat, card=card.key)
    gained(t, seat, card)


def gained(t: Kingdoms, seat: int, *cards: Card) -> None:
    """What a new colony puts an end to."""
    if any(face(card).coins >= NECKLACE_COINS for card in cards):
        card_moves.erase(t, seat, lambda row: row == named.NECKLACE)
    card_moves.check_debts(t)


def slave_colonies(t: Kingdoms) -> dict[str, tuple[int, Card]]:
    targets = cards_at(t, list(range(t.seats)), "colonies")
    return {key: pair for key, pair in targets.items() if face(pair[1]).is_slave}


def slave_rising(t: Kingdoms, seat: int, played: Card) -> Part:
    owner, card = yield Question(seat, "rising", slave_colonies(t))
    card_moves.lose_colony(t, owner, card)
    t.unclaimed.cards.append(card)
    t.log_event("rose", seat=seat, of=owner, card=card.key)
    card_moves.check_debts(t)


def treaty_partners(t: Kingdoms, seat: int, own: Card) -> dict[str, tuple[int, Card]]:
    """Printed coins count, whatever the weather."""
    most = face(own).coins + 1
    targets = cards_at(t, others(t, seat), "colonies")
    return {key: pair for key, pair in targets.items() if face(pair[1]).coins <= most}


def can_make_treaty(t: Kingdoms, seat: int) -> bool:
    return any(treaty_partners(t, seat, own) for own in t.colonies[seat].cards)


def treaty(t: Kingdoms, seat: int, played: Card) -> Part:
    own = yield Question(
        seat, "cede", {card.key: card for card in t.colonies[seat].cards if treaty_partners(t, seat, card)}
    )
    owner, card = yield Question(seat, "exchange", treaty_partners(t, seat, own), own.key)
    card_moves.lose_colony(t, seat, own)
    card_moves.lose_colony(t, owner, card)
    card_moves.gain_colony(t, seat, card)
    card_moves.gain_colony(t, owner, own)
    t.log_event("exchanged", seat=seat, of=owner, first=own.key, second=card.key)
    gained(t, seat, card)
    gained(t, owner, own)


# Hands


def espionage(t: Kingdoms, seat: int, played: Card) -> Part:
    """Sees a hand and takes none to three cards of it, as far as there is room."""
    of = yield Question(seat, "spy", seat_options(courts_with(t, seat, "hands")))
    theirs, mine = t.hands[of], t.hands[seat]
    t.look(seat, theirs, theirs.cards, "espionage", of=of)
    t.log_event("spied", seat=seat, of=of)
    slots = {f"slot-{number}": card for number, card in enumerate(theirs.cards, 1)}
    faces = [card.key for card in theirs.cards]
    taken: list[Card] = []
    while slots and len(taken) < min(MAX_STOLEN, table_state.room(t, seat) + len(taken)):
        options: dict[str, Card | None] = {**slots, ENOUGH: None}
        card = yield Question(seat, "steal", options, {"of": of, "cards": faces})
        if card is None:
            break
        slots = {key: other for key, other in slots.items() if other is not card}
        t.mix(theirs.cards, knowing=1 << of | 1 << seat)
        t.give(theirs, card, mine)
        taken.append(card)
    keys = {"cards": [card.key for card in taken]}
    t.log_event("stole", {seat: keys, of: keys} if taken else None, seat=seat, of=of, n=len(taken))


def intrigue(t: Kingdoms, seat: int, played: Card) -> Part:
    of = yield Question(seat, "intrigue", seat_options(courts_with(t, seat, "hands")))
    hand, gone = t.hands[of], []
    for _ in range(min(MAX_INTRIGUE, len(hand.cards))):
        card = t.pick_blindly(hand, "intrigue")
        t.give(hand, card, t.discard)
        gone.append(card.key)
    t.log_event("lost-cards", seat=of, by=seat, cards=gone)


def subscription(t: Kingdoms, seat: int, played: Card) -> Part:
    card_moves.draw_hand(t, seat, MAX_DRAWN)
    return
    yield


# Scandals


def mistress(t: Kingdoms, seat: int, played: Card) -> Part:
    card_moves.erase(t, seat, lambda row: True)
    return
    yield


def bearers(t: Kingdoms, seat: int, row: str) -> list[int]:
    """Who a scandal can be laid on; a rich court has no gaming debts."""
    if row != named.DEBTS or t.options["gaming_debts_edge"]:
        return others(t, seat)
    return [other for other in others(t, seat) if table_state.wealth(t, other) < DEBTS_PAID]


def movable_scandals(t: Kingdoms, seat: int) -> dict[str, Card]:
    return {
        card.key: card
        for card in t.scandals[seat].cards
        if face(card).row != named.MARRIAGE and bearers(t, seat, face(card).row)
    }


def turn_the_tables(t: Kingdoms, seat: int, played: Card) -> Part:
    card = yield Question(seat, "pass-on", movable_scandals(t, seat))
    to = yield Question(seat, "bearer", seat_options(bearers(t, seat, face(card).row)), card.key)
    t.scandals[seat].cards.remove(card)
    t.scandals[to].cards.append(card)
    t.log_event("passed-on", seat=seat, to=to, card=card.key)


def can_lay_scandal(t: Kingdoms, seat: int, row: str) -> bool:
    return row == named.MARRIAGE or bool(bearers(t, seat, row))


def scandal(t: Kingdoms, seat: int, played: Card) -> Part:
    """Lies on an opponent's court until it is erased; one of them on the player's own."""
    row = face(played).row
    if row == named.MARRIAGE:
        t.at_work.cards.remove(played)
        t.scandals[seat].cards.append(played)
        card = card_moves.top_philosophe(t)
        if card is None:
            t.log_event("married", seat=seat)
            return
        card_moves.welcome(t, seat, card)
        t.log_event("married-well", seat=seat, card=card.key)
        joined(t, seat, card)
        return
    to = yield Question(seat, "bearer", seat_options(bearers(t, seat, row)), played.key)
    t.at_work.cards.remove(played)
    t.scandals[to].cards.append(played)
    t.log_event("scandal", seat=seat, to=to, card=played.key)


# Lingering and permanent events


def linger(t: Kingdoms, seat: int, played: Card, *about: str) -> None:
    t.at_work.cards.remove(played)
    t.lingering[seat].cards.append(played)
    t.marks.append(Mark(seat, face(played).row, about))
    t.is_changed = True


def despot(t: Kingdoms, seat: int, played: Card) -> Part:
    t.at_work.cards.remove(played)
    t.permanent[seat].cards.append(played)
    t.log_event("despot", seat=seat)
    return
    yield


def own_lingering(event: str) -> Play:
    """An event that names nothing and lies at the own court until the next turn."""

    def play(t: Kingdoms, seat: int, played: Card) -> Part:
        linger(t, seat, played)
        t.log_event(event, seat=seat, card=played.key)
        card_moves.check_debts(t)
        return
        yield

    return play


def hurricane(t: Kingdoms, seat: int, played: Card) -> Part:
    of, first = yield Question(seat, "wreck", cards_at(t, courts_with(t, seat, "colonies"), "colonies"))
    more: dict[str, Card | None] = {card.key: card for card in t.colonies[of].cards if card is not first}
    struck = [first]
    if more:
        second = yield Question(seat, "wreck-more", {**more, ENOUGH: None}, first.key)
        struck += [second] if second is not None else []
    linger(t, seat, played, *(card.key for card in struck))
    t.log_event("wrecked", seat=seat, of=of, cards=[card.key for card in struck])
    card_moves.check_debts(t)


def open_muses(t: Kingdoms) -> list[str]:
    unclaimed = {face(card).muse for card in t.open_reforms.cards}
    return [muse for muse in MUSES if muse in unclaimed]


def censor(t: Kingdoms, seat: int, played: Card) -> Part:
    muse = yield Question(seat, "censor", {muse: muse for muse in open_muses(t)})
    linger(t, seat, played, muse)
    t.log_event("censored", seat=seat, muse=muse)


EVENTS: dict[str, EventRule] = {
    named.DESPOT: EventRule(lambda t, seat: not t.permanent[seat].cards, despot),
    named.ESPIONAGE: EventRule(some_other_has("hands"), espionage),
    named.MISTRESS: EventRule(lambda t, seat: bool(t.scandals[seat].cards), mistress),
    named.PLACE_AT_COURT: EventRule(some_other_has("philosophes"), place_at_court),
    named.CONSUMPTION: EventRule(some_other_has("philosophes"), consumption),
    named.SMALLPOX: EventRule(lambda t, seat: bool(smallpox_victims(t)), smallpox),
    named.VANITY: EventRule(some_other_has("philosophes"), wounded_vanity),
    named.LETTERS: EventRule(lambda t, seat: card_moves.has_philosophes(t), letters),
    named.CHARTER: EventRule(lambda t, seat: bool(t.unclaimed.cards), royal_charter),
    named.RISING: EventRule(lambda t, seat: not t.abolished and bool(slave_colonies(t)), slave_rising),
    named.TREATY: EventRule(can_make_treaty, treaty),
    named.INTRIGUE: EventRule(some_other_has("hands"), intrigue),
    named.SUBSCRIPTION: EventRule(lambda t, seat: card_moves.can_draw(t), subscription),
    named.TURN_TABLES: EventRule(lambda t, seat: bool(movable_scandals(t, seat)), turn_the_tables),
    named.SUGAR: EventRule(lambda t, seat: bool(t.colonies[seat].cards), own_lingering("boom")),
    named.TOUR: EventRule(always, own_lingering("tour")),
    named.HURRICANE: EventRule(some_other_has("colonies"), hurricane),
    named.PEACE: EventRule(always, own_lingering("peace")),
    named.CENSOR: EventRule(lambda t, seat: bool(open_muses(t)), censor),
}
# Never, whatever the table agreed about plays without effect.
FORBIDDEN: dict[str, CanPlay] = {
    named.DESPOT: lambda t, seat: bool(t.permanent[seat].cards),
    named.RISING: lambda t, seat: t.abolished,
}


def has_effect(t: Kingdoms, seat: int, card: Card) -> bool:
    """Whether the event would do anything now."""
    row = face(card).row
    if face(card).kind == SCANDAL:
        return can_lay_scandal(t, seat, row)
    return row in EVENTS and EVENTS[row].can_play(t, seat)


def can_play_event(t: Kingdoms, seat: int, card: Card) -> bool:
    """An event that has an effect; with ``allow_empty_plays`` most others may be played too."""
    if has_effect(t, seat, card):
        return True
    forbids = FORBIDDEN.get(face(card).row)
    return bool(t.options["allow_empty_plays"]) and not (forbids and forbids(t, seat))


def play_event(t: Kingdoms, seat: int, card: Card) -> Part:
    """Plays an event from the hand. What does not stay at a court is discarded."""
    empty = t.options["allow_empty_plays"] and not has_effect(t, seat, card)
    t.give(t.hands[seat], card, t.at_work)
    t.log_event("played", seat=seat, card=card.key)
    if empty:
        t.log_event("no-effect", seat=seat, card=card.key)
    elif face(card).kind == SCANDAL:
        yield from scandal(t, seat, card)
    else:
        yield from EVENTS[face(card).row].play(t, seat, card)
    if card in t.at_work.cards:
        t.at_work.cards.remove(card)
        t.discard.cards.append(card)
