"""Races: many browsers send the same thing at the same moment."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from people import guests as guests_services, merging
from people.accounts import services as accounts_services
from people.models import LogIn, Pass, Person, PersonalLink
from people.passes import services, services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from tests.races import describe_outcomes, run_at_once

settings.ALLOWED_HOSTS = ["*"]
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
PASSWORD = "cheese-and-thyme"
BROWSERS = 8


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
    outcomes = describe_outcomes(
        run_at_once(posts("/first/", lambda n: {"name": f"Maud {n}", "password": PASSWORD}, browsers()))
    )
    return {"outcomes": outcomes, "owners": get_user_model().objects.filter(is_superuser=True).count()}


def same_name() -> dict:
    accounts_services.create_account("Maud", PASSWORD, owner=True)
    outcomes = describe_outcomes(
        run_at_once(posts("/sign-up/", lambda n: {"name": "Bramble", "password": PASSWORD}, browsers()))
    )
    return {"outcomes": outcomes, "people": Person.objects.filter(name="Bramble").count()}


def reset() -> dict:
    person = accounts_services.create_account("Wren", PASSWORD)
    row = sign_up_claim_and_reset_links.create_reset_link(None, person)
    clients = browsers()
    clean = opened(row, clients)
    outcomes = describe_outcomes(run_at_once(posts(clean, lambda n: {"password": f"the new one {n}"}, clients)))
    row.refresh_from_db()
    fits = sum(get_user_model().objects.get().check_password(f"the new one {n}") for n in range(BROWSERS))
    return {"outcomes": outcomes, "left": row.uses_left, "fits": fits, "log_ins": LogIn.objects.count()}


def seat() -> dict:
    asked = passes_services.PassPrompt("Sit down.")
    passes_services.register_kind(
        "seat", "Seat", prompt=lambda row, who: asked, on_accept=lambda row, request: "/", belongs_to="game", holds=True
    )
    row = passes_services.create_pass("seat", 7, by=None, uses=3)
    clients = browsers()
    clean = opened(row, clients)
    outcomes = describe_outcomes(run_at_once(posts(clean, lambda n: {}, clients)))
    row.refresh_from_db()
    return {"outcomes": outcomes, "left": row.uses_left}


def link() -> dict:
    person = accounts_services.create_account("Wren", PASSWORD)
    who = Who.of(person)
    guest = guests_services.add_guest(who, "Pip")
    outcomes = describe_outcomes(
        run_at_once([lambda: services.issue_link(guest, by=who) and "made" for _ in range(BROWSERS)])
    )
    return {"outcomes": outcomes, "links": PersonalLink.objects.count()}


def ring() -> dict:
    who = Who.of(accounts_services.create_account("Wren", PASSWORD))
    outcomes = []
    rings = 0
    for number in range(5):
        a, b, c = (guests_services.add_guest(who, f"{letter}{number}") for letter in "abc")
        acts = [
            lambda one=one, into=into: merging.merge_people(one, into=into, by=who) and "merged"
            for one, into in ((a, b), (b, c), (c, a), (b, a), (c, b), (a, c))
        ]
        outcomes += describe_outcomes(run_at_once(acts))
        rows = {row.pk: row for row in Person.objects.filter(pk__in=[a.pk, b.pk, c.pk])}
        roots = [row for row in rows.values() if row.merged_into_id is None]
        rings += len(roots) != 1 or any(
            row.merged_into_id != roots[0].pk for row in rows.values() if row.pk != roots[0].pk
        )
    return {"outcomes": outcomes, "rings": rings}


def tap() -> dict:
    person = accounts_services.create_account("Wren", PASSWORD)
    clients = browsers()
    for client in clients:
        client.force_login(person.account)
    outcomes = describe_outcomes(
        run_at_once(posts("/people/", lambda n: {"name": "Pip", "key": "the-same-key"}, clients))
    )
    return {"outcomes": outcomes, "people": Person.objects.filter(name="Pip").count(), "passes": Pass.objects.count()}


def clean() -> None:
    for model in (LogIn, PersonalLink, Pass, get_user_model()):
        model.objects.all().delete()
    Person.objects.update(merged_into=None, joined_to=None, keeper=None)
    Person.objects.all().delete()
    cache.clear()


def race() -> dict[str, dict]:
    values = {}
    for row in (first_owner, same_name, reset, seat, link, ring, tap):
        clean()
        values[row.__name__] = row()
    return values
