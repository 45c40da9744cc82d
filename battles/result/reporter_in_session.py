"""Remember who reported a battle from this browser without a log-in."""

from __future__ import annotations

from django.http import HttpRequest

from battles.models import Battle
from people.models import Person

SESSION_KEY = "battle_reporters"
MAX_BATTLES = 10


def get_reporter(request: HttpRequest, battle: Battle) -> Person | None:
    pk = request.session.get(SESSION_KEY, {}).get(battle.code)
    return Person.objects.filter(pk=pk).select_related("merged_into").first() if pk else None


def remember_reporter(request: HttpRequest, battle: Battle, person: Person) -> None:
    earlier = list(request.session.get(SESSION_KEY, {}).items())[-(MAX_BATTLES - 1) :]
    request.session[SESSION_KEY] = {**dict(earlier), battle.code: person.pk}
