"""The geometry of the map: whole, shared, readable, and the same every time."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import sys
from collections.abc import Sequence
from itertools import accumulate, combinations, pairwise
from pathlib import Path

import pytest

from campaign.map import labels
from campaign.map.geometry import Box, Point, is_inside, path_data
from campaign.map.hand_drawn import DOODAD
from campaign.map.labels import fit_text
from campaign.map.map_layout import SEAM, SIZE, MapGeometry, build_geometry, doodad_scale
from tests.campaign.map.sample_realms import signed_area
from tests.test_architecture import imports_of
from text import estimate_width

FEW = range(1, 13)
GOLDEN = {2: "4b77a9c44fa37a7e", 4: "a0466a221d1d2d5c", 12: "d57627c19d76217e", 100: "6266e8e650064d19"}
ROOT = Path(__file__).resolve().parents[3]


def land_of(count: int, seed: str = "test") -> MapGeometry:
    return build_geometry(tuple(f"k{number}" for number in range(1, count + 1)), seed)


def runs_along(line, outline) -> bool:
    """Whether a line is, point for point, a stretch of an outline, forwards or backwards."""
    ring = outline + outline[: len(line)]
    for wanted in (line, line[::-1]):
        for start in (at for at, point in enumerate(outline) if point == wanted[0]):
            if ring[start : start + len(wanted)] == wanted:
                return True
    return False


def contains(outline, box: Box) -> bool:
    """Corners inside, no point of the outline inside the box, and no line of it across the box."""
    if not all(is_inside(corner, outline) for corner in box.corners):
        return False
    return not any(
        box.x < x + (nx - x) * t / 4 < box.right and box.y < y + (ny - y) * t / 4 < box.bottom
        for (x, y), (nx, ny) in pairwise((*outline, outline[0]))
        for t in range(4)
    )


# ── Whole ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("count", [*FEW, 13, 24, 100])
def test_every_kingdom_has_its_castle_lands_and_two_borderlands(count):
    land = land_of(count)
    assert [plot.key for plot in land.plots] == [
        f"k{number}.{place}" for number in range(1, count + 1) for place in ("castle", "lands", "border_1", "border_2")
    ]
    assert [shape.number for shape in land.kingdom_shapes] == list(range(1, count + 1))


@pytest.mark.parametrize("count", [*FEW, 40, 100])
def test_neighbours_share_their_border_point_for_point(count):
    land = land_of(count)
    outlines = {plot.key: plot.outline for plot in land.plots}
    for edge in land.edges:
        for key in edge.between:
            assert runs_along(edge.line, outlines[key]), f"{edge.key} is no part of {key}"
        if len(edge.between) == 1:
            assert runs_along(edge.line, land.coast) or runs_along(edge.line, land.heath), edge.key


@pytest.mark.parametrize("count", [*FEW, 40, 100])
def test_territories_fill_the_realm_without_gap_or_overlap(count):
    land = land_of(count)
    covered = sum(signed_area(plot.outline) for plot in land.plots if plot.place != "castle")
    assert all(signed_area(plot.outline) > 0 for plot in land.plots), "every outline runs clockwise"
    assert covered + signed_area(land.heath) == pytest.approx(signed_area(land.coast), rel=1e-9)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 12])
def test_a_kingdom_is_its_lands_and_borderlands(count):
    land = land_of(count)
    for shape in land.kingdom_shapes:
        parts = sum(signed_area(p.outline) for p in land.plots if p.kingdom == shape.kingdom and p.place != "castle")
        assert parts == pytest.approx(signed_area(shape.outline), rel=1e-9)


@pytest.mark.parametrize("count", [2, 4, 7, 12])
def test_no_outline_crosses_itself(count):
    def turn(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    def cross(a, b, c, d):
        return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0

    for plot in land_of(count).plots:
        sides = list(pairwise((*plot.outline, plot.outline[0])))
        for one, other in combinations(sides, 2):
            assert not cross(*one, *other), plot.key


@pytest.mark.parametrize("count", [*FEW, 100])
def test_all_borderlands_meet_at_the_heath_and_all_lands_lie_at_the_sea(count):
    land = land_of(count)
    on_heath, on_coast = set(land.heath), set(land.coast)
    for plot in land.plots:
        if plot.place.startswith("border"):
            assert on_heath & set(plot.outline)
        if plot.place == "lands":
            assert on_coast & set(plot.outline)
            assert not on_heath & set(plot.outline)


def test_lines_between_kingdoms_differ_from_lines_within_one():
    for edge in land_of(4).edges:
        owners = {key.partition(".")[0] for key in edge.between}
        assert edge.kind == ({1: "inner", 2: "realm"}[len(owners)] if len(edge.between) == 2 else edge.kind)
    assert [edge.kind for edge in land_of(1).edges].count(SEAM) == 1


# ── Readable ─────────────────────────────────────────────────────────────────────────────────────────────


def _overlap(a: Box, b: Box) -> bool:
    """Touching edges do not count."""
    return a.x < b.right and b.x < a.right and a.y < b.bottom and b.y < a.bottom


def _stands_clear(land: MapGeometry) -> None:
    lands = {plot.kingdom: plot.outline for plot in land.plots if plot.place == "lands"}
    boxes: list[tuple[str, Box]] = []
    for plot in land.plots:
        if plot.place == "castle":
            continue
        assert contains(plot.outline, plot.label), f"the name of {plot.key} leaves it"
        assert contains(plot.outline, plot.marks), f"the marks of {plot.key} leave it"
        assert plot.label.width >= 37, f"no room for a number in {plot.key}"
        boxes += [(f"name of {plot.key}", plot.label), (f"marks of {plot.key}", plot.marks)]
    for shape in land.kingdom_shapes:
        assert contains(lands[shape.kingdom], shape.castle), f"the castle of {shape.kingdom} leaves its lands"
        assert contains(lands[shape.kingdom], shape.name.grown(-1)), f"the name of {shape.kingdom} leaves its lands"
        boxes += [(f"castle of {shape.kingdom}", shape.castle), (f"name of {shape.kingdom}", shape.name)]
        row, scale = DOODAD[shape.doodad], doodad_scale(len(land.kingdoms))
        wide, high = row.width * scale, row.height * scale
        for x, y in shape.doodads:
            assert is_inside((x, y), lands[shape.kingdom])
            boxes.append((f"{shape.doodad} of {shape.kingdom}", Box(x - wide / 2, y - high, wide, high)))
    for (one, a), (other, b) in combinations(boxes, 2):
        assert not _overlap(a, b), f"{one} lies on {other}"


@pytest.mark.parametrize("count", FEW)
def test_names_marks_castles_and_doodads_stand_inside_and_never_on_one_another(count):
    for seed in ("test", "another", "a third"):
        _stands_clear(land_of(count, seed))


@pytest.mark.soak
@pytest.mark.parametrize("count", FEW)
def test_nothing_overlaps_on_many_coasts(count):
    for seed in range(60):
        _stands_clear(land_of(count, f"soak {seed}"))


@pytest.mark.parametrize("count", [13, 24, 48, 100])
def test_on_a_crowded_map_castles_still_stand_in_their_lands(count):
    land = land_of(count)
    lands = {plot.kingdom: plot.outline for plot in land.plots if plot.place == "lands"}
    assert all(contains(lands[shape.kingdom], shape.castle) for shape in land.kingdom_shapes)
    numbers = labels.place_rim_numbers(land)
    assert numbers, "some kingdoms carry their numbers at the coast"
    # 24.4 units are 12 px on a phone; two digits are as wide as that, three half as wide again.
    for (_, ax, ay), (_, bx, by) in combinations(numbers, 2):
        assert abs(ax - bx) > 26 or abs(ay - by) > 22
    assert all(20 < x < SIZE - 20 and 12 < y < SIZE - 12 for _, x, y in numbers)


def test_everything_stays_inside_the_map():
    for count in (*FEW, 100):
        land = land_of(count)
        # Half of the widest line drawn along the coast.
        assert all(25 < x < SIZE - 25 and 25 < y < SIZE - 25 for x, y in land.coast), count


def test_letters_are_12_px_on_a_phone_and_at_every_width_above():
    for tier in ("s", "m", "l"):
        for count in FEW:
            assert labels.letter_size(count, tier) * labels.LEAST_WIDTH[tier] / SIZE >= 12
    for count in FEW:  # below 366 px of map, narrower than a phone of 390 px gives it
        assert labels.letter_size(count, "xs") * labels.LEAST_WIDTH["xs"] / SIZE >= (
            12 if count < labels.MANY else 10.7
        )


def test_the_stylesheet_has_the_same_sizes():
    css = (ROOT / "static/css/map.css").read_text()
    base = css[css.index("/* ── Map ──") :]
    blocks = {"xs": base[: base.index("@container")]}
    for low, block in re.findall(r"@container \(min-width: (\d+)px\)[^{]*\{(.*?)\n\}", base, re.DOTALL):
        tier = next(tier for tier in labels.TIERS if labels.LEAST_WIDTH[tier] == int(low))
        blocks[tier] = block
    assert set(blocks) == set(labels.TIERS)
    for tier, block in blocks.items():
        for rule, count in ((r"\.map \{ (--f[^}]*)\}", 2), (r"\.map-many \{ (--f[^}]*)\}", 12)):
            sizes = dict(re.findall(r"(--fr?): ([\d.]+)px", re.search(rule, block)[1]))
            assert float(sizes["--f"]) == labels.letter_size(count, tier), (tier, count)
            assert float(sizes["--fr"]) == labels.letter_size(count, tier, of_kingdom=True), (tier, count)


def test_two_to_four_kingdoms_carry_names_on_a_phone_and_twelve_carry_numbers():
    for count, named in ((2, True), (3, True), (4, True), (12, False)):
        for seed in ("test", "another", "a third"):
            assert labels.names_fit(land_of(count, seed), labels.letter_size(count, "s"), "border") is named


@pytest.mark.parametrize("count", FEW)
def test_a_number_fits_where_a_name_does_not(count):
    for plot in land_of(count).plots:
        if plot.place.startswith("border"):
            assert estimate_width(f"{count}b") * labels.letter_size(count, "s") <= plot.label.width + 1


# ── The same every time ──────────────────────────────────────────────────────────────────────────────────


def _as_json(map_: MapGeometry) -> dict[str, object]:
    """The whole geometry as JSON."""

    def box(one: Box) -> list[float]:
        return [one.x, one.y, one.width, one.height]

    def line(points: Sequence[Point]) -> list[list[float]]:
        return [[x, y] for x, y in points]

    return {
        "size": SIZE,
        "coast": line(map_.coast),
        "heath": line(map_.heath),
        "compass": map_.compass,
        "scale": map_.scale,
        "edges": [{"kind": edge.kind, "between": list(edge.between), "line": line(edge.line)} for edge in map_.edges],
        "plots": [
            {
                "key": plot.key,
                "kingdom": plot.kingdom,
                "place": plot.place,
                "outline": line(plot.outline),
                "label": box(plot.label),
                "marks": box(plot.marks),
            }
            for plot in map_.plots
        ],
        "seats": [
            {
                "kingdom": shape.kingdom,
                "number": shape.number,
                "outline": line(shape.outline),
                "castle": box(shape.castle),
                "name": box(shape.name),
                "doodad": shape.doodad,
                "doodads": line(shape.doodads),
                "rim": list(shape.rim),
            }
            for shape in map_.kingdom_shapes
        ],
    }


def _digest(land: MapGeometry) -> str:
    return hashlib.sha256(json.dumps(_as_json(land), sort_keys=True).encode()).hexdigest()[:16]


def test_the_geometry_of_a_realm_never_changes():
    # If this fails, every map ever printed has changed its coast. Change it only on purpose.
    assert {count: _digest(land_of(count, "for ever")) for count in (2, 4, 12, 100)} == GOLDEN


def test_another_seed_draws_another_coast():
    assert land_of(4, "one").coast != land_of(4, "two").coast


def test_drawing_it_again_gives_the_same_points():
    assert build_geometry.__wrapped__(("k1", "k2", "k3"), "again") == build_geometry.__wrapped__(
        ("k1", "k2", "k3"), "again"
    )


def test_a_map_needs_kingdoms_and_each_only_once():
    with pytest.raises(ValueError, match="needs a kingdom"):
        build_geometry(())
    with pytest.raises(ValueError, match="twice"):
        build_geometry(("k1", "k1"))


def packages_of(path: Path) -> set[str]:
    return {module.partition(".")[0] for module in imports_of(path)}


@pytest.mark.parametrize("folder", ["campaign/map", "campaign/charts"])
def test_drawing_packages_do_not_import_django(folder):
    known = {"art", "campaign", "chance", "dataclass_json", "heraldry", "refusal", "rulebook", "text"}
    known |= sys.stdlib_module_names
    for path in (ROOT / folder).glob("*.py"):
        assert packages_of(path) <= known, path.name
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("campaign"):
                assert node.module.startswith(("campaign.map", "campaign.charts", "campaign.chronicle"))
    if folder == "campaign/map":  # the geometry itself needs chance and nothing else of ours
        for name in ("map_layout", "geometry", "hand_drawn"):
            assert packages_of(ROOT / folder / f"{name}.py") <= {"campaign", "chance"} | set(sys.stdlib_module_names)


# ── Pen and letters ──────────────────────────────────────────────────────────────────────────────────────


def test_path_data_survives_writing_and_parsing():
    line = ((10.0, 20.5), (13.2, 19.9), (13.2, 40.0), (-0.4, 0.0))
    path = path_data(line, closed=True)
    assert path.startswith("M10 20.5l")
    assert path.endswith("z")
    numbers = [float(number) for number in re.findall(r"-?\d*\.?\d+", path)]
    back = list(zip(accumulate(numbers[::2]), accumulate(numbers[1::2]), strict=True))
    assert [(round(x, 1), round(y, 1)) for x, y in back] == list(line)


@pytest.mark.parametrize(
    ("name", "room", "broken"),
    [
        ("Burdock", 200, ("Burdock",)),
        ("Bramble Edge", 100, ("Bramble", "Edge")),
        ("Acornfall", 84, ("Acorn-", "fall")),
        ("Reedmarch", 84, ("Reed-", "march")),
        ("The Levels", 50, ()),
        ("漢字漢字漢字漢字", 40, ()),
    ],
)
def test_names_break_where_a_reader_would(name, room, broken):
    assert fit_text(name, room, 52, 24.4) == broken


def test_truncated_names_end_in_an_ellipsis():
    assert fit_text("Thistledown", 100, 30, 24.4, most_lines=1, share=0)[0].endswith("…")
    assert fit_text("T" * 200, 100, 30, 24.4) == ()
