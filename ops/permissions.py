"""The owner's page is for the owner, logged in with a password."""

from __future__ import annotations

from django.http import Http404

from people.accounts.my_account import require_password
from people.requester import Who


def require_owner(who: Who) -> None:
    """Everybody else gets a 404; who has not given a password is told so."""
    require_password(who)
    if not who.user.is_staff:
        raise Http404
