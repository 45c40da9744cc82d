"""Every page about people: who can open it, how many queries it costs, and unusual names."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from people import acquaintances as people_acquaintances, guests as guests_services, merging
from people.models import LogIn, Pass, Person
from people.passes import services, services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import open_pass

NAMES = [
    "🐭👨‍👩‍👧‍👦🧀",
    "مَلِك الفئران",
    "מלך העכברים",
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7|add:7 }} {% csrf_token %}",
    "a" * 200,
    "Z̸̨͔͖a̶͎l̷͕g̵o",
    "%s %(name)s {0} \\u0000",
    "'; DROP TABLE people_person; --",
]


def pages_of(master: Person, wrens_guest: Person, claim: Pass) -> list[str]:
    return [
        "/me/",
        "/me/name/",
        "/me/arms/",
        "/me/password/",
        "/me/link/",
        "/me/data/",
        "/me/forget/",
        "/people/",
        f"/people/{wrens_guest.code}/",
        f"/people/{wrens_guest.code}/rename/",
        f"/people/{wrens_guest.code}/arms/",
        f"/people/{wrens_guest.code}/merge/",
        f"/people/{wrens_guest.code}/forget/",
        "/invitations/",
        f"/invitations/{claim.pk}/",
        f"/invitation/{claim.pk}/",
    ]


@pytest.fixture
def world(master, wrens_guest):
    """A master with several guests, links and log-ins."""
    who = Who.of(master)
    for number in range(8):
        services.issue_link(guests_services.add_guest(who, f"Friend {number}"), by=who)
    services.issue_link(wrens_guest, by=who)
    services.issue_link(master, by=who)
    merging.merge_people(guests_services.add_guest(who, "Me elsewhere"), into=master, by=who)
    for _ in range(3):
        Client().force_login(master.account)
    claim = sign_up_claim_and_reset_links.create_claim_link(who, wrens_guest)
    for number in range(5):
        sign_up_claim_and_reset_links.create_invitation(who, f"for {number}")
    open_pass(master.client, claim)
    return master, wrens_guest, claim


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_any_page(world, name):
    master, wrens_guest, claim = world
    stored = guests_services.rename_person(Who.of(master), wrens_guest, name).name
    guests_services.rename_person(Who.of(master), master, name)
    for path in pages_of(master, wrens_guest, claim):
        response = master.client.get(path)
        assert response.status_code == 200, path
        assert "<script>alert" not in response.text
        assert "<img src=x" not in response.text
        assert "{{" not in response.text.replace("{{ 7|add:7 }}", "")
        assert re.search(r'\sstyle="', response.text) is None, "the policy allows no inline style"
        assert re.search(r"<script(?![^>]*\ssrc=)", response.text) is None, "nor inline scripts"
    assert master.client.get("/api/v1/me/").json()["name"] == stored


def test_every_page_costs_few_queries(world, django_assert_max_num_queries):
    master, wrens_guest, claim = world
    for path in pages_of(master, wrens_guest, claim):
        with django_assert_max_num_queries(10) as counted:
            assert master.client.get(path).status_code == 200
        assert len(counted) <= 10, path


def test_a_longer_list_costs_no_more(master):
    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            master.client.get("/people/")
            master.client.get("/invitations/")
        return len(counted)

    who = Who.of(master)
    services.issue_link(guests_services.add_guest(who, "Pip"), by=who)
    sign_up_claim_and_reset_links.create_invitation(who)
    few = cost()
    for number in range(30):
        services.issue_link(guests_services.add_guest(who, f"Friend {number}"), by=who)
        sign_up_claim_and_reset_links.create_invitation(who)
    assert cost() == few


def test_every_page_has_a_way_back(world):
    master, wrens_guest, claim = world
    for path in pages_of(master, wrens_guest, claim):
        body = master.client.get(path).text.split("<main", 1)[1].split("</main>", 1)[0]
        assert 'href="/' in body, path


def test_stranger_gets_log_in_or_404(world, nobody):
    master, wrens_guest, claim = world
    for path in pages_of(master, wrens_guest, claim):
        response = nobody.get(path)
        if path.startswith("/invitation/"):
            assert response.status_code == 404
        else:
            assert response["Location"].startswith("/log-in/?next="), path


def test_others_cannot_see_your_guests(world, stranger):
    _, wrens_guest, claim = world
    for path in (f"/people/{wrens_guest.code}/", f"/people/{wrens_guest.code}/rename/", f"/invitations/{claim.pk}/"):
        assert stranger.client.get(path).status_code == 404


def test_empty_pages_say_what_to_do(player):
    assert "Add the first person" in player.client.get("/people/").text
    assert "No open links." in player.client.get("/invitations/").text
    assert "You have no personal link yet." in player.client.get("/me/link/").text


# ── People one keeps ─────────────────────────────────────────────────────────────────────────────────────


def test_adding_a_guest(master):
    key = re.search(r'name="key" value="([^"]+)"', master.client.get("/people/").text).group(1)
    data = {"key": key, "name": "  Pip  the\tSmall "}
    assert master.client.post("/people/", data).status_code == 302
    assert master.client.post("/people/", data).status_code == 302
    pip = Person.objects.get(name="Pip the Small")
    assert pip.keeper == master
    assert pip.account is None


@pytest.mark.parametrize(("name", "sentence"), [("", "is empty"), ("   ", "is empty"), ("x" * 201, "The limit is 200")])
def test_name_length_is_limited(master, wrens_guest, name, sentence):
    for path in ("/people/", "/me/name/", f"/people/{wrens_guest.code}/rename/"):
        response = master.client.post(path, {"name": name, "key": "some-fresh-key"})
        assert response.status_code == 422
        assert sentence in response.text
    assert set(Person.objects.values_list("name", flat=True)) == {"Wren", "Pip"}


def test_number_of_guests_is_limited(master, monkeypatch):
    monkeypatch.setattr(guests_services, "MAX_GUESTS", 3)
    for number in range(3):
        guests_services.add_guest(Who.of(master), f"Friend {number}")
    response = master.client.post("/people/", {"name": "One too many", "key": "another-fresh-key"})
    assert response.status_code == 422
    assert "You have 3 guests" in response.text


def test_fellow_players_are_visible_but_not_editable(master, player, stranger, monkeypatch):
    monkeypatch.setattr(
        people_acquaintances, "_sources", [lambda who: Person.objects.filter(name__in=["Wren", "Tam"]).values("pk")]
    )
    page = master.client.get(f"/people/{player.code}/")
    assert page.status_code == 200
    assert "Personal link" not in page.text
    for path in ("rename", "arms", "merge", "forget"):
        assert master.client.get(f"/people/{player.code}/{path}/").status_code == 403
    for path in ("link", "claim", "reset"):
        assert master.client.post(f"/people/{player.code}/{path}/").status_code == 403
    assert "Tam" in master.client.get("/people/").text
    assert master.client.get(f"/people/{stranger.code}/").status_code == 404


def test_owner_sees_everybody_but_lists_only_people_they_know(owner, player, wrens_guest):
    assert owner.client.get(f"/people/{player.code}/").status_code == 200
    assert owner.client.get(f"/people/{wrens_guest.code}/").status_code == 200
    assert "Tam" not in owner.client.get("/people/").text


def test_querysets_are_empty_for_nobody(guest):
    nobody = Who()
    for look in ("visible_to", "editable_by", "looked_after_by", "known_to"):
        assert not getattr(Person.objects, look)(nobody).exists()
    with pytest.raises(Refusal):
        guests_services.add_guest(nobody, "Pip")
    with pytest.raises(Refusal):
        guests_services.rename_person(nobody, guest, "Pip")


def test_guests_of_a_merged_keeper_stay_with_the_root(master, make_person):
    first = make_person("Wren before", account=False)
    kept = guests_services.add_guest(Who.of(first), "Pip")
    merging.merge_people(first, into=master, by=Who.of(make_owner(make_person)))
    me = Who.of(Person.objects.get(pk=master.pk))
    for look in ("visible_to", "editable_by", "looked_after_by"):
        assert kept in getattr(Person.objects, look)(me)


def make_owner(make_person) -> Person:
    person = make_person("Maud")
    person.account.is_superuser = True
    return person


# ── Arms ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_arms_are_saved(master, wrens_guest):
    data = {"field": "azure", "ordinary": "fess", "ordinary_tincture": "or", "charge": "none", "division": "plain"}
    assert master.client.post("/me/arms/", data).status_code == 302
    assert master.client.post(f"/people/{wrens_guest.code}/arms/", data).status_code == 302
    for person in (master, wrens_guest):
        person.refresh_from_db()
        assert person.arms.blazon() == "Azure, a fess or"


def test_invalid_arms_are_refused(master):
    before = master.arms
    response = master.client.post("/me/arms/", {"field": "azure", "ordinary": "fess", "ordinary_tincture": "gules"})
    assert response.status_code == 422
    master.refresh_from_db()
    assert master.arms == before


def test_preview_of_arms_saves_nothing(master):
    response = master.client.post("/me/arms/", {"field": "azure", "surprise": "yes"})
    assert response.status_code == 200
    master.refresh_from_db()
    assert master.blazon == {}


def test_stored_arms_that_are_no_longer_valid_fall_back_to_the_code(master):
    master.blazon = {"field": "azure", "ordinary": "fess", "ordinary_tincture": "gules"}
    assert master.arms == Person(code=master.code).arms
    master.blazon = {"rubbish": [1]}
    assert master.arms == Person(code=master.code).arms


# ── Log-ins ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0", "Firefox on Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 "
            "Version/17.5 Mobile Safari/604.1",
            "Safari on iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/537.36 Chrome/126.0 Safari/537.36",
            "Chrome on a Mac",
        ),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0", "Firefox on Linux"),
        ("curl/8.5.0", "curl/8.5.0"),
        ("<b>\x00" + "x" * 500, "b" + "x" * 59),
        ("", "Unknown browser"),
    ],
)
def test_browser_descriptions(master, agent, words):
    client = Client(headers={"user-agent": agent} if agent else {})
    client.force_login(master.account)
    client.post("/log-out/")
    client.post("/log-in/", {"name": "wren", "password": "cheese-and-thyme"})
    assert LogIn.objects.order_by("-pk").first().browser == words


def test_log_ins_are_listed_and_can_be_ended(master):
    phone = Client(headers={"user-agent": "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"})
    phone.post("/log-in/", {"name": "wren", "password": "cheese-and-thyme"})
    page = master.client.get("/me/").text
    assert "Firefox on Android" in page
    assert page.count(">this browser<") == 1
    row = LogIn.objects.get(browser="Firefox on Android")
    assert master.client.post(f"/me/log-ins/{row.pk}/end/").status_code == 302
    assert phone.get("/me/").status_code == 302
    assert master.client.get("/me/").status_code == 200


def test_ending_the_current_log_in_logs_out(master):
    assert master.client.post(f"/me/log-ins/{LogIn.objects.get().pk}/end/").status_code == 302
    assert master.client.get("/me/").status_code == 302


def test_log_ins_of_others_cannot_be_ended(master, stranger):
    row = LogIn.objects.get(person=master)
    assert stranger.client.post(f"/me/log-ins/{row.pk}/end/").status_code == 404
    stranger.client.post("/me/log-ins/end-others/")
    assert LogIn.objects.filter(pk=row.pk).exists()


def test_ending_all_other_log_ins(master):
    others = [Client() for _ in range(3)]
    for other in others:
        other.force_login(master.account)
    assert master.client.post("/me/log-ins/end-others/").status_code == 302
    assert [other.get("/me/").status_code for other in others] == [302] * 3
    assert master.client.get("/me/").status_code == 200


def test_old_log_ins_are_stale(master, time_passes):
    assert LogIn.objects.active().count() == 1
    time_passes(days=366)
    assert LogIn.objects.stale().count() == 1
    assert LogIn.objects.active().count() == 0


def test_new_guests_per_browser_are_limited(master, nobody, join):
    row = passes_services.create_pass("join", 1, by=Who.of(master), uses=None)
    nobody.get("/log-in/")
    answers = []
    for number in range(11):
        clean = open_pass(nobody, row)
        answers.append(nobody.post(f"{clean}by-name/", {"name": f"Mouse {number}"}).status_code)
        nobody.post("/log-out/")
    assert answers == [302] * 10 + [429]
