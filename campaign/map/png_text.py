"""Words for an image. Pillow's own font has no accents, so Typst sets them, in the face of the printed sheets."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

_TEMPLATE = Path(__file__).with_name("letters.typ")
_log = logging.getLogger(__name__)

LONGEST = 80  # of any one text; the image is a picture, not the record


@dataclass(frozen=True, slots=True)
class ImageText:
    """A text with the middle of its line at (x, y)."""

    text: str
    x: float
    y: float
    size: float
    room: float  # it is shrunk rather than wider than this
    ink: str = "#231a12"
    align: str = "start"  # start, middle, end
    bold: bool = False
    italic: bool = False
    caps: bool = False
    halo: str = ""


def draw_texts(words: Sequence[ImageText], width: int, height: int, times: int = 1) -> Image.Image:
    """All words on a clear sheet, ``times`` as large."""
    shown = [_clean_text(word) for word in words if word.text.strip()]
    try:
        return _typeset(shown, width, height, times)
    except BaseException as wrong:
        # A panic of the typesetter is not an Exception. Anything that means "stop" still stops.
        if isinstance(wrong, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
        _log.warning("Typst could not set the words of an image: %s", wrong)
        return _draw_with_pillow(shown, width, height, times)


def _clean_text(word: ImageText) -> ImageText:
    text = word.text if len(word.text) <= LONGEST else word.text[: LONGEST - 1].rstrip() + "…"
    return replace(word, text="".join(_replace_undrawable(mark) for mark in text))


# What the faces inside Typst can draw, roughly: Latin, Greek, Cyrillic, Hebrew, and the signs we use ourselves.
_RANGES = (
    (0x20, 0x7E),
    (0xA0, 0x24F),
    (0x250, 0x2AF),
    (0x300, 0x36F),
    (0x370, 0x3FF),
    (0x400, 0x52F),
    (0x5D0, 0x5EA),
    (0x1E00, 0x1FFF),
    (0x2010, 0x2027),
    (0x2030, 0x205E),
    (0x20AC, 0x20AC),
    (0x2116, 0x2122),
    (0x2190, 0x2193),
    (0x2200, 0x22FF),
    (0xFB00, 0xFB04),
)


def _replace_undrawable(mark: str) -> str:
    """A sign, or its code point in brackets where no face has it."""
    code = ord(mark)
    if any(low <= code <= high for low, high in _RANGES):
        return mark
    if mark.isspace() or not mark.isprintable():
        return " " if mark.isspace() else ""
    return f"[{code:X}]"


@lru_cache(maxsize=1)
def _load_template() -> bytes:
    return _TEMPLATE.read_bytes()


def _typeset(words: Sequence[ImageText], width: int, height: int, times: int) -> Image.Image:
    import typst  # a large library, loaded when the first image is asked for

    sheet = {"width": width, "height": height, "words": [asdict(word) for word in words]}
    made = typst.compile(
        _load_template(),
        format="png",
        ppi=72.0 * times,
        sys_inputs={"data": json.dumps(sheet)},
        ignore_system_fonts=True,
    )
    if not isinstance(made, bytes):
        raise TypeError("one page was asked for")
    image = Image.open(io.BytesIO(made)).convert("RGBA")
    if image.size != (width * times, height * times):
        image = image.resize((width * times, height * times))
    return image


def _draw_with_pillow(words: Sequence[ImageText], width: int, height: int, times: int) -> Image.Image:
    """With Pillow's font, which knows little more than English: other letters become boxes with their code point."""
    sheet = Image.new("RGBA", (width * times, height * times), (0, 0, 0, 0))
    pen = ImageDraw.Draw(sheet)
    for word in words:
        text = "".join(mark if " " <= mark <= "~" or mark in "…’“”·" else f"[{ord(mark):X}]" for mark in word.text)
        size = word.size * times * 0.86
        font = ImageFont.load_default(size)
        while pen.textlength(text, font=font) > word.room * times and size > 6:
            size *= 0.9
            font = ImageFont.load_default(size)
        anchor = {"start": "lm", "middle": "mm", "end": "rm"}[word.align]
        pen.text(
            (word.x * times, word.y * times),
            text,
            font=font,
            anchor=anchor,
            fill=word.ink,
            stroke_width=round(size * 0.13) if word.halo else 0,
            stroke_fill=word.halo or None,
        )
    return sheet
