"""Who may host a card table, and how a newcomer becomes known by hosting one."""

from __future__ import annotations

from django.http import HttpRequest

from cardgames.models import Seat
from cardgames.tables import table_creation
from cardgames.tables.seats import seat_and_watch_passes
from people.accounts import services as accounts_services
from people.guests import remember_new_guest
from people.requester import Who


def can_host(who: Who) -> bool:
    """Known people, and guests: where everybody may sign up, or in a browser that has been at a table."""
    held = any(row.kind in (Seat.PASS, seat_and_watch_passes.WATCH) for row in who.passes)
    return who.is_known or held or accounts_services.is_sign_up("open")


def remember_new_host(request: HttpRequest, name: str, *, key: str) -> None:
    """Somebody whom this browser does not know hosts under a name."""
    if not request.who.is_known:
        table_creation.GUEST_TABLE_LIMIT.count_use(request)
        remember_new_guest(request, name, key=key)
