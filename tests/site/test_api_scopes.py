"""What a token may do is on the token: one that only reads changes nothing, whichever address and method it tries."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.urls import resolve

from campaign.chronicle.acts.registry import MASTER, get_act, list_acts
from people.api_tokens.scopes import READ, RUN, scope_of
from people.models import ApiToken, LogIn, Person
from tests.api_client import Api
from tests.campaign.chronicle import fuzzed_bodies
from tests.site.routes import every_route
from tests.site.test_roles import (  # noqa: F401  (everyone is a fixture)
    NO_SUCH,
    OPEN,
    address,
    everyone,
    noted_queries,
)

pytestmark = pytest.mark.usefixtures("answers_fit_the_schema")

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def token_of(person: Person, scopes: str) -> Api:
    log_in = LogIn.objects.create(person=person, how=LogIn.How.LINK, browser="a program")
    return Api(ApiToken.objects.create(log_in=log_in, scopes=scopes, kept={"log_in": log_in.pk}).token)


def operations(names: dict[str, dict]) -> Iterator[tuple[str, str, type]]:
    """Every address of the API with every method its view answers."""
    for route in every_route():
        if not route.startswith("api/v1/"):
            continue
        path = f"/{route}"
        if path.startswith(OPEN):
            path = path.replace("<str:key>", NO_SUCH)
        else:
            path = address(path, names)
        view = resolve(path).func.cls
        for method in METHODS:
            if hasattr(view, method.lower()):
                yield path, method, view


def alone(api: Api, method: str, path: str) -> HttpResponse:
    before = transaction.savepoint()
    try:
        return api.get(path) if method == "GET" else api.send(method.lower(), path, {})
    finally:
        transaction.savepoint_rollback(before)


def test_token_that_only_reads_changes_nothing(everyone):  # noqa: F811
    _, names = everyone
    reader = token_of(Person.objects.get(name="Master"), "read")
    wrong, tried = [], 0
    for path, method, view in operations(names):
        tried += 1
        with noted_queries() as noted:
            answer = alone(reader, method, path)
        if noted.writes:
            wrong.append(f"{method} {path} writes: {noted.writes[0][:150]}")
        scope = scope_of(view, method)
        if not path.startswith(OPEN) and scope != READ and (answer.status_code, _scope(answer)) != (403, scope):
            wrong.append(f"{method} {path}: {answer.status_code} instead of a refusal that names “{scope}”")
    assert tried > 180
    assert not wrong, "\n" + "\n".join(wrong)


def test_token_that_plays_does_not_run(everyone):  # noqa: F811
    _, names = everyone
    player = token_of(Person.objects.get(name="Master"), "read play")
    closed = [(path, method) for path, method, view in operations(names) if scope_of(view, method) == RUN]
    assert len(closed) > 15
    for path, method in closed:
        answer = alone(player, method, path)
        assert (answer.status_code, _scope(answer)) == (403, RUN), f"{method} {path}"


def test_what_always_asks_for_run_says_so_in_the_schema(everyone):  # noqa: F811
    """A permission may ask again; where it does for everybody, the view's ``scopes`` and the documentation say it."""
    _, names = everyone
    player = token_of(Person.objects.get(name="Master"), "read play")
    wrong = [
        f"{method} {path}"
        for path, method, view in operations(names)
        if scope_of(view, method) != RUN and _scope(alone(player, method, path)) == RUN
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def _scope(answer: HttpResponse) -> str:
    found = answer.json() if answer.headers.get("Content-Type", "").endswith("json") else {}
    return found.get("fresh", {}).get("scope", "") if isinstance(found, dict) else ""


def test_game_master_needs_a_token_that_runs(everyone):  # noqa: F811
    """Asked by the permission and not by the address: any act that only a game master can write."""
    _, names = everyone
    path, master = f"campaigns/{names['campaigns']['code']}/acts/", Person.objects.get(name="Master")
    player = token_of(master, "read play")
    acts = [act for act in list_acts() if get_act(act).by == MASTER]
    assert len(acts) > 10
    for act in acts:
        refused = player.post(path, {"key": f"scoped-{act}", "act": act, "body": fuzzed_bodies.GOOD[act][0]})
        assert (refused.status_code, _scope(refused)) == (403, RUN), refused.content
    sent = {"key": "scoped-note", "act": "note", "body": {"text": "Rain."}}
    assert player.post(path, sent).status_code == 201
    sent = {"key": "scoped-season", "act": "season_opened", "body": fuzzed_bodies.GOOD["season_opened"][0]}
    assert token_of(master, "read play run").post(path, sent).status_code != 403


def test_hosts_need_a_token_that_runs(everyone):  # noqa: F811
    player = token_of(Person.objects.get(name="Master"), "read play")
    table = player.done("tables/", {"key": "a-table-here", "table": {"game": "menagerie", "seats": 4}})["code"]
    refused = player.post(f"tables/{table}/acts/", {"key": "start-it-now", "act": "start", "body": {"level": "random"}})
    assert (refused.status_code, _scope(refused)) == (403, RUN), refused.content
    group = player.done("groups/", {"key": "a-group-here", "name": "The Cellar"})["code"]
    refused = player.patch(f"groups/{group}/", {"key": "rename-it-now", "name": "The Attic"})
    assert (refused.status_code, _scope(refused)) == (403, RUN), refused.content
