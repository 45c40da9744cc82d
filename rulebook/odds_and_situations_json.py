"""Rows and answers as JSON data, and situations read from JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from fractions import Fraction
from typing import Annotated, Any

from dataclass_json import answered_keys
from refusal import Refusal
from rulebook.battle.combat import AttackOutcome
from rulebook.battle.dice import THROWER_NAMES
from rulebook.battle.modifiers import Tally
from rulebook.battle.situations import Melee, Shooting
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.checks import check_one_of, quote_value
from rulebook.data.units import unit_of
from rulebook.odds.attack import AttackOdds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import ExchangeOdds, Fate, FightOdds
from text import join_list

Plain = Any  # str, int, float, bool, None, and lists and dicts of these


@dataclass(frozen=True, slots=True)
class Chance:
    """A Fraction, exact and to read."""

    exact: Annotated[str, "A fraction, such as 3/10."]
    value: Annotated[float, "The same as a number, rounded to six places."]


@dataclass(frozen=True, slots=True)
class Chances:
    """A Distribution: the chance of 0, of 1, of 2 and so on."""

    chances: tuple[Chance, ...]
    mean: Chance


def write_chance(fraction: Fraction) -> Chance:
    return Chance(str(fraction), round(float(fraction), 6))


def write_chances(odds: Distribution) -> Chances:
    return Chances(tuple(map(write_chance, odds.chances)), write_chance(odds.mean))


def to_json(thing: object) -> Plain:
    """Dataclasses become objects, tuples lists; a Fraction keeps its exact form beside a number to read."""
    if isinstance(thing, Fraction):
        return to_json(write_chance(thing))
    if isinstance(thing, Distribution):
        return to_json(write_chances(thing))
    if is_dataclass(thing) and not isinstance(thing, type):
        return {name: to_json(getattr(thing, name)) for name in answered_keys(type(thing))}
    if isinstance(thing, Mapping):
        return {"nobody" if key is None else str(key): to_json(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [to_json(part) for part in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    raise TypeError(f"{type(thing).__name__} has no plain form")


@dataclass(frozen=True, slots=True)
class CountedModifier:
    key: str
    kind: Annotated[str, "A, D or flat."]
    name: str
    times: int


@dataclass(frozen=True, slots=True)
class TallyAnswer:
    """What is added to a die, with its reasons by name."""

    quality: int
    advantages: int
    disadvantages: int
    step: Annotated[int, "What [A] and [D] add up to."]
    flat: int
    added: Annotated[int, "Total added to each die."]
    against: int
    marks: tuple[CountedModifier, ...]


@dataclass(frozen=True, slots=True)
class DiceAnswer:
    whose: str
    name: str
    dice: int
    needs: Annotated[int, "The lowest face that hits."]
    rerolls: Annotated[bool, "Misses are re-rolled once."]
    why: TallyAnswer


@dataclass(frozen=True, slots=True)
class AttackAnswer:
    """Odds of one attack, with the [A] and [D] of each group of dice."""

    dice: tuple[DiceAnswer, ...]
    hits: Distribution
    unsaved_wounds: Distribution
    models_lost: Distribution
    outcomes: Mapping[AttackOutcome, Fraction]
    unit_gone: Fraction
    tests_morale: Fraction


@dataclass(frozen=True, slots=True)
class ExchangeAnswer:
    attack: AttackAnswer
    attacker_models_lost: Distribution
    fates: Mapping[Fate, Fraction]
    goes_on: Fraction


@dataclass(frozen=True, slots=True)
class FightAnswer:
    attacker_wins: Fraction
    target_wins: Fraction
    fates: Mapping[Fate, Fraction]
    attacker_models_left: Mapping[int, Fraction]
    target_models_left: Mapping[int, Fraction]
    exchanges: Annotated[Fraction, "Expected number of attacks with battle back."]


def describe_attack(odds: AttackOdds) -> AttackAnswer:
    dice = tuple(
        DiceAnswer(
            throw.whose,
            THROWER_NAMES[throw.whose],
            throw.dice,
            throw.tally.needed,
            throw.rerolls,
            describe_tally(throw.tally),
        )
        for throw in odds.throws
    )
    return AttackAnswer(dice, odds.hits, odds.wounds, odds.models_lost, odds.outcomes, odds.gone, odds.tests_morale)


def describe_tally(tally: Tally) -> TallyAnswer:
    marks = tuple(
        CountedModifier(held.modifier.key, held.modifier.kind, held.modifier.name, held.times) for held in tally.applied
    )
    return TallyAnswer(
        tally.quality, tally.advantages, tally.disadvantages, tally.step, tally.flat, tally.added, tally.against, marks
    )


def describe_exchange(odds: ExchangeOdds) -> ExchangeAnswer:
    return ExchangeAnswer(describe_attack(odds.attack), odds.attacker_lost, odds.fates, odds.goes_on)


def describe_fight(odds: FightOdds) -> FightAnswer:
    return FightAnswer(
        odds.attacker_wins,
        odds.target_wins,
        odds.fates,
        odds.winner_models("attacker"),
        odds.winner_models("target"),
        odds.exchanges,
    )


# --- back again ----------------------------------------------------------------------------------------------

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
