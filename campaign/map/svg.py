"""The map as SVG for a page: colours and sizes come from ``map.css``, patterns and charges from the page's sprite.

Drawn from bottom to top: coast, land, lines, targets, castles and doodads, marks, names; then a transparent shape per
linked territory, so that all of it can be tapped and reached by keyboard.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from types import MappingProxyType

from campaign.map.display import MapDisplay, MapKingdom, MapTerritory, describe_map, describe_territory
from campaign.map.geometry import Box, Line, Point, coord, is_inside, path_data
from campaign.map.hand_drawn import BETWEEN, DOODAD, NORTH, POINTS, ROSE
from campaign.map.kingdom_colours import DIFFERENCES, Livery, Tile
from campaign.map.labels import (
    LEADING,
    MANY,
    SWARM,
    TIERS,
    fit_text,
    letter_size,
    names_fit,
    place_kind,
    place_label,
    place_rim_numbers,
    squeeze_text,
)
from campaign.map.map_layout import (
    COAST,
    FEW,
    HEATH,
    INNER,
    KINGDOM,
    SIZE,
    KingdomShape,
    MapGeometry,
    TerritoryShape,
    build_geometry,
    doodad_scale,
)
from heraldry import draw_arms as shield
from text import SafeMarkup

_LINES = {"inner-lines": (INNER,), "realm-lines": (KINGDOM, COAST), "heath-lines": (HEATH,)}
_COAST = ("far", "far-in", "mid", "mid-in", "near", "near-in")


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """A map with its key, for ``campaign/home/_map.html``."""

    display: MapDisplay
    svg: SafeMarkup
    key: SafeMarkup
    is_numbered: bool  # on a phone it shows numbers, so the list beneath is needed to read it


@lru_cache(maxsize=64)
def draw_map_with_key(display: MapDisplay, ident: str = "map", lands: str = "") -> MapDrawing:
    """Drawn once for all who see this very map, and for as long as nothing on it changes."""
    return MapDrawing(
        display,
        draw_map(display, ident, lands),
        draw_map_key(display, ident),
        len(display.kingdoms) <= FEW and not shows_border_names(display, "s"),
    )


def draw_map(display: MapDisplay, ident: str = "map", lands: str = "", tiers: tuple[str, ...] = TIERS) -> SafeMarkup:
    """The whole map. ``ident`` keeps the ids of two maps on one page apart.

    ``lands``: the address of what ``draw_lands`` gives. Otherwise the outlines are part of the map.
    ``tiers``: the sizes of letters for which it has names.
    """
    return SafeMarkup("".join(_SvgMap(display, ident, lands, tiers).everything()))


@lru_cache(maxsize=64)
def draw_lands(kingdoms: tuple[str, ...], seed: str) -> str:
    """The outlines of a map as a file that browsers keep: they stay the same, whoever holds the lands."""
    paths = "".join(f'<path id="{name}" d="{path}"/>' for name, path in _outlines(build_geometry(kingdoms, seed)))
    return f'<svg xmlns="http://www.w3.org/2000/svg"><defs>{paths}</defs></svg>'


def _outlines(land: MapGeometry) -> Iterator[tuple[str, str]]:
    """Every long line of a map by its name."""
    yield "coast", path_data(land.coast, closed=True)
    yield "heath", path_data(land.heath, closed=True)
    for plot in land.plots:
        yield plot.key.replace(".", "-"), path_data(plot.outline, closed=True)
    for name, kinds in _LINES.items():
        yield name, "".join(path_data(edge.line, closed=False) for edge in land.edges if edge.kind in kinds)


def shows_border_names(display: MapDisplay, tier: str) -> bool:
    """Whether borderlands carry their names on a map of this width, or numbers that the list explains."""
    land = build_geometry(tuple(kingdom.id for kingdom in display.kingdoms), display.seed)
    return names_fit(land, letter_size(len(land.kingdoms), tier), "border")


class _SvgMap:
    def __init__(self, display: MapDisplay, ident: str, lands: str, tiers: tuple[str, ...]) -> None:
        self.display = display
        self.id = ident
        self.lands = lands
        self.tiers = tiers
        self.kingdoms = {kingdom.id: kingdom for kingdom in display.kingdoms}
        self.land: MapGeometry = build_geometry(tuple(self.kingdoms), display.seed)
        self.plots = self.land.by_key()
        self.territories = {territory.key: territory for territory in display.territories}
        self.count = len(self.kingdoms)
        self.names_at = {
            (tier, place): names_fit(self.land, letter_size(self.count, tier), place)
            for tier in self.tiers
            for place in ("border", "lands")
        }

    def _id(self, *parts: str) -> str:
        return "-".join((self.id, *parts)).replace(".", "-")

    def _outline(self, name: str) -> str:
        """Where a use finds an outline."""
        return f"{self.lands}#{name.replace('.', '-')}" if self.lands else f"#{self._id(name)}"

    def everything(self) -> Iterator[str]:
        linked = any(territory.url for territory in self.display.territories)
        crowd = "map-few" if self.count < MANY else "map-many"
        if self.land.is_crowded:
            crowd += " map-crowd" if self.count <= SWARM else " map-crowd map-swarm"
        side = coord(SIZE)
        # Links inside a picture would be lost to a screen reader, so with links it is a group.
        yield (
            f'<svg class="map {crowd}" viewBox="0 0 {side} {side}" role="{"group" if linked else "img"}"'
            f' aria-labelledby="{self._id("t")} {self._id("d")}">'
            f'<title id="{self._id("t")}">{escape(self.display.title)}</title>'
            f'<desc id="{self._id("d")}">{escape(describe_map(self.display))}</desc>'
        )
        yield from self._definitions()
        yield from self._coast()
        yield from self._paint_territories()
        yield from self._lines()
        yield from self._aims()
        yield from self._heath()
        for shape in self.land.kingdom_shapes:
            yield from self._castle(shape)
        yield from self._road()
        for plot in self.land.plots:
            yield from self._marks(plot)
        yield from self._labels()
        if linked:
            yield from self._links()
        yield "</svg>"

    # ── What is drawn more than once ─────────────────────────────────────────────────────────────────────

    def _definitions(self) -> Iterator[str]:
        yield "<defs>"
        yield draw_patterns((self._livery(kingdom.id) for kingdom in self.display.kingdoms), self.id)
        if not self.lands:
            for name, path in _outlines(self.land):
                yield f'<path id="{self._id(name)}" d="{path}"/>'
        for territory in self._aimed_at():
            # Not every browser cuts by an outline from another file.
            path = path_data(self.plots[territory.key].outline, closed=True)
            yield f'<clipPath id="{self._id("in", territory.key)}"><path d="{path}"/></clipPath>'
        for kingdom in self._shields():
            drawn = shield(kingdom.arms, decorative=True)
            # The shield without its own frame, so that it can stand anywhere in any size.
            inner = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
            yield (
                f'<symbol id="{self._id("arms", kingdom.id)}" viewBox="0 0 100 120" overflow="visible">'
                f'<g class="shield">{inner}</g></symbol>'
            )
        for grown in sorted({shape.doodad for shape in self.land.kingdom_shapes if shape.doodads}):
            scale = coord(doodad_scale(self.count))
            yield f'<path id="{self._id(grown)}" class="doodad" transform="scale({scale})" d="{DOODAD[grown].path}"/>'
        yield "</defs>"

    def _shields(self) -> list[MapKingdom]:
        """Whose shields stand on the map; on a crowded one they would be specks."""
        if self.count > SWARM:
            return []
        holders = {territory.holder for territory in self.display.territories}
        return [kingdom for kingdom in self.display.kingdoms if kingdom.id in holders]

    # ── Land ─────────────────────────────────────────────────────────────────────────────────────────────

    def _coast(self) -> Iterator[str]:
        uses = "".join(f'<use class="coast-{name}" href="{self._outline("coast")}"/>' for name in _COAST)
        yield f'<g class="coast">{uses}</g>'

    def _livery(self, kingdom: str) -> Livery:
        livery = self.kingdoms[kingdom].livery
        # In slivers of land a difference is only noise; the number at the coast tells.
        return livery if self.count <= SWARM else Livery(livery.tincture)

    def _paint_territory(self, key: str) -> str:
        livery = self._livery(self.territories[key].holder)
        name, patterns = self._outline(key), pattern_ids(livery, self.id)
        hatched = "".join(f'<use class="hatch" href="{name}" fill="url(#{pattern})"/>' for pattern in patterns)
        return f'<use class="wash fills-{livery.tincture}" href="{name}"/>{hatched}'

    def _paint_territories(self) -> Iterator[str]:
        lands = (plot.key for plot in self.land.plots if plot.place != "castle")
        yield f'<g class="terr">{"".join(map(self._paint_territory, lands))}</g>'

    def _lines(self) -> Iterator[str]:
        yield f'<use class="edge" href="{self._outline("inner-lines")}"/>'
        yield f'<use class="realm-line" href="{self._outline("realm-lines")}"/>'

    def _aims(self) -> Iterator[str]:
        """What may be attacked, dashed; what is chosen, solid. Both are cut off at the territory's own edge."""
        for css, wanted in (("legal", False), ("chosen", True)):
            for territory in self._aimed_at():
                if territory.chosen is wanted:
                    name, within = self._outline(territory.key), self._id("in", territory.key)
                    yield f'<use class="{css}" href="{name}" clip-path="url(#{within})"/>'

    def _aimed_at(self) -> Iterator[MapTerritory]:
        for territory in self.display.territories:
            if (territory.legal or territory.chosen) and territory.place != "castle":
                yield territory

    def _heath(self) -> Iterator[str]:
        yield f'<use class="heath" href="{self._outline("heath")}"/>'
        yield f'<use class="realm-line" href="{self._outline("heath-lines")}"/>'
        centre = coord(SIZE / 2)
        scale = f"{self.land.compass / ROSE:.2f}"
        yield f'<g class="rose" transform="translate({centre} {centre}) scale({scale})">'
        yield f'<path class="rose-between" d="{"".join(BETWEEN)}"/><path class="rose-points" d="{"".join(POINTS)}"/>'
        yield f'<path class="rose-north" d="{NORTH}"/><circle class="rose-hub" r="6"/></g>'

    def _castle(self, shape: KingdomShape) -> Iterator[str]:
        for x, y in shape.doodads:
            yield f'<use href="#{self._id(shape.doodad)}" x="0" y="0" transform="translate({coord(x)} {coord(y)})"/>'
        territory = self.territories[f"{shape.kingdom}.castle"]
        name = self._outline(territory.key)
        css = f"castle-wall{' castle-chosen' if territory.chosen else ' castle-legal' if territory.legal else ''}"
        yield f'<g class="terr">{self._paint_territory(territory.key)}<use class="{css}" href="{name}"/></g>'
        if shape.castle.width >= 16 and self._shields():
            yield self._shield(territory.holder, self.plots[territory.key].marks)

    def _shield(self, kingdom: str, box: Box) -> str:
        return (
            f'<use href="#{self._id("arms", kingdom)}" x="{coord(box.x)}" y="{coord(box.y)}"'
            f' width="{coord(box.width)}" height="{coord(box.height)}"/>'
        )

    # ── Marks ────────────────────────────────────────────────────────────────────────────────────────────

    def _kinds(self, territory: MapTerritory) -> list[str]:
        """The marks a territory carries, the weightiest first."""
        kinds = []
        if territory.contested:
            kinds.append("contested")
        elif territory.chosen or (territory.legal and self.count <= SWARM):
            kinds.append("boss")
        if territory.taken and territory.place != "castle" and not self.land.is_crowded:
            kinds.append("shield")
        if territory.was:
            kinds.append("changed")
        return kinds

    def _marks(self, plot: TerritoryShape) -> Iterator[str]:
        territory = self.territories[plot.key]
        if kinds := self._kinds(territory):
            for what, spot in zip(kinds, self._spots(plot, len(kinds)), strict=False):
                yield self._mark(what, territory, spot)

    def _spots(self, plot: TerritoryShape, count: int) -> Iterator[Box]:
        """Squares side by side in the middle of the room for marks; as many as fit in a size that can be seen."""
        if plot.place == "castle":  # above the gate a shield hangs already: marks stand on the tower's shoulders
            shape = next(shape for shape in self.land.kingdom_shapes if shape.kingdom == plot.kingdom)
            side = max(shape.castle.width * 0.42, 8.0)
            for at in range(count):
                x = shape.castle.right - side * 0.55 if at == 0 else shape.castle.x - side * 0.45
                yield Box(x, shape.castle.y - side * 0.35, side, side)
            return
        if self.land.is_crowded:
            (x, y), side = plot.label.centre, max(7.0, min(24.0, 330 / self.count))
            yield Box(x - side / 2, y - side / 2, side, side)
            return
        room, gap = plot.marks, 3.0
        side = min(room.height, (room.width - gap * (count - 1)) / count)
        while count > 1 and side < 0.62 * room.height:
            count -= 1
            side = min(room.height, (room.width - gap * (count - 1)) / count)
        left = room.centre[0] - (side * count + gap * (count - 1)) / 2
        for at in range(count):
            yield Box(left + at * (side + gap), room.centre[1] - side / 2, side, side)

    def _mark(self, what: str, territory: MapTerritory, box: Box) -> str:
        (x, y), half = box.centre, box.width / 2
        if what == "shield":
            return self._shield(territory.holder, Box(x - half * 5 / 6, y - half, half * 5 / 3, half * 2))
        disc, ink, symbol = {
            "boss": ("boss", "boss-ico", "c-sword"),
            "contested": ("boss boss-fought", "boss-ico ico-fought", "c-battle"),
            "changed": ("boss boss-changed", "boss-ico ico-changed", "c-banner"),
        }[what]
        inner = half * (1.36 if what == "boss" else 1.24)
        circle = f'<circle class="{disc}" cx="{coord(x)}" cy="{coord(y)}" r="{coord(half * 0.94)}"/>'
        if half < 6:  # a sword smaller than this would be a smudge
            return circle
        place = f'x="{coord(x - inner / 2)}" y="{coord(y - inner / 2)}" width="{coord(inner)}" height="{coord(inner)}"'
        return f'{circle}<use class="{ink}" href="#{symbol}" {place}/>'

    def _road(self) -> Iterator[str]:
        """A dotted way from where the attacker stands to what he has chosen."""
        chosen = next((territory for territory in self.display.territories if territory.chosen), None)
        if not chosen or not self.display.via or self.count > 6:
            return
        pair = {self.display.via, chosen.key}
        line = next((edge.line for edge in self.land.edges if pair == set(edge.between)), None)
        if line is None:  # a castle stands within its lands: its own mark is enough
            return
        reach = 34 * max(self.land.scale, 0.55)
        full = [box for key in pair for box in (self.plots[key].label, self.plots[key].marks)]
        ways = [_cross_line(line, at, reach, self.plots[chosen.key].outline) for at in range(2, len(line) - 2)]
        a, b = max(ways, key=lambda way: _clearance(way, full))
        turn = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) + 90
        yield (
            f'<path class="road" d="M{_xy(a)}L{_xy(b)}"/>'
            f'<path class="road-head" d="M0-13L8 1H-8z" transform="translate({_xy(b)}) rotate({coord(turn)})"/>'
        )

    # ── Names ────────────────────────────────────────────────────────────────────────────────────────────

    def _labels(self) -> Iterator[str]:
        if self.land.is_crowded:  # numbers of the kingdoms round the coast
            for number, x, y in place_rim_numbers(self.land):
                place = f'x="{coord(x)}" y="{coord(y)}" dy=".32em"'
                yield f'<text class="lbl rim-no" {place} aria-hidden="true">{number}</text>'
            return
        for shape in self.land.kingdom_shapes:
            yield from self._kingdom_name(shape)
        for plot in self.land.plots:
            if plot.place == "castle":
                continue
            territory = self.territories[plot.key]
            lines = {}
            widths: dict[str, float] = {}
            for tier in self.tiers:
                named: tuple[str, ...] = ()
                if self.names_at[tier, place_kind(plot)]:
                    # The box keeps clear of the lines around it; letters may come a little closer.
                    room = plot.label.width + (6 if self.count < MANY else 2)
                    # On a small map a name cut short is better than a number among names.
                    share = 0.0 if self.count < MANY else 0.6
                    size = letter_size(self.count, tier)
                    named = fit_text(territory.name, room, plot.label.height, size, share=share)
                    if named and named[-1].endswith("…") and (width := squeeze_text(territory.name, room, size)):
                        named, widths[tier] = (territory.name,), width
                lines[tier] = named or (self.display.short(territory),)
            box = place_label(plot, marked=bool(self._kinds(territory)))
            yield from self._label(lines, box, "lbl lbl-lands" if plot.place == "lands" else "lbl", widths)

    def _kingdom_name(self, shape: KingdomShape) -> Iterator[str]:
        """A kingdom's name under its castle: large, or lean where only that fits."""
        kingdom = self.kingdoms[shape.kingdom]
        css = "lbl realm" + (" is-out" if kingdom.is_out else "")
        # Its letters are spaced and cased by the page, so the estimate is a cautious one.
        room, height = shape.name.width * 1.12, shape.name.height
        large: dict[str, tuple[str, ...]] = {}
        lean: dict[str, tuple[str, ...]] = {}
        widths: dict[str, float] = {}
        for tier in self.tiers:
            size, least = letter_size(self.count, tier, of_kingdom=True), letter_size(self.count, tier)
            whole = fit_text(kingdom.name, room, height, size, most_lines=1, small_caps=True)
            if whole == (kingdom.name,):
                large[tier] = whole
            else:
                lean[tier] = fit_text(kingdom.name, room, height, least, most_lines=1, small_caps=True, share=0)
                width = squeeze_text(kingdom.name, room, least, small_caps=True)
                if lean[tier] != (kingdom.name,) and width:
                    lean[tier], widths[tier] = (kingdom.name,), width
        yield from self._label(large, shape.name, css)
        yield from self._label(lean, shape.name, f"{css} lean", widths)

    def _label(
        self, lines: dict[str, tuple[str, ...]], box: Box, css: str, widths: Mapping[str, float] = MappingProxyType({})
    ) -> Iterator[str]:
        """One text for every way the name breaks, shown at the widths where it breaks so.

        ``widths``: where a name is whole only with narrower letters, the width it is drawn at.
        """
        ways: dict[tuple[tuple[str, ...], float | None], list[str]] = {}
        for tier, broken in lines.items():
            if broken:
                ways.setdefault((broken, widths.get(tier)), []).append(tier)
        x, y = coord(box.centre[0]), coord(box.centre[1])
        for (broken, width), tiers in ways.items():
            narrow = f' textLength="{coord(width)}" lengthAdjust="spacingAndGlyphs"' if width else ""
            shown = "" if len(tiers) == len(self.tiers) else "".join(f" at-{tier}" for tier in tiers)
            first = 0.32 - LEADING * (len(broken) - 1) / 2
            # Not dy: outside browsers it moves only the first letter of a name that runs from right to left.
            text = "".join(
                f'<tspan x="0" y="{first + LEADING * at:.2f}em"{narrow}>{escape(line)}</tspan>'
                for at, line in enumerate(broken)
            )
            yield f'<text class="{css}{shown}" transform="translate({x} {y})" aria-hidden="true">{text}</text>'

    # ── Where a tap leads ────────────────────────────────────────────────────────────────────────────────

    def _links(self) -> Iterator[str]:
        """Lands before the castle that stands in them, so that the castle lies on top; kingdom by kingdom."""
        order = {"lands": 0, "border_1": 1, "border_2": 2, "castle": 3}
        for _, territories in self.display.rows:
            for territory in sorted(territories, key=lambda territory: order[territory.place]):
                if not territory.url:
                    continue
                words = escape(describe_territory(self.display, territory))
                state = ' aria-current="true"' if territory.chosen else ""
                yield (
                    f'<a class="terr-link" href="{escape(territory.url)}"{state}><title>{words}</title>'
                    f'<use class="reach" href="{self._outline(territory.key)}"/></a>'
                )


def _xy(point: Point) -> str:
    return f"{coord(point[0])} {coord(point[1])}"


def _cross_line(line: Line, at: int, reach: float, goal: Line) -> tuple[Point, Point]:
    """A short way across a line at one of its points, into the goal."""
    (x, y), (ax, ay), (bx, by) = line[at], line[at - 2], line[at + 2]
    size = math.hypot(bx - ax, by - ay) or 1.0
    nx, ny = -(by - ay) / size * reach, (bx - ax) / size * reach
    if not is_inside((x + nx * 0.5, y + ny * 0.5), goal):
        nx, ny = -nx, -ny
    return (x - nx, y - ny), (x + nx * 0.7, y + ny * 0.7)


def _clearance(way: tuple[Point, Point], boxes: Iterable[Box]) -> float:
    """How far a way keeps from what stands there."""
    (ax, ay), (bx, by) = way
    points = [(ax + (bx - ax) * step / 4, ay + (by - ay) * step / 4) for step in range(5)]
    return min(
        math.hypot(max(box.x - x, 0, x - box.right), max(box.y - y, 0, y - box.bottom))
        for box in boxes
        for x, y in points
    )


# ── Patterns ─────────────────────────────────────────────────────────────────────────────────────────────


def pattern_ids(livery: Livery, ident: str) -> list[str]:
    """The ids of a livery's patterns, from below upwards: those of the sprite, and those ``patterns`` wrote."""
    own = "" if livery.row.in_sprite else f"{ident}-"
    ids = [f"{own}m-{livery.tincture}"] if livery.row.tile else []
    return ids + ([f"{ident}-d-{livery.difference}"] if livery.difference else [])


def draw_patterns(painted: Iterable[Livery], ident: str) -> str:
    """The patterns the sprite does not have, for the liveries in use."""
    drawn: dict[str, str] = {}
    for livery in painted:
        if livery.row.tile and not livery.row.in_sprite:
            name = f"{ident}-m-{livery.tincture}"
            drawn[name] = _draw_pattern(name, livery.row.tile, livery.tincture)
        if livery.difference:
            name = f"{ident}-d-{livery.difference}"
            drawn[name] = _draw_pattern(name, DIFFERENCES[livery.difference - 1], "sable")
    return "".join(drawn.values())


def _draw_pattern(name: str, tile: Tile, ink: str) -> str:
    turned = f' patternTransform="rotate({tile.turned})"' if tile.turned else ""
    lines = f'<path class="ml ml-{ink}" d="{tile.lines}"/>' if tile.lines else ""
    dots = "".join(f'<circle class="md md-{ink}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>' for x, y, r in tile.dots)
    return (
        f'<pattern id="{name}" width="{tile.width:g}" height="{tile.height:g}" patternUnits="userSpaceOnUse"{turned}>'
        f"{lines}{dots}</pattern>"
    )


def draw_map_key(display: MapDisplay, ident: str = "map") -> SafeMarkup:
    """Whose colour is whose, and what the lines and marks mean. On a crowded map the list says it."""
    kingdoms = display.kingdoms if len(display.kingdoms) <= FEW else ()
    rows = [f"{draw_swatch(kingdom.livery, ident)}<bdi>{escape(kingdom.name)}</bdi>" for kingdom in kingdoms]
    if display.targets:
        rows.append('<span class="dash"></span>can be attacked')
    if any(territory.contested for territory in display.territories):
        rows.append(f"{_draw_key_mark('fought', 'battle')}contested now")
    if display.changed:
        rows.append(f"{_draw_key_mark('changed', 'banner')}changed hands since your last visit")
    return SafeMarkup(f'<ul class="key map-key">{"".join(f"<li>{row}</li>" for row in rows)}</ul>' if rows else "")


def _draw_key_mark(name: str, symbol: str) -> str:
    return (
        '<svg class="map-sign" viewBox="0 0 32 32" aria-hidden="true">'
        f'<circle class="boss boss-{name}" cx="16" cy="16" r="14"/>'
        f'<use class="boss-ico ico-{name}" href="#c-{symbol}" x="7" y="7" width="18" height="18"/></svg>'
    )


def draw_swatch(livery: Livery, ident: str = "map") -> SafeMarkup:
    """A swatch of this livery for a map key. It uses the patterns of the drawing ``ident`` on the same page."""
    patterns = pattern_ids(livery, ident)
    hatched = "".join(f'<rect width="40" height="40" fill="url(#{pattern})"/>' for pattern in patterns)
    return SafeMarkup(
        f'<svg class="map-swatch" viewBox="0 0 40 40" aria-hidden="true">'
        f'<rect class="fills-{livery.tincture}" width="40" height="40"/>{hatched}</svg>'
    )
