"""What an API token may do: read, play, run. A browser's session may do everything its person may."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

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
    """The scopes as stored. Reading always belongs to them; nobody gives away more than they have."""
    chosen = {str(one) for one in wanted} if isinstance(wanted, (list, tuple, set, frozenset)) else set()
    if unknown := chosen - set(SCOPES):
        raise Refusal(f"“{min(unknown)[:40]}” is not a scope. Choose from read, play and run.", field="scopes")
    if missing := chosen - most:
        raise Refusal(f"This token has no scope “{min(missing)}”, so it cannot give it away.", status=403)
    return " ".join(one for one in SCOPES if one in chosen | {READ})


def scope_of(view: APIView, method: str) -> str:
    """``scopes`` of a view names what its methods need, if not read for looking and play for everything else."""
    named: dict[str, str] = getattr(view, "scopes", {})
    return named.get(method) or (READ if method in SAFE_METHODS else PLAY)


def require_scope(request: Request, scope: str) -> None:
    """Refuse a token without this scope. Where it depends on what was sent, the permission asks ``who`` again."""
    request._request.who.require_scope(scope)


class ScopePermission(BasePermission):
    def has_permission(self, request: Request, view: Any) -> bool:
        require_scope(request, self.scope_for(view, request.method or "GET"))
        return True

    def scope_for(self, view: Any, method: str) -> str:
        """Also for the schema."""
        return scope_of(view, method)
