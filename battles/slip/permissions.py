"""Who may have the code of a battle's slip."""

from __future__ import annotations

from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.selectors import get_visible_battle
from campaign.chronicle.state import State
from people.requester import Who
from refusal import Refusal


def get_battle_and_state_to_print(who: Who, code: str) -> tuple[Battle, State | None]:
    """Whoever reads the code can report, so only those who may report can print it."""
    battle, state = get_visible_battle(who, code)
    require_permission(permissions_of(battle, who, state).report, battle)
    if battle.is_over:
        raise Refusal("This battle is over and does not need a slip.", status=409)
    return battle, state


def get_battle_to_print(who: Who, code: str) -> Battle:
    return get_battle_and_state_to_print(who, code)[0]


def get_battle_to_renew(who: Who, code: str) -> Battle:
    """Not by the slip itself: whoever found a lost one could lock the players out."""
    battle, state = get_visible_battle(who, code)
    permissions = permissions_of(battle, who, state)
    require_permission(permissions.report and not permissions.by_slip, battle)
    return battle
