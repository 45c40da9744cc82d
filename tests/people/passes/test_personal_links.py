"""Personal links: lasting, shown again, re-issued; opening one never acts by itself."""

from __future__ import annotations

import io

import pytest
from django.test import Client

from people import accounts, keeping, links, merging
from people.models import LogIn, Person, PersonalLink
from people.who import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, log_in, open_link, who_is


@pytest.fixture
def link(master, friend) -> PersonalLink:
    return links.issue(friend, by=Who.of(master))


def test_opening_it_shows_who_and_waits_for_the_button(link, nobody):
    response = nobody.get(link.get_absolute_url())
    assert response["Location"] == "/p/", "the address is clean"
    page = nobody.get("/p/")
    assert "Continue as" in page.text
    assert "Pip" in page.text
    assert link.token not in page.text
    assert who_is(nobody) is None
    assert not LogIn.objects.filter(how="link").exists()
    assert nobody.post("/p/").status_code == 302
    assert who_is(nobody) == "Pip"
    assert LogIn.objects.get(how="link").link == link


def test_it_lasts(link):
    for _ in range(3):
        client = Client()
        open_link(client, link)
        assert who_is(client) == "Pip"


def test_it_can_be_shown_again_and_its_code_read(link, master, settings):
    zxingcpp = pytest.importorskip("zxingcpp")
    import segno
    from PIL import Image

    settings.PUBLIC_URL = "https://mice.example.org"
    page = master.client.get(link.person.get_absolute_url())
    address = f"https://mice.example.org{link.get_absolute_url()}"
    assert address in page.text
    assert 'class="qr-code"' in page.text
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(picture, kind="png", scale=4, border=4)
    assert zxingcpp.read_barcode(Image.open(picture)).text == address


def test_a_loopback_address_is_never_drawn_and_the_page_says_why(link, master, settings):
    settings.PUBLIC_URL, settings.HOST = "", "127.0.0.1"
    page = master.client.get(link.person.get_absolute_url(), headers={"host": "evil.example"})
    assert 'class="qr-code"' not in page.text
    assert "works on this computer only" in page.text
    assert "evil.example" not in page.text, "the Host header is not believed"


def test_a_new_link_kills_the_old_one_and_its_log_ins(link, master, nobody, player):
    open_link(nobody, link)
    waiting = Client()
    waiting.get(link.get_absolute_url())
    assert master.client.post(f"/people/{link.person.code}/link/").status_code == 302
    assert who_is(nobody) is None
    assert who_is(player.client) == "Tam"
    assert nobody.get(link.get_absolute_url()).status_code == 404
    assert waiting.post("/p/").status_code == 404, "a link opened before is dead too"
    assert who_is(waiting) is None
    open_link(nobody, PersonalLink.objects.get())
    assert who_is(nobody) == "Pip"


def test_only_who_keeps_them_makes_one(friend, player, stranger):
    for someone in (player, stranger):
        assert someone.client.post(f"/people/{friend.code}/link/").status_code == 404
        with pytest.raises(Refusal):
            links.issue(friend, by=Who.of(someone))
    assert not PersonalLink.objects.exists()


def test_someone_with_an_account_makes_their_own(master, player):
    master.client.post("/me/link/")
    client = Client()
    open_link(client, PersonalLink.objects.get(person=master))
    assert who_is(client) == "Wren"
    with pytest.raises(Refusal):
        links.issue(master, by=Who.of(player))


def test_whoever_found_an_account_holders_link_cannot_change_the_lock(master):
    master.client.post("/me/link/")
    thief = Client()
    open_link(thief, PersonalLink.objects.get(person=master))
    before = PersonalLink.objects.get().token_hash
    assert thief.post("/me/link/").status_code == 403
    assert thief.get("/me/password/").status_code == 403
    assert thief.get("/me/data/file/").status_code == 403
    assert thief.post("/me/forget/", {"name": "Wren"}).status_code == 403
    assert thief.post("/me/log-ins/end-others/").status_code == 403
    assert PersonalLink.objects.get().token_hash == before
    page = thief.get("/me/").text
    assert LogIn.objects.count() == 2
    assert page.count("last seen") == 1, "nor does the thief see where else they are logged in"
    other = LogIn.objects.get(how="password")
    assert thief.post(f"/me/log-ins/{other.pk}/end/").status_code == 404


def test_someone_without_an_account_may_make_a_new_one_and_stays_logged_in(link, nobody):
    open_link(nobody, link)
    assert nobody.post("/me/link/").status_code == 302
    assert who_is(nobody) == "Pip"
    assert PersonalLink.objects.get().pk != link.pk
    assert nobody.get("/me/link/").status_code == 200


def test_with_an_account_the_keepers_link_stops_and_ones_own_goes_on(link, nobody, master):
    open_link(nobody, link)
    other_phone = Client()
    open_link(other_phone, link)
    assert nobody.post("/me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 302
    assert who_is(nobody) == "Pip"
    assert who_is(other_phone) is None
    other_phone.get(link.get_absolute_url())
    page = other_phone.get("/p/")
    assert page.status_code == 410
    assert "has an account by now" in page.text
    assert other_phone.post("/p/").status_code == 410
    nobody.post("/me/link/")
    open_link(other_phone, PersonalLink.objects.get())
    assert who_is(other_phone) == "Pip"
    assert master.client.post(f"/people/{link.person.code}/link/").status_code == 403


def test_links_of_two_who_are_one_both_open_as_one(master, friend, link, nobody):
    other = keeping.add(Who.of(master), "Pippin")
    merging.merge(friend, into=other, by=Who.of(master))
    open_link(nobody, link)
    assert who_is(nobody) == "Pippin"


def test_continuing_as_someone_else_ends_the_log_in_before(link, master):
    assert who_is(master.client) == "Wren"
    open_link(master.client, link)
    assert who_is(master.client) == "Pip"
    assert not LogIn.objects.filter(person=master).exists()
    assert master.client.get("/admin/").status_code != 200


def test_continuing_as_oneself_keeps_the_stronger_log_in(master):
    master.client.post("/me/link/")
    open_link(master.client, PersonalLink.objects.get())
    assert master.client.get("/me/password/").status_code == 200


@pytest.mark.parametrize("token", ["x", "A" * 22, "A" * 5000, "é" * 22, "%00" * 22])
def test_a_link_that_opens_nothing_says_so(nobody, token):
    response = nobody.get(f"/p/{token}")
    assert response.status_code == 404
    assert "no-store" in response["Cache-Control"]


def test_a_changed_secret_key_keeps_printed_links_alive_but_cannot_show_them(link, master, nobody, settings):
    address = link.get_absolute_url()
    settings.SECRET_KEY = "another" * 10
    master.client.force_login(Person.objects.get(pk=master.pk).account)
    assert "cannot be shown again" in master.client.get(link.person.get_absolute_url()).text
    assert nobody.get(address)["Location"] == "/p/"


def test_making_an_account_by_link_respects_a_closed_site(link, nobody, settings):
    settings.SIGN_UP = "closed"
    open_link(nobody, link)
    assert nobody.post("/me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 403
    assert accounts.find("Pip") is None


def test_the_password_proves_more_than_the_link(link, nobody, master):
    open_link(nobody, link)
    assert nobody.get("/me/password/").status_code == 403
    assert log_in(nobody, "wren").status_code == 302
    assert nobody.get("/me/password/").status_code == 200
