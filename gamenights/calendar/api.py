"""A member's own addresses of the group's calendar and feed."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.calendar.feed_tokens import list_addresses
from groups.permissions import require_member
from groups.selectors import get_visible_group
from people.api_tokens.scopes import RUN
from people.passes.shown_secrets import show_secret


class AddressesSerializer(serializers.Serializer):
    calendar = serializers.CharField(help_text="iCalendar, to subscribe to")
    feed = serializers.CharField(help_text="Atom")


class CalendarAddresses(APIView):
    scopes = {"GET": RUN}  # they need no log-in, and outlive the token

    @extend_schema(responses=AddressesSerializer, operation_id="groups_calendar")
    def get(self, request: Request, code: str) -> Response:
        """Addresses to subscribe to, for you alone: whoever has them sees what you see."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        show_secret(request._request)
        return Response(list_addresses(group, request.who.require_person()))
