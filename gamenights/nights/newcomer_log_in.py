"""A phone without a log-in becomes a guest of the night's host, and is remembered."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.http import HttpRequest

from gamenights.nights import selectors, services
from gamenights.nights.models import Night
from log.services import new_key
from people import guests as guests_services
from people import rate_limits
from people.accounts import log_ins
from people.models import Person
from people.name_validation import clean_name
from people.passes import services as passes_services
from people.requester import Who
from refusal import Refusal

NOBODY = "nobody"


class IsThatYou(Exception):
    """The group knows people of this name. The newcomer has to say which of them they are, or that it is nobody."""

    def __init__(self, name: str, namesakes: list[tuple[Person, dt.date | None]]) -> None:
        super().__init__(name)
        self.name = name
        self.namesakes = namesakes


def come_by_name(
    request: HttpRequest, night: Night, name: str, said: str, then: Callable[[Who], object]
) -> Person | None:
    """Do something as a newcomer of this name, or raise ``IsThatYou``. A refusal leaves no guest behind.

    ``said`` answers "Is that you?": a person's code, or NOBODY. That person is returned; a host confirms it.
    """
    name = clean_name(name)
    namesakes = selectors.find_namesakes(night.group, name)
    known = next((person for person, _ in namesakes if person.code == said), None)
    if namesakes and known is None and said != NOBODY:
        raise IsThatYou(name, namesakes)
    rate_limits.SIGN_UP.count_use(request)
    newcomer = guests_services.create_guest(name, night.host.root)
    who = Who.of(newcomer)
    try:
        then(who)
    except Refusal:
        newcomer.delete()
        raise
    if known is not None:
        services.claim_known_person(night, who, key=new_key(), known=known)
    log_ins.log_in_by_link(request, passes_services.issue_link(newcomer, by=who))
    return known
