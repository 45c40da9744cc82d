"""The muster table, loyalty, lesser units and rebels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from refusal import Refusal
from rulebook.army import HOUSES, Siege
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import count, d10, listed, one_of, shown, whole
from rulebook.rows import Rule
from rulebook.units import UNIT, unit_of

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
MUSTER: tuple[MusterRow, ...] = (
    MusterRow(None, 0,    None,           "none",   "Nobody comes. The house has turned away: it stays silent in later musters too, until its fealty is won back.", ("MUSTER-05", "R-01")),
    MusterRow(1,    1,    "hoppers",      "never",  "The least a house can send.", ("MUSTER-02",)),
    MusterRow(2,    2,    "field_mice",   "10",     "Pressed farmers; a hero on a 10.", ("MUSTER-02",)),
    MusterRow(3,    4,    "bow_mice",     "8+",     "Archers; a hero on 8 or more.", ("MUSTER-02",)),
    MusterRow(5,    7,    "mice_at_arms", "always", "Drilled infantry, always with a hero.", ("MUSTER-02",)),
    MusterRow(8,    8,    "rat_riders",   "8+",     "Cavalry; a hero on 8 or more, spears on 8 or more.", ("MUSTER-02",)),
    MusterRow(9,    9,    "battle_cat",   "never",  "One cat; a spear on 8 or more, a shield as well on 10.", ("MUSTER-02", "R-08")),
    MusterRow(10,   None, "ballista",     "never",  "A war machine. Totals above 10 bring it too, or anything lesser.", ("MUSTER-08", "R-03")),
)
# fmt: on

# Index 0 is "nobody"; 1 to 10 the rows of the table by total.
ROW_OF: tuple[MusterRow, ...] = (
    MUSTER[0],
    *(next(row for row in MUSTER[1:] if (row.low or 0) <= n <= (row.high or n)) for n in range(1, 11)),
)
_RANK: dict[str, int] = {row.unit: rank for rank, row in enumerate(MUSTER) if row.unit}

MUSTER_RULES: tuple[Rule, ...] = (
    Rule(
        "army",
        "An army",
        "The King's unit and what four noble houses send, rolled anew for every battle.",
        ("MUSTER-01", "MUSTER-02", "R-06", "R-10"),
    ),
    Rule(
        "loyalty",
        "Loyalty",
        "In a campaign each house's d10 has the kingdom's loyalty added. It starts at 0, rises by 1 with a victory and "
        "falls by 1 with a defeat. A battle outside a campaign has none.",
        ("MUSTER-03", "MUSTER-04", "R-07"),
    ),
    Rule(
        "fealty",
        "Fealty lost",
        "A total below 1 sends nobody and costs the fealty of that house. It is skipped in later musters until 2 VP "
        "win it back; the other houses and loyalty do not change.",
        ("MUSTER-05", "MUSTER-06", "R-01", "R-02"),
    ),
    Rule(
        "lesser",
        "A lesser unit",
        "The King may take any unit of a lower row instead. He says so before heroes and weapons are rolled.",
        ("MUSTER-07", "MUSTER-09", "R-05"),
    ),
    Rule(
        "rebels",
        "Rebels",
        "Before a siege the attacker may buy muster rolls from the enemy's vassals at 5 VP each: the first at −2, every "
        "later one at −3. Anything below 1 is Hoppers.",
        ("REBEL-01", "REBEL-02", "REBEL-03", "R-83"),
    ),
    Rule(
        "size",
        "Size of an army",
        "Five units are 7 models at the least and 23 at the most.",
        ("MUSTER-10",),
    ),
)


def muster_row(total: int) -> MusterRow:
    """The row of a total: 0 and less is nobody, above 10 is still the last row (R-03). Natural 1 and 10 mean nothing (R-04)."""
    whole(total, "muster total")
    return ROW_OF[0 if total < 1 else 10 if total > 10 else total]


def counted_loyalty(loyalty: int, options: Options = BY_THE_BOOK) -> int:
    """Loyalty as it counts: as it is, or within the limit of the house rule (R-07)."""
    whole(loyalty, "loyalty")
    cap = options.loyalty_cap
    return loyalty if cap is None else max(-cap, min(cap, loyalty))


def lesser_units(unit_key: str, options: Options = BY_THE_BOOK) -> tuple[str, ...]:
    """What may be taken instead of a rolled unit, best first. "Nobody" is not among them (R-05)."""
    unit_of(unit_key)
    if unit_key not in _RANK:
        raise Refusal(
            f"The muster table does not bring {UNIT[unit_key].some}; it brings {listed(UNIT[key].name for key in _RANK)}.",
            field="unit",
        )
    return _lesser(unit_key, options.lesser_unit)


@cache
def _lesser(unit_key: str, how: str) -> tuple[str, ...]:
    lower = tuple(row.unit for row in reversed(MUSTER[1 : _RANK[unit_key]]) if row.unit)
    return lower[:1] if how == "next_lower" else lower


def rebel_bonus(number: int, loyalty: int = 0, options: Options = BY_THE_BOOK) -> int:
    """What is added to the number-th rebel roll: −2 first, then −3 each (R-83)."""
    count(number, "number of the rebel roll", least=1)
    return (FIRST_REBEL if number == 1 else LATER_REBEL) + (loyalty if options.rebel_loyalty else 0)


def rebel_row(roll: int, bonus: int, options: Options = BY_THE_BOOK) -> str | None:
    """The unit a rebel roll brings; below the table it is Hoppers, and nobody's fealty is lost."""
    total = d10(roll, "rebel roll") + whole(bonus, "rebel bonus")
    if total == 0 and options.rebel_zero == "none":
        return None
    return muster_row(max(1, total)).unit


@dataclass(frozen=True, slots=True)
class Call:
    """The call to arms: all that is settled before the first die."""

    loyalty: int = 0
    lost: tuple[int, ...] = ()  # houses whose fealty was lost in an earlier muster
    siege: Siege | None = None
    vp: int = 0  # what the King can spend now, on re-rolls and rebels
    options: Options = BY_THE_BOOK

    def __post_init__(self) -> None:
        whole(self.loyalty, "loyalty")
        count(self.vp, "VP in hand")
        if self.siege is not None:
            one_of(self.siege, ("attacker", "defender"), "side in the siege")
        for house in self.lost:
            if type(house) is not int or house not in HOUSES:
                raise Refusal(f"There is no house {shown(house)}; the houses are 1, 2, 3 and 4.", field="house")
        if len(set(self.lost)) != len(self.lost):
            raise Refusal("A house is named twice among the lost; name each once.", field="house")

    @property
    def counted(self) -> int:
        return counted_loyalty(self.loyalty, self.options)
