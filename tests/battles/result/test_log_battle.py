"""Logging a battle that was fought already: where and when, then unit by unit; the site counts the VP."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from battles.models import Battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.acts.war import ReportResult
from campaign.chronicle.codec import read_sent
from campaign.founding import services as founding_services
from people.requester import Who
from refusal import Refusal
from tests.battles.sample_campaigns import fresh
from tests.campaign.chronicle.sample_wars import joining

pytestmark = pytest.mark.django_db


@pytest.fixture
def war(master, player):
    """A war that began a month ago."""
    who, began = Who.of(master), timezone.localdate() - dt.timedelta(days=30)
    campaign = founding_services.found_campaign(who, key="a-month-ago", name="The Reed War", began=began)
    for number, (name, ruler) in enumerate((("Oakhold", master), ("Fenwick", player))):
        act = read_sent("kingdom_joins", joining(name, ruler=ruler.pk))
        campaign_services.write(campaign, who, act, key=f"joins-{number}-now", played_on=began)
    return fresh(campaign)


def test_result_is_logged_unit_by_unit_on_its_own_day(war, master):
    day = timezone.localdate() - dt.timedelta(days=3)
    page = master.client.get(f"{war.get_absolute_url()}targets/?attacker=k1&target=k2.border_1").content.decode()
    log = f"{war.get_absolute_url()}log-battle/?attacker=k1&target=k2.border_1"
    assert log.replace("&", "&amp;") in page, "one tap from the map"
    form = master.client.get(log)
    assert "attacker_points" not in form.content.decode(), "nobody adds up VP"
    sent = {"key": "fought-that-day", "scenario": "pitched_battle", "played_on": day.isoformat()}
    battle_page = master.client.post(log, sent)
    assert battle_page.status_code == 302
    report_page = master.client.get(battle_page.url).url
    assert report_page.endswith(f"/report/?on={day.isoformat()}")
    assert f'name="played_on" type="date" value="{day.isoformat()}"' in master.client.get(report_page).content.decode()
    units = {"ending": "yielded-B", "removed-A": ["house-1"], "removed-B": ["house-1", "king"]}
    done = master.client.post(report_page, {"key": "unit-by-unit", "played_on": day.isoformat(), **units})
    assert done.status_code == 302
    battle = Battle.objects.get()
    assert (battle.stage, battle.played_on) == (Battle.Stage.CONFIRMED, day)
    state = campaign_selectors.state_of(fresh(war))
    assert (state.kingdoms["k1"].vp, state.kingdoms["k2"].vp) == (2 + 2, 1)
    assert (state.holders["k2.border_1"], state.battles) == ("k1", {})
    assert campaign_selectors.find_problems(fresh(war)) == []
    assert "#entry-" in master.client.get(log).url, "back to the form after logging it"


def test_result_is_never_older_than_its_declaration(war, master):
    """The declaration would open the battle once more, after its own result."""
    who = Who.of(master)
    declared = read_sent("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    done = campaign_services.write(war, who, declared, key="declared-today")
    result = ReportResult("k1", "k2.border_1", "attacker", battle=done["body"]["battle"])
    early = timezone.localdate() - dt.timedelta(days=2)
    with pytest.raises(Refusal, match=r"Battle 1 was declared after .* Enter the day it was declared") as caught:
        campaign_services.write(war, who, result, key="before-it-was", played_on=early, accept_late=True)
    assert caught.value.field == "played_on"
    campaign_services.write(war, who, result, key="on-that-very-day")
    assert campaign_selectors.state_of(fresh(war)).battles == {}


@pytest.mark.parametrize("target", ["k1.lands", "k2.castle", "k9.lands", ""])
def test_battle_for_no_legal_target_cannot_be_logged(war, master, target):
    assert master.client.get(f"{war.get_absolute_url()}log-battle/?attacker=k1&target={target}").status_code in (
        404,
        409,
    )
