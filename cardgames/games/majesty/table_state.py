"""The table of Your Majesty: courts, decks and discards, what they count, and the end."""

from collections.abc import Sequence
from typing import NamedTuple

from cardgames.engine import (
    ALL,
    NONE,
    OWNER,
    Card,
    RandomSource,
    Result,
    Table,
    Zone,
    fixed,
    public,
    seat_zones,
    table_zone,
)
from cardgames.games.majesty import scoring
from cardgames.games.majesty.deck_definition import (
    DESPOT_HAND,
    HAND,
    HURRICANE,
    PEACE,
    SUGAR,
    TOUR,
    MajestyCard,
)
from cardgames.games.majesty.salon_arithmetic import wealth_of
from cardgames.games.majesty.scoring import CourtCount

DEBTS_PAID = 6


class Mark(NamedTuple):
    """A lingering event: who played it, its row of the deck, and the cards or the muse it names."""

    owner: int
    row: str
    about: tuple[str, ...]


def count_marks(marks: Sequence[Mark], owner: int, row: str) -> int:
    return sum(mark.owner == owner and mark.row == row for mark in marks)


def named_by(marks: Sequence[Mark], row: str) -> set[str]:
    """The cards or muses that lingering events of this row name."""
    return {name for mark in marks if mark.row == row for name in mark.about}


def wealth_now(marks: Sequence[Mark], seat: int, colonies: Sequence[MajestyCard]) -> int:
    """Coins that come in now, with hurricanes and booms."""
    wrecked = named_by(marks, HURRICANE)
    coins = [0 if card.id in wrecked else card.coins for card in colonies]
    return wealth_of(coins, count_marks(marks, seat, SUGAR))


class Kingdoms(Table):
    """Two to six courts around what nobody has claimed."""

    first: int = public(-1)
    round: int = public(0)
    active: int = public(-1)
    # The types of action taken this turn.
    taken: list[str] = public(list)
    marks: list[Mark] = public(list)
    abolished: bool = public(False)
    # The salon that is going on: its reform, who was asked for whom, what they said, and who attends.
    reform: str = public("")
    invited: list[tuple[int, str]] = public(list)
    replies: list[tuple[int, str]] = public(list)
    attending: list[str] = public(list)
    paycheck: str = public(scoring.NO_PAYCHECK)
    faux_pas: bool = public(False)
    # Whether a court has changed since prestige was last looked at, and whether anybody did anything this round.
    is_changed: bool = fixed()
    is_idle: bool = fixed()
    above_reshuffle: int = fixed()
    reshuffle_source: RandomSource | None = fixed()
    # Which courts had paid their gaming debts when this was last looked at.
    was_rich: list[bool] = fixed()
    deck: Zone = table_zone("deck", NONE, ordered=True)
    discard: Zone = table_zone("discard")
    salon_deck: Zone = table_zone("philosophe-deck", NONE, ordered=True)
    resigned: Zone = table_zone("philosophe-discard")
    removed: Zone = table_zone("removed")
    box: Zone = table_zone("box", NONE)
    aside: Zone = table_zone("aside")
    # The Reshuffle card once it is in the deck. That no drawn card was the Reshuffle is known to all, so it is not one
    # of the hidden faces: chance only says how many cards lie above it.
    shuffled_in: Zone = table_zone("shuffled-in")
    at_work: Zone = table_zone("at-work")
    unclaimed: Zone = table_zone("unclaimed")
    open_reforms: Zone = table_zone("open-reforms")
    hands: list[Zone] = seat_zones("hand", OWNER)
    philosophes: list[Zone] = seat_zones("philosophes", ALL)
    colonies: list[Zone] = seat_zones("colonies", ALL)
    reforms: list[Zone] = seat_zones("reforms", ALL)
    scandals: list[Zone] = seat_zones("scandals", ALL)
    lingering: list[Zone] = seat_zones("lingering", ALL)
    permanent: list[Zone] = seat_zones("permanent", ALL)

    def prepare(self) -> None:
        self.paycheck, self.faux_pas = self.options["paycheck"], self.options["faux_pas"]
        self.is_changed = self.is_idle = False
        self.above_reshuffle, self.reshuffle_source = 0, None
        self.was_rich = [False] * self.seats


def face(card: Card) -> MajestyCard:
    majesty_card = card.face
    assert isinstance(majesty_card, MajestyCard)
    return majesty_card


def others(t: Kingdoms, seat: int) -> list[int]:
    """The other courts in playing order."""
    return t.clockwise_from(seat)[1:]


def holds(zone: Zone, row: str) -> bool:
    return any(face(card).row == row for card in zone.cards)


# What can be read from the table


def hand_limit(t: Kingdoms, seat: int) -> int:
    return DESPOT_HAND if t.permanent[seat].cards else HAND


def room(t: Kingdoms, seat: int) -> int:
    """How many cards may still come into this hand."""
    return max(0, hand_limit(t, seat) - len(t.hands[seat].cards))


def wealth(t: Kingdoms, seat: int) -> int:
    return wealth_now(t.marks, seat, [face(card) for card in t.colonies[seat].cards])


def tours(t: Kingdoms, seat: int) -> int:
    return count_marks(t.marks, seat, TOUR)


def is_peace(t: Kingdoms) -> bool:
    return any(mark.row == PEACE for mark in t.marks)


def levels(t: Kingdoms, seat: int) -> tuple[int, ...]:
    return tuple(face(card).level for card in t.reforms[seat].cards)


def court_count(t: Kingdoms, seat: int) -> CourtCount:
    return CourtCount(
        tuple([face(card).prestige for card in t.philosophes[seat].cards]),
        levels(t, seat),
        sum([face(card).is_slave for card in t.colonies[seat].cards]),
        wealth(t, seat) if t.paycheck == scoring.BY_WEALTH else 0,
    )


def prestige(t: Kingdoms, seat: int) -> int:
    return scoring.prestige_of(court_count(t, seat), abolished=t.abolished, paycheck=t.paycheck)


# The end


def ends_at_once(t: Kingdoms) -> Result | None:
    """Looks at all courts after a change: whoever meets the target now has won, in whoever's turn it is."""
    if not t.is_changed:
        return None
    t.is_changed = False
    scores = [prestige(t, seat) for seat in range(t.seats)]
    if max(scores) < scoring.target_of(t.paycheck):
        return None
    won = scoring.winners_at_once(scores, [levels(t, seat) for seat in range(t.seats)], t.paycheck)
    if not won:
        return None
    return finish(t, scoring.REACHED if len(won) == 1 else scoring.SHARED, won)


def finish(t: Kingdoms, outcome: str, won: tuple[int, ...]) -> Result:
    """The game is over: cards in play are discarded, and the courts are counted."""
    for card in t.at_work.cards:
        t.put(t.discard, card)
    t.at_work.cards.clear()
    t.active = -1
    t.reform = ""
    t.invited, t.replies, t.attending = [], [], []
    counts = [court_count(t, seat) for seat in range(t.seats)]
    abolished, paycheck = t.abolished, t.paycheck
    scores = tuple(scoring.prestige_of(count, abolished=abolished, paycheck=paycheck) for count in counts)
    facts = {
        "target": scoring.target_of(paycheck),
        "rounds": t.round,
        "reforms": [len(zone.cards) for zone in t.reforms],
    }
    return Result(
        outcome,
        won,
        scores,
        lambda: [scoring.prestige_lines(count, abolished=abolished, paycheck=paycheck) for count in counts],
        facts,
    )
