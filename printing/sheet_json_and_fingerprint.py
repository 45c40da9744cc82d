"""The content of a sheet: its fingerprint, and the JSON for the template, with shields and maps drawn.

Each picture is in the JSON once, however often it is shown.
"""

import base64
import hashlib
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from PIL import Image

from campaign.map.display import MapDisplay
from heraldry import Arms, draw_standalone
from jobs.registry import Progress
from photos.display import PhotoRow
from photos.models import photos_folder
from printing.map_drawing import MapDrawer


def fingerprint_of(sheet: str, data: Any) -> str:
    """A hash of the content, independent of paper and ink."""
    text = json.dumps([sheet, data], default=_plain, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def format_fingerprint(digest: str) -> str:
    """The first twelve digits in three groups."""
    return "·".join(digest[at : at + 4] for at in (0, 4, 8))


def _plain(thing: object) -> object:
    if isinstance(thing, Arms):
        return thing.to_dict()
    if isinstance(thing, PrintedPhoto):
        return [thing.code, thing.alt]
    if isinstance(thing, MapDisplay):
        crowns = [(c.id, c.number, c.name, c.arms, c.livery.tincture, c.livery.difference) for c in thing.kingdoms]
        return [thing.seed, crowns, [(g.key, g.name, g.holder, g.contested) for g in thing.territories]]
    raise TypeError(f"{type(thing).__name__} cannot be printed")


def find_maps(data: object) -> Iterator[MapDisplay]:
    if isinstance(data, MapDisplay):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from find_maps(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from find_maps(value)


def render_json(data: dict[str, object], *, saves_ink: bool, progress: Progress) -> str:
    """The JSON for the template."""
    maps = sum(1 for _ in find_maps(data))
    pictures: dict[str, str] = {}
    drawer = MapDrawer(pictures, saves_ink=saves_ink)
    done = 0

    def default(thing: object) -> object:
        nonlocal done
        if isinstance(thing, Arms):
            return draw_shield(thing, pictures, saves_ink)
        if isinstance(thing, PrintedPhoto):
            return draw_photo(thing, pictures, saves_ink)
        if isinstance(thing, MapDisplay):
            done += 1
            progress("Drawing maps", done, maps)
            return drawer.draw(thing, lambda arms: draw_shield(arms, pictures, saves_ink))
        raise TypeError(f"{type(thing).__name__} cannot be printed")

    body = json.dumps(data, default=default, ensure_ascii=False)
    return f'{{"pictures":{json.dumps(pictures)},"sheet":{body}}}'


def draw_shield(arms: Arms, pictures: dict[str, str], saves_ink: bool) -> dict[str, str]:
    blazon = arms.blazon()
    key = f"arms: {blazon}"
    if key not in pictures:
        pictures[key] = draw_standalone(arms, ink=saves_ink)
    return {"picture": key, "alt": f"Arms: {blazon}"}


# ── Photos on paper: small enough for a page, grey where ink is saved ────────────────────────────────────


LONG_SIDE = 1000  # pixels: sharp at the width of a page's column
QUALITY = 82


@dataclass(frozen=True, slots=True)
class PrintedPhoto:
    """A photo in a sheet's content. Its picture never changes, so its code stands for it in the fingerprint."""

    code: str
    width: int
    height: int
    alt: str


def printed_photo(row: PhotoRow, alt: str) -> PrintedPhoto | None:
    """Nothing if its file is gone."""
    if not (photos_folder() / f"{row.code}.jpg").is_file():
        return None
    return PrintedPhoto(row.code, row.width, row.height, alt)


def draw_photo(photo: PrintedPhoto, pictures: dict[str, str], saves_ink: bool) -> dict[str, str | float]:
    key = f"photo: {photo.code}"
    if key not in pictures:
        pictures[key] = _as_svg(photo, saves_ink)
    return {"picture": key, "alt": photo.alt, "ratio": photo.width / photo.height}


def _as_svg(photo: PrintedPhoto, saves_ink: bool) -> str:
    with Image.open(photos_folder() / f"{photo.code}.jpg") as image:
        image.thumbnail((LONG_SIDE, LONG_SIDE))
        small = image.convert("L" if saves_ink else "RGB")
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    data = base64.b64encode(out.getvalue()).decode()
    size = f'width="{small.width}" height="{small.height}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {small.width} {small.height}">'
        f'<image {size} href="data:image/jpeg;base64,{data}"/></svg>'
    )
