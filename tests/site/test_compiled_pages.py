"""The pages of the demo world are the same, drawn by compiled templates and by Django."""

from __future__ import annotations

from tests.subprograms import make_fresh_site, run_program


def test_pages_of_the_demo_world_are_drawn_alike(request, make_site):
    found = run_program(make_fresh_site(request, make_site, "sqlite"), "tests.site.draw_both_ways", seconds=300)
    assert found["differences"] == []
    assert found["pages"] > 60
    assert len(found["templates"]) > 60
