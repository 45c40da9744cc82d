"""The owner makes a backup in a real browser, watches it, and downloads it."""

from __future__ import annotations

import re
import zipfile

import pytest
from playwright.sync_api import expect

from ops import restore
from tests.browser_phones import open_phones

pytestmark = pytest.mark.browser


def test_owner_makes_and_downloads_a_backup(browser, make_site, tmp_path):
    site = make_site()
    with open_phones(browser) as phone:
        backed_up_and_tidied(phone(), site, tmp_path)
    site.stop()


def backed_up_and_tidied(page, site, tmp_path):
    page.goto(f"{site.url}/")  # nobody owns the site yet
    page.fill("input[name=name]", "Bram")
    for field in page.locator("input[type=password]").all():
        field.fill("cheese-and-thyme")
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("heading", name="Your move")).to_be_visible()
    page.goto(f"{site.url}/ops/")
    page.get_by_role("button", name="Make a backup").click()
    jobs = page.locator("article.job")
    expect(jobs.get_by_text("done", exact=True)).to_have_count(1, timeout=60_000)  # it appeared without a reload
    download = page.locator("#copies a[download]")
    download.wait_for()  # and so did the copy
    with page.expect_download() as taken:
        download.click()
    path = tmp_path / taken.value.suggested_filename
    taken.value.save_as(path)
    assert re.fullmatch(r"companion-\d{4}-\d\d-\d\d-\d{6}\.zip", path.name)
    with restore.open_backup(path) as archive:
        manifest = restore.check_backup(archive, path)
        assert manifest["rows"]["people.person"] == 1
        assert archive.read("secret_key").decode() == (site.var / "secret_key").read_text()
    with zipfile.ZipFile(path) as archive:
        assert b"Bram" in archive.read("rows/people.person.jsonl")

    page.get_by_role("button", name="Clean up now").click()
    expect(jobs.get_by_text("done", exact=True)).to_have_count(2, timeout=60_000)
    page.goto(f"{site.url}/jobs/")
    expect(jobs).to_have_count(2)
