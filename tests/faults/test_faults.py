"""The short form of ``make faults``: a site is killed while four phones write."""

from __future__ import annotations

from tests.faults.faults import kill_and_start, new_folder, under_load
from tests.faults.sites import embedded_site


def test_nothing_is_lost_or_doubled_when_the_site_is_killed():
    with new_folder() as var, embedded_site(var) as site:
        outcome = under_load("embedded", "kill -9 the site", site, kill_and_start(site, "web"))
    count = outcome.count
    assert (count.lost, count.doubled, count.holes) == (0, 0, 0)
    assert count.acknowledged > 4
    assert not outcome.broken
    assert outcome.recovery < float("inf")
