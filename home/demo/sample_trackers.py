"""Sample battles in the tracker: one in its second round, a siege with a breach, a solo battle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.tracker import services as tracker_services
from battles.tracker import starting_armies
from battles.tracker.core.steps import codec
from battles.tracker.core.steps.set_up import SetUpArmies
from people.requester import Who
from rulebook.muster.army import KING_SLOT, Army, MusteredUnit, Slot


def _army(*units: tuple[str, str | None, str | None], train: int = 0, siege: Any = None) -> Army:
    """The King's unit, then a unit of each house, then the siege train."""
    marching = [MusteredUnit(KING_SLOT, "king")]
    marching += [MusteredUnit(Slot("house", n), unit, hero, weapon) for n, (unit, hero, weapon) in enumerate(units, 1)]
    marching += [MusteredUnit(Slot("train", n), "cat_non") for n in range(1, train + 1)]
    return Army(tuple(marching), siege=siege)


OAK = (
    ("mice_at_arms", "assassin", None),
    ("rat_riders", None, "spears"),
    ("bow_mice", "ranger", None),
    ("field_mice", None, None),
)
THISTLE = (
    ("battle_cat", None, "spear_and_shield"),
    ("bow_mice", "wizard", None),
    ("ballista", None, None),
    ("hoppers", None, None),
)
Step = tuple[str, dict[str, object]]

PITCHED: tuple[Step, ...] = (
    ("begin", {"rolls": {"A": 8, "B": 3}}),
    ("did", {"unit": "A2", "did": "move"}),
    ("fight", {"unit": "B3", "target": "A5", "how": "shoot", "ticks": {}}),
    ("dice", {"fight": "B3", "faces": [9, 7, 2, 8], "at": 0}),
    ("dice", {"fight": "B3", "faces": [3, 10, 1], "at": 4}),
    ("dice", {"fight": "B3", "faces": [7], "at": 7}),
    ("fight", {"unit": "A4", "target": "B5", "how": "shoot", "ticks": {}}),
    ("dice", {"fight": "A4", "faces": [10, 6, 9, 4], "at": 0}),
    ("dice", {"fight": "A4", "faces": [2, 4, 1, 3], "at": 4}),
    ("settled", {"fight": "A4"}),
    ("round_over", {"of": 1}),
    ("did", {"unit": "A1", "did": "move"}),
    ("did", {"unit": "B1", "did": "move"}),
    ("fight", {"unit": "A3", "target": "B3", "how": "charge", "ticks": {"target_at": "barrier"}}),
)
SIEGE: tuple[Step, ...] = (
    ("stands_at", {"unit": "B1", "to": {"castle": "tower_sw"}}),
    ("stands_at", {"unit": "B2", "to": {"castle": "battlement_n"}}),
    ("stands_at", {"unit": "B3", "to": {"castle": "gatehouse"}}),
    ("stands_at", {"unit": "B4", "to": {"castle": "battlement_e"}}),
    ("begin", {"rolls": {"A": 9, "B": 4}}),
    ("fight", {"unit": "A4", "how": "bombard", "piece": "tower_se", "ticks": {}}),
    ("dice", {"fight": "A4", "faces": [8, 9], "at": 0}),
    ("dice", {"fight": "A4", "faces": [3, 2], "at": 2}),
    ("did", {"unit": "B1", "did": "nothing"}),
    ("fight", {"unit": "A5", "how": "bombard", "piece": "tower_ne", "ticks": {}}),
    ("dice", {"fight": "A5", "faces": [7, 2], "at": 0}),
    ("dice", {"fight": "A5", "faces": [4], "at": 2}),
    ("stands_at", {"unit": "A2", "to": {"castle": "battlement_w"}}),
)
ALONE: tuple[Step, ...] = (
    ("begin", {"rolls": {"A": 2, "B": 7}}),
    ("solo", {"roll": 2, "seen": {"B3": {"enemy": "A2", "inches": 7, "sees": True, "reach": True}}}),
)


def add_trackers(people: dict[str, Who]) -> None:
    wren = people["Wren"]
    names, armies = ("Oakhold", "Thistledown"), (_army(*OAK), _army(*THISTLE))
    _play(wren, "demo-table-pitched", "pitched_battle", names, armies, PITCHED)
    besiegers = _army(OAK[0], OAK[1], train=2, siege="attacker")
    besieged = _army(("bow_mice", None, None), ("hoppers", None, None), ("field_mice", None, None), siege="defender")
    castle = {"vats": ("battlement_n", "gatehouse"), "towers": ("tower_nw", "tower_ne")}
    _play(wren, "demo-table-siege", "siege", ("Fenwick", "Mole End"), (besiegers, besieged), SIEGE, **castle)
    _play(wren, "demo-table-alone", "surrounded", names, armies, ALONE, solo="B")


def _play(
    who: Who, key: str, scenario: str, names: Sequence[str], armies: Sequence[Army], steps: Sequence[Step], **more: Any
) -> None:
    battle = new_battle_services.create_standalone_battle(who, key=key, names=names, scenario=scenario, armies=armies)
    if battle.stage not in (Battle.Stage.DECLARED, Battle.Stage.MUSTERED):
        return
    found = tracker_services.visible_battles(who).get(pk=battle.pk)
    sides = tuple(row.starting(()) for row in starting_armies.starting_sides(found))
    first = SetUpArmies(sides, **more)
    for number, step in enumerate((first, *(codec.read_sent(kind, body) for kind, body in steps))):
        tracker_services.take_step(found, who, step, key=f"{key}-{number:02}")


def remove_trackers(ids: Sequence[int]) -> None:
    Battle.objects.filter(made_by__in=ids, founding_key__contains="/demo-table-").delete()
