"""Log in, log out, sign up."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from people.accounts import services as accounts_services
from people.models import LogIn, Person
from people.passes import services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, get_known_name, log_in, open_pass


def sign_up(client, name="Bramble", password=PASSWORD, **more):
    return client.post("/sign-up/", {"name": name, "password": password, **more})


# ── Log in ───────────────────────────────────────────────────────────────────────────────────────────────


def test_log_in_redirects_to_the_requested_page(master, nobody):
    response = nobody.post("/log-in/", {"name": "wren", "password": PASSWORD, "next": "/me/name/"})
    assert (response.status_code, response["Location"]) == (302, "/me/name/")
    assert get_known_name(nobody) == "Wren"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "\\\\evil.example", "javascript:alert(1)", "/\\evil"]
)
def test_log_in_never_redirects_to_another_site(master, nobody, elsewhere):
    response = nobody.post("/log-in/", {"name": "wren", "password": PASSWORD, "next": elsewhere})
    assert response["Location"] == "/"


@pytest.mark.parametrize("typed", ["wren", "WREN", " Wren ", "Ｗｒｅｎ"])
def test_log_in_name_ignores_case_spaces_and_width(master, nobody, typed):
    assert log_in(nobody, typed).status_code == 302


@pytest.mark.parametrize(
    ("name", "password"), [("wren", "wrong"), ("nobody-here", PASSWORD), ("wren", ""), ("", ""), ("\x00", "\x00")]
)
def test_wrong_name_and_wrong_password_look_the_same(master, nobody, name, password):
    response = log_in(nobody, name, password)
    assert response.status_code == 422
    assert get_known_name(nobody) is None
    if name and password and "\x00" not in name:
        assert "Wrong name or password." in response.text


def test_password_is_not_echoed(master, nobody):
    assert "wrong-one" not in log_in(nobody, "wren", "wrong-one").text


def test_logging_in_changes_the_session_key(master, nobody):
    nobody.get("/log-in/")
    session = nobody.session
    session["planted"] = True
    session.save()
    nobody.cookies["companion_session"] = planted = session.session_key
    log_in(nobody, "wren")
    assert nobody.session.session_key != planted


def test_logged_in_person_skips_the_log_in_page(master):
    assert master.client.get("/log-in/?next=/me/name/")["Location"] == "/me/name/"


def test_protected_page_redirects_to_log_in_and_back(nobody, master):
    response = nobody.get("/me/name/")
    assert response["Location"] == "/log-in/?next=%2Fme%2Fname%2F"
    assert nobody.post("/me/name/", {"name": "x"}).status_code == 403


def test_logging_out_ends_the_log_in_and_needs_a_form(master):
    assert master.client.get("/log-out/").status_code == 405
    assert get_known_name(master.client) == "Wren"
    assert master.client.post("/log-out/").status_code == 302
    assert get_known_name(master.client) is None
    assert not LogIn.objects.exists()


def test_forms_of_other_sites_are_refused(master):
    client = Client(enforce_csrf_checks=True)
    assert client.post("/log-in/", {"name": "wren", "password": PASSWORD}).status_code == 403
    client.force_login(master.account)
    assert client.post("/log-out/").status_code == 403
    assert client.patch("/api/v1/me/", {"name": "x"}, content_type="application/json").status_code == 403


# ── Sign up ──────────────────────────────────────────────────────────────────────────────────────────────


def test_sign_up_creates_account_and_person_and_logs_in(owner, nobody):
    assert sign_up(nobody, "Bramble of the Hedge", next="/campaigns/")["Location"] == "/campaigns/"
    person = Person.objects.get(name="Bramble of the Hedge")
    assert person.account.username == "bramble of the hedge"
    assert not person.account.is_staff
    assert not person.account.is_superuser
    assert person.keeper is None
    assert get_known_name(nobody) == "Bramble of the Hedge"


@pytest.mark.parametrize(
    "name", ["🐭🧀", "مَلِك الفئران", "מלך העכברים", "İstanbul", "ẞtraße", "王様ネズミ", "👨‍👩‍👧‍👦", "é", "a" * 150]
)
def test_any_name_in_any_alphabet_signs_up_and_logs_in(owner, nobody, name):
    assert sign_up(nobody, name).status_code == 302
    other = Client()
    assert log_in(other, name).status_code == 302
    assert get_known_name(other) == get_known_name(nobody)
    assert other.get("/me/").status_code == 200


@pytest.mark.parametrize(
    ("name", "password", "sentence"),
    [
        ("", PASSWORD, "is empty"),
        ("   ", PASSWORD, "is empty"),
        ("\u200b", PASSWORD, "is empty"),
        ("a" * 201, PASSWORD, "The limit is 200"),
        ("a" * 151, PASSWORD, "at most 150"),
        ("Bramble", "short", "at least 8"),
        ("Bramble", "password", "too common"),
        ("Bramble", "", "is empty"),
        ("Bramble", "x" * 1001, "1000 characters"),
        ("WREN", PASSWORD, "log-in name is taken"),
    ],
)
def test_invalid_sign_up_is_refused(master, nobody, name, password, sentence):
    response = sign_up(nobody, name, password)
    assert response.status_code == 422
    assert sentence in response.text
    assert get_user_model().objects.count() == 1


def test_log_in_name_is_unique_but_player_name_is_not(master, player):
    player.client.post("/me/name/", {"name": "Wren"})
    assert Person.objects.filter(name="Wren").count() == 2
    assert player.client.get("/me/").status_code == 200


def test_sign_up_by_invitation(settings, owner, nobody):
    settings.SIGN_UP = "invite"
    assert "need an invitation" in nobody.get("/sign-up/").text
    assert sign_up(nobody).status_code == 403
    row = sign_up_claim_and_reset_links.create_invitation(Who.of(owner), "for Bramble")
    clean = open_pass(nobody, row)
    page = nobody.get(clean)
    assert page.status_code == 200
    assert "Maud" in page.text
    assert "for Bramble" not in page.text, "the note is the inviter's own"
    assert nobody.post(clean, {"name": "Bramble", "password": "short"}).status_code == 422
    assert nobody.post(clean, {"name": "Bramble", "password": PASSWORD}).status_code == 302
    bramble = Person.objects.get(name="Bramble")
    assert bramble.keeper is None, "who has a password looks after themselves"
    assert bramble.invited_by == owner, "and can allow this person to help with it"
    late = Client()
    assert late.get(late.get(row.get_absolute_url())["Location"]).status_code == 410
    assert sign_up(late).status_code == 403


def test_any_invitation_allows_sign_up(settings, owner, nobody, join):
    settings.SIGN_UP = "invite"
    open_pass(nobody, passes_services.create_pass("join", 1, by=Who.of(owner), uses=None))
    assert sign_up(nobody).status_code == 302
    assert Person.objects.get(name="Bramble").invited_by == owner
    assert sign_up(Client(), "Other").status_code == 403


def test_closed_site_refuses_sign_up(settings, master, nobody, join):
    settings.SIGN_UP = "closed"
    open_pass(nobody, passes_services.create_pass("join", 1, by=Who.of(master), uses=None))
    assert sign_up(nobody).status_code == 403
    assert "closed to new accounts" in nobody.get("/sign-up/").text
    with pytest.raises(Refusal, match="closed to new accounts"):
        sign_up_claim_and_reset_links.create_invitation(Who.of(master))


def test_log_in_name_length_is_limited(master, nobody):
    assert accounts_services.find_account("x" * 5000) is None
    assert accounts_services.find_account(None) is None
    assert accounts_services.find_account("\x00\ud800") is None


# ── The password ─────────────────────────────────────────────────────────────────────────────────────────


def test_changing_the_password_ends_other_log_ins(master, nobody):
    log_in(nobody, "wren")
    data = {"old": PASSWORD, "password": "a longer one now"}
    assert master.client.post("/me/password/", data).status_code == 302
    assert get_known_name(master.client) == "Wren"
    assert get_known_name(nobody) is None
    assert log_in(nobody, "wren").status_code == 422
    assert log_in(nobody, "wren", "a longer one now").status_code == 302


def test_changing_the_password_needs_the_old_one(master):
    response = master.client.post("/me/password/", {"old": "wrong", "password": "a longer one now"})
    assert response.status_code == 422
    assert "This is not your password." in response.text
    master.account.refresh_from_db()
    assert master.account.check_password(PASSWORD)


def test_a_password_changed_in_the_admin_ends_every_log_in(master):
    master.account.set_password("set by the owner")
    master.account.save()
    assert get_known_name(master.client) is None
