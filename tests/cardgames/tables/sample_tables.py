"""Tables for tests: opened, filled and begun through the same doors as everybody's."""

from __future__ import annotations

import re
from typing import Any

from django.test import Client

from cardgames import hosting, loading, opening, seating
from cardgames.models import Table
from log.door import new_key
from people.models import Person
from people.who import Who

SEED = b"a table for tests"


def opened(host: Person, game: str = "menagerie", *, seed: bytes = SEED, **more: Any) -> Table:
    """A table whose deal is known to the test."""
    table = opening.open_table(Who.of(host), key=new_key(), game=game, **more)
    Table.objects.filter(pk=table.pk).update(seed=seed)
    return Table.objects.select_related("log").get(pk=table.pk)


def sit(client: Client, table: Table, number: int, name: str = "") -> None:
    answer = client.post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": number, "name": name})
    assert answer.status_code == 302, said(answer)


def begun(host: Person, game: str = "menagerie", *, people: int = 2, bots: str = "random", **more: Any):
    """A table in play with so many phones; bots have the rest."""
    if game == "monarchs":
        more.setdefault("seats", 2)
    table = opened(host, game, **more)
    phones = [Client() for _ in range(people)]
    for number, phone in enumerate(phones):
        sit(phone, table, number, f"Guest {number}")
    for number in range(people, table.seats):
        seating.set_bot(table, Who.of(host), key=new_key(), number=number, level=bots)
    hosting.start(table, Who.of(host), key=new_key())
    return fresh(table), phones


def said(answer: Any) -> str:
    """The sentence of a refusal."""
    return answer.content.decode().partition("<title>")[2].partition("</title>")[0]


def fresh(table: Table) -> Table:
    return Table.objects.select_related("log").get(pk=table.pk)


def seat_url(table: Table, number: int, rest: str = "") -> str:
    return f"/tables/{table.code}/seats/{number}/{rest}"


def choose(client: Client, table: Table, number: int, choice: str, *, stamp: int | None = None, key: str = "", **more):
    body = {"key": key or new_key(), "choice": choice}
    body["stamp"] = str(loading.load(fresh(table)).stamp if stamp is None else stamp)
    return client.post(seat_url(table, number, "choose/"), body, **more)


def first_option(table: Table, number: int) -> str:
    ask = loading.load(fresh(table)).ask_of(number)
    assert ask is not None
    return next(iter(ask.options))


def masked(page: bytes) -> bytes:
    """A page without what is new with every drawing: form keys and tokens."""
    text = page.decode()
    text = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "token", text)
    return re.sub(r'name="key" value="[A-Za-z0-9_-]{22}', 'name="key" value="', text).encode()
