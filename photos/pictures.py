"""Reads an uploaded picture and draws it anew: upright, at most 2,000 px, nothing but its pixels.

Nothing of the file that was sent is kept, so whatever else it holds (a place, a name, a second file) ends here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image, ImageOps

from photos.file_headers import DAMAGED, PhotoFile, check_photo
from refusal import Refusal

MAX_SIDE = 2000
SMALL_SIDE = 480
QUALITY = 82


@dataclass(frozen=True, slots=True)
class Picture:
    data: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Pictures:
    large: Picture
    small: Picture


def redraw_photo(raw: bytes) -> Pictures:
    """The photo in two sizes, or a refusal at the field."""
    with _open(check_photo(raw)) as image:
        large = _fit(_upright(image), MAX_SIDE)
        return Pictures(_encode(large), _encode(_fit(large, SMALL_SIDE)))


@contextmanager
def _open(file: PhotoFile) -> Iterator[Image.Image]:
    try:
        with Image.open(io.BytesIO(file.data), formats=(file.kind,)) as image:
            if image.size != (file.width, file.height):
                raise Refusal(DAMAGED, field="photo")
            yield image
    except Refusal:
        raise
    except Exception:  # a file can be wrong in a dozen ways, and Pillow raises as many errors
        raise Refusal(DAMAGED, field="photo") from None


def _upright(image: Image.Image) -> Image.Image:
    """Its pixels alone, turned as the camera was held, on white where it is transparent."""
    turned = ImageOps.exif_transpose(_shrink_while_reading(image))
    if turned.has_transparency_data:
        turned = turned.convert("RGBA")
        clean = Image.new("RGB", turned.size, "white")
        clean.paste(turned, mask=turned.getchannel("A"))
        return clean
    clean = Image.new("RGB", turned.size)
    clean.paste(turned.convert("RGB"))
    return clean


def _shrink_while_reading(image: Image.Image) -> Image.Image:
    # Keeps at least the size asked for; only JPEG can do it, others ignore it.
    image.draft("RGB", (MAX_SIDE, MAX_SIDE))
    image.load()
    return image


def _fit(image: Image.Image, side: int) -> Image.Image:
    scale = min(1.0, side / max(image.size))
    if scale == 1.0:
        return image
    width, height = (max(1, round(length * scale)) for length in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _encode(image: Image.Image) -> Picture:
    out = io.BytesIO()
    image.save(out, "JPEG", quality=QUALITY, progressive=True, optimize=True)
    return Picture(out.getvalue(), *image.size)
