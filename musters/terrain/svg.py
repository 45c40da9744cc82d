"""The table as SVG: for a page that styles it with terrain.css, or as a file with its own styles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from musters.terrain.fair_layout import Layout
from musters.terrain.scenario_table_drawing import INCH_MARKS, SIDE, Figure, TableDrawing, Token, draw_table
from musters.terrain.terrain_icons import TERRAIN_ICONS
from rulebook.data.scenarios import Scenario
from text import SafeMarkup

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
    for one in (*drawn.floor, *drawn.areas):
        yield _outline(one)
    for one in drawn.zones:
        yield _outline(one, fill=f"url(#{ids}-{'b' if 'zone-b' in one.css.split() else 'a'})")
    for one in (*drawn.pieces, *drawn.placed_pieces):
        yield _outline(one)
        if one.terrain:
            icon = TERRAIN_ICONS[one.terrain]
            yield f'<path class="glyph" transform="translate({_n(one.x)} {_n(one.y)})" d="{icon}"/>'
        if one.letter:
            css = "number" if one.terrain else "tag"
            yield f'<text class="{css}" x="{_n(one.middle_x)}" y="{_n(one.middle_y)}" dy=".35em">{one.letter}</text>'
    for one in drawn.zones:
        if one.letter:
            yield (
                f'<g class="letter letter-{one.letter.lower()}"><circle cx="{_n(one.middle_x)}" '
                f'cy="{_n(one.middle_y)}" r="16"/>'
                f'<text x="{_n(one.middle_x)}" y="{_n(one.middle_y)}" dy=".35em">{one.letter}</text></g>'
            )
    for one in drawn.tokens:
        yield _token(one)


def _token(one: Figure) -> str:
    """Side A is round and side B square, so that colour is not the only difference."""
    x, y, r = _n(one.x), _n(one.y), _n(one.radius)
    body = f'<circle cx="{x}" cy="{y}" r="{r}"/>'
    if "stand-b" in one.css:
        across = _n(2 * one.radius)
        body = f'<rect x="{_n(one.x - one.radius)}" y="{_n(one.y - one.radius)}" width="{across}" height="{across}"/>'
    return f'<g class="{one.css}">{body}<text x="{x}" y="{y}" dy=".35em">{escape(one.letter)}</text></g>'


def _hatch(ids: str, side: str, angle: int) -> str:
    return (
        f'<pattern id="{ids}-{side}" width="9" height="9" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({angle})">'
        f'<line class="hatch-{side}" x1="0" y1="0" x2="0" y2="9"/></pattern>'
    )


def _outline(one: Figure, fill: str = "") -> str:
    painted = f' fill="{fill}"' if fill else ""
    title = f"<title>{escape(one.label)}</title>" if "piece" in one.css.split() else ""
    if one.kind == "circle":
        return (
            f'<circle class="{one.css}"{painted} cx="{_n(one.x)}" cy="{_n(one.y)}" r="{_n(one.radius)}">'
            f"{title}</circle>"
        )
    if one.kind == "frame":
        deep, hole = _n(one.width), _n(one.inner)
        path = f"M0 0H{SIDE}V{SIDE}H0zM{deep} {deep}v{hole}h{hole}v-{hole}z"
        return f'<path class="{one.css}"{painted} fill-rule="evenodd" d="{path}"/>'
    return (
        f'<rect class="{one.css}"{painted} x="{_n(one.x)}" y="{_n(one.y)}" width="{_n(one.width)}" '
        f'height="{_n(one.height)}">'
        f"{title}</rect>"
    )


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
