"""An answer to a token never holds an address that can do more than the token, whichever operation it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.http import HttpResponse

from battles.models import REPORT_PASS, Battle
from battles.new_battle import services as new_battle_services
from battles.slip import access_codes
from gamenights.notices.models import NoticeChoice, Webhook
from groups.models import Group
from jobs.models import Job
from people.api_tokens.scopes import PLAY, READ, RUN
from people.models import ApiAnswer, ApiToken, Pass, Person, PersonalLink
from people.passes import services, services as passes_services
from people.requester import Who
from printing import orders
from tests.api_client import Api
from tests.site.sample_bodies import sample_bodies
from tests.site.test_api_scopes import known_texts, operations, token_of
from tests.site.test_roles import OPEN, everyone  # noqa: F401  (everyone is a fixture)

FEED = re.compile(r"[\w.-]+:[\w-]{6}:[\w-]{43}")  # what django.core.signing makes


@pytest.fixture
def master(everyone) -> Person:  # noqa: F811
    """One open link of every kind, made by the master, and everything else that is secret."""
    _, names = everyone
    master = Person.objects.get(name="Master")
    who, group = Who.of(master), Group.objects.get(code=names["groups"]["code"])
    battle = Battle.objects.get(code=names["battles"]["code"])
    guest = Person.objects.get(name="Guest")
    targets = {"join_campaign": battle.campaign_id, "join_group": group.pk, REPORT_PASS: battle.pk}
    for kind in passes_services._kinds:
        passes_services.create_pass(kind, targets.get(kind, guest.pk), by=who, uses=None)
    services.issue_link(master, by=who)
    Webhook.objects.create(group=group, url="https://example.org/", made_by=master)
    NoticeChoice.objects.create(person=master, topics=["night"], url="https://example.org/")
    access_codes.get_or_create_slip(battle, who)
    return master


def secrets_now() -> Iterator[tuple[str, str]]:
    """Every secret of the site with the scope it takes to be shown it."""
    for row in Pass.objects.open():
        kind = passes_services.kind_of(row)
        yield row.token, kind.scope if kind else RUN
        if row.kind == REPORT_PASS:
            yield '["' + '","'.join(access_codes.words_of(row)) + '"]', PLAY
    yield from ((row.token, RUN) for row in PersonalLink.objects.all())
    yield from ((row.token, row.scopes.split()[-1]) for row in ApiToken.objects.all())
    for model in (Webhook, NoticeChoice):
        yield from ((secret, RUN) for secret in model.objects.values_list("secret", flat=True))


def find_secret(text: str, scopes: set[str]) -> str:
    wanted = [scope for secret, scope in secrets_now() if scope not in scopes and secret in text]
    result = f"a secret for “{wanted[0]}”" if wanted else ""
    return result or ("the address of a feed" if FEED.search(text) and RUN not in scopes else "")


def requests_of(names: dict[str, dict]) -> Iterator[tuple[str, str, object]]:
    known = known_texts(names)
    for path, method, _ in operations(names):
        if path.startswith(OPEN):
            continue
        yield from (
            (method, path, body) for body in [{}, *(sample_bodies(method, path, known) if method != "GET" else ())]
        )
    for pk in Pass.objects.values_list("pk", flat=True):
        yield "GET", f"/api/v1/passes/{pk}/", {}


def send(api: Api, method: str, path: str, body: object, **headers: str) -> HttpResponse:
    return api.get(path) if method == "GET" else api.send(method.lower(), path, body, **headers)


@pytest.mark.parametrize("scopes", ["read", "read play"])
def test_answer_never_holds_an_address_that_can_do_more_than_the_token(everyone, master, scopes):  # noqa: F811
    _, names = everyone
    wrong, answered = [], 0
    api = token_of(master, scopes)
    for method, path, body in requests_of(names):
        before = transaction.savepoint()
        answer = send(api, method, path, body)
        text = "" if answer.streaming else answer.content.decode(errors="replace")
        answered += answer.status_code < 300
        if secret := find_secret(text.replace(api.token, ""), set(scopes.split())):
            wrong.append(f"{method} {path} {body}: {secret}")
        transaction.savepoint_rollback(before)
    assert not wrong, "\n" + "\n".join(wrong)
    assert answered > 70


def test_no_secret_is_stored_under_an_idempotency_key(everyone, master):  # noqa: F811
    _, names = everyone
    wrong, kept = [], 0
    api = token_of(master, "read play run")
    for number, (method, path, body) in enumerate(requests_of(names)):
        if method == "GET" or path.endswith(("/log-out/", "/me/forget/")):
            continue
        before = transaction.savepoint()
        send(api, method, path, body, **{"Idempotency-Key": f"a-key-of-the-law-{number}"})
        for text in ApiAnswer.objects.values_list("body", flat=True):
            kept += 1
            if secret := find_secret(text, {READ}):
                wrong.append(f"{method} {path} {body}: {secret}")
        transaction.savepoint_rollback(before)
    assert not wrong, "\n" + "\n".join(wrong)
    assert kept > 100


def test_token_that_runs_gets_the_links(everyone, master):  # noqa: F811
    """What the law takes from other tokens is there for this one."""
    _, names = everyone
    api, who = token_of(master, "read play run"), Who.of(master)
    pages = [f"passes/{pk}/" for pk in Pass.objects.open().made_by_person(who).values_list("pk", flat=True)]
    assert len(pages) > 10
    group = names["groups"]["code"]
    for page in (*pages, f"battles/{names['battles']['code']}/slip/", f"tables/sheets/{names['tables']['sheet']}/"):
        answer = api.get(page)
        assert find_secret(answer.content.decode(), set()), page
        assert answer.headers["Cache-Control"] == "no-store", page
    assert FEED.search(api.get(f"groups/{group}/calendar/").content.decode())
    assert api.get(f"groups/{group}/webhooks/").json()[0]["secret"]


def test_token_that_plays_gets_the_links_of_its_own_games(everyone, master):  # noqa: F811
    """A captain has the slip of their battle, the creator the link of theirs; a game master does not play."""
    _, names = everyone
    slip = f"battles/{names['battles']['code']}/slip/"
    captain, runner = token_of(Person.objects.get(name="Guest"), "read play"), token_of(master, "read play")
    assert captain.get(slip).json()["address"]
    assert runner.get(slip).json()["fresh"] == {"scope": RUN}
    assert token_of(Person.objects.get(name="Guest"), "read").get(slip).json()["fresh"] == {"scope": PLAY}
    sheet = f"tables/sheets/{names['tables']['sheet']}/"
    assert runner.get(sheet).json()["link"]
    assert token_of(master, "read").get(sheet).json()["link"] is None
    battle = new_battle_services.create_standalone_battle(
        Who.of(master), key="a-battle-of-ours", scenario="", names=["Oak", "Fen"]
    )
    link = f"battles/{battle.code}/link/"
    assert runner.get(link).json()["address"]
    assert token_of(master, "read").get(link).json()["fresh"] == {"scope": PLAY}


@pytest.mark.parametrize("sheet", ["slip", "tonight"])
def test_paper_with_slips_needs_a_token_that_runs(everyone, master, sheet):  # noqa: F811
    folder = Path(settings.MEDIA_ROOT) / "jobs" / "a-slip"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("sheet.pdf", "1.png"):
        (folder / name).write_bytes(b"with a code")
    job = Job.objects.create(
        kind=orders.KIND, args={"sheet": sheet}, owner=master, state="done", file="jobs/a-slip/sheet.pdf"
    )
    for path in (f"print/{job.token}/file/", f"print/{job.token}/1.png", f"jobs/{job.token}/file/"):
        for scopes in ("read", "read play"):
            assert token_of(master, scopes).get(path).json()["fresh"] == {"scope": RUN}, path
        assert token_of(master, "read play run").get(path).status_code == 200, path
