"""The demo world as each of its people sees it: the home page and the game nights."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from cardgames.models import Table
from home import demo_world
from people.models import Person


@pytest.fixture
def demo(db, settings, tmp_path) -> dict[str, Client]:
    settings.AT_HOME, settings.VAR = True, tmp_path
    demo_world.create_world()
    clients = {}
    for person in Person.objects.exclude(account=None).select_related("account"):
        clients[person.name] = Client()
        clients[person.name].force_login(person.account)
    return clients


def parts(client: Client, path: str = "/") -> dict[str, str]:
    """The text under each heading of a page."""
    page = client.get(path).text.partition("<main")[2].partition("</main>")[0]
    result = re.split(r"<h2[^>]*>(.*?)</h2>", page)
    return {
        strip_tags(head): " ".join(strip_tags(body).split())
        for head, body in zip(result[1::2], result[2::2], strict=True)
    }


def test_demo_world_for_each_of_its_people(demo):
    """One test, because making the demo world takes most of the time."""
    assert_everyone_sees_what_is_waiting(demo)
    assert_game_nights_are_listed_by_day(demo)
    assert_current_player_can_sit_down_in_any_browser(demo)
    assert_pages_ask_few_queries(demo)


def assert_everyone_sees_what_is_waiting(demo):
    running = Table.objects.get(state=Table.State.PLAY)
    wren, tam, oda = parts(demo["Wren"]), parts(demo["Tam"]), parts(demo["Oda"])
    assert "Correction of entry 16, The War of the Four Hedges" in wren["Waiting for you"]
    assert "Tam wants to amend it. Waiting for you." in wren["Waiting for you"]
    assert "The battle for Bramble Edge" in wren["Waiting for you"]
    assert "Thistledown musters for Bramble Edge" in wren["Waiting for others"], "the enemy's army has not come"
    assert f"Waiting for others at table {running.code}" in wren["Waiting for others"]
    assert "Oakhold against Thistledown" in wren["Tonight"]
    assert "Siege" in wren["Tonight"]
    assert f"It is your turn at table {running.code}" in tam["Waiting for you"]
    assert "Waiting for Wren" in tam["Waiting for others"]
    assert "Tonight" not in tam
    assert "Thistledown musters for Bramble Edge" in oda["Waiting for you"]
    assert "Waiting for others" not in oda


def assert_current_player_can_sit_down_in_any_browser(demo):
    running = Table.objects.get(state=Table.State.PLAY)
    assert "Play on this phone" in demo["Tam"].get(running.get_absolute_url()).text
    answer = demo["Tam"].post(f"{running.get_absolute_url()}seats/0/claim/", {"key": "sits-down-here"}, follow=True)
    assert 'id="choose"' in answer.text


def assert_pages_ask_few_queries(demo):
    """Also with the pass of a seat in this browser, as Tam has now, which is one query."""
    for name, client in demo.items():
        for address, most in {"/": 10, "/nights/": 12}.items():
            client.get(address)
            with CaptureQueriesContext(connection) as asked:
                client.get(address)
            assert len(asked) <= most, (name, address, [row["sql"] for row in asked])


def assert_game_nights_are_listed_by_day(demo):
    nights = demo["Wren"].get("/nights/").text
    text = " ".join(strip_tags(nights).split()).replace("\u2068", "").replace("\u2069", "")
    assert re.search(r"Of Mice and Monarchs \d+ \w+ \d{4}: Wren and Tam\.", text)
    assert "Fenwick against Oakhold, Hold the Hills. Oakhold won." in text
    assert re.search(r"Azul \d+ \w+ \d{4}: Tam and Oda won with 70\.", text), "logged by hand"
    assert "Recap of Game night" in text
    tonight = parts(demo["Tam"], "/nights/")["Tonight"]
    assert f"It is your turn at table {Table.objects.get(state=Table.State.PLAY).code}" in tonight
    assert "No games yet" in Client().get("/nights/").text
