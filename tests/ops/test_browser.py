"""The owner makes a backup in a real browser, watches it, and takes it home."""

from __future__ import annotations

import re
import zipfile

import pytest

from ops import restore

pytestmark = pytest.mark.browser


def test_an_owner_makes_a_backup_and_takes_it_home(browser, make_site, tmp_path):
    site = make_site()
    page = browser.new_page(viewport={"width": 390, "height": 844})
    complaints: list[str] = []
    page.on("console", lambda message: message.type in ("error", "warning") and complaints.append(message.text))
    page.goto(f"{site.url}/")  # nobody owns the site yet
    page.fill("input[name=name]", "Bram")
    for field in page.locator("input[type=password]").all():
        field.fill("cheese-and-thyme")
    page.click("main button.btn-press")
    page.goto(f"{site.url}/ops/")
    page.click("text=Make a backup")
    job = page.locator("article.job")
    job.get_by_text("done", exact=True).wait_for(timeout=60_000)  # it came by itself
    download = page.locator("#copies a[download]")
    download.wait_for()  # and so did the copy
    with page.expect_download() as taken:
        download.click()
    path = tmp_path / taken.value.suggested_filename
    taken.value.save_as(path)
    assert re.fullmatch(r"companion-\d{4}-\d\d-\d\d-\d{6}\.zip", path.name)
    with restore.opened(path) as archive:
        manifest = restore.checked(archive, path)
        assert manifest["rows"]["people.person"] == 1
        assert archive.read("secret_key").decode() == (site.var / "secret_key").read_text()
    with zipfile.ZipFile(path) as archive:
        assert b"Bram" in archive.read("rows/people.person.jsonl")

    page.click("text=Clean up now")
    page.locator("article.job").first.get_by_text("done", exact=True).wait_for(timeout=60_000)
    page.goto(f"{site.url}/jobs/")
    assert page.locator("article.job").count() == 2
    assert complaints == []
    page.close()
    site.stop()
