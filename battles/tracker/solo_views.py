"""The page of the army nobody plays."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.table_reading import Kept, kept
from battles.table_sheet import unit_row
from battles.table_views import visible
from battles.tracker import solo
from log.door import new_key
from refusal import Refusal
from rulebook.solo import SOLO_TABLE


@require_safe
def opponent(request: HttpRequest, code: str) -> HttpResponse:
    """The army nobody plays: a few distances, a die, and what it does."""
    battle = visible(request, code)
    told = kept(battle)
    if not told.table.laid or told.table.solo is None:
        raise Refusal("Both armies of this battle have a player.", status=404)
    table = told.table
    enemies = [one for side in table.sides if side != table.solo for one in table.here(side)]
    context = {
        "battle": battle,
        "side": table.side_name(table.solo or ""),
        "asks": [(unit_row(table, one), solo.remembered(table, one.id), _friends(told, one.id)) for one in solo.asks(table)],
        "enemies": [(one.id, table.called(one.id)) for one in enemies],
        "now": _decision(told),
        "rows": SOLO_TABLE,
        "round": table.round,
        "may": battle.may_step and not battle.is_over,
        "key": new_key(),
    }  # fmt: skip
    return render(request, "battles/solo.html", context)


def _friends(told: Kept, unit: str) -> list[tuple[str, str]]:
    """For a Cleric or a Princess: whom they could turn to."""
    one = told.table.unit(unit)
    if one.now.living_hero not in ("cleric", "princess"):
        return []
    return [(other.id, other.name) for other in told.table.here(one.side) if other.id != unit]


def _decision(told: Kept) -> dict[str, Any] | None:
    now = solo.now(told.table)
    if now is None:
        return None
    table = told.table
    now["name"] = table.called(now["unit"]) if now.get("unit") else ""
    now["target_name"] = table.called(now["target"]) if now.get("target") else ""
    now["tied_names"] = [(key, table.called(key)) for key in now["tied"]]
    now["leads_to"] = solo.LEADS_TO.get(now.get("does") or "", "")
    if now.get("hero"):
        now["hero"]["names"] = [(key, table.called(key)) for key in now["hero"]["on"]]
        now["hero"]["kind"] = {"cleric": "blessed", "princess": "kissed"}.get(now["hero"]["hero"], "cast")
        now["hero"]["used"] = table.unit(now["unit"]).power_used if now.get("unit") else True
    return now
