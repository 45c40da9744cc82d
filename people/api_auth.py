"""Who makes a request to the API: an API token, or the same session and CSRF check as the pages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request

from refusal import Refusal

WRONG_TOKEN = "This API token does not work. It may have ended. Log in again or make a new one."


class WhoAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Any, None]:
        asked = request._request
        if getattr(asked, "has_wrong_token", False):
            from people import rate_limits  # it imports REST framework, which imports this module first

            rate_limits.TOKENS.count_use(asked)
            raise Refusal(WRONG_TOKEN, status=401)
        who = asked.who
        # A token is sent by a program on purpose. Browsers also send the cookie with requests another site triggers.
        if getattr(asked, "api_token", None) is None and settings.SESSION_COOKIE_NAME in request.COOKIES:
            self.enforce_csrf(request)
        return who.user or AnonymousUser(), None

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"

    def enforce_csrf(self, request: Request) -> None:
        check = CSRFCheck(lambda _: None)
        check.process_request(request._request)
        reason = check.process_view(request._request, None, (), {})
        if reason:
            raise Refusal(f"The X-CSRFToken header is missing or wrong. {reason}", status=403, code="csrf")


class WhoScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "people.api_auth.WhoAuthentication"
    name = ["token", "session"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[str]]]:
        """Either of them."""
        return [{name: []} for name in self.name]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        token = (
            "From /api/v1/log-in/ or your page. Its scopes say what it may do: read, play, run. Without run it acts as "
            "a plain player or member, also for a game master, host or owner, and sees no link that can do more than "
            "it may itself: with read none, with play those of its own games."
        )
        session = "The session of a log-in or a personal link. Writing also needs the X-CSRFToken header."
        return [
            {"type": "http", "scheme": "bearer", "description": token},
            {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME, "description": session},
        ]
