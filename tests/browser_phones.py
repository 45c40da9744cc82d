"""Phones for tests in a real browser, each with its own cookies. Console errors fail the test.

Every tap waits for its result, such as a new text or address, with a long timeout for busy machines.
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

# Console errors that a test can allow: the browser logs one for every refusal and every lost connection.
REFUSAL_STATUS = "the server responded with a status of 4"
ERROR_STATUS = "the server responded with a status of"
NETWORK_ERROR = "net::ERR_"

MakePhone = Callable[..., Page]


def set_patience() -> None:
    """Set the timeout of ``expect``, which ignores that of the context."""
    expect.set_options(timeout=PATIENCE)


@contextmanager
def open_phones(browser: Browser, *, forgiven: tuple[str, ...] = ()) -> Iterator[MakePhone]:
    """A function that opens phones. Console errors that contain none of ``forgiven`` fail the test."""
    made: list[tuple[Any, list[str]]] = []

    def make(**options: Any) -> Page:
        context = browser.new_context(**{"viewport": SCREEN, "color_scheme": "light"} | options)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        errors: list[str] = []
        page.on(
            "console", lambda message: errors.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: errors.append(str(error)))
        made.append((context, errors))
        return page

    yield make
    for context, _ in made:
        context.close()
    complaints = [line for _, errors in made for line in errors if not any(words in line for words in forgiven)]
    assert complaints == [], complaints


def wait_until(page: Page, true: Callable[[], bool]) -> None:
    """Wait for a condition set by listeners of the test, which only run while the page waits."""
    end = time.monotonic() + PATIENCE / 1000
    while not true():
        assert time.monotonic() < end, "the condition never came true"
        page.wait_for_timeout(20)


def log_in(page: Page, url: str, name: str, password: str) -> Page:
    """Log this phone in and go to the home page."""
    page.goto(f"{url}/log-in/")
    page.fill("main [name=name]", name)
    page.fill("main [name=password]", password)
    page.locator("main").get_by_role("button", name="Log in", exact=True).click()
    page.wait_for_url(f"{url}/")
    return page


def assert_fits(page: Page, width: int = WIDTH) -> None:
    """Nothing is wider than the screen, once the stylesheets are loaded."""
    page.wait_for_load_state("load")
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
