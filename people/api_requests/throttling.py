"""How many requests to the API are allowed in a minute: per token, else per browser, else per network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request

# Of the requests in a minute, this part may change something.
PART_THAT_WRITES = 4


class RequestThrottle(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        if settings.API_RATE:
            from people import rate_limits  # it imports REST framework, which imports this module first

            writes = request.method not in SAFE_METHODS
            most = max(1, settings.API_RATE // PART_THAT_WRITES) if writes else settings.API_RATE
            rate_limits.count_request(
                request._request, f"{'write' if writes else 'read'} {_subject(request)}", rate_limits.Rate(most, 1)
            )
        return True


def _subject(request: Request) -> str:
    """Without a query: the public tables of the rulebook need none either."""
    from people import rate_limits

    asked = request._request
    token = getattr(asked, "api_token", None)
    if token is not None and token.pk is not None:
        return f"token {token.pk}"
    session = request.COOKIES.get(settings.SESSION_COOKIE_NAME, "")
    return f"session {session}" if session else f"address {rate_limits.address_of(asked)}"
