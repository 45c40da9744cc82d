"""Situations: who attacks whom, from where, and what else applies. Impossible ones are refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from refusal import Refusal
from rulebook.battle.unit_in_play import COURTYARD, OPEN, WALLS, Place, UnitInPlay, check_placement
from rulebook.data.battlefield import EVENT
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.units import unit_of
from rulebook.input_checks import check_inches, check_one_of, look_up, quote_value
from text import join_list


def _check_event(event: str | None) -> None:
    if event is not None:
        look_up(event, EVENT, "event")


def _check_flag(value: object, what: str) -> None:
    if type(value) is not bool:
        raise Refusal(f"{what} is {quote_value(value)}. Use true or false.", field=what)


def _check_adjacent(adjacent: object, at: Place, target_at: Place) -> None:
    _check_flag(adjacent, "adjacent")
    if adjacent and not (at.piece in WALLS and target_at.piece in WALLS):
        raise Refusal("Only castle pieces count as adjacent here. Both units must be on one.", field="adjacent")


def _check_both_units(attack: "Shooting | Melee") -> None:
    _check_adjacent(attack.adjacent, attack.at, attack.target_at)
    _check_event(attack.event)
    check_placement(attack.attacker, attack.at)
    check_placement(attack.target, attack.target_at)


def is_inside_castle(at: Place, target_at: Place, adjacent: bool, options: Options = BY_THE_BOOK) -> bool:
    """Whether the castle is open ground between these two: both stand in it, rubble not counted (R-20, R-95)."""
    if options.castle_within == "all":
        return at.in_castle and target_at.in_castle
    return adjacent or (at.in_castle and target_at.in_castle and COURTYARD in (at.piece, target_at.piece))


@dataclass(frozen=True, slots=True)
class Shooting:
    attacker: UnitInPlay
    target: UnitInPlay
    inches: float
    at: Place = OPEN
    target_at: Place = OPEN
    moved: bool = False
    adjacent: bool = False  # on castle pieces next to each other
    event: str | None = None

    def __post_init__(self) -> None:
        check_inches(self.inches, "range")
        _check_flag(self.moved, "moved")
        _check_both_units(self)
        unit = self.attacker.unit
        if self.attacker.fleeing:
            raise Refusal(f"{unit.name} cannot shoot while fleeing.", field="attacker")
        if unit.key == "cat_non":
            raise Refusal("A Cat-non only shoots at castle pieces, never at units.", field="attacker")
        if unit.war_machine and self.moved:
            raise Refusal(f"The {unit.name} has moved. A war machine moves or shoots, never both.", field="moved")
        if not unit.shoots and self.attacker.living_hero != "ranger":
            raise Refusal(f"{unit.name}: no shooting attack and no Ranger.", field="attacker")
        if self.target_at.terrain == "building":
            raise Refusal("The target is in a building and cannot be shot at.", field="target_at")
        for place, who in ((self.at, "shooters"), (self.target_at, "target")):
            if place.flanked and not place.on_wall:
                raise Refusal(
                    f"Enemies are in contact with the {who}. You cannot shoot into or out of a melee.", field="flanked"
                )


@dataclass(frozen=True, slots=True)
class Melee:
    attacker: UnitInPlay
    target: UnitInPlay
    at: Place = OPEN
    target_at: Place = OPEN
    charged: bool = False
    battling_back: bool = False
    adjacent: bool = False
    event: str | None = None

    def __post_init__(self) -> None:
        _check_flag(self.charged, "charged")
        _check_flag(self.battling_back, "battling_back")
        _check_both_units(self)
        if self.attacker.fleeing:
            name = self.attacker.unit.name
            raise Refusal(f"{name} cannot attack while fleeing.", field="attacker")
        if self.charged and self.battling_back:
            raise Refusal("A unit that battles back did not charge.", field="charged")
        if self.target.fleeing and not self.charged:
            raise Refusal(
                "A fleeing unit has left the melee. It can only be charged, which destroys it.", field="target"
            )

    def battle_back(self, attacker: UnitInPlay, target: UnitInPlay) -> "Melee":
        """The target's answer to the attack, with both units as they are after it."""
        return Melee(target, attacker, self.target_at, self.at, False, True, self.adjacent, self.event)

    def next_exchange(self, attacker: UnitInPlay, target: UnitInPlay, event: str | None) -> "Melee":
        """The target's own attack in its activation: nobody charges, because both are already in melee."""
        return Melee(target, attacker, self.target_at, self.at, False, False, self.adjacent, event)


@dataclass(frozen=True, slots=True)
class Casting:
    """A Wizard and the one unit he has chosen among those he sees."""

    attacker: UnitInPlay
    target: UnitInPlay
    at: Place = OPEN
    target_at: Place = OPEN
    engaged: bool = False  # the Wizard's unit is in melee
    target_engaged: bool = False
    target_activated: bool = False
    event: str | None = None

    def __post_init__(self) -> None:
        _check_flag(self.engaged, "engaged")
        _check_flag(self.target_engaged, "target_engaged")
        _check_flag(self.target_activated, "target_activated")
        _check_event(self.event)
        check_placement(self.attacker, self.at)
        check_placement(self.target, self.target_at)
        if self.attacker.living_hero != "wizard":
            raise Refusal(f"{self.attacker.unit.name}: no Wizard in this unit.", field="attacker")
        if self.attacker.fleeing:
            raise Refusal("A fleeing Wizard cannot cast spells.", field="attacker")
        for place, engaged, who in (
            (self.at, self.engaged, "Wizard's unit"),
            (self.target_at, self.target_engaged, "target"),
        ):
            if place.flanked and not place.on_wall and not engaged:
                raise Refusal(f"Enemies are in contact with the {who}, so it is in melee.", field="flanked")


@dataclass(frozen=True, slots=True)
class Save:
    unit: UnitInPlay
    at: Place = OPEN
    event: str | None = None

    def __post_init__(self) -> None:
        _check_event(self.event)
        check_placement(self.unit, self.at)


@dataclass(frozen=True, slots=True)
class Morale:
    """A test after losses: ``unit`` and ``attacker`` as both stand now. No attacker where nobody struck the blow."""

    unit: UnitInPlay
    attacker: UnitInPlay | None = None
    at: Place = OPEN
    attacker_flanked: int = 0  # friends of the unit in contact with the attacker
    event: str | None = None

    def __post_init__(self) -> None:
        _check_event(self.event)
        check_placement(self.unit, self.at)
        Place(flanked=self.attacker_flanked)
        _check_tests_morale(self.unit)
        if self.attacker is None and (self.attacker_flanked or self.at.flanked):
            raise Refusal("Nobody is flanked without an attacker.", field="flanked")


@dataclass(frozen=True, slots=True)
class Rally:
    """The test of a fleeing unit at its activation. Nobody attacks, so nothing is outnumbered or flanked (R-26)."""

    unit: UnitInPlay
    at: Place = OPEN
    event: str | None = None

    def __post_init__(self) -> None:
        _check_event(self.event)
        check_placement(self.unit, self.at)
        _check_tests_morale(self.unit)
        if not self.unit.fleeing:
            raise Refusal(f"{self.unit.unit.name}: only a fleeing unit can rally.", field="unit")

    def still_fleeing(self) -> "Rally":
        """The same test a round later, when blessing, event and Messenger are over."""
        return replace(self, unit=self.unit.round_over(), event=None)


def _check_tests_morale(unit: UnitInPlay) -> None:
    if not unit.unit.tests_morale:
        raise Refusal(f"A {unit.unit.name} never tests morale.", field="unit")


# ── Read from plain data ─────────────────────────────────────────────────────────────────────────────────

UNIT_FIELDS = tuple(field.name for field in fields(UnitInPlay))
PLACE_FIELDS = tuple(field.name for field in fields(Place))
KINDS = ("shooting", "melee")


def _check_fields(given: object, allowed: Sequence[str], what: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise Refusal(f"The {what} is {quote_value(given)}. Give an object with {join_list(allowed)}.", field=what)
    for key in given:
        if key not in allowed:
            raise Refusal(f"The {what} has no {quote_value(key)}. It has {join_list(allowed)}.", field=str(key))
    return given


def read_unit(fields: object, what: str = "unit") -> UnitInPlay:
    """A unit in play from its key alone, or from an object with what differs from a fresh one."""
    if isinstance(fields, str):
        fields = {"key": fields}
    given = dict(_check_fields(fields, UNIT_FIELDS, what))
    row = unit_of(given.get("key"))
    given.setdefault("models", row.models)
    hero = given.get("hero")
    if hero is not None and not isinstance(hero, str):
        raise Refusal(f"The hero is {quote_value(hero)}. Give the key of a hero.", field="hero")
    if hero == "ladybug":
        given["hero"], given["ladybug"] = None, True
    return UnitInPlay(**given)


def read_place(given: object, what: str = "place") -> Place:
    """A place from its terrain alone, or from an object."""
    if given is None:
        return Place()
    if isinstance(given, str):
        given = {"terrain": given}
    return Place(**_check_fields(given, PLACE_FIELDS, what))


SHOOTING_FIELDS = tuple(field.name for field in fields(Shooting))
MELEE_FIELDS = tuple(field.name for field in fields(Melee))


def read_situation(fields: object) -> Shooting | Melee:
    """A situation from plain data: ``kind`` is shooting or melee, the rest as the situation has it."""
    if not isinstance(fields, Mapping):
        raise Refusal(
            f"The situation is {quote_value(fields)}. Give an object with kind, attacker and target.", field="situation"
        )
    kind = check_one_of(fields.get("kind"), KINDS, "kind")
    allowed = SHOOTING_FIELDS if kind == "shooting" else MELEE_FIELDS
    given = dict(
        _check_fields({key: value for key, value in fields.items() if key != "kind"}, allowed, f"{kind} situation")
    )
    needed = ("attacker", "target", "inches") if kind == "shooting" else ("attacker", "target")
    for key in needed:
        if key not in given:
            raise Refusal(f"The {kind} situation needs {key}.", field=key)
    for who in ("attacker", "target"):
        given[who] = read_unit(given[who], who)
    for where in ("at", "target_at"):
        given[where] = read_place(given.get(where), where)
    return Shooting(**given) if kind == "shooting" else Melee(**given)
