"""A phone without a log-in becomes a guest of the night's host, and is remembered."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest

from gamenights.nights import services
from gamenights.nights.models import Night
from log.services import new_key
from people import rate_limits
from people.accounts import log_ins
from people.guests import services as guests_services
from people.models import Person
from people.passes import personal_links
from people.requester import Who


def log_in_newcomer(request: HttpRequest, night: Night, name: str) -> Person:
    rate_limits.SIGN_UP.count_use(request)
    newcomer = guests_services.create_guest(name, night.host.root)
    log_ins.log_in_by_link(request, personal_links.issue_link(newcomer, by=Who.of(newcomer)))
    return newcomer


def come_by_name(
    request: HttpRequest, night: Night, name: str, known: Person | None, then: Callable[[], object]
) -> None:
    """A newcomer gives a name and does something. ``known``: they say that they are this person of the group."""
    log_in_newcomer(request, night, name)
    then()
    if known is not None:
        services.claim_known_person(night, request.who, key=new_key(), known=known)
