"""Printing from a phone: choose a sheet, wait for it, preview and download it, check that it is current."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def test_sheet_is_made_previewed_and_downloaded(hall, phone, log_in):
    page = phone(accept_downloads=True)
    log_in(page, "Tam")
    page.goto(f"{hall.url}/campaigns/{hall.code}/")
    page.locator("summary", has_text="atlas, charts").click()
    page.get_by_role("link", name="Print the map").click()
    page.get_by_text("Ink-saving", exact=True).click()
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("button", name="Make the sheet").click()
    # The page updates itself when the job has ended.
    expect(page.get_by_role("heading", name="Ready")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("img", name="Page 1 of 1")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.suggested_filename == "Map of The War of the Four Hedges a4 ink-saving.pdf"
    mark = page.locator(".num").first.inner_text().replace("·", "")
    page.goto(f"{hall.url}/print/is/{mark}/")
    expect(page.get_by_role("heading", name="This print is current")).to_be_visible()
