"""Shared fixtures (people, private servers, browser) and the summary line at the end."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import settings as hypothesis_settings

from tests.exclusive_turns import take_turn
from tests.migrated_once import migrated_file
from tests.services import (  # noqa: F401
    MIGRATED,
    browser,
    create_database,
    make_site,
    migrated_postgres,
    migrated_postgres_url,
    migrated_sqlite,
    postgres_server,
    postgres_url,
    redis_server,
    redis_url,
    site,
)

# No deadlines, because the machine may be busy. Every run tries the same cases; `SEARCH=1 make test` and the soak tests
# look for new ones.
hypothesis_settings.register_profile("untimed", deadline=None, derandomize=not os.environ.get("SEARCH"))
hypothesis_settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    from django.conf import settings

    # Without this WhiteNoise reads every static file again for each test client.
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # Sites that tests start have databases of their own.
    os.environ.pop("DATABASE_URL", None)


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings, request) -> None:
    """Start from a database that is migrated already: SQLite, or PostgreSQL with DATABASE=postgresql."""
    from django.db import connection

    settings = connection.settings_dict
    if connection.vendor == "postgresql":
        where = urlsplit(create_database(request.getfixturevalue("postgres_server"), MIGRATED))
        settings["HOST"], settings["PORT"], settings["TEST"]["NAME"] = where.hostname, where.port, where.path[1:]
    else:
        # A file, because threads and processes of a test share the database.
        settings["TEST"]["NAME"] = str(Path(os.environ["VAR"]) / "test.sqlite3")
        shutil.copy(migrated_file(), settings["TEST"]["NAME"])


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    return True


# Tests with one of these fixtures drive real processes, whose timing varies.
REAL_PROCESS_FIXTURES = {"browser", "make_site", "world", "postgres_server", "redis_server"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that ask the database themselves, for runs on PostgreSQL.

    A failed test of real processes is run again once. The summary names it; treat it as a bug."""
    for item in items:
        if item.get_closest_marker("django_db") or {"db", "transactional_db"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.database)
        if REAL_PROCESS_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item):
    with take_turn(os.environ.get("PYTEST_XDIST_TESTRUNUID"), alone=item.get_closest_marker("clock") is not None):
        return (yield)


@pytest.fixture(autouse=True)
def every_form_reads_once(monkeypatch) -> None:
    """Whatever a test sends with Django's client: state and approvals are read once, and again only after a write."""
    from django.test import Client

    from tests.read_once import counted_reads

    send = Client.request

    def request(client: Client, **sent: object):
        if sent.get("REQUEST_METHOD") != "POST":
            return send(client, **sent)
        with counted_reads() as reads:
            answer = send(client, **sent)
        assert not reads.again, f"POST {sent['PATH_INFO']} reads {', '.join(sorted(reads.again))} twice"
        return answer

    monkeypatch.setattr(Client, "request", request)


@pytest.fixture(autouse=True, scope="session")
def answers_have_their_context():
    """As with Django's own templates: ``response.context`` is what a page was drawn from."""
    from django.template.backends.jinja2 import Template
    from django.test.signals import template_rendered

    render = Template.render

    def render_and_tell(self: Template, context=None, request=None) -> str:
        template_rendered.send(sender=self, template=self, context={"request": request, **(context or {})})
        return render(self, context, request)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Template, "render", render_and_tell)
        yield


@pytest.fixture(autouse=True)
def no_kept_games() -> None:
    """No game of another test's database."""
    from cardgames.tables.load_from_log import kept_games

    kept_games.clear()


@pytest.fixture(autouse=True)
def no_kept_schema() -> None:
    """No schema with another test's games or kinds."""
    from pages.api.views import kept_schemas

    kept_schemas.clear()


@pytest.fixture
def make_person(db):
    """A Person; with ``account=True`` their ``client`` is logged in."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    from people.models import Person

    def make(name: str, *, account: bool = True, **fields):
        user = None
        if account:
            user = get_user_model().objects.create_user(name.lower(), password="cheese-and-thyme")
        person = Person.objects.create(name=name, account=user, **fields)
        person.client = Client()
        if user:
            person.client.force_login(user)
        return person

    return make


@pytest.fixture
def master(make_person):
    return make_person("Wren")


@pytest.fixture
def player(make_person):
    return make_person("Tam")


@pytest.fixture
def other_player(make_person):
    return make_person("Oda")


@pytest.fixture
def stranger(make_person):
    return make_person("Stoat")


@pytest.fixture
def guest(make_person):
    return make_person("Pim", account=False)


def pytest_terminal_summary(terminalreporter, exitstatus, config) -> None:
    """How many tests ran, and which were skipped because a program is missing."""
    stats = terminalreporter.stats
    ran = len(stats.get("passed", ())) + len(stats.get("failed", ()))
    kinds: Counter[str] = Counter()
    for report in stats.get("skipped", ()):
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)
        kinds[reason.removeprefix("Skipped: ")] += 1
    skipped = "; ".join(f"{count} skipped, {reason}" for reason, count in kinds.items()) or "nothing skipped"
    again = ", ".join(sorted({report.nodeid for report in stats.get("rerun", ())})) or "none"
    terminalreporter.write_line(f"{ran} tests ran; {skipped}; needed a second go: {again}.")
