"""Pictures for link previews: the right size and colours, words in any script, and always a picture."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageChops

from art import link_preview
from art.link_preview import CARD, Words, draw_leaf, draw_png, draw_symbol, replace_undrawable
from heraldry import TINCTURE, TINCTURES, Arms, draw_arms_at

PAPER = "#f5eedd"


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    assert image.format == "PNG"
    assert image.size == CARD == (1200, 630)
    return image.convert("RGB")


def rgb(colour: str) -> tuple[int, int, int]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))  # type: ignore[return-value]


def near(one, other, by: int = 14) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def inked(image: Image.Image) -> tuple[int, int, int, int] | None:
    """The box around everything that is not paper."""
    return ImageChops.difference(image, Image.new("RGB", CARD, image.getpixel((1199, 629)))).getbbox()


def set_text(text: str, **how) -> tuple[int, int, int, int] | None:
    return inked(opened(draw_png("", [Words(text, 100, 100, 40, 400, **how)])))


# ── Words ────────────────────────────────────────────────────────────────────────────────────────────────


def test_accents_are_drawn_and_signs_without_a_letter_become_their_code_point():
    assert replace_undrawable("é") == "é"
    assert replace_undrawable("a漢") == "a[6F22]"
    assert replace_undrawable("\u202ea\x00\tb") == "a b"
    assert set_text("é")[1] < set_text("e")[1], "the accent stands above the letter"


def test_a_long_text_is_cut_and_shrunk_to_its_room():
    for align, left in (("start", 100), ("middle", -100), ("end", -300)):
        box = inked(opened(draw_png("", [Words("Thistledown " * 20, 500, 100, 40, 400, align=align)])))
        assert box[0] >= 500 + left - 102
        assert box[2] <= 500 + left + 302


@pytest.mark.parametrize(
    "text", ["", "   ", "\x00\x07\u202e", "\u0301" * 40, "מלך العكبر", "\U0001f42d", "#set page(fill: red)"]
)
def test_any_text_can_be_drawn(text, caplog):
    image = opened(draw_leaf(text, text, f"<desc>{text}</desc>", [Words(text, 600, 300, 30, 400)]))
    assert near(image.getpixel((4, 4)), rgb(PAPER), 3)
    assert not caplog.records, "drawn at the first try"


class Panic(BaseException):
    """A crash inside the library, which is not an Exception."""


def test_letters_that_the_typesetter_cannot_bear_become_plain_ones(monkeypatch):
    typeset = link_preview._typeset

    def fail(data: str) -> Image.Image:
        if not data.isascii():
            raise Panic
        return typeset(data)

    monkeypatch.setattr(link_preview, "_typeset", fail)
    assert set_text("Oakhold é")


def test_if_typst_fails_there_is_still_a_picture(monkeypatch):
    def fail(_: str) -> Image.Image:
        raise Panic

    monkeypatch.setattr(link_preview, "_typeset", fail)
    assert near(opened(draw_png("", [Words("Oakhold", 10, 20, 24, 200)])).getpixel((600, 300)), rgb(PAPER), 3)


def test_an_interrupt_is_not_swallowed(monkeypatch):
    def stop(_: str) -> Image.Image:
        raise KeyboardInterrupt

    monkeypatch.setattr(link_preview, "_typeset", stop)
    with pytest.raises(KeyboardInterrupt):
        draw_png("", [])


# ── Shields and symbols ──────────────────────────────────────────────────────────────────────────────────


def test_fields_have_their_colours_and_counterchanging_swaps_them():
    drawing = "".join(draw_arms_at(Arms(row.key), at * 100, 0, 100) for at, row in enumerate(TINCTURES))
    drawing += draw_arms_at(Arms("gules", "per_pale", "argent", "fess", "counterchanged"), 0, 200, 100)
    image = opened(draw_png(drawing, ()))
    for at, row in enumerate(TINCTURES):
        assert near(image.getpixel((at * 100 + 50, 60)), rgb(row.paint)), row.key
        assert near(image.getpixel((at * 100 + 2, 118)), rgb(PAPER), 3), "outside the outline there is nothing"
    gules, argent = rgb(TINCTURE["gules"].paint), rgb(TINCTURE["argent"].paint)
    for x, y, colour in ((30, 14, gules), (70, 14, argent), (30, 55, argent), (70, 55, gules)):
        assert near(image.getpixel((x, 200 + y)), colour)


def test_every_coat_of_arms_can_be_drawn():
    arms = [Arms.from_seed(f"house {number}") for number in range(200)]
    drawing = "".join(draw_arms_at(one, at % 20 * 60, at // 20 * 62, 50) for at, one in enumerate(arms))
    image = opened(draw_png(drawing, ()))
    for at in range(len(arms)):
        x, y = at % 20 * 60, at // 20 * 62
        assert near(image.getpixel((x + 25, y + 2)), (35, 26, 18)), "the rim"
        assert not near(image.getpixel((x + 6, y + 6)), rgb(PAPER), 3), "the field"


def test_symbols_have_their_colour_and_their_holes():
    image = opened(draw_png(draw_symbol("c-mouse", 32, 0, 64, "rubric"), ()))
    assert near(image.getpixel((40, 40)), (0x9B, 0x1B, 0x1E)), "the body"
    assert near(image.getpixel((13, 40)), rgb(PAPER), 90), "the eye"
