"""The page of the solo opponent."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.tracker import services
from battles.tracker.core import solo_opponent_turn
from battles.tracker.display import unit_row
from battles.tracker.selectors import TrackerSnapshot, load_snapshot
from log.services import new_key
from refusal import Refusal
from rulebook.solo_opponent import SOLO_TABLE


@require_safe
def solo_opponent(request: HttpRequest, code: str) -> HttpResponse:
    """Distances, a die, and what the solo opponent does."""
    battle = services.get_visible_battle(request.who, code)
    snapshot = load_snapshot(battle)
    if not snapshot.tracker.is_set_up or snapshot.tracker.solo is None:
        raise Refusal("This battle has no solo opponent.", status=404)
    tracker = snapshot.tracker
    enemies = [one for side in tracker.sides if side != tracker.solo for one in tracker.units_here(side)]
    context = {
        "battle": battle,
        "side": tracker.side_name(tracker.solo or ""),
        "units": [
            (
                unit_row(tracker, one),
                solo_opponent_turn.remembered_distances(tracker, one.id),
                _friends(snapshot, one.id),
            )
            for one in solo_opponent_turn.units_needing_distances(tracker)
        ],
        "enemies": [(one.id, tracker.full_name(one.id)) for one in enemies],
        "now": _decision(snapshot),
        "rows": SOLO_TABLE,
        "round": tracker.round,
        "can_step": battle.can_step and not battle.is_over,
        "key": new_key(),
    }
    return render(request, "battles/tracker/solo_opponent.html", context)


def _friends(snapshot: TrackerSnapshot, unit: str) -> list[tuple[str, str]]:
    """Friendly units a Cleric or Princess could choose."""
    one = snapshot.tracker.unit(unit)
    if one.now.living_hero not in ("cleric", "princess"):
        return []
    return [(other.id, other.name) for other in snapshot.tracker.units_here(one.side) if other.id != unit]


def _decision(snapshot: TrackerSnapshot) -> dict[str, Any] | None:
    now = solo_opponent_turn.pending_decision(snapshot.tracker)
    if now is None:
        return None
    tracker = snapshot.tracker
    now["name"] = tracker.full_name(now["unit"]) if now.get("unit") else ""
    now["target_name"] = tracker.full_name(now["target"]) if now.get("target") else ""
    now["tied_names"] = [(key, tracker.full_name(key)) for key in now["tied"]]
    now["leads_to"] = solo_opponent_turn.LEADS_TO.get(now.get("does") or "", "")
    if now.get("hero"):
        now["hero"]["names"] = [(key, tracker.full_name(key)) for key in now["hero"]["on"]]
        now["hero"]["kind"] = {"cleric": "blessed", "princess": "kissed"}.get(now["hero"]["hero"], "cast")
        now["hero"]["used"] = tracker.unit(now["unit"]).power_used if now.get("unit") else True
    return now
