"""Run as a program on a database of its own: many browsers at one door at the same moment, then what came of it, as JSON.

python -m tests.people.race FIRST_OWNER|SAME_NAME|RESET|SEAT|LINK|RING|TAP
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from people import accounts, keeping, kinds, links, merging, passes  # noqa: E402
from people.models import LogIn, Pass, Person, PersonalLink  # noqa: E402
from people.who import Who  # noqa: E402
from refusal import Refusal  # noqa: E402

settings.ALLOWED_HOSTS = ["*"]
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
PASSWORD = "cheese-and-thyme"
BROWSERS = 8


def at_once(acts: list[Callable[[], Any]]) -> list[str]:
    """Let them all go at the same moment; what each came to, in words."""
    barrier = threading.Barrier(len(acts))
    outcomes: list[str] = []

    def run(act: Callable[[], Any]) -> None:
        barrier.wait()
        try:
            outcomes.append(str(act()))
        except Refusal as refusal:
            outcomes.append(f"refused {refusal.status}")
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


def posts(path: str, data: Callable[[int], dict], clients: list[Client]) -> list[Callable[[], int]]:
    return [
        lambda number=number, client=client: client.post(path, data(number)).status_code
        for number, client in enumerate(clients)
    ]


def browsers() -> list[Client]:
    clients = [Client() for _ in range(BROWSERS)]
    for client in clients:
        client.get("/healthz")  # the handler is warm before the race
    return clients


def opened(row: Pass, clients: list[Client]) -> str:
    """The clean address of a pass whose link was opened in each of these browsers."""
    (clean,) = {client.get(row.get_absolute_url())["Location"] for client in clients}
    return clean


def first_owner() -> dict:
    outcomes = at_once(posts("/first/", lambda n: {"name": f"Maud {n}", "password": PASSWORD}, browsers()))
    return {"outcomes": outcomes, "owners": get_user_model().objects.filter(is_superuser=True).count()}


def same_name() -> dict:
    accounts.make("Maud", PASSWORD, owner=True)
    outcomes = at_once(posts("/sign-up/", lambda n: {"name": "Bramble", "password": PASSWORD}, browsers()))
    return {"outcomes": outcomes, "people": Person.objects.filter(name="Bramble").count()}


def reset() -> dict:
    person = accounts.make("Wren", PASSWORD)
    row = kinds.reset_link(None, person)
    clients = browsers()
    clean = opened(row, clients)
    outcomes = at_once(posts(clean, lambda n: {"password": f"the new one {n}"}, clients))
    row.refresh_from_db()
    fits = sum(get_user_model().objects.get().check_password(f"the new one {n}") for n in range(BROWSERS))
    return {"outcomes": outcomes, "left": row.uses_left, "fits": fits, "log_ins": LogIn.objects.count()}


def seat() -> dict:
    asked = passes.Ask("Sit down.")
    passes.register("seat", "Seat", ask=lambda row, who: asked, on_accept=lambda row, request: "/", holds=True)
    row = passes.make("seat", 7, by=None, uses=3)
    clients = browsers()
    clean = opened(row, clients)
    outcomes = at_once(posts(clean, lambda n: {}, clients))
    row.refresh_from_db()
    return {"outcomes": outcomes, "left": row.uses_left}


def link() -> dict:
    person = accounts.make("Wren", PASSWORD)
    who = Who.of(person)
    friend = keeping.add(who, "Pip")
    outcomes = at_once([lambda: links.issue(friend, by=who) and "made" for _ in range(BROWSERS)])
    return {"outcomes": outcomes, "links": PersonalLink.objects.count()}


def ring() -> dict:
    who = Who.of(accounts.make("Wren", PASSWORD))
    outcomes = []
    rings = 0
    for number in range(5):
        a, b, c = (keeping.add(who, f"{letter}{number}") for letter in "abc")
        acts = [
            lambda one=one, into=into: merging.merge(one, into=into, by=who) and "merged"
            for one, into in ((a, b), (b, c), (c, a), (b, a), (c, b), (a, c))
        ]
        outcomes += at_once(acts)
        rows = {row.pk: row for row in Person.objects.filter(pk__in=[a.pk, b.pk, c.pk])}
        roots = [row for row in rows.values() if row.merged_into_id is None]
        rings += len(roots) != 1 or any(
            row.merged_into_id != roots[0].pk for row in rows.values() if row.pk != roots[0].pk
        )
    return {"outcomes": outcomes, "rings": rings}


def tap() -> dict:
    person = accounts.make("Wren", PASSWORD)
    clients = browsers()
    for client in clients:
        client.force_login(person.account)
    outcomes = at_once(posts("/people/", lambda n: {"name": "Pip", "key": "the-same-key"}, clients))
    return {"outcomes": outcomes, "people": Person.objects.filter(name="Pip").count(), "passes": Pass.objects.count()}


def clean() -> None:
    for model in (LogIn, PersonalLink, Pass, get_user_model()):
        model.objects.all().delete()
    Person.objects.update(merged_into=None, joined_to=None, keeper=None)
    Person.objects.all().delete()
    cache.clear()


if __name__ == "__main__":
    found = {}
    for one in (first_owner, same_name, reset, seat, link, ring, tap):
        clean()
        found[one.__name__] = one()
    print(json.dumps(found))
