"""The muster table, loyalty, lesser units and rebels."""

from dataclasses import dataclass
from functools import cache

from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.data.units import UNIT, unit_of
from rulebook.input_checks import check_count, check_d10, check_one_of, check_whole_number, quote_value
from rulebook.muster.army import HOUSES, Siege
from text import join_list

REROLL_PRICE = 1
REGAIN_PRICE = 2
REBEL_PRICE = 5
FIRST_REBEL = -2
LATER_REBEL = -3


@dataclass(frozen=True, slots=True)
class MusterRow:
    low: int | None  # None: no lower end
    high: int | None  # None: no upper end
    unit: str | None
    hero: str
    text: str
    rules: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.unit or "nobody"

    @property
    def name(self) -> str:
        return UNIT[self.unit].name if self.unit else "Nobody"


# fmt: off
MUSTER_TABLE: tuple[MusterRow, ...] = (
    MusterRow(None, 0,    None,           "none",
              "Nobody comes, and the house's fealty is lost. It stays away from later musters too, "
              "until its fealty is won back.", ("MUSTER-05", "R-01")),
    MusterRow(1,    1,    "hoppers",      "never",  "The least a house can send.", ("MUSTER-02",)),
    MusterRow(2,    2,    "field_mice",   "10",     "Pressed farmers; a hero on a 10.", ("MUSTER-02",)),
    MusterRow(3,    4,    "bow_mice",     "8+",     "Archers; a hero on 8+.", ("MUSTER-02",)),
    MusterRow(5,    7,    "mice_at_arms", "always", "Drilled infantry, always with a hero.", ("MUSTER-02",)),
    MusterRow(8,    8,    "rat_riders",   "8+",     "Cavalry; a hero on 8+, spears on 8+.",
              ("MUSTER-02",)),
    MusterRow(9,    9,    "battle_cat",   "never",  "One cat; a spear on 8+, and a shield too on 10.",
              ("MUSTER-02", "R-08")),
    MusterRow(10,   None, "ballista",     "never",  "A war machine, also on totals above 10. Or take any lesser unit.",
              ("MUSTER-08", "R-03")),
)
# fmt: on

# Index 0 is "nobody"; 1 to 10 the rows of the table by total.
ROW_BY_TOTAL: tuple[MusterRow, ...] = (
    MUSTER_TABLE[0],
    *(next(row for row in MUSTER_TABLE[1:] if (row.low or 0) <= n <= (row.high or n)) for n in range(1, 11)),
)
_RANK: dict[str, int] = {row.unit: rank for rank, row in enumerate(MUSTER_TABLE) if row.unit}

# fmt: off
MUSTER_RULES: tuple[Rule, ...] = (
    Rule("army", "An army",
         "The King's unit plus whatever the four noble houses send. Rolled afresh for every battle.",
         ("MUSTER-01", "MUSTER-02", "R-06", "R-10")),
    Rule("loyalty", "Loyalty",
         "In a campaign, add the kingdom's loyalty to each house's d10. It starts at 0, goes up 1 with a victory and "
         "down 1 with a defeat. Outside a campaign there is no loyalty.", ("MUSTER-03", "MUSTER-04", "R-07")),
    Rule("fealty", "Fealty lost",
         "On a total below 1 nobody comes, and that house's fealty is lost. Skip it in later musters until 2 VP win "
         "it back. The other houses and loyalty do not change.", ("MUSTER-05", "MUSTER-06", "R-01", "R-02")),
    Rule("lesser", "A lesser unit",
         "The King can take any unit from a lower row instead. Decide before rolling heroes and weapons.",
         ("MUSTER-07", "MUSTER-09", "R-05")),
    Rule("rebels", "Rebels",
         "Before a siege, the attacker can buy muster rolls among the enemy's vassals for 5 VP each: the first at −2, "
         "every later one at −3. Below 1 it is Hoppers. Rebels roll for heroes like any unit.",
         ("REBEL-01", "REBEL-02", "REBEL-03", "R-83", "R-104")),
    Rule("size", "Size of an army", "Five units have 7 to 23 models.", ("MUSTER-10",)),
)
# fmt: on


def muster_row(total: int) -> MusterRow:
    """The row of a total: 0 or less is nobody, above 10 the last row (R-03). Natural 1 and 10 mean nothing (R-04)."""
    check_whole_number(total, "muster total")
    return ROW_BY_TOTAL[0 if total < 1 else 10 if total > 10 else total]


def effective_loyalty(loyalty: int, options: Options = BY_THE_BOOK) -> int:
    """Loyalty as it counts: as it is, or within the limit of the house rule (R-07)."""
    check_whole_number(loyalty, "loyalty")
    cap = options.loyalty_cap
    return loyalty if cap is None else max(-cap, min(cap, loyalty))


def lesser_units(unit_key: str, options: Options = BY_THE_BOOK) -> tuple[str, ...]:
    """What may be taken instead of a rolled unit, best first. "Nobody" is not among them (R-05)."""
    unit_of(unit_key)
    if unit_key not in _RANK:
        raise Refusal(
            f"{UNIT[unit_key].name} cannot be mustered; "
            f"the muster table has {join_list(UNIT[key].name for key in _RANK)}.",
            field="unit",
        )
    return _lesser(unit_key, options.lesser_unit)


@cache
def _lesser(unit_key: str, how: str) -> tuple[str, ...]:
    lower = tuple(row.unit for row in reversed(MUSTER_TABLE[1 : _RANK[unit_key]]) if row.unit)
    return lower[:1] if how == "next_lower" else lower


def rebel_bonus(number: int, loyalty: int = 0, options: Options = BY_THE_BOOK) -> int:
    """What is added to the number-th rebel roll: −2 first, then −3 each (R-83)."""
    check_count(number, "number of the rebel roll", least=1)
    return (FIRST_REBEL if number == 1 else LATER_REBEL) + (loyalty if options.rebel_loyalty else 0)


def rebel_unit(roll: int, bonus: int, options: Options = BY_THE_BOOK) -> str | None:
    """The unit a rebel roll brings; below the table it is Hoppers, and nobody's fealty is lost."""
    total = check_d10(roll, "rebel roll") + check_whole_number(bonus, "rebel bonus")
    if total == 0 and options.rebel_zero == "none":
        return None
    return muster_row(max(1, total)).unit


@dataclass(frozen=True, slots=True)
class MusterCall:
    """Everything decided before the first die of a muster."""

    loyalty: int = 0
    lost: tuple[int, ...] = ()  # houses whose fealty was lost in an earlier muster
    siege: Siege | None = None
    vp: int = 0  # what the King can spend now, on re-rolls and rebels
    options: Options = BY_THE_BOOK

    def __post_init__(self) -> None:
        check_whole_number(self.loyalty, "loyalty")
        check_count(self.vp, "VP in hand")
        if self.siege is not None:
            check_one_of(self.siege, ("attacker", "defender"), "side in the siege")
        for house in self.lost:
            if type(house) is not int or house not in HOUSES:
                raise Refusal(f"There is no house {quote_value(house)}. Choose 1, 2, 3 or 4.", field="house")
        if len(set(self.lost)) != len(self.lost):
            raise Refusal("A house is listed twice among the lost. List each once.", field="house")

    @property
    def effective_loyalty(self) -> int:
        return effective_loyalty(self.loyalty, self.options)
