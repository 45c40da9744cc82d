"""Many phones answer one approval at once, on both databases: at most one chronicle entry is written."""

from __future__ import annotations

import pytest

from tests.subprograms import DATABASES, make_fresh_site, run_program


@pytest.fixture(scope="module", params=DATABASES)
def race(request, make_site):
    return run_program(
        make_fresh_site(request, make_site, request.param), "tests.races", "tests.campaign.approvals.approval_race"
    )


def test_battle_reported_by_both_sides_at_once_is_written_once(race):
    outcome = race["both_report"]
    assert (outcome["results"], outcome["problems"]) == (1, [])
    assert outcome["stages"].count("written") == 1
    # Later reports are refused: the land has changed hands.
    assert {row.split()[0] for row in outcome["said"]} <= {"kept", "written", "refused"}
    assert outcome["said"].count("written") == 1


def test_one_tap_sent_many_times_creates_one_approval(race):
    outcome = race["same_tap"]
    assert (outcome["said"], outcome["stages"], outcome["results"]) == (["kept"] * 6, ["waiting"], 0)


def test_only_one_of_confirm_dispute_decision_and_timer_writes(race):
    outcome = race["confirm_and_timer"]
    assert outcome["results"] <= 1
    assert outcome["problems"] == []
    assert outcome["stages"] in (["written"], ["withdrawn"])
    assert (outcome["stages"] == ["written"]) == (outcome["results"] == 1)


def test_two_versions_sent_at_once_are_both_saved(race):
    outcome = race["conflicting_reports"]
    assert (outcome["stages"], outcome["versions"], outcome["results"]) == (["disputed"], [2], 0)
