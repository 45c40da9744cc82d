"""Photos on paper: small enough for a page, grey where ink is saved."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

from PIL import Image

from photos.display import PhotoRow
from photos.models import photos_folder

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
