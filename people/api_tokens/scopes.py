"""Who makes a request to the API, an API token or the same session as the pages, and what a token may do.

Its scopes are read, play and run. A browser's session may do everything its person may.
"""

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from pages import refusal_handling
from people.requester import scope_refusal
from refusal import Refusal

if TYPE_CHECKING:
    from rest_framework.views import APIView

READ, PLAY, RUN = "read", "play", "run"
SCOPES = {
    READ: "See what you see",
    PLAY: "Play: muster, fight, report, answer, sit at a table",
    RUN: "Run things: as game master, host or owner, and your own account",
}


def clean_scopes(wanted: object, most: frozenset[str] = frozenset(SCOPES)) -> str:
    """The scopes as stored, all of them for None. Reading always belongs to them; nobody gives away more than they
    have."""
    if wanted is None:
        wanted = most
    chosen = set(map(str, wanted)) if isinstance(wanted, (list, tuple, set, frozenset)) else set()
    if unknown := chosen - set(SCOPES):
        raise Refusal(f"“{min(unknown)[:40]}” is not a scope. Choose from read, play and run.", field="scopes")
    if missing := chosen - most:
        raise Refusal(f"This token has no scope “{min(missing)}”, so it cannot give it away.", status=403)
    return " ".join(scope for scope in SCOPES if scope in chosen | {READ})


def scope_of(view: "APIView", method: str) -> str:
    """``scopes`` of a view names what its methods need, if not read for looking and play for everything else."""
    named: dict[str, str] = getattr(view, "scopes", {})
    return named.get(method) or (READ if method in SAFE_METHODS else PLAY)


class ScopePermission(BasePermission):
    def has_permission(self, request: Request, view: Any) -> bool:
        scope, asked = self.scope_for(view, request.method or "GET"), request._request
        asked.who.require_scope(scope)
        # What counts as acting is up to the operation, not to its method: working out odds is sent by POST.
        asked.who.is_acting = asked.is_acting = scope != READ
        return True

    def scope_for(self, view: Any, method: str) -> str:
        """Also for the schema."""
        return scope_of(view, method)


def api_exception_handler(error: Exception, context: Any) -> Response | None:
    """A game master, host or owner whose token cannot act as one is told which scope it needs."""
    if isinstance(error, Refusal) and error.status == 403 and context["request"]._request.who.lacked_run:
        error = scope_refusal(RUN)
    return refusal_handling.api_exception_handler(error, context)


# ── Who makes a request ────────────────────────────────────────────────────────────────────────────────


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
    target_class = "people.api_tokens.scopes.WhoAuthentication"
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
