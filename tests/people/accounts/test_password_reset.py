"""Forgotten passwords: one-time links, and who can make them."""

from __future__ import annotations

import re
import time

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client

from people import acquaintances as people_acquaintances
from people.models import LogIn, Pass, Person
from people.passes import sign_up_claim_and_reset_links
from people.requester import Who
from tests.people.conftest import PASSWORD, get_known_name, log_in, open_pass

NEW = "thistles and rye"


@pytest.fixture
def invited(player, master) -> Person:
    """The player came here by the master's invitation and lets the master help with the password."""
    Person.objects.filter(pk=player.pk).update(invited_by=master)
    player.client.post("/me/trust/", {"let_help": "1"})
    player.refresh_from_db()
    assert player.keeper == master
    return player


def made(by, person) -> int:
    return by.client.post(f"/people/{person.code}/reset/").status_code


def test_inviter_makes_a_reset_link_that_works_once(invited, master, nobody):
    assert made(master, invited) == 302
    row = Pass.objects.get()
    assert row.get_absolute_url() in master.client.get(f"/invitations/{row.pk}/").text
    clean = open_pass(nobody, row)
    assert "tam" in nobody.get(clean).text
    assert nobody.post(clean, {"password": "short"}).status_code == 422
    assert nobody.post(clean, {"password": NEW}).status_code == 302
    assert get_known_name(nobody) == "Tam"
    assert get_known_name(invited.client) is None, "log-ins with the old password have ended"
    assert log_in(Client(), "tam", PASSWORD).status_code == 422
    assert log_in(Client(), "tam", NEW).status_code == 302
    assert nobody.post(clean, {"password": "a third one now"}).status_code == 410
    other = Client()
    assert other.post(open_pass(other, row), {"password": "a third one now"}).status_code == 410
    assert log_in(Client(), "tam", NEW).status_code == 302


def test_owner_can_make_reset_links_for_everyone(owner, player):
    assert made(owner, player) == 302


def test_stranger_cannot_make_reset_links(stranger, player):
    assert made(stranger, player) == 404


def test_fellow_player_cannot_make_reset_links(player, other_player, monkeypatch):
    monkeypatch.setattr(people_acquaintances, "_sources", [lambda who: [player.pk, other_player.pk]])
    assert made(player, other_player) == 403


def test_game_master_can_reset_if_allowed(master, player, monkeypatch):
    monkeypatch.setattr(people_acquaintances, "_sources", [lambda who: [player.pk, master.pk]])
    monkeypatch.setattr(
        people_acquaintances, "_master_sources", [lambda who: [player.pk] if who.person == master else []]
    )
    assert made(master, player) == 403
    player.client.post("/me/trust/", {"masters_may_reset": "on"})
    assert made(master, player) == 302
    player.client.post("/me/trust/", {})
    assert made(master, player) == 403


def test_inviter_can_reset_only_while_allowed(invited, master):
    assert "Remove this permission" in invited.client.get("/me/").text
    invited.client.post("/me/trust/", {"let_go": "1"})
    page = invited.client.get("/me/").text
    assert "Remove this permission" not in page
    assert "Let them give me a link to a new password" in page
    assert made(master, invited) == 404
    invited.client.post("/me/trust/", {"let_help": "1"})
    assert made(master, invited) == 302


def test_nobody_can_let_a_stranger_reset(player, master):
    player.client.post("/me/trust/", {"let_help": "1"})
    player.refresh_from_db()
    assert player.keeper is None
    assert made(master, player) == 404


def test_only_an_owner_resets_an_owner(owner, master, make_person):
    Person.objects.filter(pk=owner.pk).update(keeper=master)
    assert made(master, owner) == 403
    second = make_person("Odo")
    second.account.is_superuser = True
    second.account.save()
    assert made(second, owner) == 302


def test_reset_link_needs_a_password_log_in(invited, master):
    master.client.post("/me/link/")
    phone = Client()
    phone.get(master.personal_link.get_absolute_url())
    phone.post("/p/")
    assert get_known_name(phone) == "Wren"
    assert phone.post(f"/people/{invited.code}/reset/").status_code == 403


def test_reset_link_lasts_a_day_and_can_be_replaced(invited, master, nobody, time_passes):
    made(master, invited)
    made(master, invited)
    newer, older = Pass.objects.order_by("-pk")
    assert nobody.get(open_pass(nobody, older)).status_code == 410
    assert nobody.get(open_pass(nobody, newer)).status_code == 200
    time_passes(hours=25)
    assert nobody.get(open_pass(nobody, newer)).status_code == 410


def test_reset_link_works_in_a_limited_browser(invited, master, nobody):
    nobody.get("/log-in/")
    for _ in range(25):
        log_in(nobody, "tam", "wrong")
    row = sign_up_claim_and_reset_links.create_reset_link(Who.of(master), invited)
    assert nobody.post(open_pass(nobody, row), {"password": NEW}).status_code == 302
    assert get_known_name(nobody) == "Tam"


def test_reset_link_ends_another_log_in_of_the_browser(invited, master, stranger):
    row = sign_up_claim_and_reset_links.create_reset_link(Who.of(master), invited)
    stranger.client.post(open_pass(stranger.client, row), {"password": NEW})
    assert get_known_name(stranger.client) == "Tam"
    assert not LogIn.objects.filter(person=stranger).exists()


# ── On the command line ──────────────────────────────────────────────────────────────────────────────────


def test_reset_link_prints_a_working_link(player, nobody, capsys, settings):
    settings.PUBLIC_URL = "https://mice.example.org"
    call_command("reset_link", "Tam", "--qr")
    printed = capsys.readouterr().out
    token = re.search(r"https://mice\.example\.org(/i/\S+)", printed).group(1)
    clean = nobody.get(token)["Location"]
    assert nobody.post(clean, {"password": NEW}).status_code == 302
    assert get_known_name(nobody) == "Tam"
    assert "▄" in printed or "█" in printed


def test_reset_link_explains_a_missing_qr_code(player, capsys):
    call_command("reset_link", "tam", "--qr")
    assert "works on this computer only" in capsys.readouterr().out


def test_reset_link_also_finds_a_player_name(player, other_player, guest, capsys):
    player.client.post("/me/name/", {"name": "The Grey One"})
    call_command("reset_link", "the grey one")
    assert "tam" in capsys.readouterr().out
    other_player.client.post("/me/name/", {"name": "The Grey One"})
    with pytest.raises(CommandError, match=r"Several people .* oda, tam"):
        call_command("reset_link", "The Grey One")
    with pytest.raises(CommandError, match="No account has the name Pim"):
        call_command("reset_link", "Pim")


# ── By mail, where there is a mail server ────────────────────────────────────────────────────────────────


@pytest.fixture
def mail_server(settings, monkeypatch):
    settings.EMAIL_HOST = "mail.example.org"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.PUBLIC_URL = "https://mice.example.org"
    # In the thread of its own the test's transaction could not be seen.
    import people.accounts.my_account

    monkeypatch.setattr(people.accounts.my_account.threading, "Thread", Inline)
    monkeypatch.setattr(people.accounts.my_account.connection, "close", lambda: None)


class Inline:
    def __init__(self, target, args, name):
        self.run = lambda: target(*args)

    def start(self):
        self.run()


def test_without_a_mail_server_the_page_says_who_can_help(master, nobody):
    page = nobody.get("/log-in/forgotten/")
    assert "the person who invited you" in page.text
    assert '<form method="post" class="stack measure"' not in page.text
    assert master.client.get("/me/mail/").status_code == 404


def test_mail_contains_a_working_link(mail_server, player, nobody):
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


def test_response_does_not_reveal_accounts(mail_server, player, nobody):
    known = nobody.post("/log-in/forgotten/", {"name": "Tam"}).text
    unknown = Client().post("/log-in/forgotten/", {"name": "No such mouse"}).text
    strip = re.compile(r'value="[^"]*"|data-who="[^"]*"')
    assert strip.sub("", known) == strip.sub("", unknown)
    assert mail.outbox == []


def test_mails_are_limited(mail_server, player):
    answers = [Client().post("/log-in/forgotten/", {"name": "Tam"}).status_code for _ in range(4)]
    assert answers == [200, 200, 200, 429]


@pytest.mark.clock
def test_page_works_without_the_mail_server(mail_server, player, nobody, settings):
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
