"""What the result form asks: the ways this scenario can end, and the goals it has. Nothing else is shown."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.options import BY_THE_BOOK, Options
from rulebook.scenarios import SideKey, scenario_of
from rulebook.scoring import BUILDINGS, CROSSINGS, MOUNDS

ROUNDS_OFFERED = 6
ROUNDS_MOST = 30


@dataclass(frozen=True, slots=True)
class Ending:
    """One way it can end. ``winner`` is the side it makes win, "" where the count decides, None for a draw."""

    key: str
    winner: SideKey | str | None
    text: str  # with {a} and {b} for the names of the sides

    def said(self, a: str, b: str) -> str:
        return self.text.format(a=a, b=b)


@dataclass(frozen=True, slots=True)
class Asks:
    endings: tuple[Ending, ...]
    escapes: bool = False
    crossings: int = 0
    mounds: int = 0
    buildings: int = 0

    def ending(self, key: str) -> Ending | None:
        return next((one for one in self.endings if one.key == key), None)


def _arms(loser: SideKey, options: Options) -> tuple[Ending, ...]:
    winner = "B" if loser == "A" else "A"
    name = "{a}" if loser == "A" else "{b}"
    rows = [
        Ending(f"yielded-{loser}", winner, f"{name} yielded"),
        Ending(f"destroyed-{loser}", winner, f"{name}: no unit left"),
    ]
    if options.rout_ends_battle:
        rows.append(Ending(f"routed-{loser}", winner, f"{name}: all that is left flees"))
    return tuple(rows)


DRAW = Ending("draw", None, "Left undecided")

_GOALS: dict[str, tuple[Ending, ...]] = {
    "last_stand": (Ending("held_out", "A", "{a} held out for 6 rounds"),),
    "secure_the_crossing": (Ending("counted", "", "6 rounds played: the crossings decide"),),
    "break_free": (Ending("over", "", "Nobody of {a} is left on the table"),),
    "take_the_fortress": (
        Ending("fortress-A", "A", "{a} holds the fortress, 3 units removed"),
        Ending("fortress-B", "B", "{b} holds the fortress, 3 units removed"),
    ),
    "chevauchee": (Ending("ablaze", "A", "All 4 buildings are ablaze"),),
}


def asks(scenario: str, options: Options = BY_THE_BOOK) -> Asks:
    key = scenario_of(scenario).key
    goals = _GOALS.get(key, ())
    if key == "siege" and options.siege_win == "sole_occupant":
        goals = (Ending("castle", "A", "Only {a} stands in the castle"),)
    arms = (*_arms("B", options), *_arms("A", options))
    if key == "break_free":
        # Side A gone from the table, escaped or removed, is one way; whoever flees there runs to the far edge.
        arms = tuple(one for one in arms if one.key not in ("destroyed-A", "routed-A"))
    return Asks(
        endings=(*goals, *arms, DRAW),
        escapes=key == "break_free",
        crossings=CROSSINGS if key == "secure_the_crossing" else 0,
        mounds=MOUNDS if key == "hold_the_hills" else 0,
        buildings=BUILDINGS if key == "chevauchee" else 0,
    )
