"""Twelve phones on one battle in the same moment, on both databases: nobody's honest tap is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.subprograms import make_fresh_site, run_program


def sound(found: dict[str, Any]) -> None:
    from tests.battles.tracker.tracker_race import PHONES, TAPS

    assert found["refused"] == []
    assert found["steps"] == 2 + PHONES * TAPS
    assert (found["acted"], found["mounds"]) == (PHONES, PHONES)
    assert found["problems"] == []


@pytest.mark.django_db(transaction=True)
def test_twelve_phones_move_their_own_units_and_none_is_refused():
    from tests.battles.tracker.tracker_race import race

    sound(race())


@pytest.mark.postgres
def test_twelve_phones_on_postgresql(request, make_site):
    sound(
        run_program(
            make_fresh_site(request, make_site, "postgres"), "tests.races", "tests.battles.tracker.tracker_race"
        )
    )
