"""The demo world, and the browsers that attack it: its people, seats and passes held, strangers, revoked passes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from cardgames.models import Seat
from people.accounts.log_ins import PASSES_KEY
from people.models import Pass
from tests.site.routes import every_route

WORD = re.compile(r"^[\w.:-]{1,40}$")


@dataclass
class World:
    clients: list[Client]
    values: dict[str, list[str]]
    known: list[Any]
    schema: dict[str, Any]
    routes: list[str]


def make_world() -> World:
    call_command("demo", verbosity=0)
    schema = SchemaGenerator().get_schema(request=None, public=True)
    values = _address_values()
    # Requests to the API are made from its schema.
    routes = [route for route in every_route() if not route.startswith(("static/", "api/", "live/"))]
    return World(_clients(), values, _known(values, schema), schema, routes)


def _clients() -> list[Client]:
    clients = []
    for user in get_user_model().objects.filter(is_active=True).order_by("pk"):
        client = _client()
        client.force_login(user)
        clients.append(client)
    seats = list(Seat.objects.exclude(token=None).values_list("token", flat=True))
    passes = list(Pass.objects.exclude(pk__in=seats).values_list("pk", flat=True))
    for held in (seats, passes, []):
        client = _client()
        session = client.session
        session[PASSES_KEY] = list(held)[:40]
        session.save()
        client.cookies["companion_session"] = session.session_key
        clients.append(client)
    return clients


def _client() -> Client:
    return Client(raise_request_exception=False)


def _address_values() -> dict[str, list[str]]:
    """For each name in a URL pattern, values of the demo world that fit it."""
    from battles.models import Battle
    from campaign.models import Campaign
    from cardgames.models import DeckCopy, Sheet, Table
    from gamenights.models import Play
    from gamenights.nights.models import Night
    from groups.models import Group
    from jobs.models import Job
    from musters.models import Muster
    from people.models import Person

    models = {
        "campaigns": Campaign,
        "battles": Battle,
        "musters": Muster,
        "tables": Table,
        "nights": Night,
        "groups": Group,
        "people": Person,
    }
    codes = {name: [*model.objects.values_list("code", flat=True)[:12]] for name, model in models.items()}
    return {
        **codes,
        "code": [code for of_model in codes.values() for code in of_model],
        "campaign": codes["campaigns"],
        "sheet": [*Sheet.objects.values_list("code", flat=True)[:5], "none"],
        "copy": [*DeckCopy.objects.values_list("code", flat=True)[:5], "none"],
        "uuid": [*Play.objects.values_list("uuid", flat=True)[:5], "none"],
        "person": codes["people"],
        "game": ["menagerie", "monarchs", "moods", "majesty"],
        "number": ["0", "1", "2"],
        "battle": ["1", "2", "3"],
        "place": ["1", "2"],
        "house": ["1", "4"],
        "season": ["1", "2"],
        "war": ["1"],
        "page": ["1"],
        "table": ["standings", "entries"],
        "ref": [*Job.objects.values_list("token", flat=True)[:5], "1"],
        "kingdom": ["k1", "k2", "k9"],
        "pk": ["1", "2", "3", "999"],
        "id": ["1", "2", "3", "999"],
        "*": ["1", "2", "0", "k1", "menagerie", "monarchs", "quick-reference", "campaign-map", "tokens", "A"],
    }


def _known(values: dict[str, list[str]], schema: dict[str, Any]) -> list[Any]:
    """Words a body can name: of this world and of the schema itself."""
    words = {word for given in values.values() for word in given}

    def collect(part: Any) -> None:
        if isinstance(part, dict):
            words.update(row for row in part.get("enum", ()) if isinstance(row, str) and WORD.match(row))
            for inner in part.values():
                collect(inner)
        elif isinstance(part, list):
            for inner in part:
                collect(inner)

    collect(schema["components"])
    places = [f"k{number}.{place}" for number in (1, 2, 3) for place in ("lands", "border_1", "border_2", "castle")]
    return sorted(words) + places + ["pitched_battle", "A1", "B1", "a1", "b2"]
