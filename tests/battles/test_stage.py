"""A battle's stage is stored with the entry that changes it; pages only read it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from battles import battle_stage
from battles.battle_stage import FIRST_PUSHED
from battles.models import Battle
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.chronicle.acts.war import CallOffBattle
from campaign.models import Approval
from log.models import Entry
from people.requester import Who
from tests.battles.sample_campaigns import a_campaign, declare, fresh

pytestmark = pytest.mark.django_db

WON = {"ending": "yielded-B", "removed-A": ["house-1"], "removed-B": ["house-1", "king"]}


@pytest.fixture
def war(master, player, other_player):
    return a_campaign(master, [player, other_player], confirm="both")


@pytest.fixture
def battle(war, player):
    return declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")


def stage(battle: Battle) -> str:
    return Battle.objects.values_list("stage", flat=True).get(pk=battle.pk)


def report(person, battle: Battle, key: str = "the-first-report") -> Approval:
    assert person.client.post(f"/battles/{battle.code}/report/", {"key": key, **WON}).status_code == 302
    return Approval.objects.select_related("campaign__log").latest("pk")


def correct(battle: Battle, master, kind: str, target: int, body: dict | None = None) -> int:
    campaign = fresh(battle.campaign)
    seen = campaign_services.preview_correction(campaign_selectors.entries_of(campaign), kind, target, body)
    done = campaign_services.write_correction(
        campaign,
        Who.of(master),
        key=f"{kind}-{target}-now",
        kind=kind,
        target=target,
        why="Wrong.",
        digest=seen.digest,
        body=body,
    )
    return done["entry"]


def test_a_report_that_waits_and_is_withdrawn_moves_the_stage(battle, player):
    row = report(player, battle)
    assert stage(battle) == "reported"
    approvals_services.withdraw(row, Who.of(player), key="take-it-back-1")
    assert stage(battle) == "declared"
    report(player, battle, "the-second-report")
    assert stage(battle) == "reported"


def test_strike_restore_and_amendment_move_the_stage_without_a_look(battle, master, player, other_player):
    approvals_services.approve(report(player, battle), Who.of(other_player), key="so-it-was-1")
    assert stage(battle) == "confirmed"
    result = Entry.objects.get(log=battle.campaign.log_id, act="result")
    strike = correct(battle, master, "strike", result.number)
    battle.refresh_from_db()
    assert (battle.stage, battle.entry, battle.result) == ("declared", None, None)
    correct(battle, master, "restore", strike)
    battle.refresh_from_db()
    assert (battle.stage, battle.entry, battle.result["outcome"]) == ("confirmed", result.number, "attacker")
    body = {name: value for name, value in result.body.items() if name not in ("report", "told")}
    body |= {"outcome": "defender", "points": {"k1": 0, "k2": 2}}
    correct(battle, master, "amend", result.number, body)
    battle.refresh_from_db()
    assert (battle.stage, battle.result["outcome"]) == ("confirmed", "defender")


def test_striking_the_call_off_or_the_declaration_moves_the_stage(battle, master):
    done = campaign_services.write(battle.campaign, Who.of(master), CallOffBattle(battle.number), key="called-off-1")
    assert stage(battle) == "called_off"
    correct(battle, master, "strike", done["entry"])
    assert stage(battle) == "declared"
    correct(battle, master, "strike", Entry.objects.get(log=battle.campaign.log_id, act="battle_declared").number)
    assert stage(battle) == "called_off"


def test_pages_of_a_battle_write_nothing(battle, master, player, other_player):
    """At every stage, also the first look after an entry."""
    row = report(player, battle)
    code, campaign = battle.code, battle.campaign.code
    of_battle = ("", "live/", "report/", "slip/", "table/", "share.png")
    pages = [f"/battles/{code}/{part}" for part in of_battle]
    pages += ["/battles/", "/api/v1/battles/", f"/api/v1/battles/{code}/", f"/battles/of/{campaign}/{battle.number}/"]
    for person in (master, other_player):
        person.client.get("/battles/")  # the session is stored on the first visit

    def look() -> None:
        for address in pages:
            with CaptureQueriesContext(connection) as seen:
                assert other_player.client.get(address).status_code < 500
            wrote = [row["sql"] for row in seen if row["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
            assert not wrote, address

    look()
    approvals_services.approve(row, Who.of(other_player), key="so-it-was-1")
    look()
    correct(battle, master, "strike", Entry.objects.get(log=battle.campaign.log_id, act="result").number)
    look()


def test_rows_of_an_older_release_are_mended_once_after_the_migration(battle, player, other_player):
    """It stored a stage only when somebody looked."""
    row = report(player, battle)
    approvals_services.approve(row, Who.of(other_player), key="so-it-was-1")
    waiting = declare(fresh(battle.campaign), Who.of(player), "k1", "k2.border_2", scenario="pitched_battle")
    Battle.objects.filter(pk=battle.pk).update(stage="reported", entry=None, result=None)
    Battle.objects.filter(pk=waiting.pk).update(stage="confirmed")
    migration = SimpleNamespace(app_label=FIRST_PUSHED[0], name=FIRST_PUSHED[1])
    battle_stage.mend_after_migration(plan=[])
    assert (stage(battle), stage(waiting)) == ("reported", "confirmed")
    battle_stage.mend_after_migration(plan=[(migration, False)])
    battle.refresh_from_db()
    assert (battle.stage, battle.result["outcome"], stage(waiting)) == ("confirmed", "attacker", "declared")
