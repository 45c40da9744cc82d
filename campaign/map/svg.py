"""The map as SVG for a page: colours, sizes and themes come from ``map.css``, patterns and charges from the page's sprite.

Drawn from below upwards: coast, land, lines, what may be attacked, castles and doodads, marks, names; on top of all one clear shape per
territory that leads somewhere, so that the whole territory can be tapped and the keyboard finds every one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from campaign.drawn import Drawn
from campaign.map.doodads import BETWEEN, DOODAD, NORTH, POINTS, ROSE
from campaign.map.geometry import COAST, FEW, HEATH, INNER, REALM, SIZE, Geography, Plot, Seat, doodad_scale, geography
from campaign.map.labels import MANY, SWARM, TIERS, kind, label_box, letters, names_fit, rim_numbers
from campaign.map.lettering import LEADING, fitted
from campaign.map.liveries import DIFFERENCES, Livery, Tile
from campaign.map.pen import Box, Line, Point, data, inside, number
from campaign.map.sheet import Crown, Ground, MapSheet, said, summary
from heraldry import svg as shield

_COAST = ("far", "far-in", "mid", "mid-in", "near", "near-in")


@dataclass(frozen=True, slots=True)
class Drawing:
    """A map with its key, for ``campaign/_map.html``."""

    sheet: MapSheet
    svg: Drawn
    key: Drawn
    is_numbered: bool  # on a phone it shows numbers, so the list beneath is needed to read it


def drawing(sheet: MapSheet, ident: str = "map") -> Drawing:
    return Drawing(
        sheet, draw(sheet, ident), key(sheet, ident), len(sheet.crowns) <= FEW and not shows_names(sheet, "s")
    )


def draw(sheet: MapSheet, ident: str = "map") -> Drawn:
    """The whole map. ``ident`` keeps the ids of two maps on one page apart."""
    return Drawn("".join(_Draughtsman(sheet, ident).everything()))


def shows_names(sheet: MapSheet, tier: str) -> bool:
    """Whether borderlands carry their names on a map of this width, or numbers that the list explains."""
    land = geography(tuple(crown.id for crown in sheet.crowns), sheet.seed)
    return names_fit(land, letters(len(land.kingdoms), tier), "border")


class _Draughtsman:
    def __init__(self, sheet: MapSheet, ident: str) -> None:
        self.sheet = sheet
        self.id = ident
        self.crown = {crown.id: crown for crown in sheet.crowns}
        self.land: Geography = geography(tuple(self.crown), sheet.seed)
        self.plots = self.land.by_key()
        self.grounds = {ground.key: ground for ground in sheet.grounds}
        self.count = len(self.crown)
        self.names_at = {
            (tier, place): names_fit(self.land, letters(self.count, tier), place)
            for tier in TIERS
            for place in ("border", "lands")
        }

    def _id(self, *parts: str) -> str:
        return "-".join((self.id, *parts)).replace(".", "-")

    def everything(self) -> Iterator[str]:
        linked = any(ground.url for ground in self.sheet.grounds)
        crowd = "map-few" if self.count < MANY else "map-many"
        if self.land.is_crowded:
            crowd += " map-crowd" if self.count <= SWARM else " map-crowd map-swarm"
        side = number(SIZE)
        # Links inside a picture would be lost to a screen reader, so with links it is a group.
        yield (
            f'<svg class="map {crowd}" viewBox="0 0 {side} {side}" role="{"group" if linked else "img"}"'
            f' aria-labelledby="{self._id("t")} {self._id("d")}">'
            f'<title id="{self._id("t")}">{escape(self.sheet.title)}</title>'
            f'<desc id="{self._id("d")}">{escape(summary(self.sheet))}</desc>'
        )
        yield from self._definitions()
        yield from self._coast()
        yield from self._grounds()
        yield from self._lines()
        yield from self._aims()
        yield from self._heath()
        for seat in self.land.seats:
            yield from self._seat(seat)
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
        yield patterns((self._livery(crown.id) for crown in self.sheet.crowns), self.id)
        yield f'<path id="{self._id("coast")}" d="{data(self.land.coast, closed=True)}"/>'
        for plot in self.land.plots:
            yield f'<path id="{self._id(plot.key)}" d="{data(plot.outline, closed=True)}"/>'
        for ground in self.sheet.grounds:
            if ground.legal or ground.chosen:
                yield (
                    f'<clipPath id="{self._id("in", ground.key)}"><use href="#{self._id(ground.key)}"/></clipPath>'
                )  # fmt: skip
        for crown in self._shields():
            drawn = shield(crown.arms, decorative=True)
            # The shield without its own frame, so that it can stand anywhere in any size.
            inner = drawn[drawn.index(">") + 1 : drawn.rindex("</svg>")]
            yield (
                f'<symbol id="{self._id("arms", crown.id)}" viewBox="0 0 100 120" overflow="visible">'
                f'<g class="shield">{inner}</g></symbol>'
            )
        for grown in sorted({seat.doodad for seat in self.land.seats if seat.doodads}):
            scale = number(doodad_scale(self.count))
            yield f'<path id="{self._id(grown)}" class="doodad" transform="scale({scale})" d="{DOODAD[grown].path}"/>'
        yield "</defs>"

    def _shields(self) -> list[Crown]:
        """Whose shields stand on the map; on a crowded one they would be specks."""
        if self.count > SWARM:
            return []
        holders = {ground.holder for ground in self.sheet.grounds}
        return [crown for crown in self.sheet.crowns if crown.id in holders]

    # ── Land ─────────────────────────────────────────────────────────────────────────────────────────────

    def _coast(self) -> Iterator[str]:
        yield '<g class="coast">'
        for name in _COAST:
            yield f'<use class="coast-{name}" href="#{self._id("coast")}"/>'
        yield "</g>"

    def _livery(self, kingdom: str) -> Livery:
        livery = self.crown[kingdom].livery
        # In slivers of land a difference is only noise; the number at the coast tells.
        return livery if self.count <= SWARM else Livery(livery.tincture)

    def _ground(self, key: str) -> str:
        livery = self._livery(self.grounds[key].holder)
        name = self._id(key)
        hatched = "".join(
            f'<use class="hatch" href="#{name}" fill="url(#{pattern})"/>' for pattern in pattern_ids(livery, self.id)
        )
        return f'<use class="wash fills-{livery.tincture}" href="#{name}"/>{hatched}'

    def _grounds(self) -> Iterator[str]:
        yield '<g class="terr">'
        for plot in self.land.plots:
            if plot.place != "castle":
                yield self._ground(plot.key)
        yield "</g>"

    def _lines(self) -> Iterator[str]:
        for css, kinds in (("edge", (INNER,)), ("realm-line", (REALM, COAST))):
            path = "".join(data(edge.line, closed=False) for edge in self.land.edges if edge.kind in kinds)
            yield f'<path class="{css}" d="{path}"/>'

    def _aims(self) -> Iterator[str]:
        """What may be attacked, dashed; what is chosen, solid. Both are cut off at the territory's own edge."""
        for css, wanted in (("legal", False), ("chosen", True)):
            for ground in self.sheet.grounds:
                if ground.chosen is wanted and (ground.legal or ground.chosen):
                    name, within = self._id(ground.key), self._id("in", ground.key)
                    if ground.place != "castle":
                        yield f'<use class="{css}" href="#{name}" clip-path="url(#{within})"/>'

    def _heath(self) -> Iterator[str]:
        path = "".join(data(edge.line, closed=False) for edge in self.land.edges if edge.kind == HEATH)
        yield f'<path class="heath" d="{data(self.land.heath, closed=True)}"/><path class="realm-line" d="{path}"/>'
        centre = number(SIZE / 2)
        scale = f"{self.land.compass / ROSE:.2f}"
        yield f'<g class="rose" transform="translate({centre} {centre}) scale({scale})">'
        yield f'<path class="rose-between" d="{"".join(BETWEEN)}"/><path class="rose-points" d="{"".join(POINTS)}"/>'
        yield f'<path class="rose-north" d="{NORTH}"/><circle class="rose-hub" r="6"/></g>'

    def _seat(self, seat: Seat) -> Iterator[str]:
        for x, y in seat.doodads:
            yield f'<use href="#{self._id(seat.doodad)}" x="0" y="0" transform="translate({number(x)} {number(y)})"/>'
        ground = self.grounds[f"{seat.kingdom}.castle"]
        name = self._id(ground.key)
        css = "castle-wall"
        if ground.chosen:
            css += " castle-chosen"
        elif ground.legal:
            css += " castle-legal"
        yield f'<g class="terr">{self._ground(ground.key)}<use class="{css}" href="#{name}"/></g>'
        if seat.castle.width >= 16 and self._shields():
            yield self._shield(ground.holder, self.plots[ground.key].marks)

    def _shield(self, kingdom: str, box: Box) -> str:
        return (
            f'<use href="#{self._id("arms", kingdom)}" x="{number(box.x)}" y="{number(box.y)}"'
            f' width="{number(box.width)}" height="{number(box.height)}"/>'
        )

    # ── Marks ────────────────────────────────────────────────────────────────────────────────────────────

    def _kinds(self, ground: Ground) -> list[str]:
        """The marks a territory carries, the weightiest first."""
        kinds = []
        if ground.contested:
            kinds.append("contested")
        elif ground.chosen or (ground.legal and self.count <= SWARM):
            kinds.append("boss")
        if ground.taken and ground.place != "castle" and not self.land.is_crowded:
            kinds.append("shield")
        if ground.was:
            kinds.append("changed")
        return kinds

    def _marks(self, plot: Plot) -> Iterator[str]:
        ground = self.grounds[plot.key]
        kinds = self._kinds(ground)
        if not kinds:
            return
        spots = list(self._spots(plot, len(kinds)))
        for what, spot in zip(kinds, spots, strict=False):
            yield self._mark(what, ground, spot)

    def _spots(self, plot: Plot, count: int) -> Iterator[Box]:
        """Squares side by side in the middle of the room for marks; as many as fit in a size that can be seen."""
        if plot.place == "castle":  # above the gate a shield hangs already: marks stand on the tower's shoulders
            seat = next(seat for seat in self.land.seats if seat.kingdom == plot.kingdom)
            side = max(seat.castle.width * 0.42, 8.0)
            for at in range(count):
                x = seat.castle.right - side * 0.55 if at == 0 else seat.castle.x - side * 0.45
                yield Box(x, seat.castle.y - side * 0.35, side, side)
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

    def _mark(self, what: str, ground: Ground, box: Box) -> str:
        (x, y), half = box.centre, box.width / 2
        if what == "shield":
            return self._shield(ground.holder, Box(x - half * 5 / 6, y - half, half * 5 / 3, half * 2))
        disc, ink, symbol = {
            "boss": ("boss", "boss-ico", "c-sword"),
            "contested": ("boss boss-fought", "boss-ico ico-fought", "c-battle"),
            "changed": ("boss boss-changed", "boss-ico ico-changed", "c-banner"),
        }[what]
        inner = half * (1.36 if what == "boss" else 1.24)
        icon = (
            f'<use class="{ink}" href="#{symbol}" x="{number(x - inner / 2)}"'
            f' y="{number(y - inner / 2)}" width="{number(inner)}" height="{number(inner)}"/>'
        )
        # A sword smaller than this would be a smudge.
        icon = icon if half >= 6 else ""
        return f'<circle class="{disc}" cx="{number(x)}" cy="{number(y)}" r="{number(half * 0.94)}"/>{icon}'

    def _road(self) -> Iterator[str]:
        """A dotted way from where the attacker stands to what he has chosen."""
        chosen = next((ground for ground in self.sheet.grounds if ground.chosen), None)
        if not chosen or not self.sheet.via or self.count > 6:
            return
        pair = {self.sheet.via, chosen.key}
        line = next((edge.line for edge in self.land.edges if pair == set(edge.between)), None)
        if line is None:  # a castle stands within its lands: its own mark is enough
            return
        reach = 34 * max(self.land.scale, 0.55)
        full = [box for key in pair for box in (self.plots[key].label, self.plots[key].marks)]
        ways = [_crossing(line, at, reach, self.plots[chosen.key].outline) for at in range(2, len(line) - 2)]
        a, b = max(ways, key=lambda way: _clearance(way, full))
        turn = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) + 90
        yield (
            f'<path class="road" d="M{_xy(a)}L{_xy(b)}"/>'
            f'<path class="road-head" d="M0-13L8 1H-8z" transform="translate({_xy(b)}) rotate({number(turn)})"/>'
        )

    # ── Names ────────────────────────────────────────────────────────────────────────────────────────────

    def _labels(self) -> Iterator[str]:
        if self.land.is_crowded:
            yield from self._rim()
            return
        for seat in self.land.seats:
            yield from self._realm_name(seat)
        for plot in self.land.plots:
            if plot.place == "castle":
                continue
            ground = self.grounds[plot.key]
            lines = {}
            for tier in TIERS:
                named: tuple[str, ...] = ()
                if self.names_at[tier, kind(plot)]:
                    # The box keeps clear of the lines around it; letters may come a little closer.
                    room = plot.label.width + (6 if self.count < MANY else 2)
                    # On a small map a name cut short is better than a number among names.
                    share = 0.0 if self.count < MANY else 0.6
                    named = fitted(ground.name, room, plot.label.height, letters(self.count, tier), share=share)
                lines[tier] = named or (self.sheet.short(ground),)
            box = label_box(plot, marked=bool(self._kinds(ground)))
            yield from self._label(lines, box, "lbl lbl-lands" if plot.place == "lands" else "lbl")

    def _realm_name(self, seat: Seat) -> Iterator[str]:
        """A kingdom's name under its castle: large, or lean where only that fits."""
        crown = self.crown[seat.kingdom]
        css = "lbl realm" + (" is-out" if crown.is_out else "")
        # Its letters are spaced and cased by the page, so the estimate is a cautious one.
        room, height = seat.name.width * 1.12, seat.name.height
        large: dict[str, tuple[str, ...]] = {}
        lean: dict[str, tuple[str, ...]] = {}
        for tier in TIERS:
            size, least = letters(self.count, tier, realm=True), letters(self.count, tier)
            whole = fitted(crown.name, room, height, size, most_lines=1, small_caps=True)
            if whole == (crown.name,):
                large[tier] = whole
            else:
                lean[tier] = fitted(crown.name, room, height, least, most_lines=1, small_caps=True, share=0)
        yield from self._label(large, seat.name, css)
        yield from self._label(lean, seat.name, f"{css} lean")

    def _label(self, lines: dict[str, tuple[str, ...]], box: Box, css: str) -> Iterator[str]:
        """One text for every way the name breaks, shown at the widths where it breaks so."""
        ways: dict[tuple[str, ...], list[str]] = {}
        for tier, broken in lines.items():
            if broken:
                ways.setdefault(broken, []).append(tier)
        x, y = number(box.centre[0]), number(box.centre[1])
        for broken, tiers in ways.items():
            shown = "" if len(tiers) == len(TIERS) else "".join(f" at-{tier}" for tier in tiers)
            first = 0.32 - LEADING * (len(broken) - 1) / 2
            text = "".join(
                f'<tspan x="{x}" dy="{(first if at == 0 else LEADING):.2f}em">{escape(line)}</tspan>'
                for at, line in enumerate(broken)
            )
            yield f'<text class="{css}{shown}" x="{x}" y="{y}" aria-hidden="true">{text}</text>'

    def _rim(self) -> Iterator[str]:
        """Numbers of the kingdoms round the coast: all, or every fifth where they would stand too close."""
        for at, x, y in rim_numbers(self.land):
            yield (
                f'<text class="lbl rim-no" x="{number(x)}" y="{number(y)}" dy=".32em" aria-hidden="true">{at}</text>'
            )  # fmt: skip

    # ── Where a tap leads ────────────────────────────────────────────────────────────────────────────────

    def _links(self) -> Iterator[str]:
        """Lands before the castle that stands in them, so that the castle lies on top; kingdom by kingdom."""
        order = {"lands": 0, "border_1": 1, "border_2": 2, "castle": 3}
        for crown in self.sheet.crowns:
            for ground in sorted(
                (ground for ground in self.sheet.grounds if ground.owner == crown.id),
                key=lambda ground: order[ground.place],
            ):
                if not ground.url:
                    continue
                words = escape(said(self.sheet, ground))
                state = ' aria-current="true"' if ground.chosen else ""
                yield (
                    f'<a class="terr-link" href="{escape(ground.url)}"{state}><title>{words}</title>'
                    f'<use class="reach" href="#{self._id(ground.key)}"/></a>'
                )


def _xy(point: Point) -> str:
    return f"{number(point[0])} {number(point[1])}"


def _crossing(line: Line, at: int, reach: float, goal: Line) -> tuple[Point, Point]:
    """A short way across a line at one of its points, into the goal."""
    (x, y), (ax, ay), (bx, by) = line[at], line[at - 2], line[at + 2]
    size = math.hypot(bx - ax, by - ay) or 1.0
    nx, ny = -(by - ay) / size * reach, (bx - ax) / size * reach
    if not inside((x + nx * 0.5, y + ny * 0.5), goal):
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
    ids = []
    if livery.row.tile:
        ids.append(f"m-{livery.tincture}" if livery.row.in_sprite else f"{ident}-m-{livery.tincture}")
    if livery.difference:
        ids.append(f"{ident}-d-{livery.difference}")
    return ids


def patterns(painted: Iterable[Livery], ident: str) -> str:
    """The patterns the sprite does not have, for the liveries in use."""
    drawn: dict[str, str] = {}
    for livery in painted:
        if livery.row.tile and not livery.row.in_sprite:
            drawn[f"{ident}-m-{livery.tincture}"] = _pattern(
                f"{ident}-m-{livery.tincture}", livery.row.tile, f"ml ml-{livery.tincture}", f"md md-{livery.tincture}"
            )
        if livery.difference:
            name = f"{ident}-d-{livery.difference}"
            drawn[name] = _pattern(name, DIFFERENCES[livery.difference - 1], "ml ml-sable", "md md-sable")
    return "".join(drawn.values())


def _pattern(name: str, tile: Tile, line: str, dot: str) -> str:
    turned = f' patternTransform="rotate({tile.turned})"' if tile.turned else ""
    lines = f'<path class="{line}" d="{tile.lines}"/>' if tile.lines else ""
    dots = "".join(f'<circle class="{dot}" cx="{x:g}" cy="{y:g}" r="{r:g}"/>' for x, y, r in tile.dots)
    return (
        f'<pattern id="{name}" width="{tile.width:g}" height="{tile.height:g}" patternUnits="userSpaceOnUse"{turned}>'
        f"{lines}{dots}</pattern>"
    )


def key(sheet: MapSheet, ident: str = "map") -> Drawn:
    """Whose colour is whose, and what the lines and marks mean. On a crowded map the list says it."""
    rows = [f"{swatch(crown.livery, ident)}<bdi>{escape(crown.name)}</bdi>" for crown in sheet.crowns]
    if len(rows) > FEW:
        rows = []
    if sheet.targets:
        rows.append('<span class="dash"></span>may be attacked')
    if any(ground.contested for ground in sheet.grounds):
        rows.append(f"{_sign('fought', 'battle')}fought over now")
    if sheet.changed:
        rows.append(f"{_sign('changed', 'banner')}changed hands since your last visit")
    return Drawn(f'<ul class="key map-key">{"".join(f"<li>{row}</li>" for row in rows)}</ul>' if rows else "")


def _sign(name: str, symbol: str) -> str:
    return (
        f'<svg class="map-sign" viewBox="0 0 32 32" aria-hidden="true"><circle class="boss boss-{name}" cx="16" cy="16" r="14"/>'
        f'<use class="boss-ico ico-{name}" href="#c-{symbol}" x="7" y="7" width="18" height="18"/></svg>'
    )


def swatch(livery: Livery, ident: str = "map") -> Drawn:
    """A small piece of the map in this livery, for a key. Its patterns are those of the drawing ``ident`` on the same page."""
    hatched = "".join(
        f'<rect width="40" height="40" fill="url(#{pattern})"/>' for pattern in pattern_ids(livery, ident)
    )
    return Drawn(
        f'<svg class="map-swatch" viewBox="0 0 40 40" aria-hidden="true">'
        f'<rect class="fills-{livery.tincture}" width="40" height="40"/>{hatched}</svg>'
    )
