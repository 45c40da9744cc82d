"""The table from above: every scenario, fair terrain, same word same terrain."""

from __future__ import annotations

from itertools import combinations
from math import acos, hypot, pi, sqrt
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st

from chance import Dice
from musters.core.battlefield_svg import (
    SIDE,
    draw_table,
    format_half_inches,
    standalone_table_svg,
    table_svg as terrain_svg,
)
from musters.core.fair_terrain import (
    GAP,
    RADIUS,
    TerrainPiece,
    areas_kept_free,
    clearance,
    distance,
    inside,
    kinds_allowed,
    lay_out_terrain,
    pieces_to_place,
)
from rulebook.data.scenarios import PIECE, SCENARIO, SCENARIOS, TABLE

every_scenario = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)


@every_scenario
def test_every_scenario_is_drawn_inside_the_table(scenario) -> None:
    drawn = draw_table(scenario, lay_out_terrain(scenario, Dice("hazel")))
    figures = (*drawn.floor, *drawn.areas, *drawn.zones, *drawn.pieces, *drawn.placed_pieces)
    for figure in figures:
        assert 0 <= figure.middle_x <= SIDE
        assert 0 <= figure.middle_y <= SIDE
        assert figure.x + max(figure.width, figure.radius) <= SIDE
    assert len(drawn.floor) + len(drawn.pieces) == len(scenario.pieces)
    assert len(drawn.placed_pieces) == pieces_to_place(scenario)
    assert drawn.words
    assert drawn.legend


def test_north_is_up() -> None:
    south, north = draw_table(SCENARIO["secure_the_crossing"]).zones
    assert (south.letter, north.letter) == ("A", "B")
    assert south.y > north.y


@every_scenario
def test_page_and_print_use_the_same_well_formed_drawing(scenario) -> None:
    layout = lay_out_terrain(scenario, Dice("hazel"))
    page, paper = terrain_svg(scenario, layout, ids="one"), standalone_table_svg(scenario, layout)
    drawn, printed = ElementTree.fromstring(page), ElementTree.fromstring(paper)
    shapes = ("circle", "rect", "path", "text")
    assert [row.tag for row in drawn.iter() if row.tag in shapes] == [
        tag for row in printed.iter() if (tag := row.tag.split("}")[-1]) in shapes
    ]
    assert "style=" not in page
    assert "<style" not in page  # the policy of the pages forbids both
    assert "var(" not in paper  # a printer knows no tokens
    assert "url(#one-a)" in page or "zone" not in page


# ── Fair ─────────────────────────────────────────────────────────────────────────────────────────────────


def area_below(piece: TerrainPiece) -> float:
    """How much of a piece lies in the southern half of the table."""
    up = TABLE / 2 - piece.y  # from the centre of the piece to the line
    if abs(up) >= RADIUS:
        return pi * RADIUS**2 if up > 0 else 0.0
    segment = RADIUS**2 * acos(abs(up) / RADIUS) - abs(up) * sqrt(RADIUS**2 - up**2)
    return pi * RADIUS**2 - segment if up > 0 else segment


@settings(max_examples=150, deadline=None)
@given(scenario=st.sampled_from(SCENARIOS), word=st.text(max_size=12))
def test_random_terrain_is_legal_and_symmetrical(scenario, word: str) -> None:
    """SCEN-01 to SCEN-10, SIEGE-01: the scenario's number and kinds of terrain, and nothing on reserved areas."""
    layout = lay_out_terrain(scenario, Dice(word))
    placement = scenario.placements[0]
    pieces = layout.pieces
    assert len(pieces) == pieces_to_place(scenario)
    for piece in pieces:
        assert piece.terrain in kinds_allowed(placement)
        assert inside(piece.x, piece.y, placement.areas)
        assert RADIUS <= piece.x <= TABLE - RADIUS
        assert RADIUS <= piece.y <= TABLE - RADIUS
        assert (piece.x * 2, piece.y * 2) == (int(piece.x * 2), int(piece.y * 2))
        for free in areas_kept_free(scenario):
            assert distance(piece.x, piece.y, free) >= RADIUS - 1e-9
        for fixed in scenario.pieces:
            assert distance(piece.x, piece.y, fixed.shape) >= RADIUS + clearance(scenario) - 1e-9
    for one, other in combinations(pieces, 2):
        assert hypot(one.x - other.x, one.y - other.y) >= PIECE + GAP
    there = {(piece.terrain, piece.x, piece.y) for piece in pieces}
    assert {(terrain, TABLE - x, TABLE - y) for terrain, x, y in there} == there
    for kind in {piece.terrain for piece in pieces}:
        south = sum(area_below(piece) for piece in pieces if piece.terrain == kind)
        whole = sum(pi * RADIUS**2 for piece in pieces if piece.terrain == kind)
        assert south == pytest.approx(whole / 2, abs=1e-9)


@every_scenario
def test_scenario_terrain_is_symmetrical(scenario) -> None:
    """Otherwise twin pieces would not prove fairness. Of the castle, only the gate is not symmetrical."""
    kind = {"fortress": "stone", "clear": "stone"} if scenario.key == "siege" else {}
    middles = {
        (kind.get(piece.terrain, piece.terrain), round(figure.middle_x, 1), round(figure.middle_y, 1))
        for piece, figure in zip(
            sorted(scenario.pieces, key=lambda piece: max(piece.shape.width, piece.shape.height) <= PIECE),
            (*draw_table(scenario).floor, *draw_table(scenario).pieces),
            strict=True,
        )
    }
    turned = {(terrain, round(SIDE - x, 1), round(SIDE - y, 1)) for terrain, x, y in middles}
    assert turned == middles


def test_both_sides_measure_the_same_distances() -> None:
    for pair in lay_out_terrain(SCENARIO["pitched_battle"], Dice("bramble")).pairs:
        south, north = pair.pieces
        assert (south.x, south.y) == (pair.right, pair.up)
        assert (TABLE - north.x, TABLE - north.y) == (pair.right, pair.up)


def test_same_word_always_gives_the_same_terrain() -> None:
    layout = lay_out_terrain(SCENARIO["pitched_battle"], Dice("bramble"))
    assert [(pair.terrain, pair.right, pair.up) for pair in layout.pairs] == [
        ("barrier", 22.5, 4.5),
        ("fortress", 6.5, 3.5),
        ("bad_goings", 17.0, 10.0),
        ("tall_patch", 16.0, 4.5),
    ]
    assert lay_out_terrain(SCENARIO["pitched_battle"], Dice("burdock")) != layout


@every_scenario
def test_every_allowed_terrain_kind_occurs(scenario) -> None:
    seen = {piece.terrain for number in range(60) for piece in lay_out_terrain(scenario, Dice(f"{number}")).pieces}
    assert seen == set(kinds_allowed(scenario.placements[0]))


def test_besiegers_letter_is_never_covered_by_terrain() -> None:
    for number in range(60):
        drawn = draw_table(SCENARIO["siege"], lay_out_terrain(SCENARIO["siege"], Dice(f"{number}")))
        frame = drawn.zones[0]
        assert all(
            hypot(piece.x - frame.middle_x, piece.y - frame.middle_y) > piece.radius + 16
            for piece in drawn.placed_pieces
        )


def test_half_inches_are_formatted() -> None:
    assert [format_half_inches(value) for value in (0.5, 1.5, 8.0, 22.5)] == ["½", "1½", "8", "22½"]
