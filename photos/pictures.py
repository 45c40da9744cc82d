"""Reads an uploaded picture and draws it anew: upright, at most 2,000 px, nothing but its pixels.

Nothing of the file that was sent is stored, so whatever else it holds (a place, a name, a second file) ends here.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from PIL import Image, ImageOps

from refusal import Refusal

MAX_BYTES = 15 * 1024 * 1024
MAX_SIDE = 2000
SMALL_SIDE = 480
# A JPEG is read at a smaller scale, so it may be larger than what has to be unpacked whole.
MAX_PIXELS = {"JPEG": 60_000_000, "PNG": 20_000_000, "WEBP": 20_000_000}
QUALITY = 82

TOO_LARGE = f"The photo is larger than {MAX_BYTES // 1024 // 1024} MB. Send a smaller version."
NOT_A_PHOTO = "This file is not a photo. Send a JPEG, PNG or WebP file."
DAMAGED = "This photo is damaged or incomplete. Send it again, or choose another one."
HEIC = (
    "This photo is in a format that most browsers cannot show (HEIC or AVIF). Save it as JPEG first; "
    "on an iPhone, choose Settings, Camera, Formats, Most Compatible."
)
EMPTY = "Choose a photo."

# One at a time in each process: unpacked, a single photo can need 200 MB.
_turn = threading.Lock()


@dataclass(frozen=True, slots=True)
class Picture:
    data: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Pictures:
    large: Picture
    small: Picture


def redraw_photo(file: BinaryIO) -> Pictures:
    """The photo in two sizes, or a refusal at the field."""
    raw = file.read(MAX_BYTES + 1)
    if not raw:
        raise Refusal(EMPTY, field="photo")
    if len(raw) > MAX_BYTES:
        raise Refusal(TOO_LARGE, field="photo", status=413)
    if raw[4:8] == b"ftyp":
        raise Refusal(HEIC, field="photo")
    with _turn, _open(raw) as image:
        large = _fit(_upright(image), MAX_SIDE)
        return Pictures(_encode(large), _encode(_fit(large, SMALL_SIDE)))


@contextmanager
def _open(raw: bytes) -> Iterator[Image.Image]:
    try:
        image = Image.open(io.BytesIO(raw), formats=tuple(MAX_PIXELS))
    except Image.DecompressionBombError:
        raise Refusal(_too_many_pixels("JPEG"), field="photo") from None
    except Exception:  # a header can be wrong in a dozen ways, and Pillow raises as many errors
        raise Refusal(NOT_A_PHOTO, field="photo") from None
    kind = image.format or ""
    if image.width * image.height > MAX_PIXELS[kind]:
        raise Refusal(_too_many_pixels(kind), field="photo")
    try:
        yield image
    except Refusal:
        raise
    except Exception:
        raise Refusal(DAMAGED, field="photo") from None


def _too_many_pixels(kind: str) -> str:
    return f"The photo has more than {MAX_PIXELS[kind] // 1_000_000} million pixels. Send a smaller version."


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
