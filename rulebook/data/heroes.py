"""The ten heroes and the Wizard's spells."""

from dataclasses import dataclass
from typing import Literal

from rulebook.data.rule_texts import Rule
from rulebook.input_checks import check_d10, look_up

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

    @property
    def when(self) -> str:
        """The timing as players read it."""
        return TIMING_WORDS[self.timing]


TIMING_WORDS = {
    "always": "passive",
    "once a round": "once a round",
    "each attack": "each attack",
    "as the attack": "as the unit's attack",
}

# fmt: off
HEROES: tuple[Hero, ...] = (
    Hero(1,  "ladybug",         "Ladybug",         False, 0, "always",        8,
         "The army's mascot; it joins the unit beside its leader. "
         "It cannot attack or be attacked. All rolls of its unit have an [A]. "
         'When its unit is removed, it flies to a friendly unit within 8"; if there is none, it is lost.',
         ("HERO-07", "R-41")),
    Hero(2,  "champion",        "Champion",        True,  1, "always",        None,
         "Rolls his own melee dice at Q +3. His unit charges with an extra [A].",
         ("HERO-08", "R-31", "R-32")),
    Hero(3,  "cleric",          "Cleric",          True,  1, "once a round",  8,
         'When activated, blesses one unit within 8" (his own counts). '
         'Until the end of the round, that unit rolls a d10 for each failed save or morale test: '
         'a 10 turns it into a success.',
         ("HERO-09", "R-36")),
    Hero(4,  "ranger",          "Ranger",          True,  1, "as the attack", None,
         "Shoots one die at +3, with the usual shooting rules. The shot is the unit's attack.",
         ("HERO-10", "R-31", "R-40")),
    Hero(5,  "princess",        "Princess",        True,  1, "once a round",  8,
         'When activated, blows a kiss to one friendly model within 8" that is not a King or hero. '
         'Until the end of the round, that model re-rolls its misses.',
         ("HERO-11", "R-35")),
    Hero(6,  "standard_bearer", "Standard Bearer", True,  1, "always",        8,
         'Friendly units within 8", his own included, get +1 on morale unless his unit is fleeing. '
         'Roll a d10 at the muster: on 9 or 10 he is a Musician instead.',
         ("HERO-12", "R-37")),
    Hero(7,  "barbarian",       "Barbarian",       True,  1, "each attack",   None,
         "Attacks twice: rolls one more die than his model normally does.",
         ("HERO-14", "R-33")),
    Hero(8,  "assassin",        "Assassin",        True,  1, "each attack",   None,
         "When his unit removes a model and the target has models left, he rolls one more die at once, "
         "before the morale test.",
         ("HERO-15", "R-34")),
    Hero(9,  "snake_slayer",    "Snake-Slayer",    True,  2, "always",        None,
         "Bravest of all, with a snake to prove it. Takes 2 wounds.",
         ("HERO-16",)),
    Hero(10, "wizard",          "Wizard",          True,  1, "once a round",  None,
         "When activated, picks one unit in sight and rolls a d10 for the spell. "
         "His unit can still move and attack.",
         ("HERO-17", "HERO-18", "HERO-19", "R-38", "R-39")),
)

# The other form of a 6, found by a further die; it counts as the same result when heroes repeat.
MUSICIAN = Hero(6, "musician", "Musician", True, 1, "always", 8,
    'Like a Standard Bearer, gives friendly units within 8" +1 on morale, and his own unit passes every morale test.',
    ("HERO-13", "R-09"))
# fmt: on

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
    Spell(1, 5,  "magic_missile", "Magic Missile", 1, 1,    None,
          "One free shooting die at +1, with no [A] or [D]. Then saves and morale as usual.", ("HERO-18",)),
    Spell(6, 8,  "phantasm",      "Phantasm",      0, None, 6,
          "Roll a second d10: on 6 or more the target fights shadows and loses its activation this round.",
          ("HERO-19", "R-39")),
    Spell(9, 10, "fireball",      "Fireball",      2, 1,    None,
          "Two free shooting dice at +1, with no [A] or [D]. Then saves and morale as usual.", ("HERO-18",)),
)
# fmt: on


# fmt: off
HERO_RULES: tuple[Rule, ...] = (
    Rule("chance", "Is there a hero?",
         "Roll for each unit that can have a hero. Mice-at-Arms always have one.", ("HERO-01",)),
    Rule("place", "The hero's place",
         "The hero becomes the unit's leader and uses its stats unless his own text differs. In the King's unit the "
         "hero replaces a guard, and the King stays leader.", ("HERO-02", "HERO-05")),
    Rule("identity", "Which hero", "Roll a d10 on the hero table.", ("HERO-03", "R-08")),
    Rule("repeat", "The same hero twice",
         "If the army already has this hero, keep him or roll again. The King's hero counts too, and Standard Bearer "
         "and Musician count as the same.", ("HERO-04", "R-09", "R-10")),
    Rule("first", "Powers first", "A hero's power comes before anything else the unit does.", ("HERO-06",)),
)
# fmt: on


def hero_of(key: object) -> Hero:
    return look_up(key, HERO, "hero")


def hero_for_roll(roll: int) -> Hero:
    """The hero table. A natural 1 or 10 is a row like any other (R-04)."""
    return HEROES[check_d10(roll, "hero roll") - 1]


def bearer_for_roll(roll: int) -> Hero:
    return MUSICIAN if check_d10(roll, "musician roll") >= MUSICIAN_FROM else HERO["standard_bearer"]


def spell_for_roll(roll: int) -> Spell:
    check_d10(roll, "spell roll")
    return next(spell for spell in SPELLS if spell.low <= roll <= spell.high)


def is_same_hero(one: str, other: str) -> bool:
    return hero_of(one).roll == hero_of(other).roll
