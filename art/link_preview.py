"""A PNG of 1200 by 630 for link previews: page drawings in the light theme, and words that Typst sets over them."""

import io
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from PIL import Image

from heraldry import svg as heraldry_svg

WIDTH, HEIGHT = CARD = (1200, 630)
MAX_TEXT = 80  # of any one text; the image is a picture, not the record
_HERE = Path(__file__).resolve().parent
_STYLES = _HERE.parent / "static" / "css"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Words:
    """A text with the middle of its line at (x, y)."""

    text: str
    x: float
    y: float
    size: float
    room: float  # it is shrunk rather than wider than this
    ink: str = "ink"  # a colour of tokens.css
    align: str = "start"  # start, middle, end
    bold: bool = False
    italic: bool = False
    caps: bool = False


def draw_leaf(title: str, under: str, drawing: str, words: Sequence[Words], *, title_ink: str = "ink") -> bytes:
    """A framed leaf with a title and a double rule; what stands below y = 180 is the caller's."""
    frame = (
        '<g fill="none" stroke="var(--line)" shape-rendering="crispEdges">'
        f'<rect x="18.5" y="18.5" width="{WIDTH - 37}" height="{HEIGHT - 37}" stroke="var(--rule)"/>'
        f'<rect x="24.5" y="24.5" width="{WIDTH - 49}" height="{HEIGHT - 49}"/>'
        f'<path d="M80 174.5H{WIDTH - 80}M80 177.5H{WIDTH - 80}"/></g>'
    )
    head = (
        Words(title, WIDTH / 2, 88, 56, WIDTH - 140, title_ink, "middle", bold=True),
        Words(under, WIDTH / 2, 140, 26, WIDTH - 160, "ink-2", "middle"),
        Words("Mice-at-Arms", WIDTH - 50, HEIGHT - 46, 19, 200, "rubric", "end", caps=True),
    )
    return draw_png(frame + drawing, (*head, *words))


def draw_symbol(name: str, x: float, y: float, side: float, ink: str) -> str:
    """A symbol of the sprite, its middle at x."""
    return (
        f'<use href="#{name}" x="{x - side / 2:g}" y="{y:g}" width="{side:g}" height="{side:g}" color="var(--{ink})"/>'
    )


def draw_png(drawing: str, words: Sequence[Words]) -> bytes:
    """``drawing`` is SVG as pages carry it: with the sprite's symbols, classes of the stylesheets and their colours."""
    colours = _colours()
    # Only whole attributes: a name may read like this too.
    drawing = re.sub(r'"var\(--([\w-]+)\)"', lambda match: f'"{colours[match[1]]}"', replace_undrawable(drawing))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"><style>{_styles()}</style>'
        f'{heraldry_svg.read_sprite()}<rect width="100%" height="100%" fill="{colours["paper"]}"/>{drawing}</svg>'
    )
    shown = [asdict(replace(w, text=_shorten(w.text), ink=colours[w.ink])) for w in words if w.text.strip()]
    data = json.dumps({"svg": svg, "words": shown}, ensure_ascii=False)
    # A letter that the typesetter cannot bear must not cost the picture: then it is set with plain letters only.
    for text in (data, data.encode("ascii", "replace").decode()):
        try:
            return _encode(_typeset(text))
        except (KeyboardInterrupt, SystemExit, GeneratorExit, MemoryError):
            raise
        except BaseException as wrong:  # a panic of the compiler is not an Exception
            _log.warning("Typst could not make a picture: %s", wrong)
    return _encode(Image.new("RGB", CARD, colours["paper"]))


def _encode(image: Image.Image) -> bytes:
    """A palette of 256 is enough for flat colours and a third of the size."""
    out = io.BytesIO()
    image.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


@cache
def _fonts() -> Any:
    import typst  # a large library, loaded when the first picture is asked for

    return typst.Fonts(include_system_fonts=False)


def _typeset(data: str) -> Image.Image:
    import typst

    compiler = typst.Compiler(str(_HERE / "picture.typ"), font_paths=_fonts(), sys_inputs={"data": data})
    made = compiler.compile(format="png", ppi=72.0)
    if not isinstance(made, bytes):
        raise TypeError("one page was asked for")
    return Image.open(io.BytesIO(made)).convert("RGB")


# ── Colours and styles of the pages ──────────────────────────────────────────────────────────────────────


@cache
def _colours() -> dict[str, str]:
    """The light theme: the first block of a stylesheet."""
    texts = ((_STYLES / name).read_text(encoding="utf-8") for name in ("tokens.css", "map.css"))
    blocks = "".join(text.partition(":root {")[2].partition("}")[0] for text in texts)
    return dict(re.findall(r"--([\w-]+):\s*(#\w+)", blocks))


@cache
def _styles() -> str:
    """What a page says of a map and its shields, where SVG outside a browser understands it, and then our own."""
    texts = ((_STYLES / name).read_text(encoding="utf-8") for name in ("components.css", "map.css"))
    rules = re.findall(
        r"^\.(?:map|coast|terr|realm|boss|ico-|fills|ml|md|heath|rose|doodad|castle-)\b[\w .,-]*\{[^}]*\}",
        "".join(texts),
        re.MULTILINE,
    )
    style = "".join(rules) + (_HERE / "picture.css").read_text(encoding="utf-8")
    return re.sub(r"var\(--([\w-]+)\)", lambda match: _colours().get(match[1], match[0]), style)


# ── Letters ──────────────────────────────────────────────────────────────────────────────────────────────

# What the faces inside Typst cannot draw, roughly: all but Latin, Greek, Cyrillic, Hebrew, and our own signs.
_UNDRAWABLE = re.compile(
    "[^ -~\xa0-\u02af\u0300-\u052f\u05d0-\u05ea\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20ac\u2116-\u2122\u2190-\u2193"
    "\u2200-\u22ff\ufb00-\ufb04]"
)


def replace_undrawable(text: str) -> str:
    """Signs that no face has become their code point in brackets; what cannot be seen goes."""
    return _UNDRAWABLE.sub(lambda match: _spell(match[0]), text)


def _spell(mark: str) -> str:
    if mark.isspace():
        return " "
    return f"[{ord(mark):X}]" if mark.isprintable() else ""


def _shorten(text: str) -> str:
    return replace_undrawable(text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1].rstrip() + "…")
