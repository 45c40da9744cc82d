"""Many phones write to one log at the same moment, on both databases."""

from __future__ import annotations

import pytest

from tests.subprograms import DATABASES, make_fresh_site, run_program


@pytest.fixture(scope="module", params=DATABASES)
def race(request, make_site):
    """Run tests.log.log_race on a fresh database and return what it found."""
    place = make_fresh_site(request, make_site, request.param)
    return lambda mode, threads: run_program(place, "tests.races", "tests.log.log_race", mode, str(threads))


def test_one_key_sent_twelve_times_at_once_counts_once_with_the_same_answer(race):
    result = race("SAME_KEY", 12)
    assert result["outcomes"] == ['{"count": 0, "entry": 1}'] * 12
    assert result["numbers"] == [1]
    assert (result["version"], result["receipts"]) == (2, 1)


def test_twelve_writers_lose_no_entry_and_leave_no_gaps(race):
    result = race("OWN_KEYS", 12)
    assert result["numbers"] == list(range(1, 61))
    assert result["counts"] == list(range(60)), "someone wrote between another's reading and writing"
    assert len(result["outcomes"]) == 60
    assert (result["version"], result["length"], result["receipts"]) == (61, 60, 60)


def test_one_of_twelve_simultaneous_acts_wins_and_the_rest_get_the_fresh_state(race):
    result = race("STALE", 12)
    assert sorted(result["outcomes"]) == sorted(['{"count": 0, "entry": 1}'] + ["refused 409 {'count': 1}"] * 11)
    assert result["numbers"] == [1]
    assert result["receipts"] == 1, "a refused tap must leave no receipt"
