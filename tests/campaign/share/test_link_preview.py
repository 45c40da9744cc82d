"""Link previews of public campaigns: meta tags with absolute URLs, and a picture."""

from __future__ import annotations

import io

import pytest
from django.urls import reverse
from PIL import Image

from campaign.models import Campaign
from tests.campaign.test_services import Table


@pytest.fixture
def table(master, player):
    table = Table(master, player)
    table.result("k1", "k2.border_1", points={"k1": 4, "k2": 1})
    return table


def test_public_campaign_has_a_link_preview(table, client, settings):
    settings.PUBLIC_URL = "https://mice.example.org"
    Campaign.objects.update(visibility="public")
    for path in (table.campaign.get_absolute_url(), reverse("campaign:season_page", args=[table.campaign.code, 1])):
        page = client.get(path, HTTP_HOST="testserver").content.decode()
        assert f'property="og:url" content="https://mice.example.org{path}"' in page
        assert 'property="og:image" content="https://mice.example.org/campaigns/' in page


def test_members_only_campaign_has_no_link_preview(table, client, master):
    card = reverse("campaign:share_picture", args=[table.campaign.code])
    assert "og:image" not in master.client.get(table.campaign.get_absolute_url()).content.decode()
    assert client.get(card).status_code == 404
    assert master.client.get(card).status_code == 200


def test_preview_picture_is_drawn_once_per_version(table, master):
    card = reverse("campaign:share_picture", args=[table.campaign.code])
    first = master.client.get(card)
    assert Image.open(io.BytesIO(first.content)).size == (1200, 630)
    assert master.client.get(card, HTTP_IF_NONE_MATCH=first["ETag"]).status_code == 304
    table.do("agreed_change", {"why": "so the table said", "vp": {"k1": 2}})
    assert master.client.get(card, HTTP_IF_NONE_MATCH=first["ETag"]).content != first.content


def test_api_returns_the_history(table, master):
    api = f"/api/v1/campaigns/{table.campaign.code}"
    ranks = master.client.get(f"{api}/standings/").json()
    assert [(row["place"], row["kingdom"], row["record"]["won"]) for row in ranks] == [(1, "k1", 1), (2, "k2", 0)]
    assert [row["name"] for row in master.client.get(f"{api}/seasons/").json()] == ["Spring"]
    assert master.client.get(f"{api}/seasons/1/").json()["is_open"] is True
    assert master.client.get(f"{api}/seasons/9/").status_code == 404
    series = master.client.get(f"{api}/courses/").json()
    assert series["meetings"] == [{"winner": "k1", "loser": "k2", "battles": 1}]
    assert set(series["courses"]["k1"]) == {"holds", "loyalty", "vp"}
