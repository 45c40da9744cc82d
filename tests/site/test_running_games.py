"""While a game runs, nothing that anybody can fetch holds its secrets: no page, API answer, export or admin list.

Every role asks every route. When the game is over, each player's own choices are in their data file.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import pytest
from django.test import Client
from django.utils import timezone

from cardgames.engine import FastRng
from cardgames.models import Seat, Sheet, Table
from cardgames.tables import load_from_log
from log.models import Entry
from musters.models import Muster, SealedWord
from people.models import Person
from tests.cardgames.engine import game_laws
from tests.cardgames.tables.sample_tables import mask_tokens
from tests.musters.sample_war import scene
from tests.site.test_roles import ROLES, address, ask, everyone, rows  # noqa: F401

SECRET = "zzsecretzz"
ADMIN = ("/admin/log/log/", "/admin/log/entry/", "/admin/log/receipt/", "/admin/jobs/job/", "/admin/people/pass/")
# Routes that can hold something of a game: all of the API, every export, and the pages of the games.
OF_GAMES = (
    "/api/v1/",
    "/me/",
    "/tables/",
    "/musters/",
    "/jobs/",
    "/people/",
    "/nights/",
    "/campaigns/",
    "/live/",
    "/groups/",
)
STEADY = re.compile(rb'"made_at": "[^"]*"|data-who="[^"]*"|"last_seen": "[^"]*"|nonce-[\w=-]+')


def addresses(names: dict) -> list:
    asked = [row for row in rows() if row.method == "GET" and row.route.startswith(OF_GAMES)]
    return [(row, address(row.route, names)) for row in asked]


def fetch_all(client: Client, names: dict, paths: Collection[str] = ()) -> dict[str, bytes]:
    by_key = {path: ask(client, row.method, path) for row, path in addresses(names) if not paths or path in paths}
    pages = {path: b"".join(answer) if answer.streaming else answer.content for path, answer in by_key.items()}
    return {path: STEADY.sub(b"", mask_tokens(page)) for path, page in pages.items() if not path.endswith(".png")}


@pytest.fixture
def running(everyone, monkeypatch):  # noqa: F811
    """The table, the sheet and the muster of the roles test, with a secret in everything they hide."""
    clients, names = everyone
    table = Table.objects.get(code=names["tables"]["code"])
    guest = Person.objects.get(code=names["people"]["code"])
    Seat.objects.filter(table=table, number=1).update(person=guest, bot="")
    Table.objects.filter(pk=table.pk).update(seed=SECRET.encode())
    sheet = Sheet.objects.get(code=names["tables"]["sheet"])
    for person in Person.objects.all():
        for log in (table.log_id, table.sealed_id, sheet.log_id):
            write_secret(log, person)
    muster = Muster.objects.get(code=names["musters"]["code"])
    SealedWord.objects.create(campaign=muster.campaign, battle=muster.battle, kingdom="k1", word=SECRET)
    return clients, names, table


def write_secret(log: int, person: Person) -> None:
    """An entry of this person; the game itself does not read it, so that it can go on."""
    number = 900 + Entry.objects.filter(log=log, number__gte=900).count()
    body = {"seat": 1, "key": SECRET, "stamp": -1}
    act = "choice" if Table.objects.filter(sealed=log).exists() else "note"
    Entry.objects.create(log_id=log, number=number, act=act, actor=person, body=body, played_on="2026-05-01")


@pytest.mark.parametrize("role", ROLES)
def test_nothing_anyone_can_fetch_holds_a_secret(running, role):
    clients, names, _ = running
    spellings = [SECRET.encode(), SECRET.encode().hex().encode()]
    pages = fetch_all(clients[role], names)
    assert [path for path, page in pages.items() if any(spelling in page for spelling in spellings)] == []
    admin = {path: clients[role].get(path).content for path in ADMIN}
    assert [path for path, page in admin.items() if any(spelling in page for spelling in spellings)] == []


@pytest.mark.parametrize("role", ["nobody", "guest", "master"])
def test_nothing_anyone_can_fetch_depends_on_the_deal(running, role, monkeypatch):
    """The master plays seat 0; for everybody else all hands are hidden. Deal the rest again: the same bytes."""
    clients, names, table = running
    here = load_from_log.load_running_table(Table.objects.get(pk=table.pk))
    other = game_laws.elsewhere(here, 0 if role == "master" else table.seats, FastRng(7))
    assert game_laws.differs(here, other)
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)
    deals = {"here": here, "other": other}

    def fetch(deal: str, paths: Collection[str] = ()) -> dict[str, bytes]:
        monkeypatch.setattr(load_from_log, "load_running_table", lambda table, rows=None: deals[deal])
        return fetch_all(clients[role], names, paths)

    first, dealt_again = fetch("here"), fetch("other")
    differ = [path for path in first if first[path] != dealt_again[path]]
    assert len(differ) < 0.1 * len(first), "these differ each time"
    same_deal = fetch("here", differ) if differ else {}
    assert [path for path in differ if first[path] == same_deal[path]] == []


def test_choices_are_in_the_data_file_when_the_game_is_over(running):
    clients, _, table = running
    data = clients["guest"].get("/me/data/file/").json()
    assert SECRET not in str(data)
    assert "running" in data["left_out"]
    Table.objects.filter(pk=table.pk).update(state=Table.State.OVER, ended_at=timezone.now())
    Sheet.objects.update(state={"over": True})
    data = clients["guest"].get("/me/data/file/").json()
    assert [entry["log"] for entry in data["entries"] if SECRET in str(entry)] == [
        "table",
        "table-sealed",
        "card_sheet",
    ]
    assert data["left_out"] == ""


def test_hidden_muster_is_in_the_data_file_after_the_battle(make_person):
    war = scene(make_person, muster_sight="own")
    muster = war.begin(war.oak, "k1")

    def exported() -> list[str]:
        return [entry["log"] for entry in war.oak.client.get("/me/data/file/").json()["entries"]]

    assert "muster" not in exported()
    war.do("battle_called_off", {"battle": muster.battle})
    assert "muster" in exported()


def test_open_muster_is_in_the_data_file_at_once(make_person):
    war = scene(make_person)
    war.begin(war.oak, "k1")
    assert "muster" in [entry["log"] for entry in war.oak.client.get("/me/data/file/").json()["entries"]]
