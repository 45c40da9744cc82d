"""A file of plays in a real browser: previewed, imported by a real job, and the same file again. Then an edit, and what
it does to the standings."""

from __future__ import annotations

import json
import secrets

import pytest
from playwright.sync_api import Page, expect

from tests.browser_phones import assert_fits, log_in, open_phones
from tests.gamenights.transfer.sample_files import key, make_export, make_large_export, make_play_row, to_bytes
from tests.services import Site

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 664}
FOR_A_JOB = 90_000  # milliseconds: on a busy machine a process takes long to start
PASSWORD = "cheese-and-thyme"
SETUP = """
import json
from people.accounts import services as accounts
from people.requester import Who
from groups import services as groups
from groups.entries import FoundGroup
host = Who.of(accounts.create_account('{name}', '{password}'))
found = [groups.found_group(host, f'group-number-{{n}}', FoundGroup(f'Group {{n}}')) for n in (1, 2)]
print(json.dumps([group.code for group in found]))
"""


def set_up(site: Site) -> tuple[str, list[str]]:
    """A new account with two groups."""
    name = f"Wren{secrets.token_hex(4)}"
    return name, json.loads(site.shell(SETUP.format(name=name, password=PASSWORD)).strip().splitlines()[-1])


def check_file(page: Page, site: Site, group: str, body: bytes) -> None:
    """Upload it and wait for the preview."""
    page.goto(f"{site.url}/groups/{group}/plays/import/")
    page.set_input_files("[name=file]", {"name": "plays.json", "mimeType": "application/json", "buffer": body})
    page.get_by_role("button", name="Check the file").click()
    expect(page.get_by_role("heading", name="new play")).to_be_visible(timeout=FOR_A_JOB)
    assert_fits(page)


def import_file(page: Page, site: Site, group: str, body: bytes, plays: int) -> None:
    check_file(page, site, group, body)
    page.get_by_role("button", name=f"Import {plays} play").click()
    page.wait_for_url(f"**/groups/{group}/", timeout=FOR_A_JOB)
    expect(page.get_by_text(f"{plays} plays imported.")).to_be_visible()


def export(page: Page, site: Site, group: str) -> bytes:
    return page.request.get(f"{site.url}/groups/{group}/plays/export/bgstats/").body()


def tell(body: bytes) -> list[tuple]:
    """Plays of an export with names instead of numbers."""
    found = json.loads(body)
    games = {row["id"]: row["name"] for row in found["games"]}
    people = {row["id"]: row["name"] for row in found["players"]}
    return sorted(
        (
            row["uuid"],
            games[row["gameRefId"]],
            row["playDate"],
            [(people[one["playerRefId"]], one["score"], one["winner"]) for one in row["playerScores"]],
        )
        for row in found["plays"]
    )


def test_file_is_previewed_imported_once_and_edited(site, browser):
    name, (group, other) = set_up(site)
    second = make_play_row(
        {"playerRefId": 1, "score": "10"}, {"playerRefId": 2, "score": "30", "winner": True}, uuid=key(32)
    )
    body = to_bytes(make_export(plays=[make_play_row(), second, make_play_row(uuid=key(33), gameRefId=99)]))
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE), site.url, name, PASSWORD)
        check_file(page, site, group, body)
        expect(page.get_by_text("Its game is not in the file.")).to_be_visible()
        import_file(page, site, group, body, plays=2)
        check_file(page, site, group, body)
        expect(page.get_by_role("heading", name="0 new plays")).to_be_visible()
        exported = export(page, site, group)
        import_file(page, site, other, exported, plays=2)
        assert tell(export(page, site, other)) == tell(exported)
        # One win each. After the edit both are Oda's.
        page.goto(f"{site.url}/groups/{group}/standings/")
        assert page.locator(".spans tbody tr").first.inner_text().count("of 2") == 1
        page.goto(f"{site.url}/groups/{group}/plays/{key(32)}/change/")
        page.locator(".scorerow", has_text="Oda").locator(".score").fill("45")
        page.locator("[data-save]").click()
        page.wait_for_url(f"**/plays/{key(32)}/")
        expect(page.locator("main")).to_contain_text("changed it")
        page.goto(f"{site.url}/groups/{group}/standings/")
        first = page.locator(".spans").first.locator("tbody tr").first
        expect(first).to_contain_text("Oda")
        expect(first).to_contain_text("100%")


@pytest.mark.soak
def test_six_hundred_plays_move_to_an_empty_site(site, make_site, browser):
    name, (group, _) = set_up(site)
    empty = make_site()
    host, (target, _) = set_up(empty)
    with open_phones(browser) as make:
        page = log_in(make(viewport=PHONE), site.url, name, PASSWORD)
        import_file(page, site, group, to_bytes(make_large_export()), plays=600)
        exported = export(page, site, group)
        there = log_in(make(viewport=PHONE), empty.url, host, PASSWORD)
        import_file(there, empty, target, exported, plays=600)
        assert tell(export(there, empty, target)) == tell(exported)
