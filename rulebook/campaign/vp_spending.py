"""Victory points spent: four prices, and every reason why something cannot be bought. What is earned is in scoring.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.army import HOUSES
from rulebook.muster_table import REBEL_PRICE, REGAIN_PRICE, REROLL_PRICE, counted_loyalty
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import count, d10, known, one_of, shown, whole
from rulebook.rows import Rule

LOYALTY_PRICE = 3


@dataclass(frozen=True, slots=True)
class Price:
    vp: int
    key: str
    name: str
    text: str
    rules: tuple[str, ...]


# fmt: off
PRICES: tuple[Price, ...] = (
    Price(REROLL_PRICE,  "reroll",     "Re-roll a die",        "Throw one of your dice again and keep whichever throw you like. As often as you can pay, in the battle being fought too.", ("VP-04", "VP-05", "R-12", "R-57")),
    Price(REGAIN_PRICE,  "regain",     "Win back a house",     "A house whose fealty was lost answers the call again from the next muster.", ("VP-04", "R-01", "R-02")),
    Price(LOYALTY_PRICE, "loyalty",    "Loyalty +1",           "Share the spoils: the loyalty of your houses rises by 1.", ("VP-04", "R-07")),
    Price(REBEL_PRICE,   "rebel_roll", "A rebel muster roll",  "Before a siege only, and for the attacker only: a muster roll among the enemy's vassals, at −2 for the first and −3 for each later one.", ("VP-04", "VP-06", "REBEL-01")),
)
# fmt: on

PRICE: dict[str, Price] = {price.key: price for price in PRICES}

VP_RULES: tuple[Rule, ...] = (
    Rule(
        "kills", "Units removed", "1 VP for each enemy unit that leaves the game, however it went.", ("VP-01", "R-54")
    ),
    Rule("goals", "Goals", "A scenario may pay for more, and its list then stands alone.", ("VP-02", "R-53")),
    Rule(
        "win",
        "Victory",
        "2 VP for winning: the enemy destroyed, the goal reached, or the enemy yields.",
        ("VP-03", "R-55"),
    ),
    Rule(
        "yield",
        "Yielding",
        "A side that yields has lost, but its units still on the table are not scored.",
        ("VP-07", "R-55"),
    ),
    Rule("loser", "The loser's points", "The beaten side keeps what it earned.", ("VP-08",)),
    Rule(
        "balance",
        "What is left",
        "Spent points are gone. In a campaign the rest is carried on and never falls below 0; after a single battle it lapses.",
        ("VP-04", "VP-09", "R-58"),
    ),
)


@dataclass(frozen=True, slots=True)
class Spent:
    """A purchase that was lawful: what it cost, what is left, what it brought."""

    price: Price
    times: int
    cost: int
    vp_left: int
    text: str


def price_of(key: object) -> Price:
    return known(key, PRICE, "price")


def pay(vp: int, key: str, times: int = 1) -> Spent:
    """The price out of the purse, or a refusal that says what is missing."""
    price = price_of(key)
    count(vp, "VP in hand")
    count(times, "number bought", least=1)
    cost = price.vp * times
    if cost > vp:
        raise Refusal(f"{price.name} costs {cost} VP, and there are {vp} in hand.", field="vp")
    said = price.name if times == 1 else f"{price.name}, {times} times"
    return Spent(price, times, cost, vp - cost, f"{said}: {cost} VP, {vp - cost} left.")


@dataclass(frozen=True, slots=True)
class Rerolled:
    spent: Spent
    first: int
    second: int
    kept: int
    text: str


def buy_reroll(
    vp: int,
    first: int,
    second: int,
    keep: Literal["first", "second"],
    *,
    own_die: bool = True,
    options: Options = BY_THE_BOOK,
) -> Rerolled:
    """One die thrown again for 1 VP, either throw kept (R-57)."""
    d10(first, "first throw")
    d10(second, "second throw")
    one_of(keep, ("first", "second"), "throw to keep")
    if not own_die and not options.reroll_enemy_dice:
        raise Refusal("That die is the enemy's; a VP re-rolls a die of one's own.", field="die")
    spent = pay(vp, "reroll")
    kept = first if keep == "first" else second
    return Rerolled(spent, first, second, kept, f"{first} thrown again for 1 VP: {second}; {kept} is kept.")


def buy_house_back(vp: int, house: int, lost: tuple[int, ...]) -> Spent:
    """2 VP for a lost house. A house that is still loyal cannot be bought."""
    if type(house) is not int or house not in HOUSES:
        raise Refusal(f"There is no house {shown(house)}; the houses are 1, 2, 3 and 4.", field="house")
    if house not in lost:
        raise Refusal(f"House {house} is loyal; there is nothing to win back.", field="house")
    return pay(vp, "regain")


@dataclass(frozen=True, slots=True)
class LoyaltyBought:
    spent: Spent
    before: int
    after: int
    text: str


def buy_loyalty(vp: int, loyalty: int, times: int = 1, options: Options = BY_THE_BOOK) -> LoyaltyBought:
    """3 VP for each +1. Where a limit is agreed, nothing above it is for sale."""
    whole(loyalty, "loyalty")
    spent = pay(vp, "loyalty", times)
    after = loyalty + times
    if options.loyalty_cap is not None and after > options.loyalty_cap:
        raise Refusal(f"Loyalty would be {after}, and this campaign's limit is {options.loyalty_cap}.", field="loyalty")
    return LoyaltyBought(spent, loyalty, after, f"Loyalty {loyalty:+d} becomes {after:+d} for {spent.cost} VP.")


def buy_rebel_roll(vp: int, *, siege_side: str | None, before_battle: bool = True) -> Spent:
    """5 VP for a rebel muster roll: the attacker of a siege, before the battle."""
    if siege_side is None:
        raise Refusal("Rebels rise only in a siege.", field="siege")
    if one_of(siege_side, ("attacker", "defender"), "side in the siege") == "defender":
        raise Refusal("Only the attacker of a siege can sway rebels; the defender cannot.", field="siege")
    if not before_battle:
        raise Refusal("The battle has begun; rebels are swayed before it.", field="siege")
    return pay(vp, "rebel_roll")


def purse(before: int, earned: int, spent: int) -> int:
    """What can be spent in a battle: the campaign's balance, and what this battle brought so far, less what it cost."""
    count(before, "VP before the battle")
    count(earned, "VP earned")
    count(spent, "VP spent")
    left = before + earned - spent
    if left < 0:
        raise Refusal(
            f"{spent} VP were spent, and there were only {before + earned}. The balance cannot fall below 0.",
            field="vp",
        )
    return left


def carried_on(vp: int, *, in_campaign: bool) -> int:
    """What a King has when the battle is over: everything in a campaign, nothing after a single battle (R-58)."""
    return count(vp, "VP") if in_campaign else 0


@dataclass(frozen=True, slots=True)
class LoyaltyChange:
    before: int
    after: int
    text: str

    @property
    def change(self) -> int:
        return self.after - self.before


def loyalty_after(
    loyalty: int,
    result: Literal["won", "lost", "drawn"],
    *,
    in_campaign: bool = True,
    options: Options = BY_THE_BOOK,
) -> LoyaltyChange:
    """A victory adds 1, a defeat takes 1, a draw changes nothing; a limit holds it where one is agreed."""
    whole(loyalty, "loyalty")
    one_of(result, ("won", "lost", "drawn"), "result")
    if not in_campaign:
        return LoyaltyChange(loyalty, loyalty, "Loyalty counts in a campaign only.")
    step = {"won": 1, "lost": -1, "drawn": 0}[result]
    if step == 0:
        return LoyaltyChange(loyalty, loyalty, "A draw leaves loyalty as it was.")
    reached = counted_loyalty(loyalty + step, options)
    # A limit agreed in mid-campaign holds loyalty where it is; it never turns a victory into a loss of loyalty.
    after = max(loyalty, reached) if step > 0 else min(loyalty, reached)
    if after == loyalty:
        return LoyaltyChange(loyalty, loyalty, f"Loyalty stays at {loyalty:+d}, the limit of this campaign.")
    return LoyaltyChange(
        loyalty, after, f"{'Victory' if step > 0 else 'Defeat'}: loyalty {loyalty:+d} becomes {after:+d}."
    )
