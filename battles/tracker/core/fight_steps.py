"""The steps of a fight: started by one phone, rolled by any, resolved by the rules.

While it lasts, a fight is a cell ("fight/A1") with the situation at its start and the dice so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.tracker.core import live_score
from battles.tracker.core.fight_outcome import write_outcome
from battles.tracker.core.fight_progress import (
    FightProgress,
    progress_of,
    sides_of_rolls,
    situation_from_json,
    situation_to_json,
)
from battles.tracker.core.fight_situation import (
    ATTACK_KINDS,
    attack_verb,
    attacked_object,
    build_situation,
    king_whereabouts,
)
from battles.tracker.core.state import BattleTerms, TrackerState, melee_cell
from battles.tracker.core.step_draft import StepDraft, step_kind
from refusal import Refusal
from rulebook.basics.input_checks import check_count, check_d10s, check_one_of
from rulebook.campaign.vp_spending import buy_reroll
from rulebook.data.random_events import MESSENGER
from rulebook.siege.bombardment import Bombardment

# The cells of its target an attack depends on.
TARGET_CELLS = ("left", "flees", "at", "blessed", "kissed")


@step_kind("fight")
def start_fight(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """A unit attacks, casts or rallies: fix the situation and ask for dice."""
    how = check_one_of(body.get("how"), ATTACK_KINDS, "attack")
    draft.require_begun()
    attacker = draft.unit(body.get("unit"))
    noted = (*TARGET_CELLS, "first") if draft.before.event == MESSENGER else TARGET_CELLS
    target = draft.unit(body.get("target"), "target", noted) if body.get("target") else None
    if draft.read(f"fight/{attacker.id}"):
        raise Refusal(
            f"{draft.full_name(attacker.id)} is already fighting. Finish or cancel that attack first.", status=409
        )
    if how == "cast":
        if attacker.power_used:
            raise Refusal("The Wizard already cast a spell this round.", status=409)
    elif how != "nerve" and attacker.acted:
        raise Refusal(draft.with_verb(attacker, "has", "have") + " already acted this round.", status=409)
    if how == "charge" and draft.before.contacts(attacker.id):
        raise Refusal("The unit is in melee. It can only strike.", status=409)
    if how == "charge" and attacker.fixed:
        raise Refusal("The garrison’s Ballista cannot leave its tower.", status=409)
    found = build_situation(draft.before, draft.terms, how, attacker, target, body)
    fight: dict[str, Any] = {"how": how, "attacker": attacker.id, "situation": situation_to_json(found), "faces": []}
    if isinstance(found, Bombardment):
        fight["damage"] = draft.read(f"castle/{found.piece}")["damage"]
    if target is not None:
        fight["target"] = target.id
    for what in ("building", "piece"):
        if body.get(what) is not None:
            fight[what] = body[what]
    whom = draft.full_name(target.id) if target else attacked_object(fight)
    draft.say(f"{draft.full_name(attacker.id)} {attack_verb(how, attacker.now)}{f' {whom}' if whom else ''}.")
    if how in ("charge", "strike") and target is not None and not target.fleeing:
        draft.write(melee_cell(attacker.id, target.id), True)
    _advance_fight(draft, attacker.id, fight)


@step_kind("dice")
def add_dice(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Add the dice the fight asked for. ``at``: the number of dice it had before, so that no roll counts twice."""
    key, fight = _current_fight(draft, body)
    before = progress_of(draft.before, draft.terms, fight)
    if before.ask is None:
        raise Refusal("All dice are rolled. Keep this roll or re-roll a die.", status=409)
    faces = check_d10s(body.get("faces") or (), f"{before.ask.what} roll", before.ask.count)
    side = sides_of_rolls(draft.before, fight, before)[-1]
    draft.dice.append(
        {
            "what": before.ask.what,
            "side": side,
            "needed": [die.needed for die in before.ask.dice],
            "faces": list(faces),
        }
    )
    _advance_fight(draft, key, {**fight, "faces": [*fight["faces"], *faces], "here": bool(body.get("here"))})


@step_kind("morale_holds")
def set_morale_ticks(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Set who is near for a morale test, before its die is rolled."""
    key, fight = _current_fight(draft, body)
    place = morale_test_place(draft.before, draft.terms, fight)
    if place is None:
        raise Refusal("No morale test is due now.", status=409)
    unit = draft.tracker.unit(fight["attacker"] if place == "at" else fight["target"], ("gone",))
    ticks = body.get("ticks") or {}
    found = situation_from_json(fight["how"], fight["situation"])
    there = replace(
        getattr(found, place),
        king=king_whereabouts(draft.before, unit, bool(ticks.get("king_near"))),
        bearers=1 if ticks.get("bearer") else 0,
    )
    fight["situation"] = situation_to_json(replace(found, **{place: there}))
    progress_of(draft.before, draft.terms, fight)
    near = [word for word, on in (("their King", ticks.get("king_near")), ("a standard", ticks.get("bearer"))) if on]
    whom = " and ".join(near) or "nobody"
    draft.say(f"{draft.full_name(unit.id)} test{'' if unit.row.many else 's'} morale with {whom} within 8″.")
    draft.write(f"fight/{key}", fight)


def morale_test_place(tracker: TrackerState, terms: BattleTerms, fight: Mapping[str, Any]) -> str | None:
    """Where the unit testing morale now stands: "at" (attacker), "target_at" (target), or None."""
    done = progress_of(tracker, terms, fight)
    if done.ask is None or done.ask.what != "morale":
        return None
    sides = sides_of_rolls(tracker, fight, done)
    tested = [side for (ask, _), side in zip(done.rolled, sides, strict=False) if ask.what == "morale"]
    if sides[-1] in tested:
        return None  # the second test of a side keeps the ticks of its first
    if sides[-1] == tracker.cells[fight["attacker"]]["side"]:
        return "at"
    return "target_at" if fight.get("target") else None


@step_kind("rerolled")
def reroll_die(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Re-roll one die of the last roll for 1 VP and keep either roll (VP-05, R-57)."""
    key, fight = _current_fight(draft, body)
    done = progress_of(draft.before, draft.terms, fight)
    if not done.rolled:
        raise Refusal("No die has been rolled yet.", status=409)
    ask, faces = done.rolled[-1]
    at = check_count(body.get("die"), "die", most=len(faces) - 1)
    owner = sides_of_rolls(draft.before, fight, done)[len(done.rolled) - 1]
    side = check_one_of(body.get("side", owner), draft.before.sides, "side")
    purse = live_score.vp_available(draft.before, draft.terms, side)
    second = check_d10s([body.get("face")], "second throw", 1)[0]
    better = "second" if second > faces[at] else "first"
    keep: Any = body.get("keep") or better
    bought = buy_reroll(purse, faces[at], second, keep, own_die=side == owner, options=draft.terms.options)
    draft.write(f"spent/{side}", int(draft.read(f"spent/{side}") or 0) + 1)
    changed = list(fight["faces"])
    changed[len(fight["faces"]) - len(faces) + at] = bought.kept
    draft.dice.append(
        {"what": ask.what, "side": owner, "needed": [ask.dice[at].needed], "faces": [second], "again": True}
    )
    draft.say(f"{draft.before.side_name(side)}: {bought.text}")
    _advance_fight(draft, key, {**fight, "faces": changed})


@step_kind("settled")
def keep_roll(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Keep the roll and resolve the fight."""
    key, fight = _current_fight(draft, body)
    done = progress_of(draft.before, draft.terms, fight)
    if done.result is None:
        raise Refusal(f"{done.ask.text if done.ask else 'Dice are missing.'}", status=409)
    write_outcome(draft, key, fight, done)


@step_kind("broken_off")
def cancel_fight(draft: StepDraft, body: Mapping[str, Any]) -> None:
    """Cancel the fight; its dice do not count."""
    key, fight = _current_fight(draft, body)
    draft.write(f"fight/{key}", None)
    draft.say(f"{draft.full_name(fight['attacker'])}: attack cancelled.")


def _current_fight(draft: StepDraft, body: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    key = str(body.get("fight") or "")
    fight = draft.read(f"fight/{key}")
    if not fight:
        raise Refusal("This fight is over.", status=409)
    if body.get("at") is not None and body["at"] != len(fight["faces"]):
        raise Refusal("Another phone already entered these dice. Here is the next roll.", status=409)
    return key, dict(fight)


def _advance_fight(draft: StepDraft, key: str, fight: dict[str, Any]) -> None:
    """Ask for the next roll, or resolve the fight if all is rolled and no side can buy a re-roll."""
    done = progress_of(draft.before, draft.terms, fight)
    if done.ask is None and not (done.rolled and sides_able_to_reroll(draft.before, draft.terms, fight, done)):
        write_outcome(draft, key, fight, done)
        return
    draft.write(f"fight/{key}", fight)


def sides_able_to_reroll(
    tracker: TrackerState, terms: BattleTerms, fight: Mapping[str, Any], done: FightProgress
) -> tuple[str, ...]:
    """The sides that can pay to re-roll a die of the last roll."""
    if not done.rolled:
        return ()
    owner = sides_of_rolls(tracker, fight, done)[len(done.rolled) - 1]
    ask, faces = done.rolled[-1]
    failed = any(face < die.needed for die, face in zip(ask.dice, faces, strict=True))
    if not failed and not terms.options.reroll_enemy_dice:
        return ()  # no failed die to re-roll
    able = tracker.sides if terms.options.reroll_enemy_dice else (owner,)
    if tracker.solo and not terms.options.ai_spends_vp:
        able = tuple(side for side in able if side != tracker.solo)
    return tuple(side for side in able if live_score.vp_available(tracker, terms, side) > 0)
