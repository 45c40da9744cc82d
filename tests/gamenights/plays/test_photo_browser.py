"""A photo in a real browser, drawn by a real job: it appears by itself, and a damaged one says so."""

from __future__ import annotations

import secrets
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser_phones import assert_fits, log_in, open_phones
from tests.photos.sample_photos import jpeg, sideways_jpeg_with_metadata

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 664}
FOR_A_JOB = 90_000  # milliseconds: on a busy machine a process takes long to start
PASSWORD = "cheese-and-thyme"
SETUP = """
from people.accounts import services as accounts
from people.requester import Who
from groups import services as groups
from groups.entries import FoundGroup
from tests.gamenights.plays.sample_plays import log_sample_play
person = accounts.create_account('{name}', '{password}')
group = groups.found_group(Who.of(person), 'group-number-1', FoundGroup(name='Group 1'))
print(log_sample_play(group, Who.of(person), [(person, '31')]).get_absolute_url())
"""


def send(page: Page, body: bytes) -> None:
    page.set_input_files("[name=photo]", {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": body})
    page.get_by_role("button", name="Add the photo").click()
    page.wait_for_url("**#photos")


def test_photo_appears_by_itself_and_a_damaged_one_says_so(make_site, browser):
    site = make_site()
    name = f"Wren{secrets.token_hex(4)}"
    play = site.shell(SETUP.format(name=name, password=PASSWORD)).strip().splitlines()[-1]
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE), site.url, name, PASSWORD)
        page.goto(f"{site.url}{play}")
        send(page, sideways_jpeg_with_metadata())
        expect(page.locator(".photo-grid img")).to_be_visible(timeout=FOR_A_JOB)
        sent = page.request.get(site.url + page.locator(".photo-grid a").get_attribute("href")).body()
        assert b"SECRET" not in sent
        send(page, jpeg(400, 300)[:2000])
        expect(page.get_by_text("This photo was not added.")).to_be_visible(timeout=FOR_A_JOB)
        expect(page.locator(".photo-grid img")).to_have_count(1)
        assert_fits(page)
        page.get_by_role("button", name="Delete the photo").last.click()
        expect(page.get_by_text("This photo was not added.")).to_have_count(0)
    files = sorted(path.suffix for path in (Path(site.env["VAR"]) / "files" / "photos").iterdir())
    assert files == [".jpg", ".jpg"], "nothing of what was sent is left"
