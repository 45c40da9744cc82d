"""How large letters are on the map, where names fit and where numbers must do, and where a label stands."""

from __future__ import annotations

from campaign.map.label_fitting import LEADING
from campaign.map.map_layout import MapGeometry, TerritoryShape
from campaign.map.points_and_svg_paths import Box

# Widths of the map on the page in pixels, and the size of letters there in units of the map: never less than 12 px.
# Exception: 11 px for five or more kingdoms on the narrowest phones (map below 366 px); a list below repeats the names.
# ``map.css`` sets the same sizes; a test keeps the two alike. The picture for link previews has sizes of its own.
TIERS = ("xs", "s", "m", "l")
PICTURE = "picture"
LEAST_WIDTH = {"xs": 296, "s": 366, "m": 530, "l": 700}
LETTERS = {"xs": 30.0, "s": 24.4, "m": 17.0, "l": 15.0, PICTURE: 18.0}
LETTERS_MANY = {"xs": 27.0, "s": 24.4, "m": 17.0, "l": 13.0, PICTURE: 16.0}
REALM_LETTERS = {"xs": 34.0, "s": 30.0, "m": 25.0, "l": 22.0, PICTURE: 26.0}
REALM_LETTERS_MANY = {"xs": 31.0, "s": 27.0, "m": 20.0, "l": 17.0, PICTURE: 21.0}
MANY = 5  # from so many kingdoms on, letters are smaller where they can be

# Beyond so many kingdoms shields, differences and swords would be specks.
SWARM = 36

# On a crowded map every kingdom has its number at the coast up to so many; beyond, every fifth.
NUMBERED = 48


def letter_size(count: int, tier: str, *, realm: bool = False) -> float:
    """The size of letters on a map of so many kingdoms, in units of the map."""
    if realm:
        return (REALM_LETTERS if count < MANY else REALM_LETTERS_MANY)[tier]
    return (LETTERS if count < MANY else LETTERS_MANY)[tier]


def names_fit(land: MapGeometry, size: float, place: str) -> bool:
    """Names if most territories of a kind have room for two short lines or a long one; else numbers for all."""
    if land.is_crowded:
        return False
    boxes = [plot.label for plot in land.plots if place_kind(plot) == place]
    roomy = [
        box.width >= 4.4 * size or (box.width >= 3 * size and box.height >= size * (1 + LEADING) * 0.98)
        for box in boxes
    ]
    return sum(roomy) * 4 >= len(roomy) * 3


def place_kind(plot: TerritoryShape) -> str:
    """castle, lands or border."""
    return plot.place.partition("_")[0]


def place_label(plot: TerritoryShape, *, marked: bool) -> Box:
    """Where the name stands: without a mark above it, in the middle of the room for both."""
    box = plot.label
    stacked = plot.marks.x == box.x and plot.marks.width == box.width
    if marked or not stacked:
        return box
    return Box(box.x, (plot.marks.y + box.bottom - box.height) / 2, box.width, box.height)


def place_rim_numbers(land: MapGeometry) -> tuple[tuple[int, float, float], ...]:
    """Numbers round the coast of a crowded map, each with its place."""
    step = 1 if len(land.kingdoms) <= NUMBERED else 5
    return tuple((shape.number, *shape.rim) for shape in land.kingdom_shapes if shape.number % step == 0)
