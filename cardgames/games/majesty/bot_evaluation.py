"""How a bot rates choices in Your Majesty, using only what its seat sees."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from cardgames.engine import PASS, Deck, Question, Result, Rng, View
from cardgames.engine.game_definition import lead_of, value_of_win
from cardgames.games.majesty import deck_definition as named, scoring, table_state
from cardgames.games.majesty.deck_definition import CAMPAIGN, SCANDAL, MajestyCard, faces_by_id, randomizer_spread
from cardgames.games.majesty.event_cards import ENOUGH
from cardgames.games.majesty.rules import END, HOLD, LEND, REFUSE, SEND, WITHDRAW
from cardgames.games.majesty.salon_arithmetic import Salon, level_is_open, sophia_of
from cardgames.games.majesty.table_state import Kingdoms, face
from cardgames.games.majesty.view_reading import courts_of

# What a card is worth in the hand, so that the least useful one is discarded.
KEEP = {
    named.PLACE_AT_COURT: 2.2,
    named.CONSUMPTION: 1.2,
    named.ESPIONAGE: 1.6,
    named.DESPOT: 1.0,
    named.LETTERS: 2.4,
    named.CHARTER: 1.6,
    named.TOUR: 1.6,
    named.VANITY: 0.9,
    named.SUBSCRIPTION: 1.4,
    named.SUGAR: 0.9,
    named.INTRIGUE: 0.7,
    named.SMALLPOX: 0.4,
    named.MISTRESS: 0.6,
    named.RISING: 0.5,
    named.TREATY: 0.6,
    named.HURRICANE: 0.5,
    named.CENSOR: 0.4,
    named.PEACE: 0.3,
    named.TURN_TABLES: 0.4,
}
KEEP_CAMPAIGN, KEEP_SCANDAL = 1.1, 0.8
# A seat this close to the target is nobody's friend any more.
CLOSE = 5
# About a round and a half of four: what comes later is anybody's guess, and the position says as much.
IMAGINED_STEPS = 40
# What completes an action, or is given up when made to. A Hard bot imagines actions, reforms and answers to others.
SETTLED_BY_RATING = frozenset(
    {
        *("pay", "claim", "attack", "invite", "invite-more", "attend", "poach", "kill", "smallpox", "offend", "resign"),
        *("letters", "underneath", "rising", "cede", "exchange", "spy", "steal", "intrigue", "pass-on", "bearer"),
        *("wreck", "wreck-more", "censor"),
    }
)


class _Knowledge:
    """What a seat knows, with a value on what it could do."""

    def __init__(self, view: View, deck: Deck) -> None:
        self.view = view
        self.faces = faces_by_id(deck)
        self.spread = randomizer_spread(deck)
        self.fields = view.fields
        self.me = view.reader
        self.courts = courts_of(view, self.faces)
        self.mine = self.courts[self.me]
        paycheck, abolished = self.fields["paycheck"], self.fields["abolished"]
        self.scores = [
            scoring.prestige_of(court.count, abolished=abolished, paycheck=paycheck) for court in self.courts
        ]
        self.target = scoring.target_of(paycheck)
        self.best_other = max(score for seat, score in enumerate(self.scores) if seat != self.me)

    # How much it matters to hurt somebody: the leader most.
    def rival(self, seat: int) -> float:
        lead = self.scores[seat] - self.best_other
        near = max(0.0, 1 - (self.target - self.scores[seat]) / 12)
        return (1.0 if lead >= 0 else 0.6 / (1 - lead / 4)) * (0.5 + near)

    def chance(self, sophia: int, level: int, scandals: int) -> float:
        return float(Salon(sophia, level, scandals, self.fields["faux_pas"]).chance(self.spread))

    def reforms(self) -> list[MajestyCard]:
        held = [court.levels for court in self.courts]
        censored = table_state.named_by(self.fields["marks"], named.CENSOR)
        muses = {card.muse for card in self.mine.philosophes} - censored
        unclaimed = [self.faces[id] for id in self.view.zone("open-reforms").faces]
        return [card for card in unclaimed if card.muse in muses and level_is_open(card.level, held[self.me], held)]

    def sophia(self, reform: MajestyCard, guests: int = 0, of_muse: int = 0) -> int:
        """With own philosophes first, then guests, as far as there are chairs."""
        values = sorted(
            [
                *(2 if card.muse == reform.muse else 1 for card in self.mine.philosophes),
                *([2] * of_muse),
                *([1] * (guests - of_muse)),
            ],
            reverse=True,
        )
        return sum(values[: self.mine.wealth]) + 2 * self.mine.tours

    def hopes(self, reform: MajestyCard) -> tuple[int, int]:
        """How many guests may come, and how many of them of the muse: about half of those asked."""
        courts = [court for court in self.courts if court.seat != self.me and court.philosophes]
        willing = [court for court in courts if self.scores[self.me] + reform.level < self.target - CLOSE]
        guests = (len(willing) + 1) // 2
        return guests, min(guests, (sum(bool(court.of_muse(reform.muse)) for court in willing) + 1) // 2)

    def salon_value(self, reform: MajestyCard) -> float:
        guests, of_muse = self.hopes(reform)
        seats = min(self.mine.wealth, len(self.mine.philosophes) + guests)
        if seats < 2:
            return -1.0
        chance = self.chance(self.sophia(reform, guests, of_muse), reform.level, len(self.mine.scandals))
        ends = self.scores[self.me] + reform.level >= self.target
        gain = reform.level + (0.8 if reform.level < 5 else 0.0) + (20.0 if ends else 0.0)
        if reform.row == named.ABOLITION:
            slaves = [sum(card.is_slave for card in court.colonies) for court in self.courts]
            after = [score + freed for score, freed in zip(self.scores, slaves, strict=True)]
            after[self.me] += reform.level
            best = max(score for seat, score in enumerate(after) if seat != self.me)
            if best >= max(self.target, after[self.me] + 1):
                return -10.0
            if after[self.me] >= self.target:
                gain += 20.0
            gain += slaves[self.me] - max(n for seat, n in enumerate(slaves) if seat != self.me) * 0.5
        return chance * gain

    def best_salon(self) -> float:
        return max((self.salon_value(reform) for reform in self.reforms()), default=0.0)

    def colony_value(self, card: MajestyCard, wealth: int | None = None) -> float:
        """Chairs matter as far as there are philosophes for them."""
        wealth = self.mine.wealth if wealth is None else wealth
        wanted = max(4, len(self.mine.philosophes) + 2)
        use = max(0, min(card.coins, wanted - wealth))
        loss = 1.0 if card.is_slave and not self.fields["abolished"] else 0.0
        return use * (1.5 if wealth < 3 else 0.8) + 0.1 * card.coins - loss

    def best_colony(self) -> float:
        unclaimed = self.view.zone("unclaimed").faces
        return max((self.colony_value(self.faces[id]) for id in unclaimed), default=0.0)

    def philosophe_value(self) -> float:
        chairs = self.mine.wealth - len(self.mine.philosophes)
        paid = 0.0 if self.fields["paycheck"] == scoring.BY_WEALTH and chairs <= 0 else 1.375
        return paid + (0.8 if chairs > 0 else 0.25)

    def guest_value(self, card: MajestyCard) -> float:
        return card.prestige + 0.6

    def keep(self, card: MajestyCard) -> float:
        if card.kind == CAMPAIGN:
            return KEEP_CAMPAIGN + 0.4 * bool(self.mine.colonies)
        if card.kind == SCANDAL:
            return KEEP_SCANDAL
        return KEEP.get(card.row, 0.1)

    # Events

    def hands_over_the_win(self, owner: int, card: MajestyCard) -> bool:
        """Whether losing this colony gives its owner the last point: a slave colony costs one."""
        return card.is_slave and not self.fields["abolished"] and self.scores[owner] + 1 >= self.target

    def steal_colony(self, owner: int, card: MajestyCard) -> float:
        if self.hands_over_the_win(owner, card):
            return -10.0
        return 0.6 * (self.colony_value(card) + self.rival(owner) * card.coins * 0.5)

    def event(self, card: MajestyCard) -> float:
        courts = [court for court in self.courts if court.seat != self.me]
        row = card.row
        if card.kind == SCANDAL:
            if row == named.MARRIAGE:
                return self.philosophe_value() - 0.8
            return max(0.9 * self.rival(court.seat) for court in courts)
        if row == named.PLACE_AT_COURT:
            return 0.8 * max((self.poach(c.seat, p) for c in courts for p in c.philosophes), default=0.0)
        if row == named.CONSUMPTION:
            return max((self.kill(c.seat, p) for c in courts for p in c.philosophes), default=0.0)
        if row == named.VANITY:
            return 0.7 * max((self.rival(c.seat) * 1.2 for c in courts if c.philosophes), default=0.0)
        if row == named.SMALLPOX:
            return sum(
                (-1.3 if court.seat == self.me else self.rival(court.seat))
                for court in self.courts
                if len(court.philosophes) >= 4 and all(reform.row != named.INOCULATION for reform in court.reforms)
            )
        if row == named.LETTERS:
            return self.philosophe_value() + 0.7
        if row == named.CHARTER:
            return self.best_colony()
        if row == named.RISING:
            return max(
                (self.rising(court.seat, c) for court in self.courts for c in court.colonies if c.is_slave), default=0.0
            )
        if row == named.TREATY:
            own = min((self.colony_value(c, self.mine.wealth - c.coins) for c in self.mine.colonies), default=0.0)
            theirs = max((self.colony_value(c) for court in courts for c in court.colonies), default=0.0)
            return 0.5 * (theirs - own)
        if row == named.ESPIONAGE:
            room = min(3, self.mine.hand_limit - self.mine.hand + 1)
            return 0.75 * min(room, max((court.hand for court in courts), default=0))
        if row == named.INTRIGUE:
            return 0.5 * max((self.rival(court.seat) * min(2, court.hand) for court in courts), default=0.0)
        if row == named.SUBSCRIPTION:
            return 0.6 * min(3, self.mine.hand_limit - self.mine.hand + 1)
        if row == named.MISTRESS:
            return 0.9 * len(self.mine.scandals)
        if row == named.TURN_TABLES:
            return 0.9 + 0.4
        if row == named.DESPOT:
            return 0.8
        if row == named.TOUR:
            # Only worth it if the salon comes right after.
            return 1.6 if self.can_salon_next() else 0.05
        if row == named.SUGAR:
            short = len(self.mine.philosophes) - self.mine.wealth
            return 1.0 if self.mine.colonies and short > 0 and "salon" not in self.fields["taken"] else 0.05
        if row == named.HURRICANE:
            return max((self.rival(c.seat) * 0.7 for c in courts if c.colonies), default=0.0)
        if row == named.PEACE:
            return 0.15 * len(self.mine.colonies)
        if row == named.CENSOR:
            return 0.3
        return 0.0

    def can_salon_next(self) -> bool:
        taken = self.fields["taken"]
        if taken or self.mine.wealth < 2 or self.mine.hand < 2:
            return False
        return any(
            self.sophia(reform, *self.hopes(reform)) + 2 > reform.level + 3 + len(self.mine.scandals)
            for reform in self.reforms()
        )

    def poach(self, owner: int, card: MajestyCard) -> float:
        return self.guest_value(card) + self.rival(owner) * card.prestige

    def kill(self, owner: int, card: MajestyCard) -> float:
        return self.rival(owner) * (card.prestige + 0.4)

    def rising(self, owner: int, card: MajestyCard) -> float:
        if owner == self.me:
            return 20.0 if self.hands_over_the_win(owner, card) else 1.0 - 0.5 * card.coins
        if self.hands_over_the_win(owner, card):
            return -10.0
        return self.rival(owner) * (0.6 * card.coins - 1.0)

    # Actions

    def act(self, key: str) -> float:
        kind, _, id = key.partition(":")
        cost = self.cheapest()
        if kind == "event":
            return self.event(self.faces[id]) - 0.35
        if kind == "campaign":
            targets = [(court.seat, c) for court in self.courts if court.seat != self.me for c in court.colonies]
            return max((self.steal_colony(seat, c) for seat, c in targets), default=0.0) - 0.35
        if kind == "colony":
            return self.best_colony() - cost
        if kind == "philosophe":
            return self.philosophe_value() - cost
        if kind == "salon":
            return self.best_salon() - cost
        if kind == "refill":
            return 0.55 * (self.mine.hand_limit - self.mine.hand)
        return 0.0

    def cheapest(self) -> float:
        hand = [self.faces[id] for id in self.view.zones_each("hand").each[self.me] if id]
        return 0.35 * min((self.keep(card) for card in hand), default=0.0)

    # Being asked

    def lend(self, host: int, reform: MajestyCard) -> float:
        """Friendly to whoever is behind and not about to win; a favour is returned more often than not."""
        after = self.scores[host] + reform.level
        if after >= self.target:
            return -10.0
        if after >= self.target - CLOSE and self.scores[host] >= self.scores[self.me]:
            return -2.0
        gap = self.scores[self.me] - self.scores[host]
        return 0.9 - 0.3 * reform.level + 0.25 * gap


def rate_choices(view: View, deck: Deck) -> Mapping[str, float]:
    """The weight of each key of the open question."""
    know, ask = _Knowledge(view, deck), view.asked
    rate = _RATES[ask.kind]
    return {key: rate(know, key, ask.about) for key in ask.keys}


def _card(know: _Knowledge, key: str) -> MajestyCard:
    return know.faces[key.rpartition(":")[2]]


def _owner(know: _Knowledge, id: str) -> int:
    return next((court.seat for court in know.courts if id in court.all_cards), know.me)


def _rate_seat(value: Callable[[_Knowledge, int], float]) -> "Rate":
    return lambda know, key, about: value(know, int(key.removeprefix("seat-")))


def _rate_invite(know: _Knowledge, key: str, about: Any) -> float:
    reform = know.faces[know.fields["reform"]]
    if key == SEND:
        return 0.0
    card = _card(know, key)
    chairs = know.mine.wealth - len(know.mine.philosophes) - len(know.fields["invited"])
    worth = 2 if card.muse == reform.muse else 1
    spare = chairs > 0 or worth == 2
    owner = _owner(know, card.id)
    # The one furthest behind is the most likely to agree; those far ahead will not.
    return (worth if spare else -1.0) + 0.02 * (know.scores[owner] - know.scores[know.me])


def _rate_attend(know: _Knowledge, key: str, about: Any) -> float:
    if key == HOLD:
        return 1.0
    if key == WITHDRAW:
        reform = know.faces[know.fields["reform"]]
        muses = [know.faces[id].muse for id in know.fields["attending"]]
        sophia = sophia_of(muses, reform.muse, know.mine.tours)
        return 1.5 if know.chance(sophia, reform.level, len(know.mine.scandals)) < 0.1 else 0.0
    return -1.0


def _rate_slot(know: _Knowledge, key: str, about: Any) -> float:
    if key == ENOUGH:
        return 0.2
    ids = about["cards"] if isinstance(about, dict) else about
    card = know.faces[ids[min(int(key.removeprefix("slot-")), len(ids)) - 1]]
    return know.keep(card) if card.group == "action" else know.guest_value(card) + _muse_need(know, card)


def _muse_need(know: _Knowledge, card: MajestyCard) -> float:
    """A muse one lacks opens its reforms."""
    return 0.4 if not know.mine.of_muse(card.muse) else 0.1


def _rate_lend(know: _Knowledge, key: str, about: Any) -> float:
    value = know.lend(about["by"], know.faces[about["reform"]])
    if key == REFUSE:
        return 0.0
    return value if key == LEND else value - 0.5


def _rate_defence(know: _Knowledge, key: str, about: Any) -> float:
    """A colony worth a card is defended, the dearer the sooner; a slave colony that costs more than it gives is not.

    Losing a slave colony adds a point, which may be the last one.
    """
    if key == PASS:
        return 0.0
    card = know.faces[about["card"]]
    if know.hands_over_the_win(know.me, card):
        return -10.0
    return know.colony_value(card, know.mine.wealth - card.coins) - 0.7 - 0.1 * know.keep(know.faces[key])


def _rate_cancel(know: _Knowledge, key: str, about: Any) -> float:
    return 0.0 if key == PASS else know.faces[about["card"]].prestige - 0.5


def _rate_exchange(know: _Knowledge, key: str, about: Any) -> float:
    card = _card(know, key)
    owner = _owner(know, card.id)
    if know.hands_over_the_win(owner, card) and not know.faces[about].is_slave:
        return -10.0
    return know.colony_value(card) + 0.2 * know.rival(owner)


def _rate_wreck(know: _Knowledge, key: str, about: Any) -> float:
    if key == ENOUGH:
        return 0.0
    card = _card(know, key)
    return know.rival(_owner(know, card.id)) * card.coins


def _rate_censor(know: _Knowledge, key: str, about: Any) -> float:
    strong = sum(len(c.of_muse(key)) * know.rival(c.seat) for c in know.courts if c.seat != know.me)
    return strong - 1.5 * len(know.mine.of_muse(key))


Rate = Callable[[_Knowledge, str, Any], float]

_RATES: dict[str, Rate] = {
    "act": lambda know, key, about: know.act(key),
    "pay": lambda know, key, about: -know.keep(_card(know, key)),
    "claim": lambda know, key, about: know.colony_value(_card(know, key)),
    "attack": lambda know, key, about: know.steal_colony(_owner(know, key), _card(know, key)),
    "defend": _rate_defence,
    "cancel": _rate_cancel,
    "reform": lambda know, key, about: know.salon_value(_card(know, key)),
    "invite": _rate_invite,
    "invite-more": _rate_invite,
    "lend": _rate_lend,
    "attend": _rate_attend,
    "poach": lambda know, key, about: know.poach(_owner(know, key), _card(know, key)),
    "kill": lambda know, key, about: know.kill(_owner(know, key), _card(know, key)),
    "smallpox": lambda know, key, about: -know.guest_value(_card(know, key)),
    "resign": lambda know, key, about: -know.guest_value(_card(know, key)),
    "offend": _rate_seat(lambda know, seat: know.rival(seat)),
    "letters": _rate_slot,
    "underneath": lambda know, key, about: 0.0,
    "rising": lambda know, key, about: know.rising(_owner(know, key), _card(know, key)),
    "cede": lambda know, key, about: -know.colony_value(_card(know, key), 0),
    "exchange": _rate_exchange,
    "spy": _rate_seat(lambda know, seat: know.courts[seat].hand + 0.3 * know.rival(seat)),
    "steal": _rate_slot,
    "intrigue": _rate_seat(lambda know, seat: know.rival(seat) * min(2, know.courts[seat].hand)),
    "pass-on": lambda know, key, about: 0.0,
    "bearer": _rate_seat(lambda know, seat: know.rival(seat)),
    "wreck": _rate_wreck,
    "wreck-more": _rate_wreck,
    "censor": _rate_censor,
}


# Imagined games


def choose_quickly(t: Kingdoms, ask: Question, rng: Rng, me: int) -> str:
    """How imagined players choose: sensible actions at a glance, give or take, and any target."""
    options, kind, seat = ask.options, ask.kind, ask.seat
    if len(options) == 1:
        return next(iter(options))
    if kind == "act":
        return _quick_act(t, options, rng, seat)
    if kind in ("defend", "cancel"):
        return next(iter(options))
    if kind == "lend":
        host = t.active
        level = next((face(card).level for card in t.open_reforms.cards if card.key == t.reform), 5)
        risky = table_state.prestige(t, host) + level >= scoring.target_of(t.paycheck) - CLOSE
        return REFUSE if risky or rng.below(3) == 0 else LEND
    if kind == "attend":
        return HOLD
    if kind in ("invite", "invite-more"):
        muse = next((face(card).muse for card in t.open_reforms.cards if card.key == t.reform), "")
        for key, pair in options.items():
            if pair is not None and face(pair[1]).muse == muse:
                return key
        keys = list(options)
        return keys[rng.below(len(keys))]
    if kind == "claim":
        poor = table_state.wealth(t, seat) < 3
        best, chosen = -9.0, ""
        for key, card in options.items():
            colony = face(card)
            value = colony.coins * (1.5 if poor else 0.7) - (colony.is_slave and not t.abolished) + rng.below(8) * 0.1
            if value > best:
                best, chosen = value, key
        return chosen
    keys = list(options)
    return keys[rng.below(len(keys))]


def _quick_act(t: Kingdoms, options: Mapping[str, Any], rng: Rng, seat: int) -> str:
    wealth, own = table_state.wealth(t, seat), len(t.philosophes[seat].cards)
    hand = len(t.hands[seat].cards)
    best, chosen = -9.0, END
    for key, (act, _) in options.items():
        value = float(rng.below(20) * 0.1)
        if act == "salon":
            value += 1.0 + 0.8 * min(wealth, own) - len(t.scandals[seat].cards)
        elif act == "colony":
            value += 2.5 if wealth < max(3, own) else 0.0
        elif act == "philosophe":
            value += 2.0
        elif act == "refill":
            value += 3.0 - hand
        elif act == "event":
            value += 1.0
        elif act == "campaign":
            value += 0.7
        if value > best:
            best, chosen = value, key
    return chosen


def value_of_result(result: Result, seat: int) -> float:
    return value_of_win(result, seat, 5)


def value_of_position(t: Kingdoms, seat: int) -> float:
    """An unfinished game: the lead in prestige, with a little for what will make more of it."""
    worth = [
        table_state.prestige(t, other)
        + 0.3 * min(table_state.wealth(t, other), len(t.philosophes[other].cards) + 2)
        + 0.15 * len(t.hands[other].cards)
        - 0.5 * len(t.scandals[other].cards)
        for other in range(t.seats)
    ]
    return 1.0 / (1.0 + math.exp(-lead_of(worth, seat) / 4))
