"""Rows and answers as plain data for JSON, and situations read back from plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

from refusal import Refusal
from rulebook.inplay import Place, UnitInPlay
from rulebook.marks import Tally
from rulebook.odds.attack import AttackOdds
from rulebook.odds.exchanges import ExchangeOdds, FoughtOut
from rulebook.odds.spread import Distribution
from rulebook.rolls import listed, one_of, shown
from rulebook.situations import Melee, Shooting
from rulebook.throws import THROWER_NAMES
from rulebook.units import unit_of

Plain = Any  # str, int, float, bool, None, and lists and dicts of these


def plain(thing: object) -> Plain:
    """Dataclasses become objects, tuples lists; a Fraction keeps its exact form beside a number to read."""
    if isinstance(thing, Fraction):
        return {"exact": str(thing), "value": round(float(thing), 6)}
    if isinstance(thing, Distribution):
        return {"chances": [plain(chance) for chance in thing.chances], "mean": plain(thing.mean)}
    if is_dataclass(thing) and not isinstance(thing, type):
        return {field.name: plain(getattr(thing, field.name)) for field in fields(thing)}
    if isinstance(thing, Mapping):
        return {"nobody" if key is None else str(key): plain(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [plain(part) for part in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    raise TypeError(f"{type(thing).__name__} has no plain form")


def plain_attack(odds: AttackOdds) -> Plain:
    """Odds of one attack, with the marks behind each group of dice."""
    return {
        "dice": [
            {
                "whose": throw.whose,
                "name": THROWER_NAMES[throw.whose],
                "dice": throw.dice,
                "needs": throw.tally.needed,
                "rerolls": throw.rerolls,
                "why": plain_tally(throw.tally),
            }
            for throw in odds.throws
        ],
        "hits": plain(odds.hits),
        "unsaved_wounds": plain(odds.wounds),
        "models_lost": plain(odds.models_lost),
        "outcomes": plain(odds.outcomes),
        "unit_gone": plain(odds.gone),
        "tests_morale": plain(odds.tests_morale),
    }


def plain_tally(tally: Tally) -> Plain:
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
            {"key": held.mark.key, "kind": held.mark.kind, "name": held.mark.name, "times": held.times}
            for held in tally.applied
        ],
    }


def plain_exchange(odds: ExchangeOdds) -> Plain:
    return {
        "attack": plain_attack(odds.attack),
        "attacker_models_lost": plain(odds.attacker_lost),
        "fates": plain(odds.fates),
        "goes_on": plain(odds.goes_on),
    }


def plain_fought_out(odds: FoughtOut) -> Plain:
    return {
        "attacker_wins": plain(odds.attacker_wins),
        "target_wins": plain(odds.target_wins),
        "fates": plain(odds.fates),
        "attacker_models_left": plain(odds.winner_models("attacker")),
        "target_models_left": plain(odds.winner_models("target")),
        "exchanges": plain(odds.exchanges),
    }


# --- back again ----------------------------------------------------------------------------------------------

UNIT_FIELDS = tuple(field.name for field in fields(UnitInPlay))
PLACE_FIELDS = tuple(field.name for field in fields(Place))
KINDS = ("shooting", "melee")


def _only(told: object, allowed: Sequence[str], what: str) -> Mapping[str, Any]:
    if not isinstance(told, Mapping):
        raise Refusal(f"The {what} is {shown(told)}; an object with {listed(allowed)} is needed.", field=what)
    for key in told:
        if key not in allowed:
            raise Refusal(f"The {what} has no {shown(key)}; it has {listed(allowed)}.", field=str(key))
    return told


def unit_from(told: object, what: str = "unit") -> UnitInPlay:
    """A unit in play from its key alone, or from an object with what differs from a fresh one."""
    if isinstance(told, str):
        told = {"key": told}
    given = dict(_only(told, UNIT_FIELDS, what))
    row = unit_of(given.get("key"))
    given.setdefault("models", row.models)
    hero = given.get("hero")
    if hero is not None and not isinstance(hero, str):
        raise Refusal(f"The hero is {shown(hero)}; the key of a hero is needed.", field="hero")
    if hero == "ladybug":
        given["hero"], given["ladybug"] = None, True
    return UnitInPlay(**given)


def place_from(told: object, what: str = "place") -> Place:
    """A place from its terrain alone, or from an object."""
    if told is None:
        return Place()
    if isinstance(told, str):
        told = {"terrain": told}
    return Place(**_only(told, PLACE_FIELDS, what))


SHOOTING_FIELDS = tuple(field.name for field in fields(Shooting))
MELEE_FIELDS = tuple(field.name for field in fields(Melee))


def situation_from(told: object) -> Shooting | Melee:
    """A situation from plain data: ``kind`` is shooting or melee, the rest as the situation has it."""
    if not isinstance(told, Mapping):
        raise Refusal(f"The situation is {shown(told)}; an object with kind, attacker and target is needed.", field="situation")  # fmt: skip
    kind = one_of(told.get("kind"), KINDS, "kind")
    allowed = SHOOTING_FIELDS if kind == "shooting" else MELEE_FIELDS
    given = dict(_only({key: value for key, value in told.items() if key != "kind"}, allowed, f"{kind} situation"))
    needed = ("attacker", "target", "inches") if kind == "shooting" else ("attacker", "target")
    for key in needed:
        if key not in given:
            raise Refusal(f"The {kind} situation does not say its {key}.", field=key)
    for who in ("attacker", "target"):
        given[who] = unit_from(given[who], who)
    for where in ("at", "target_at"):
        given[where] = place_from(given.get(where), where)
    return Shooting(**given) if kind == "shooting" else Melee(**given)
