"""A demo site under a name that is not localhost, phones that visit it, and the complaints of their consoles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.services import CHROMIUM_FLAGS, Site, chromium_program, free_port

HOST = "companion.test"


@dataclass
class Hall:
    """The demo site as guests know it, and its log-ins."""

    site: Site
    url: str
    passwords: dict[str, str]
    code: str  # of the demo campaign


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
    """A browser that finds the site by its name, as a phone on the home network would: plain http, no secure context."""
    rules = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    chromium = browser.browser_type.launch(executable_path=chromium_program(), args=[*CHROMIUM_FLAGS, rules])
    yield chromium
    chromium.close()


@pytest.fixture
def phone(guests_browser) -> Iterator:
    """A maker of phones: each has its own cookies. What their consoles complain of fails the test."""
    made = []

    def make(**options):
        options = {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"} | options
        context = guests_browser.new_context(**options)
        context.set_default_timeout(20_000)
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda m: said.append(m.text) if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.said = said
        made.append((context, said))
        return page

    yield make
    for context, said in made:
        context.close()
        # A refusal is an answer, and a cut line is what some tests are about; everything else is a fault of the page.
        expected = ("the server responded with a status of 4", "net::ERR_")
        assert [line for line in said if not any(words in line for words in expected)] == []


@pytest.fixture
def log_in(hall):
    def log_in_as(page, name: str) -> None:
        page.goto(f"{hall.url}/log-in/")
        page.fill("[name=name]", name)
        page.fill("[name=password]", hall.passwords[name])
        page.click("main button:has-text('Log in')")
        page.wait_for_url(f"{hall.url}/")

    return log_in_as
