"""Random acts through the services, on both databases: caches match the log and every point has its reasons."""

from __future__ import annotations

import pytest

from tests.subprograms import DATABASES, make_fresh_site, run_program


@pytest.fixture(params=DATABASES)
def play(request, make_site):
    """Runs tests.campaign.many_acts on a fresh database and returns what it found."""
    place = make_fresh_site(request, make_site, request.param)

    def run(campaigns: int, acts: int, seed: str, seconds: int) -> dict:
        words = (str(campaigns), str(acts), seed)
        program = run_program(place, "tests.campaign.many_acts", *words, seconds=seconds)
        place.manage("verify_chronicle")
        return program

    return run


def test_600_random_acts_add_up(play):
    result = play(4, 150, "spring", 300)
    assert result["problems"] == []
    assert sum(result["seen"][what] for what in ("acts", "late", "strike", "amend", "restore")) >= 600
    for what in ("acts", "late", "strike", "amend", "restore", "refused", "looked_back"):
        assert result["seen"][what] > 5, f"hardly any {what}: {result['seen']}"


@pytest.mark.soak
def test_10000_random_acts_add_up(play):
    result = play(10, 1000, "autumn", 3600)
    assert result["problems"] == []
