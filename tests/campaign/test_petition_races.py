"""Many phones at one petition at the same moment, on both databases: one line of the chronicle, or none, never two."""

from __future__ import annotations

import pytest

from tests.programs import DATABASES, found_by, fresh_place


@pytest.fixture(scope="module", params=DATABASES)
def race(request, make_site):
    return found_by(fresh_place(request, make_site, request.param), "tests.campaign.petition_race")


def test_the_same_battle_reported_by_both_at_once_is_written_once(race):
    told = race["both_report"]
    assert (told["results"], told["problems"]) == (1, [])
    assert told["stages"].count("written") == 1
    # Whoever comes when it is written is told so: the land has changed hands.
    assert {one.split()[0] for one in told["said"]} <= {"kept", "written", "refused"}
    assert told["said"].count("written") == 1


def test_one_tap_sent_many_times_lays_one_petition(race):
    told = race["same_tap"]
    assert (told["said"], told["stages"], told["results"]) == (["kept"] * 6, ["waiting"], 0)


def test_of_yes_no_decision_and_clock_at_once_at_most_one_writes(race):
    told = race["yes_and_clock"]
    assert told["results"] <= 1
    assert told["problems"] == []
    assert told["stages"] in (["written"], ["withdrawn"])
    assert (told["stages"] == ["written"]) == (told["results"] == 1)


def test_two_versions_at_once_stand_side_by_side(race):
    told = race["told_differently"]
    assert (told["stages"], told["versions"], told["results"]) == (["disputed"], [2], 0)
