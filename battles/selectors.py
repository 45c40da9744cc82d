"""Find a battle the requester may see, and the house rules it is fought by."""

from __future__ import annotations

from django.shortcuts import get_object_or_404

from battles.battle_stage import project_stage
from battles.models import Battle
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from people.requester import Who
from rulebook.data.house_rules import Options


def get_visible_battle(who: Who, code: str) -> tuple[Battle, State | None]:
    """The battle with its current stage, and the state of its campaign; 404 if the requester may not see it."""
    rows = Battle.objects.visible_to(who).select_related("campaign__log", "campaign__snapshot")
    battle = get_object_or_404(rows, code=code)
    if battle.campaign is None:
        return battle, None
    state = campaign_selectors.saved_or_folded_state(battle.campaign)
    return project_stage(battle, state), state


def options_of(battle: Battle, state: State | None) -> Options:
    """The campaign's current options, or those the battle began with."""
    return state.rules() if state else Options.from_differences(battle.options)
