"""PLAIN=1 switches everything off that is kept between requests: pages are the same to the letter."""

from __future__ import annotations

from tests.subprograms import make_fresh_site, run_program


def test_pages_of_the_demo_world_are_the_same_with_plain(request, make_site):
    program = run_program(make_fresh_site(request, make_site, "sqlite"), "tests.site.draw_plain", seconds=400)
    assert program["different"] == []
    assert min(program["pages"].values()) > 60
