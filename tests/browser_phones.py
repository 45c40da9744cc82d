"""Phones for tests in a real browser: each has cookies of its own, and what its console complains of fails the test.

Every tap waits for its own answer: a text that was not there before, a changed stamp, an address. A busy machine is slow, not
wrong, so all waiting is patient.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect

PATIENCE = 20_000  # milliseconds
WIDTH = 390
SCREEN = {"width": WIDTH, "height": 844}

# Whatever a test expects of its own console: the browser says so of every refusal, and of every line that was cut.
REFUSED = "the server responded with a status of 4"
STUMBLED = "the server responded with a status of"
CUT = "net::ERR_"

MakePhone = Callable[..., Page]


def be_patient() -> None:
    """For ``expect``, whose own patience is five seconds whatever a context's is."""
    expect.set_options(timeout=PATIENCE)


@contextmanager
def phones(browser: Browser, *, forgiven: tuple[str, ...] = ()) -> Iterator[MakePhone]:
    """A maker of phones. At the end all are closed; complaints that hold none of ``forgiven`` fail the test."""
    made: list[tuple[Any, list[str]]] = []

    def make(**options: Any) -> Page:
        context = browser.new_context(**{"viewport": SCREEN, "color_scheme": "light"} | options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        made.append((context, said))
        return page

    yield make
    for context, _ in made:
        context.close()
    complaints = [line for _, said in made for line in said if not any(words in line for words in forgiven)]
    assert complaints == []


def until(page: Page, true: Callable[[], bool]) -> None:
    """Wait for what the test hears of by itself, such as a request: its listeners are only called while the page is waited for."""
    end = time.monotonic() + PATIENCE / 1000
    while not true():
        assert time.monotonic() < end, "it never came"
        page.wait_for_timeout(20)


def log_in(page: Page, url: str, name: str, password: str) -> Page:
    """This phone, logged in by its form and at home."""
    page.goto(f"{url}/log-in/")
    page.fill("main [name=name]", name)
    page.fill("main [name=password]", password)
    page.locator("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(f"{url}/")
    return page


def fits(page: Page, width: int = WIDTH) -> None:
    """Nothing is wider than the screen. Before its stylesheets are there a page is as wide as it likes."""
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
