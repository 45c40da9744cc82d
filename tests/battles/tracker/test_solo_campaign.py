"""A battle of a campaign against a kingdom nobody plays: tracked, reported and written with nobody else to confirm."""

from __future__ import annotations

import re

import pytest

from battles.models import Battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.codec import read_sent
from campaign.models import Approval
from people.requester import Who
from tests.battles.battle_rows import Seat
from tests.battles.sample_campaigns import a_campaign, declare, fresh

pytestmark = pytest.mark.django_db


def sent_by(page: str) -> dict[str, list[str]]:
    """What the result form would send as it was drawn: hidden fields, what is ticked or filled in."""
    form = re.search(r"<form[^>]*?/report/.*?</form>|<form.*?name=\"ending\".*?</form>", page, re.DOTALL)[0]
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        attributes = dict(re.findall(r'(\w[\w-]*)="([^"]*)"', tag))
        if attributes.get("type") in ("radio", "checkbox") and " checked" not in tag:
            continue
        if "name" in attributes:
            found.setdefault(attributes["name"], []).append(attributes.get("value", "on"))
    return found


def test_solo_battle_needs_no_other_confirmation(master):
    """SOLO-01: the tracker fills in the result, and the captain's own word is enough (confirm: both)."""
    campaign = a_campaign(master, [master, None], confirm="both")
    who = Who.of(master)
    campaign_services.write(
        campaign, who, key="k2-plays-itself", act=read_sent("kingdom_status", {"kingdom": "k2", "to": "solo"})
    )
    battle = declare(fresh(campaign), who, "k1", "k2.border_1", scenario="pitched_battle")
    seat = Seat(master.client, battle)
    page = seat.page("lay/")
    assert re.search(r'value="B" checked', page), "the kingdom nobody rules is played by the tracker"
    named = {"unit_A_1": "king", "unit_A_2": "bow_mice", "unit_B_1": "king", "unit_B_2": "hoppers", "solo": "B"}
    assert seat.lay(**named).status_code == 302
    seat.step("begin", roll_A=9, roll_B=2)
    seat.step("did", unit="A1", did="move")
    seat.step("solo", roll=10, enemy_B1="A1", inches_B1="14", enemy_B2="A2", inches_B2="20", unit="B1")
    assert "Advances" in seat.page("opponent/") or "moves straight towards" in seat.page("opponent/")
    seat.step("did", unit="B1", did="move")
    for unit in ("B1", "B2"):
        seat.step("losses", unit=unit, models=0)
    assert "The battle is decided" in seat.page()

    address = f"/battles/{battle.code}/report/"
    sent = sent_by(master.client.get(address).content.decode())
    assert len(sent["removed-B"]) == 2
    answer = master.client.post(address, sent)
    assert answer.status_code == 302, answer.content.decode()
    assert Approval.objects.count() == 0
    assert Battle.objects.get(pk=battle.pk).stage == Battle.Stage.CONFIRMED
    state = campaign_selectors.state_of(fresh(campaign))
    assert (state.holders["k2.border_1"], state.kingdoms["k1"].vp, state.kingdoms["k1"].loyalty) == ("k1", 4, 1)
    assert seat.step("token", unit="A1", token="acted-on").status_code == 409
