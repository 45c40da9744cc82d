"""Personal links: opening, showing and replacing them."""

from __future__ import annotations

import io

import pytest
from django.test import Client

from people import guests as guests_services
from people.accounts import services as accounts_services
from people.models import LogIn, Person, PersonalLink
from people.passes import services
from people.requester import Who
from refusal import Refusal
from tests.people.conftest import PASSWORD, get_known_name, log_in, open_personal_link


@pytest.fixture
def link(master, wrens_guest) -> PersonalLink:
    return services.issue_link(wrens_guest, by=Who.of(master))


def test_opening_a_personal_link_asks_first(link, nobody):
    response = nobody.get(link.get_absolute_url())
    assert response["Location"] == "/p/", "the address is clean"
    page = nobody.get("/p/")
    assert "Continue as" in page.text
    assert "Pip" in page.text
    assert link.token not in page.text
    assert get_known_name(nobody) is None
    assert not LogIn.objects.filter(how="link").exists()
    assert nobody.post("/p/").status_code == 302
    assert get_known_name(nobody) == "Pip"
    assert LogIn.objects.get(how="link").link == link


def test_log_in_by_link_lasts(link):
    for _ in range(3):
        client = Client()
        open_personal_link(client, link)
        assert get_known_name(client) == "Pip"


def test_link_and_qr_code_can_be_shown_again(link, master, settings):
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


def test_loopback_address_has_no_qr_code(link, master, settings):
    settings.PUBLIC_URL, settings.HOST = "", "127.0.0.1"
    page = master.client.get(link.person.get_absolute_url(), headers={"host": "evil.example"})
    assert 'class="qr-code"' not in page.text
    assert "works on this computer only" in page.text
    assert "evil.example" not in page.text, "the Host header is not believed"


def test_new_link_replaces_the_old_one_and_ends_its_log_ins(link, master, nobody, player):
    open_personal_link(nobody, link)
    waiting = Client()
    waiting.get(link.get_absolute_url())
    assert master.client.post(f"/people/{link.person.code}/link/").status_code == 302
    assert get_known_name(nobody) is None
    assert get_known_name(player.client) == "Tam"
    assert nobody.get(link.get_absolute_url()).status_code == 404
    assert waiting.post("/p/").status_code == 404, "a link opened before is dead too"
    assert get_known_name(waiting) is None
    open_personal_link(nobody, PersonalLink.objects.get())
    assert get_known_name(nobody) == "Pip"


def test_only_the_keeper_makes_a_guests_link(wrens_guest, player, stranger):
    for someone in (player, stranger):
        assert someone.client.post(f"/people/{wrens_guest.code}/link/").status_code == 404
        with pytest.raises(Refusal):
            services.issue_link(wrens_guest, by=Who.of(someone))
    assert not PersonalLink.objects.exists()


def test_account_holder_makes_their_own_link(master, player):
    master.client.post("/me/link/")
    client = Client()
    open_personal_link(client, PersonalLink.objects.get(person=master))
    assert get_known_name(client) == "Wren"
    with pytest.raises(Refusal):
        services.issue_link(master, by=Who.of(player))


def test_link_of_an_account_holder_cannot_replace_itself(master):
    master.client.post("/me/link/")
    thief = Client()
    open_personal_link(thief, PersonalLink.objects.get(person=master))
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


def test_guest_makes_a_new_link_and_stays_logged_in(link, nobody):
    open_personal_link(nobody, link)
    assert nobody.post("/me/link/").status_code == 302
    assert get_known_name(nobody) == "Pip"
    assert PersonalLink.objects.get().pk != link.pk
    assert nobody.get("/me/link/").status_code == 200


def test_keepers_link_stops_when_an_account_is_created(link, nobody, master):
    open_personal_link(nobody, link)
    other_phone = Client()
    open_personal_link(other_phone, link)
    assert nobody.post("/me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 302
    assert get_known_name(nobody) == "Pip"
    assert get_known_name(other_phone) is None
    other_phone.get(link.get_absolute_url())
    page = other_phone.get("/p/")
    assert page.status_code == 410
    assert "has an account now" in page.text
    assert other_phone.post("/p/").status_code == 410
    nobody.post("/me/link/")
    open_personal_link(other_phone, PersonalLink.objects.get())
    assert get_known_name(other_phone) == "Pip"
    assert master.client.post(f"/people/{link.person.code}/link/").status_code == 404


def test_merging_ends_the_links_of_both(master, wrens_guest, link, nobody):
    other = guests_services.add_guest(Who.of(master), "Pippin")
    page = master.client.post(f"/people/{wrens_guest.code}/merge/", {"into": other.code}, follow=True).text
    assert "a new personal link" in page
    nobody.get(link.get_absolute_url())
    page = nobody.post("/p/")
    assert page.status_code == 410
    assert "This personal link has ended. Ask for a new one." in page.text
    master.client.post(f"/people/{other.code}/link/")
    open_personal_link(nobody, PersonalLink.objects.get(person=other))
    assert get_known_name(nobody) == "Pippin"


def test_opening_another_persons_link_ends_the_log_in(link, master):
    assert get_known_name(master.client) == "Wren"
    open_personal_link(master.client, link)
    assert get_known_name(master.client) == "Pip"
    assert not LogIn.objects.filter(person=master).exists()
    assert master.client.get("/admin/").status_code != 200


def test_opening_your_own_link_keeps_the_password_log_in(master):
    master.client.post("/me/link/")
    open_personal_link(master.client, PersonalLink.objects.get())
    assert master.client.get("/me/password/").status_code == 200


@pytest.mark.parametrize("token", ["x", "A" * 22, "A" * 5000, "é" * 22, "%00" * 22])
def test_unknown_personal_link_says_so(nobody, token):
    response = nobody.get(f"/p/{token}")
    assert response.status_code == 404
    assert "no-store" in response["Cache-Control"]


def test_links_work_after_a_key_change_but_cannot_be_shown(link, master, nobody, settings):
    address = link.get_absolute_url()
    settings.SECRET_KEY = "another" * 10
    master.client.force_login(Person.objects.get(pk=master.pk).account)
    assert "cannot be shown again" in master.client.get(link.person.get_absolute_url()).text
    assert nobody.get(address)["Location"] == "/p/"


def test_guest_cannot_create_an_account_on_a_closed_site(link, nobody, settings):
    settings.SIGN_UP = "closed"
    open_personal_link(nobody, link)
    assert nobody.post("/me/account/", {"name": "Pip", "password": PASSWORD}).status_code == 403
    assert accounts_services.find_account("Pip") is None


def test_password_allows_more_than_a_link(link, nobody, master):
    open_personal_link(nobody, link)
    assert nobody.get("/me/password/").status_code == 403
    assert log_in(nobody, "wren").status_code == 302
    assert nobody.get("/me/password/").status_code == 200
