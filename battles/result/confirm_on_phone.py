"""Confirm a pending report on a phone that may be handed round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from battles.models import Battle
from battles.permissions import captains_of
from battles.result.approval_display import approvers_of
from battles.result.services import pending_approval_of
from campaign.approvals import services as approvals_services
from campaign.chronicle.state import State
from people.models import Person
from people.requester import Who
from refusal import Refusal


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
    if not any(one.person.pk == as_person.root.pk for one in approvers_of(state, approval, leaders, who)):
        raise Refusal("This person cannot confirm on this phone or has already answered.", status=403)
    holder = who if who.person is not None else Who.of(phone or as_person)
    asked = as_person if holder.person is not None and as_person.root.pk != holder.person.pk else None
    # Nobody acts as game master through the slip alone.
    alone = who.person is None
    return approvals_services.approve(
        approval, holder, key=key, version=version, seen=seen or None, as_person=asked, as_side=alone
    )
