"""A scenario's table as figures and as SVG: inches become SVG units, north is up."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import hypot
from typing import Literal

from musters.core.fair_terrain import Layout, TerrainPiece
from rulebook.data.scenarios import PIECE, TABLE, WHOLE_TABLE, Piece, Scenario, Shape, Zone
from text import SafeMarkup

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


def _zone(zone: Zone, *, shared: bool) -> Figure:
    if shared:
        return _figure(zone.shape, "zone zone-both", zone.text)
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
    placed = tuple(_placed_piece(piece) for piece in layout.pieces) if layout else ()
    sentences = [f"{piece.name}." for piece in scenario.pieces if piece.objective or "_" not in piece.key]
    sentences += [f"Side {zone.side}: {zone.text}" for zone in scenario.zones]
    sentences += _layout_sentences(layout) if layout else []
    sentences += [f"{token.label}: {token.x:g} inches from the west, {token.y:g} from the south." for token in tokens]
    return TableDrawing(
        tuple(_piece(piece) for piece in wide),
        areas,
        tuple(_move_letter_aside(_zone(zone, shared=_do_sides_share_zone(scenario)), placed) for zone in drawn),
        tuple(_piece(piece) for piece in small),
        placed,
        tuple(_token(token) for token in tokens),
        _legend(scenario, drawn, bool(areas) and layout is None),
        " ".join(sentences),
    )


def _move_letter_aside(zone: Figure, placed: tuple[Figure, ...]) -> Figure:
    """Move a frame's letter to where no terrain lies."""
    if zone.kind != "frame":
        return zone
    middle, deep = SIDE / 2, zone.width / 2
    aside = [at for step in range(0, SIDE // 2, 2 * SCALE) for at in (middle + step, middle - step)]
    free = [at for at in aside if all(hypot(piece.x - at, piece.y - deep) > piece.radius + SCALE for piece in placed)]
    return replace(zone, middle_x=free[0]) if free else zone


def _do_sides_share_zone(scenario: Scenario) -> bool:
    return scenario.zones[0].shape == scenario.zones[1].shape


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


# ── As SVG: for a page that styles it with terrain.css, or as a file with its own styles ─────────────────


RIM = 14
# The light colours of tokens.css, for programs without custom properties.
_STYLE = """
.felt{fill:#e4ecdc;stroke:#231a12;stroke-width:2.5}.inches path{stroke:#8d7857;stroke-width:1.5;fill:none}
.area{fill:#eae0c8;fill-opacity:.55;stroke:#8d7857;stroke-width:1.5;stroke-dasharray:3 6}
.zone{stroke-width:2;stroke-dasharray:8 5}.zone-a{stroke:#b3262b}.zone-b{stroke:#27589c}.zone-both{stroke:#5b4a38}
.hatch-a{stroke:#b3262b;stroke-width:2.4;opacity:.6}.hatch-b{stroke:#27589c;stroke-width:2.4;opacity:.6}
.piece{stroke:#231a12;stroke-width:1.8;fill:#fcf8ee}.ground-clear{fill:#f5eedd}.ground-mound{fill:#f3e0ae}
.ground-tall_patch{fill:#cfdcc4}.ground-barrier{fill:#cfc6b6;stroke-dasharray:5 3}
.ground-bad_goings{fill:#eae0c8;stroke-dasharray:2 3}.ground-fortress{fill:#cfc6b6;stroke-width:3}
.ground-obstacle{fill:#cfc6b6}.ground-building{fill:#efcfc2}.ground-impassable{fill:#ccd6e0}
.goal{stroke:#9b1b1e;stroke-width:4}.glyph{fill:none;stroke:#231a12;stroke-width:1.6}
.letter circle{fill:#fcf8ee;stroke-width:2.5}.letter-a circle{stroke:#b3262b}.letter-b circle{stroke:#27589c}
text{font-family:Georgia,serif;text-anchor:middle;fill:#231a12}.letter text{font-size:22px;font-weight:600}
.tag{font-size:17px;font-style:italic}.number{font-size:20px;font-weight:600}
.stand-a circle{fill:#fcf8ee;stroke:#b3262b;stroke-width:3}.stand-b rect{fill:#fcf8ee;stroke:#27589c;stroke-width:3}
.stand text{font-size:15px;font-weight:600}
"""


def table_svg(
    scenario: Scenario,
    layout: Layout | None = None,
    tokens: Sequence[Token] = (),
    *,
    label: str = "",
    ids: str = "ground",
) -> SafeMarkup:
    """SVG for a page that links css/terrain.css. ``ids`` keeps the ids of two pictures apart."""
    drawn = draw_table(scenario, layout, tokens)
    description = escape(f"{label or scenario.name}: the table from above. {drawn.words}")
    head = f'<svg class="ground" viewBox="{_box()}" role="img" aria-label="{description}">'
    return SafeMarkup(head + "".join(_inner(drawn, ids)) + "</svg>")


def standalone_table_svg(
    scenario: Scenario, layout: Layout | None = None, tokens: Sequence[Token] = (), *, label: str = ""
) -> str:
    """A complete SVG file with its own styles, 12 cm wide."""
    drawn = draw_table(scenario, layout, tokens)
    title = escape(f"{label or scenario.name}: the table from above")
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{_box()}" width="120mm" height="120mm" role="img">'
        f"<title>{title}</title><desc>{escape(drawn.words)}</desc><style>{_STYLE}</style>"
    )
    return head + "".join(_inner(drawn, "ground")) + "</svg>\n"


def piece_svg(terrain: str, number: int) -> SafeMarkup:
    """One piece for a list; hidden from screen readers, as the list names it."""
    return SafeMarkup(
        '<svg class="ground" viewBox="-33 -33 66 66" aria-hidden="true">'
        f'<circle class="piece laid ground-{terrain}" r="30"/>'
        f'<path class="glyph" d="{TERRAIN_ICONS[terrain]}"/><text class="number" dy=".35em">{number}</text></svg>'
    )


def _box() -> str:
    return f"{-RIM} {-RIM} {SIDE + 2 * RIM} {SIDE + 2 * RIM}"


def _inner(drawn: TableDrawing, ids: str) -> Iterator[str]:
    yield f"<defs>{_hatch(ids, 'a', 45)}{_hatch(ids, 'b', -45)}</defs>"
    yield f'<rect class="felt" width="{SIDE}" height="{SIDE}"/>'
    ticks = "".join(f"M{at} -10v6M{at} {SIDE + 4}v6M-10 {at}h6M{SIDE + 4} {at}h6" for at in INCH_MARKS)
    yield f'<g class="inches"><path d="{ticks}"/></g>'
    for figure in (*drawn.floor, *drawn.areas):
        yield _outline(figure)
    for figure in drawn.zones:
        yield _outline(figure, fill=f"url(#{ids}-{'b' if 'zone-b' in figure.css.split() else 'a'})")
    for figure in (*drawn.pieces, *drawn.placed_pieces):
        yield _outline(figure)
        if figure.terrain:
            icon = TERRAIN_ICONS[figure.terrain]
            yield f'<path class="glyph" transform="translate({_n(figure.x)} {_n(figure.y)})" d="{icon}"/>'
        if figure.letter:
            css = "number" if figure.terrain else "tag"
            x, y = _n(figure.middle_x), _n(figure.middle_y)
            yield f'<text class="{css}" x="{x}" y="{y}" dy=".35em">{figure.letter}</text>'
    for figure in drawn.zones:
        if figure.letter:
            yield (
                f'<g class="letter letter-{figure.letter.lower()}"><circle cx="{_n(figure.middle_x)}" '
                f'cy="{_n(figure.middle_y)}" r="16"/>'
                f'<text x="{_n(figure.middle_x)}" y="{_n(figure.middle_y)}" dy=".35em">{figure.letter}</text></g>'
            )
    for figure in drawn.tokens:
        yield _token_svg(figure)


def _token_svg(figure: Figure) -> str:
    """Side A is round and side B square, so that colour is not the only difference."""
    x, y, r = _n(figure.x), _n(figure.y), _n(figure.radius)
    body = f'<circle cx="{x}" cy="{y}" r="{r}"/>'
    if "stand-b" in figure.css:
        left, top, across = _n(figure.x - figure.radius), _n(figure.y - figure.radius), _n(2 * figure.radius)
        body = f'<rect x="{left}" y="{top}" width="{across}" height="{across}"/>'
    return f'<g class="{figure.css}">{body}<text x="{x}" y="{y}" dy=".35em">{escape(figure.letter)}</text></g>'


def _hatch(ids: str, side: str, angle: int) -> str:
    return (
        f'<pattern id="{ids}-{side}" width="9" height="9" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({angle})">'
        f'<line class="hatch-{side}" x1="0" y1="0" x2="0" y2="9"/></pattern>'
    )


def _outline(figure: Figure, fill: str = "") -> str:
    painted = f' fill="{fill}"' if fill else ""
    title = f"<title>{escape(figure.label)}</title>" if "piece" in figure.css.split() else ""
    if figure.kind == "circle":
        return (
            f'<circle class="{figure.css}"{painted} cx="{_n(figure.x)}" cy="{_n(figure.y)}" r="{_n(figure.radius)}">'
            f"{title}</circle>"
        )
    if figure.kind == "frame":
        deep, hole = _n(figure.width), _n(figure.inner)
        path = f"M0 0H{SIDE}V{SIDE}H0zM{deep} {deep}v{hole}h{hole}v-{hole}z"
        return f'<path class="{figure.css}"{painted} fill-rule="evenodd" d="{path}"/>'
    return (
        f'<rect class="{figure.css}"{painted} x="{_n(figure.x)}" y="{_n(figure.y)}" width="{_n(figure.width)}" '
        f'height="{_n(figure.height)}">'
        f"{title}</rect>"
    )


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


# ── Icons, centred on the piece: 60 units are 3 inches ───────────────────────────────────────────────────


# Path data within a circle of radius 26; the middle is for a number.
TERRAIN_ICONS: dict[str, str] = {
    "clear": "",
    "mound": "M-22 0a22 22 0 1 0 44 0a22 22 0 1 0-44 0M-15 0a15 15 0 1 0 30 0a15 15 0 1 0-30 0",
    "tall_patch": (
        "M-20 4c0-7 3-10 6-12c1 6-1 10-6 12zm0 0c-5-2-6-6-5-11M20 4c0-7-3-10-6-12c-1 6 1 10 6 12zm0 0c5-2 6-6 5-11"
        "M-6-15c0-6 3-8 6-10c3 2 6 4 6 10M0-14v-8M-8 24c0-6 3-8 6-9c1 5-1 8-6 9zm16 0c0-6-3-8-6-9c-1 5 1 8 6 9z"
    ),
    "barrier": (
        "M-25-4c3-5 8-5 10 0M-25 4c3-5 8-5 10 0M25-4c-3-5-8-5-10 0M25 4c-3-5-8-5-10 0M-10-19c3-5 8-5 10 0c2-5 7-5 10 0"
        "M-10 21c3-5 8-5 10 0c2-5 7-5 10 0"
    ),
    "bad_goings": "M-23-3h6m2 7h4M17-3h6m-12 7h4M-8-19h6m3 4h7M-9 19h7m2 4h6M-17-13h3M14 13h4",
    "fortress": "M-22-22h8v5h6v-5h16v5h6v-5h8v8h-5v6h5v16h-5v6h5v8h-8v-5h-6v5h-16v-5h-6v5h-8v-8h5v-6h-5v-16h5v-6h-5z",
    "obstacle": "M-16-18L2-25L19-16L25 3L16 20L-4 25L-21 16L-25-3zM-16-18L-9-12M19-16L12-11M16 20L11 13M-21 16L-13 11",
    "building": "M-19 23V-6L0-24L19-6V23zM-24-1L0-24L24-1",
    "impassable": (
        "M-24-6c4-5 8-5 11 0M13-6c4-5 8-5 11 0M-12-17c4-5 8-5 12 0c4 5 8 5 12 0M-12 17c4-5 8-5 12 0c4 5 8 5 12 0"
        "M-24 6c4-5 8-5 11 0M13 6c4-5 8-5 11 0"
    ),
}
