"""Pages of the look: the guide, the arms editor, error pages, the theme."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from django.http import QueryDict
from django.template.loader import get_template
from django.test import Client, override_settings
from django.urls import reverse

from heraldry import Arms
from pages.arms_editor import ArmsForm, read_arms_form
from people.requester import Who
from refusal import Refusal

HTMX = {"HX-Request": "true"}


class Ids(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.wanted: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        known = dict(attrs)
        if known.get("id"):
            self.ids.append(known["id"])
        for name in ("for", "popovertarget", "aria-describedby", "data-copy"):
            self.wanted.update((known.get(name) or "").split())


def ids_are_sound(text: str) -> None:
    page = Ids(text)
    assert len(page.ids) == len(set(page.ids))
    assert page.wanted <= set(page.ids)


@pytest.fixture
def browser_less(db) -> Client:
    return Client()


@pytest.mark.urls("tests.pages.style_guide.urls")
def test_style_guide_is_complete(browser_less):
    response = browser_less.get("/guide/")
    assert response.status_code == 200
    ids_are_sound(response.content.decode())


# ── The base every page stands on ──


def test_every_page_has_its_landmarks(browser_less):
    text = browser_less.get("/how-it-goes/").content.decode()
    assert '<a class="skip" href="#leaf">' in text
    assert '<main class="leaf" id="leaf"' in text
    for word in ("Campaign", "Muster", "Battle", "Tables", "Nights"):
        assert f"</svg>{word}</a>" in text
    assert "belong to their owners" in text
    assert 'id="refusal"' in text
    assert 'id="toasts"' in text


def test_navigation_marks_the_current_section(browser_less):
    text = browser_less.get("/musters/").content.decode()
    assert '<a href="/musters/" aria-current="page">' in text
    assert text.count('aria-current="page"') == 1


def test_header_shows_log_in_or_the_name(browser_less, player):
    assert "Log in</span>" in browser_less.get("/how-it-goes/").content.decode()
    assert "<bdi>Tam</bdi>" in player.client.get("/how-it-goes/").content.decode()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_chosen_theme_is_kept(browser_less, theme):
    browser_less.post("/theme/", {"theme": theme})
    text = browser_less.get("/how-it-goes/").content.decode()
    assert f'data-theme="{theme}"' in text
    browser_less.post("/theme/", {"theme": "system"})
    assert "data-theme" not in browser_less.get("/how-it-goes/").content.decode()


def test_page_states_its_time_zone(browser_less):
    browser_less.cookies["zone"] = "Europe/Berlin"
    assert 'data-zone="Europe/Berlin"' in browser_less.get("/how-it-goes/").content.decode()


# ── Error pages ──


@override_settings(DEBUG=False)
def test_404_page_has_a_way_back(browser_less):
    response = browser_less.get("/nowhere/at/all/")
    assert response.status_code == 404
    text = response.content.decode()
    assert '<a class="btn btn-press" href="/">' in text
    ids_are_sound(text)


@pytest.mark.parametrize(
    ("name", "status"), [("403", 403), ("refusal", 403), ("refusal", 409), ("refusal", 422), ("refusal", 429)]
)
def test_each_error_page_has_one_main_button(rf, name, status):
    refusal = Refusal("You cannot besiege Fenwick Castle yet.", status=status)
    request = rf.get("/")
    request.who = Who()
    text = get_template(f"errors/{name}.html").render({"back": "/campaigns/", "refusal": refusal}, request)
    assert text.count("btn-press") == 1
    assert 'href="/campaigns/"' in text


def test_500_page_needs_no_context(django_db_blocker):
    """No database, no request, no context, no manifest of hashed files."""
    manifest = {"staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}}
    with django_db_blocker.block(), override_settings(STORAGES=manifest):
        text = get_template("errors/500.html").render({"request": None, "request_id": ""})
    assert '<a class="btn btn-press" href="/">' in text
    assert "Log in" not in text


# ── The arms editor ──

CHEVRON = {"field": "gules", "ordinary": "chevron", "ordinary_tincture": "or"}


def test_arms_page_starts_with_random_arms(browser_less):
    first, second = (browser_less.get("/arms/")["Location"] for _ in range(2))
    assert first != second
    assert browser_less.get(first).status_code == 200


def test_arms_editor_shows_shield_and_blazon(browser_less):
    text = browser_less.get("/arms/", CHEVRON).content.decode()
    assert "Gules, a chevron or." in text
    ids_are_sound(text)


def test_invalid_arms_show_legal_changes(browser_less):
    response = browser_less.get("/arms/", CHEVRON | {"ordinary_tincture": "azure"})
    text = response.content.decode()
    assert response.status_code == 422
    assert "A chevron azure would be on gules, colour on colour. Choose: or, argent." in text
    assert 'value="ordinary_tincture:or"' in text
    assert 'value="ordinary_tincture:argent"' in text
    assert 'value="ordinary_tincture:vert"' not in text


def test_legal_change_can_be_applied(browser_less):
    broken = CHEVRON | {"ordinary_tincture": "azure", "take": "ordinary_tincture:argent"}
    assert "Gules, a chevron argent." in browser_less.get("/arms/", broken).content.decode()


def test_htmx_gets_only_the_editor_and_updates_the_address(browser_less):
    here = HTMX | {"HX-Current-URL": "http://testserver/arms/?field=or"}
    response = browser_less.get("/arms/", CHEVRON, headers=here)
    text = response.content.decode()
    assert text.lstrip().startswith('<div class="arms-editor"')
    assert "<html" not in text
    address = "?field=gules&division=plain&ordinary=chevron&ordinary_tincture=or&charge=none&placing=beside"
    assert response["HX-Replace-Url"] == reverse("pages:arms") + address


def test_embedded_editor_keeps_prefix_and_address(browser_less):
    sent = {f"house-{part}": value for part, value in CHEVRON.items()} | {"prefix": "house"}
    response = browser_less.get("/arms/", sent, headers=HTMX | {"HX-Current-URL": "http://testserver/me/arms/"})
    text = response.content.decode()
    assert 'name="house-field"' in text
    assert "HX-Replace-Url" not in response


@pytest.mark.parametrize("kind", ["svg", "ink"])
def test_arms_can_be_downloaded(browser_less, kind):
    response = browser_less.get("/arms/", CHEVRON | {"as": kind})
    assert response["Content-Type"] == "image/svg+xml"
    assert "attachment" in response["Content-Disposition"]
    ET.fromstring(response.content)


@pytest.mark.parametrize(
    "sent",
    [
        {"field": "tartan"},
        {"field": "gules", "charges_count": "x"},
        {"field": "gules", "charge": "\x00"},
        {"field": "gules", "take": "field"},
    ],
)
def test_invalid_arms_parameters_do_not_break_the_page(browser_less, sent):
    assert browser_less.get("/arms/", sent).status_code in (200, 422)
    assert browser_less.get("/arms/", sent, headers=HTMX).status_code in (200, 422)


def test_arms_form_recognises_previews():
    sent = QueryDict("a-field=gules&a-surprise=yes")
    form, looks = read_arms_form(sent, prefix="a")
    assert looks
    assert form.is_valid()
    assert isinstance(form.arms, Arms)
    form, looks = read_arms_form(QueryDict("a-field=gules"), prefix="a")
    assert not looks
    assert form.is_valid()
    assert form.arms == Arms("gules")


def test_arms_form_starts_from_stored_arms():
    stored = Arms.from_seed("Oakhold")
    form = ArmsForm(initial=stored.to_dict())
    assert Arms.from_choices(**form.current_choices()) == stored
    chosen = {group.part: [pick.value for pick in group.picks if pick.is_chosen] for group in form.groups()}
    assert all(len(values) == 1 for values in chosen.values())


def test_invalid_arms_name_the_field():
    form = ArmsForm({"field": "or", "charge": "bell", "charge_tincture": "argent"})
    assert not form.is_valid()
    assert "charge_tincture" in form.errors


# ── What a browser may do with an answer ──


@pytest.mark.parametrize(
    ("came_from", "back"),
    [
        ("http://testserver/rules/?a=1", "/rules/?a=1"),
        ("http://testserver//evil.example/", "/"),
        ("http://testserver/\\evil.example/", "/"),
        ("http://testserver.evil.example/", "/"),
        ("http://evil.example/", "/"),
        ("", "/"),
    ],
)
def test_back_url_never_leads_to_another_site(browser_less, came_from, back):
    assert browser_less.post("/theme/", {"theme": "dark"}, headers={"Referer": came_from})["Location"] == back


@pytest.mark.parametrize("address", ["/", "/how-it-goes/", "/campaigns/", "/nowhere/", "/api/v1/campaigns/"])
def test_responses_are_not_shared_by_caches(browser_less, address):
    assert "private" in browser_less.get(address)["Cache-Control"]


# ── What is read ──


def test_too_large_request_is_refused_on_pages_and_api(browser_less, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2**15
    much = "x" * 2**15
    answer = browser_less.post("/api/v1/rules/odds/attack/", {"kind": much}, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (413, "The request is too large.")
    page = browser_less.post("/log-in/", f"name={much}", content_type="application/x-www-form-urlencoded")
    assert page.status_code == 413
    assert "The request is too large." in page.content.decode()


def test_unknown_host_gets_a_plain_400(browser_less, settings):
    settings.ALLOWED_HOSTS = ["companion.example"]
    answer = browser_less.get("/", headers={"Host": "evil.example"})
    assert (answer.status_code, answer.content) == (400, b"This request cannot be read.")


def test_deeply_nested_json_is_refused(browser_less):
    endless = "[" * 30_000 + "]" * 30_000
    answer = browser_less.post("/api/v1/rules/odds/attack/", endless, content_type="application/json")
    assert answer.status_code == 400
    assert "nested" in answer.json()["refusal"]


@pytest.mark.parametrize("name", ["403", "404", "refusal"])
def test_error_pages_need_no_viewer(rf, name):
    """Something can go wrong before it is known who asks."""
    text = get_template(f"errors/{name}.html").render({"refusal": Refusal("No."), "sentence": "No."}, rf.get("/"))
    assert "<h1>" in text
