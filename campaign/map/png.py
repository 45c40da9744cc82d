"""The map as a PNG in light colours: a square, and a 1200 by 630 card with the standings for link previews."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PIL import Image, ImageChops, ImageDraw

from campaign.map.decorations import BETWEEN, DOODAD, NORTH, POINTS, ROSE
from campaign.map.display import MapDisplay, MapKingdom, MapTerritory
from campaign.map.kingdom_colours import BY_KEY, Livery, Tile
from campaign.map.label_fitting import LEADING, fit_text
from campaign.map.label_placement import MANY, SWARM, names_fit, place_kind, place_label, place_rim_numbers
from campaign.map.map_layout import COAST, INNER, REALM, SIZE, MapGeometry, TerritoryShape, build_geometry, doodad_scale
from campaign.map.png_shields import draw_shield, draw_symbol
from campaign.map.png_text import ImageText, draw_texts
from campaign.map.points_and_svg_paths import Box, Line, Point, parse_path

CARD = (1200, 630)
_FINE = 2  # drawn so many times larger, then shrunk, which smooths every edge

# As tokens.css has them on light paper.
PAPER, INK, INK_2, RULE, LINE, RUBRIC, RAISED = (
    "#f5eedd",
    "#231a12",
    "#5b4a38",
    "#cfbf9f",
    "#8d7857",
    "#9b1b1e",
    "#fcf8ee",
)
GOOD = "#2c6138"


@dataclass(frozen=True, slots=True)
class ShareCardRow:
    """One row beside the map."""

    kingdom: str  # the id of the kingdom
    loyalty: int
    vp: int
    under: str = ""  # a few words below the name, such as who rules


@dataclass(frozen=True, slots=True)
class ShareCard:
    title: str
    subtitle: str
    display: MapDisplay
    standings: tuple[ShareCardRow, ...]  # the leader first


def draw_share_card(share: ShareCard) -> bytes:
    """Map and standings side by side."""
    width, height = CARD
    image = Image.new("RGB", CARD, PAPER)
    words = [
        *_paint_map(image, share.display, height),
        ImageText(share.title, height + 14, 68, 46, width - height - 54, bold=True),
        ImageText(share.subtitle, height + 14, 116, 24, width - height - 54, ink=INK_2),
    ]
    pen = ImageDraw.Draw(image)
    left, right = height + 14, width - 40
    # The double rule of a leaf.
    pen.line(((left, 148), (right, 148)), fill=LINE, width=1)
    pen.line(((left, 151), (right, 151)), fill=LINE, width=1)
    columns = (right - 150, right - 78, right)
    for name, x in zip(("loyalty", "VP", "holds"), columns, strict=True):
        words.append(ImageText(name, x, 174, 19, 90, ink=INK_2, align="end", caps=name != "VP"))
    most = 7 if len(share.standings) <= 7 else 6
    step = 56 if most * 56 + 200 < height - 30 else 54
    y = 216.0
    kingdoms = {kingdom.id: kingdom for kingdom in share.display.kingdoms}
    for row in share.standings[:most]:
        kingdom = kingdoms[row.kingdom]
        arms = draw_shield(kingdom.arms, 34)
        image.paste(arms, (left, round(y - 20)), arms)
        low = 11 if row.under else 0
        words.append(ImageText(kingdom.name, left + 48, y - low, 26, columns[0] - left - 128, bold=True))
        if row.under:
            words.append(ImageText(row.under, left + 48, y + 14, 18, columns[0] - left - 128, ink=INK_2))
        sign = f"+{row.loyalty}" if row.loyalty > 0 else f"−{-row.loyalty}" if row.loyalty < 0 else "0"
        colour = GOOD if row.loyalty > 0 else RUBRIC if row.loyalty < 0 else INK
        for text, x, ink in (
            (sign, columns[0], colour),
            (str(row.vp), columns[1], INK),
            (str(kingdom.holds), columns[2], INK),
        ):
            words.append(ImageText(text, x, y, 26, 70, ink=ink, align="end", bold=True))
        pen.line(((left, y + 27), (right, y + 27)), fill=RULE, width=1)
        y += step
    if len(share.standings) > most:
        words.append(ImageText(f"and {len(share.standings) - most} more", left, y, 22, 300, ink=INK_2, italic=True))
    words.append(ImageText("Mice-at-Arms", right, height - 24, 19, 200, ink=RUBRIC, align="end", caps=True))
    _paste_texts(image, words)
    return _encode_png(image)


def _paste_texts(image: Image.Image, words: Sequence[ImageText]) -> None:
    layer = draw_texts(words, image.width, image.height)
    image.paste(layer, (0, 0), layer)


def _encode_png(image: Image.Image) -> bytes:
    """A palette of 256 is enough for flat colours and a third of the size."""
    small = image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    small.save(out, "PNG", optimize=True)
    return out.getvalue()


# ── The map ──────────────────────────────────────────────────────────────────────────────────────────────


def _paint_map(image: Image.Image, display: MapDisplay, side: int) -> list[ImageText]:
    """The map in the upper left corner of an image; its words are given back, to be set with all the others at once."""
    brush = _PngMap(display, side)
    image.paste(brush.painted(), (0, 0))
    return brush.words


class _PngMap:
    def __init__(self, display: MapDisplay, side: int) -> None:
        self.display = display
        self.side = side
        self.full = side * _FINE
        self.scale = self.full / SIZE
        self.kingdoms: dict[str, MapKingdom] = {kingdom.id: kingdom for kingdom in display.kingdoms}
        self.land: MapGeometry = build_geometry(tuple(self.kingdoms), display.seed)
        self.territories: dict[str, MapTerritory] = {territory.key: territory for territory in display.territories}
        self.image = Image.new("RGB", (self.full, self.full), PAPER)
        self.pen = ImageDraw.Draw(self.image)
        self.words: list[ImageText] = []
        self.heavy = 4.0 if len(self.kingdoms) < 5 else 3.2 if not self.land.is_crowded else 1.6

    def painted(self) -> Image.Image:
        for width, colour in ((50, RULE), (47, PAPER), (35, RULE), (32, PAPER), (20, LINE), (17.5, PAPER)):
            self.line(self.land.coast, colour, width, closed=True)
        self.paint_land([plot for plot in self.land.plots if plot.place != "castle"])
        for edge in self.land.edges:
            if edge.kind == INNER:
                self.line(edge.line, INK, 1.6 if not self.land.is_crowded else 0.8)
        for edge in self.land.edges:
            if edge.kind in (REALM, COAST):
                self.line(edge.line, INK, self.heavy)
        self.pen.polygon(self.points(self.land.heath), fill=PAPER)
        self.line(self.land.heath, INK, self.heavy, closed=True)
        self.rose()
        self.castles()
        for plot in self.land.plots:
            self.marks(plot)
        self.names()
        return self.image.reduce(_FINE)

    def points(self, line: Iterable[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in line]

    def line(self, line: Sequence[Point], colour: str, width: float, *, closed: bool = False) -> None:
        points = self.points(line)
        if closed:
            points += points[:2]
        wide = max(1, round(width * self.scale))
        self.pen.line(points, fill=colour, width=wide)
        if wide > 2:  # a round pen, at every bend
            half = wide / 2 - 0.5
            for x, y in points:
                self.pen.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    # ── Land ─────────────────────────────────────────────────────────────────────────────────────────────

    def livery(self, key: str) -> Livery:
        livery = self.kingdoms[self.territories[key].holder].livery
        return livery if len(self.kingdoms) <= SWARM else Livery(livery.tincture)

    def paint_land(self, plots: Sequence[TerritoryShape]) -> None:
        """Washes, and over them each hatching once for all the land that wears it."""
        by_livery: dict[Livery, list[TerritoryShape]] = {}
        for plot in plots:
            by_livery.setdefault(self.livery(plot.key), []).append(plot)
        for livery, held in by_livery.items():
            shapes = [self.points(plot.outline) for plot in held]
            for shape in shapes:
                self.pen.polygon(shape, fill=BY_KEY[livery.tincture].wash)
            left, top = (math.floor(min(point[axis] for shape in shapes for point in shape)) for axis in (0, 1))
            right, bottom = (math.ceil(max(point[axis] for shape in shapes for point in shape)) for axis in (0, 1))
            mask = Image.new("L", (right - left, bottom - top))
            pen = ImageDraw.Draw(mask)
            for shape in shapes:
                pen.polygon([(x - left, y - top) for x, y in shape], fill=255)
            for tile in livery.tiles:
                shown = ImageChops.darker(mask, draw_hatching(tile, (left, top, right, bottom), self.scale))
                self.image.paste(_mix_hatching_colour(livery, tile), (left, top), mask=shown)

    def castles(self) -> None:
        for shape in self.land.kingdom_shapes:
            row = DOODAD[shape.doodad]
            scale = doodad_scale(len(self.kingdoms))
            for x, y in shape.doodads:
                for line, closed in parse_path(row.path):
                    at = [(x + px * scale, y + py * scale) for px, py in line]
                    self.line(at, "#62584d", 1.8 * scale, closed=closed)
        walls = [plot for plot in self.land.plots if plot.place == "castle"]
        for plot in walls:
            self.pen.polygon(self.points(plot.outline), fill=PAPER)
        self.paint_land(walls)
        for plot in walls:
            self.line(plot.outline, INK, max(1.4, 3 * self.land.scale**0.5), closed=True)
            if len(self.kingdoms) <= SWARM:
                self.shield(self.territories[plot.key].holder, plot.marks)

    def shield(self, kingdom: str, box: Box) -> None:
        arms = draw_shield(self.kingdoms[kingdom].arms, max(6, round(box.width * self.scale)))
        x, y = box.centre
        at = (round(x * self.scale - arms.width / 2), round(y * self.scale - arms.height / 2))
        self.image.paste(arms, at, arms)

    def marks(self, plot: TerritoryShape) -> None:
        """A taken territory bears its holder's shield, one that is fought over crossed swords."""
        territory = self.territories[plot.key]
        if plot.place == "castle" or self.land.is_crowded:
            return
        kinds = (["swords"] if territory.contested else []) + (["shield"] if territory.taken else [])
        room = plot.marks
        side = min(room.height, room.width / max(1, len(kinds)))
        left = room.centre[0] - side * len(kinds) / 2
        for at, what in enumerate(kinds):
            x, y = left + side * (at + 0.5), room.centre[1]
            if what == "shield":
                self.shield(territory.holder, Box(x - side * 0.4, y - side * 0.48, side * 0.8, side * 0.96))
                continue
            self.disc((x, y), side * 0.47, RAISED, RUBRIC)
            icon = draw_symbol("c-battle", round(side * 0.62 * self.scale))
            self.image.paste(
                RUBRIC, (round(x * self.scale - icon.width / 2), round(y * self.scale - icon.height / 2)), mask=icon
            )

    def disc(self, centre: Point, radius: float, fill: str, edge: str) -> None:
        x, y, r = centre[0] * self.scale, centre[1] * self.scale, radius * self.scale
        self.pen.ellipse((x - r, y - r, x + r, y + r), fill=fill, outline=edge, width=round(2.5 * self.scale))

    def rose(self) -> None:
        scale = self.land.compass / ROSE
        centre = SIZE / 2
        for path, colour in (
            *((path, PAPER) for path in BETWEEN),
            *((path, INK) for path in POINTS),
            (NORTH, RUBRIC),
        ):
            for line, _ in parse_path(path):
                shape: Line = tuple((centre + x * scale, centre + y * scale) for x, y in line)
                self.pen.polygon(self.points(shape), fill=colour)
                self.line(shape, INK, 1, closed=True)
        self.disc((centre, centre), 6 * scale, PAPER, INK)

    # ── Names ────────────────────────────────────────────────────────────────────────────────────────────

    def names(self) -> None:
        unit = self.side / SIZE
        if self.land.is_crowded:
            for at, x, y in place_rim_numbers(self.land):
                self.words.append(ImageText(str(at), x * unit, y * unit, 20 * unit, 60, align="middle"))
            return
        many = len(self.kingdoms) >= MANY
        size = 16 if many else 18
        named = {place: names_fit(self.land, size, place) for place in ("border", "lands")}
        for shape in self.land.kingdom_shapes:
            self._write((self.kingdoms[shape.kingdom].name,), shape.name, 21 if many else 26, caps=True, bold=True)
        for plot in self.land.plots:
            if plot.place == "castle":
                continue
            territory = self.territories[plot.key]
            broken: tuple[str, ...] = ()
            if named[place_kind(plot)]:
                broken = fit_text(territory.name, plot.label.width, plot.label.height, size)
            box = place_label(plot, marked=territory.taken or bool(territory.contested))
            self._write(broken or (self.display.short(territory),), box, size, italic=plot.place == "lands")

    def _write(
        self,
        broken: Sequence[str],
        box: Box,
        size: float,
        *,
        caps: bool = False,
        bold: bool = False,
        italic: bool = False,
    ) -> None:
        unit = self.side / SIZE
        x, y = box.centre
        for at, text in enumerate(broken):
            down = (at - (len(broken) - 1) / 2) * LEADING * size
            self.words.append(
                ImageText(
                    text,
                    x * unit,
                    (y + down) * unit,
                    size * unit,
                    box.width * unit,
                    align="middle",
                    caps=caps,
                    bold=bold,
                    italic=italic,
                    halo=PAPER,
                )
            )


def _mix_hatching_colour(livery: Livery, tile: Tile) -> str:
    """The colour of a hatching as it looks on its wash: six parts line, four parts wash, as on the page."""
    row = livery.row
    line = row.line if tile == row.tile else INK
    part = 0.6
    pairs = ((int(line[at : at + 2], 16), int(row.wash[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a * part + b * (1 - part)):02x}" for a, b in pairs)


# ── Hatchings ────────────────────────────────────────────────────────────────────────────────────────────


def draw_hatching(tile: Tile, reach: tuple[int, int, int, int], scale: float) -> Image.Image:
    """The lines and dots of a tile over a part of the image (left, top, right, bottom), as a mask."""
    left, top, right, bottom = reach
    mask = Image.new("L", (right - left, bottom - top))
    pen = ImageDraw.Draw(mask)
    wide = max(1, round(1.3 * scale))
    turn = _rotation(tile.turned)
    # Which tiles can touch the part: its corners, turned back into the pattern's own space.
    back = _rotation(-tile.turned)
    corners = [back((x / scale, y / scale)) for x in (left, right) for y in (top, bottom)]
    columns = range(
        math.floor(min(x for x, _ in corners) / tile.width), math.ceil(max(x for x, _ in corners) / tile.width)
    )
    rows = range(
        math.floor(min(y for _, y in corners) / tile.height), math.ceil(max(y for _, y in corners) / tile.height)
    )

    def place(x: float, y: float) -> Point:
        px, py = turn((x, y))
        return (px * scale - left, py * scale - top)

    def stroke(points: Sequence[Point]) -> None:
        pen.line([place(x, y) for x, y in points], fill=255, width=wide)

    for line, closed in parse_path(tile.lines) if tile.lines else ():
        points = [*line, line[0]] if closed else list(line)
        (ax, ay), (bx, by) = points[0], points[-1]
        if len(points) == 2 and ax == bx and abs(ay - by) == tile.height:  # runs on from tile to tile
            for column in columns:
                x = column * tile.width + ax
                stroke([(x, rows.start * tile.height), (x, rows.stop * tile.height)])
            continue
        if len(points) == 2 and ay == by and abs(ax - bx) == tile.width:
            for row in rows:
                y = row * tile.height + ay
                stroke([(columns.start * tile.width, y), (columns.stop * tile.width, y)])
            continue
        for column in columns:
            for row in rows:
                stroke([(column * tile.width + x, row * tile.height + y) for x, y in points])
    for dx, dy, radius in tile.dots:
        r = radius * scale
        for column in columns:
            for row in rows:
                x, y = place(column * tile.width + dx, row * tile.height + dy)
                pen.ellipse((x - r, y - r, x + r, y + r), fill=255)
    return mask


def _rotation(degrees: float) -> Callable[[Point], Point]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return lambda point: (point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos)
