"""Races of people and passes, on both databases."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.subprograms import DATABASES, make_fresh_site, run_program

BROWSERS = 8


@pytest.fixture(scope="module", params=DATABASES)
def race(request, make_site):
    """The results of all races, run on one fresh database."""
    return run_program(make_fresh_site(request, make_site, request.param), "tests.races", "tests.people.people_race")


def test_one_of_many_first_visitors_becomes_the_owner(race):
    result = race["first_owner"]
    assert Counter(result["outcomes"]) == {"302": 1, "409": BROWSERS - 1}
    assert result["owners"] == 1


def test_one_of_many_gets_a_log_in_name(race):
    result = race["same_name"]
    assert Counter(result["outcomes"]) == {"302": 1, "422": BROWSERS - 1}
    assert result["people"] == 1


def test_one_time_link_works_once_under_load(race):
    result = race["reset"]
    assert Counter(result["outcomes"]) == {"302": 1, "410": BROWSERS - 1}
    assert (result["left"], result["fits"], result["log_ins"]) == (0, 1, 1)


def test_pass_with_three_uses_works_three_times(race):
    result = race["seat"]
    assert Counter(result["outcomes"]) == {"302": 3, "410": BROWSERS - 3}
    assert result["left"] == 0


def test_simultaneous_new_links_leave_one(race):
    result = race["link"]
    assert set(result["outcomes"]) == {"made"}
    assert result["links"] == 1


def test_simultaneous_merges_make_no_loop(race):
    result = race["ring"]
    assert Counter(result["outcomes"])["merged"] == 10, "of three people two are merged, five times"
    assert {outcome for outcome in result["outcomes"] if outcome != "merged"} <= {"refused 409", "refused 422"}
    assert result["rings"] == 0


def test_repeated_form_adds_one_guest(race):
    result = race["tap"]
    assert Counter(result["outcomes"]) == {"302": BROWSERS}
    assert result["people"] == 1
