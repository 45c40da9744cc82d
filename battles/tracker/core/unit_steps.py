"""What is pushed with a finger: tokens, losses, where a unit stands, powers of heroes, and the table set as it stands.

Each of these says how it *is*, not what to add, so that the same tap from two phones is the same tap.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.tracker.draft import Draft, step
from battles.tracker.table import Standing, meeting
from refusal import Refusal
from rulebook.flight import over_the_edge
from rulebook.inplay import Place, UnitInPlay
from rulebook.powers import bless, in_reach, kiss, ladybug_joins, may_bless, may_kiss
from rulebook.ranks import Role
from rulebook.rolls import count, one_of
from rulebook.siege import OUTSIDE, Occupant, piece_of
from rulebook.terrain import terrain_of

WHY = {
    "lost": "the last model fell",
    "scattered": "scattered",
    "edge": "fled off the table",
    "buried": "buried in rubble",
    "charged down": "caught in flight",
    "told": "as the table told",
}


@step("token")
def token(draft: Draft, body: Mapping[str, Any]) -> None:
    """The "acted" or "flees" token put on or taken off."""
    unit = draft.unit(body.get("unit"), noted=())
    what = one_of(body.get("token"), ("acted", "flees"), "token")
    on = bool(body.get("on"))
    if what == "acted":
        draft.begun()
        if on:
            draft.acted(unit)
        else:
            draft.put(f"{unit.id}/acted", 0)
            draft.put(f"{unit.id}/moved", 0)
        draft.say(f"{draft.called(unit.id)}: {'acted' if on else 'not acted yet'}.")
        return
    if on and not unit.row.tests_morale:
        raise Refusal(f"A {unit.row.name} never tests morale, so it cannot flee.", field="token")
    draft.put(f"{unit.id}/flees", on)
    if on:
        draft.part(unit.id)
    draft.say(draft.does(unit, "flees", "flee") + "." if on else f"{draft.called(unit.id)}: no longer fleeing.")


@step("did")
def did(draft: Draft, body: Mapping[str, Any]) -> None:
    """An activation without dice: the unit moved, or did nothing."""
    draft.begun()
    unit = draft.unit(body.get("unit"), noted=("acted", "flees"))
    what = one_of(body.get("did"), ("nothing", "move"), "act")
    _may_act(draft, unit)
    if what == "move":
        if unit.fixed:
            raise Refusal("The garrison’s Ballista cannot move from its tower.", status=409)
        if draft.before.contacts(unit.id):
            raise Refusal("The unit is in melee and can only attack.", status=409)
        draft.put(f"{unit.id}/moved", draft.round)
        if body.get("to"):
            _stand(draft, unit, body["to"])
    draft.acted(unit)
    draft.say(f"{draft.called(unit.id)}: {'moved' if what == 'move' else 'did nothing'}.")


@step("moved")
def moved(draft: Draft, body: Mapping[str, Any]) -> None:
    """The unit has moved and may still attack."""
    draft.begun()
    unit = draft.unit(body.get("unit"), noted=())
    draft.put(f"{unit.id}/moved", draft.round if body.get("on", True) else 0)
    if body.get("to"):
        _stand(draft, unit, body["to"])
    draft.say(f"{draft.called(unit.id)}: {'moved' if body.get('on', True) else 'not moved'}.")


def _may_act(draft: Draft, unit: Standing) -> None:
    if unit.acted:
        raise Refusal(draft.does(unit, "has", "have") + " acted already this round.", status=409)
    if unit.fleeing:
        raise Refusal(draft.does(unit, "is", "are") + " fleeing and can only try to rally.", status=409)


@step("losses")
def losses(draft: Draft, body: Mapping[str, Any]) -> None:
    """Models and wounds of one unit as they are; 0 models and it is removed."""
    unit = draft.unit(body.get("unit"), noted=())
    _left(draft, unit, body)


def _left(draft: Draft, unit: Standing, told: Mapping[str, Any]) -> None:
    models = count(told.get("models", unit.now.models), f"models of {unit.row.name}", most=unit.row.models)
    if models == 0:
        draft.gone(unit, "removed", WHY[told.get("why", "lost")])
        draft.say(f"{draft.called(unit.id)}: removed, {WHY[told.get('why', 'lost')]}.")
        return
    left: dict[str, Any] = {"models": models}
    for what in ("wounds", "hero_wounds"):
        if value := told.get(what, 0):
            left[what] = value
    for what, has in (("shield", unit.now.shield), ("ladybug", unit.now.ladybug)):
        if told.get(what, has):
            left[what] = True
    # Refuses more wounds than the models left can carry.
    UnitInPlay(unit.now.key, models, unit.now.hero, left.get("wounds", 0), left.get("hero_wounds", 0))
    draft.put(f"{unit.id}/left", left)
    wounds = left.get("wounds", 0) + left.get("hero_wounds", 0)
    draft.say(f"{draft.called(unit.id)}: {models} of {unit.row.models} models{f', {wounds} wounds marked' if wounds else ''}.")  # fmt: skip


@step("gone")
def gone(draft: Draft, body: Mapping[str, Any]) -> None:
    """A unit leaves the table: removed, or escaped over the far edge of Break Free (FLEE-07, FLEE-08)."""
    unit = draft.unit(body.get("unit"), noted=())
    how = one_of(body.get("how", "removed"), ("removed", "escaped", "edge"), "fate")
    if how == "edge":
        how = over_the_edge(draft.terms.scenario, _flight_side(draft, unit))
        why = WHY["edge"]
    else:
        why = "got away" if how == "escaped" else WHY["told"]
    if how == "escaped" and (draft.terms.scenario, unit.side) != ("break_free", "A"):
        raise Refusal("Only side A of Break Free has units that escape.", field="how")
    draft.gone(unit, how, why)
    draft.say(f"{draft.called(unit.id)}: {'escaped' if how == 'escaped' else f'removed, {why}'}.")


def _flight_side(draft: Draft, unit: Standing) -> str:
    if draft.terms.siege:
        return "attacker" if unit.side == "A" else "defender"
    return "a" if unit.side == "A" else "b"


@step("stands_at")
def stands_at(draft: Draft, body: Mapping[str, Any]) -> None:
    """Where a unit stands: a kind of ground, or a piece of the castle."""
    unit = draft.unit(body.get("unit"), noted=("at",))
    _stand(draft, unit, body.get("to") or {})
    where = draft.writes[f"{unit.id}/at"]
    name = piece_of(where["castle"]).name if where.get("castle") else terrain_of(where["terrain"]).name
    draft.say(draft.does(unit, "stands", "stand") + f" in: {name.lower()}.")


def _stand(draft: Draft, unit: Standing, to: Mapping[str, Any]) -> None:
    """Judged as a move where the castle is concerned; on open ground the table knows best."""
    piece = to.get("castle") or None
    if piece is not None:
        if not draft.before.has_castle:
            raise Refusal("There is no castle in this battle.", field="castle")
        # What the move rests on: the walls, and who stands on this piece. Not every unit in the castle.
        castle = draft.before.castle()
        for state in castle.pieces:
            draft.look(f"castle/{state.key}")
        for occupant in castle[piece].occupants:
            draft.look(f"{occupant.name}/at")
            draft.look(f"{occupant.name}/gone")
        me = Occupant(unit.id, "attacker" if unit.side == "A" else "defender", unit.now.key, unit.fleeing, unit.fixed)
        if piece != unit.at.get("castle"):
            coming = unit.at.get("castle") or OUTSIDE
            if to.get("set") or (draft.round == 0 and unit.side == "B"):
                coming = None
            if not to.get("set"):
                castle.may_stand(me, piece, coming).insist("castle")
        draft.put(f"{unit.id}/at", {"terrain": castle[piece].terrain, "castle": piece})
        return
    terrain = terrain_of(to.get("terrain", "clear"))
    Place(terrain.key, extra_tall=bool(to.get("extra_tall")))
    where: dict[str, Any] = {"terrain": terrain.key}
    if to.get("extra_tall"):
        where["extra_tall"] = True
    draft.put(f"{unit.id}/at", where)


@step("contact")
def contact(draft: Draft, body: Mapping[str, Any]) -> None:
    """Two units are in contact, or are not."""
    one, two = draft.unit(body.get("unit"), noted=()), draft.unit(body.get("other"), "other", ())
    if one.side == two.side:
        raise Refusal("Units of one side do not fight each other.", field="other")
    on = bool(body.get("on"))
    draft.put(meeting(one.id, two.id), on or None)
    if not on:
        for key in (one.id, two.id):
            if draft.before.contacts(key) in ((one.id,), (two.id,)):
                draft.part(key)  # its melee is over, and a vat may be poured over it anew
    draft.say(f"{draft.called(one.id)} and {draft.called(two.id)} are {'in melee' if on else 'apart'}.")


# --- heroes --------------------------------------------------------------------------------------------------------


@step("blessed")
def blessed(draft: Draft, body: Mapping[str, Any]) -> None:
    """A Cleric blesses a unit within 8″ (HERO-09)."""
    cleric, unit = _power(draft, body)
    may_bless(cleric.now, _distance(body), used=cleric.power_used).insist("unit")
    bless(unit.now)
    draft.put(f"{unit.id}/blessed", draft.round)
    draft.put(f"{cleric.id}/power", draft.round)
    draft.say(f"The Cleric of {draft.called(cleric.id)} blesses {draft.called(unit.id)}.")


@step("kissed")
def kissed(draft: Draft, body: Mapping[str, Any]) -> None:
    """A Princess blows a kiss to a friendly model within 8″ (HERO-11)."""
    princess, unit = _power(draft, body)
    free = [model.role for model in unit.now.standing if model.role not in ("king", "hero")]
    role: Role = free[0] if free else "plain"
    may_kiss(
        princess.now, unit.now, role, _distance(body), friend=unit.side == princess.side, used=princess.power_used
    ).insist("target")
    now = kiss(unit.now)
    draft.put(f"{unit.id}/kissed", [draft.round, now.kissed])
    draft.put(f"{princess.id}/power", draft.round)
    draft.say(f"The Princess of {draft.called(princess.id)} blows a kiss to {draft.called(unit.id)}.")


def _power(draft: Draft, body: Mapping[str, Any]) -> tuple[Standing, Standing]:
    draft.begun()
    owner = draft.unit(body.get("unit"), noted=("left", "flees", "power"))
    return owner, draft.unit(body.get("target"), "target", ("left", "kissed"))


def _distance(body: Mapping[str, Any]) -> float:
    # On the table somebody has measured; no figure means they say it is in reach.
    return float(body.get("inches") or 0)


@step("ladybug")
def ladybug(draft: Draft, body: Mapping[str, Any]) -> None:
    """The Ladybug flies to a friend within 8″, or is lost (HERO-07)."""
    side = one_of(body.get("side"), draft.before.sides, "side")
    if not draft.look(f"ladybug/{side}"):
        raise Refusal("No Ladybug is looking for a unit.", status=409)
    if body.get("unit"):
        unit = draft.unit(body["unit"])
        if unit.side != side:
            raise Refusal("It flies to a friend.", field="unit")
        if not in_reach(_distance(body)):
            raise Refusal("The unit is farther than 8″ away.", field="unit")
        draft.left(unit, ladybug_joins(unit.now))
        draft.say(f"The Ladybug flies to {draft.called(unit.id)}.")
    else:
        draft.say(f"{draft.before.side_name(side)}’s Ladybug is lost.")
    draft.put(f"ladybug/{side}", None)


# --- set it as it stands -------------------------------------------------------------------------------------------


@step("set")
def as_it_stands(draft: Draft, body: Mapping[str, Any]) -> None:
    """Bring the tracker in line with the table: round, and for each unit models, wounds, tokens. Nothing is judged but
    what cannot be at all."""
    if "round" in body:
        most = draft.terms.row.rounds
        draft.put("round", count(body["round"], "round", most=most or 999))
    for key, told in (body.get("units") or {}).items():
        unit = draft.before.unit(key)
        _set_unit(draft, unit, told)
    for side, vp in (body.get("spent") or {}).items():
        draft.put(f"spent/{one_of(side, draft.before.sides, 'side')}", count(vp, "VP spent", most=999))
    # A fight that was half rolled would be about units that stand otherwise now.
    for key, fight in draft.before.fights().items():
        if {fight["attacker"], fight.get("target")} & set(body.get("units") or {}):
            draft.put(f"fight/{key}", None)
    draft.say("The tracker was set as the table stands.")


def _set_unit(draft: Draft, unit: Standing, told: Mapping[str, Any]) -> None:
    key = unit.id
    fate = told.get("gone", False)
    if fate:
        how = one_of(fate if fate is not True else "removed", ("removed", "escaped"), "fate")
        if how == "escaped" and (draft.terms.scenario, unit.side) != ("break_free", "A"):
            raise Refusal("Only side A of Break Free has units that escape.", field="gone")
        draft.put(f"{key}/gone", {"how": how, "why": WHY["told"], "round": draft.round})
        draft.part(key)
        return
    draft.put(f"{key}/gone", None)
    most = unit.row.models
    models = count(told.get("models", unit.now.models), f"models of {unit.name}", least=1, most=most)
    left: dict[str, Any] = {"models": models}
    for what in ("wounds", "hero_wounds"):
        if value := told.get(what, getattr(unit.now, what)):
            left[what] = value
    for what in ("shield", "ladybug"):
        if told.get(what, getattr(unit.now, what)):
            left[what] = True
    flees = bool(told.get("flees", unit.fleeing))
    UnitInPlay(unit.now.key, models, unit.now.hero, left.get("wounds", 0), left.get("hero_wounds", 0), fleeing=flees)
    draft.put(f"{key}/left", left)
    draft.put(f"{key}/flees", flees)
    acted = bool(told.get("acted", unit.acted))
    draft.put(f"{key}/acted", draft.round if acted else 0)
    if flees:
        draft.part(key)
