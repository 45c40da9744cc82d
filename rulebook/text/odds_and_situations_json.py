"""Rows and answers as JSON data, and situations read from JSON data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from refusal import Refusal
from rulebook.basics.input_checks import check_one_of, quote_value
from rulebook.battle.advantages import Tally
from rulebook.battle.dice_pools import THROWER_NAMES
from rulebook.battle.situations import Melee, Shooting
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.units import unit_of
from rulebook.odds.attack import AttackOdds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import ExchangeOdds, FightOdds
from text import join_list

Plain = Any  # str, int, float, bool, None, and lists and dicts of these


def to_json(thing: object) -> Plain:
    """Dataclasses become objects, tuples lists; a Fraction keeps its exact form beside a number to read."""
    if isinstance(thing, Fraction):
        return {"exact": str(thing), "value": round(float(thing), 6)}
    if isinstance(thing, Distribution):
        return {"chances": [to_json(chance) for chance in thing.chances], "mean": to_json(thing.mean)}
    if is_dataclass(thing) and not isinstance(thing, type):
        return {field.name: to_json(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, Mapping):
        return {"nobody" if key is None else str(key): to_json(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [to_json(part) for part in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    raise TypeError(f"{type(thing).__name__} has no plain form")


def attack_to_json(odds: AttackOdds) -> Plain:
    """Odds of one attack, with the [A] and [D] of each group of dice."""
    return {
        "dice": [
            {
                "whose": throw.whose,
                "name": THROWER_NAMES[throw.whose],
                "dice": throw.dice,
                "needs": throw.tally.needed,
                "rerolls": throw.rerolls,
                "why": tally_to_json(throw.tally),
            }
            for throw in odds.throws
        ],
        "hits": to_json(odds.hits),
        "unsaved_wounds": to_json(odds.wounds),
        "models_lost": to_json(odds.models_lost),
        "outcomes": to_json(odds.outcomes),
        "unit_gone": to_json(odds.gone),
        "tests_morale": to_json(odds.tests_morale),
    }


def tally_to_json(tally: Tally) -> Plain:
    """What is added to a die, with its reasons by name."""
    return {
        "quality": tally.quality,
        "advantages": tally.advantages,
        "disadvantages": tally.disadvantages,
        "step": tally.step,
        "flat": tally.flat,
        "added": tally.added,
        "against": tally.against,
        "marks": [
            {"key": held.modifier.key, "kind": held.modifier.kind, "name": held.modifier.name, "times": held.times}
            for held in tally.applied
        ],
    }


def exchange_to_json(odds: ExchangeOdds) -> Plain:
    return {
        "attack": attack_to_json(odds.attack),
        "attacker_models_lost": to_json(odds.attacker_lost),
        "fates": to_json(odds.fates),
        "goes_on": to_json(odds.goes_on),
    }


def fight_to_json(odds: FightOdds) -> Plain:
    return {
        "attacker_wins": to_json(odds.attacker_wins),
        "target_wins": to_json(odds.target_wins),
        "fates": to_json(odds.fates),
        "attacker_models_left": to_json(odds.winner_models("attacker")),
        "target_models_left": to_json(odds.winner_models("target")),
        "exchanges": to_json(odds.exchanges),
    }


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
            f"The situation is {quote_value(fields)}. Give an object with kind, attacker and target.",
            field="situation",
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
