"""The parts of a coat of arms, with their words and shapes: tinctures, divisions, ordinaries, charges; its blazon.

A blazon describes arms in heraldic English, in the heralds' order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heraldry.coat_of_arms import Arms


# ── The seven tinctures, two metals and five colours, and the rule between them ───────────────────────


@dataclass(frozen=True, slots=True)
class Tincture:
    key: str
    is_metal: bool
    paint: str  # as tokens.css has it for light paper
    everyday: str
    hatching: str


# fmt: off
TINCTURES = (
    Tincture("or",      True,  "#d9a62b", "gold",   "dots"),
    Tincture("argent",  True,  "#f7f4ea", "silver", "plain"),
    Tincture("gules",   False, "#b3262b", "red",    "upright lines"),
    Tincture("azure",   False, "#27589c", "blue",   "level lines"),
    Tincture("vert",    False, "#2b6f42", "green",  "lines falling to the right"),
    Tincture("purpure", False, "#6b3c8c", "purple", "lines falling to the left"),
    Tincture("sable",   False, "#2b2622", "black",  "crossed lines"),
)
# fmt: on
TINCTURE = {row.key: row for row in TINCTURES}
METALS = tuple(row.key for row in TINCTURES if row.is_metal)
COLOURS = tuple(row.key for row in TINCTURES if not row.is_metal)

# On a field of two halves: each half lends its tincture to what lies on the other.
COUNTERCHANGED = "counterchanged"


def contrasts(upper: str, lower: str) -> bool:
    """The rule of tincture: metal lies on colour and colour on metal."""
    return TINCTURE[upper].is_metal != TINCTURE[lower].is_metal


# ── Ordinaries, broad shapes laid on a field; where charges stand by them; how a field is parted ──────


# A spot is where a charge stands: centre and size in the box of 100 by 120.
Spot = tuple[float, float, float]
Spots = tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Ordinary:
    key: str
    words: str
    path: str
    beside: Mapping[int, Spots] = field(default_factory=dict)
    upon: Mapping[int, Spots] = field(default_factory=dict)
    # How charges beside it are described: "{ordinary} between {charges}" and so on.
    manner: str = "between"


_THREE: Spots = ((28, 33, 32), (72, 33, 32), (50, 79, 34))

# Charges on the bare field.
BARE: Mapping[int, Spots] = {
    1: ((50, 53, 58),),
    2: ((29, 51, 36), (71, 51, 36)),
    3: _THREE,
    5: ((26, 26, 24), (74, 26, 24), (50, 53, 24), (30, 79, 24), (70, 79, 24)),
    6: ((24, 25, 23), (50, 25, 23), (76, 25, 23), (36, 55, 23), (64, 55, 23), (50, 85, 23)),
}

# Where the parting itself decides; other partings take the spots of the bare field.
PARTED: Mapping[str, Mapping[int, Spots]] = {
    "per_pale": {1: BARE[1], 2: ((28, 51, 37), (72, 51, 37)), 3: _THREE},
    "per_fess": {1: ((50, 55, 54),), 2: ((50, 31, 40), (50, 81, 38)), 3: ((28, 31, 32), (72, 31, 32), (50, 82, 36))},
    "per_bend": {1: BARE[1], 2: ((68, 33, 40), (31, 76, 37))},
    "per_bend_sinister": {1: BARE[1], 2: ((32, 33, 40), (69, 76, 37))},
    "per_chevron": {1: BARE[1], 2: ((50, 27, 36), (50, 86, 38)), 3: ((26, 30, 31), (74, 30, 31), (50, 86, 36))},
    "per_saltire": {1: BARE[1], 4: ((50, 25, 29), (20, 55, 26), (80, 55, 26), (50, 88, 27))},
    "quarterly": {1: BARE[1], 4: ((28.5, 31, 33), (71.5, 31, 33), (29.5, 77, 32), (70.5, 77, 32))},
}

_WAVES = "M0 {a}C12 {b} 20 {b} 32 {a}S54 {c} 66 {a}S88 {b} 100 {a}V{d}C88 {a} 80 {a} 68 {d}S44 {e} 32 {d}S12 {a} 0 {d}z"


def _wave(top: int) -> str:
    return _WAVES.format(a=top, b=top - 8, c=top + 8, d=top + 11, e=top + 19)


# fmt: off
ORDINARIES = (
    Ordinary("none", "", "", beside=BARE),
    Ordinary("chief", "a chief", "M0 0H100V38H0z",
             beside={1: ((50, 74, 50),), 2: ((30, 66, 33), (70, 66, 33)),
                     3: ((29, 57, 28), (71, 57, 28), (50, 90, 28))},
             upon={1: ((50, 21.5, 28),), 2: ((31, 21.5, 27), (69, 21.5, 27)),
                   3: ((22, 21.5, 24), (50, 21.5, 24), (78, 21.5, 24))}, manner="and"),
    Ordinary("fess", "a fess", "M0 41H100V72H0z",
             beside={2: ((50, 22.5, 30), (50, 91, 31)), 3: ((27, 22.5, 29), (73, 22.5, 29), (50, 91, 31))},
             upon={1: ((50, 56.5, 27),), 3: ((21, 56.5, 24), (50, 56.5, 24), (79, 56.5, 24))}),
    Ordinary("pale", "a pale", "M34 0H66V120H34z",
             beside={2: ((20, 46, 24), (80, 46, 24)), 4: ((20, 27, 23), (80, 27, 23), (20.5, 62, 23), (79.5, 62, 23))},
             upon={1: ((50, 52, 30),), 3: ((50, 23, 25), (50, 54, 25), (50, 85, 25))}),
    Ordinary("bend", "a bend", "M-2 -2H20L104 98V122H92L-2 22z", beside={2: ((71, 28, 33), (29, 81, 29))},
             upon={1: ((49, 53, 24),), 3: ((22, 22, 19), (49, 53, 19), (74, 83, 19))}),
    Ordinary("bend_sinister", "a bend sinister", "M102 -2H80L-4 98V122H8L102 22z",
             beside={2: ((29, 28, 33), (71, 81, 29))},
             upon={1: ((51, 53, 24),), 3: ((78, 22, 19), (51, 53, 19), (26, 83, 19))}),
    Ordinary("chevron", "a chevron", "M50 38L104 84V108L50 62L-4 108V84z",
             beside={2: ((50, 22, 28), (50, 91, 27)), 3: ((26, 25, 28), (74, 25, 28), (50, 91, 27))}),
    Ordinary("cross", "a cross", "M38 0H62V43H100V67H62V120H38V67H0V43H38z",
             beside={4: ((22, 24, 25), (78, 24, 25), (25, 81, 21), (75, 81, 21))},
             upon={1: ((50, 55, 22),), 5: ((50, 22, 19), (19, 55, 19), (50, 55, 19), (81, 55, 19), (50, 89, 19))}),
    Ordinary("saltire", "a saltire",
             "M-4 -8L12 -8L50 37L88 -8L104 -8L104 12L67 55L104 98V118H88L50 73L12 118H-4V98L33 55L-4 12z",
             beside={4: ((50, 18, 23), (17.5, 54, 20), (82.5, 54, 20), (50, 94, 23))}, upon={1: ((50, 55, 22),)}),
    Ordinary("pall", "a pall", "M-4 -8H14L50 35L86 -8H104V14L62 64V124H38V64L-4 14z",
             beside={3: ((50, 19, 23), (21.5, 68, 23), (78.5, 68, 23))}, upon={1: ((50, 53, 23),)}),
    Ordinary("pile", "a pile", "M12 -4H88L50 100z", beside={2: ((21.5, 66, 23), (78.5, 66, 23))},
             upon={1: ((50, 32, 35),)}),
    Ordinary("bars_wavy", "two bars wavy", _wave(70) + _wave(92),
             beside={1: ((50, 34, 46),), 2: ((29, 35, 34), (71, 35, 34)),
                     3: ((22.5, 35, 25), (50, 35, 25), (77.5, 35, 25))}, manner="in chief"),
    Ordinary("bordure", "a bordure", "M0 0H100V120H0zM17 16V56C17 78 33 94 50 103C67 94 83 78 83 56V16z",
             beside={1: ((50, 53, 47),), 3: ((35, 38, 24), (65, 38, 24), (50, 74, 26))}, manner="and"),
    Ordinary("orle", "an orle",
             "M14 13V56C14 81 32 97 50 106.5C68 97 86 81 86 56V13zM23 22V56C23 75 37 88 50 96C63 88 77 75 77 56V22z",
             beside={1: ((50, 55, 40),), 3: ((37, 40, 20), (63, 40, 20), (50, 69, 22))}, manner="within"),
    Ordinary("flaunches", "two flaunches", "M0 -2C36 18 38 76 2 104zM100 -2C64 18 62 76 98 104z",
             beside={1: ((50, 53, 38),), 3: ((50, 22, 25), (50, 54, 25), (50, 86, 25))}, manner="amid"),
    Ordinary("lozenge", "a lozenge", "M50 12L88 56L50 102L12 56z", upon={1: ((50, 56.5, 40),)}),
    Ordinary("escutcheon", "an inescutcheon", "M25 26H75V56C75 74 62 84 50 91C38 84 25 74 25 56z",
             upon={1: ((50, 55, 37),), 3: ((38, 40, 19), (62, 40, 19), (50, 69, 20))}),
)
# fmt: on
ORDINARY = {row.key: row for row in ORDINARIES}


# ── How a field is parted ────────────────────────────────────────────────────────────────────────────────
# The drawing box is 100 wide and 120 high; a path draws the second tincture's share.


@dataclass(frozen=True, slots=True)
class Division:
    key: str
    words: str  # how a blazon begins: "per pale"
    second: str  # SVG path of what the second tincture covers
    is_varied: bool = False  # many small pieces, too busy to bear a charge of its own


def _stripes(first: float, width: float, box: str) -> str:
    """Second, fourth and sixth of six stripes, each drawn into ``box`` by its two edges."""
    return "".join(box.format(a=round(first + i * width, 2), b=round(first + (i + 1) * width, 2)) for i in (1, 3, 5))


def _bendy() -> str:
    """Stripes along the bend: a step of 100 sideways for 118 down, six of them across what the shield shows."""
    lean = round(120 * 100 / 118, 1)
    return "".join(
        f"M{left} 0H{right}L{right + lean} 120H{left + lean}z" for left, right in ((40, 65), (-10, 15), (-60, -35))
    )


def _chequy() -> str:
    side = 14.67
    return "".join(
        f"M{round(6 + col * side, 2)} {round(5 + row * side, 2)}h{side}v{side}h-{side}z"
        for row in range(8)
        for col in range(6)
        if (row + col) % 2
    )


def _lozengy() -> str:
    wide, high = 11.0, 14.0
    return "".join(
        f"M{round(6 + col * 2 * wide, 2)} {round(5 + row * 2 * high - high, 2)}l{wide} "
        f"{high}l-{wide} {high}l-{wide} -{high}z"
        for row in range(6)
        for col in range(5)
    )


# fmt: off
DIVISIONS = (
    Division("plain", "", ""),
    Division("per_pale", "per pale", "M50 0H100V120H50z"),
    Division("per_fess", "per fess", "M0 57H100V120H0z"),
    Division("per_bend", "per bend", "M0 0L100 118V120H0z"),
    Division("per_bend_sinister", "per bend sinister", "M100 0L0 118V120H100z"),
    Division("per_chevron", "per chevron", "M50 46L106 106V120H-6V106z"),
    Division("per_saltire", "per saltire", "M-4 -6L50 55L-4 116zM104 -6L50 55L104 116z"),
    Division("quarterly", "quarterly", "M50 0H100V56H50zM0 56H50V120H0z"),
    Division("gyronny", "gyronny of eight", "M50 55V-10H-8zM50 55L-8 120V55zM50 55V130L108 120zM50 55L108 -10V55z",
             is_varied=True),
    Division("barry", "barry of six", _stripes(5, 18.5, "M0 {a}H100V{b}H0z"), is_varied=True),
    Division("paly", "paly of six", _stripes(6, 14.67, "M{a} 0V120H{b}V0z"), is_varied=True),
    Division("bendy", "bendy of six", _bendy(), is_varied=True),
    Division("chequy", "chequy", _chequy(), is_varied=True),
    Division("lozengy", "lozengy", _lozengy(), is_varied=True),
)
# fmt: on
DIVISION = {row.key: row for row in DIVISIONS}


# ── Charges, with the words a blazon uses for one and for several ─────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Charge:
    key: str
    symbol: str
    one: str  # with its article
    many: str
    scale: float = 1.0  # slender charges may stand a little taller


# fmt: off
CHARGES = (
    Charge("mouse",      "c-mouse",      "a mouse statant",          "mice statant",            1.08),
    Charge("mouse_head", "c-mouse-head", "a mouse’s head caboshed",  "mice’s heads caboshed"),
    Charge("cat",        "c-cat",        "a cat’s head caboshed",    "cats’ heads caboshed"),
    Charge("tortoise",   "c-tortoise",   "a tortoise",               "tortoises"),
    Charge("tiger",      "c-tiger",      "a tiger’s face",           "tigers’ faces"),
    Charge("ibis",       "c-ibis",       "an ibis",                  "ibises"),
    Charge("lizard",     "c-komodo",     "a lizard",                 "lizards",                 1.12),
    Charge("antelope",   "c-antelope",   "an antelope’s face",       "antelopes’ faces"),
    Charge("mammoth",    "c-mammoth",    "a mammoth",                "mammoths"),
    Charge("hopper",     "c-hoppers",    "a hopper",                 "hoppers",                 1.12),
    Charge("acorn",      "c-acorn",      "an acorn",                 "acorns"),
    Charge("thorn",      "c-thorn",      "a sprig of thorn",         "sprigs of thorn",         1.10),
    Charge("wheat",      "c-wheat",      "an ear of wheat",          "ears of wheat",           1.22),
    Charge("apple",      "c-windfall",   "an apple",                 "apples"),
    Charge("mushroom",   "c-mushroom",   "a mushroom",               "mushrooms"),
    Charge("rose",       "c-rose",       "a rose",                   "roses"),
    Charge("cheese",     "c-cheese",     "a cheese",                 "cheeses"),
    Charge("bell",       "c-bell",       "a bell",                   "bells"),
    Charge("key",        "c-key",        "a key",                    "keys",                    1.22),
    Charge("sword",      "c-sword",      "a sword",                  "swords",                  1.38),
    Charge("crown",      "c-crown",      "a crown",                  "crowns"),
    Charge("castle",     "c-castle",     "a castle",                 "castles"),
    Charge("candle",     "c-candle",     "a candle",                 "candles",                 1.06),
    Charge("book",       "c-book",       "an open book",             "open books"),
    Charge("hand",       "c-hand",       "a hand",                   "hands"),
    Charge("sun",        "c-sun",        "a sun",                    "suns",                    1.06),
    Charge("crescent",   "c-crescent",   "a crescent",               "crescents"),
    Charge("mullet",     "c-mullet",     "a mullet",                 "mullets"),
)
# fmt: on
CHARGE = {row.key: row for row in CHARGES}


# ── The blazon ────────────────────────────────────────────────────────────────────────────────────────


_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def blazon(arms: "Arms") -> str:
    text = _field(arms)
    borne = _borne(arms)
    sentence = f"{text}, {borne}" if borne else text
    return sentence[0].upper() + sentence[1:]


def _field(arms: "Arms") -> str:
    if not arms.field2:
        return arms.field
    return f"{DIVISION[arms.division].words} {arms.field} and {arms.field2}"


def _charges(arms: "Arms") -> str:
    row = CHARGE[arms.charge]
    if arms.charges_count == 1:
        return row.one
    text = f"{_NUMBERS[arms.charges_count]} {row.many}"
    return text + _order(arms)


def _order(arms: "Arms") -> str:
    """How several charges stand, where it is not the order everyone expects."""
    if arms.ordinary == "none":
        if arms.charges_count == 5:
            return " in saltire"
        if arms.charges_count == 2:
            return {
                "per_fess": " in pale",
                "per_chevron": " in pale",
                "per_bend": " in bend sinister",
                "per_bend_sinister": " in bend",
            }.get(arms.division, " in fess")
    elif arms.ordinary == "flaunches" and arms.charges_count == 3:
        return " in pale"
    return ""


def _borne(arms: "Arms") -> str:
    if arms.ordinary == "none":
        return f"{_charges(arms)} {arms.charge_tincture}" if arms.charge != "none" else ""
    row = ORDINARY[arms.ordinary]
    if arms.charge == "none":
        return f"{row.words} {arms.ordinary_tincture}"
    charges = _charges(arms)
    if arms.placing == "upon":
        return f"on {row.words} {arms.ordinary_tincture} {charges} {arms.charge_tincture}"
    same = arms.ordinary_tincture == arms.charge_tincture
    # Two things of one tincture name it once, at the end.
    ordinary = row.words if same else f"{row.words} {arms.ordinary_tincture}"
    if row.manner == "and":
        joint = " and " if same else ", "
        first = charges if same else f"{charges} {arms.charge_tincture}"
        return f"{first}{joint}{row.words} {arms.ordinary_tincture}"
    if row.manner in ("within", "amid"):
        word = "within" if row.manner == "within" else "between"
        first = charges if same else f"{charges} {arms.charge_tincture}"
        return f"{first} {word} {row.words} {arms.ordinary_tincture}"
    if row.manner == "in chief":
        joint = " and in chief " if same else ", in chief "
        return f"{ordinary}{joint}{charges} {arms.charge_tincture}"
    return f"{ordinary} between {charges} {arms.charge_tincture}"
