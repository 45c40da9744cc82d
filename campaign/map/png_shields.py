"""Shields and symbols as images, for drawings made of pixels: the same paths as on the page."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import lru_cache

from PIL import Image, ImageChops, ImageDraw

from campaign.map.points_and_svg_paths import Line, Point, parse_path
from heraldry import TINCTURE, Arms, sprite
from heraldry.charges import CHARGE
from heraldry.divisions import DIVISION
from heraldry.ordinaries import ORDINARY
from heraldry.svg import OUTLINE
from heraldry.tinctures import COUNTERCHANGED

EDGE = "#231a12"
_FINE = 4  # drawn so many times larger, then shrunk
_WHOLE = "M0 0H100V120H0z"

Move = Callable[[Point], Point]


def _fill_mask(size: tuple[int, int], shapes: list[Line], *, even_odd: bool) -> Image.Image:
    """What these closed lines cover; with even_odd a line within a line is a hole."""
    if not even_odd:
        mask = Image.new("1", size)
        pen = ImageDraw.Draw(mask)
        for shape in shapes:
            pen.polygon(shape, fill=1)
        return mask
    mask = Image.new("1", size)
    for shape in shapes:
        one = Image.new("1", size)
        ImageDraw.Draw(one).polygon(shape, fill=1)
        mask = ImageChops.logical_xor(mask, one)
    return mask


def _closed_shapes(path: str, move: Move) -> list[Line]:
    return [tuple(move(point) for point in line) for line, _ in parse_path(path) if len(line) > 2]


# ── Symbols of the sprite ────────────────────────────────────────────────────────────────────────────────

_TURN = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")


def _parse_transform(transform: str) -> Move:
    """A transform of the sprite as a function on points; the last word is applied first."""
    steps: list[Move] = []
    for name, inside in _TURN.findall(transform):
        numbers = [float(part) for part in re.split(r"[ ,]+", inside.strip())]
        if name == "translate":
            dx, dy = numbers[0], numbers[1] if len(numbers) > 1 else 0.0
            steps.append(lambda p, dx=dx, dy=dy: (p[0] + dx, p[1] + dy))  # type: ignore[misc]
        elif name == "scale":
            by = numbers[0]
            steps.append(lambda p, by=by: (p[0] * by, p[1] * by))  # type: ignore[misc]
        else:
            cos, sin = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
            cx, cy = (numbers[1], numbers[2]) if len(numbers) > 2 else (0.0, 0.0)
            steps.append(
                lambda p, cos=cos, sin=sin, cx=cx, cy=cy: (  # type: ignore[misc]
                    cx + (p[0] - cx) * cos - (p[1] - cy) * sin,
                    cy + (p[0] - cx) * sin + (p[1] - cy) * cos,
                )
            )

    def move(point: Point) -> Point:
        for step in reversed(steps):
            point = step(point)
        return point

    return move


@lru_cache(maxsize=128)
def draw_symbol(name: str, side: int) -> Image.Image:
    """What a symbol of the sprite covers, as a mask of so many pixels square."""
    scale = side * _FINE / 64
    mask = Image.new("1", (side * _FINE, side * _FINE))

    def onto(point: Point) -> Point:
        return (point[0] * scale, point[1] * scale)

    _draw_node(_parse_symbol(name), onto, scale, mask)
    return mask.convert("L").resize((side, side), Image.Resampling.LANCZOS)


def _parse_symbol(name: str) -> ET.Element:
    """One of our own drawings; nothing from outside is parsed here."""
    return ET.fromstring(f"<g>{sprite.read_symbols()[name]}</g>")  # nosec B314


def _draw_node(node: ET.Element, move: Move, scale: float, mask: Image.Image) -> None:
    turn = node.get("transform")
    if turn:
        inner, outer = _parse_transform(turn), move

        def both(point: Point) -> Point:
            return outer(inner(point))

        move = both
        grown = re.search(r"scale\(([^)]*)\)", turn)
        scale *= float(grown[1]) if grown else 1.0
    if node.get("opacity") == "0":
        return
    path = _node_path(node)
    if path and node.get("stroke") and node.get("fill") == "none":
        wide = max(1, round(float(node.get("stroke-width", "1")) * scale))
        pen = ImageDraw.Draw(mask)
        for line, closed in parse_path(path):
            points = [move(point) for point in line]
            if closed:
                points.append(points[0])
            pen.line(points, fill=1, width=wide, joint="curve")
            for x, y in (points[0], points[-1]):
                pen.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=1)
    elif path:
        shape = _fill_mask(mask.size, _closed_shapes(path, move), even_odd=node.get("fill-rule") == "evenodd")
        mask.paste(1, mask=shape)
    for child in node:
        if child.tag == "use":
            _draw_node(_parse_symbol(child.get("href", "")[1:]), move, scale, mask)
        else:
            _draw_node(child, move, scale, mask)


def _node_path(node: ET.Element) -> str:
    if node.tag == "path":
        return node.get("d", "")
    if node.tag == "circle":
        x, y, r = (float(node.get(name, "0")) for name in ("cx", "cy", "r"))
        return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"
    if node.tag == "rect":
        x, y, w, h = (float(node.get(name, "0")) for name in ("x", "y", "width", "height"))
        return f"M{x} {y}H{x + w}V{y + h}H{x}z"
    return ""


# ── Arms ─────────────────────────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=256)
def draw_shield(arms: Arms, width: int) -> Image.Image:
    """A shield so many pixels wide, on nothing."""
    scale = width * _FINE / 100
    size = (width * _FINE, width * _FINE * 6 // 5)

    def onto(point: Point) -> Point:
        return (point[0] * scale, point[1] * scale)

    def area(path: str) -> Image.Image:
        return _fill_mask(size, _closed_shapes(path, onto), even_odd=True)

    drawn = Image.new("RGB", size, TINCTURE[arms.field].paint)

    def outlined(path: str) -> None:
        pen = ImageDraw.Draw(drawn)
        for shape in _closed_shapes(path, onto):
            pen.line([*shape, shape[0]], fill=EDGE, width=max(1, round(1.5 * scale)), joint="curve")

    def laid(tincture: str, mask: Image.Image) -> None:
        if tincture != COUNTERCHANGED:
            drawn.paste(TINCTURE[tincture].paint, mask=mask)
            return
        drawn.paste(TINCTURE[arms.field2].paint, mask=mask)
        crossed = ImageChops.multiply(mask.convert("L"), area(DIVISION[arms.division].second).convert("L"))
        drawn.paste(TINCTURE[arms.field].paint, mask=crossed)

    if arms.field2:
        drawn.paste(TINCTURE[arms.field2].paint, mask=area(DIVISION[arms.division].second))
        outlined(DIVISION[arms.division].second)
    if arms.ordinary != "none":
        laid(arms.ordinary_tincture, area(ORDINARY[arms.ordinary].path))
        outlined(ORDINARY[arms.ordinary].path)
    if arms.charge != "none":
        row = CHARGE[arms.charge]
        mask = Image.new("L", size)
        for x, y, spot in arms.spots():
            side = max(1, round(spot * row.scale * scale))
            mask.paste(draw_symbol(row.symbol, side), (round(x * scale - side / 2), round(y * scale - side / 2)))
        laid(arms.charge_tincture, mask)
    inside = area(OUTLINE).convert("L")
    # The rim is as heavy as the page has it for small shields.
    pen, rim = ImageDraw.Draw(drawn), Image.new("L", size)
    edge = [*_closed_shapes(OUTLINE, onto)[0]]
    ImageDraw.Draw(rim).line([*edge, edge[0], edge[1]], fill=255, width=max(1, round(5 * scale)), joint="curve")
    pen.line([*edge, edge[0], edge[1]], fill=EDGE, width=max(1, round(5 * scale)), joint="curve")
    drawn.putalpha(ImageChops.lighter(inside, rim))
    return drawn.resize((width, width * 6 // 5), Image.Resampling.LANCZOS)
