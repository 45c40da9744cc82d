"""Every page in a real browser: no serious axe finding, no policy violation, nothing wider than the phone."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import Resolver404, resolve
from playwright.sync_api import Error, Page, Response

from tests.browser_phones import assert_fits
from tests.site.routes import every_route
from tests.site.test_roles import APPS, rows

pytestmark = pytest.mark.browser

# Not pages: files, fragments, answers for programs, or pages that only a form leads to.
NOT_PAGES = (
    "/api/",
    "/live/",
    "/jobs/<job:ref>/",
    "/healthz",
    "/readyz",
    "/ops/copies",
    "/me/data/file/",
    "/i/",
    "/p/",
)
FRAGMENTS = ("/campaigns/<slug:code>/parts/",)
FILES = (".json", ".csv", ".png", ".svg", ".ics", ".atom", ".jpg")


# Names that stand in the addresses of the demo's pages.
NAMED = """
import json
from dataclasses import replace
from campaign import services
from campaign.chronicle.codec import read_sent
from campaign.founding.services import found_campaign
from campaign.founding.suggestions import suggest_kingdoms
from campaign.models import Approval, Campaign
from log.models import Entry
from people.models import Pass, Person
from people.requester import Who
from printing.models import Edition
war = Campaign.objects.get(code=%r)
numbers = dict(Entry.objects.filter(log=war.log_id).order_by("number").values_list("act", "number"))
# A war that has just begun: some pages are only for those.
wren = Person.objects.get(name="Wren")
new_wars = []
for key in ("every-page-one", "every-page-two"):
    new = found_campaign(Who.of(wren), key=key, name="The War of Pages")
    for number, joins in enumerate(suggest_kingdoms(new.code, 2)):
        services.write(new, Who.of(wren), replace(joins, ruler=wren.pk), key=f"{key}-joins-{number}")
    new_wars.append(new)
declared = read_sent("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
services.write(new_wars[1], Who.of(wren), declared, key="every-page-declares")
print(json.dumps({
    "person": Person.objects.get(name="Pim").code,
    "invitation": Pass.objects.exclude(made_by=None).first().pk,
    "petitions": list(Approval.objects.filter(campaign=war).values_list("pk", flat=True)),
    "new": new_wars[0].code,
    "declared": new_wars[1].code,
    "amended": numbers["note"] if "note" in numbers else numbers["vp_spent"],
    "result": numbers["result"],
    "strike": numbers["strike"],
    "print": Edition.objects.create(fingerprint="ABCDEF012345", sheet="campaign-map", subject=war.code).fingerprint,
}))
"""
PETITION = ("", "other/")
# A seat of Wren's at a running table of each game, on the phone with this session.
SEATS = """
from django.contrib.sessions.backends.db import SessionStore
from cardgames.games import SHELF
from cardgames.tables.core import acts
from cardgames.tables import host_actions, table_creation
from cardgames.tables.seats import seating
from people.accounts.log_ins import PASSES_KEY
from people.models import Person
from people.requester import Who
wren = Who.of(Person.objects.get(name="Wren"))
session = SessionStore(%r)
for game in SHELF:
    table = table_creation.open_table(wren, acts.HostTable(game), key=f"every-page-{game}")
    held = seating.take_seat(table, wren, ref="every-page", key=f"every-page-sits-{game}", number=0)
    for number in range(1, table.seats):
        seating.set_bot(table, wren, acts.SetBot(number, "random"), key=f"every-page-{game}-{number}")
    host_actions.start_game(table, wren, acts.StartGame(), key=f"every-page-starts-{game}")
    session[PASSES_KEY] = [*session.get(PASSES_KEY, []), held.pk]
    print("TABLE", table.code)
session.save()
"""

# Pages that are not drawn for somebody who is logged in and runs everything, each with its reason.
NOT_FOR_WREN = {
    "/log-in/": "she is logged in; tests/pages/test_browser.py looks at it",
    "/sign-up/": "she is logged in",
    "/me/account/": "she has one",
    "/me/mail/": "the demo sends no mail",
    "/campaigns/<slug:code>/petitions/<int:pk>/other/": "nobody reported another version in the demo",
}


def page_routes() -> set[str]:
    """Every route that somebody is shown as a page, by the table of roles."""
    return {
        row.route
        for row in rows()
        if row.method == "GET" and 200 in row.expected.values() and not _is_no_page(row.route)
    }


def _is_no_page(route: str) -> bool:
    named = (*FRAGMENTS, *(row for app in APPS.values() for row in app.NOT_PAGES))
    return route.startswith(NOT_PAGES) or route in named or route.endswith(FILES)


def route_of(path: str) -> str:
    try:
        return "/" + resolve(urlsplit(path).path).route
    except Resolver404:
        return path


@pytest.fixture(scope="session")
def addresses(hall) -> list[str]:
    """Every address that a GET of the demo's owner draws as a page."""
    named = json.loads(hall.site.shell(NAMED % hall.code).splitlines()[-1])
    result = ["/" + route for route in every_route() if "<" not in route and not _is_no_page("/" + route)]
    people = (f"/people/{named['person']}/{part}" for part in ("", "merge/", "forget/"))
    plain = (route for route in page_routes() if route.startswith("/campaigns/<slug:code>/") and route.count("<") == 1)
    kingdom = ("", "looks/", "arms/", "arms/0/", "rule/")
    result += [
        *people,
        f"/invitations/{named['invitation']}/",
        "/rules/units/",
        "/rules/scenarios/ambush/",
        f"/print/is/{named['print']}/",
        *(route.replace("<slug:code>", hall.code) for route in plain),
        *(f"/campaigns/{hall.code}/kingdoms/k1/{part}" for part in kingdom),
        f"/campaigns/{hall.code}/join/2/",
        f"/campaigns/{hall.code}/seasons/1/",
        *(
            f"/campaigns/{hall.code}/petitions/{petition}/{part}"
            for petition in named["petitions"]
            for part in PETITION
        ),
        f"/campaigns/{hall.code}/entries/{named['result']}/strike/",
        f"/campaigns/{hall.code}/entries/{named['amended']}/amend/",
        f"/campaigns/{named['new']}/standing/",
        f"/musters/for/{named['declared']}/1/k1/",
        f"/campaigns/{hall.code}/entries/{named['strike']}/restore/",
    ]
    for app in APPS.values():
        result += app.demo_addresses(hall)
    return [*result, "/api/docs/", "/nowhere/"]


def test_every_page_of_the_table_of_roles_is_looked_at(addresses):
    at_a_table = {"/tables/<table:code>/seats/<int:number>/", "/tables/<table:code>/seats/<int:number>/link/"}
    looked_at = {route_of(path) for path in addresses} | at_a_table
    assert page_routes() - looked_at == set(), "give these an address"


PARTS = 2  # two workers share the work
# Axe would fetch every stylesheet again for one rule about turned screens.
VIOLATIONS = {"resultTypes": ["violations"], "preload": False}
# Return only serious findings: the full answer lists every element checked.
SERIOUS = """async options => (await axe.run(options)).violations
  .filter(found => ['serious', 'critical'].includes(found.impact))
  .map(found => found.id + ' ' + found.nodes.slice(0, 3).map(node => node.target.join(' ')).join(', '))"""
# Ids must be unique: a label, a copy button and an anchor all use the first of two.
TWICE = """() => {
  const names = [...document.querySelectorAll('[id]')].map(one => one.id);
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}"""
# A dark page differs from a light one in its colours only.
CONTRAST = VIOLATIONS | {"runOnly": ["color-contrast"]}


def open_page(page: Page, address: str) -> Response | None:
    """The answer, or None where there is no page: a redirect, a file, or what a form posts to."""
    statuses: dict[str, int] = {}

    def note(answer: Response) -> None:
        statuses[answer.url] = answer.status

    page.on("response", note)
    try:
        answer = page.goto(address)
    except Error as error:
        if "Download is starting" in error.message or "ERR_ABORTED" in error.message:
            return None
        if "ERR_HTTP_RESPONSE_CODE_FAILURE" in error.message and statuses.get(address) == 405:
            return None  # an empty answer, for which a browser has nothing to show
        raise
    finally:
        page.remove_listener("response", note)
    return None if answer is None or answer.request.redirected_from else answer


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_passes_axe_and_fits_the_phone(hall, addresses, phone, log_in, part):
    look_at_every_page(hall, addresses, phone, log_in, part, {"light": VIOLATIONS})


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_has_enough_contrast_in_the_dark(hall, addresses, phone, log_in, part):
    """``tests/pages/test_colour_contrast.py`` compares the colours of both themes in every run."""
    look_at_every_page(hall, addresses, phone, log_in, part, {"dark": CONTRAST})


def look_at_every_page(hall, addresses, phone, log_in, part, schemes: dict[str, dict[str, Any]]) -> None:
    page = phone(reduced_motion="reduce")  # a colour in transition has no meaningful contrast
    log_in(page, "Wren")
    routes = sorted({route_of(path) for path in addresses})[part::PARTS]
    paths = [path for path in addresses if route_of(path) in routes] + (_seats(hall, page) if part == 0 else [])
    wrong, drawn, axe = [], set(), Axe().axe_script
    for path in paths:
        page.emulate_media(color_scheme="light")
        answer = open_page(page, hall.url + path)
        if answer is None or "html" not in answer.headers.get("content-type", ""):
            continue  # it redirects, or is a file
        if answer.status == 200 or path == "/nowhere/":
            wrong += _look_at(page, path, axe, schemes)
            drawn.add(route_of(path))
        elif answer.status >= 500:
            wrong.append(f"{path} answers {answer.status}")
    missed = page_routes() & {route_of(path) for path in paths} - drawn - set(NOT_FOR_WREN)
    wrong += [f"{route} was not drawn" for route in missed]
    assert not wrong, "\n" + "\n".join(wrong)
    assert len(drawn) > 25


def _look_at(page: Page, path: str, axe: str, schemes: dict[str, dict[str, Any]]) -> list[str]:
    wrong = []
    page.wait_for_load_state("load")
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{path} is wider than {width} px")
    if twice := page.evaluate(TWICE):
        wrong.append(f"{path} has two of {twice}")
    if path == "/api/docs/":  # a third-party package renders the documentation
        return wrong
    # The sprite holds hundreds of shapes that axe would walk through on every page.
    page.evaluate("document.querySelectorAll('.sprite, use').forEach(e => e.remove())")
    page.evaluate(axe)
    for scheme, options in schemes.items():
        page.emulate_media(color_scheme=scheme)
        wrong += [f"{path} {scheme}: {result}" for result in page.evaluate(SERIOUS, options)]
    return wrong


def _seats(hall, page) -> list[str]:
    """Wren's seat at a table of each game: what she holds, what she is asked, and the link to move it."""
    session = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "companion_session")
    codes = [line.split()[1] for line in hall.site.shell(SEATS % session).splitlines() if line.startswith("TABLE ")]
    return [*(f"/tables/{code}/seats/0/" for code in codes), f"/tables/{codes[0]}/seats/0/link/"]


def test_api_documentation_works_offline(hall, phone):
    page = phone(viewport={"width": 1280, "height": 900})
    page.goto(f"{hall.url}/api/docs/")
    page.locator("#operations-tag-campaigns").click()
    page.get_by_text("/api/v1/campaigns/").first.wait_for()


def test_operation_in_the_api_documentation_fits_a_phone(hall, phone):
    page = phone()
    page.goto(f"{hall.url}/api/docs/")
    page.locator("#operations-tag-battles").click()
    page.locator(".opblock-summary-control").first.click()
    page.locator(".responses-table").first.wait_for()
    assert_fits(page)
