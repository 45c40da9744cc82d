"""Photos as they come from phones, and files that only look like photos."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image


def jpeg(width: int = 64, height: int = 48, **options: object) -> bytes:
    return _saved(Image.linear_gradient("L").resize((width, height)).convert("RGB"), "JPEG", **options)


def sideways_jpeg_with_metadata() -> bytes:
    """Taken with the phone held upright: 80 by 40 on file, 40 by 80 to look at. With a place and a comment."""
    exif = Image.Exif()
    exif[0x0112] = 6  # turn by a quarter
    exif[0x010F] = "SECRETMAKER"
    exif.get_ifd(0x8825)[1] = "N"
    image = Image.new("RGB", (80, 40), "white")
    image.paste("red", (0, 0, 40, 40))
    return _saved(image, "JPEG", exif=exif.tobytes(), comment=b"SECRETCOMMENT", quality=95)


def see_through_png() -> bytes:
    return _saved(Image.new("RGBA", (30, 20), (255, 0, 0, 0)), "PNG")


def png_bomb(width: int = 30_000, height: int = 30_000) -> bytes:
    """A few hundred bytes that announce 900 million pixels."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = zlib.compress(b"\0" * 100_000, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def _saved(image: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()
