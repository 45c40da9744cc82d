"""Who throws which dice: models, kissed models, King, Champion, Barbarian, Ranger, machine."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.battle import modifiers
from rulebook.battle.advantages import Tally
from rulebook.battle.situations import Melee, Shooting
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.heroes import HERO
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.units import shooting_quality

# A thrower is a hero's key or one of these; the names are for pages.
THROWER_NAMES: dict[str, str] = {
    "unit": "Models",
    "kissed": "Kissed by the Princess",
    "king": "King",
    "machine": "War machine",
    **{key: hero.name for key, hero in HERO.items()},
}


@dataclass(frozen=True, slots=True)
class DicePool:
    """Dice that belong together before anything is added: whose, how many, at which quality."""

    whose: str
    dice: int
    quality: int
    rerolls: bool = False  # a miss is thrown once more and the second die stands


@dataclass(frozen=True, slots=True)
class AttackDice:
    """A group of dice in a situation, with what is added to it."""

    whose: str
    dice: int
    tally: Tally
    rerolls: bool = False


def melee_pools(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> tuple[DicePool, ...]:
    """The melee dice of a unit as it is now: 1 for each model, more where the book says so."""
    row = unit.unit
    hero = unit.living_hero
    own_hand = hero in ("champion", "barbarian")
    hands = _plain_pools(unit, row.melee_dice, row.q, with_hero=hero is not None and not own_hand)
    if hero == "champion":
        hands.append(DicePool("champion", row.melee_dice, modifiers.CHAMPION_QUALITY))
    elif hero == "barbarian":
        hands.append(DicePool("barbarian", barbarian_dice(row.melee_dice, options), row.q))
    if row.key == "king":
        hands.append(DicePool("king", row.melee_dice, row.q, rerolls=True))
    return tuple(hands)


def shooting_pools(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> tuple[DicePool, ...]:
    """The shooting dice of a unit as it is now; none if it cannot shoot."""
    row = unit.unit
    hero = unit.living_hero
    if row.shooting_dice is None:
        return (DicePool("ranger", 1, modifiers.RANGER_QUALITY),) if hero == "ranger" else ()
    quality = shooting_quality(row)
    if row.war_machine:
        # The machine shoots, not a model, so no kiss helps it.
        return (DicePool("machine", row.shooting_dice, quality),) if unit.models >= row.crew_to_shoot else ()
    doubled = hero == "barbarian" and options.barbarian != "melee_only"
    own_hand = hero == "ranger" or doubled
    hands = _plain_pools(unit, row.shooting_dice, quality, with_hero=hero is not None and not own_hand)
    if hero == "ranger":
        hands.append(DicePool("ranger", 1, modifiers.RANGER_QUALITY))
    elif doubled:
        hands.append(DicePool("barbarian", barbarian_dice(row.shooting_dice, options), quality))
    return tuple(hands)


def barbarian_dice(normal: int, options: Options = BY_THE_BOOK) -> int:
    """How many dice he throws where his model would throw ``normal`` (R-33)."""
    return normal * 2 if options.barbarian == "double" else normal + 1


def _plain_pools(unit: UnitInPlay, dice_each: int, quality: int, *, with_hero: bool) -> list[DicePool]:
    plain = unit.kissable - unit.kissed + with_hero
    hands = []
    if plain:
        hands.append(DicePool("unit", plain * dice_each, quality))
    if unit.kissed:
        hands.append(DicePool("kissed", unit.kissed * dice_each, quality, rerolls=True))
    return hands


def melee_attack_dice(situation: Melee, options: Options = BY_THE_BOOK) -> tuple[AttackDice, ...]:
    base = modifiers.melee_tally(situation, options)
    throws = []
    for hand in melee_pools(situation.attacker, options):
        tally = modifiers.melee_tally(situation, options, champion=True) if hand.whose == "champion" else base
        throws.append(AttackDice(hand.whose, hand.dice, tally, hand.rerolls))
    return tuple(throws)


def shooting_attack_dice(situation: Shooting, options: Options = BY_THE_BOOK) -> tuple[AttackDice, ...]:
    base = modifiers.shooting_tally(situation, options)
    throws = []
    for hand in shooting_pools(situation.attacker, options):
        tally = modifiers.shooting_tally(situation, options, quality=hand.quality) if hand.whose == "ranger" else base
        throws.append(AttackDice(hand.whose, hand.dice, tally, hand.rerolls))
    return tuple(throws)
