"""The ground of a scenario as figures of a drawing: inches become units of an SVG, north is up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Literal

from musters.ground.layout import Laid, Layout
from rulebook.scenarios import PIECE, TABLE, WHOLE_TABLE, Piece, Scenario, Shape, Zone

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
        """The side of the hole of a frame."""
        return SIDE - 2 * self.width


@dataclass(frozen=True, slots=True)
class Token:
    """A unit on the table: inches from the south-west corner, its side and what is written on it."""

    side: Literal["A", "B"]
    label: str  # two or three signs
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Drawing:
    floor: tuple[Figure, ...]  # wide ground that zones lie upon: a path, a stream
    areas: tuple[Figure, ...]
    zones: tuple[Figure, ...]
    pieces: tuple[Figure, ...]
    laid: tuple[Figure, ...]  # what the dice have put down
    tokens: tuple[Figure, ...]
    legend: tuple[tuple[str, str], ...]  # class of the sign, words
    words: str


# Short names to write on the pieces themselves.
_TAGS = {
    "west_ford": "ford", "east_ford": "ford", "bridge": "bridge", "fortress": "fortress", "homestead": "barn", "gatehouse": "gate",
    "courtyard": "yard", "west_mound": "mound", "centre_mound": "mound", "east_mound": "mound",
}  # fmt: skip


def _tag(piece: Piece) -> str:
    stem = piece.key.split("_")[0]
    return _TAGS.get(piece.key) or {"tower": "tower", "battlement": "wall", "building": "house"}.get(stem, "")


def _figure(shape: Shape, css: str, label: str, letter: str = "") -> Figure:
    if shape.kind == "circle":
        x, y, r = shape.x * SCALE, (TABLE - shape.y) * SCALE, shape.radius * SCALE
        # The letter of a round zone stands aside, for the middle is taken.
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


def half_inches(inches: float) -> str:
    """5½ or 8: as a tape measure is read aloud."""
    whole = int(inches)
    return f"{whole or ''}½" if inches % 1 else str(whole)


def _laid(piece: Laid) -> Figure:
    x, y = piece.x * SCALE, (TABLE - piece.y) * SCALE
    return Figure(
        "circle", f"piece laid ground-{piece.terrain}", f"{piece.number}: {piece.kind.name}", x, y,
        radius=PIECE / 2 * SCALE, middle_x=x, middle_y=y, letter=str(piece.number), terrain=piece.terrain,
    )  # fmt: skip


def _token(token: Token) -> Figure:
    x, y = token.x * SCALE, (TABLE - token.y) * SCALE
    css = f"stand stand-{token.side.lower()}"
    return Figure("circle", css, token.label, x, y, radius=TOKEN, middle_x=x, middle_y=y, letter=token.label)


def _said(layout: Layout) -> list[str]:
    return [
        f"{pair.kind.name} {half_inches(pair.right)} inches to the right and {half_inches(pair.up)} up, seen from either left-hand corner."
        for pair in layout.pairs
    ]


def drawing(scenario: Scenario, layout: Layout | None = None, tokens: Sequence[Token] = ()) -> Drawing:
    """What the page draws, with the words a reader hears instead."""
    areas = tuple(
        _figure(area, "area", placement.where)
        for placement in scenario.placements
        for area in placement.areas
        if area != WHOLE_TABLE
    )
    # A side that may stand anywhere needs no zone drawn over everything, and two on the same square need one.
    drawn = [zone for zone in scenario.zones if zone.shape != WHOLE_TABLE]
    if len({zone.shape for zone in drawn}) < len(drawn):
        drawn = drawn[:1]
    wide = [piece for piece in scenario.pieces if max(piece.shape.width, piece.shape.height) > PIECE]
    small = [piece for piece in scenario.pieces if piece not in wide]
    laid = tuple(_laid(piece) for piece in layout.pieces) if layout else ()
    told = [f"{piece.name}." for piece in scenario.pieces if piece.objective or "_" not in piece.key]
    told += [f"Side {zone.side}: {zone.text}" for zone in scenario.zones]
    told += _said(layout) if layout else []
    told += [
        f"{token.label} stands {token.x:g} inches from the west and {token.y:g} from the south." for token in tokens
    ]
    return Drawing(
        tuple(_piece(piece) for piece in wide),
        areas,
        tuple(_beside(_both(zone) if _shared(scenario) else _zone(zone), laid) for zone in drawn),
        tuple(_piece(piece) for piece in small),
        laid,
        tuple(_token(token) for token in tokens),
        _legend(scenario, drawn, bool(areas) and layout is None),
        " ".join(told),
    )  # fmt: skip


def _beside(zone: Figure, laid: tuple[Figure, ...]) -> Figure:
    """A frame with its letter where no piece of terrain lies: in the middle of the north, or somewhat aside."""
    if zone.kind != "frame":
        return zone
    middle, deep = SIDE / 2, zone.width / 2
    aside = [at for step in range(0, SIDE // 2, 2 * SCALE) for at in (middle + step, middle - step)]
    free = [at for at in aside if all(hypot(one.x - at, one.y - deep) > one.radius + SCALE for one in laid)]
    return replace(zone, middle_x=free[0]) if free else zone


def _shared(scenario: Scenario) -> bool:
    return scenario.zones[0].shape == scenario.zones[1].shape


def _both(zone: Zone) -> Figure:
    return _figure(zone.shape, "zone zone-both", zone.text)


def _legend(scenario: Scenario, drawn: list[Zone], areas: bool) -> tuple[tuple[str, str], ...]:
    rows = []
    for zone in scenario.zones:
        who = ("One edge", "The other") if scenario.equal else ("Side A", "Side B")
        name = who[0] if zone.side == "A" else who[1]
        if _shared(scenario):
            return (("zone-key zone-key-both", "Both sides: 3″ to 21″ up and across, by dice."),)
        sign = f"zone-key zone-key-{zone.side.lower()}" if zone in drawn else "zone-key zone-key-none"
        rows.append((sign, f"{name}: {zone.text[0].lower()}{zone.text[1:]}"))
    if areas:
        rows.append(("zone-key zone-key-area", f"Terrain is placed {scenario.placements[0].where}."))
    if scenario.objectives and scenario.key != "siege":
        rows.append(("goal-key", "Objective"))
    return tuple(rows)
