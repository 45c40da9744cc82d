"""How a field is parted. The drawing box is 100 wide and 120 high; a path draws the second tincture's share."""

from __future__ import annotations

from dataclasses import dataclass


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
