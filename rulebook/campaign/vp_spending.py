"""Spending victory points: four prices, and every reason why something cannot be bought. Earning: battle_scoring.py."""

from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import REBEL_PRICE, REGAIN_PRICE, REROLL_PRICE, effective_loyalty
from rulebook.data.rule_texts import Rule
from rulebook.input_checks import check_count, check_d10, check_one_of, check_whole_number, look_up, quote_value
from rulebook.muster.army import HOUSES

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
    Price(REROLL_PRICE,  "reroll",     "Re-roll a die",
          "Re-roll one of your dice and keep either roll. "
          "As often as you can pay, also during the battle, "
          "and also a die that the King or a Princess re-rolled.", ("VP-04", "VP-05", "R-12", "R-57", "R-99")),
    Price(REGAIN_PRICE,  "regain",     "Win back a house",
          "A house whose fealty was lost comes again from the next muster.", ("VP-04", "R-01", "R-02")),
    Price(LOYALTY_PRICE, "loyalty",    "Loyalty +1",
          "Share the spoils: the loyalty of your houses rises by 1.", ("VP-04", "R-07")),
    Price(REBEL_PRICE,   "rebel_roll", "A rebel muster roll",
          "Only before a siege and only for the attacker: a muster roll among the enemy's vassals, "
          "at −2 for the first and −3 for each later one.", ("VP-04", "VP-06", "REBEL-01")),
)
# fmt: on

PRICE: dict[str, Price] = {price.key: price for price in PRICES}

# fmt: off
VP_RULES: tuple[Rule, ...] = (
    Rule("kills", "Units removed",
         "1 VP for each enemy unit removed from play, for whatever reason.", ("VP-01", "R-54")),
    Rule("goals", "Goals", "A scenario can have its own VP list, which replaces this one.", ("VP-02", "R-53")),
    Rule("win", "Victory",
         "2 VP for winning: destroy the enemy, reach the goal, or make the enemy yield.", ("VP-03", "R-55")),
    Rule("yield", "Yielding",
         "A side that yields loses, but its units still on the table are not scored.", ("VP-07", "R-55")),
    Rule("loser", "The loser's points", "The loser keeps the VP it earned.", ("VP-08",)),
    Rule("balance", "What is left",
         "Spent VP are gone. In a campaign the rest carries over and never falls below 0. After a single battle it is "
         "lost.", ("VP-04", "VP-09", "R-58")),
)
# fmt: on


@dataclass(frozen=True, slots=True)
class Purchase:
    """An allowed purchase: what it cost, what is left, what it brought."""

    price: Price
    times: int
    cost: int
    vp_left: int
    text: str


def price_of(key: object) -> Price:
    return look_up(key, PRICE, "price")


def spend_vp(vp: int, key: str, times: int = 1) -> Purchase:
    price = price_of(key)
    check_count(vp, "VP in hand")
    check_count(times, "number bought", least=1)
    cost = price.vp * times
    if cost > vp:
        raise Refusal(f"{price.name} costs {cost} VP; you have {vp}.", field="vp")
    bought = price.name if times == 1 else f"{price.name}, {times} times"
    return Purchase(price, times, cost, vp - cost, f"{bought}: {cost} VP, {vp - cost} left.")


@dataclass(frozen=True, slots=True)
class RerollPurchase:
    spent: Purchase
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
) -> RerollPurchase:
    """One die thrown again for 1 VP, either throw kept (R-57)."""
    check_d10(first, "first throw")
    check_d10(second, "second throw")
    check_one_of(keep, ("first", "second"), "throw to keep")
    if not own_die and not options.reroll_enemy_dice:
        raise Refusal("That is an enemy die. You can only re-roll your own dice.", field="die")
    spent = spend_vp(vp, "reroll")
    kept = first if keep == "first" else second
    return RerollPurchase(spent, first, second, kept, f"{first} re-rolled for 1 VP: {second}; keeps {kept}.")


def buy_house_back(vp: int, house: int, lost: tuple[int, ...]) -> Purchase:
    """2 VP for a lost house. A house that is still loyal cannot be bought."""
    if type(house) is not int or house not in HOUSES:
        raise Refusal(f"There is no house {quote_value(house)}. Choose 1, 2, 3 or 4.", field="house")
    if house not in lost:
        raise Refusal(f"House {house} is loyal. There is nothing to win back.", field="house")
    return spend_vp(vp, "regain")


@dataclass(frozen=True, slots=True)
class LoyaltyPurchase:
    spent: Purchase
    before: int
    after: int
    text: str


def buy_loyalty(vp: int, loyalty: int, times: int = 1, options: Options = BY_THE_BOOK) -> LoyaltyPurchase:
    """3 VP for each +1. Where a limit is agreed, nothing above it is for sale."""
    check_whole_number(loyalty, "loyalty")
    spent = spend_vp(vp, "loyalty", times)
    after = loyalty + times
    if options.loyalty_cap is not None and after > options.loyalty_cap:
        raise Refusal(f"Loyalty would be {after}; this campaign's limit is {options.loyalty_cap}.", field="loyalty")
    return LoyaltyPurchase(spent, loyalty, after, f"Loyalty {loyalty:+d} becomes {after:+d} for {spent.cost} VP.")


def buy_rebel_roll(vp: int, *, siege_side: str | None, before_battle: bool = True) -> Purchase:
    """5 VP for a rebel muster roll: the attacker of a siege, before the battle."""
    if siege_side is None:
        raise Refusal("Rebels only join in a siege.", field="siege")
    if check_one_of(siege_side, ("attacker", "defender"), "side in the siege") == "defender":
        raise Refusal("Only the attacker of a siege can buy rebels.", field="siege")
    if not before_battle:
        raise Refusal("The battle has started. Rebels must be bought before it.", field="siege")
    return spend_vp(vp, "rebel_roll")


def available_vp(before: int, earned: int, spent: int) -> int:
    """What can be spent in a battle: the campaign's balance, and what this battle brought so far, less what it cost."""
    check_count(before, "VP before the battle")
    check_count(earned, "VP earned")
    check_count(spent, "VP spent")
    left = before + earned - spent
    if left < 0:
        raise Refusal(f"{spent} VP were spent, but there were only {before + earned}.", field="vp")
    return left


@dataclass(frozen=True, slots=True)
class LoyaltyChange:
    before: int
    after: int
    text: str

    @property
    def change(self) -> int:
        return self.after - self.before


def loyalty_after(
    loyalty: int, result: Literal["won", "lost", "drawn"], *, in_campaign: bool = True, options: Options = BY_THE_BOOK
) -> LoyaltyChange:
    """A victory adds 1, a defeat takes 1, a draw changes nothing; a limit holds it where one is agreed."""
    check_whole_number(loyalty, "loyalty")
    check_one_of(result, ("won", "lost", "drawn"), "result")
    if not in_campaign:
        return LoyaltyChange(loyalty, loyalty, "Loyalty only counts in a campaign.")
    step = {"won": 1, "lost": -1, "drawn": 0}[result]
    if step == 0:
        return LoyaltyChange(loyalty, loyalty, "A draw does not change loyalty.")
    reached = effective_loyalty(loyalty + step, options)
    # A limit agreed in mid-campaign holds loyalty where it is; it never turns a victory into a loss of loyalty.
    after = max(loyalty, reached) if step > 0 else min(loyalty, reached)
    if after == loyalty:
        return LoyaltyChange(loyalty, loyalty, f"Loyalty stays at {loyalty:+d}, this campaign's limit.")
    return LoyaltyChange(
        loyalty, after, f"{'Victory' if step > 0 else 'Defeat'}: loyalty {loyalty:+d} becomes {after:+d}."
    )
