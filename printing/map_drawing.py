"""The map for paper: the same geometry as the page's map, in pieces shared by all maps of a document.

A territory in one colour is one picture, however many maps show it, so a book with hundreds of maps stays small. The
template adds the names.
"""

import zlib
from collections.abc import Callable

from campaign.map.display import MapDisplay, MapTerritory, describe_map
from campaign.map.geometry import Box, coord, path_data
from campaign.map.hand_drawn import BETWEEN, DOODAD, NORTH, POINTS, ROSE
from campaign.map.kingdom_colours import Livery, Tile
from campaign.map.labels import SWARM, place_label, place_rim_numbers
from campaign.map.map_layout import (
    COAST,
    HEATH,
    INNER,
    KINGDOM,
    SIZE,
    MapGeometry,
    TerritoryShape,
    build_geometry,
    doodad_scale,
)
from heraldry import Arms

DrawShield = Callable[[Arms], dict[str, str]]
INK, PALE, RED = "#1d1a16", "#a79d8c", "#9e2318"


class MapDrawer:
    """Draws maps into ``pictures`` (key → SVG) and returns where each picture lies, in map units."""

    def __init__(self, pictures: dict[str, str], *, saves_ink: bool) -> None:
        self.pictures = pictures
        self.saves = saves_ink
        self.ink = "#000000" if saves_ink else INK
        self.pale = "#000000" if saves_ink else PALE
        self.red = "#000000" if saves_ink else RED

    def draw(self, display: MapDisplay, shield: DrawShield) -> dict[str, object]:
        land = build_geometry(tuple(kingdom.id for kingdom in display.kingdoms), display.seed)
        name = f"{len(land.kingdoms)} {zlib.crc32(' '.join((display.seed, *land.kingdoms)).encode()):x}"
        territories = {territory.key: territory for territory in display.territories}
        kingdoms = {kingdom.id: kingdom for kingdom in display.kingdoms}
        lands = [
            self._piece(name, plot, self._livery(display, territories[plot.key]))
            for plot in land.plots
            if plot.place != "castle"
        ]
        castles = [
            self._piece(name, plot, self._livery(display, territories[plot.key]), wall=True)
            for plot in land.plots
            if plot.place == "castle"
        ]
        shields = []
        if len(kingdoms) <= SWARM:
            for plot in land.plots:
                territory = territories[plot.key]
                if plot.place == "castle" or (territory.taken and not land.is_crowded):
                    box = _upright(plot.marks)
                    shields.append({**_at(box), **shield(kingdoms[territory.holder].arms)})
        return {
            "size": SIZE,
            "under": self._kept(f"under {name}", lambda: self._under(land)),
            "over": self._kept(f"over {name}", lambda: self._over(land)),
            "lands": lands,
            "castles": castles,
            "shields": shields,
            "labels": [] if land.is_crowded else self._labels(display, land, territories),
            "numbers": [{"n": n, "x": x, "y": y} for n, x, y in place_rim_numbers(land)] if land.is_crowded else [],
            "alt": f"{display.title}. {describe_map(display)}",
        }

    def _kept(self, key: str, make: Callable[[], str]) -> str:
        if key not in self.pictures:
            self.pictures[key] = _svg(Box(0, 0, SIZE, SIZE), make())
        return key

    def _livery(self, display: MapDisplay, territory: MapTerritory) -> Livery:
        livery = display.kingdom(territory.holder).livery
        return livery if len(display.kingdoms) <= SWARM else Livery(livery.tincture)

    def _piece(self, name: str, plot: TerritoryShape, livery: Livery, *, wall: bool = False) -> dict[str, object]:
        xs, ys = [x for x, _ in plot.outline], [y for _, y in plot.outline]
        box = Box(min(xs) - 2, min(ys) - 2, max(xs) - min(xs) + 4, max(ys) - min(ys) + 4)
        key = f"{plot.key} {livery.tincture} {livery.difference} {name}"
        if key not in self.pictures:
            path = path_data(plot.outline, closed=True)
            body = f'<path d="{path}" fill="{"#ffffff" if self.saves else livery.row.wash}"/>'
            for at, tile in enumerate(livery.tiles):
                body = _pattern(f"t{at}", tile, "#000000" if self.saves else livery.row.line, self.saves) + body
                body += f'<path d="{path}" fill="url(#t{at})"/>'
            if wall:
                body += f'<path d="{path}" fill="none" stroke="{self.ink}" stroke-width="2.6" stroke-linejoin="round"/>'
            self.pictures[key] = _svg(box, body)
        return {"picture": key, **_at(box)}

    def _under(self, land: MapGeometry) -> str:
        coast = path_data(land.coast, closed=True)
        rings = (
            (50, self.pale),
            (48.6, "#ffffff"),
            (35, self.pale),
            (33.4, "#ffffff"),
            (20, self.pale),
            (18, "#ffffff"),
        )
        return "".join(
            f'<path d="{coast}" fill="none" stroke="{paint}" stroke-width="{width}" stroke-linejoin="round"/>'
            for width, paint in rings
        )

    def _over(self, land: MapGeometry) -> str:
        thin = 0.5 if land.is_crowded else 1.0

        def lines(kinds: tuple[str, ...], width: float) -> str:
            path = "".join(path_data(edge.line, closed=False) for edge in land.edges if edge.kind in kinds)
            return (
                f'<path d="{path}" fill="none" stroke="{self.ink}" stroke-width="{width * thin}" '
                'stroke-linejoin="round" stroke-linecap="round"/>'
            )

        drawn = lines((INNER,), 1.5) + lines((KINGDOM, COAST), 3.4)
        drawn += f'<path d="{path_data(land.heath, closed=True)}" fill="#ffffff"/>' + lines((HEATH,), 3.4)
        scale = f"{land.compass / ROSE:.2f}"
        middle = coord(SIZE / 2)
        drawn += (
            f'<g transform="translate({middle} {middle}) scale({scale})" stroke="{self.ink}" stroke-width="1" '
            'stroke-linejoin="round">'
            f'<path d="{"".join(BETWEEN)}" fill="#ffffff"/><path d="{"".join(POINTS)}" fill="{self.ink}"/>'
            f'<path d="{NORTH}" fill="{self.red}"/><circle r="6" fill="#ffffff"/></g>'
        )
        grown = coord(doodad_scale(len(land.kingdoms)))
        for shape in land.kingdom_shapes:
            for x, y in shape.doodads:
                drawn += (
                    f'<path d="{DOODAD[shape.doodad].path}" transform="translate({coord(x)} {coord(y)}) '
                    f'scale({grown})" fill="none"'
                    f' stroke="{self.ink}" stroke-width="1.8" stroke-linecap="round" '
                    'stroke-linejoin="round" opacity=".7"/>'
                )
        return drawn

    def _labels(
        self, display: MapDisplay, land: MapGeometry, territories: dict[str, MapTerritory]
    ) -> list[dict[str, object]]:
        rows = []
        for shape in land.kingdom_shapes:
            rows.append(
                {**_at(shape.name), "kind": "realm", "name": display.kingdom(shape.kingdom).name, "taken": False}
            )
        for plot in land.plots:
            territory = territories[plot.key]
            if plot.place == "castle":
                continue
            box = place_label(plot, marked=territory.taken)
            rows.append({**_at(box), "kind": plot.place[:5], "name": territory.name, "taken": territory.taken})
        return rows


def _at(box: Box) -> dict[str, float]:
    return {"x": round(box.x, 1), "y": round(box.y, 1), "w": round(box.width, 1), "h": round(box.height, 1)}


def _upright(box: Box) -> Box:
    """The largest shield that fits."""
    width = min(box.width, box.height / 1.2)
    return Box(box.centre[0] - width / 2, box.centre[1] - width * 0.6, width, width * 1.2)


def _svg(box: Box, body: str) -> str:
    view = f"{coord(box.x)} {coord(box.y)} {coord(box.width)} {coord(box.height)}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view}" width="{coord(box.width)}" '
        f'height="{coord(box.height)}">'
        f"{body}</svg>"
    )


def _pattern(name: str, tile: Tile, paint: str, saves: bool) -> str:
    width = 0.7 if saves else 1.1
    turned = f' patternTransform="rotate({tile.turned})"' if tile.turned else ""
    lines = f'<path d="{tile.lines}" fill="none" stroke="{paint}" stroke-width="{width}"/>' if tile.lines else ""
    dots = "".join(
        f'<circle cx="{x:g}" cy="{y:g}" r="{r * (0.7 if saves else 0.85):g}" fill="{paint}"/>' for x, y, r in tile.dots
    )
    return (
        f'<defs><pattern id="{name}" width="{tile.width:g}" height="{tile.height:g}" '
        f'patternUnits="userSpaceOnUse"{turned}>'
        f"{lines}{dots}</pattern></defs>"
    )
