"""What the result form asks in a scenario: how it can end, and its goals."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.battle.attacking_buildings import VILLAGE
from rulebook.campaign.battle_scoring import CROSSINGS, MOUNDS
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenarios import SideKey, opposite_side, scenario_of

ROUNDS_OFFERED = 6
MAX_ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Ending:
    """One way a battle can end. ``winner`` is the winning side, "" if the count decides, None for a draw."""

    key: str
    winner: SideKey | str | None
    text: str  # with {a} and {b} for the names of the sides

    def text_for(self, a: str, b: str) -> str:
        return self.text.format(a=a, b=b)


@dataclass(frozen=True, slots=True)
class Questions:
    endings: tuple[Ending, ...]
    escapes: bool = False
    crossings: int = 0
    mounds: int = 0
    buildings: int = 0

    def ending(self, key: str) -> Ending | None:
        return next((one for one in self.endings if one.key == key), None)


def _defeat_endings(loser: SideKey, options: Options) -> tuple[Ending, ...]:
    winner = opposite_side(loser)
    name = "{a}" if loser == "A" else "{b}"
    rows = [
        Ending(f"yielded-{loser}", winner, f"{name} yielded"),
        Ending(f"destroyed-{loser}", winner, f"{name} has no units left"),
    ]
    if options.rout_ends_battle:
        rows.append(Ending(f"routed-{loser}", winner, f"{name}: all remaining units flee"))
    return tuple(rows)


DRAW = Ending("draw", None, "Draw, left undecided")

_GOAL_ENDINGS: dict[str, tuple[Ending, ...]] = {
    "last_stand": (Ending("held_out", "A", "{a} held out for 6 rounds"),),
    "secure_the_crossing": (Ending("counted", "", "6 rounds played: the crossings decide"),),
    "break_free": (Ending("over", "", "No unit of {a} is left on the table"),),
    "take_the_fortress": (
        Ending("fortress-A", "A", "{a} holds the fortress, 3 units removed"),
        Ending("fortress-B", "B", "{b} holds the fortress, 3 units removed"),
    ),
    "chevauchee": (Ending("ablaze", "A", "All 4 buildings are ablaze"),),
}


# Where a rout ends a battle, "all remaining units flee" says the same.
NOT_HELD = Ending("not_held", "B", "No unit of {a} is left after 6 rounds")


def questions_for(scenario: str, options: Options = BY_THE_BOOK) -> Questions:
    key = scenario_of(scenario).key
    goals = _GOAL_ENDINGS.get(key, ())
    if key == "siege" and options.siege_win == "sole_occupant":
        goals = (Ending("castle", "A", "Only {a} is in the castle"),)
    if key == "last_stand" and not options.rout_ends_battle:
        goals = (*goals, NOT_HELD)
    arms = (*_defeat_endings("B", options), *_defeat_endings("A", options))
    if key == "break_free":
        # Here side A leaves the table by escaping or being removed, and fleeing units run to the far edge.
        arms = tuple(one for one in arms if one.key not in ("destroyed-A", "routed-A"))
    return Questions(
        endings=(*goals, *arms, DRAW),
        escapes=key == "break_free",
        crossings=CROSSINGS if key == "secure_the_crossing" else 0,
        mounds=MOUNDS if key == "hold_the_hills" else 0,
        buildings=VILLAGE if key == "chevauchee" else 0,
    )
