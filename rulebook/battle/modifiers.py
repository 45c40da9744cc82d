"""From a situation to its modifiers: which [A], [D] and flat bonuses apply, what they add up to, what the die needs.

``shooting``, ``melee``, ``save``, ``morale`` and ``rally`` each take a situation and give a ``Tally``.
"""

from __future__ import annotations

from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.advantages import (
    LONG_RANGE_OVER,
    MODIFIER,
    MODIFIERS,
    SAVES_FROM,
    AppliedModifier,
    Tally,
    tally_modifiers,
)
from rulebook.battle.situations import Melee, Morale, Rally, Save, Shooting, is_inside_castle
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, king_status
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.morale_table import STANDS_FROM
from rulebook.data.random_events import FAVOURABLE_WIND, MESSENGER, STORM, WINDY
from rulebook.data.units import shooting_quality

CHAMPION_QUALITY = 3
RANGER_QUALITY = 3

# Reused, because the same few apply every time.
APPLIED_ONCE: dict[str, AppliedModifier] = {row.key: AppliedModifier(row) for row in MODIFIERS}


_AIMS = yes("The unit did not move, so it aims.", "ROUND-07")
_MOVED = no("The unit moved, so it does not aim.", "ROUND-07", "R-28")
_MACHINE = no("War machines never get the [A] for aiming.", "ROUND-07", "R-27")


def can_aim(unit: UnitInPlay, *, moved: bool, options: Options = BY_THE_BOOK) -> Answer:
    """Whether shooters have the [A] for aiming."""
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
    bearers = at.bearers + (unit.living_hero in ("standard_bearer", "musician") and not unit.fleeing)
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
