"""Whatever is sent, what is kept is an upright JPEG of at most 2,000 px with nothing but its pixels."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from photos.pictures import DAMAGED, EMPTY, HEIC, MAX_BYTES, NOT_A_PHOTO, TOO_LARGE, redraw_photo
from refusal import Refusal
from tests.photos.sample_photos import jpeg, png_bomb, see_through_png, sideways_jpeg_with_metadata


def redraw(raw: bytes):
    return redraw_photo(raw)


def opened(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_photo_is_turned_upright_and_keeps_no_metadata():
    raw = sideways_jpeg_with_metadata()
    assert b"SECRETMAKER" in raw
    assert b"SECRETCOMMENT" in raw
    result = redraw(raw).large
    image = opened(result.data)
    assert image.size == (result.width, result.height) == (40, 80)
    top, bottom = image.getpixel((20, 10)), image.getpixel((20, 70))
    assert top[1] < 60 < 200 < bottom[1]  # the red half was on the left, now it is on top
    assert b"SECRET" not in result.data
    assert b"Exif" not in result.data
    assert not image.getexif()
    assert "comment" not in image.info
    assert "icc_profile" not in image.info


def test_large_photo_is_scaled_down_and_has_a_small_version():
    result = redraw(jpeg(5000, 2500))
    assert (result.large.width, result.large.height) == (2000, 1000)
    assert (result.small.width, result.small.height) == (480, 240)
    assert opened(result.small.data).size == (480, 240)
    assert redraw(jpeg(3000, 2)).small.height == 1


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_other_formats_become_jpeg(kind):
    out = io.BytesIO()
    Image.new("RGB", (30, 20), "green").save(out, kind)
    assert opened(redraw(out.getvalue()).large.data).format == "JPEG"


@pytest.mark.parametrize("mode", ["L", "P", "LA", "1", "I;16", "CMYK", "RGBA"])
def test_every_colour_mode_becomes_rgb(mode):
    out = io.BytesIO()
    Image.new(mode, (30, 20)).save(out, "JPEG" if mode == "CMYK" else "PNG")
    assert opened(redraw(out.getvalue()).large.data).mode == "RGB"


def test_transparent_parts_become_white():
    assert opened(redraw(see_through_png()).large.data).getpixel((5, 5)) == (255, 255, 255)


def test_second_file_behind_the_photo_is_dropped():
    result = redraw(jpeg() + b"PK\x03\x04<script>alert(1)</script>")
    assert b"script" not in result.large.data + result.small.data
    assert b"PK\x03\x04" not in result.large.data


GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"", EMPTY),
        (b"not a photo at all", NOT_A_PHOTO),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", NOT_A_PHOTO),
        (b"%PDF-1.7", NOT_A_PHOTO),
        (GIF, NOT_A_PHOTO),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", HEIC),
        (b"\0\0\0\x18ftypavif\0\0\0\0mif1avif", HEIC),
        (jpeg(400, 300)[:2000], DAMAGED),
        (see_through_png()[:-30], DAMAGED),
        (b"\xff\xd8\xff" + bytes(500), NOT_A_PHOTO),
        (b"x" * (MAX_BYTES + 1), TOO_LARGE),
        (png_bomb(), "The photo has more than 20 million pixels. Send a smaller version."),
        (png_bomb(9_000, 9_000), "The photo has more than 20 million pixels. Send a smaller version."),
        (png_bomb(3_000, 3_000), DAMAGED),
    ],
    ids=lambda value: repr(value[:12]) if isinstance(value, bytes) else "",
)
def test_bad_file_is_refused_with_a_sentence_at_the_field(raw, sentence):
    with pytest.raises(Refusal) as refused:
        redraw(raw)
    assert refused.value.sentence == sentence
    assert refused.value.field == "photo"
