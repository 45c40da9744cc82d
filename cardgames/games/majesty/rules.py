"""Your Majesty as it is played: reads like the rule book, top to bottom."""

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from cardgames.engine import Card, Part, Question, QuestionGroup, Script, ask_for_reactions
from cardgames.games.majesty import card_moves, deck_definition as named, scoring, table_state
from cardgames.games.majesty.deck_definition import (
    CAMPAIGN,
    HAND,
    MUSES,
    adjustment_for,
    cards_of_group,
    drop_every,
    reshuffle_face,
)
from cardgames.games.majesty.event_cards import can_play_event, cards_at, courts_with, gained, joined, play_event
from cardgames.games.majesty.salon_arithmetic import FEWEST, LEVELS, Salon, can_host, level_is_open, sophia_of
from cardgames.games.majesty.table_state import Kingdoms, face, wealth

COLONY, PHILOSOPHE, EVENT = "colony", "philosophe", "event"
CAMPAIGN_ACTION, SALON, REFILL = "campaign", "salon", "refill"
END = "end"
ACTIONS_PER_TURN = 2
SEND, HOLD, WITHDRAW = "send", "hold", "withdraw"
LEND, REFUSE = "lend", "refuse"


def play(t: Kingdoms) -> Script:
    set_up(t)
    return turns(t)


def set_up(t: Kingdoms) -> None:
    """Removes cards for the number of players, deals four cards each, and draws the first player."""
    deck = t.rules_deck
    change = adjustment_for(t.seats, t.options["two_player_setup"])
    colonies = t.make_cards(cards_of_group(deck, "colony"))
    if change.nth:
        t.shuffle(colonies, "colonies")
        colonies, out = drop_every(colonies, change.nth)
        t.put_all(t.removed, out)
    t.put_all(t.unclaimed, sorted(colonies, key=lambda card: card.face.index))
    t.put_all(t.open_reforms, t.make_cards(cards_of_group(deck, "reform")))
    guests: list[Card] = []
    everyone = t.make_cards(cards_of_group(deck, "philosophe"))
    for muse in MUSES:
        same = [card for card in everyone if face(card).muse == muse]
        if change.philosophes:
            t.shuffle(same, "philosophes")
            t.box.cards += same[: change.philosophes]
            same = same[change.philosophes :]
        guests += same
    t.shuffle(guests, "philosophes")
    t.salon_deck.cards = guests
    t.put(t.aside, t.make_cards([reshuffle_face(deck)])[0])
    actions = t.make_cards(cards_of_group(deck, "action"))
    t.shuffle(actions, "actions")
    t.deck.cards = actions
    hands: dict[int, dict[str, list[str]]] = {}
    for seat in range(t.seats):
        hands[seat] = {"cards": [t.draw(t.deck, t.hands[seat]).key for _ in range(HAND)]}
    t.log_event("dealt", hands, n=HAND)
    t.first = t.roll(t.seats, "first") - 1
    t.log_event("first", seat=t.first)


def turns(t: Kingdoms) -> Script:
    limit = t.options["round_limit"]
    while True:
        t.round += 1
        t.is_idle = True
        for seat in t.clockwise_from(t.first):
            yield from take_turn(t, seat)
        # A round is counted from the first player.
        if t.is_idle or t.round == limit:
            won = scoring.highest([table_state.prestige(t, seat) for seat in range(t.seats)])
            alone, shared = (
                (scoring.STALLED, scoring.STALLED_SHARED) if t.is_idle else (scoring.ROUND_LIMIT, scoring.LIMIT_SHARED)
            )
            return table_state.finish(t, alone if len(won) == 1 else shared, won)


def take_turn(t: Kingdoms, seat: int) -> Part:
    t.active = seat
    t.taken = []
    expire(t, seat)
    while len(t.taken) < ACTIONS_PER_TURN:
        act, card = yield Question(seat, "act", acts(t, seat))
        if act == END:
            break
        t.taken.append(act)
        t.is_idle = False
        if card is None:
            yield from TAKE[act](t, seat)
        elif act == EVENT:
            yield from play_event(t, seat, card)
        else:
            yield from campaign(t, seat, card)
    if not t.taken:
        t.log_event("passed", seat=seat)


def expire(t: Kingdoms, seat: int) -> None:
    """Lingering events are over just before their player's next turn."""
    zone = t.lingering[seat]
    if not zone.cards:
        return
    gone = [card.key for card in zone.cards]
    card_moves.discard_all(t, zone, list(zone.cards))
    t.marks = [mark for mark in t.marks if mark.owner != seat]
    t.is_idle = False
    t.is_changed = True
    t.log_event("expired", seat=seat, cards=gone)
    card_moves.check_debts(t)


Act = tuple[str, Card | None]


def acts(t: Kingdoms, seat: int) -> dict[str, Act]:
    """What the active player can do: no type twice, nothing without effect, and always end the turn."""
    taken, hand = t.taken, t.hands[seat].cards
    options: dict[str, Act] = {}
    if hand:
        if EVENT not in taken:
            for card in hand:
                if face(card).kind != CAMPAIGN and can_play_event(t, seat, card):
                    options[f"event:{card.key}"] = (EVENT, card)
        if CAMPAIGN_ACTION not in taken and not table_state.is_peace(t) and courts_with(t, seat, "colonies"):
            for card in hand:
                if face(card).kind == CAMPAIGN:
                    options[f"campaign:{card.key}"] = (CAMPAIGN_ACTION, card)
        if COLONY not in taken and t.unclaimed.cards:
            options[COLONY] = (COLONY, None)
        if PHILOSOPHE not in taken and card_moves.has_philosophes(t):
            options[PHILOSOPHE] = (PHILOSOPHE, None)
        if SALON not in taken and possible_reforms(t, seat):
            options[SALON] = (SALON, None)
    if REFILL not in taken and (
        t.options["allow_empty_plays"] or (table_state.room(t, seat) and card_moves.can_draw(t))
    ):
        options[REFILL] = (REFILL, None)
    options[END] = (END, None)
    return options


def pay(t: Kingdoms, seat: int, what: str) -> Generator[Question, Any, None]:
    """The cost of an action: any one card of the hand."""
    card = yield Question(seat, "pay", {f"pay:{card.key}": card for card in t.hands[seat].cards}, what)
    t.give(t.hands[seat], card, t.discard)
    t.log_event("paid", seat=seat, card=card.key)


def choose_colony(t: Kingdoms, seat: int) -> Part:
    yield from pay(t, seat, COLONY)
    card = yield Question(seat, "claim", {card.key: card for card in t.unclaimed.cards})
    t.unclaimed.cards.remove(card)
    card_moves.gain_colony(t, seat, card)
    t.log_event("claimed", seat=seat, card=card.key)
    gained(t, seat, card)


def draw_philosophe(t: Kingdoms, seat: int) -> Part:
    yield from pay(t, seat, PHILOSOPHE)
    card = card_moves.top_philosophe(t)
    assert card is not None
    card_moves.welcome(t, seat, card)
    t.log_event("arrived", seat=seat, card=card.key)
    joined(t, seat, card)


def refill(t: Kingdoms, seat: int) -> Part:
    card_moves.draw_hand(t, seat, table_state.hand_limit(t, seat))
    return
    yield


def campaign(t: Kingdoms, seat: int, card: Card) -> Part:
    """Names a colony of another court; its owner alone may answer, and sees before that what is attacked."""
    targets = cards_at(t, courts_with(t, seat, "colonies"), "colonies")
    t.give(t.hands[seat], card, t.at_work)
    owner, colony = yield Question(seat, "attack", targets, card.key)
    t.log_event("attacks", seat=seat, of=owner, card=colony.key, other_card=card.key)

    def answers(of: int) -> Mapping[str, Card]:
        return {held.key: held for held in t.hands[of].cards if face(held).kind == CAMPAIGN}

    reply = yield ask_for_reactions([owner], "defend", answers, {"by": seat, "card": colony.key})
    answer = reply[owner]
    t.give(t.at_work, card, t.discard)
    if answer is not None:
        t.give(t.hands[owner], answer, t.discard)
        t.log_event("defended", seat=owner, of=seat, card=colony.key, other_card=answer.key)
        return
    card_moves.lose_colony(t, owner, colony)
    card_moves.gain_colony(t, seat, colony)
    t.log_event("seized", seat=seat, of=owner, card=colony.key)
    card_moves.erase(t, seat, lambda row: row == named.DUEL)
    gained(t, seat, colony)


# Salons


def possible_reforms(t: Kingdoms, seat: int) -> list[Card]:
    """Unclaimed reforms this court may attempt now."""
    own = t.philosophes[seat].cards
    if not own or not t.open_reforms.cards:
        return []
    if not can_host(wealth(t, seat), len(own), len(courts_with(t, seat, "philosophes"))):
        return []
    muses = {face(card).muse for card in own} - table_state.named_by(t.marks, named.CENSOR)
    held = [table_state.levels(t, other) for other in range(t.seats)]
    open_levels = {level for level in LEVELS if level_is_open(level, held[seat], held)}
    return [card for card in t.open_reforms.cards if face(card).muse in muses and face(card).level in open_levels]


def hold_salon(t: Kingdoms, seat: int) -> Part:
    """Discard, declare, invite, replies, final list, randomizer; negotiating first, it is paid just before that."""
    pays_first = not t.options["negotiate_first"]
    if pays_first:
        yield from pay(t, seat, SALON)
    reform = yield Question(seat, "reform", {card.key: card for card in possible_reforms(t, seat)})
    t.reform = reform.key
    t.log_event("declared", seat=seat, card=reform.key)
    guests = yield from invite(t, seat)
    attendees = yield from seat_attendees(t, seat, reform, guests)
    if attendees and not pays_first:
        yield from pay(t, seat, SALON)
    if attendees:
        resolve_salon(t, seat, reform, attendees)
    else:
        t.log_event("salon-off", seat=seat, card=reform.key)
    t.reform = ""
    t.invited, t.replies, t.attending = [], [], []


def invite(t: Kingdoms, seat: int) -> Generator[Question | QuestionGroup, Any, list[Card]]:
    """One guest from each other court at most; the owners answer all at once, and may offer another."""
    wanted: dict[int, Card] = {}
    kind = "invite"
    while True:
        options: dict[str, tuple[int, Card] | None] = {
            f"ask:{key}": pair
            for key, pair in cards_at(t, courts_with(t, seat, "philosophes"), "philosophes").items()
            if pair[0] not in wanted
        }
        if not options:
            break
        chosen = yield Question(seat, kind, {**options, SEND: None})
        if chosen is None:
            break
        owner, guest = chosen
        wanted[owner] = guest
        t.invited.append((owner, guest.key))
        kind = "invite-more"
    if not wanted:
        return []
    t.log_event("invited", seat=seat, cards=[card.key for card in wanted.values()])
    asks = []
    for owner, guest in wanted.items():
        replies: dict[str, Card | None] = {LEND: guest}
        replies.update({f"offer:{c.key}": c for c in t.philosophes[owner].cards if c is not guest})
        replies[REFUSE] = None
        asks.append(Question(owner, "lend", replies, {"by": seat, "card": guest.key, "reform": t.reform}))
    answers = yield QuestionGroup(asks)
    guests = []
    for owner, card in answers.items():
        t.replies.append((owner, "" if card is None else card.key))
        if card is None:
            t.log_event("refused", seat=owner, of=seat, card=wanted[owner].key)
        else:
            guests.append(card)
            t.log_event("lent", seat=owner, of=seat, card=card.key)
    return guests


def seat_attendees(
    t: Kingdoms, seat: int, reform: Card, guests: Sequence[Card]
) -> Generator[Question, Any, list[Card]]:
    """The final list, two to wealth: the best are seated, and anybody may be left out. Empty if there are not two."""
    muse, chairs = face(reform).muse, wealth(t, seat)
    own = list(t.philosophes[seat].cards)
    pool = [*own, *guests]
    must_attend, negotiates = t.options["muse_must_attend"], t.options["negotiate_first"]
    while True:
        # As many as there are chairs, those of the muse first; own ones come first in the pool.
        seated = sorted(pool, key=lambda card: face(card).muse != muse)[:chairs]
        if len(seated) < FEWEST:
            return []
        t.attending = [card.key for card in seated]
        options: dict[str, Card | str] = {HOLD: HOLD}
        if len(pool) > FEWEST:
            hosts = [card for card in pool if card in own and face(card).muse == muse]
            options.update(
                {f"out:{card.key}": card for card in seated if not (must_attend and len(hosts) == 1 and card in hosts)}
            )
        if negotiates:
            options[WITHDRAW] = WITHDRAW
        choice = yield Question(seat, "attend", options)
        if choice == HOLD:
            return seated
        if choice == WITHDRAW:
            return []
        pool.remove(choice)


def resolve_salon(t: Kingdoms, seat: int, reform: Card, attendees: Sequence[Card]) -> None:
    muse, level = face(reform).muse, face(reform).level
    sophia = sophia_of([face(card).muse for card in attendees], muse, table_state.tours(t, seat))
    salon = Salon(sophia, level, len(t.scandals[seat].cards), t.faux_pas)
    drawn = card_moves.draw_action(t, t.at_work)
    assert drawn is not None, "the paid card can always be drawn again"
    t.at_work.cards.remove(drawn)
    t.discard.cards.append(drawn)
    number = face(drawn).randomizer
    about = {
        "card": reform.key,
        "other_card": drawn.key,
        "number": number,
        "sophia": sophia,
        "difficulty": salon.against + number,
    }
    if not salon.succeeds_on(number):
        t.log_event("salon-failed", seat=seat, **about)
        return
    card_moves.implement(t, seat, reform)
    t.log_event("salon-won", seat=seat, **about)
    if face(reform).row == named.ABOLITION:
        t.log_event("abolished", seat=seat)
    row = face(reform).row
    card_moves.erase(
        t,
        seat,
        lambda scandal: (
            scandal == named.PAMPHLET
            or (scandal == named.RINALDO and row == named.EXPRESSION)
            or (scandal == named.SERMON and row == named.TOLERANCE)
            or (scandal == named.MARRIAGE and muse == "politics")
        ),
    )


TAKE = {COLONY: choose_colony, PHILOSOPHE: draw_philosophe, SALON: hold_salon, REFILL: refill}
