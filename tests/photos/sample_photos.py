"""Photos as they come from phones, and files that only look like photos."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

from django.test import TestCase
from PIL import Image

from photos.models import photos_folder
from refusal import Refusal


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


def progressive_jpeg(width: int, height: int, more_scans: int) -> bytes:
    """A JPEG whose last scan comes again and again: each costs a pass over all pixels."""
    made = _saved(Image.new("RGB", (width, height)), "JPEG", progressive=True)
    begin, end = made.rindex(b"\xff\xda"), made.rindex(b"\xff\xd9")
    return made[:end] + made[begin:end] * more_scans + made[end:]


def jpeg_with_segments(number: int, segment: bytes = b"\xff\xfe\x00\x02") -> bytes:
    made = jpeg()
    return made[:2] + segment * number + made[2:]


def png_with_chunks(name: bytes, data: bytes, number: int = 1) -> bytes:
    """A small PNG with chunks before its pixels."""
    made = see_through_png()
    chunk = struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    begin = made.index(b"IDAT") - 4
    return made[:begin] + chunk * number + made[begin:]


def interlaced_png_bomb() -> bytes:
    made = bytearray(png_bomb(30_000, 30_000))
    made[28] = 1
    made[29:33] = struct.pack(">I", zlib.crc32(bytes(made[12:29])))
    return bytes(made)


def animated_webp(frames: int, width: int = 20, height: int = 10) -> bytes:
    """The second frame of a short animation comes again and again."""
    first, second = Image.new("RGB", (width, height), "red"), Image.new("RGB", (width, height), "green")
    made = _saved(first, "WEBP", save_all=True, append_images=[second], lossless=True)
    begin = made.rindex(b"ANMF")
    frame = made[begin:]
    made = made[:begin] + frame * (frames - 1)
    return made[:4] + struct.pack("<I", len(made) - 8) + made[8:]


def webp_with_canvas(width: int, height: int) -> bytes:
    """A few bytes that announce a large canvas."""
    made = bytearray(animated_webp(2))
    made[24:30] = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return bytes(made)


def add_drawn_photo(subject: Any, who: Any, *, key: str, raw: bytes = b"") -> Any:
    """Add a photo, and draw it as its job would."""
    from photos import services

    photo = services.add_photo(subject, who, key=key, file=io.BytesIO(raw or jpeg()))
    draw_waiting_photos()
    photo.refresh_from_db()
    return photo


def draw_waiting_photos() -> None:
    """Run the jobs that draw photos here, without a process for each."""
    from jobs.models import Job, State
    from jobs.registry import JobContext
    from photos import services

    for job in Job.objects.filter(kind=services.DRAW_JOB, state=State.QUEUED):
        try:
            job.result = services.draw_photo(JobContext(job.args, lambda *_: None, photos_folder())).facts
        except Refusal as refusal:
            job.state, job.error = State.FAILED, refusal.sentence
            job.save()
            continue
        job.state = State.DONE
        job.save()
        with TestCase.captureOnCommitCallbacks(execute=True):
            services.show_drawn_photo(job)
