"""Realms to draw in tests: a war in full swing for any number of kingdoms."""

from __future__ import annotations

from collections.abc import Sequence

from campaign.chronicle.state import House, Kingdom, OpenBattle, State
from campaign.map.geometry import Point
from chance import Dice
from heraldry import Arms

NAMES = (
    "Oakhold",
    "Fenwick",
    "Thistledown",
    "Mole End",
    "Silverthaw",
    "Vane",
    "Brackenbury",
    "Tallow",
    "Hazelmere",
    "Nettlecombe",
    "Dormouse Dell",
    "Larkrise",
)
LANDS = (
    "The Oakwold",
    "The Levels",
    "Teasel Down",
    "The Diggings",
    "Bellfields",
    "Redgrain",
    "The Bracken",
    "The Dairies",
    "Nutwood",
    "Stinging Acre",
    "Sleepy Hollow",
    "The Larches",
)
BORDERS = (
    ("Bramble Edge", "Acornfall"),
    ("Reedmarch", "Osier Bank"),
    ("Clover Ley", "Burdock"),
    ("Molehill", "Low Tunnel"),
    ("Mistwater", "Thornholt"),
    ("Poppy Reach", "The Stubbles"),
    ("Fernside", "Foxglove"),
    ("Candlefen", "Wickmoor"),
    ("Catkin Brook", "Coppice Row"),
    ("Dock Leaf", "Burr Hill"),
    ("Winter Nest", "Long Nap"),
    ("Skylark Rise", "Dewfield"),
)
ARMS = {
    "Oakhold": Arms(
        "gules", ordinary="chevron", ordinary_tincture="or", charge="acorn", charge_tincture="or", charges_count=3
    ),
    "Fenwick": Arms(
        "azure",
        ordinary="bars_wavy",
        ordinary_tincture="argent",
        charge="mouse",
        charge_tincture="argent",
        charges_count=1,
    ),
    "Thistledown": Arms("vert", "per_bend", "or", charge="thorn", charge_tincture="counterchanged", charges_count=2),
    "Mole End": Arms("purpure", "quarterly", "argent", charge="key", charge_tincture="counterchanged", charges_count=4),
}


def a_kingdom(at: int) -> Kingdom:
    lap, row = divmod(at, len(NAMES))
    name = NAMES[row] + (f" {lap + 1}" if lap else "")
    arms = ARMS.get(name) or Arms.from_seed(f"Kingdom of {name}")
    places = {"castle": f"{name} Castle", "lands": LANDS[row], "border_1": BORDERS[row][0], "border_2": BORDERS[row][1]}
    houses = [House(f"House {number}", Arms.from_seed(f"{name} {number}").to_dict()) for number in range(1, 5)]
    return Kingdom(
        f"k{at + 1}", name, arms.to_dict(), houses, places, ruler=at + 1, loyalty=(at * 5) % 7 - 3, vp=at % 9
    )


def a_realm(count: int, *, at_war: bool = True) -> State:
    """So many kingdoms. At war: borderlands have changed hands, the second one's lands are open, a battle is on."""
    state = State(name="The War of the Four Hedges", season=1, season_name="Spring", season_open=True)
    for at in range(count):
        kingdom = a_kingdom(at)
        state.kingdoms[kingdom.id] = kingdom
        for place in kingdom.places:
            state.holders[f"{kingdom.id}.{place}"] = kingdom.id
    state.kingdom_count = count
    if not at_war or count < 2:
        return state
    dice = Dice(f"war of {count}")
    others = list(state.kingdoms)
    for key in others[3:]:
        if dice.below(3) == 0:
            state.holders[f"{key}.border_{dice.below(2) + 1}"] = dice.choice([k for k in others if k != key])
    state.holders["k2.border_1"] = "k1"
    state.holders["k2.border_2"] = "k3" if count > 2 else "k1"
    if count > 4:
        state.holders.update({"k5.border_1": "k4", "k5.border_2": "k4", "k5.lands": "k4"})
    if count > 3:
        state.battle_count = 12
        state.battles[12] = OpenBattle(12, "k3", "k4", "k4.border_2", line=40)
    return state


def signed_area(outline: Sequence[Point]) -> float:
    """The area of an outline; negative where it runs against the clock."""
    total = 0.0
    bx, by = outline[-1]
    for ax, ay in outline:
        total += bx * ay - ax * by
        bx, by = ax, ay
    return total / 2
