"""The ten heroes and the Wizard's spells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulebook.rolls import d10, known
from rulebook.rows import Rule

HERO_REACH = 8
MUSICIAN_FROM = 9
PHANTASM_FROM = 6


@dataclass(frozen=True, slots=True)
class Hero:
    roll: int
    key: str
    name: str
    takes_leaders_place: bool
    wounds: int  # 0 for the Ladybug, which cannot be attacked
    timing: Literal["always", "once a round", "each attack", "as the attack"]
    reach: int | None  # inches, where the power reaches beyond the unit
    text: str
    rules: tuple[str, ...]


# fmt: off
HEROES: tuple[Hero, ...] = (
    Hero(1,  "ladybug",         "Ladybug",         False, 0, "always",        8,
         "The army's mascot, attached to the unit beside its leader. It neither attacks nor can be attacked, and every roll of its unit has an [A]. "
         'When its unit is removed it flies to a friendly unit within 8", and is lost if there is none.',
         ("HERO-07", "R-41")),
    Hero(2,  "champion",        "Champion",        True,  1, "always",        None,
         "His own melee dice count +3 as their quality. When the unit charges it has one more [A].",
         ("HERO-08", "R-31", "R-32")),
    Hero(3,  "cleric",          "Cleric",          True,  1, "once a round",  8,
         'At his activation he blesses one unit within 8", his own if he likes. Until the round ends each failed save or morale roll of that unit gets a d10, and a 10 turns it into a success.',
         ("HERO-09", "R-36")),
    Hero(4,  "ranger",          "Ranger",          True,  1, "as the attack", None,
         "One shooting die at +3 under the usual rules for shooting. The shot is the unit's attack.",
         ("HERO-10", "R-31", "R-40")),
    Hero(5,  "princess",        "Princess",        True,  1, "once a round",  8,
         'At her activation she blows a kiss to one friendly model within 8", neither King nor hero. Until the round ends that model re-rolls its misses.',
         ("HERO-11", "R-35")),
    Hero(6,  "standard_bearer", "Standard Bearer", True,  1, "always",        8,
         'Friendly units within 8", his own among them, have +1 on morale as long as his unit is not fleeing. A muster d10 of 9 or more makes him a Musician instead.',
         ("HERO-12", "R-37")),
    Hero(7,  "barbarian",       "Barbarian",       True,  1, "each attack",   None,
         "He attacks twice: one die more than his model would throw.",
         ("HERO-14", "R-33")),
    Hero(8,  "assassin",        "Assassin",        True,  1, "each attack",   None,
         "When his unit removes a model and the enemy still has one left, he throws one more die at once, before morale is tested.",
         ("HERO-15", "R-34")),
    Hero(9,  "snake_slayer",    "Snake-Slayer",    True,  2, "always",        None,
         "Bravest of all, with a snake to prove it. The Snake-Slayer takes 2 wounds.",
         ("HERO-16",)),
    Hero(10, "wizard",          "Wizard",          True,  1, "once a round",  None,
         "At his activation he picks one unit in sight and rolls a d10 for the spell. The unit may still move and attack.",
         ("HERO-17", "HERO-18", "HERO-19", "R-38", "R-39")),
)
# fmt: on

# The other form of a 6, found by a further die; it counts as the same result when heroes repeat.
MUSICIAN = Hero(
    6,
    "musician",
    "Musician",
    True,
    1,
    "always",
    8,
    "Gives the bearer's +1 on morale to friendly units within 8\", and his own unit passes every morale test.",
    ("HERO-13", "R-09"),
)

HERO: dict[str, Hero] = {hero.key: hero for hero in (*HEROES, MUSICIAN)}


@dataclass(frozen=True, slots=True)
class Spell:
    low: int
    high: int
    key: str
    name: str
    dice: int
    sq: int | None
    needs: int | None  # the second die that the spell takes to work
    text: str
    rules: tuple[str, ...]


# fmt: off
SPELLS: tuple[Spell, ...] = (
    Spell(1, 5,  "magic_missile", "Magic Missile", 1, 1,    None, "One free shooting die at +1, without any [A] or [D]. Saves and morale follow as ever.", ("HERO-18",)),
    Spell(6, 8,  "phantasm",      "Phantasm",      0, None, 6,    "A second d10: on 6 or more the target fights shadows and loses its activation this round.", ("HERO-19", "R-39")),
    Spell(9, 10, "fireball",      "Fireball",      2, 1,    None, "Two free shooting dice at +1, without any [A] or [D]. Saves and morale follow as ever.", ("HERO-18",)),
)
# fmt: on

SPELL: dict[str, Spell] = {spell.key: spell for spell in SPELLS}

HERO_RULES: tuple[Rule, ...] = (
    Rule(
        "chance",
        "Is there a hero",
        "A unit that may hold a hero rolls its chance. Mice-at-Arms need no roll.",
        ("HERO-01",),
    ),
    Rule(
        "place",
        "The hero's place",
        "The hero becomes the unit's leader, with the unit's figures wherever nothing else is said. "
        "In the King's unit the hero replaces a guard and the King stays leader.",
        ("HERO-02", "HERO-05"),
    ),
    Rule("identity", "Which hero", "A d10 on the hero table tells who has come.", ("HERO-03", "R-08")),
    Rule(
        "repeat",
        "The same hero twice",
        "A hero the army already has may be kept or rolled again; the King's own hero counts in the comparison, "
        "and Standard Bearer and Musician are one.",
        ("HERO-04", "R-09", "R-10"),
    ),
    Rule("first", "Powers first", "A hero's special act comes before anything else its unit does.", ("HERO-06",)),
)


def hero_of(key: object) -> Hero:
    return known(key, HERO, "hero")


def hero_rolled(roll: int) -> Hero:
    """The hero table. A natural 1 or 10 is a row like any other (R-04)."""
    return HEROES[d10(roll, "hero roll") - 1]


def bearer_rolled(roll: int) -> Hero:
    """Which form the sixth hero takes."""
    return MUSICIAN if d10(roll, "musician roll") >= MUSICIAN_FROM else HERO["standard_bearer"]


def spell_rolled(roll: int) -> Spell:
    d10(roll, "spell roll")
    return next(spell for spell in SPELLS if spell.low <= roll <= spell.high)


def same_hero(one: str, other: str) -> bool:
    """Whether two heroes are the same result of the table."""
    return hero_of(one).roll == hero_of(other).roll
