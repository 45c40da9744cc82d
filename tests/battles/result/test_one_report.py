"""One report object from the form to the log: scored once, the campaign's state and approvals read once."""

from __future__ import annotations

import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.requester import Who
from rulebook.campaign import battle_scoring
from tests.battles.sample_campaigns import a_campaign, declare

pytestmark = pytest.mark.django_db

WON = {"ending": "yielded-B", "removed-A": ["house-1"], "removed-B": ["house-1", "king"]}


@pytest.fixture
def war(master, player, other_player):
    return a_campaign(master, [player, other_player], confirm="both")


@pytest.fixture
def battle(war, player):
    return declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")


@pytest.fixture
def scored(monkeypatch):
    """The reports that were scored."""
    found = []
    score = battle_scoring.score_report
    monkeypatch.setattr(battle_scoring, "score_report", lambda *given: found.append(given[0]) or score(*given))
    return found


def reads(queries: CaptureQueriesContext, table: str) -> int:
    return sum(f'FROM "{table}"' in row["sql"] or f'JOIN "{table}"' in row["sql"] for row in queries.captured_queries)


def test_a_report_from_the_form_is_scored_once(battle, player, scored):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = player.client.post(f"/battles/{battle.code}/report/", {"key": "the-first-report", **WON})
    assert answer.status_code == 302, answer.content.decode()
    assert len(scored) == 1
    # With the battle, and not again under the lock: the log has not grown in between.
    assert reads(queries, "campaign_snapshot") == 1


def test_a_report_that_is_written_at_once_is_scored_once(master, player, other_player, scored):
    war = a_campaign(master, [player, other_player], confirm="one")
    battle = declare(war, Who.of(player), "k1", "k2.border_1", scenario="pitched_battle")
    answer = player.client.post(f"/battles/{battle.code}/report/", {"key": "the-only-report", **WON})
    assert answer.status_code == 302
    battle.refresh_from_db()
    assert battle.stage == "confirmed"
    assert len(scored) == 1


def test_a_preview_is_scored_once(battle, player, scored):
    answer = player.client.post(f"/battles/{battle.code}/report/worked-out/", WON)
    assert answer.status_code == 200
    assert len(scored) == 1


def test_a_report_over_the_api_is_scored_once(battle, player, scored):
    sent = {"key": "the-api-report", "ending": "yielded-B", "removed": {"A": ["house-1"], "B": ["house-1", "king"]}}
    answer = player.client.post(
        f"/api/v1/battles/{battle.code}/report/", json.dumps(sent), content_type="application/json"
    )
    assert answer.status_code == 200, answer.content.decode()
    assert len(scored) == 1


def test_the_form_reads_state_and_approvals_once(battle, player, other_player):
    player.client.post(f"/battles/{battle.code}/report/", {"key": "the-first-report", **WON})
    other_player.client.get(f"/battles/{battle.code}/report/")  # the stage is compared with the chronicle
    with CaptureQueriesContext(connection) as queries:
        answer = other_player.client.get(f"/battles/{battle.code}/report/")
    assert answer.status_code == 200
    assert (reads(queries, "campaign_snapshot"), reads(queries, "campaign_approval")) == (1, 1)
