"""Eight phones at one muster at the same moment, on both databases: everything counts once."""

from __future__ import annotations

from typing import Any

import pytest

from tests.musters import race
from tests.programs import found_by, fresh_place


def check(told: dict[str, Any]) -> None:
    assert told["begin"] == ["done"] * 8
    assert told["musters"] == 1
    assert told["step"] == ["409"] * 7 + ["done"]
    assert told["answers"] == 1
    assert told["pay"] == ["409"] * 7 + ["done"]
    assert (told["vp"], told["thrown"]) == (4, [2, 9])
    assert set(told["take"]) <= {"409", "done"}
    assert "done" in told["take"]
    assert told["lines"] == 1
    assert told["problems"] == []


@pytest.mark.django_db(transaction=True)
def test_eight_phones_begin_answer_pay_and_write_once():
    check(race.told())


@pytest.mark.postgres
def test_eight_phones_begin_answer_pay_and_write_once_on_postgresql(request, make_site):
    check(found_by(fresh_place(request, make_site, "postgres"), "tests.musters.race"))
