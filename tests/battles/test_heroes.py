"""The page of a house's hero: battles, kills, falls and luck over the years."""

from __future__ import annotations

import pytest

from battles.heroes import suggested_hero_names
from battles.models import Battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign, fresh


def unit(number: int, key: str, hero: str | None = None) -> dict[str, object]:
    return {"key": f"house-{number}", "origin": "house", "number": number, "unit": key, "hero": hero}


@pytest.fixture
def campaign(master, player):
    found = a_campaign(master, [master, player])
    told = {
        "scenario": "pitched_battle",
        "ending": "",
        "fielded": {"A": [unit(1, "bow_mice", "ranger"), unit(2, "rat_riders")], "B": [unit(1, "hoppers")]},
        "removed": {"A": ["house-2"], "B": ["house-1"]},
    }
    body = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "told": told}
    campaign_services.write(found, Who.of(master), key="fight-it-out", act=read_sent("result", body))
    master.client.get(f"/battles/of/{found.code}/1/")
    return fresh(found)


def test_page_counts_battles_wins_and_falls(campaign, master, stranger):
    assert Battle.objects.get(campaign=campaign).number == 1
    page = master.client.get(f"/battles/heroes/{campaign.code}/k1/1/").content.decode()
    assert "1 of 1 battle won." in page
    assert "Ranger" in page
    assert "Fell" not in page
    assert "Fell." in master.client.get(f"/battles/heroes/{campaign.code}/k1/2/").content.decode()
    assert "No battle yet." in master.client.get(f"/battles/heroes/{campaign.code}/k1/4/").content.decode()
    for wrong in ("k9/1", "k1/5", "k1/0"):
        assert master.client.get(f"/battles/heroes/{campaign.code}/{wrong}/").status_code == 404
    assert stranger.client.get(f"/battles/heroes/{campaign.code}/k1/1/").status_code == 404


def test_hero_has_a_name_that_stays_until_the_ruler_gives_another(campaign, master):
    address = f"/battles/heroes/{campaign.code}/k1/1/"
    first = master.client.get(address).context["display"].name
    assert first == master.client.get(address).context["display"].name
    assert first != master.client.get(f"/battles/heroes/{campaign.code}/k1/2/").context["display"].name
    names = f"{campaign.get_absolute_url()}kingdoms/k1/looks/"
    form = master.client.get(names).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields} | {"hero_1": "Dame Crumb"}
    assert master.client.post(names, sent).status_code == 302
    assert master.client.get(address).context["display"].name == "Dame Crumb"
    state = campaign_selectors.state_of(fresh(campaign))
    assert (state.kingdoms["k1"].houses[0].hero, state.kingdoms["k1"].houses[0].name) == ("Dame Crumb", "Oakhold Ash")
    assert campaign_selectors.find_problems(fresh(campaign)) == []
    assert "its hero" in master.client.get(f"{campaign.get_absolute_url()}kingdoms/k1/").content.decode()


def test_heroes_of_one_kingdom_never_share_a_suggested_name():
    for number in range(300):
        assert len(set(suggested_hero_names(f"code-{number} k1", 4))) == 4
