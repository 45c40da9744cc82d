"""The pages of the tracker. Looking up the battle checks the permission."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.battle_sides import hidden_kingdoms
from battles.castle_svg import castle_piece_rows, castle_svg
from battles.dice_input import roll_dice
from battles.models import Battle
from battles.tracker import forms, services, starting_armies
from battles.tracker.core.fight_progress import progress_of
from battles.tracker.core.siege_steps import can_pour_sauce
from battles.tracker.core.state import BattleTerms
from battles.tracker.core.step_log import active_steps, find_last_undo
from battles.tracker.display import tracker_display, unit_row
from battles.tracker.selectors import TrackerSnapshot, load_snapshot, steps_of, terms_of
from battles.tracker.unit_display import fight_setup_display, unit_display
from live.etag import add_etag, not_modified_response
from log.services import find_answer, new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.data.random_events import EVENTS, has_event


def _context(battle: Battle, snapshot: TrackerSnapshot, terms: BattleTerms) -> dict[str, Any]:
    display = tracker_display(snapshot, terms)
    context: dict[str, Any] = {
        "battle": battle,
        "display": display,
        "can_step": battle.can_step and not battle.is_over,
        "key": new_key(),
        "events": EVENTS,
        "version": battle.log.version,
    }
    if snapshot.tracker.has_castle:
        liveries = {side.key: side.livery for side in display.sides}
        context |= {
            "castle": castle_svg(snapshot.tracker, liveries),
            "castle_pieces": castle_piece_rows(snapshot.tracker),
        }
    return context


def _page_title(battle: Battle, snapshot: TrackerSnapshot) -> str:
    if snapshot.tracker.is_set_up:
        return " and ".join(snapshot.tracker.side_name(side) for side in snapshot.tracker.sides)
    return " and ".join(starting_armies.side_names(battle))


@require_safe
def tracker(request: HttpRequest, code: str) -> HttpResponse:
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    context = _context(battle, snapshot, terms_of(battle)) | {"title": _page_title(battle, snapshot)}
    return render(request, "battles/tracker/tracker.html", context)


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The changing part of the tracker, fetched after news."""
    battle = services.get_visible_battle(request.who, code)
    if same := not_modified_response(request, battle.log.version, battle.can_step, battle.stage):
        return same
    return add_etag(request, _board(request, battle, load_snapshot(battle)))


def _board(request: HttpRequest, battle: Battle, snapshot: TrackerSnapshot) -> HttpResponse:
    return render(request, "battles/tracker/_board.html", _context(battle, snapshot, terms_of(battle)))


@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest, code: str) -> HttpResponse:
    """Set up the tracker; choose units that were not mustered."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    snapshot = load_snapshot(battle)
    if snapshot.tracker.is_set_up:
        return redirect("battles:tracker", code)
    if not battle.scenario and not battle.siege:
        raise Refusal("This battle has no scenario yet. Choose one on the battle’s page.", status=409)
    if request.method == "POST":
        body = starting_armies.set_up_body(battle, request.POST)
        services.take_step(battle, request.who, key=request.POST.get("key", ""), kind="laid", body=body)
        return redirect("battles:tracker", code)
    sides = _visible_sides(battle, request)
    context = {
        "battle": battle,
        "terms": terms_of(battle),
        "sides": sides,
        "solo": any(side.get("unplayed") for side in sides),
        "rows": range(1, starting_armies.ROWS + 1),
        "more": starting_armies.FIRST_FOLDED_ROW,
        "units": starting_armies.UNIT_CHOICES,
        "heroes": starting_armies.HERO_CHOICES,
        "weapons": starting_armies.WEAPON_CHOICES,
        "battlements": starting_armies.BATTLEMENTS,
        "towers": starting_armies.TOWERS,
        "key": new_key(),
    }
    return render(request, "battles/tracker/set_up.html", context)


def _visible_sides(battle: Battle, request: HttpRequest) -> list[dict[str, Any]]:
    """The armies as this viewer can see them; a muster may still be hidden."""
    hidden = hidden_kingdoms(battle, starting_armies.campaign_state(battle), request.who)
    kingdoms = {side["side"]: side.get("kingdom") for side in battle.sides}
    return [
        row | {"hidden": bool(row["units"]) and kingdoms[row["side"]] in hidden}
        for row in starting_armies.starting_sides(battle)
    ]


@require_POST
def take_step(request: HttpRequest, code: str) -> HttpResponse:
    """Take the step a form sends."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    data, written = request.POST, services.WriteResult()
    key, kind = data.get("key", ""), data.get("kind", "")
    snapshot = load_snapshot(battle)
    body = forms.step_body(kind, data, snapshot.tracker.sides)
    if "here" in data and kind != "fight":
        if find_answer(battle.log_id, who=request.who.ref, key=key) is not None:
            return _answer(request, battle, written)
        _roll_here(request, battle, snapshot, kind, key, body)
    seen = forms.seen_cells(data)
    services.take_step(battle, request.who, key=key, kind=kind, body=body, seen=seen, written=written)
    if kind == "fight" and ("here" in data or data.get("faces", "").strip()):
        _first_dice(request, battle, written, key, body["unit"])
    return _answer(request, battle, written)


def _first_dice(request: HttpRequest, battle: Battle, written: services.WriteResult, key: str, unit: str) -> None:
    """The combat helper sends the attack and its first dice together."""
    snapshot = written.snapshot or load_snapshot(services.get_visible_battle(request.who, battle.code))
    key = f"{key}-dice"
    body: dict[str, Any] = {"fight": unit, "at": 0, "faces": forms.parse_dice(request.POST.get("faces", ""))}
    if unit not in snapshot.tracker.fights() or find_answer(battle.log_id, who=request.who.ref, key=key) is not None:
        return
    if "here" in request.POST:
        _roll_here(request, battle, snapshot, "dice", key, body)
    services.take_step(battle, request.who, key=key, kind="dice", body=body, written=written)


def _roll_here(
    request: HttpRequest, battle: Battle, snapshot: TrackerSnapshot, kind: str, key: str, body: dict[str, Any]
) -> None:
    """Roll dice on the server. They depend on the key, so a request sent twice rolls the same."""
    seed = salted_hmac("battles.dice", f"{battle.log_id}/{request.who.ref}/{key}").digest()
    if kind == "dice":
        told_fight = snapshot.tracker.fights().get(str(body.get("fight")))
        if told_fight is None:
            raise Refusal("This fight is over.", status=409)
        ask = progress_of(snapshot.tracker, terms_of(battle), told_fight).ask
        body["faces"] = roll_dice(ask.count if ask else 0, seed)
        body["here"] = True
    elif kind in ("begin", "round_over"):
        sides = snapshot.tracker.sides
        faces = roll_dice(40, seed)
        # Ties re-roll: take the first rolls with a single winner.
        pairs = [faces[at : at + len(sides)] for at in range(0, len(faces) - len(sides), len(sides))]
        clear = next((pair for pair in pairs if pair.count(max(pair)) == 1), pairs[0])
        body["rolls"] = dict(zip(sides, clear, strict=True))
    elif kind == "event":
        first, second = roll_dice(2, seed)
        body |= {"roll": first, "second": second if has_event(first) else None}
    elif kind == "rerolled":
        body["face"] = roll_dice(1, seed)[0]
    else:
        body["roll"] = roll_dice(1, seed)[0]


def _answer(request: HttpRequest, battle: Battle, written: services.WriteResult) -> HttpResponse:
    then = request.POST.get("then", "")
    back = reverse("battles:tracker", args=[battle.code])
    if then == "solo":
        back = reverse("battles:solo_opponent", args=[battle.code])
    if request.headers.get("X-Outbox"):
        if then:
            return HttpResponse(status=204, headers={"HX-Redirect": back})
        if written.snapshot is None:
            battle = services.get_visible_battle(request.who, battle.code)
            return _board(request, battle, load_snapshot(battle))
        battle.log.version = written.version
        return _board(request, battle, written.snapshot)
    return redirect(back)


@require_safe
def unit_page(request: HttpRequest, code: str, unit: str) -> HttpResponse:
    """One unit: its actions, losses and position."""
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    found = _unit(snapshot, unit)
    context = {
        "battle": battle,
        "display": unit_display(snapshot.tracker, terms_of(battle), found.id),
        "row": unit_row(snapshot.tracker, found),
        "seen": json.dumps({f"{found.id}/left": snapshot.cells.get(f"{found.id}/left")}),
        "can_step": battle.can_step and not battle.is_over,
        "key": new_key(),
    }
    return render(request, "battles/tracker/unit.html", context)


def _unit(snapshot: TrackerSnapshot, key: str) -> Any:
    if not snapshot.tracker.is_set_up or key not in snapshot.tracker.unit_ids():
        raise Refusal("There is no such unit in this battle.", status=404)
    return snapshot.tracker.unit(key)


@require_safe
def combat_helper(request: HttpRequest, code: str) -> HttpResponse:
    """The combat helper: what applies, the number to roll, the odds."""
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    data = request.GET
    attacker = _unit(snapshot, data.get("unit", ""))
    target = _unit(snapshot, data["target"]) if data.get("target") else None
    terms = terms_of(battle)
    context: dict[str, Any] = {
        "battle": battle,
        "can_step": battle.can_step and not battle.is_over,
        "key": new_key(),
        "attacker": unit_row(snapshot.tracker, attacker),
        "target": unit_row(snapshot.tracker, target) if target else None,
        "how": data.get("how", ""),
    }
    try:
        context["display"] = fight_setup_display(snapshot.tracker, terms, attacker, target, data)
        if target is not None and data.get("how") == "charge":
            pours = can_pour_sauce(snapshot.tracker, attacker, target)
            context["pours"] = pours if pours else None
    except Refusal as refusal:
        return render(
            request, "battles/tracker/combat_helper.html", context | {"refusal": refusal}, status=refusal.status
        )
    return render(request, "battles/tracker/combat_helper.html", context)


@require_http_methods(["GET", "POST"])
def fix_tracker(request: HttpRequest, code: str) -> HttpResponse:
    """Correct models, wounds, tokens and the round."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    snapshot = load_snapshot(battle)
    if not snapshot.tracker.is_set_up:
        return redirect("battles:set_up_tracker", code)
    if request.method == "POST":
        body = forms.fix_tracker_body(request.POST, snapshot.tracker)
        written = services.WriteResult()
        services.take_step(battle, request.who, key=request.POST.get("key", ""), kind="set", body=body, written=written)
        return _answer(request, battle, written)
    sides = [
        (snapshot.tracker.side_name(side), [unit_row(snapshot.tracker, one) for one in snapshot.tracker.units(side)])
        for side in snapshot.tracker.sides
    ]
    context = {
        "battle": battle,
        "tracker": snapshot.tracker,
        "sides": sides,
        "escapes": terms_of(battle).scenario == "break_free",
        "spent": [
            (side, snapshot.tracker.side_name(side), snapshot.tracker.vp_spent(side)) for side in snapshot.tracker.sides
        ],
        "key": new_key(),
    }
    return render(request, "battles/tracker/fix_tracker.html", context)


@require_http_methods(["GET", "POST"])
def undo_step(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Show what would be undone, then undo it."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    if request.method == "POST":
        seen = request.POST.get("seen", "")
        written = services.WriteResult()
        services.undo_step(
            battle,
            request.who,
            key=request.POST.get("key", ""),
            number=number,
            seen=parse_int(seen),
            written=written,
        )
        return _answer(request, battle, written)
    going = services.find_steps_to_undo(battle, number)
    context = {"battle": battle, "going": going, "step": going[0], "rest": going[1:], "key": new_key()}
    return render(request, "battles/tracker/undo.html", context)


@require_safe
def history(request: HttpRequest, code: str) -> HttpResponse:
    """All active steps by round, each with an undo link."""
    battle = services.get_visible_battle(request.who, code)
    steps = steps_of(battle)
    context = {
        "battle": battle,
        "steps": list(reversed(active_steps(steps))),
        "restorable": find_last_undo(steps),
        "can_step": battle.can_step and not battle.is_over,
        "key": new_key(),
    }
    return render(request, "battles/tracker/history.html", context)
