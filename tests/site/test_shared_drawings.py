"""A drawing that is kept for many viewers shows each of them what they would see without it.

Every address that keeps drawings is found by itself, so a new one is covered too.
"""

from __future__ import annotations

import re
import sys

import pytest
from django.test import Client
from django.urls import resolve

from campaign.models import Approval
from cardgames.tables import host_actions, table_creation
from cardgames.tables.core import acts
from cardgames.tables.seats import seating
from gamenights.nights import services as nights_services
from groups import services as groups_services
from groups.entries import FoundGroup
from pages import cached_parts
from people.requester import Who
from tests.cardgames.tables.sample_tables import sit
from tests.site.routes import every_route
from tests.site.viewers import World, make_world

pytestmark = pytest.mark.django_db

VIEWERS = ("master", "ruler", "regent", "member", "nobody")


@pytest.fixture
def hall(make_person) -> World:
    """Somebody waits for the regent's word, and the game master's card table is paused."""
    hall = make_world(make_person)
    body = {"attacker": "k2", "target": "k1.border_1", "outcome": "draw", "battle": hall.war.battle}
    report = {"person": hall.people["opponent"].pk, "behalf": None, "body": body, "played": "2026-03-01"}
    Approval.objects.create(
        campaign=hall.war.campaign,
        act="result",
        subject=f"battle {hall.war.battle}",
        sides=["k2", "k1"],
        asks=["k1"],
        versions=[report | {"late": False, "why": "", "digest": "", "at": ""}],
        laid_by=hall.people["opponent"],
    )
    return hall


def paused_table(hall: World) -> str:
    host = Who.of(hall.people["master"])
    table = table_creation.open_table(host, acts.HostTable("menagerie"), key="a-table-to-watch")
    sit(hall.clients["master"], table, 0)
    for number in (1, 2, 3):
        seating.set_bot(table, host, acts.SetBot(number, "random"), key=f"a-bot-to-watch-{number}")
    host_actions.start_game(table, host, acts.StartGame(), key="a-table-begins")
    host_actions.set_paused(table, host, acts.SetPaused(True), key="a-table-pauses")
    return table.code


def night(hall: World) -> str:
    host = Who.of(hall.people["master"])
    group = groups_services.found_group(host, "a-group-to-watch", FoundGroup(name="The Other Table"))
    return nights_services.start_tonight(group, host, key="a-night-to-watch").code


def addresses(hall: World) -> dict[str, str]:
    """Every address whose view stands in a module that keeps drawings."""
    values = {"code": hall.code, "kingdom": "k1", "season": "1", "battle": str(hall.war.battle), "campaign": hall.code}
    own = {"battles": hall.battle.code, "musters": hall.musters[0].code, "tables": paused_table(hall)}
    own["nights"] = own["n"] = night(hall)
    result = {}
    for route in ("/" + row for row in every_route()):
        app = route.removeprefix("/api/v1").split("/")[1]
        names = values | {"code": own.get(app, hall.code)}
        path = re.sub(r"<(?:\w+:)?(\w+)>", lambda match, names=names: names.get(match[1], "?"), route)
        if "?" not in path and "render_once" in vars(sys.modules[resolve(path).func.__module__]):
            result[route] = path
    return result


def look(client: Client, path: str) -> tuple[int, bytes]:
    answer = client.get(path)
    return answer.status_code, b"" if answer.streaming else answer.content


def test_drawing_made_for_one_viewer_shows_another_only_what_is_theirs(hall):
    kept, wrong = [], []
    for route, path in addresses(hall).items():
        cached_parts.forget_all()
        look(hall.clients["ruler"], path)
        if not any(isinstance(key, str) for key in cached_parts._parts):  # a live part, by its ETag
            continue
        kept.append(route)
        alone = {}
        for viewer in VIEWERS:
            cached_parts.forget_all()
            alone[viewer] = look(hall.clients[viewer], path)
        for first in VIEWERS:
            cached_parts.forget_all()
            look(hall.clients[first], path)
            for viewer in VIEWERS:
                if look(hall.clients[viewer], path) != alone[viewer]:
                    wrong.append(f"{route}: {viewer} sees what was drawn for {first}")
    pictures = {"/campaigns/<slug:code>/card.png", "/battles/<slug:code>/share.png"}
    assert {"/campaigns/<slug:code>/parts/", "/tables/<table:code>/wall/part/", *pictures} <= set(kept)
    assert not wrong, "\n" + "\n".join(wrong)
