"""A scenario's table as figures: inches become SVG units, north is up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Literal

from musters.terrain.fair_layout import Layout, TerrainPiece
from rulebook.data.scenarios import PIECE, TABLE, WHOLE_TABLE, Piece, Scenario, Shape, Zone

SCALE = 20
SIDE = TABLE * SCALE
TOKEN = 15  # radius
INCH_MARKS = tuple(range(0, SIDE + 1, 4 * SCALE))


@dataclass(frozen=True, slots=True)
class Figure:
    kind: str  # rect, circle or frame
    css: str
    label: str
    x: float = 0.0  # left, or centre of a circle
    y: float = 0.0  # top, or centre of a circle
    width: float = 0.0
    height: float = 0.0
    radius: float = 0.0
    middle_x: float = 0.0
    middle_y: float = 0.0
    letter: str = ""
    terrain: str = ""

    @property
    def inner(self) -> float:
        """Side length of the hole in a frame."""
        return SIDE - 2 * self.width


@dataclass(frozen=True, slots=True)
class Token:
    """A unit on the table, in inches from the south-west corner."""

    side: Literal["A", "B"]
    label: str  # two or three characters
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class TableDrawing:
    floor: tuple[Figure, ...]  # wide terrain below the zones: a path, a stream
    areas: tuple[Figure, ...]
    zones: tuple[Figure, ...]
    pieces: tuple[Figure, ...]
    placed_pieces: tuple[Figure, ...]  # terrain laid out by dice
    tokens: tuple[Figure, ...]
    legend: tuple[tuple[str, str], ...]  # CSS class, text
    words: str


# Short names to write on the pieces.
_TAGS = {
    "west_ford": "ford",
    "east_ford": "ford",
    "bridge": "bridge",
    "fortress": "fortress",
    "homestead": "barn",
    "gatehouse": "gate",
    "courtyard": "yard",
    "west_mound": "mound",
    "centre_mound": "mound",
    "east_mound": "mound",
}


def _tag(piece: Piece) -> str:
    stem = piece.key.split("_")[0]
    return _TAGS.get(piece.key) or {"tower": "tower", "battlement": "wall", "building": "house"}.get(stem, "")


def _figure(shape: Shape, css: str, label: str, letter: str = "") -> Figure:
    if shape.kind == "circle":
        x, y, r = shape.x * SCALE, (TABLE - shape.y) * SCALE, shape.radius * SCALE
        # Move the letter of a round zone aside: the middle is taken.
        lx, ly = (x + r * 0.36, y - r * 0.63) if letter and len(letter) == 1 else (x, y)
        return Figure("circle", css, label, x, y, radius=r, middle_x=lx, middle_y=ly, letter=letter)
    if shape.kind == "frame":
        deep = shape.width * SCALE
        return Figure("frame", css, label, width=deep, middle_x=SIDE / 2, middle_y=deep / 2, letter=letter)
    left, top = shape.x * SCALE, (TABLE - shape.y - shape.height) * SCALE
    wide, high = shape.width * SCALE, shape.height * SCALE
    return Figure("rect", css, label, left, top, wide, high, 0.0, left + wide / 2, top + high / 2, letter)


def _piece(piece: Piece) -> Figure:
    goal = " goal" if piece.objective else ""
    return _figure(piece.shape, f"piece ground-{piece.terrain}{goal}", piece.name, _tag(piece))


def _zone(zone: Zone) -> Figure:
    return _figure(zone.shape, f"zone zone-{zone.side.lower()}", zone.text, zone.side)


def format_half_inches(inches: float) -> str:
    """5½ or 8."""
    whole = int(inches)
    return f"{whole or ''}½" if inches % 1 else str(whole)


def _placed_piece(piece: TerrainPiece) -> Figure:
    x, y = piece.x * SCALE, (TABLE - piece.y) * SCALE
    return Figure(
        "circle",
        f"piece laid ground-{piece.terrain}",
        f"{piece.number}: {piece.kind.name}",
        x,
        y,
        radius=PIECE / 2 * SCALE,
        middle_x=x,
        middle_y=y,
        letter=str(piece.number),
        terrain=piece.terrain,
    )


def _token(token: Token) -> Figure:
    x, y = token.x * SCALE, (TABLE - token.y) * SCALE
    css = f"stand stand-{token.side.lower()}"
    return Figure("circle", css, token.label, x, y, radius=TOKEN, middle_x=x, middle_y=y, letter=token.label)


def _layout_sentences(layout: Layout) -> list[str]:
    return [
        f"{pair.kind.name} {format_half_inches(pair.right)} inches to the right and {format_half_inches(pair.up)} up, "
        "from either left-hand corner."
        for pair in layout.pairs
    ]


def draw_table(scenario: Scenario, layout: Layout | None = None, tokens: Sequence[Token] = ()) -> TableDrawing:
    """Everything to draw, with a text for screen readers."""
    areas = tuple(
        _figure(area, "area", placement.where)
        for placement in scenario.placements
        for area in placement.areas
        if area != WHOLE_TABLE
    )
    # Draw no zone for a side that can deploy anywhere, and one zone if both share it.
    drawn = [zone for zone in scenario.zones if zone.shape != WHOLE_TABLE]
    if len({zone.shape for zone in drawn}) < len(drawn):
        drawn = drawn[:1]
    wide = [piece for piece in scenario.pieces if max(piece.shape.width, piece.shape.height) > PIECE]
    small = [piece for piece in scenario.pieces if piece not in wide]
    laid = tuple(_placed_piece(piece) for piece in layout.pieces) if layout else ()
    sentences = [f"{piece.name}." for piece in scenario.pieces if piece.objective or "_" not in piece.key]
    sentences += [f"Side {zone.side}: {zone.text}" for zone in scenario.zones]
    sentences += _layout_sentences(layout) if layout else []
    sentences += [f"{token.label}: {token.x:g} inches from the west, {token.y:g} from the south." for token in tokens]
    return TableDrawing(
        tuple(_piece(piece) for piece in wide),
        areas,
        tuple(
            _move_letter_aside(_shared_zone(zone) if _do_sides_share_zone(scenario) else _zone(zone), laid)
            for zone in drawn
        ),
        tuple(_piece(piece) for piece in small),
        laid,
        tuple(_token(token) for token in tokens),
        _legend(scenario, drawn, bool(areas) and layout is None),
        " ".join(sentences),
    )


def _move_letter_aside(zone: Figure, laid: tuple[Figure, ...]) -> Figure:
    """Move a frame's letter to where no terrain lies."""
    if zone.kind != "frame":
        return zone
    middle, deep = SIDE / 2, zone.width / 2
    aside = [at for step in range(0, SIDE // 2, 2 * SCALE) for at in (middle + step, middle - step)]
    free = [at for at in aside if all(hypot(one.x - at, one.y - deep) > one.radius + SCALE for one in laid)]
    return replace(zone, middle_x=free[0]) if free else zone


def _do_sides_share_zone(scenario: Scenario) -> bool:
    return scenario.zones[0].shape == scenario.zones[1].shape


def _shared_zone(zone: Zone) -> Figure:
    return _figure(zone.shape, "zone zone-both", zone.text)


def _legend(scenario: Scenario, drawn: list[Zone], areas: bool) -> tuple[tuple[str, str], ...]:
    rows = []
    for zone in scenario.zones:
        who = ("One edge", "The other") if scenario.equal else ("Side A", "Side B")
        name = who[0] if zone.side == "A" else who[1]
        if _do_sides_share_zone(scenario):
            return (("zone-key zone-key-both", "Both sides: 3″ to 21″ up and across, rolled."),)
        sign = f"zone-key zone-key-{zone.side.lower()}" if zone in drawn else "zone-key zone-key-none"
        rows.append((sign, f"{name}: {zone.text[0].lower()}{zone.text[1:]}"))
    if areas:
        rows.append(("zone-key zone-key-area", f"Terrain is placed {scenario.placements[0].where}."))
    if scenario.objectives and not scenario.is_siege:
        rows.append(("goal-key", "Objective"))
    return tuple(rows)
