"""The castle from above as SVG, in the style of the map: colours of the holder, boxes for hits, discs for units."""

from dataclasses import dataclass
from html import escape

from battles.tracker.core.state import TrackedUnit, TrackerState
from rulebook.battle.castle import PIECES, PieceState

TOWERS = {"tower_nw": (140, 140), "tower_ne": (520, 140), "tower_se": (520, 520), "tower_sw": (140, 520)}
WALLS = {
    "battlement_n": (198, 112, 264, 62),
    "battlement_e": (486, 198, 62, 264),
    "gatehouse": (198, 486, 264, 62),
    "battlement_w": (112, 198, 62, 264),
}
# Positions of the hit boxes, the discs of occupants, and the vats.
# fmt: off
BOXES = {
    "tower_nw": (140, 52), "tower_ne": (520, 52), "tower_se": (520, 602), "tower_sw": (140, 602),
    "battlement_n": (330, 194), "battlement_e": (454, 330), "gatehouse": (330, 456), "battlement_w": (206, 330),
}
DISCS = {
    **TOWERS,
    "battlement_n": (270, 143), "battlement_e": (517, 290), "gatehouse": (426, 517), "battlement_w": (143, 290),
}
VATS = {"battlement_n": (390, 143), "battlement_e": (517, 390), "gatehouse": (236, 517), "battlement_w": (143, 390)}
STONES = ((-3, 1, 7), (-18, 10, 8), (-13, -16, 8), (7, 18, 4), (-30, -5, 6), (14, -16, 5), (-18, 28, 7), (24, 8, 4),
          (10, -28, 5), (3, 33, 7), (-43, -15, 7), (32, -6, 5), (-17, -41, 6), (21, 28, 5), (-52, 4, 6), (20, -31, 7),
          (40, 6, 6), (-49, 25, 4), (3, -50, 7), (20, 47, 5), (-60, -16, 7), (35, -21, 7), (-30, 47, 8), (-30, -52, 6),
          (40, 25, 8))
# fmt: on


@dataclass(frozen=True, slots=True)
class CastlePieceRow:
    key: str
    name: str
    occupants: tuple[tuple[str, str], ...]
    damage: int
    hits: tuple[bool, ...]
    vat: bool
    levelled: bool
    side: str
    wall: bool


def _holder(tracker: TrackerState, state: PieceState) -> str:
    """The side whose colours a piece shows: its occupants', else the defender's."""
    if state.occupants:
        return state.occupants[0].side
    return "B"


def castle_piece_rows(tracker: TrackerState) -> tuple[CastlePieceRow, ...]:
    """The nine pieces as rows of a table."""
    rows = []
    for state in tracker.castle().pieces:
        hits = state.piece.kind.hits or 0
        rows.append(
            CastlePieceRow(
                state.key,
                state.piece.name,
                tuple((unit.name, tracker.unit(unit.name).name) for unit in state.occupants),
                state.damage,
                tuple(at < state.damage for at in range(hits)),
                state.vat,
                state.levelled,
                _holder(tracker, state),
                state.piece.kind.wall,
            )
        )
    return tuple(rows)


def castle_svg(tracker: TrackerState, liveries: dict[str, str]) -> str:
    castle = tracker.castle()
    damages = [f"{piece.name} levelled" for piece in PIECES if castle[piece.key].levelled]
    damages += [
        f"{state.piece.name} hit {state.damage} of {state.piece.kind.hits}"
        for state in castle.pieces
        if state.damage and not state.levelled
    ]
    label = f"Plan of the castle from above. {', '.join(damages) or 'All walls are intact'}."
    parts = [
        '<rect x="140" y="140" width="380" height="380" class="yard"/>',
        '<text class="cap" x="330" y="300">courtyard</text>',
    ]
    for key, box in WALLS.items():
        parts.append(_wall(castle[key], box, liveries[_holder(tracker, castle[key])]))
    for key, (x, y) in TOWERS.items():
        parts.append(_tower(castle[key], x, y, liveries[_holder(tracker, castle[key])]))
    for state in castle.pieces:
        if state.vat and state.key in VATS:
            parts.append(_disc(*VATS[state.key], "vat", "disc disc-v", "a vat of cheese sauce"))
        units = [tracker.unit(unit.name) for unit in state.occupants]
        parts += _occupants(state.key, units, liveries)
        if state.piece.kind.wall and not state.levelled:
            parts.append(_boxes(state))
    outside = [unit for unit in tracker.units_here() if not unit.at.castle]
    parts += _outside(outside, liveries)
    return (
        f'<svg class="castle" viewBox="20 20 640 {700 if outside else 620}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


def _wall(state: PieceState, box: tuple[int, int, int, int], livery: str) -> str:
    x, y, width, height = box
    if state.levelled:
        return _rubble(x + width / 2, y + height / 2, width, height)
    rect = f'<rect x="{x}" y="{y}" width="{width}" height="{height}"'
    drawn = f'{rect} class="fills-{livery}"/>{rect} fill="url(#m-{livery})"/>{rect} class="wall"/>'
    outer = {
        "battlement_n": f"M{x + 6} {y + 7}H{x + width - 6}",
        "gatehouse": f"M{x + 6} {y + height - 7}H{x + width - 6}",
        "battlement_w": f"M{x + 7} {y + 6}V{y + height - 6}",
        "battlement_e": f"M{x + width - 7} {y + 6}V{y + height - 6}",
    }
    drawn += f'<path class="merlon" d="{outer[state.key]}" stroke-dasharray="14 14"/>'
    if state.key == "gatehouse":
        gate = "M268 474H392V566H268z"
        drawn += (
            f'<path class="fills-{livery}" d="{gate}"/><path fill="url(#m-{livery})" d="{gate}"/>'
            f'<path class="wall" d="{gate}"/>'
        )
        drawn += (
            '<path class="gate" d="M306 566V530C306 500 354 500 354 530V566z"/>'
            '<path class="grate" d="M318 566V514M330 566V508M342 566V514M306 532H354M306 548H354"/>'
        )
    if state.damage:
        cx, cy = x + width / 2, y + height / 2
        drawn += (
            f'<path class="crack" d="M{cx - 30:g} {cy - 18:g}l12 10l-4 12l14 8'
            f'M{cx + 20:g} {cy - 20:g}l-8 12l6 10l-10 14"/>'
        )
    return drawn


def _tower(state: PieceState, x: int, y: int, livery: str) -> str:
    if state.levelled:
        return _rubble(x, y, 124, 124)
    ring = f'<circle cx="{x}" cy="{y}"'
    drawn = f'{ring} r="62" class="fills-{livery}"/>{ring} r="62" fill="url(#m-{livery})"/>{ring} r="62" class="wall"/>'
    drawn += f'{ring} r="55.5" class="merlon" stroke-dasharray="14.5 14.56"/>{ring} r="48" class="inner"/>'
    if state.damage:
        drawn += (
            f'<path class="crack" d="M{x + 50} {y - 32}l-16 6l5 12l-15 6l9 13l-6 11M{x + 34} {y - 10}l-12-8l-2-14"/>'
        )
    return drawn


def _rubble(x: float, y: float, width: float, height: float) -> str:
    stones = "".join(
        f'<path class="stone" d="M{x + dx * width / 124:.0f} {y + dy * height / 124:.0f}'
        f'l{size} -{size + 1}l{size + 4} 2l3 {size + 1}l-{size + 4} {size - 1}z"/>'
        for dx, dy, size in STONES
    )
    shape = (
        f'<rect class="ghost" x="{x - width / 2:g}" y="{y - height / 2:g}" width="{width:g}" height="{height:g}" '
        f'rx="{min(width, height) / 2:g}"/>'
    )
    return f"{shape}{stones}"


def _boxes(state: PieceState) -> str:
    x, y = BOXES[state.key]
    hits = state.piece.kind.hits or 0
    left = x - hits * 12 + 2
    drawn = ""
    for at in range(hits):
        hit = at < state.damage
        drawn += (
            f'<rect class="hb{" hb-hit" if hit else ""}" x="{left + at * 24}" y="{y - 10}" width="20" height="20"/>'
        )
        if hit:
            drawn += f'<path class="hb-x" d="M{left + at * 24 + 5} {y - 5}l10 10m0-10l-10 10"/>'
    return drawn


def _disc(x: float, y: float, symbol: str, css: str, title: str, radius: int = 24) -> str:
    half = radius * 2 / 3
    return (
        f'<g><title>{escape(title)}</title><circle cx="{x:g}" cy="{y:g}" r="{radius}" class="{css}"/>'
        f'<use href="#c-{symbol}" x="{x - half:g}" y="{y - half:g}" width="{half * 2:g}" height="{half * 2:g}"/></g>'
    )


def _unit_disc(unit: TrackedUnit, x: float, y: float, liveries: dict[str, str]) -> str:
    css = f"disc disc-{liveries[unit.side]}{' disc-flees' if unit.fleeing else ''}"
    return _disc(x, y, unit.now.key, css, f"{unit.name}, {unit.now.models} of {unit.row.models} models")


def _occupants(key: str, units: list[TrackedUnit], liveries: dict[str, str]) -> list[str]:
    if key == "courtyard":
        spots = [(250 + at % 4 * 56, 350 + at // 4 * 56) for at in range(len(units))]
    else:
        x, y = DISCS[key]
        spots = [(x, y + at * 10) for at in range(len(units))]
    return [_unit_disc(unit, *spot, liveries) for unit, spot in zip(units, spots, strict=True)]


def _outside(units: list[TrackedUnit], liveries: dict[str, str]) -> list[str]:
    """Units outside the walls, in a row at the south."""
    drawn = ['<text class="before" x="340" y="630">outside the walls</text>'] if units else []
    for at, unit in enumerate(units[:11]):
        drawn.append(_unit_disc(unit, 52 + at * 56, 664, liveries))
    return drawn
