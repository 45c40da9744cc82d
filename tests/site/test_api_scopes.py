"""What a token may do is on the token: one that only reads changes nothing, whichever address and method it tries."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest
from django.contrib.auth import get_user_model
from django.db import transaction
from django.http import HttpResponse
from django.urls import resolve
from django.utils import timezone

from battles.models import Battle
from campaign import models as campaign_models
from campaign.chronicle.acts.registry import MASTER, get_act, list_acts
from campaign.models import Campaign
from cardgames.models import Seat, Table
from cardgames.tables.load_from_log import kept_games
from gamenights.models import Attendance, Night
from groups import models as groups_models
from groups.models import Group
from jobs.models import Job
from people.api_tokens.scopes import READ, RUN, scope_of
from people.models import ApiToken, LogIn, Pass, Person
from people.requester import Who
from photos.models import Photo
from tests.api_client import Api
from tests.campaign.chronicle import fuzzed_bodies
from tests.site.routes import every_route
from tests.site.sample_bodies import sample_bodies
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


def alone(api: Api, method: str, path: str, body: object = None) -> HttpResponse:
    before = transaction.savepoint()
    try:
        return api.get(path) if method == "GET" else api.send(method.lower(), path, {} if body is None else body)
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
    """A role may count only with "run". Where nobody gets by without it, the view's ``scopes`` and the documentation
    say so."""
    _, names = everyone
    master = token_of(Person.objects.get(name="Master"), "read play")
    others = [token_of(person, "read play") for person in Person.objects.exclude(name="Master")]
    others.append(Api(ApiToken.objects.create(scopes="read play", kept={"passes": _all_passes()}).token))
    wrong = [
        f"{method} {path}"
        for path, method, view in operations(names)
        if scope_of(view, method) != RUN
        and _scope(alone(master, method, path)) == RUN
        and all(alone(other, method, path).status_code in (403, 404) for other in others)
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def _all_passes() -> list[int]:
    return list(Pass.objects.valid().values_list("pk", flat=True))


REFUSED = (401, 403, 404)


def test_token_that_plays_has_no_office(everyone):  # noqa: F811
    """Whatever a game master, a host or an owner would be refused without their office, they are refused with a token
    that only plays: for every operation that changes something, with every choice of its schema."""
    _, names = everyone
    officers = [Person.objects.get(name=name) for name in ("Master", "Owner")]
    _hand_things_to_others(officers[0])
    writes = list(_writes(names))
    wrong, closed = [], set()
    for person in officers:
        player, runner = token_of(person, "read play"), token_of(person, "read play run")
        with _no_offices(person):
            closed_to_players = [alone(player, *write).status_code in REFUSED for write in writes]
        for (method, path, body), is_closed in zip(writes, closed_to_players, strict=True):
            if not is_closed:
                continue
            plays = alone(player, method, path, body)
            if _scope(plays) == RUN or plays.status_code == 404:
                closed.add((method, path))
            elif alone(runner, method, path, body).status_code not in REFUSED:
                wrong.append(f"{method} {path} {body}: {plays.status_code} for {person.name}")
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(closed) > 50, closed


def _writes(names: dict[str, dict]) -> Iterator[tuple[str, str, object]]:
    """Method, address and body."""
    known = known_texts(names)
    for path, method, view in operations(names):
        if not path.startswith(OPEN) and scope_of(view, method) != READ:
            for body in _campaign_acts() if path.endswith("/acts/") and "/campaigns/" in path else ():
                yield method, path, body
            for body in ({}, *sample_bodies(method, path, known)):
                yield method, path, body


def known_texts(names: dict[str, dict]) -> dict[str, str]:
    """What bodies name, by the name of the field."""
    player, guest = (Person.objects.get(name=name).code for name in ("Player", "Guest"))
    return {
        "key": "a-key-of-the-law",
        "campaign": names["campaigns"]["code"],
        "kingdom": "k1",
        "attacker": "k1",
        "target": "k1.border_1",
        "person": player,
        "report_as": guest,
        "night": names["nights"]["code"],
        "game": "menagerie",
        "sheet": "slip",
        "subject": names["battles"]["code"],
        "scenario": "ambush",
        "ending": "destroyed-B",
        "unit": "A1",
        "side": "A",
        "zone": "Europe/Berlin",
        "url": "https://example.org/notices",
        "starts_at": "2026-03-01T19:00",
    }


def _campaign_acts() -> Iterator[object]:
    for act in list_acts():
        yield {"key": f"law-of-{act}", "act": act, "body": fuzzed_bodies.GOOD[act][0]}


def _hand_things_to_others(master: Person) -> None:
    """What the master may do because it is theirs is not what they may do in their office."""
    player = Person.objects.get(name="Player")
    Photo.objects.update(person=player, reported_at=timezone.now(), reported_by=player)
    Group.objects.update(edits=Group.Edits.HOSTS)
    Campaign.objects.filter(pk__in=Campaign.objects.run_by(Who.of(master))).update(group=Group.objects.latest("pk"))
    Job.objects.update(owner=Person.objects.get(name="Stranger"))


@contextlib.contextmanager
def _no_offices(person: Person) -> Iterator[None]:
    """They are a plain member of everything, and somebody else runs it."""
    before, other = transaction.savepoint(), Person.objects.get(name="Stranger")
    Night.objects.filter(host=person).update(host=other)
    Attendance.objects.filter(person=person).update(co_host=False)
    Table.objects.filter(host=person).update(host=other)
    Seat.objects.update(is_cohost=False)
    groups_models.Member.objects.filter(person=person, role="host").update(role="member")
    campaign_models.Member.objects.filter(person=person, role="master").update(role="player")
    for row in campaign_models.Snapshot.objects.all():
        row.state["masters"] = [master for master in row.state["masters"] if master != person.pk]
        row.save()
    get_user_model().objects.filter(person=person).update(is_staff=False, is_superuser=False)
    kept_games.clear()
    yield
    transaction.savepoint_rollback(before)
    kept_games.clear()


def _scope(answer: HttpResponse) -> str:
    result = answer.json() if answer.headers.get("Content-Type", "").endswith("json") else {}
    return result.get("fresh", {}).get("scope", "") if isinstance(result, dict) else ""


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


def test_doors_that_stood_open_to_tokens_that_play(everyone):  # noqa: F811
    """A host, game master or person with an account, whose token only plays."""
    _, names = everyone
    master, guest = Person.objects.get(name="Master"), Person.objects.get(name="Guest")
    _hand_things_to_others(master)
    player, runner = token_of(master, "read play"), token_of(master, "read play run")
    groups, photo = f"groups/{names['groups']['code']}/", f"photos/{names['photos']['code']}/"
    campaign = {"key": "out-of-the-group", "campaign": names["campaigns"]["code"], "act": "remove"}
    notices = {"topics": [], "by_mail": False, "url": "https://example.org/notices"}
    for method, path, body in (
        ("post", photo, {"act": "keep"}),
        ("delete", photo, None),
        ("delete", f"{groups}plays/{names['groups']['uuid']}/", None),
        ("delete", f"{groups}members/{guest.code}/", None),
        ("post", f"{groups}campaigns/", campaign),
        ("put", "me/notices/", notices),
        ("post", f"battles/{names['battles']['code']}/slip/", {}),
    ):
        refused = alone(player, method.upper(), path, body)
        assert refused.status_code in (403, 404), f"{method} {path}: {refused.status_code}"
        done = alone(runner, method.upper(), path, body)
        assert done.status_code < 300, f"{method} {path}: {done.status_code} {done.content!r}"


def test_game_master_who_fights_calls_off_as_a_captain(everyone):  # noqa: F811
    """Once a battle is on the table, only the game master can; with a token that plays, they are a captain."""
    _, names = everyone
    guest = Person.objects.get(name="Guest")
    battle = Battle.objects.get(code=names["battles"]["code"])
    row = campaign_models.Snapshot.objects.get(campaign=battle.campaign)
    row.state["masters"] = [*row.state["masters"], guest.pk]
    row.save()
    Battle.objects.filter(pk=battle.pk).update(stage=Battle.Stage.ON_THE_TABLE)
    path, sent = f"battles/{battle.code}/call-off/", {"key": "a-battle-called-off"}
    refused = token_of(guest, "read play").post(path, sent)
    assert (refused.status_code, _scope(refused)) == (403, RUN), refused.content
    assert token_of(guest, "read play run").post(path, sent).status_code == 200


def test_hosts_need_a_token_that_runs(everyone):  # noqa: F811
    player = token_of(Person.objects.get(name="Master"), "read play")
    table = player.done("tables/", {"key": "a-table-here", "table": {"game": "menagerie", "seats": 4}})["code"]
    refused = player.post(f"tables/{table}/acts/", {"key": "start-it-now", "act": "start", "body": {"level": "random"}})
    assert (refused.status_code, _scope(refused)) == (403, RUN), refused.content
    group = player.done("groups/", {"key": "a-group-here", "name": "The Cellar"})["code"]
    refused = player.patch(f"groups/{group}/", {"key": "rename-it-now", "name": "The Attic"})
    assert (refused.status_code, _scope(refused)) == (403, RUN), refused.content
