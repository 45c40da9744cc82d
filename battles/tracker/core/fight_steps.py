"""A fight from the first tick to the last die: opened by one phone, rolled by any, settled by the rules.

While it is under way it is a cell of its own ("fight/A1"): the situation as it was when it began, and the dice so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from battles.tracker import goals
from battles.tracker.course import Course, course_of, read_back, sides_of_rolls, stored
from battles.tracker.draft import Draft, step
from battles.tracker.facing import HOW, king_told, situation, thing_of, verb
from battles.tracker.outcome import settle
from battles.tracker.table import Table, Terms, meeting
from refusal import Refusal
from rulebook.bombardment import Bombardment
from rulebook.events import MESSENGER
from rulebook.rolls import count, d10s, one_of
from rulebook.spoils import buy_reroll

# What an attack looks at in its target; whether it has acted or moved is its own affair.
STRUCK = ("left", "flees", "at", "blessed", "kissed")


@step("fight")
def opened(draft: Draft, body: Mapping[str, Any]) -> None:
    """A unit attacks, casts or rallies: the situation is fixed, the dice are asked for."""
    how = one_of(body.get("how"), HOW, "attack")
    draft.begun()
    attacker = draft.unit(body.get("unit"))
    noted = (*STRUCK, "first") if draft.before.event == MESSENGER else STRUCK
    target = draft.unit(body.get("target"), "target", noted) if body.get("target") else None
    if draft.look(f"fight/{attacker.id}"):
        raise Refusal(f"{draft.called(attacker.id)} is in the middle of a fight. Roll on, or take it back.", status=409)
    if how == "cast":
        if attacker.power_used:
            raise Refusal("The Wizard has cast already this round.", status=409)
    elif how != "nerve" and attacker.acted:
        raise Refusal(draft.does(attacker, "has", "have") + " acted already this round.", status=409)
    if how == "charge" and draft.before.contacts(attacker.id):
        raise Refusal("The unit is in melee and can only strike.", status=409)
    if how == "charge" and attacker.fixed:
        raise Refusal("The garrison’s Ballista cannot move from its tower.", status=409)
    found = situation(draft.before, draft.terms, how, attacker, target, body)
    fight: dict[str, Any] = {"how": how, "attacker": attacker.id, "situation": stored(found), "faces": []}
    if isinstance(found, Bombardment):
        fight["damage"] = draft.look(f"castle/{found.piece}")["damage"]
    if target is not None:
        fight["target"] = target.id
    for what in ("building", "piece"):
        if body.get(what) is not None:
            fight[what] = body[what]
    whom = draft.called(target.id) if target else thing_of(fight)
    draft.say(f"{draft.called(attacker.id)} {verb(how, attacker.now)}{f' {whom}' if whom else ''}.")
    if how in ("charge", "strike") and target is not None and not target.fleeing:
        draft.put(meeting(attacker.id, target.id), True)
    _carry(draft, attacker.id, fight)


@step("dice")
def rolled(draft: Draft, body: Mapping[str, Any]) -> None:
    """The dice the fight asked for. ``at`` is how many it had when they were asked, so that nobody rolls twice."""
    key, fight = _fight(draft, body)
    before = course_of(draft.before, draft.terms, fight)
    if before.ask is None:
        raise Refusal("Everything is rolled. Let it stand, or re-roll a die.", status=409)
    faces = d10s(body.get("faces") or (), f"{before.ask.what} roll", before.ask.count)
    side = sides_of_rolls(draft.before, fight, before)[-1]
    draft.dice.append(
        {
            "what": before.ask.what,
            "side": side,
            "needed": [die.needed for die in before.ask.dice],
            "faces": list(faces),
        }
    )
    _carry(draft, key, {**fight, "faces": [*fight["faces"], *faces], "here": bool(body.get("here"))})


@step("morale_holds")
def morale_holds(draft: Draft, body: Mapping[str, Any]) -> None:
    """Who is near when morale is tested: seen only then, so it can still be told before the die falls."""
    key, fight = _fight(draft, body)
    place = nerve_place(draft.before, draft.terms, fight)
    if place is None:
        raise Refusal("No morale is tested now.", status=409)
    unit = draft.table.unit(fight["attacker"] if place == "at" else fight["target"], ("gone",))
    ticks = body.get("ticks") or {}
    found = read_back(fight["how"], fight["situation"])
    there = replace(
        getattr(found, place),
        king=king_told(draft.before, unit, bool(ticks.get("king_near"))),
        bearers=1 if ticks.get("bearer") else 0,
    )
    fight["situation"] = stored(replace(found, **{place: there}))
    course_of(draft.before, draft.terms, fight)
    near = [word for word, on in (("their King", ticks.get("king_near")), ("a standard", ticks.get("bearer"))) if on]
    whom = " and ".join(near) or "nobody"
    draft.say(f"{draft.called(unit.id)} test{'' if unit.row.many else 's'} morale with {whom} within 8″.")
    draft.put(f"fight/{key}", fight)


def nerve_place(table: Table, terms: Terms, fight: Mapping[str, Any]) -> str | None:
    """Which of the two stands where morale is tested now: "at" the attacker, "target_at" the target; None where it is not."""
    done = course_of(table, terms, fight)
    if done.ask is None or done.ask.what != "morale":
        return None
    sides = sides_of_rolls(table, fight, done)
    tested = [side for (ask, _), side in zip(done.rolled, sides, strict=False) if ask.what == "morale"]
    if sides[-1] in tested:
        return None  # what was told for the first test stands
    if sides[-1] == table.cells[fight["attacker"]]["side"]:
        return "at"
    return "target_at" if fight.get("target") else None


@step("rerolled")
def rerolled(draft: Draft, body: Mapping[str, Any]) -> None:
    """1 VP for one die of the last roll thrown again, either throw kept (VP-05, R-57)."""
    key, fight = _fight(draft, body)
    done = course_of(draft.before, draft.terms, fight)
    if not done.rolled:
        raise Refusal("No die has been rolled yet.", status=409)
    ask, faces = done.rolled[-1]
    at = count(body.get("die"), "die", most=len(faces) - 1)
    owner = sides_of_rolls(draft.before, fight, done)[len(done.rolled) - 1]
    side = one_of(body.get("side", owner), draft.before.sides, "side")
    purse = goals.purse(draft.before, draft.terms, side)
    second = d10s([body.get("face")], "second throw", 1)[0]
    better = "second" if second > faces[at] else "first"
    bought = buy_reroll(purse, faces[at], second, body.get("keep") or better, own_die=side == owner, options=draft.terms.options)  # type: ignore[arg-type]  # fmt: skip
    draft.put(f"spent/{side}", int(draft.look(f"spent/{side}") or 0) + 1)
    changed = list(fight["faces"])
    changed[len(fight["faces"]) - len(faces) + at] = bought.kept
    draft.dice.append(
        {"what": ask.what, "side": owner, "needed": [ask.dice[at].needed], "faces": [second], "again": True}
    )
    draft.say(f"{draft.before.side_name(side)}: {bought.text}")
    _carry(draft, key, {**fight, "faces": changed})


@step("settled")
def settled(draft: Draft, body: Mapping[str, Any]) -> None:
    """The dice stand; nobody re-rolls."""
    key, fight = _fight(draft, body)
    done = course_of(draft.before, draft.terms, fight)
    if done.result is None:
        raise Refusal(f"{done.ask.text if done.ask else 'Dice are missing.'}", status=409)
    settle(draft, key, fight, done)


@step("broken_off")
def broken_off(draft: Draft, body: Mapping[str, Any]) -> None:
    """The fight is not fought after all, or was settled on the table; nothing it rolled counts."""
    key, fight = _fight(draft, body)
    draft.put(f"fight/{key}", None)
    draft.say(f"{draft.called(fight['attacker'])}: the fight is left out of the tracker.")


def _fight(draft: Draft, body: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    key = str(body.get("fight") or "")
    fight = draft.look(f"fight/{key}")
    if not fight:
        raise Refusal("This fight is over.", status=409)
    if body.get("at") is not None and body["at"] != len(fight["faces"]):
        raise Refusal("These dice were rolled already on another phone. Here is what comes next.", status=409)
    return key, dict(fight)


def _carry(draft: Draft, key: str, fight: dict[str, Any]) -> None:
    """On to the next question; settled at once where all is rolled and nobody could buy a re-roll."""
    done = course_of(draft.before, draft.terms, fight)
    if done.ask is None and not (done.rolled and may_reroll(draft.before, draft.terms, fight, done)):
        settle(draft, key, fight, done)
        return
    draft.put(f"fight/{key}", fight)


def may_reroll(table: Table, terms: Terms, fight: Mapping[str, Any], done: Course) -> tuple[str, ...]:
    """The sides that could pay for one die of the last roll."""
    if not done.rolled:
        return ()
    owner = sides_of_rolls(table, fight, done)[len(done.rolled) - 1]
    ask, faces = done.rolled[-1]
    failed = any(face < die.needed for die, face in zip(ask.dice, faces, strict=True))
    if not failed and not terms.options.reroll_enemy_dice:
        return ()  # nobody pays for a die that succeeded
    able = table.sides if terms.options.reroll_enemy_dice else (owner,)
    if table.solo and not terms.options.ai_spends_vp:
        able = tuple(side for side in able if side != table.solo)
    return tuple(side for side in able if goals.purse(table, terms, side) > 0)
