"""Advantages [A], disadvantages [D] and flat bonuses: every one in the book, which apply, what the die then needs.

Each kind of roll has a function (``shooting_tally``, ``save_tally`` and so on) from a situation to a ``Tally``.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from rulebook.battle.attack_situations import Melee, Morale, Rally, Save, Shooting, is_inside_castle
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, king_status
from rulebook.data.battlefield import FAVOURABLE_WIND, MESSENGER, STANDS_FROM, STORM, WINDY
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.units import shooting_quality
from rulebook.input_checks import Answer, check_count, no, yes

RollKind = Literal["shooting", "melee", "save", "morale"]
Kind = Literal["A", "D", "flat"]

SAVES_FROM = 9
LONG_RANGE_OVER = 8
# A natural 1 fails and a natural 10 succeeds, so no number below 2 or above 10 is ever needed.
EASIEST, HARDEST = 2, 10


@dataclass(frozen=True, slots=True)
class Modifier:
    key: str
    roll: RollKind
    kind: Kind
    worth: int  # how many [A] or [D], or the number itself for a flat bonus
    name: str
    text: str
    rules: tuple[str, ...]


# fmt: off
MODIFIERS: tuple[Modifier, ...] = (
    # Shooting
    Modifier("shooting_aiming",     "shooting", "A", 1, "Aiming",
         "The shooters did not move this activation. War machines never aim.", ("SHOOT-06", "ROUND-07", "R-27")),
    Modifier("shooting_high_place", "shooting", "A", 1, "From above",
         "The shooters are on a mound above the target, or in a fortress.", ("SHOOT-06", "R-19", "R-20")),
    Modifier("shooting_ladybug",    "shooting", "A", 1, "Ladybug", "A Ladybug is with the shooters.",
         ("HERO-07", "R-41")),
    Modifier("shooting_cover",      "shooting", "D", 1, "Target in cover",
         "The target is behind a barrier, in a tall patch or in a fortress.", ("SHOOT-06", "R-20")),
    Modifier("shooting_long_range", "shooting", "D", 1, "Long range",
         'The target is more than 8" away. A favourable wind cancels this [D].', ("SHOOT-06", "EVENT-08")),
    Modifier("shooting_bad_goings", "shooting", "D", 1, "Shooters in bad goings", "The shooters are in bad goings.",
         ("TERRAIN-09", "R-18")),
    Modifier("shooting_windy",      "shooting", "D", 1, "Windy", "Wind or a dark sky this round.",
         ("EVENT-05",)),
    Modifier("shooting_storm",      "shooting", "D", 1, "Storm", "There is a storm this round.",
         ("EVENT-06",)),
    Modifier("shooting_messenger",  "shooting", "flat", 1, "Messenger",
         "The first unit of its army to act this round gets +1 on all Q rolls.", ("EVENT-09", "R-90", "R-16")),
    # Melee
    Modifier("melee_charged",       "melee", "A", 1, "Charged", "The attackers charged in this activation.",
         ("MELEE-08", "MOVE-05")),
    Modifier("melee_flanking",      "melee", "A", 1, "Target flanked",
         "Another unit of the attackers is in contact with the target.", ("MELEE-08", "R-24")),
    Modifier("melee_high_place",    "melee", "A", 1, "From above",
         "The attackers are on a mound above the target, or in a fortress.", ("MELEE-08", "R-19", "R-20")),
    Modifier("melee_mounted",       "melee", "A", 1, "Mounted against foot", "A mounted unit attacks a unit on foot.",
         ("MELEE-08", "UNIT-15", "R-15", "R-29")),
    Modifier("melee_champion",      "melee", "A", 1, "Champion's charge", "A Champion leads the charge.",
         ("HERO-08", "R-15", "R-32")),
    Modifier("melee_cat_spear",     "melee", "A", 1, "Cat rider's spear",
         "The rider of the Battle Cat charges with a spear.", ("UNIT-19", "R-15", "R-30")),
    Modifier("melee_ladybug",       "melee", "A", 1, "Ladybug", "A Ladybug is with the attackers.",
         ("HERO-07", "R-41")),
    Modifier("melee_battling_back", "melee", "D", 1, "Battling back",
         "The unit answers an attack.", ("MELEE-08", "MELEE-06")),
    Modifier("melee_flanked",       "melee", "D", 1, "Attacker flanked",
         "Another enemy unit is in contact with the attackers.", ("MELEE-08", "R-24")),
    Modifier("melee_bad_goings",    "melee", "D", 1, "Attackers in bad goings", "The attackers are in bad goings.",
         ("MELEE-08", "TERRAIN-09", "R-15")),
    Modifier("melee_cover",         "melee", "D", 1, "Target in cover",
         "The target is in a tall patch, behind a barrier, in a building or in a fortress.", ("MELEE-08", "R-20")),
    Modifier("melee_storm",         "melee", "D", 1, "Storm", "There is a storm this round.",
         ("EVENT-06",)),
    Modifier("melee_rat_spears",    "melee", "flat", 1, "Rat Riders' spears",
         "Rat Riders charge with spears: +1 to hit, besides all [A] and [D].", ("UNIT-16", "R-16", "R-30")),
    Modifier("melee_messenger",     "melee", "flat", 1, "Messenger",
         "The first unit of its army to act this round gets +1 on all Q rolls.", ("EVENT-09", "R-90", "R-16")),
    # Saves
    Modifier("save_ladybug",        "save", "A", 1, "Ladybug", "A Ladybug is with the unit.",
         ("HERO-07", "R-17", "R-41")),
    Modifier("save_bad_goings",     "save", "D", 1, "In bad goings", "The unit is in bad goings.",
         ("TERRAIN-09", "R-17", "R-18")),
    Modifier("save_messenger",      "save", "flat", 1, "Messenger",
         "The first unit of its army to act this round gets +1 on all Q rolls.", ("EVENT-09", "R-90", "R-17")),
    # Morale
    Modifier("morale_outnumbers",   "morale", "A", 1, "Outnumbers the attacker",
         "The unit has more left than its attacker.", ("MORALE-03", "R-23", "R-100")),
    Modifier("morale_friend_flanks", "morale", "A", 1, "A friend flanks the attacker",
         "Another friendly unit is in contact with the attacker.", ("MORALE-03", "R-24")),
    Modifier("morale_king_near",    "morale", "A", 1, "The King is near",
         'The King is within 8" and not fleeing. His own unit always has him.', ("MORALE-03", "UNIT-22", "R-25")),
    Modifier("morale_ladybug",      "morale", "A", 1, "Ladybug", "A Ladybug is with the unit.",
         ("HERO-07", "R-41")),
    Modifier("morale_outnumbered",  "morale", "D", 1, "Outnumbered", "The unit has fewer left than its attacker.",
         ("MORALE-03", "R-23")),
    Modifier("morale_flanked",      "morale", "D", 1, "Flanked", "Another enemy unit is in contact with the unit.",
         ("MORALE-03", "R-24")),
    Modifier("morale_king_lost",    "morale", "D", 1, "The King flees or is gone",
         "The army's King is fleeing or removed, at any distance.", ("MORALE-03", "R-25")),
    Modifier("morale_bad_goings",   "morale", "D", 1, "In bad goings", "The unit is in bad goings.",
         ("TERRAIN-09", "R-18")),
    Modifier("morale_field_mice",   "morale", "flat", -1, "Field Mice", "They would rather be home.",
         ("UNIT-14", "R-16")),
    Modifier("morale_bearer",       "morale", "flat", 1, "Standard",
         'A Standard Bearer or Musician within 8" whose unit is not fleeing.', ("HERO-12", "R-37", "R-16")),
    Modifier("morale_messenger",    "morale", "flat", 1, "Messenger",
         "The first unit of its army to act this round gets +1 on all Q rolls.", ("EVENT-09", "R-90", "R-16")),
)
# fmt: on

MODIFIER: dict[str, Modifier] = {modifier.key: modifier for modifier in MODIFIERS}


@dataclass(frozen=True, slots=True)
class AppliedModifier:
    """A modifier that applies. ``times`` is above 1 only where a house rule lets it stack."""

    modifier: Modifier
    times: int = 1

    @property
    def worth(self) -> int:
        return self.modifier.worth * self.times


@dataclass(frozen=True, slots=True)
class Tally:
    roll: RollKind
    quality: int
    applied: tuple[AppliedModifier, ...]
    advantages: int
    disadvantages: int
    step: int  # what [A] and [D] come to: −1, 0, +1 or +2
    flat: int
    against: int

    @property
    def added(self) -> int:
        return self.quality + self.step + self.flat

    @property
    def needed(self) -> int:
        """The lowest face that succeeds, natural 1 and 10 included."""
        return needed_on_die(self.against, self.added)

    @property
    def faces(self) -> int:
        """How many of the ten faces succeed."""
        return 11 - self.needed

    @property
    def chance(self) -> Fraction:
        return Fraction(self.faces, 10)

    def succeeds(self, face: int) -> bool:
        return face >= self.needed


def needed_on_die(against: int, added: int) -> int:
    """The lowest face that reaches ``against``: never below 2 nor above 10 (ROUND-08)."""
    return min(HARDEST, max(EASIEST, against - added))


def advantage_step(advantages: int, disadvantages: int, options: Options = BY_THE_BOOK) -> int:
    """What so many [A] against so many [D] add to a Q roll."""
    a = check_count(advantages, "number of [A]")
    d = check_count(disadvantages, "number of [D]")
    if a == d:
        return 0
    if a < d:
        return -1  # however many: the book has no row for twice the [D]
    match options.double_rule:
        case "min_two":
            double = a >= 2 and a >= 2 * d
        case "literal":
            double = a >= 2 * d
        case "difference":
            double = a - d >= 2
    return 2 if double else 1


def tally_modifiers(
    roll: RollKind, quality: int, applied: tuple[AppliedModifier, ...], against: int, options: Options = BY_THE_BOOK
) -> Tally:
    """Count [A] and [D], compare them and add the flat bonuses."""
    counts = {"A": 0, "D": 0, "flat": 0}
    for entry in applied:
        counts[entry.modifier.kind] += entry.modifier.worth * entry.times
    step = advantage_step(counts["A"], counts["D"], options)
    return Tally(roll, quality, applied, counts["A"], counts["D"], step, counts["flat"], against)


BEARERS = ("standard_bearer", "musician")
CHAMPION_QUALITY = 3
RANGER_QUALITY = 3

# Reused, because the same few apply every time.
APPLIED_ONCE: dict[str, AppliedModifier] = {row.key: AppliedModifier(row) for row in MODIFIERS}


_AIMS = yes("The unit did not move, so it aims.", "ROUND-07")
_MOVED = no("The unit moved, so it does not aim.", "ROUND-07", "R-28")
_MACHINE = no("War machines never get the [A] for aiming.", "ROUND-07", "R-27")


def can_aim(unit: UnitInPlay, *, moved: bool, options: Options = BY_THE_BOOK) -> Answer:
    if moved:
        return _MOVED
    if unit.unit.war_machine and not options.machines_aim:
        return _MACHINE
    return _AIMS


def shooting_tally(situation: Shooting, options: Options = BY_THE_BOOK, *, quality: int | None = None) -> Tally:
    """The shooting dice of a unit. ``quality`` stands in for its SQ: a Ranger's +3."""
    s = situation
    unit = s.attacker.unit
    held: list[AppliedModifier] = []
    if can_aim(s.attacker, moved=s.moved, options=options):
        held.append(APPLIED_ONCE["shooting_aiming"])
    if _from_above(s.at, s.target_at, s.adjacent, options):
        held.append(APPLIED_ONCE["shooting_high_place"])
    if s.attacker.ladybug:
        held.append(APPLIED_ONCE["shooting_ladybug"])
    if _in_cover(s.at, s.target_at, s.adjacent, options):
        held.append(APPLIED_ONCE["shooting_cover"])
    held += _shooter_modifiers(s.attacker, s.at, s.inches, s.event, options)
    if quality is None:
        quality = shooting_quality(unit)
    return tally_modifiers("shooting", quality, tuple(held), s.target.unit.ac, options)


def castle_piece_tally(
    attacker: UnitInPlay,
    inches: float,
    armor_class: int,
    at: Place = OPEN,
    event: str | None = None,
    options: Options = BY_THE_BOOK,
) -> Tally:
    """A shot at a wall itself: the wall has no cover and is not lower ground; everything else as usual (R-81)."""
    held: list[AppliedModifier] = []
    if can_aim(attacker, moved=False, options=options):
        held.append(APPLIED_ONCE["shooting_aiming"])
    if attacker.ladybug:
        held.append(APPLIED_ONCE["shooting_ladybug"])
    held += _shooter_modifiers(attacker, at, inches, event, options)
    return tally_modifiers("shooting", shooting_quality(attacker.unit), tuple(held), armor_class, options)


def _shooter_modifiers(
    attacker: UnitInPlay, at: Place, inches: float, event: str | None, options: Options
) -> list[AppliedModifier]:
    """What the distance, the shooters' footing and the weather do to any shot."""
    held: list[AppliedModifier] = []
    if inches > LONG_RANGE_OVER and event != FAVOURABLE_WIND:
        held.append(APPLIED_ONCE["shooting_long_range"])
    if at.terrain == "bad_goings" and options.bad_goings_all:
        held.append(APPLIED_ONCE["shooting_bad_goings"])
    if event == WINDY:
        held.append(APPLIED_ONCE["shooting_windy"])
    elif event == STORM:
        held.append(APPLIED_ONCE["shooting_storm"])
    elif event == MESSENGER and attacker.first_activated:
        held.append(APPLIED_ONCE["shooting_messenger"])
    return held


def melee_tally(situation: Melee, options: Options = BY_THE_BOOK, *, champion: bool = False) -> Tally:
    """The melee dice of a unit; with ``champion`` the Champion's own."""
    s = situation
    attacker, unit = s.attacker, s.attacker.unit
    held: list[AppliedModifier] = []
    if s.charged:
        held.append(APPLIED_ONCE["melee_charged"])
    if s.target_at.flanked:
        held.append(_flank("melee_flanking", s.target_at.flanked, options))
    if _from_above(s.at, s.target_at, s.adjacent, options):
        held.append(APPLIED_ONCE["melee_high_place"])
    if unit.mounted and not s.target.unit.mounted:
        held.append(APPLIED_ONCE["melee_mounted"])
    if s.charged:
        if attacker.living_hero == "champion" and (champion or options.champion_scope == "unit"):
            held.append(APPLIED_ONCE["melee_champion"])
        if attacker.spear and unit.key == "battle_cat":
            held.append(APPLIED_ONCE["melee_cat_spear"])
    if attacker.ladybug:
        held.append(APPLIED_ONCE["melee_ladybug"])
    if s.battling_back:
        held.append(APPLIED_ONCE["melee_battling_back"])
    if s.at.flanked:
        held.append(_flank("melee_flanked", s.at.flanked, options))
    if s.at.terrain == "bad_goings":
        held.append(APPLIED_ONCE["melee_bad_goings"])
    if _in_cover(s.at, s.target_at, s.adjacent, options):
        held.append(APPLIED_ONCE["melee_cover"])
    if s.event == STORM:
        held.append(APPLIED_ONCE["melee_storm"])
    if s.charged and attacker.spear and unit.key == "rat_riders":
        held.append(APPLIED_ONCE["melee_rat_spears"])
    if s.event == MESSENGER and attacker.first_activated:
        held.append(APPLIED_ONCE["melee_messenger"])
    quality = CHAMPION_QUALITY if champion else unit.q
    return tally_modifiers("melee", quality, tuple(held), s.target.unit.ac, options)


def spell_tally(attacker: UnitInPlay, target: UnitInPlay, quality: int, event: str | None = None) -> Tally:
    """A spell's shooting dice know neither [A] nor [D]; a Messenger's +1 is neither (HERO-18)."""
    held = (APPLIED_ONCE["shooting_messenger"],) if event == MESSENGER and attacker.first_activated else ()
    return tally_modifiers("shooting", quality, held, target.unit.ac)


def save_tally(situation: Save, options: Options = BY_THE_BOOK) -> Tally:
    """A save against one hit. Cover has already counted against the attacker's dice (R-17)."""
    s = situation
    held: list[AppliedModifier] = []
    if s.unit.ladybug:
        held.append(APPLIED_ONCE["save_ladybug"])
    if s.at.terrain == "bad_goings" and options.bad_goings_all:
        held.append(APPLIED_ONCE["save_bad_goings"])
    if s.event == MESSENGER and s.unit.first_activated:
        held.append(APPLIED_ONCE["save_messenger"])
    return tally_modifiers("save", s.unit.unit.q, tuple(held), SAVES_FROM, options)


def morale_tally(situation: Morale, options: Options = BY_THE_BOOK) -> Tally:
    """A morale test after losses. ``needed`` is the face that stands."""
    s = situation
    held: list[AppliedModifier] = []
    if s.attacker is not None:
        more = compare_numbers(s.unit, s.attacker, options)
        if more > 0:
            held.append(APPLIED_ONCE["morale_outnumbers"])
        elif more < 0:
            held.append(APPLIED_ONCE["morale_outnumbered"])
    if s.attacker_flanked:
        held.append(_flank("morale_friend_flanks", s.attacker_flanked, options))
    if s.at.flanked:
        held.append(_flank("morale_flanked", s.at.flanked, options))
    return _morale_tally(s.unit, s.at, s.event, held, options)


def rally_tally(situation: Rally, options: Options = BY_THE_BOOK) -> Tally:
    """The test of a fleeing unit: no attacker, so no numbers and no flanks (R-26)."""
    return _morale_tally(situation.unit, situation.at, situation.event, [], options)


def _morale_tally(
    unit: UnitInPlay, at: Place, event: str | None, held: list[AppliedModifier], options: Options
) -> Tally:
    """What counts in every morale test: King, Ladybug, footing, standard, and the Field Mice's wish to be home."""
    king = king_status(unit, at)
    if king == "near":
        held.append(APPLIED_ONCE["morale_king_near"])
    elif king != "far":
        held.append(APPLIED_ONCE["morale_king_lost"])
    if unit.ladybug:
        held.append(APPLIED_ONCE["morale_ladybug"])
    if at.terrain == "bad_goings" and options.bad_goings_all:
        held.append(APPLIED_ONCE["morale_bad_goings"])
    if unit.unit.morale_bonus:
        held.append(APPLIED_ONCE["morale_field_mice"])
    bearers = at.bearers + (unit.living_hero in BEARERS and not unit.fleeing)
    if bearers:
        held.append(
            AppliedModifier(MODIFIER["morale_bearer"], bearers)
            if options.bearers_stack
            else APPLIED_ONCE["morale_bearer"]
        )
    if event == MESSENGER and unit.first_activated:
        held.append(APPLIED_ONCE["morale_messenger"])
    return tally_modifiers("morale", unit.unit.q, tuple(held), STANDS_FROM, options)


def compare_numbers(unit: UnitInPlay, attacker: UnitInPlay, options: Options = BY_THE_BOOK) -> int:
    """Above 0 where the unit has more left than its attacker, below 0 where it has fewer (R-23)."""
    if options.outnumber_by == "wounds":
        return unit.wounds_left - attacker.wounds_left
    return unit.models - attacker.models


def _flank(key: str, units: int, options: Options) -> AppliedModifier:
    return AppliedModifier(MODIFIER[key], units) if options.flank_stacks else APPLIED_ONCE[key]


def _from_above(at: Place, target_at: Place, adjacent: bool, options: Options) -> bool:
    if at.terrain == "fortress":
        return not is_inside_castle(at, target_at, adjacent, options)
    # Against a fortress a mound of any height gives no advantage.
    return at.height > target_at.height and target_at.terrain != "fortress"


def _in_cover(at: Place, target_at: Place, adjacent: bool, options: Options) -> bool:
    if target_at.terrain == "fortress":
        return not is_inside_castle(at, target_at, adjacent, options)
    return target_at.ground.covers
