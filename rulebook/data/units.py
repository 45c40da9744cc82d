"""The nine units of the book and their stats."""

from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.data.rule_texts import Rule
from rulebook.input_checks import check_d10, look_up

SPEARS_FROM = 8
SHIELD_FROM = 10


@dataclass(frozen=True, slots=True)
class Unit:
    key: str
    name: str
    q: int
    sq: int | None
    ac: int
    models: int
    wounds: tuple[int, ...]  # of each model, in the order in which they fall; the leader is last
    melee_dice: int  # per model; a Battle Cat is one model with four
    shooting_dice: int | None  # per model for mice, for the whole unit where a machine or a cat shoots
    crew_to_shoot: int  # 0 for units that are not war machines
    move: int
    mounted: bool
    hero_on: int | None  # the lowest face that brings a hero; 1 means always, None never
    morale_bonus: int
    base: str
    text: str
    points: tuple[str, ...]  # what a sheet prints below the figures
    rules: tuple[str, ...]

    @property
    def many(self) -> bool:
        """Whether its name is a plural: Hoppers come, a Battle Cat comes."""
        return self.key not in ("battle_cat", "king", "ballista", "cat_non")

    @property
    def some(self) -> str:
        """The name as a sentence takes it: Hoppers, a Battle Cat, the King."""
        if self.many:
            return self.name
        return "the King" if self.key == "king" else f"a {self.name}"

    @property
    def war_machine(self) -> bool:
        return self.crew_to_shoot > 0

    @property
    def tests_morale(self) -> bool:
        return self.key != "battle_cat"

    @property
    def shoots(self) -> bool:
        return self.shooting_dice is not None

    @property
    def siege_only(self) -> bool:
        return self.key == "cat_non"

    @property
    def total_wounds(self) -> int:
        return sum(self.wounds)

    @property
    def always_hero(self) -> bool:
        return self.hero_on == 1

    @property
    def never_hero(self) -> bool:
        return self.hero_on is None

    @property
    def rolls_for_weapon(self) -> bool:
        return self.mounted


# fmt: off
UNITS: tuple[Unit, ...] = (
    #    key             name            Q   SQ    AC Str wounds           melee shoot crew move mounted hero morale
    Unit("hoppers",      "Hoppers",      -1, 0,    6, 3, (1, 1, 1),        1, 1,    0, 4, False, None, 0,
         '1" (25 mm), three figures on each',
         "Young mice and runts out to make a name. Weak all round, but they can shoot a little.",
         ("Three figures share a base, and the base counts as one model.", "Never have a hero."),
         ("UNIT-11", "UNIT-12", "UNIT-13")),
    Unit("field_mice",   "Field Mice",   0,  None, 6, 4, (1, 1, 1, 1),     1, None, 0, 4, False, 10,   -1,
         '3/4" (20 mm)',
         "Farmers, brewers and millers called from their work. "
         "They would rather be home, and it shows when things go badly.",
         ("−1 on every morale roll.", "Hero on a d10 of 10."),
         ("UNIT-11", "UNIT-14")),
    Unit("bow_mice",     "Bow-Mice",     1,  2,    7, 4, (1, 1, 1, 1),     1, 1,    0, 4, False, 8,    0,
         '3/4" (20 mm)',
         "Trained archers. Dangerous at any distance, and no pushovers up close.",
         ("Shoot at +2.", "Hero on a d10 of 8+."),
         ("UNIT-11", "UNIT-06")),
    Unit("mice_at_arms", "Mice-at-Arms", 2,  None, 8, 5, (1, 1, 1, 1, 1),  1, None, 0, 4, False, 1,    0,
         '3/4" (20 mm)',
         "Drilled infantry, the backbone of an army. A hero always leads them.",
         ("Always led by a hero, without a roll.",),
         ("UNIT-11", "HERO-01")),
    Unit("rat_riders",   "Rat Riders",   2,  None, 9, 3, (1, 1, 1),        2, None, 0, 8, True,  8,    0, '1" (25 mm)',
         "Picked mice on fast, ill-tempered rats. They strike twice and ride foot troops down.",
         ("Two melee dice for each model.", "An [A] to hit units on foot.",
          "Spears on a muster d10 of 8+: +1 to hit on a charge.", "Hero on a d10 of 8+."),
         ("UNIT-11", "UNIT-15", "UNIT-16")),
    Unit("battle_cat",   "Battle Cat",   2,  2,    9, 1, (4,),             4, 1,    0, 8, True,  None, 0,
         '1 1/2" (40 mm)',
         "A trained cat under a rider, the terror of any field. It fights at full force until its fourth wound.",
         ("Four melee dice or one shooting die, however wounded.", "An [A] to hit units on foot.",
          "Never tests morale.",
          "Muster d10: 8 or 9 gives a spear ([A] on a charge), 10 a spear and a shield. "
          "The shield stops the first hit of the battle, before saves.", "Never has a hero."),
         ("UNIT-11", "UNIT-17", "UNIT-18", "UNIT-19", "UNIT-20", "R-42", "R-43")),
    Unit("king",         "King",         3,  None, 8, 3, (1, 1, 2),        1, None, 0, 4, False, 8,    0,
         '3/4" (20 mm)',
         "The King and two guards march with every army. His presence steadies the units around him.",
         ('An [A] on morale for units within 8", his own included.',
          "The King re-rolls a missed attack die and keeps the second roll; his guards do not.",
          "Guards fall first, then a hero. The King takes 2 wounds and falls last.",
          "On a d10 of 8+ a hero replaces a guard."),
         ("UNIT-11", "UNIT-21", "UNIT-22", "UNIT-23", "R-11")),
    Unit("ballista",     "Ballista",     1,  3,    7, 2, (1, 1),           1, 2,    1, 4, False, None, 0,
         'machine and crank operator 1 1/2" (40 mm), bolt bearer 3/4" (20 mm)',
         "A giant crossbow, at home on a tower, sometimes dragged into the field by its crew.",
         ("Two shooting dice at +3 while one of the crew is alive.", "In melee each of the crew rolls one die.",
          "Moves or shoots, never both, and cannot shoot while its crew is in melee.", "Never has a hero."),
         ("UNIT-11", "UNIT-24", "UNIT-25", "UNIT-27", "R-44")),
    Unit("cat_non",      "Cat-non",      1,  3,    7, 4, (1, 1, 1, 1),     1, 2,    2, 4, False, None, 0,
         'crew 3/4" (20 mm), gun 1" (25 mm)',
         "A great gun for breaking walls. It only comes to sieges and cannot shoot at units.",
         ("Two shooting dice at +3 while two of the crew are alive.", "In melee each of the crew rolls one die.",
          "Shoots at castle pieces only.",
          "Moves or shoots, never both, and cannot shoot while its crew is in melee.", "Never has a hero."),
         ("UNIT-11", "UNIT-24", "UNIT-25", "UNIT-26", "UNIT-27", "R-44")),
)
# fmt: on

UNIT: dict[str, Unit] = {unit.key: unit for unit in UNITS}

# fmt: off
UNIT_RULES: tuple[Rule, ...] = (
    Rule("unit", "A unit", "A few models that stay together, at most about a base apart.", ("UNIT-01",)),
    Rule("leader", "The leader",
         "Each unit has a leader; if it has a hero, the hero leads. Measure moves and sight from the leader's base. "
         "The leader falls last.", ("UNIT-02", "UNIT-03", "UNIT-04")),
    Rule("q", "Quality (Q)", "Added to every d10 the unit rolls to hit, to save and for morale.", ("UNIT-05",)),
    Rule("sq", "Shooting quality (SQ)",
         "Replaces Q when shooting. A unit that can shoot but has no SQ uses its Q.", ("UNIT-06",)),
    Rule("ac", "Armour class (AC)", "The total an attack die must reach. Equal hits.", ("UNIT-07",)),
    Rule("str", "Strength (Str)",
         "The number of models, and so of attack dice at full strength. A unit without models is eliminated. Count "
         "the crew, not the machine.", ("UNIT-08", "UNIT-09", "UNIT-27")),
    Rule("wounds", "Wounds",
         "A Battle Cat takes 4 wounds, a King 2 and a Snake-Slayer 2. Every other model takes 1.", ("UNIT-10",)),
)
# fmt: on

Weapon = Literal["spears", "spear", "spear_and_shield"]

WEAPON_NAMES: dict[str, str] = {"spears": "Spears", "spear": "Spear", "spear_and_shield": "Spear and shield"}


def unit_of(key: object) -> Unit:
    return look_up(key, UNIT, "unit")


def weapon_for_roll(unit: Unit, roll: int) -> Weapon | None:
    check_d10(roll, "weapon roll")
    if unit.key == "rat_riders":
        return "spears" if roll >= SPEARS_FROM else None
    if unit.key == "battle_cat":
        if roll >= SHIELD_FROM:
            return "spear_and_shield"
        return "spear" if roll >= SPEARS_FROM else None
    raise Refusal(
        f"There is no weapon roll for {unit.some}. Only Rat Riders and a Battle Cat have one.", field="weapon roll"
    )


def brings_hero(unit: Unit, roll: int) -> bool:
    """Whether the die brings a hero. Mice-at-Arms have one without a roll, others may never have one."""
    check_d10(roll, "hero chance roll")
    if unit.hero_on is None:
        raise Refusal(
            f"{unit.some[0].upper()}{unit.some[1:]} never {'have' if unit.many else 'has'} a hero.",
            field="hero chance roll",
        )
    return roll >= unit.hero_on


def shooting_quality(unit: Unit) -> int:
    """SQ, or Q for a unit that may shoot without one."""
    return unit.q if unit.sq is None else unit.sq
