"""A demo site under a name that is not localhost, phones that visit it, and their console errors."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests import browser_phones
from tests.api_client import Api
from tests.services import CHROMIUM_FLAGS, Site, chromium_program, create_database, drop_database, free_port
from tests.site.answers_and_schema import check_answer
from tests.site.production_site import Production, commands, is_server, make_copy, settings_in

HOST = "companion.test"


@dataclass
class Hall:
    """The demo site as guests know it, and its log-ins."""

    site: Site
    url: str
    passwords: dict[str, str]
    code: str  # of the demo campaign


@pytest.fixture(autouse=True)
def site_has_just_started(monkeypatch) -> None:
    """No worker runs beside Django's client; a real site would say so after a minute."""
    monkeypatch.setattr("ops.health.GRACE", float("inf"))


@pytest.fixture
def answers_fit_the_schema(monkeypatch) -> None:
    """Every answer that a test gets by ``Api`` is compared with the API's schema."""
    monkeypatch.setattr(Api, "check_answer", staticmethod(check_answer))


@pytest.fixture(scope="session")
def hall(make_site) -> Hall:
    port = free_port()
    url = f"http://{HOST}:{port}"
    site = make_site(DEMO="1", PORT=str(port), PUBLIC_URL=url)
    rows = json.loads((site.var / "demo.json").read_text())["log_ins"]
    code = site.shell("from campaign.models import Campaign; print(Campaign.objects.get().code)").strip()
    return Hall(site, url, {row["name"]: row["password"] for row in rows}, code)


@pytest.fixture(scope="session")
def guests_browser(browser) -> Iterator:
    """A browser that knows the site by name, like a phone on the home network: plain http, no secure context."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    chromium = browser.browser_type.launch(executable_path=chromium_program(), args=[*CHROMIUM_FLAGS, rules])
    yield chromium
    chromium.close()


@pytest.fixture
def phone(guests_browser) -> Iterator:
    """Makes phones. Refusals and cut connections are fine; any other console error is a fault of the page."""
    with browser_phones.open_phones(
        guests_browser, forgiven=(browser_phones.REFUSAL_STATUS, browser_phones.NETWORK_ERROR)
    ) as make:
        yield make


@pytest.fixture
def log_in(hall):
    def log_in_as(page, name: str) -> None:
        browser_phones.log_in(page, hall.url, name, hall.passwords[name])

    return log_in_as


@pytest.fixture(scope="session")
def deployed(tmp_path_factory, postgres_server, redis_server) -> Iterator[Production]:
    """Installed and deployed as the README says, and not started."""
    folder = tmp_path_factory.mktemp("production")
    database_url = create_database(postgres_server)
    site = Production(folder, database_url, redis_server)
    make_copy(site.code)
    printed = "".join(site.run(line) for line in commands() if not settings_in(line) and not is_server(line))
    site.owner_code = re.search(r"Owner code: (\S+)", printed)[1]
    yield site
    drop_database(postgres_server, database_url)


@pytest.fixture
def production(deployed) -> Iterator[Production]:
    try:
        yield deployed
    finally:
        deployed.stop()
        deployed.cookies = {}
