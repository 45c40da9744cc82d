"""Random acts through the door, on both databases: every cache equals the log, every point its reasons."""

from __future__ import annotations

import pytest

from tests.programs import DATABASES, found_by, fresh_place


@pytest.fixture(params=DATABASES)
def play(request, make_site):
    """Runs tests.campaign.many_acts on a fresh database and gives what it found."""
    place = fresh_place(request, make_site, request.param)

    def run(campaigns: int, acts: int, seed: str, seconds: int) -> dict:
        words = (str(campaigns), str(acts), seed)
        found = found_by(place, "tests.campaign.many_acts", *words, seconds=seconds)
        place.manage("verify_chronicle")
        return found

    return run


def test_fifteen_hundred_acts_add_up(play):
    found = play(10, 150, "spring", 300)
    assert found["problems"] == []
    assert sum(found["seen"][what] for what in ("acts", "late", "strike", "amend", "restore")) >= 1500
    for what in ("acts", "late", "strike", "amend", "restore", "refused", "looked_back"):
        assert found["seen"][what] > 15, f"hardly any {what}: {found['seen']}"


@pytest.mark.soak
def test_ten_thousand_acts_add_up(play):
    found = play(10, 1000, "autumn", 3600)
    assert found["problems"] == []
