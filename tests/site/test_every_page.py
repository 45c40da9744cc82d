"""Every page in a real browser: no serious axe finding, no policy violation, nothing wider than the phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.site.routes import every_route
from tests.site.test_roles import APPS

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


# Asked from within the page, because only the browser knows the way to this host. A redirect answers with status 0.
ASK = """async url => {
  const answer = await fetch(url, {redirect: 'manual'});
  return [answer.status, answer.headers.get('content-type') || ''];
}"""


NAMED = """
from campaign.models import Approval
from people.models import Pass, Person
print(Person.objects.get(name='Pim').code, Pass.objects.first().pk, Approval.objects.first().pk)
"""


@pytest.fixture(scope="session")
def addresses(hall) -> list[str]:
    """Every address that a GET of the demo's owner draws as a page."""
    person, invitation, petition = hall.site.shell(NAMED).split()
    names = {
        "campaigns": hall.code,
        "people": person,
        "invitations": invitation,
        "rules": "units",
        "scenarios": "ambush",
    }
    found = []
    for route in every_route():
        path = "/" + route
        if path.startswith(NOT_PAGES) or path in FRAGMENTS or any(path in app.NOT_PAGES for app in APPS.values()):
            continue
        path = path.replace("/petitions/<int:pk>/", f"/petitions/{petition}/")
        part = next((word for word in reversed(path.strip("/").split("/")) if word in names), "")
        for kind in ("<slug:code>", "<int:pk>", "<slug:key>"):
            if kind in path and part:
                path = path.replace(kind, names[part])
        if "<" not in path:
            found.append(path)
    for app in APPS.values():
        found += app.demo_addresses(hall)
    return [*found, "/api/docs/", "/nowhere/"]


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


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_passes_axe_and_fits_the_phone(hall, addresses, phone, log_in, part):
    page = phone(reduced_motion="reduce")  # a colour in transition has no meaningful contrast
    log_in(page, "Wren")
    wrong, drawn, axe = [], 0, Axe().axe_script
    for path in addresses[part::PARTS]:
        status, kind = page.evaluate(ASK, hall.url + path)
        if status in (0, 403, 405, 409) or "html" not in kind:
            continue  # it redirects, or only a form leads there
        page.emulate_media(color_scheme="light")
        page.goto(hall.url + path)
        page.wait_for_load_state("load")
        drawn += 1
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wrong.append(f"{path} is wider than {width} px")
        if twice := page.evaluate(TWICE):
            wrong.append(f"{path} has two of {twice}")
        if path == "/api/docs/":  # a third-party package renders the documentation
            continue
        # The sprite holds hundreds of shapes that axe would walk through on every page.
        page.evaluate("document.querySelectorAll('.sprite, use').forEach(e => e.remove())")
        page.evaluate(axe)
        for scheme, options in (("light", VIOLATIONS), ("dark", CONTRAST)):
            page.emulate_media(color_scheme=scheme)
            wrong += [f"{path} {scheme}: {found}" for found in page.evaluate(SERIOUS, options)]
    assert not wrong, "\n" + "\n".join(wrong)
    assert drawn > 25


def test_api_documentation_works_offline(hall, phone):
    page = phone(viewport={"width": 1280, "height": 900})
    page.goto(f"{hall.url}/api/docs/")
    page.get_by_text("/api/v1/campaigns/").first.wait_for()
