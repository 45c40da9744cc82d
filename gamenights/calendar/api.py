"""A member's own addresses of the group's calendar and feed."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.views import APIView

from gamenights.calendar.feed_tokens import Addresses, list_addresses
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.api.operations import operation
from people.api_tokens.scopes import RUN
from people.passes.shown_secrets import show_secret


class CalendarAddresses(APIView):
    scopes = {"GET": RUN}  # they need no log-in, and outlive the token

    @operation("groups_calendar")
    def get(self, request: Request, code: str) -> Addresses:
        """Addresses to subscribe to, for you alone: whoever has them sees what you see."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        show_secret(request._request)
        return list_addresses(group, request.who.require_person())
