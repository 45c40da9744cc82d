"""A small file never asks for much work: every accepted format, attacked. The refusal comes before Pillow sees it."""

from __future__ import annotations

import contextlib
import io
import zlib

import pytest
from PIL import Image

from photos import pictures
from photos.pictures import NOT_A_PHOTO, TOO_MANY_FRAMES, TOO_MUCH_WORK, check_photo, redraw_photo
from refusal import Refusal
from tests.photos.sample_photos import (
    animated_webp,
    interlaced_png_bomb,
    jpeg,
    jpeg_with_segments,
    png_bomb,
    png_with_chunks,
    progressive_jpeg,
    sideways_jpeg_with_metadata,
    webp_with_canvas,
)

GIF_FRAME = b",\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00"
GIF = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00" + GIF_FRAME * 10_000 + b";"
TOO_MANY_PIXELS = "The photo has more than 20 million pixels. Send a smaller version."


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: progressive_jpeg(4000, 3000, 1000), TOO_MUCH_WORK),
        (lambda: progressive_jpeg(4000, 3000, 60), TOO_MUCH_WORK),
        (lambda: progressive_jpeg(64, 48, 100), TOO_MUCH_WORK),
        (lambda: jpeg_with_segments(1_000_000), TOO_MUCH_WORK),
        (lambda: jpeg_with_segments(2_000_000, b"\xff\xe1\x00\x02"), TOO_MUCH_WORK),
        (lambda: b"\xff\xd8" + b"\xff" * 14_000_000, NOT_A_PHOTO),
        (lambda: jpeg().replace(b"\xff\xc0", b"\xff\xc9", 1), TOO_MUCH_WORK),  # arithmetic coding
        (lambda: png_bomb(), TOO_MANY_PIXELS),
        (lambda: interlaced_png_bomb(), TOO_MANY_PIXELS),
        (lambda: png_with_chunks(b"tEXt", b"", 1_000_000), TOO_MUCH_WORK),
        (lambda: png_with_chunks(b"IDAT", b"", 1_000_000), TOO_MUCH_WORK),
        (lambda: animated_webp(10_000), TOO_MUCH_WORK),
        (lambda: animated_webp(400), TOO_MANY_FRAMES),
        (lambda: webp_with_canvas(16_000, 16_000), TOO_MANY_PIXELS),
        (lambda: GIF, NOT_A_PHOTO),
    ],
    ids=[
        "a thousand empty scans",
        "scans of many pixels",
        "scans of few pixels",
        "a million comments",
        "two million segments of metadata",
        "padding alone",
        "a slow kind of JPEG",
        "a large PNG",
        "a large interlaced PNG",
        "a million texts",
        "a million pieces of pixels",
        "ten thousand WebP frames",
        "four hundred WebP frames",
        "a large WebP canvas",
        "a GIF with ten thousand frames",
    ],
)
def test_much_work_is_refused_before_anything_is_decoded(make, sentence, monkeypatch):
    def decode(*_, **__):
        raise AssertionError("Pillow saw the file")

    raw = make()
    monkeypatch.setattr(pictures.Image, "open", decode)
    with pytest.raises(Refusal) as refused:
        redraw_photo(raw)
    assert refused.value.sentence == sentence


@pytest.mark.parametrize("name", [b"zTXt", b"iTXt", b"iCCP", b"fdAT", b"acTL"])
def test_packed_texts_and_profiles_of_a_png_reach_no_decoder(name):
    bomb = b"a\x00\x00" + zlib.compress(bytes(50_000_000), 9)
    checked = check_photo(png_with_chunks(name, bomb, 20))
    assert name not in checked.data
    assert redraw_photo(png_with_chunks(name, bomb, 20)).large.width == 30


def test_pixels_behind_the_last_row_of_a_png_are_not_unpacked():
    """90 MB behind a picture of 1 by 1, in a stream that is broken behind its first bytes: nobody notices."""
    raw = png_bomb(1, 1)
    data = zlib.compress(bytes(90_000_000), 9)
    data = data[: len(data) // 2] + b"\xff" * 1000
    begin = raw.index(b"IDAT") - 4
    raw = raw[:begin] + len(data).to_bytes(4) + b"IDAT" + data + zlib.crc32(b"IDAT" + data).to_bytes(4) + raw[-12:]
    assert redraw_photo(raw).large.width == 1


def test_only_the_first_frame_of_an_animation_is_drawn():
    image = Image.open(io.BytesIO(redraw_photo(animated_webp(100)).large.data))
    red, green, _ = image.getpixel((5, 5))
    assert red > 200 > 60 > green


def test_what_photo_programs_write_passes():
    """The most scans that programs write, in the largest photo; texts, a profile and a second file."""
    assert check_photo(progressive_jpeg(8_000, 7_400, 2)).width == 8_000
    assert redraw_photo(progressive_jpeg(64, 48, 20)).large.width == 64
    assert redraw_photo(jpeg(comment=b"x" * 60_000, icc_profile=b"p" * 500_000)).large.width == 64
    two = sideways_jpeg_with_metadata() + sideways_jpeg_with_metadata()
    checked = check_photo(two)
    assert b"SECRETCOMMENT" not in checked.data
    assert checked.data.count(b"SECRETMAKER") == 1, "only the EXIF data of the photo itself, for the way it was held"
    assert redraw_photo(two).large.height == 80


def test_phone_photo_with_a_second_picture_inside_is_a_photo():
    """Phones add a gain map or a depth map as a second JPEG, announced in the first."""
    out = io.BytesIO()
    Image.new("RGB", (64, 48)).save(out, "MPO", save_all=True, append_images=[Image.new("RGB", (32, 24))])
    result = redraw_photo(out.getvalue()).large
    assert (result.width, result.height) == (64, 48)


@pytest.mark.parametrize("make", [jpeg, lambda: png_with_chunks(b"tEXt", b"hm"), lambda: animated_webp(3)])
def test_file_that_ends_anywhere_is_refused_or_drawn_but_never_an_error(make):
    raw = make()
    for length in range(0, len(raw), 7):
        with contextlib.suppress(Refusal):
            redraw_photo(raw[:length])
