"""Who reports a battle on a phone that only holds its slip."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

from battles.models import Battle
from battles.permissions import Captain, captains_of, permissions_of
from battles.result.reporter_in_session import get_reporter
from campaign.chronicle.state import State
from people.models import Person
from people.requester import Who
from refusal import Refusal


def reporters_of(battle: Battle, state: State | None, who: Who) -> tuple[Captain, ...]:
    """With the slip alone, the captains who may report on this phone."""
    if state is None or not permissions_of(battle, who, state).by_slip:
        return ()
    found = captains_of(battle, state)
    # A game master's report needs no confirmation, so the slip offers them only if there is nobody else.
    return tuple(one for one in found if one.side is not None) or found


def choose_reporter(
    request: HttpRequest, battle: Battle, state: State | None, is_chosen: Callable[[Person], bool] | None
) -> Person | None:
    """Who was chosen, or reported from here before; None where whoever is logged in reports."""
    rows = reporters_of(battle, state, request.who)
    if not rows:
        return None
    if is_chosen is None:
        found = get_reporter(request, battle)
    else:
        found = next((row.person for row in rows if is_chosen(row.person)), None)
    if found is None:
        raise Refusal("Choose who is reporting.", field="report_as")
    return found
