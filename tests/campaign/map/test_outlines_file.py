"""The outlines of a map are a file that browsers keep, for those who can see the campaign."""

from __future__ import annotations

import re

import pytest

from tests.campaign.test_services import Table


@pytest.fixture
def table(master, player):
    return Table(master, player)


def addresses(page: str) -> set[str]:
    return set(re.findall(r'href="(/campaigns/\w+/lands/[^"#]*)#', page))


def test_every_outline_of_a_page_is_in_the_file(table, master):
    page = master.client.get(table.campaign.get_absolute_url()).content.decode()
    assert 'id="map-coast"' not in page
    (address,) = addresses(page)
    answer = master.client.get(address)
    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    assert answer["Cache-Control"].startswith("private")
    used = set(re.findall(r'href="/campaigns/\w+/lands/[^"#]*#([\w-]+)"', page))
    assert used == set(re.findall(r'<path id="([\w-]+)"', answer.content.decode()))


def test_the_file_stays_when_lands_change_hands(table, master):
    before = addresses(master.client.get(table.campaign.get_absolute_url()).content.decode())
    table.result("k1", "k2.border_1", points={"k1": 4, "k2": 1})
    assert addresses(master.client.get(table.campaign.get_absolute_url()).content.decode()) == before


def test_strangers_and_unknown_kingdoms_get_no_file(table, master, client):
    (address,) = addresses(master.client.get(table.campaign.get_absolute_url()).content.decode())
    assert client.get(address).status_code == 404
    here = f"{table.campaign.get_absolute_url()}lands/"
    for kingdoms in ("k9", "k2.k1", "k1.k1", ".", "k1." * 300):
        assert master.client.get(f"{here}{kingdoms}.svg").status_code == 404
    assert master.client.get(f"{here}k1.svg").status_code == 200, "a map of the past"
