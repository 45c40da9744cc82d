"""The page of the solo opponent."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from battles.tracker import services
from battles.tracker.core.steps import solo_turn
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
                solo_turn.remembered_distances(tracker, one.id),
                _friends(snapshot, one.id),
            )
            for one in solo_turn.units_needing_distances(tracker)
        ],
        "enemies": [(one.id, tracker.full_name(one.id)) for one in enemies],
        "walls": solo_turn.standing_walls(tracker),
        "decision": _decision(snapshot),
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


@dataclass(frozen=True, slots=True)
class DecisionDisplay:
    """What the solo opponent does, with names to show."""

    now: solo_turn.SoloDecision
    name: str
    target_name: str
    tied_names: tuple[tuple[str, str], ...]
    leads_to: str  # the attack that carries it out
    hero_names: tuple[tuple[str, str], ...]
    hero_kind: str  # the step or attack of the hero's power
    hero_used: bool

    @property
    def attack_query(self) -> str:
        """The combat helper's query for what it does."""
        known = {"unit": self.now.unit, "how": self.leads_to, "target": self.now.target, "piece": self.now.piece}
        return urlencode({name: value for name, value in known.items() if value})


def _decision(snapshot: TrackerSnapshot) -> DecisionDisplay | None:
    now = solo_turn.pending_decision(snapshot.tracker)
    if now is None:
        return None
    tracker = snapshot.tracker
    hero = now.hero
    return DecisionDisplay(
        now,
        tracker.full_name(now.unit) if now.unit else "",
        tracker.full_name(now.target) if now.target else "",
        tuple((key, tracker.full_name(key)) for key in now.tied),
        "bombard" if now.piece else solo_turn.LEADS_TO.get(now.does or "", ""),
        tuple((key, tracker.full_name(key)) for key in hero.on) if hero else (),
        {"cleric": "blessed", "princess": "kissed"}.get(hero.hero, "cast") if hero else "",
        tracker.unit(now.unit).power_used if now.unit else True,
    )
