"""A forgotten password: a link or a code that works once, from who may give it."""

from __future__ import annotations

import re
import time

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from people import circles, kinds
from people.models import LogIn, Pass, Person
from people.who import Who
from tests.people.conftest import PASSWORD, log_in, open_pass, who_is

NEW = "thistles and rye"


@pytest.fixture
def invited(player, master) -> Person:
    """The player came here by the master's invitation."""
    Person.objects.filter(pk=player.pk).update(keeper=master)
    player.keeper = master
    return player


def made(by, person) -> int:
    return by.client.post(f"/people/{person.code}/reset/").status_code


def test_whoever_invited_them_hands_them_a_link_that_works_once(invited, master, nobody):
    assert made(master, invited) == 302
    row = Pass.objects.get()
    assert row.get_absolute_url() in master.client.get(f"/invitations/{row.pk}/").text
    clean = open_pass(nobody, row)
    assert "tam" in nobody.get(clean).text
    assert nobody.post(clean, {"password": "short"}).status_code == 422
    assert nobody.post(clean, {"password": NEW}).status_code == 302
    assert who_is(nobody) == "Tam"
    assert who_is(invited.client) is None, "log-ins with the old password have ended"
    assert log_in(Client(), "tam", PASSWORD).status_code == 422
    assert log_in(Client(), "tam", NEW).status_code == 302
    assert nobody.post(clean, {"password": "a third one now"}).status_code == 410
    other = Client()
    assert other.post(open_pass(other, row), {"password": "a third one now"}).status_code == 410
    assert log_in(Client(), "tam", NEW).status_code == 302


def test_an_owner_may_for_everybody(owner, player):
    assert made(owner, player) == 302


def test_a_stranger_may_not_and_does_not_even_see_them(stranger, player):
    assert made(stranger, player) == 404


def test_sharing_a_table_is_not_enough(player, other_player, monkeypatch):
    monkeypatch.setattr(circles, "_circles", [lambda who: [player.pk, other_player.pk]])
    assert made(player, other_player) == 403


def test_a_game_master_may_if_they_have_said_so(master, player, monkeypatch):
    monkeypatch.setattr(circles, "_circles", [lambda who: [player.pk, master.pk]])
    monkeypatch.setattr(circles, "_masters", [lambda who: [player.pk] if who.person == master else []])
    assert made(master, player) == 403
    player.client.post("/me/trust/", {"masters_may_reset": "on"})
    assert made(master, player) == 302
    player.client.post("/me/trust/", {})
    assert made(master, player) == 403


def test_one_can_end_the_inviters_power(invited, master):
    assert "brought you here" in invited.client.get("/me/").text
    invited.client.post("/me/trust/", {"let_go": "1"})
    assert "brought you here" not in invited.client.get("/me/").text
    assert made(master, invited) == 404


def test_nobody_resets_an_owner_but_an_owner(owner, master, make_person):
    Person.objects.filter(pk=owner.pk).update(keeper=master)
    assert made(master, owner) == 403
    second = make_person("Odo")
    second.account.is_superuser = True
    second.account.save()
    assert made(second, owner) == 302


def test_a_personal_link_is_not_enough_to_hand_out_passwords(invited, master):
    master.client.post("/me/link/")
    phone = Client()
    phone.get(master.personal_link.get_absolute_url())
    phone.post("/p/")
    assert who_is(phone) == "Wren"
    assert phone.post(f"/people/{invited.code}/reset/").status_code == 403


def test_a_link_lasts_a_day_and_a_newer_one_kills_it(invited, master, nobody, time_passes):
    made(master, invited)
    made(master, invited)
    newer, older = Pass.objects.order_by("-pk")
    assert nobody.get(open_pass(nobody, older)).status_code == 410
    assert nobody.get(open_pass(nobody, newer)).status_code == 200
    time_passes(hours=25)
    assert nobody.get(open_pass(nobody, newer)).status_code == 410


def test_it_works_in_a_browser_that_is_locked_out(invited, master, nobody):
    nobody.get("/log-in/")
    for _ in range(25):
        log_in(nobody, "tam", "wrong")
    row = kinds.reset_link(Who.of(master), invited)
    assert nobody.post(open_pass(nobody, row), {"password": NEW}).status_code == 302
    assert who_is(nobody) == "Tam"


def test_it_opens_in_the_browser_of_someone_else_and_ends_their_log_in(invited, master, stranger):
    row = kinds.reset_link(Who.of(master), invited)
    stranger.client.post(open_pass(stranger.client, row), {"password": NEW})
    assert who_is(stranger.client) == "Tam"
    assert not LogIn.objects.filter(person=stranger).exists()


# ── On the command line ──────────────────────────────────────────────────────────────────────────────────


def test_manage_py_prints_a_link_that_works(player, nobody, capsys, settings):
    settings.PUBLIC_URL = "https://mice.example.org"
    call_command("reset_link", "Tam", "--qr")
    printed = capsys.readouterr().out
    token = re.search(r"https://mice\.example\.org(/i/\S+)", printed).group(1)
    clean = nobody.get(token)["Location"]
    assert nobody.post(clean, {"password": NEW}).status_code == 302
    assert who_is(nobody) == "Tam"
    assert "▄" in printed or "█" in printed


def test_manage_py_says_why_it_draws_no_code_of_a_loopback_address(player, capsys):
    call_command("reset_link", "tam", "--qr")
    assert "works on this computer only" in capsys.readouterr().out


def test_manage_py_knows_the_name_at_the_table_too(player, other_player, guest, capsys):
    player.client.post("/me/name/", {"name": "The Grey One"})
    call_command("reset_link", "the grey one")
    assert "tam" in capsys.readouterr().out
    other_player.client.post("/me/name/", {"name": "The Grey One"})
    with pytest.raises(CommandError, match=r"Several people .* oda, tam"):
        call_command("reset_link", "The Grey One")
    with pytest.raises(CommandError, match="Nobody"):
        call_command("reset_link", "Pim")


# ── By mail, where there is a mail server ────────────────────────────────────────────────────────────────


@pytest.fixture
def mail_server(settings, monkeypatch):
    settings.EMAIL_HOST = "mail.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.PUBLIC_URL = "https://mice.example.org"
    # In the thread of its own the test's transaction could not be seen.
    import people.mail

    monkeypatch.setattr(people.mail.threading, "Thread", Inline)
    monkeypatch.setattr(people.mail.connection, "close", lambda: None)


class Inline:
    def __init__(self, target, args, name):
        self.run = lambda: target(*args)

    def start(self):
        self.run()


def test_without_a_mail_server_the_page_says_who_can_help(master, nobody):
    page = nobody.get("/log-in/forgotten/")
    assert "Whoever invited you" in page.text
    assert '<form method="post" class="stack measure"' not in page.text
    assert master.client.get("/me/mail/").status_code == 404


def test_a_mail_brings_a_link_that_works(mail_server, player, nobody):
    player.client.post("/me/mail/", {"mail": "tam@example.org"})
    for typed in ("Tam", "TAM@example.org"):
        mail.outbox.clear()
        response = nobody.post("/log-in/forgotten/", {"name": typed})
        assert "a link is on its way" in response.text
        assert mail.outbox[0].to == ["tam@example.org"]
    path = re.search(r"https://mice\.example\.org(/i/\S+)", mail.outbox[0].body).group(1)
    clean = nobody.get(path)["Location"]
    assert nobody.post(clean, {"password": NEW}).status_code == 302
    assert log_in(Client(), "tam", NEW).status_code == 302


def test_the_answer_tells_nobody_who_exists(mail_server, player, nobody):
    known = nobody.post("/log-in/forgotten/", {"name": "Tam"}).text
    unknown = Client().post("/log-in/forgotten/", {"name": "No such mouse"}).text
    strip = re.compile(r'value="[^"]*"|data-who="[^"]*"')
    assert strip.sub("", known) == strip.sub("", unknown)
    assert mail.outbox == []


def test_mails_are_limited(mail_server, player):
    answers = [Client().post("/log-in/forgotten/", {"name": "Tam"}).status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]


@pytest.mark.clock
def test_a_broken_mail_server_breaks_no_page(mail_server, player, nobody, settings):
    player.client.post("/me/mail/", {"mail": "tam@example.org"})
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", 1, 1
    begin = time.monotonic()
    assert nobody.post("/log-in/forgotten/", {"name": "Tam"}).status_code == 200
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("wrong", ["not an address", "a@b", "x" * 300 + "@example.org"])
def test_a_mail_address_is_checked_and_can_be_removed(mail_server, player, wrong):
    assert player.client.post("/me/mail/", {"mail": wrong}).status_code == 422
    player.client.post("/me/mail/", {"mail": "tam@example.org"})
    player.client.post("/me/mail/", {"mail": ""})
    player.account.refresh_from_db()
    assert player.account.email == ""
