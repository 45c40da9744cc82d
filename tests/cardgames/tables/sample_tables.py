"""Card tables for tests, opened and started through the real services."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from cardgames.models import Seat, Table
from cardgames.tables import host_actions, load_from_log, table_creation
from cardgames.tables.core import acts
from cardgames.tables.seats import seating
from log.services import new_key
from people.models import Person
from people.requester import Who

SEED = b"a table for tests"


def open_sample_table(host: Person, game: str = "menagerie", *, seed: bytes = SEED, **more: Any) -> Table:
    """A table whose deal is known to the test."""
    deck = more.pop("deck", None)
    table = table_creation.open_table(Who.of(host), acts.HostTable(game, **more), key=new_key(), deck=deck)
    Table.objects.filter(pk=table.pk).update(seed=seed)
    return Table.objects.select_related("log").get(pk=table.pk)


def sit(client: Client, table: Table, number: int, name: str = "") -> None:
    answer = client.post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": number, "name": name})
    assert answer.status_code == 302, refusal_text(answer)


def say_yes(host: Client, table: Table, number: int, act: str = "give") -> None:
    """The host answers a request for the seat."""
    claim = Seat.objects.get(table=table, number=number).claim_id
    answer = host.post(f"/tables/{table.code}/seats/{number}/run/", {"key": new_key(), "act": act, "claim": claim})
    assert answer.status_code == 302, refusal_text(answer)


def begin_sample_game(host: Person, game: str = "menagerie", *, people: int = 2, bots: str = "random", **more: Any):
    """A running game with this many phones; bots play the other seats."""
    if game == "monarchs":
        more.setdefault("seats", 2)
    table = open_sample_table(host, game, **more)
    phones = [Client() for _ in range(people)]
    for number, phone in enumerate(phones):
        sit(phone, table, number, f"Guest {number}")
    for number in range(people, table.seats):
        seating.set_bot(table, Who.of(host), acts.SetBot(number, bots), key=new_key())
    host_actions.start_game(table, Who.of(host), acts.StartGame(), key=new_key())
    return reload(table), phones


def refusal_text(answer: Any) -> str:
    """The sentence of a refusal."""
    return answer.content.decode().partition("<title>")[2].partition("</title>")[0]


def reload(table: Table) -> Table:
    return Table.objects.select_related("log").get(pk=table.pk)


def seat_url(table: Table, number: int, rest: str = "") -> str:
    return f"/tables/{table.code}/seats/{number}/{rest}"


def choose(client: Client, table: Table, number: int, choice: str, *, stamp: int | None = None, key: str = "", **more):
    body = {"key": key or new_key(), "choice": choice}
    body["stamp"] = str(load_from_log.load_running_table(reload(table)).stamp if stamp is None else stamp)
    return client.post(seat_url(table, number, "choose/"), body, **more)


def first_option(table: Table, number: int) -> str:
    ask = load_from_log.load_running_table(reload(table)).question_for(number)
    assert ask is not None
    return next(iter(ask.options))


def mask_tokens(page: bytes) -> bytes:
    """A page without what changes on every request: form keys and tokens."""
    text = page.decode(errors="replace")  # a photo is no text
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "token", text)
    return re.sub(r'name="key" value="[A-Za-z0-9_-]{22}', 'name="key" value="', text).encode()
