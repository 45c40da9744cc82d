"""The cast, the private servers, and the line at the end that says what ran."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings as hypothesis_settings

from tests.services import (  # noqa: F401
    browser,
    make_site,
    postgres_server,
    postgres_url,
    redis_server,
    redis_url,
    site,
)
from tests.turns import turn

# A busy machine is not a slow program: properties are judged by what they say, not by the clock. The suite tries the same
# cases on every run; `SEARCH=1 make test` and the soak forms look for new ones.
hypothesis_settings.register_profile("untimed", deadline=None, derandomize=not os.environ.get("SEARCH"))
hypothesis_settings.load_profile("untimed")


def pytest_configure(config: pytest.Config) -> None:
    from django.conf import settings

    # Without this WhiteNoise reads every static file again for each test client.
    settings.WHITENOISE_AUTOREFRESH = True
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # A file, not memory: threads and processes of a test must see one database.
    settings.DATABASES["default"].setdefault("TEST", {})["NAME"] = str(Path(os.environ["VAR"]) / "test.sqlite3")


# With one of these a test drives real processes, whose timing no test can hold still.
REAL = {"browser", "make_site", "world", "postgres_server", "redis_server"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test of real processes that fails gets a second go; the last line of the run names it, so that it is looked into."""
    for item in items:
        if REAL & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item):
    with turn(os.environ.get("PYTEST_XDIST_TESTRUNUID"), alone=item.get_closest_marker("clock") is not None):
        return (yield)


@pytest.fixture
def make_person(db):
    """A Person; with ``account=True`` one who can log in, and whose ``client`` already has."""
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
    """How many ran, and which kinds did not because a program is missing."""
    stats = terminalreporter.stats
    ran = len(stats.get("passed", ())) + len(stats.get("failed", ()))
    kinds: Counter[str] = Counter()
    for report in stats.get("skipped", ()):
        reason = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else str(report.longrepr)
        kinds[reason.removeprefix("Skipped: ")] += 1
    skipped = "; ".join(f"{count} skipped, {reason}" for reason, count in kinds.items()) or "nothing skipped"
    again = ", ".join(sorted({report.nodeid for report in stats.get("rerun", ())})) or "none"
    terminalreporter.write_line(f"{ran} tests ran; {skipped}; needed a second go: {again}.")
