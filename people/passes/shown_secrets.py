"""Secrets in answers of the API: addresses of links, and whatever else lets somebody in. All are shown through here.

An answer to a token never holds an address that can do more than the token. Each kind of link says which scope that
takes (``PassKind.scope``); most can do more than any token without "run", or outlive it.
"""

from django.http import HttpRequest

from pages.site_address_for_guests import guest_url
from people.api_tokens.scopes import RUN
from people.models import Pass, PersonalLink
from people.passes import services


def link_address(request: HttpRequest, row: Pass | PersonalLink) -> str | None:
    """The address of a link; None if it opens nothing any more, or more than this token may do."""
    scope = RUN
    if isinstance(row, Pass):
        kind = services.kind_of(row)
        if kind is None or services.state_of(row) != "open":
            return None
        scope = kind.scope
    if not row.token or not request.who.has_scope(scope):
        return None
    show_secret(request)
    return guest_url(row.get_absolute_url()).url


def show_secret(request: HttpRequest) -> None:
    """No cache keeps the answer, nor does the Idempotency-Key."""
    request.shows_secret = True
