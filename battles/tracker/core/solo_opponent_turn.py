"""The army nobody plays: what the tracker knows of it, the few distances it has to be told, and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.tracker.draft import Draft, step
from battles.tracker.table import Standing, Table
from refusal import Refusal
from rulebook.heroes import HERO_REACH
from rulebook.rolls import d10
from rulebook.solo import Decision, Seen, SoloUnit, decide
from rulebook.throws import shooting_hands

# What the decision's act leads to in the tracker.
LEADS_TO = {"shoot": "shoot", "charge": "charge", "attack": "strike", "rally": "rally"}


def asks(table: Table) -> tuple[Standing, ...]:
    """Units of which the tracker must be told the nearest enemy: still to act, neither fleeing nor in melee."""
    if table.solo is None:
        return ()
    return tuple(
        unit for unit in table.here(table.solo) if not unit.acted and not unit.fleeing and not table.contacts(unit.id)
    )


def remembered(table: Table, unit: str) -> dict[str, Any]:
    """What was told of this unit last time; most distances change little between two activations."""
    return dict(table.cells.get(f"seen/{unit}") or {})


def solo_units(table: Table, told: Mapping[str, Mapping[str, Any]]) -> tuple[SoloUnit, ...]:
    if table.solo is None:
        raise Refusal("Both armies have a player.", status=409)
    found = []
    for unit in table.here(table.solo):
        engaged = table.contacts(unit.id)
        seen = told.get(unit.id) or {}
        nearest: tuple[Seen, ...] = ()
        enemy = None
        if seen.get("enemy"):
            enemy = table.unit(seen["enemy"])
            if enemy.side == unit.side or not enemy.here:
                raise Refusal(f"{table.called(enemy.id)} is no enemy on this table.", field="enemy")
            nearest = (Seen(table.called(enemy.id), float(seen.get("inches") or 0)),)
        sees = bool(seen.get("sees", True)) and bool(nearest)
        shooter = bool(shooting_hands(unit.now)) and not unit.row.siege_only
        open_target = enemy is not None and not table.contacts(enemy.id)
        close = bool(nearest) and nearest[0].inches <= unit.row.move and bool(seen.get("reach", True))
        friends: tuple[Seen, ...] = ()
        if seen.get("friend"):
            friend = table.unit(seen["friend"])
            friends = (Seen(table.called(friend.id), min(float(seen.get("friend_inches") or 0), HERO_REACH)),)
        found.append(
            SoloUnit(
                table.called(unit.id),
                unit.now.key,
                unit.now.living_hero,
                activated=unit.acted,
                fleeing=unit.fleeing,
                engaged=bool(engaged) and not unit.fleeing,
                can_shoot=shooter,
                fixed=unit.fixed,
                targets=nearest if sees and shooter and open_target and not engaged else (),
                chargeable=nearest if close and not engaged else (),
                enemies=nearest,
                visible=nearest if sees else (),
                friends=friends,
            )
        )
    return tuple(found)


@step("solo")
def solo(draft: Draft, body: Mapping[str, Any]) -> None:
    """One roll on the solo table: which unit, what it does, and why. Ties come back as a roll-off."""
    draft.begun()
    table = draft.before
    roll = d10(body.get("roll"), "solo roll")
    told = body.get("seen") or {}
    known = {unit.id: remembered(table, unit.id) | dict(told.get(unit.id) or {}) for unit in asks(table)}
    found = decide(
        solo_units(table, known), roll, unit=_name(table, body.get("unit")), target=_name(table, body.get("at"))
    )
    by_name = {table.called(key): key for key in table.ids()}
    for key, seen in known.items():
        if seen:
            draft.put(f"seen/{key}", seen)
    draft.put("solo_now", _stored(table, found, by_name, roll))
    for reason in found.reasons:
        draft.say(reason)


def _name(table: Table, key: object) -> str | None:
    return table.called(table.unit(key).id) if key else None


def _stored(table: Table, found: Decision, by_name: Mapping[str, str], roll: int) -> dict[str, Any]:
    unit = by_name.get(found.unit or "")
    target = by_name.get(found.target or "")
    if found.does is not None and found.does.key == "attack" and unit:
        target = next(iter(table.contacts(unit)), None)
    told: dict[str, Any] = {
        "round": table.round,
        "roll": roll,
        "row": found.row.name if found.row else "",
        "unit": unit,
        "does": found.does.key if found.does else None,
        "target": target,
        "tied": [by_name[name] for name in found.tied],
        "tie": found.tie,
        "reasons": list(found.reasons),
        "rules": list(found.rules),
    }
    if found.hero is not None:
        told["hero"] = {
            "hero": found.hero.hero,
            "on": [by_name[name] for name in found.hero.on],
            "text": found.hero.text,
        }
    return told


def now(table: Table) -> dict[str, Any] | None:
    """The decision that waits to be carried out."""
    told = table.cells.get("solo_now")
    if not told or told["round"] != table.round:
        return None
    unit = told.get("unit")
    if unit and (table.unit(unit).acted or not table.unit(unit).here):
        return None
    return dict(told)
