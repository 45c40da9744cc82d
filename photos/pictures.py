"""Reads an uploaded picture and draws it anew: upright, at most 2,000 px, nothing but its pixels.

Nothing of the file that was sent is kept, so whatever else it holds (a place, a name, a second file) ends here.
"""

import io
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import Image, ImageOps

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
def _open(file: "PhotoFile") -> Iterator[Image.Image]:
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


# ── What a photo's file says about itself ──────────────────────────────────────────────────────────────
# Read without decoding a pixel: its size, and the work it asks for. A small file can ask for a lot: a JPEG goes over
# all its pixels once for each scan, a PNG unpacks texts and profiles, a WebP holds any number of frames. All of it is
# counted here, in time that grows with the bytes alone.


MAX_BYTES = 15 * 1024 * 1024
# A JPEG is read at a smaller scale, so it may be larger than what has to be unpacked whole.
MAX_PIXELS = {"JPEG": 60_000_000, "PNG": 20_000_000, "WEBP": 20_000_000}
# Cameras and programs write 1 to 15 scans; each goes over the whole picture, at about 1 s for 750 million pixels.
MAX_SCANS = 100
MAX_SCANNED_PIXELS = 750_000_000
MAX_FRAMES = 300
# Segments of a JPEG, chunks of a PNG or a WebP. The smallest that programs write are 4 kB, in files of 15 MB.
MAX_PARTS = 5_000

TOO_LARGE = f"The photo is larger than {MAX_BYTES // 1024 // 1024} MB. Send a smaller version."
NOT_A_PHOTO = "This file is not a photo. Send a JPEG, PNG or WebP file."
DAMAGED = "This photo is damaged or incomplete. Send it again, or choose another one."
HEIC = (
    "This photo is in a format that most browsers cannot show (HEIC or AVIF). Save it as JPEG first; "
    "on an iPhone, choose Settings, Camera, Formats, Most Compatible."
)
TOO_MUCH_WORK = (
    "This photo is saved in a way that takes too long to read. Open it in a photo program, save it as a plain JPEG "
    "and send that."
)
TOO_MANY_FRAMES = f"This animation has more than {MAX_FRAMES} frames. Send one of its pictures instead."
EMPTY = "Choose a photo."

_PNG = b"\x89PNG\r\n\x1a\n"
# All that a decoder needs for the pixels, and the EXIF data for the way the camera was held.
_PNG_KEPT = {b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"eXIf"}
_JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)
_SOI, _EOI, _SOS, _EXIF, _ADOBE, _COMMENT, _TEM = 0xD8, 0xD9, 0xDA, 0xE1, 0xEE, 0xFE, 0x01
_PLAIN_FRAMES = {0xC0, 0xC1, 0xC2}  # baseline, extended, progressive: what cameras and programs write
_OTHER_FRAMES = {0xC3, *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)}


@dataclass(frozen=True, slots=True)
class PhotoFile:
    """A file that is safe to decode. ``data`` is what a decoder needs of it: no comments, profiles or second files."""

    kind: str
    width: int
    height: int
    data: bytes


def check_photo(raw: bytes) -> PhotoFile:
    """The file without what no decoder needs, or a refusal at the field."""
    if not raw:
        raise Refusal(EMPTY, field="photo")
    if len(raw) > MAX_BYTES:
        raise Refusal(TOO_LARGE, field="photo", status=413)
    if raw[4:8] == b"ftyp":
        raise Refusal(HEIC, field="photo")
    try:
        checked = _read_file(raw)
    except (struct.error, IndexError):  # it ends in the middle of a number
        raise Refusal(DAMAGED, field="photo") from None
    if not checked.width or not checked.height:
        raise Refusal(DAMAGED, field="photo")
    if checked.width * checked.height > MAX_PIXELS[checked.kind]:
        raise Refusal(too_many_pixels(checked.kind), field="photo")
    return checked


def _read_file(raw: bytes) -> PhotoFile:
    if raw.startswith(b"\xff\xd8\xff"):
        return _read_jpeg(raw)
    if raw.startswith(_PNG):
        return _read_png(raw)
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return _read_webp(raw)
    raise Refusal(NOT_A_PHOTO, field="photo")


def too_many_pixels(kind: str) -> str:
    return f"The photo has more than {MAX_PIXELS[kind] // 1_000_000} million pixels. Send a smaller version."


def _read_jpeg(raw: bytes) -> PhotoFile:
    width = height = scans = 0
    kept = [raw[:2]]
    has_exif = False
    for marker, begin, end in _jpeg_parts(raw):
        if marker in _OTHER_FRAMES:
            raise Refusal(TOO_MUCH_WORK, field="photo")
        if marker in _PLAIN_FRAMES:
            if width:
                raise Refusal(DAMAGED, field="photo")
            height, width = struct.unpack_from(">HH", raw, begin + 5)
        elif marker == _SOS:
            scans += 1
            if scans > MAX_SCANS or scans * width * height > MAX_SCANNED_PIXELS:
                raise Refusal(TOO_MUCH_WORK, field="photo")
        elif marker == _EXIF and not has_exif and raw[begin + 4 : begin + 8] == b"Exif":
            has_exif = True
        elif marker == _COMMENT or (0xE1 <= marker <= 0xEF and marker != _ADOBE):
            continue
        kept.append(raw[begin:end])
    if not width:
        raise Refusal(NOT_A_PHOTO, field="photo")
    if not scans:
        raise Refusal(DAMAGED, field="photo")
    return PhotoFile("JPEG", width, height, b"".join(kept))


def _jpeg_parts(raw: bytes) -> Iterator[tuple[int, int, int]]:
    """Each marker with where its segment begins and ends; a scan ends where the next marker is."""
    at = 2
    for _ in range(MAX_PARTS):
        match = _JPEG_MARKER.search(raw, at)
        if match is None:
            return
        begin, marker = match.start(), raw[match.start() + 1]
        if marker == _EOI:
            yield marker, begin, begin + 2
            return
        if marker in (_SOI, _TEM):
            at = begin + 2
            continue
        (length,) = struct.unpack_from(">H", raw, begin + 2)
        at = begin + 2 + length
        if length < 2 or at > len(raw):
            raise Refusal(DAMAGED, field="photo")
        if marker == _SOS:
            following = _JPEG_MARKER.search(raw, at)
            at = following.start() if following else len(raw)
        yield marker, begin, at
    raise Refusal(TOO_MUCH_WORK, field="photo")


def _read_png(raw: bytes) -> PhotoFile:
    width = height = 0
    kept = [_PNG]
    for name, begin, size in _chunks(raw, len(_PNG), ">I4s"):
        if not width:
            if name != b"IHDR":
                raise Refusal(DAMAGED, field="photo")
            width, height = struct.unpack_from(">II", raw, begin + 8)
        if name in _PNG_KEPT:
            kept.append(raw[begin : begin + 12 + size])
        if name == b"IEND":
            return PhotoFile("PNG", width, height, b"".join(kept))
    raise Refusal(DAMAGED, field="photo")


def _read_webp(raw: bytes) -> PhotoFile:
    width = height = frames = 0
    for name, begin, _ in _chunks(raw, 12, "<4sI"):
        at = begin + 8
        if name == b"ANMF":
            frames += 1
        elif width:
            continue
        elif name == b"VP8X":
            width, height = (1 + int.from_bytes(raw[begin : begin + 3], "little") for begin in (at + 4, at + 7))
        elif name == b"VP8L":
            (bits,) = struct.unpack_from("<I", raw, at + 1)
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif name == b"VP8 ":
            width, height = (size & 0x3FFF for size in struct.unpack_from("<HH", raw, at + 6))
    if frames > MAX_FRAMES:
        raise Refusal(TOO_MANY_FRAMES, field="photo")
    return PhotoFile("WEBP", width, height, raw)


def _chunks(raw: bytes, at: int, head: str) -> Iterator[tuple[bytes, int, int]]:
    """Name, beginning and size of each chunk of a PNG (with a checksum of 4 bytes) or a WebP (padded to 2 bytes)."""
    is_png = head.startswith(">")
    for _ in range(MAX_PARTS):
        if at + 8 > len(raw):
            return
        first, second = struct.unpack_from(head, raw, at)
        name, size = (second, first) if is_png else (first, second)
        begin, at = at, at + 8 + size + (4 if is_png else size % 2)
        if at > len(raw):
            raise Refusal(DAMAGED, field="photo")
        yield name, begin, size
    raise Refusal(TOO_MUCH_WORK, field="photo")
