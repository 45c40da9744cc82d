"""Eight phones report one battle at once, on both databases: one entry is written, the rest are refused politely."""

from __future__ import annotations

from typing import Any

import pytest

from tests.subprograms import make_fresh_site, run_program


def sound(found: dict[str, Any]) -> None:
    assert found["made"] == []
    assert (found["slips"], found["passes"]) == (1, 1)
    assert (found["results"], found["petitions"], found["stage"]) == (1, ["written"], "confirmed")
    assert all(answer.startswith("409: ") for answer in found["told"]), found["told"]
    assert found["alone"] == 1
    assert found["finished"] == ["409: This battle is already confirmed."] * 7


@pytest.mark.django_db(transaction=True)
def test_eight_phones_report_one_battle():
    from tests.battles.result.report_race import race

    sound(race())


@pytest.mark.postgres
def test_eight_phones_report_one_battle_on_postgresql(request, make_site):
    sound(
        run_program(make_fresh_site(request, make_site, "postgres"), "tests.races", "tests.battles.result.report_race")
    )
