"""Eight phones report one battle in the same moment, on both databases: one line is written, and every refusal is a sentence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.programs import found_by, fresh_place


def sound(found: dict[str, Any]) -> None:
    assert found["made"] == []
    assert (found["slips"], found["passes"]) == (1, 1)
    assert (found["results"], found["petitions"], found["stage"]) == (1, ["written"], "confirmed")
    assert all(said.startswith("409: ") for said in found["told"]), found["told"]
    assert found["alone"] == 1
    assert found["finished"] == ["409: This battle is confirmed and stands written."] * 7


@pytest.mark.django_db(transaction=True)
def test_eight_phones_report_one_battle():
    from tests.battles.report_race import run

    sound(run())


@pytest.mark.postgres
def test_eight_phones_report_one_battle_on_postgresql(request, make_site):
    sound(found_by(fresh_place(request, make_site, "postgres"), "tests.battles.report_race"))
