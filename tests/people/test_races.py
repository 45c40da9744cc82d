"""Many browsers at one door at the same moment, on both databases."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.programs import DATABASES, found_by, fresh_place

BROWSERS = 8


@pytest.fixture(scope="module", params=DATABASES)
def race(request, make_site):
    """What came of each race, all of them run on one fresh database."""
    return found_by(fresh_place(request, make_site, request.param), "tests.people.race")


def test_of_many_first_visitors_one_becomes_the_owner(race):
    result = race["first_owner"]
    assert Counter(result["outcomes"]) == {"302": 1, "409": BROWSERS - 1}
    assert result["owners"] == 1


def test_of_many_who_want_one_name_one_gets_it(race):
    result = race["same_name"]
    assert Counter(result["outcomes"]) == {"302": 1, "422": BROWSERS - 1}
    assert result["people"] == 1


def test_a_one_time_link_used_many_times_at_once_works_once(race):
    result = race["reset"]
    assert Counter(result["outcomes"]) == {"302": 1, "410": BROWSERS - 1}
    assert (result["left"], result["fits"], result["log_ins"]) == (0, 1, 1)


def test_a_pass_for_three_lets_three_in(race):
    result = race["seat"]
    assert Counter(result["outcomes"]) == {"302": 3, "410": BROWSERS - 3}
    assert result["left"] == 0


def test_new_personal_links_asked_for_at_once_leave_one(race):
    result = race["link"]
    assert set(result["outcomes"]) == {"made"}
    assert result["links"] == 1


def test_merges_that_cross_make_no_ring(race):
    result = race["ring"]
    assert Counter(result["outcomes"])["merged"] == 10, "of three people two are merged, five times"
    assert {one for one in result["outcomes"] if one != "merged"} <= {"refused 409", "refused 422"}
    assert result["rings"] == 0


def test_a_tap_that_arrives_many_times_writes_one_down(race):
    result = race["tap"]
    assert Counter(result["outcomes"]) == {"302": BROWSERS}
    assert result["people"] == 1
