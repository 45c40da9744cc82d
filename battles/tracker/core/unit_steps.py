"""Steps for one unit: tokens, losses, position, hero powers; and fixing the whole tracker.

Each step sets a value instead of changing it by some amount, so the same tap from two phones counts once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.tracker.core.state import TrackedUnit, melee_cell
from battles.tracker.core.step_draft import StepDraft, step_kind
from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_one_of
from rulebook.battle.casualty_order import Role
from rulebook.battle.hero_powers import attach_ladybug, can_bless, can_kiss, give_blessing, give_kiss, is_in_reach
from rulebook.battle.morale import fate_off_table
from rulebook.battle.unit_in_play import Place, UnitInPlay
from rulebook.data.terrain import terrain_of
from rulebook.siege.castle import OUTSIDE, Occupant, piece_of

REMOVAL_REASONS = {
    "lost": "the last model fell",
    "scattered": "scattered",
    "edge": "fled off the table",
    "buried": "buried in rubble",
    "charged down": "caught in flight",
    "told": "by hand",
}


@step_kind("token")
def set_token(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Put on or take off the "acted" or "flees" token."""
    unit = draft.unit(body.get("unit"), noted=())
    what = check_one_of(body.get("token"), ("acted", "flees"), "token")
    on = bool(body.get("on"))
    if what == "acted":
        draft.require_begun()
        if on:
            draft.mark_acted(unit)
        else:
            draft.write(f"{unit.id}/acted", 0)
            draft.write(f"{unit.id}/moved", 0)
        draft.say(f"{draft.full_name(unit.id)}: {'acted' if on else 'not acted yet'}.")
        return
    if on and not unit.row.tests_morale:
        raise Refusal(f"A {unit.row.name} never tests morale, so it cannot flee.", field="token")
    draft.write(f"{unit.id}/flees", on)
    if on:
        draft.end_melees(unit.id)
    draft.say(draft.with_verb(unit, "flees", "flee") + "." if on else f"{draft.full_name(unit.id)}: no longer fleeing.")


@step_kind("did")
def activate_without_dice(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """An activation without dice: a move, or nothing."""
    draft.require_begun()
    unit = draft.unit(body.get("unit"), noted=("acted", "flees"))
    what = check_one_of(body.get("did"), ("nothing", "move"), "act")
    _require_can_act(draft, unit)
    if what == "move":
        if unit.fixed:
            raise Refusal("The garrison’s Ballista cannot leave its tower.", status=409)
        if draft.before.contacts(unit.id):
            raise Refusal("The unit is in melee. It can only attack.", status=409)
        draft.write(f"{unit.id}/moved", draft.round)
        if body.get("to"):
            _write_position(draft, unit, body["to"])
    draft.mark_acted(unit)
    draft.say(f"{draft.full_name(unit.id)}: {'moved' if what == 'move' else 'did nothing'}.")


@step_kind("moved")
def mark_moved(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """The unit has moved and can still attack."""
    draft.require_begun()
    unit = draft.unit(body.get("unit"), noted=())
    draft.write(f"{unit.id}/moved", draft.round if body.get("on", True) else 0)
    if body.get("to"):
        _write_position(draft, unit, body["to"])
    draft.say(f"{draft.full_name(unit.id)}: {'moved' if body.get('on', True) else 'not moved'}.")


def _require_can_act(draft: StepDraft, unit: TrackedUnit) -> None:
    if unit.acted:
        raise Refusal(draft.with_verb(unit, "has", "have") + " already acted this round.", status=409)
    if unit.fleeing:
        raise Refusal(draft.with_verb(unit, "is", "are") + " fleeing and can only try to rally.", status=409)


@step_kind("losses")
def set_losses(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set the models and wounds of one unit; 0 models removes it."""
    unit = draft.unit(body.get("unit"), noted=())
    _write_losses(draft, unit, body)


def _write_losses(draft: StepDraft, unit: TrackedUnit, losses: Mapping[str, Any]) -> None:
    models = check_count(losses.get("models", unit.now.models), f"models of {unit.row.name}", most=unit.row.models)
    if models == 0:
        draft.remove(unit, "removed", REMOVAL_REASONS[losses.get("why", "lost")])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS[losses.get('why', 'lost')]}.")
        return
    left: dict[str, Any] = {"models": models}
    for what in ("wounds", "hero_wounds"):
        if value := losses.get(what, 0):
            left[what] = value
    for what, has in (("shield", unit.now.shield), ("ladybug", unit.now.ladybug)):
        if losses.get(what, has):
            left[what] = True
    # Refuses more wounds than the remaining models can have.
    UnitInPlay(unit.now.key, models, unit.now.hero, left.get("wounds", 0), left.get("hero_wounds", 0))
    draft.write(f"{unit.id}/left", left)
    wounds = left.get("wounds", 0) + left.get("hero_wounds", 0)
    marked = f", {wounds} wounds marked" if wounds else ""
    draft.say(f"{draft.full_name(unit.id)}: {models} of {unit.row.models} models{marked}.")


@step_kind("gone")
def remove_unit(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Remove a unit, or let it escape over the far edge in Break Free (FLEE-07, FLEE-08)."""
    unit = draft.unit(body.get("unit"), noted=())
    how = check_one_of(body.get("how", "removed"), ("removed", "escaped", "edge"), "fate")
    if how == "edge":
        how = fate_off_table(draft.terms.scenario, _flight_side(draft, unit))
        why = REMOVAL_REASONS["edge"]
    else:
        why = "got away" if how == "escaped" else REMOVAL_REASONS["told"]
    if how == "escaped" and (draft.terms.scenario, unit.side) != ("break_free", "A"):
        raise Refusal("Only units of side A in Break Free can escape.", field="how")
    draft.remove(unit, how, why)
    draft.say(f"{draft.full_name(unit.id)}: {'escaped' if how == 'escaped' else f'removed, {why}'}.")


def _flight_side(draft: StepDraft, unit: TrackedUnit) -> str:
    if draft.terms.siege:
        return "attacker" if unit.side == "A" else "defender"
    return "a" if unit.side == "A" else "b"


# A unit is "on a mound" or "behind a barrier", but "in clear terrain" or "in bad goings".
TERRAIN_PREPOSITIONS = {
    "mound": "on a",
    "tall patch": "in a",
    "barrier": "behind a",
    "fortress": "in a",
    "building": "in a",
}


@step_kind("stands_at")
def set_position(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set where a unit is: a kind of terrain, or a piece of the castle."""
    unit = draft.unit(body.get("unit"), noted=("at",))
    _write_position(draft, unit, body.get("to") or {})
    where = draft.writes[f"{unit.id}/at"]
    if where.get("castle"):
        name = piece_of(where["castle"]).name.lower()
        position = f"{'on' if 'battlement' in name else 'in'} the {name}"
    else:
        name = terrain_of(where["terrain"]).name.lower()
        position = f"{TERRAIN_PREPOSITIONS.get(name, 'in')} {name}"
    draft.say(f"{draft.full_name(unit.id)}: now {position}.")


def _write_position(draft: StepDraft, unit: TrackedUnit, to: Mapping[str, Any]) -> None:
    """In the castle this is judged as a move; elsewhere the players know best."""
    piece = to.get("castle") or None
    if piece is not None:
        if not draft.before.has_castle:
            raise Refusal("There is no castle in this battle.", field="castle")
        # The move depends on the walls and the units on this piece, not on every unit in the castle.
        castle = draft.before.castle()
        for state in castle.pieces:
            draft.read(f"castle/{state.key}")
        for occupant in castle[piece].occupants:
            draft.read(f"{occupant.name}/at")
            draft.read(f"{occupant.name}/gone")
        me = Occupant(unit.id, "attacker" if unit.side == "A" else "defender", unit.now.key, unit.fleeing, unit.fixed)
        if piece != unit.at.get("castle"):
            coming = unit.at.get("castle") or OUTSIDE
            if to.get("set") or (draft.round == 0 and unit.side == "B"):
                coming = None
            if not to.get("set"):
                castle.can_stand(me, piece, coming).require("castle")
        draft.write(f"{unit.id}/at", {"terrain": castle[piece].terrain, "castle": piece})
        return
    terrain = terrain_of(to.get("terrain", "clear"))
    Place(terrain.key, extra_tall=bool(to.get("extra_tall")))
    where: dict[str, Any] = {"terrain": terrain.key}
    if to.get("extra_tall"):
        where["extra_tall"] = True
    draft.write(f"{unit.id}/at", where)


@step_kind("contact")
def set_contact(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set whether two units are in melee."""
    one, two = draft.unit(body.get("unit"), noted=()), draft.unit(body.get("other"), "other", ())
    if one.side == two.side:
        raise Refusal("Units of the same side cannot fight each other.", field="other")
    on = bool(body.get("on"))
    draft.write(melee_cell(one.id, two.id), on or None)
    if not on:
        for key in (one.id, two.id):
            if draft.before.contacts(key) in ((one.id,), (two.id,)):
                draft.end_melees(key)  # its melee is over, so sauce can be poured over it again
    now = "in melee" if on else "no longer in melee"
    draft.say(f"{draft.full_name(one.id)} and {draft.full_name(two.id)} are {now}.")


# --- heroes --------------------------------------------------------------------------------------------------------


@step_kind("blessed")
def bless_unit(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """A Cleric blesses a unit within 8″ (HERO-09)."""
    cleric, unit = _hero_and_target(draft, body)
    can_bless(cleric.now, _distance(body), used=cleric.power_used).require("unit")
    give_blessing(unit.now)
    draft.write(f"{unit.id}/blessed", draft.round)
    draft.write(f"{cleric.id}/power", draft.round)
    draft.say(f"The Cleric of {draft.full_name(cleric.id)} blesses {draft.full_name(unit.id)}.")


@step_kind("kissed")
def kiss_unit(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """A Princess blows a kiss to a friendly model within 8″ (HERO-11)."""
    princess, unit = _hero_and_target(draft, body)
    free = [model.role for model in unit.now.standing if model.role not in ("king", "hero")]
    role: Role = free[0] if free else "plain"
    can_kiss(
        princess.now, unit.now, role, _distance(body), friend=unit.side == princess.side, used=princess.power_used
    ).require("target")
    now = give_kiss(unit.now)
    draft.write(f"{unit.id}/kissed", [draft.round, now.kissed])
    draft.write(f"{princess.id}/power", draft.round)
    draft.say(f"The Princess of {draft.full_name(princess.id)} blows a kiss to {draft.full_name(unit.id)}.")


def _hero_and_target(draft: StepDraft, body: Mapping[str, Any]) -> tuple[TrackedUnit, TrackedUnit]:
    draft.require_begun()
    owner = draft.unit(body.get("unit"), noted=("left", "flees", "power"))
    return owner, draft.unit(body.get("target"), "target", ("left", "kissed"))


def _distance(body: Mapping[str, Any]) -> float:
    # Players measure on the table; no number means the unit is in reach.
    return float(body.get("inches") or 0)


@step_kind("ladybug")
def move_ladybug(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """The Ladybug flies to a friend within 8″, or is lost (HERO-07)."""
    side = check_one_of(body.get("side"), draft.before.sides, "side")
    if not draft.read(f"ladybug/{side}"):
        raise Refusal("No Ladybug needs a new unit.", status=409)
    if body.get("unit"):
        unit = draft.unit(body["unit"])
        if unit.side != side:
            raise Refusal("The Ladybug flies to a friendly unit.", field="unit")
        if not is_in_reach(_distance(body)):
            raise Refusal("The unit is more than 8″ away.", field="unit")
        draft.write_strength(unit, attach_ladybug(unit.now))
        draft.say(f"The Ladybug flies to {draft.full_name(unit.id)}.")
    else:
        draft.say(f"{draft.before.side_name(side)}’s Ladybug is lost.")
    draft.write(f"ladybug/{side}", None)


# --- fixing the tracker ---------------------------------------------------------------------------------------------


@step_kind("set")
def fix_tracker(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Make the tracker match the table: the round, and models, wounds and tokens of each unit. Only impossible values
    are refused."""
    if "round" in body:
        most = draft.terms.row.rounds
        draft.write("round", check_count(body["round"], "round", most=most or 999))
    for key, changes in (body.get("units") or {}).items():
        unit = draft.before.unit(key)
        _fix_unit(draft, unit, changes)
    for side, vp in (body.get("spent") or {}).items():
        draft.write(f"spent/{check_one_of(side, draft.before.sides, 'side')}", check_count(vp, "VP spent", most=999))
    # Unfinished fights of changed units no longer match them.
    for key, fight in draft.before.fights().items():
        if {fight["attacker"], fight.get("target")} & set(body.get("units") or {}):
            draft.write(f"fight/{key}", None)
    draft.say("The tracker was fixed by hand.")


def _fix_unit(draft: StepDraft, unit: TrackedUnit, changes: Mapping[str, Any]) -> None:
    key = unit.id
    fate = changes.get("gone", False)
    if fate:
        how = check_one_of(fate if fate is not True else "removed", ("removed", "escaped"), "fate")
        if how == "escaped" and (draft.terms.scenario, unit.side) != ("break_free", "A"):
            raise Refusal("Only units of side A in Break Free can escape.", field="gone")
        draft.write(f"{key}/gone", {"how": how, "why": REMOVAL_REASONS["told"], "round": draft.round})
        draft.end_melees(key)
        return
    draft.write(f"{key}/gone", None)
    most = unit.row.models
    models = check_count(changes.get("models", unit.now.models), f"models of {unit.name}", least=1, most=most)
    left: dict[str, Any] = {"models": models}
    for what in ("wounds", "hero_wounds"):
        if value := changes.get(what, getattr(unit.now, what)):
            left[what] = value
    for what in ("shield", "ladybug"):
        if changes.get(what, getattr(unit.now, what)):
            left[what] = True
    flees = bool(changes.get("flees", unit.fleeing))
    UnitInPlay(unit.now.key, models, unit.now.hero, left.get("wounds", 0), left.get("hero_wounds", 0), fleeing=flees)
    draft.write(f"{key}/left", left)
    draft.write(f"{key}/flees", flees)
    acted = bool(changes.get("acted", unit.acted))
    draft.write(f"{key}/acted", draft.round if acted else 0)
    if flees:
        draft.end_melees(key)
