"""Eight phones at one muster at once, on both databases: everything counts once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.musters import muster_race
from tests.subprograms import make_fresh_site, run_program


def check(outcome: dict[str, Any]) -> None:
    assert outcome["begin"] == ["done"] * 8
    assert outcome["musters"] == 1
    assert outcome["step"] == ["done", *["refused 409"] * 7]
    assert outcome["answers"] == 1
    assert outcome["pay"] == ["done", *["refused 409"] * 7]
    assert (outcome["vp"], outcome["thrown"]) == (4, [2, 9])
    assert set(outcome["take"]) <= {"done", "refused 409"}
    assert "done" in outcome["take"]
    assert outcome["lines"] == 1
    assert outcome["problems"] == []


@pytest.mark.django_db(transaction=True)
def test_concurrent_requests_count_once():
    check(muster_race.race())


@pytest.mark.postgres
def test_concurrent_requests_count_once_on_postgresql(request, make_site):
    check(run_program(make_fresh_site(request, make_site, "postgres"), "tests.races", "tests.musters.muster_race"))
