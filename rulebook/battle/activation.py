"""The round: whose turn it is, which units can act, and what they can do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_d10, check_one_of
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.dice_pools import shooting_pools
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.text_rule import Rule
from text import join_list


@dataclass(frozen=True, slots=True)
class FirstSide:
    """Who activates first, or who has to roll (again)."""

    side: str | None
    roll_again: tuple[str, ...]
    reason: str
    rules: tuple[str, ...]


def decide_initiative(rolls: Mapping[str, int]) -> FirstSide:
    """One d10 each: the highest begins, and the highest among equals roll again."""
    if len(rolls) < 2:
        raise Refusal(f"Initiative needs one die for each side, not {len(rolls)}.", field="initiative roll")
    best = max(check_d10(roll, "initiative roll") for roll in rolls.values())
    leaders = tuple(side for side, roll in rolls.items() if roll == best)
    if len(leaders) > 1:
        return FirstSide(None, leaders, f"{join_list(leaders)} tie on {best} and roll again.", ("ROUND-01", "R-68"))
    return FirstSide(leaders[0], (), f"{leaders[0]} has the highest roll, {best}.", ("ROUND-01",))


def decide_first_side(
    number: int,
    sides: Sequence[str],
    winner: str,
    options: Options = BY_THE_BOOK,
    rolls: Mapping[str, int] | None = None,
) -> FirstSide:
    """Who begins a later round. ``sides`` in the order of the table, ``winner`` of the first roll (R-48)."""
    check_count(number, "round", least=1)
    check_one_of(winner, sides, "winner of the initiative")
    if options.initiative == "each_round" and number > 1:
        if rolls is None:
            return FirstSide(None, tuple(sides), "House rule: roll initiative every round.", ("R-48",))
        return decide_initiative(rolls)
    if options.initiative == "alternate":
        at = (list(sides).index(winner) + number - 1) % len(sides)
        return FirstSide(sides[at], (), "House rule: the sides take turns to start.", ("R-48",))
    return FirstSide(winner, (), "Initiative is rolled once; the same side starts every round.", ("R-48",))


def next_side(sides: Sequence[str], last: str | None, waiting: Mapping[str, int]) -> str | None:
    """Who activates next: turn about, and whoever has units left when the others have none (ROUND-02, ROUND-03).

    ``sides`` with the one that begins first, ``last`` the side that has just acted, ``waiting`` the units of each
    that have not acted yet. None when the round is over.
    """
    for side in sides:
        check_count(waiting.get(side), f"number of units of {side} still to act")
    start = 0 if last is None else list(sides).index(check_one_of(last, sides, "side")) + 1
    for step in range(len(sides)):
        side = sides[(start + step) % len(sides)]
        if waiting[side]:
            return side
    return None


def can_activate(*, activated: bool) -> Answer:
    """Each unit acts once a round."""
    if activated:
        return no("The unit is already marked as activated this round.", "ROUND-04")
    return yes("The unit has not acted this round.", "ROUND-04")


# fmt: off
ACTIVATION_CHOICES: tuple[Rule, ...] = (
    Rule("nothing",         "Nothing", "The unit does nothing.", ("ROUND-05",)),
    Rule("move",            "Move", "The unit moves.", ("ROUND-05",)),
    Rule("attack",          "Attack", "The unit shoots, or attacks an enemy in contact.", ("ROUND-05",)),
    Rule("move_and_shoot",  "Move, then shoot", "The unit moves and shoots without aiming.", ("ROUND-05", "R-28")),
    Rule("charge",          "Charge", "The unit moves into contact and attacks.", ("ROUND-05", "MOVE-05")),
    Rule("rally",           "Rally", "The fleeing unit tests morale, and runs on if it fails.", ("FLEE-02",)),
)
# fmt: on
def activation_choices(
    unit: UnitInPlay, *, engaged: bool = False, immobile: bool = False, options: Options = BY_THE_BOOK
) -> dict[str, Answer]:
    """What a unit may do with its activation, each with the reason. ``immobile``: a garrison Ballista on its tower."""
    name = unit.unit.name
    if unit.fleeing:
        only = no("The unit is fleeing and can only try to rally.", "FLEE-02")
        return {choice.key: only for choice in ACTIVATION_CHOICES} | {
            "rally": yes("It tests when activated.", "FLEE-02")
        }
    shoots = bool(shooting_pools(unit, options))
    answers = {"nothing": yes("A unit can always do nothing.", "ROUND-05")}
    if engaged:
        stuck = no("The unit is in melee and can only attack.", "ROUND-06")
        answers |= dict.fromkeys(("move", "move_and_shoot", "charge"), stuck)
        answers["attack"] = yes("It attacks the enemy in contact.", "ROUND-06", "MELEE-04")
    else:
        rooted = no(f"The garrison {name} cannot leave its tower.", "SIEGE-13")
        free = yes("It is free to move.", "ROUND-05")
        answers["move"] = answers["charge"] = rooted if immobile else free
        if not shoots:
            answers["attack"] = no(f"{name}: no enemy in contact and no shooting attack.", "SHOOT-01", "MELEE-01")
            answers["move_and_shoot"] = no(f"{name}: no shooting attack.", "SHOOT-01")
        else:
            answers["attack"] = yes("It can shoot.", "SHOOT-01")
            answers["move_and_shoot"] = (
                rooted if immobile else yes("It can shoot after moving, without aiming.", "R-28")
            )
            if unit.unit.war_machine and not immobile:
                answers["move_and_shoot"] = no("A war machine moves or shoots, never both.", "UNIT-25", "ROUND-07")
    answers["rally"] = no("The unit is not fleeing.", "FLEE-01")
    return {choice.key: answers[choice.key] for choice in ACTIVATION_CHOICES}


def can_use_power(*, has_acted: bool) -> Answer:
    """A hero's power comes before anything else the unit does."""
    if has_acted:
        return no("The unit has already moved or attacked. A hero's power comes first.", "HERO-06")
    return yes("The activation starts with the hero's power.", "HERO-06")
