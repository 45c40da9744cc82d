"""Log in, log out, sign up: the door."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from people import accounts, kinds, passes
from people.models import LogIn, Person
from people.who import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, log_in, open_pass, who_is


def sign_up(client, name="Bramble", password=PASSWORD, **more):
    return client.post("/sign-up/", {"name": name, "password": password, **more})


# ── Log in ───────────────────────────────────────────────────────────────────────────────────────────────


def test_name_and_password_let_one_in_and_on_to_the_page_wanted(master, nobody):
    response = nobody.post("/log-in/", {"name": "wren", "password": PASSWORD, "next": "/me/name/"})
    assert (response.status_code, response["Location"]) == (302, "/me/name/")
    assert who_is(nobody) == "Wren"


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "\\\\evil.example", "javascript:alert(1)", "/\\evil"]
)
def test_the_page_wanted_is_one_of_ours(master, nobody, elsewhere):
    response = nobody.post("/log-in/", {"name": "wren", "password": PASSWORD, "next": elsewhere})
    assert response["Location"] == "/"


@pytest.mark.parametrize("typed", ["wren", "WREN", " Wren ", "Ｗｒｅｎ"])
def test_capitals_spaces_and_wide_letters_make_no_difference(master, nobody, typed):
    assert log_in(nobody, typed).status_code == 302


@pytest.mark.parametrize(
    ("name", "password"), [("wren", "wrong"), ("nobody-here", PASSWORD), ("wren", ""), ("", ""), ("\x00", "\x00")]
)
def test_a_wrong_name_and_a_wrong_password_are_told_apart_by_nobody(master, nobody, name, password):
    response = log_in(nobody, name, password)
    assert response.status_code == 422
    assert who_is(nobody) is None
    if name and password and "\x00" not in name:
        assert "This name and this password do not belong together." in response.text


def test_the_password_is_never_written_back_into_the_page(master, nobody):
    assert "wrong-one" not in log_in(nobody, "wren", "wrong-one").text


def test_logging_in_changes_the_session_key(master, nobody):
    nobody.get("/log-in/")
    session = nobody.session
    session["planted"] = True
    session.save()
    nobody.cookies["companion_session"] = planted = session.session_key
    log_in(nobody, "wren")
    assert nobody.session.session_key != planted


def test_a_known_one_is_not_asked_again(master):
    assert master.client.get("/log-in/?next=/me/name/")["Location"] == "/me/name/"


def test_the_wall_leads_to_the_door_and_back(nobody, master):
    response = nobody.get("/me/name/")
    assert response["Location"] == "/log-in/?next=%2Fme%2Fname%2F"
    assert nobody.post("/me/name/", {"name": "x"}).status_code == 403


def test_logging_out_ends_the_log_in_and_needs_a_form(master):
    assert master.client.get("/log-out/").status_code == 405
    assert who_is(master.client) == "Wren"
    assert master.client.post("/log-out/").status_code == 302
    assert who_is(master.client) is None
    assert not LogIn.objects.exists()


def test_forms_of_other_sites_are_refused(master):
    client = Client(enforce_csrf_checks=True)
    assert client.post("/log-in/", {"name": "wren", "password": PASSWORD}).status_code == 403
    client.force_login(master.account)
    assert client.post("/log-out/").status_code == 403
    assert client.patch("/api/v1/me/", {"name": "x"}, content_type="application/json").status_code == 403


# ── Sign up ──────────────────────────────────────────────────────────────────────────────────────────────


def test_signing_up_makes_an_account_a_person_and_lets_one_in(owner, nobody):
    assert sign_up(nobody, "Bramble of the Hedge", next="/campaigns/")["Location"] == "/campaigns/"
    person = Person.objects.get(name="Bramble of the Hedge")
    assert person.account.username == "bramble of the hedge"
    assert not person.account.is_staff
    assert not person.account.is_superuser
    assert person.keeper is None
    assert who_is(nobody) == "Bramble of the Hedge"


@pytest.mark.parametrize(
    "name", ["🐭🧀", "مَلِك الفئران", "מלך העכברים", "İstanbul", "ẞtraße", "王様ネズミ", "👨‍👩‍👧‍👦", "é", "a" * 150]
)
def test_any_name_in_any_alphabet_signs_up_and_logs_in(owner, nobody, name):
    assert sign_up(nobody, name).status_code == 302
    other = Client()
    assert log_in(other, name).status_code == 302
    assert who_is(other) == who_is(nobody)
    assert other.get("/me/").status_code == 200


@pytest.mark.parametrize(
    ("name", "password", "sentence"),
    [
        ("", PASSWORD, "is empty"),
        ("   ", PASSWORD, "is empty"),
        ("\u200b", PASSWORD, "is empty"),
        ("a" * 201, PASSWORD, "200 is the most"),
        ("a" * 151, PASSWORD, "at most 150"),
        ("Bramble", "short", "at least 8"),
        ("Bramble", "password", "too common"),
        ("Bramble", "", "is empty"),
        ("Bramble", "x" * 1001, "1000 characters"),
        ("WREN", PASSWORD, "already logs in with this name"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(master, nobody, name, password, sentence):
    response = sign_up(nobody, name, password)
    assert response.status_code == 422
    assert sentence in response.text
    assert get_user_model().objects.count() == 1


def test_two_people_may_have_one_name_but_not_one_log_in_name(master, player):
    player.client.post("/me/name/", {"name": "Wren"})
    assert Person.objects.filter(name="Wren").count() == 2
    assert player.client.get("/me/").status_code == 200


def test_sign_up_by_invitation(settings, owner, nobody):
    settings.SIGN_UP = "invite"
    assert "need an invitation" in nobody.get("/sign-up/").text
    assert sign_up(nobody).status_code == 403
    row = kinds.invite(Who.of(owner), "for Bramble")
    clean = open_pass(nobody, row)
    page = nobody.get(clean)
    assert page.status_code == 200
    assert "Maud" in page.text
    assert "for Bramble" not in page.text, "the note is the inviter's own"
    assert nobody.post(clean, {"name": "Bramble", "password": "short"}).status_code == 422
    assert nobody.post(clean, {"name": "Bramble", "password": PASSWORD}).status_code == 302
    bramble = Person.objects.get(name="Bramble")
    assert bramble.keeper == owner, "whoever invited them can help with the password"
    late = Client()
    assert late.get(late.get(row.get_absolute_url())["Location"]).status_code == 410
    assert sign_up(late).status_code == 403


def test_an_invitation_to_something_lets_one_make_an_account_too(settings, owner, nobody, join):
    settings.SIGN_UP = "invite"
    open_pass(nobody, passes.make("join", 1, by=Who.of(owner), uses=None))
    assert sign_up(nobody).status_code == 302
    assert Person.objects.get(name="Bramble").keeper == owner
    assert sign_up(Client(), "Other").status_code == 403


def test_closed_means_closed(settings, master, nobody, join):
    settings.SIGN_UP = "closed"
    open_pass(nobody, passes.make("join", 1, by=Who.of(master), uses=None))
    assert sign_up(nobody).status_code == 403
    assert "takes no new accounts" in nobody.get("/sign-up/").text
    with pytest.raises(Refusal, match="takes no new accounts"):
        kinds.invite(Who.of(master))


def test_log_in_names_are_bounded_before_they_reach_the_database(master, nobody):
    assert accounts.find("x" * 5000) is None
    assert accounts.find(None) is None
    assert accounts.find("\x00\ud800") is None


# ── The password ─────────────────────────────────────────────────────────────────────────────────────────


def test_changing_the_password_ends_the_other_log_ins_and_keeps_this_one(master, nobody):
    log_in(nobody, "wren")
    data = {"old": PASSWORD, "password": "a longer one now"}
    assert master.client.post("/me/password/", data).status_code == 302
    assert who_is(master.client) == "Wren"
    assert who_is(nobody) is None
    assert log_in(nobody, "wren").status_code == 422
    assert log_in(nobody, "wren", "a longer one now").status_code == 302


def test_the_old_password_is_asked_for(master):
    response = master.client.post("/me/password/", {"old": "wrong", "password": "a longer one now"})
    assert response.status_code == 422
    assert "This is not your password." in response.text
    master.account.refresh_from_db()
    assert master.account.check_password(PASSWORD)


def test_a_password_changed_in_the_admin_ends_every_log_in(master):
    master.account.set_password("set by the owner")
    master.account.save()
    assert who_is(master.client) is None
