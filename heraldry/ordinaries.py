"""The ordinaries, broad shapes laid on a field; where charges stand by them; and how a field is parted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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


ORDINARIES = (
    Ordinary("none", "", "", beside=BARE),
    Ordinary(
        "chief",
        "a chief",
        "M0 0H100V38H0z",
        beside={1: ((50, 74, 50),), 2: ((30, 66, 33), (70, 66, 33)), 3: ((29, 57, 28), (71, 57, 28), (50, 90, 28))},
        upon={
            1: ((50, 21.5, 28),),
            2: ((31, 21.5, 27), (69, 21.5, 27)),
            3: ((22, 21.5, 24), (50, 21.5, 24), (78, 21.5, 24)),
        },
        manner="and",
    ),
    Ordinary(
        "fess",
        "a fess",
        "M0 41H100V72H0z",
        beside={2: ((50, 22.5, 30), (50, 91, 31)), 3: ((27, 22.5, 29), (73, 22.5, 29), (50, 91, 31))},
        upon={1: ((50, 56.5, 27),), 3: ((21, 56.5, 24), (50, 56.5, 24), (79, 56.5, 24))},
    ),
    Ordinary(
        "pale",
        "a pale",
        "M34 0H66V120H34z",
        beside={2: ((20, 46, 24), (80, 46, 24)), 4: ((20, 27, 23), (80, 27, 23), (20.5, 62, 23), (79.5, 62, 23))},
        upon={1: ((50, 52, 30),), 3: ((50, 23, 25), (50, 54, 25), (50, 85, 25))},
    ),
    Ordinary(
        "bend",
        "a bend",
        "M-2 -2H20L104 98V122H92L-2 22z",
        beside={2: ((71, 28, 33), (29, 81, 29))},
        upon={1: ((49, 53, 24),), 3: ((22, 22, 19), (49, 53, 19), (74, 83, 19))},
    ),
    Ordinary(
        "bend_sinister",
        "a bend sinister",
        "M102 -2H80L-4 98V122H8L102 22z",
        beside={2: ((29, 28, 33), (71, 81, 29))},
        upon={1: ((51, 53, 24),), 3: ((78, 22, 19), (51, 53, 19), (26, 83, 19))},
    ),
    Ordinary(
        "chevron",
        "a chevron",
        "M50 38L104 84V108L50 62L-4 108V84z",
        beside={2: ((50, 22, 28), (50, 91, 27)), 3: ((26, 25, 28), (74, 25, 28), (50, 91, 27))},
    ),
    Ordinary(
        "cross",
        "a cross",
        "M38 0H62V43H100V67H62V120H38V67H0V43H38z",
        beside={4: ((22, 24, 25), (78, 24, 25), (25, 81, 21), (75, 81, 21))},
        upon={1: ((50, 55, 22),), 5: ((50, 22, 19), (19, 55, 19), (50, 55, 19), (81, 55, 19), (50, 89, 19))},
    ),
    Ordinary(
        "saltire",
        "a saltire",
        "M-4 -8L12 -8L50 37L88 -8L104 -8L104 12L67 55L104 98V118H88L50 73L12 118H-4V98L33 55L-4 12z",
        beside={4: ((50, 18, 23), (17.5, 54, 20), (82.5, 54, 20), (50, 94, 23))},
        upon={1: ((50, 55, 22),)},
    ),
    Ordinary(
        "pall",
        "a pall",
        "M-4 -8H14L50 35L86 -8H104V14L62 64V124H38V64L-4 14z",
        beside={3: ((50, 19, 23), (21.5, 68, 23), (78.5, 68, 23))},
        upon={1: ((50, 53, 23),)},
    ),
    Ordinary(
        "pile",
        "a pile",
        "M12 -4H88L50 100z",
        beside={2: ((21.5, 66, 23), (78.5, 66, 23))},
        upon={1: ((50, 32, 35),)},
    ),
    Ordinary(
        "bars_wavy",
        "two bars wavy",
        _wave(70) + _wave(92),
        beside={1: ((50, 34, 46),), 2: ((29, 35, 34), (71, 35, 34)), 3: ((22.5, 35, 25), (50, 35, 25), (77.5, 35, 25))},
        manner="in chief",
    ),
    Ordinary(
        "bordure",
        "a bordure",
        "M0 0H100V120H0zM17 16V56C17 78 33 94 50 103C67 94 83 78 83 56V16z",
        beside={1: ((50, 53, 47),), 3: ((35, 38, 24), (65, 38, 24), (50, 74, 26))},
        manner="and",
    ),
    Ordinary(
        "orle",
        "an orle",
        "M14 13V56C14 81 32 97 50 106.5C68 97 86 81 86 56V13zM23 22V56C23 75 37 88 50 96C63 88 77 75 77 56V22z",
        beside={1: ((50, 55, 40),), 3: ((37, 40, 20), (63, 40, 20), (50, 69, 22))},
        manner="within",
    ),
    Ordinary(
        "flaunches",
        "two flaunches",
        "M0 -2C36 18 38 76 2 104zM100 -2C64 18 62 76 98 104z",
        beside={1: ((50, 53, 38),), 3: ((50, 22, 25), (50, 54, 25), (50, 86, 25))},
        manner="amid",
    ),
    Ordinary("lozenge", "a lozenge", "M50 12L88 56L50 102L12 56z", upon={1: ((50, 56.5, 40),)}),
    Ordinary(
        "escutcheon",
        "an inescutcheon",
        "M25 26H75V56C75 74 62 84 50 91C38 84 25 74 25 56z",
        upon={1: ((50, 55, 37),), 3: ((38, 40, 19), (62, 40, 19), (50, 69, 20))},
    ),
)
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


DIVISIONS = (
    Division("plain", "", ""),
    Division("per_pale", "per pale", "M50 0H100V120H50z"),
    Division("per_fess", "per fess", "M0 57H100V120H0z"),
    Division("per_bend", "per bend", "M0 0L100 118V120H0z"),
    Division("per_bend_sinister", "per bend sinister", "M100 0L0 118V120H100z"),
    Division("per_chevron", "per chevron", "M50 46L106 106V120H-6V106z"),
    Division("per_saltire", "per saltire", "M-4 -6L50 55L-4 116zM104 -6L50 55L104 116z"),
    Division("quarterly", "quarterly", "M50 0H100V56H50zM0 56H50V120H0z"),
    Division(
        "gyronny",
        "gyronny of eight",
        "M50 55V-10H-8zM50 55L-8 120V55zM50 55V130L108 120zM50 55L108 -10V55z",
        is_varied=True,
    ),
    Division("barry", "barry of six", _stripes(5, 18.5, "M0 {a}H100V{b}H0z"), is_varied=True),
    Division("paly", "paly of six", _stripes(6, 14.67, "M{a} 0V120H{b}V0z"), is_varied=True),
    Division("bendy", "bendy of six", _bendy(), is_varied=True),
    Division("chequy", "chequy", _chequy(), is_varied=True),
    Division("lozengy", "lozengy", _lozengy(), is_varied=True),
)
DIVISION = {row.key: row for row in DIVISIONS}
