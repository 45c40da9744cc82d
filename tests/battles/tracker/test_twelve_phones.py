"""Twelve phones on one battle in the same moment, on both databases: nobody's honest tap is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.programs import found_by, fresh_place


def sound(found: dict[str, Any]) -> None:
    from tests.battles.race import PHONES, TAPS

    assert found["refused"] == []
    assert found["steps"] == 2 + PHONES * TAPS
    assert (found["acted"], found["mounds"]) == (PHONES, PHONES)
    assert found["problems"] == []


@pytest.mark.django_db(transaction=True)
def test_twelve_phones_move_their_own_units_and_none_is_refused():
    from tests.battles.race import run

    sound(run())


@pytest.mark.postgres
def test_twelve_phones_on_postgresql(request, make_site):
    sound(found_by(fresh_place(request, make_site, "postgres"), "tests.battles.race"))
