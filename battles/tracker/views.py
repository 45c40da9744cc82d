"""The pages of the tracker. Looking up the battle checks the permission."""

import json
from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.castle_svg import castle_piece_rows, castle_svg
from battles.models import Battle
from battles.permissions import sides_led_by
from battles.side_display import hidden_kingdoms
from battles.tracker import forms, services, starting_armies
from battles.tracker.core.logged_steps import active_steps, find_last_undo
from battles.tracker.core.steps.fights import AddDice, RerollDie, StartFight
from battles.tracker.core.steps.sauce_and_castle_damage import can_pour_sauce
from battles.tracker.core.steps.solo_turn import DecideSoloTurn
from battles.tracker.display import side_livery, tracker_display, unit_row
from battles.tracker.selectors import TrackerSnapshot, find_unit, load_snapshot, steps_of, terms_of
from battles.tracker.services import StepsAfter, Tap, roll_here, roll_tie
from battles.tracker.unit_actions_display import fight_setup_display, unit_display
from battles.typed_and_rolled_dice import parse_dice
from campaign import selectors as campaign_selectors
from live.shared_parts import add_etag, add_version, draw_forms_once, not_modified_response
from log.services import find_answer, new_key
from pages.number_parsing import parse_int
from people.requester import Who
from refusal import Refusal
from rulebook.data.battlefield import EVENTS
from rulebook.data.scenario_goals import Escapes

ROLL_ALL = "all"  # the button that rolls a whole attack


def _context(request: HttpRequest, battle: Battle, snapshot: TrackerSnapshot, own: str | None) -> dict[str, object]:
    display = tracker_display(snapshot, terms_of(battle), own)
    context = _base_context(battle) | {
        "display": display,
        "events": EVENTS,
        "version": battle.log.version,
        "own_query": _own_query(own),
    }
    if snapshot.tracker.has_castle:
        liveries = {side.key: side.livery for side in display.sides}
        context |= {
            "castle": castle_svg(snapshot.tracker, liveries),
            "castle_pieces": castle_piece_rows(snapshot.tracker),
        }
    return context


def _base_context(battle: Battle) -> dict[str, object]:
    """What every page of a tracker has."""
    return {"battle": battle, "can_step": battle.can_step and not battle.is_over, "key": new_key()}


def _own_query(own: str | None) -> str:
    return f"?own={own}" if own else ""


def _page_title(battle: Battle, snapshot: TrackerSnapshot) -> str:
    if snapshot.tracker.is_set_up:
        return " and ".join(snapshot.tracker.side_name(side) for side in snapshot.tracker.sides)
    return " and ".join(starting_armies.side_names(battle))


@require_safe
def tracker(request: HttpRequest, code: str) -> HttpResponse:
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    own = _own_side(battle, request.who)
    context = {
        "battle": battle,
        "board": _draw_board(request, battle, snapshot, own),
        "key": new_key(),
        "version": battle.log.version,
        "own_query": _own_query(own),
        "scenario": terms_of(battle).row,
        "title": _page_title(battle, snapshot),
    }
    return render(request, "battles/tracker/tracker.html", context)


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The changing part of the tracker, fetched after news."""
    battle = services.get_visible_battle(request.who, code)
    own = request.GET.get("own", "")
    if same := not_modified_response(request, battle.log.version, battle.can_step, battle.stage, own):
        return same
    return add_etag(request, _board(request, battle, load_snapshot(battle)))


def _board(request: HttpRequest, battle: Battle, snapshot: TrackerSnapshot) -> HttpResponse:
    """The same for all who see this side first and may change as much: one drawing, with each viewer's own keys."""
    own = request.GET.get("own", "") if request.GET.get("own") in snapshot.tracker.sides else None
    return HttpResponse(_draw_board(request, battle, snapshot, own))


def _draw_board(request: HttpRequest, battle: Battle, snapshot: TrackerSnapshot, own: str | None) -> SafeString:
    def draw(marks: Mapping[str, str]) -> str:
        context = _context(request, battle, snapshot, own) | marks
        return render_to_string("battles/tracker/_board.html", context)

    can_step = battle.can_step and not battle.is_over
    return draw_forms_once(request, draw, battle.code, battle.log.version, battle.scenario, can_step, own)


def _own_side(battle: Battle, who: Who) -> str | None:
    """The viewer's side. The board gets it in its address, so that it need not be looked up for each drawing."""
    if who.person is None:
        return None
    if battle.campaign is not None:
        sides = sides_led_by(battle, campaign_selectors.state_of(battle.campaign), who)
    else:
        ids = who.person.all_ids()
        sides = [side["side"] for side in battle.sides if side.get("person") in ids]
    return sides[0] if len(sides) == 1 else None


@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest, code: str) -> HttpResponse:
    """Set up the tracker; choose units that were not mustered."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    snapshot = load_snapshot(battle)
    if snapshot.tracker.is_set_up:
        return redirect("battles:tracker", code)
    if not battle.scenario and not battle.siege:
        raise Refusal(starting_armies.NO_SCENARIO, status=409)
    if request.method == "POST":
        step = starting_armies.set_up_from_form(battle, request.POST)
        services.take_step(battle, request.who, step, key=request.POST.get("key", ""))
        return redirect("battles:tracker", code)
    sides = _visible_sides(battle, request)
    context = {
        "battle": battle,
        "terms": terms_of(battle),
        "sides": sides,
        "solo": request.GET.get("solo") or next((side.side for side in sides if side.unplayed), ""),
        "rows": range(1, starting_armies.MAX_CHOSEN_UNITS + 1),
        "more": starting_armies.FIRST_FOLDED_ROW,
        "units": starting_armies.UNIT_CHOICES,
        "heroes": starting_armies.HERO_CHOICES,
        "weapons": starting_armies.WEAPON_CHOICES,
        "battlements": starting_armies.BATTLEMENTS,
        "towers": starting_armies.TOWERS,
        "key": new_key(),
    }
    return render(request, "battles/tracker/set_up.html", context)


def _visible_sides(battle: Battle, request: HttpRequest) -> list[starting_armies.SideRow]:
    """The armies as this viewer can see them; a muster may still be hidden."""
    hidden = hidden_kingdoms(battle, starting_armies.campaign_state(battle), request.who)
    return [
        replace(row, hidden=bool(row.units) and row.kingdom in hidden) for row in starting_armies.starting_sides(battle)
    ]


@require_POST
def take_step(request: HttpRequest, code: str) -> HttpResponse:
    """Take the step a form sends."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    data = request.POST
    key, kind = data.get("key", ""), data.get("kind", "")
    tap = Tap(battle, request.who, key)
    snapshot = load_snapshot(battle)
    rolled = forms.NOTHING_ROLLED
    if "here" in data and kind != "fight":
        if find_answer(battle.log_id, who=request.who.ref, key=key) is not None:
            return _answer(request, battle, tap.written)
        rolled = roll_here(request.who, battle, snapshot, kind, key, data.get("fight", ""))
    elif kind == "solo_die":
        rolled = forms.RolledHere(second=roll_tie(request.who, battle, key))
    step = forms.step_from_form(kind, data, snapshot.tracker.sides, rolled)

    def follow(after: StepsAfter) -> None:
        if isinstance(step, StartFight) and ("here" in data or data.get("faces", "").strip()):
            after.add_first_dice(step.unit, None if "here" in data else parse_dice(data["faces"]))
        if data.get("here") == ROLL_ALL and isinstance(step, (StartFight, AddDice, RerollDie)):
            after.roll_on(step.unit if isinstance(step, StartFight) else step.fight)
        if isinstance(step, DecideSoloTurn) and "go" in data:
            after.carry_out_solo_turn(shoots=data["go"] == "shoot")

    tap.take(step, forms.seen_cells(data), follow)
    return _answer(request, battle, tap.written)


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
            return add_version(request, _board(request, battle, load_snapshot(battle)), battle.log)
        battle.log.version = written.version
        return add_version(request, _board(request, battle, written.snapshot), battle.log)
    return redirect(back)


@require_safe
def unit_page(request: HttpRequest, code: str, unit: str) -> HttpResponse:
    """One unit: its actions, losses and position."""
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    tracked = find_unit(snapshot, unit)
    context = _base_context(battle) | {
        "display": unit_display(snapshot.tracker, terms_of(battle), tracked.id),
        "round": snapshot.tracker.round,
        "livery": side_livery(snapshot.tracker, tracked.side),
        "row": unit_row(snapshot.tracker, tracked),
        "seen": json.dumps({f"{tracked.id}/left": snapshot.cells.get(f"{tracked.id}/left")}),
    }
    return render(request, _page_or_sheet(request, "unit"), context)


def _page_or_sheet(request: HttpRequest, name: str) -> str:
    """The tracker's page fetches the same content for its sheet."""
    return f"battles/tracker/{'_' if request.headers.get('X-Sheet') else ''}{name}.html"


@require_safe
def combat_helper(request: HttpRequest, code: str) -> HttpResponse:
    """The combat helper: what applies, the number to roll, the odds."""
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    data = request.GET
    attacker = find_unit(snapshot, data.get("unit", ""))
    target = find_unit(snapshot, data["target"]) if data.get("target") else None
    terms = terms_of(battle)
    context = _base_context(battle) | {
        "attacker": unit_row(snapshot.tracker, attacker),
        "target": unit_row(snapshot.tracker, target) if target else None,
        "how": data.get("how", ""),
    }
    try:
        context["display"] = fight_setup_display(
            snapshot.tracker,
            terms,
            data.get("how", ""),
            attacker,
            target,
            forms.ticks_of(data),
            building=parse_int(data.get("building", "")),
            piece=data.get("piece") or None,
        )
        if target is not None and data.get("how") == "charge":
            pours = can_pour_sauce(snapshot.tracker, attacker, target, terms.options)
            context["pours"] = pours if pours else None
    except Refusal as refusal:
        page = _page_or_sheet(request, "combat_helper")
        return render(request, page, context | {"refusal": refusal}, status=refusal.status)
    return render(request, _page_or_sheet(request, "combat_helper"), context)


@require_http_methods(["GET", "POST"])
def fix_tracker(request: HttpRequest, code: str) -> HttpResponse:
    """Correct models, wounds, tokens and the round."""
    battle = services.get_visible_battle(request.who, code)
    services.require_can_step(battle)
    snapshot = load_snapshot(battle)
    if not snapshot.tracker.is_set_up:
        return redirect("battles:set_up_tracker", code)
    if request.method == "POST":
        step = forms.fix_from_form(request.POST, snapshot.tracker)
        written = services.WriteResult()
        services.take_step(battle, request.who, step, key=request.POST.get("key", ""), written=written)
        return _answer(request, battle, written)
    sides = [
        (snapshot.tracker.side_name(side), [unit_row(snapshot.tracker, unit) for unit in snapshot.tracker.units(side)])
        for side in snapshot.tracker.sides
    ]
    context = {
        "battle": battle,
        "tracker": snapshot.tracker,
        "sides": sides,
        "escapes": terms_of(battle).row.track(Escapes) is not None,
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
        key = request.POST.get("key", "")
        services.undo_step(battle, request.who, key=key, number=number, seen=parse_int(seen), written=written)
        return _answer(request, battle, written)
    going = services.find_steps_to_undo(battle, number)
    context = {"battle": battle, "going": going, "step": going[0], "rest": going[1:], "key": new_key()}
    return render(request, "battles/tracker/undo.html", context)


@require_safe
def history(request: HttpRequest, code: str) -> HttpResponse:
    """All active steps by round, each with an undo link."""
    battle = services.get_visible_battle(request.who, code)
    steps = steps_of(battle)
    context = _base_context(battle) | {
        "steps": list(reversed(active_steps(steps))),
        "restorable": find_last_undo(steps),
    }
    return render(request, "battles/tracker/history.html", context)
