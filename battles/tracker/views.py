"""Pages at the table: fetch (the look-up is the permission check), ask, draw."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles import laying, table_door, table_forms
from battles.armies import hidden_from
from battles.castle import castle_svg, ring
from battles.dice import thrown
from battles.models import Battle
from battles.table_reading import Kept, kept, steps_of, terms_of
from battles.table_sheet import table_sheet, unit_row
from battles.tracker.course import course_of
from battles.tracker.lines import counting, last_restorable
from battles.tracker.siege import sauce
from battles.tracker.table import Terms
from battles.unit_sheet import fight_sheet, unit_sheet
from live.etag import tagged, unchanged
from log.door import answered, new_key
from pages.numbers import whole
from refusal import Refusal
from rulebook.events import EVENTS, event_strikes


def visible(request: HttpRequest, code: str) -> Battle:
    return get_object_or_404(table_door.seen_by(request.who), code=code)


def _context(battle: Battle, told: Kept, terms: Terms) -> dict[str, Any]:
    sheet = table_sheet(told, terms)
    context: dict[str, Any] = {
        "battle": battle,
        "sheet": sheet,
        "may": battle.may_step and not battle.is_over,
        "key": new_key(),
        "events": EVENTS,
        "version": battle.log.version,
    }
    if told.table.has_castle:
        liveries = {side.key: side.livery for side in sheet.sides}
        context |= {"castle": castle_svg(told.table, liveries), "ring": ring(told.table)}
    return context


def _named(battle: Battle, told: Kept) -> str:
    if told.table.laid:
        return " and ".join(told.table.side_name(side) for side in told.table.sides)
    return " and ".join(laying.names_of(battle))


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    battle = visible(request, code)
    told = kept(battle)
    context = _context(battle, told, terms_of(battle)) | {"title": _named(battle, told)}
    return render(request, "battles/table.html", context)


@require_safe
def board(request: HttpRequest, code: str) -> HttpResponse:
    """The table alone, for phones that heard of news."""
    battle = visible(request, code)
    if same := unchanged(request, battle.log.version, battle.may_step, battle.stage):
        return same
    return tagged(request, _board(request, battle, kept(battle)))


def _board(request: HttpRequest, battle: Battle, told: Kept) -> HttpResponse:
    return render(request, "battles/_board.html", _context(battle, told, terms_of(battle)))


@require_http_methods(["GET", "POST"])
def lay(request: HttpRequest, code: str) -> HttpResponse:
    """The armies come to the table; what is missing of them is named here."""
    battle = visible(request, code)
    table_door.insist(battle)
    told = kept(battle)
    if told.table.laid:
        return redirect("battles:table", code)
    if not battle.scenario and not battle.siege:
        raise Refusal("No scenario is chosen yet. Choose it on the battle’s page first.", status=409)
    if request.method == "POST":
        body = laying.body_of(battle, request.POST)
        table_door.do(battle, request.who, key=request.POST.get("key", ""), kind="laid", body=body)
        return redirect("battles:table", code)
    sides = _shown(battle, request)
    context = {
        "battle": battle,
        "terms": terms_of(battle),
        "sides": sides,
        "nobody": any(side.get("nobody") for side in sides),
        "rows": range(1, laying.ROWS + 1),
        "more": laying.FOLDED,
        "units": laying.UNIT_CHOICES,
        "heroes": laying.HERO_CHOICES,
        "weapons": laying.WEAPON_CHOICES,
        "battlements": laying.BATTLEMENTS,
        "towers": laying.TOWERS,
        "key": new_key(),
    }
    return render(request, "battles/lay.html", context)


def _shown(battle: Battle, request: HttpRequest) -> list[dict[str, Any]]:
    """The armies as this viewer may see them before they stand; by agreement a muster may still be hidden."""
    hidden = hidden_from(battle, laying.state_of(battle), request.who)
    kingdoms = {told["side"]: told.get("kingdom") for told in battle.sides}
    return [row | {"hidden": bool(row["units"]) and kingdoms[row["side"]] in hidden} for row in laying.marching(battle)]


@require_POST
def step(request: HttpRequest, code: str) -> HttpResponse:
    """One tap: any step a form can send."""
    battle = visible(request, code)
    table_door.insist(battle)
    data, written = request.POST, table_door.Written()
    key, kind = data.get("key", ""), data.get("kind", "")
    told = kept(battle)
    body = table_forms.body_of(kind, data, told.table.sides)
    if "here" in data and kind != "fight":
        if answered(battle.log_id, who=request.who.ref, key=key) is not None:
            return _answer(request, battle, written)
        _throw(request, battle, told, kind, key, body)
    seen = table_forms.seen_cells(data)
    table_door.do(battle, request.who, key=key, kind=kind, body=body, seen=seen, written=written)
    if kind == "fight" and ("here" in data or data.get("faces", "").strip()):
        _first_dice(request, battle, written, key, body["unit"])
    return _answer(request, battle, written)


def _first_dice(request: HttpRequest, battle: Battle, written: table_door.Written, key: str, unit: str) -> None:
    """The helper's page sends the attack and its first dice in one go."""
    told = written.kept or kept(visible(request, battle.code))
    key = f"{key}-dice"
    body: dict[str, Any] = {"fight": unit, "at": 0, "faces": table_forms.typed(request.POST.get("faces", ""))}
    if unit not in told.table.fights() or answered(battle.log_id, who=request.who.ref, key=key) is not None:
        return
    if "here" in request.POST:
        _throw(request, battle, told, "dice", key, body)
    table_door.do(battle, request.who, key=key, kind="dice", body=body, written=written)


def _throw(request: HttpRequest, battle: Battle, told: Kept, kind: str, key: str, body: dict[str, Any]) -> None:
    """Dice thrown here. They hang on the key, so that a tap sent twice throws the same dice."""
    seed = salted_hmac("battles.dice", f"{battle.log_id}/{request.who.ref}/{key}").digest()
    if kind == "dice":
        told_fight = told.table.fights().get(str(body.get("fight")))
        if told_fight is None:
            raise Refusal("This fight is over.", status=409)
        ask = course_of(told.table, terms_of(battle), told_fight).ask
        body["faces"] = thrown(ask.count if ask else 0, seed)
        body["here"] = True
    elif kind in ("begin", "round_over"):
        sides = told.table.sides
        faces = thrown(40, seed)
        # Ties roll again by themselves: the first pair of dice that differ.
        pairs = [faces[at : at + len(sides)] for at in range(0, len(faces) - len(sides), len(sides))]
        clear = next((pair for pair in pairs if pair.count(max(pair)) == 1), pairs[0])
        body["rolls"] = dict(zip(sides, clear, strict=True))
    elif kind == "event":
        first, second = thrown(2, seed)
        body |= {"roll": first, "second": second if event_strikes(first) else None}
    elif kind == "rerolled":
        body["face"] = thrown(1, seed)[0]
    else:
        body["roll"] = thrown(1, seed)[0]


def _answer(request: HttpRequest, battle: Battle, written: table_door.Written) -> HttpResponse:
    then = request.POST.get("then", "")
    back = reverse("battles:table", args=[battle.code])
    if then == "solo":
        back = reverse("battles:solo", args=[battle.code])
    if request.headers.get("X-Outbox"):
        if then:
            return HttpResponse(status=204, headers={"HX-Redirect": back})
        if written.kept is None:
            battle = visible(request, battle.code)
            return _board(request, battle, kept(battle))
        battle.log.version = written.version
        return _board(request, battle, written.kept)
    return redirect(back)


@require_safe
def unit(request: HttpRequest, code: str, unit: str) -> HttpResponse:
    """One unit: what it may do and why not, where it stands, what is left of it."""
    battle = visible(request, code)
    told = kept(battle)
    found = _unit(told, unit)
    context = {
        "battle": battle,
        "sheet": unit_sheet(told.table, terms_of(battle), found.id),
        "row": unit_row(told.table, found),
        "seen": json.dumps({f"{found.id}/left": told.cells.get(f"{found.id}/left")}),
        "may": battle.may_step and not battle.is_over,
        "key": new_key(),
    }
    return render(request, "battles/unit.html", context)


def _unit(told: Kept, key: str) -> Any:
    if not told.table.laid or key not in told.table.ids():
        raise Refusal("There is no such unit at this table.", status=404)
    return told.table.unit(key)


@require_safe
def helper(request: HttpRequest, code: str) -> HttpResponse:
    """The combat helper: who, whom, what holds; then the number to roll and the odds."""
    battle = visible(request, code)
    told = kept(battle)
    data = request.GET
    attacker = _unit(told, data.get("unit", ""))
    target = _unit(told, data["target"]) if data.get("target") else None
    terms = terms_of(battle)
    context: dict[str, Any] = {
        "battle": battle,
        "may": battle.may_step and not battle.is_over,
        "key": new_key(),
        "attacker": unit_row(told.table, attacker),
        "target": unit_row(told.table, target) if target else None,
        "how": data.get("how", ""),
    }
    try:
        context["sheet"] = fight_sheet(told.table, terms, attacker, target, data)
        if target is not None and data.get("how") == "charge":
            pours = sauce(told.table, attacker, target)
            context["pours"] = pours if pours else None
    except Refusal as refusal:
        return render(request, "battles/helper.html", context | {"refusal": refusal}, status=refusal.status)
    return render(request, "battles/helper.html", context)


@require_http_methods(["GET", "POST"])
def as_it_stands(request: HttpRequest, code: str) -> HttpResponse:
    """Models, wounds, tokens and round brought in line with the table, at any moment."""
    battle = visible(request, code)
    table_door.insist(battle)
    told = kept(battle)
    if not told.table.laid:
        return redirect("battles:lay", code)
    if request.method == "POST":
        body = table_forms.as_it_stands(request.POST, told.table)
        written = table_door.Written()
        table_door.do(battle, request.who, key=request.POST.get("key", ""), kind="set", body=body, written=written)
        return _answer(request, battle, written)
    sides = [(told.table.side_name(side), [unit_row(told.table, one) for one in told.table.units(side)]) for side in told.table.sides]  # fmt: skip
    context = {
        "battle": battle,
        "table": told.table,
        "sides": sides,
        "escapes": terms_of(battle).scenario == "break_free",
        "spent": [(side, told.table.side_name(side), told.table.spent(side)) for side in told.table.sides],
        "key": new_key(),
    }
    return render(request, "battles/as_it_stands.html", context)


@require_http_methods(["GET", "POST"])
def take_back(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """What goes if this step goes; then it goes."""
    battle = visible(request, code)
    table_door.insist(battle)
    if request.method == "POST":
        seen = request.POST.get("seen", "")
        written = table_door.Written()
        table_door.take_back(
            battle,
            request.who,
            key=request.POST.get("key", ""),
            number=number,
            seen=whole(seen),
            written=written,
        )
        return _answer(request, battle, written)
    going = table_door.consequences(battle, number)
    context = {"battle": battle, "going": going, "step": going[0], "rest": going[1:], "key": new_key()}
    return render(request, "battles/take_back.html", context)


@require_safe
def history(request: HttpRequest, code: str) -> HttpResponse:
    """Every step that counts, by round, each with its way back."""
    battle = visible(request, code)
    steps = steps_of(battle)
    context = {
        "battle": battle,
        "steps": list(reversed(counting(steps))),
        "restorable": last_restorable(steps),
        "may": battle.may_step and not battle.is_over,
        "key": new_key(),
    }
    return render(request, "battles/history.html", context)
