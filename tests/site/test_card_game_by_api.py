"""A whole card game and a game beside printed cards by the API alone."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from jobs import timers
from jobs.models import Due
from tests.api_client import Api

PASSWORD = "cheese-and-thyme"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("answers_fit_the_schema")]


@pytest.fixture(autouse=True)
def fresh_limits():
    cache.clear()


class Keys:
    def __init__(self) -> None:
        self.count = 0

    def __call__(self) -> str:
        self.count += 1
        return f"key-number-{self.count}"


def let_bots_play() -> None:
    """What the site's own clock does: fire whatever is due next."""
    if due := Due.objects.order_by("due_at").first():
        timers.fire_due_timers(due.due_at)


def test_game_from_hosting_to_the_replay():
    key = Keys()
    wren = Api(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    table = wren.done("tables/", {"key": key(), "table": {"game": "menagerie", "seats": 4}})["code"]
    here = f"tables/{table}/"
    wren.done(f"{here}acts/", {"key": key(), "act": "sit", "body": {"seat": 0}})

    # Pip has no account: a token that has not logged in, the code and a name are enough.
    pip = Api(Api().done("log-in/", {"scopes": ["read", "play"]})["token"])
    assert pip.post("tables/join/", {"code": "zzzz"}).status_code == 404
    joined = pip.done("tables/join/", {"code": table.lower(), "key": key(), "name": "Pip"})
    assert joined["table"] == table
    assert pip.get("me/").json()["name"] == "Pip"
    seats = {row["name"]: row["number"] for row in wren.get(here).json()["people"]}
    assert pip.post(f"{here}acts/", {"key": key(), "act": "start", "body": {}}).status_code == 403
    wren.done(f"{here}acts/", {"key": key(), "act": "fill", "body": {"level": "random"}})
    begun = wren.done(f"{here}acts/", {"key": key(), "act": "start", "body": {}})
    assert begun["state"] == "play"
    assert wren.get(f"{here}replay/").status_code == 422
    wren.done(f"{here}acts/", {"key": key(), "act": "pause", "body": {"paused": True}})
    assert wren.get(here).json()["paused"] is True
    wren.done(f"{here}acts/", {"key": key(), "act": "pause", "body": {"paused": False}})

    # Pip changes phones in the middle of the game.
    moved = pip.done(f"{here}seats/{seats['Pip']}/link/")["address"]
    other = Api(Api().done("links/accept/", {"link": moved})["new_token"]["token"])
    assert pip.get(f"{here}seats/{seats['Pip']}/").status_code == 409
    players = {seats["Wren"]: wren, seats["Pip"]: other}
    for _ in range(400):
        state = wren.get(here).json()
        if state["state"] != "play":
            break
        for number in state["asked"]:
            if number in players:
                view = players[number].get(f"{here}seats/{number}/").json()
                if view["ask"] is None:
                    continue
                choice = view["ask"]["choices"][0]["key"]
                answered = players[number].post(
                    f"{here}seats/{number}/choose/",
                    {"key": key(), "choice": choice, "stamp": view["ask"]["stamp"]},
                )
                assert answered.status_code in (201, 409), answered.content
        let_bots_play()
    assert state["state"] == "over"
    [result] = wren.get("tables/results/", {"game": "menagerie"}).json()
    assert (result["table"], len(result["players"])) == (table, 4)
    assert wren.get("tables/results/tallies/").json()[0]["tallies"]
    first = wren.get(f"{here}replay/").json()
    last = wren.get(f"{here}replay/", {"step": first["steps"], "seat": "0"}).json()
    assert last["step"] == first["steps"] > 10
    assert last["play"]["outcome"]
    moves = [wren.get(f"{here}replay/", {"step": number}).json()["bot_move"] for number in range(1, 9)]
    bots = {move["seat"] for move in moves if move}
    assert (None in moves, bots and bots.isdisjoint(players)) == (True, True)
    step = 1 + next(number for number, move in enumerate(moves) if move)
    assert "Easy bot" in wren.get(f"{here}replay/", {"step": step, "why": "true"}).json()["reasons"][0]
    again = wren.done(f"{here}acts/", {"key": key(), "act": "again", "body": {}})
    assert again["code"] != table
    wren.done(f"tables/{again['code']}/acts/", {"key": key(), "act": "call-off", "body": {}})


def test_newcomer_hosts_under_a_name(settings):
    body = {"key": "a-newcomers-table", "table": {"game": "monarchs", "seats": 2}}
    bare = Api(Api().done("log-in/", {})["token"])
    assert bare.post("tables/", body).status_code == 403
    settings.SIGN_UP = "closed"
    assert bare.post("tables/", {**body, "name": "Pip"}).status_code == 403
    settings.SIGN_UP = "open"
    assert bare.done("tables/", {**body, "name": "Pip"})["game"] == "monarchs"
    assert bare.get("me/").json()["name"] == "Pip"
    assert [row["game"] for row in bare.get("tables/", {"game": "monarchs"}).json()] == ["monarchs"]


def test_score_sheet_beside_printed_cards():
    key = Keys()
    wren = Api(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    low, _ = wren.get("tables/companion/menagerie/").json()["seats"]
    sheet = wren.done("tables/sheets/", {"key": key(), "game": "menagerie", "seats": low, "names": ["Wren"]})
    here = f"tables/sheets/{sheet['code']}/"
    phone = Api(Api().done("links/accept/", {"link": sheet["link"]})["new_token"]["token"])
    assert phone.get(here).json()["is_keeper"] is False
    assert phone.put(f"{here}names/", {"names": ["Wren", "Pip"]}).json()["seats"][1]["name"] == "Pip"
    dealt = wren.done(f"{here}roles/", {"key": key(), "seen": sheet["step"]})
    place = next(row["number"] + 1 for row in dealt["seats"] if not row["role"])
    cards = phone.done(f"{here}roles/{place}/")["cards"]
    assert len(cards) == 1
    assert wren.get(f"{here}roles/{place}/").status_code == 403
    assert wren.get(here).json()["seats"][place - 1]["role"] == ""
    assert phone.delete(f"{here}roles/{place}/").status_code == 204
    figures = {"seat": 0, "figures": {"counts": {}}}
    assert wren.post(f"{here}scores/", {"key": key(), "figures": figures}).status_code == 200
    over = wren.done(f"{here}turn/", {"key": key(), "turn": {"turn": "over", "seat": None, "seen": dealt["step"]}})
    assert over["over"] is True
    assert wren.done(f"{here}again/", {"key": key()})["code"] != sheet["code"]
    assert wren.get("tables/sheets/", {"game": "menagerie"}).json()


def test_own_deck_is_copied_changed_shared_and_deleted():
    key = Keys()
    wren = Api(Api().done("first-owner/", {"name": "Wren", "password": PASSWORD})["token"])
    copy = wren.done("tables/decks/menagerie/copy/", {"key": key(), "title": "Ours"})
    here = f"tables/decks/ours/{copy['code']}/"
    deck = wren.get(here).json()
    assert deck["title"] == "Ours"
    changed = wren.patch(here, {"version": copy["version"], "title": "Theirs", "values": {}}).json()
    assert (changed["title"], changed["version"]) == ("Theirs", copy["version"] + 1)
    assert wren.patch(here, {"version": 0, "title": "Late", "values": {}}).status_code == 409
    assert wren.put(f"{here}use/", {"use": "nobody-knows"}).status_code == 422
    taken = wren.send_bytes(f"tables/decks/take-in/?key={key()}", wren.get(here).content, "application/json")
    assert taken.status_code == 201
    assert wren.delete(here).status_code == 204
    assert wren.get(here).status_code == 404
