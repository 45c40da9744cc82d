"""The demo world as each of its people meets it: Your move and the evenings."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils.html import strip_tags

from cardgames.models import Table
from home import demo_world
from people.models import Person


@pytest.fixture
def demo(db, settings, tmp_path) -> dict[str, Client]:
    settings.AT_HOME, settings.VAR = True, tmp_path
    demo_world.make()
    clients = {}
    for person in Person.objects.exclude(account=None).select_related("account"):
        clients[person.name] = Client()
        clients[person.name].force_login(person.account)
    return clients


def parts(client: Client, path: str = "/") -> dict[str, str]:
    """The words under each heading of a page."""
    page = client.get(path).text.partition("<main")[2].partition("</main>")[0]
    found = re.split(r"<h2[^>]*>(.*?)</h2>", page)
    return {
        strip_tags(head): " ".join(strip_tags(body).split())
        for head, body in zip(found[1::2], found[2::2], strict=True)
    }


def test_the_demo_world_as_each_of_its_people_meets_it(demo):
    """One test, because making the world is most of its time."""
    everyone_is_told_what_waits_and_for_whom(demo)
    the_evenings_stand_under_their_days(demo)
    whose_turn_it_is_sits_down_with_any_browser(demo)


def everyone_is_told_what_waits_and_for_whom(demo):
    running = Table.objects.get(state=Table.State.PLAY)
    wren, tam, oda = parts(demo["Wren"]), parts(demo["Tam"]), parts(demo["Oda"])
    assert "Tam asks to amend it. It waits for you." in wren["Waits for you"]
    assert "The battle for Bramble Edge" in wren["Waits for you"]
    assert "Thistledown musters for Bramble Edge" in wren["Waits for others"], "the enemy's army has not come"
    assert f"Others choose at table {running.code}" in wren["Waits for others"]
    assert "Oakhold against Thistledown" in wren["Tonight"]
    assert "Siege" in wren["Tonight"]
    assert f"It is your turn at table {running.code}" in tam["Waits for you"]
    assert "It waits for Wren" in tam["Waits for others"]
    assert "Tonight" not in tam
    assert "Thistledown musters for Bramble Edge" in oda["Waits for you"]
    assert "Waits for others" not in oda


def whose_turn_it_is_sits_down_with_any_browser(demo):
    running = Table.objects.get(state=Table.State.PLAY)
    assert "Play on this one" in demo["Tam"].get(running.get_absolute_url()).text
    answer = demo["Tam"].post(f"{running.get_absolute_url()}seats/0/claim/", {"key": "sits-down-here"}, follow=True)
    assert 'id="choose"' in answer.text


def the_evenings_stand_under_their_days(demo):
    nights = demo["Wren"].get("/nights/").text
    said = " ".join(strip_tags(nights).split()).replace("\u2068", "").replace("\u2069", "")
    assert "Of Mice and Monarchs Wren and Tam." in said
    assert "Fenwick against Oakhold, Hold the Hills. Oakhold won." in said
    assert "Tonight" in parts(demo["Wren"], "/nights/")
    assert "No evening yet" in Client().get("/nights/").text
