"""Who reports or confirms a battle on a phone that only holds its slip, or is handed round."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest

from battles.models import Battle
from battles.permissions import Captain, captains_of, permissions_of
from battles.result.approval_display import approvers_of
from battles.result.services import pending_approval_of
from campaign.approvals import services as approvals_services
from campaign.chronicle.state import State
from people.models import Person
from people.requester import Who
from refusal import Refusal


def reporters_of(battle: Battle, state: State | None, who: Who) -> tuple[Captain, ...]:
    """With the slip alone, the captains who may report on this phone."""
    if state is None or not permissions_of(battle, who, state).by_slip:
        return ()
    captains = captains_of(battle, state)
    # A game master's report needs no confirmation, so the slip offers them only if there is nobody else.
    return tuple(captain for captain in captains if captain.side is not None) or captains


def choose_reporter(
    request: HttpRequest, battle: Battle, state: State | None, is_chosen: Callable[[Person], bool] | None
) -> Person | None:
    """Who was chosen, or reported from here before; None where whoever is logged in reports."""
    rows = reporters_of(battle, state, request.who)
    if not rows:
        return None
    if is_chosen is None:
        reporter = get_reporter(request, battle)
    else:
        reporter = next((row.person for row in rows if is_chosen(row.person)), None)
    if reporter is None:
        raise Refusal("Choose who is reporting.", field="report_as")
    return reporter


# ── Remembered by the browser ───────────────────────────────────────────────────────────────────────────────


SESSION_KEY = "battle_reporters"
MAX_BATTLES = 10


def get_reporter(request: HttpRequest, battle: Battle) -> Person | None:
    pk = request.session.get(SESSION_KEY, {}).get(battle.code)
    return Person.objects.filter(pk=pk).select_related("merged_into").first() if pk else None


def remember_reporter(request: HttpRequest, battle: Battle, person: Person) -> None:
    earlier = list(request.session.get(SESSION_KEY, {}).items())[-(MAX_BATTLES - 1) :]
    request.session[SESSION_KEY] = {**dict(earlier), battle.code: person.pk}


# ── Confirming ──────────────────────────────────────────────────────────────────────────────────────────────


def approve_version(
    battle: Battle,
    state: State,
    who: Who,
    *,
    key: str,
    version: int,
    seen: str,
    as_person: Person,
    phone: Person | None,
) -> Mapping[str, Any]:
    """Confirm a version on this phone, for oneself or as a captain the phone is handed to."""
    approval = pending_approval_of(battle)
    if approval is None:
        raise Refusal("This report is already settled.", status=409)
    leaders = captains_of(battle, state)
    if not any(approver.person.pk == as_person.root.pk for approver in approvers_of(state, approval, leaders, who)):
        raise Refusal("This person cannot confirm on this phone or has already answered.", status=403)
    holder = who if who.person is not None else Who.of(phone or as_person)
    asked = as_person if holder.person is not None and as_person.root.pk != holder.person.pk else None
    # Nobody acts as game master through the slip alone.
    alone = who.person is None
    return approvals_services.approve(
        approval, holder, key=key, version=version, seen=seen or None, as_person=asked, as_side=alone
    )
