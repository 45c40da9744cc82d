import pytest
from tests.browser_phones import log_in, open_phones
from tests.cardgames.tables.board_screens import arranged
BUSY = """
from cardgames.tables.table_creation import open_table
from people.accounts.services import create_account, find_account
from people.models import Person
from people.requester import Who
if find_account("Costmary") is None:
    create_account("Costmary", "cheese-and-thyme")
who = Who.of(Person.objects.get(name="Costmary"))
for number in range(10):
    open_table(who, key=f"busy-table-{number}", game="menagerie")
"""
pytestmark = pytest.mark.browser
def test_shots(browser, site):
    site.shell(BUSY)
    with open_phones(browser) as make:
        for width, height in ((390, 664), (1280, 800)):
            for scheme in ("light", "dark"):
                page = log_in(make(viewport={"width": width, "height": height}, color_scheme=scheme), site.url, "Costmary", "cheese-and-thyme")
                page.goto(site.url + "/tables/")
                print("HEIGHT", width, scheme, page.evaluate("document.documentElement.scrollHeight"))
                page.screenshot(path=f"/tmp/prof/index-{width}-{scheme}.png", full_page=True)
        wishes = [{"game": "moods", "kinds": ["action"]}, {"game": "majesty", "kinds": ["act"], "how": {"after": 80}}]
        for scheme in ("light", "dark"):
            tv = make(viewport={"width": 1920, "height": 1080}, color_scheme=scheme)
            for name, state in arranged(site, wishes).items():
                tv.goto(f"{site.url}/tables/{state[0]}/wall/")
                tv.screenshot(path=f"/tmp/prof/tv-{name.split()[0]}-{scheme}.png")
