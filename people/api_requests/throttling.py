"""How many requests to the API are allowed in a minute: per token, else per browser and network; strangers share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS
from rest_framework.throttling import BaseThrottle

if TYPE_CHECKING:
    from rest_framework.request import Request

# Of the requests in a minute, this part may change something.
PART_THAT_WRITES = 4
# Guests and passes can be got in numbers, so their browsers and tokens share a limit too: a cellar full of them.
BROWSERS_IN_A_NETWORK = 20


class RequestThrottle(BaseThrottle):
    def allow_request(self, request: Request, view: Any) -> bool:
        if settings.API_RATE:
            from people import rate_limits  # it imports REST framework, which imports this module first

            writes = request.method not in SAFE_METHODS
            most = max(1, settings.API_RATE // PART_THAT_WRITES) if writes else settings.API_RATE
            kind = "write" if writes else "read"
            for subject, room in _subjects(request).items():
                rate_limits.count_request(request._request, f"{kind} {subject}", rate_limits.Rate(most * room, 1))
        return True


def _subjects(request: Request) -> dict[str, int]:
    """Who is counted, and how many times the rate they have. Anybody can make up a cookie or get a token that has not
    logged in: it counts for itself only if somebody is known by it. Who brings neither costs no query.
    """
    from people import rate_limits

    asked = request._request
    token = getattr(asked, "api_token", None)
    if token is not None and token.log_in_id is not None:
        return {f"token {token.pk}": 1}
    network = f"address {rate_limits.address_of(asked)}"
    own = f"token {token.pk}" if token is not None else f"session {request.COOKIES.get(settings.SESSION_COOKIE_NAME)}"
    is_sent = token.pk is not None if token is not None else settings.SESSION_COOKIE_NAME in request.COOKIES
    if is_sent and (asked.who.is_known or asked.who.passes):
        return {own: 1, f"{network} with browsers": BROWSERS_IN_A_NETWORK}
    return {network: 1}
