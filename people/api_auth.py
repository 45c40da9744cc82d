"""The API uses the same session and CSRF check as the pages."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.request import Request


class WhoAuthentication(BaseAuthentication):
    def authenticate(self, request: Request) -> tuple[Any, None]:
        who = request._request.who
        if settings.SESSION_COOKIE_NAME in request.COOKIES:
            self.enforce_csrf(request)
        return who.user or AnonymousUser(), None

    def enforce_csrf(self, request: Request) -> None:
        """Browsers also send the cookie with requests that another site triggers."""
        check = CSRFCheck(lambda _: None)
        check.process_request(request._request)
        reason = check.process_view(request._request, None, (), {})
        if reason:
            raise exceptions.PermissionDenied(f"The X-CSRFToken header is missing or wrong. {reason}")


class WhoScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = "people.api_auth.WhoAuthentication"
    name = "session"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "The session of a log-in or a personal link. Writing also needs the X-CSRFToken header.",
        }
