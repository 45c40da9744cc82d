"""The address for guests: PUBLIC_URL above all, the home network next, never a loopback in a code."""

from __future__ import annotations

import pytest

from home.management.commands import serve
from pages import site_address_for_guests


@pytest.fixture
def at(settings, monkeypatch):
    def place(*, host="127.0.0.1", public="", network=("192.168.1.20",)):
        settings.HOST, settings.PORT, settings.PUBLIC_URL = host, 8000, public
        monkeypatch.setattr(site_address_for_guests, "home_network_addresses", lambda: list(network))
        monkeypatch.setattr(serve, "home_network_addresses", lambda: list(network))

    return place


def test_public_url_overrides(at):
    at(host="0.0.0.0", public="https://mice.example.org")
    assert site_address_for_guests.guest_url("/p/x").url == "https://mice.example.org/p/x"
    assert site_address_for_guests.guest_url().why_no_qr == ""


def test_host_0000_names_the_home_network_address(at):
    at(host="0.0.0.0")
    assert site_address_for_guests.guest_url("/").url == "http://192.168.1.20:8000/"
    text = serve.banner_text()
    assert "http://192.168.1.20:8000/" in text
    assert "█" in text or "▀" in text or "\x1b[" in text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.9.9.9"])
def test_a_loopback_address_has_no_qr_code_and_says_why(at, host):
    at(host=host)
    guests = site_address_for_guests.guest_url("/")
    assert "works on this computer only" in guests.why_no_qr
    assert "█" not in serve.banner_text()


def test_a_loopback_public_url_has_no_qr_code(at):
    at(public="http://localhost:9000")
    assert site_address_for_guests.guest_url("/").why_no_qr
    assert "works on this computer only" in serve.banner_text()


def test_no_network_at_all(at):
    at(host="0.0.0.0", network=())
    assert site_address_for_guests.guest_url("/").why_no_qr
    assert "no phone can reach it" in serve.banner_text()


def test_this_computer_has_no_loopback_in_its_list():
    assert not any(result.startswith("127.") for result in site_address_for_guests.home_network_addresses())
