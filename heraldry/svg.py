"""Drawing arms as SVG: small for pages (colours and patterns come from the page), whole for files and paper."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from html import escape
from pathlib import Path

from heraldry.coat_of_arms import Arms
from heraldry.parts import CHARGE, COUNTERCHANGED, DIVISION, DIVISIONS, ORDINARY, TINCTURE

OUTLINE = "M6 5H94V56C94 86 72 105 50 116C28 105 6 86 6 56z"
_WHOLE = "M0 0H100V120H0z"
SIZES = ("s", "m", "l", "xl", "full")


@lru_cache(maxsize=2048)
def draw_arms(arms: Arms, size: str = "m", label: str = "", decorative: bool = False) -> str:
    """A shield for a page that carries the sprite. The blazon is its label unless one is given."""
    if size not in SIZES:
        raise ValueError(f"A shield is one of {SIZES}, not {size!r}")
    classes = "shield" if size == "m" else f"shield shield-{size}"
    voice = 'aria-hidden="true"' if decorative else f'role="img" aria-label="{escape(label or arms.blazon())}"'
    return f'<svg class="{classes}" viewBox="0 0 100 120" {voice}>{_in_the_page(arms)}</svg>'


def draw_arms_at(arms: Arms, x: float, y: float, width: float, label: str = "") -> str:
    """A shield inside another drawing (a map, a plan), its left upper corner at x, y."""
    voice = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return (
        f'<svg class="shield-at" x="{x:g}" y="{y:g}" width="{width:g}" height="{width * 1.2:g}" '
        f'viewBox="0 0 100 120" {voice}>{_in_the_page(arms)}</svg>'
    )


def _in_the_page(arms: Arms) -> str:
    body = _body(arms, paint="var(--{})".format, prefix="")
    return f'<g clip-path="url(#shield-clip)">{body}</g><path class="rim" d="{OUTLINE}"/>'


def draw_standalone(arms: Arms, *, width: int = 500, ink: bool = False) -> str:
    """A whole file: patterns, charges and colours inside. With ``ink`` in black on white, as engravers have it."""
    prefix = "a-"
    line, dot, edge = ("#000", "#000", "#000") if ink else ("#ffffff", "#3c2400", "#231a12")
    strength = "1" if ink else ".3"

    def paint(tincture: str) -> str:
        return "#fff" if ink else TINCTURE[tincture].paint

    needed = {tincture for tincture in (arms.field, arms.field2, arms.ordinary_tincture) if tincture in TINCTURE}
    patterns = "".join(
        f'<pattern id="{prefix}h-{tincture}" '
        f"{_HATCHINGS[tincture].format(line=line, dot=dot, strength=strength)}</pattern>"
        for tincture in sorted(needed)
        if tincture in _HATCHINGS
    )
    symbols = ""
    if arms.charge != "none":
        symbol = CHARGE[arms.charge].symbol
        drawing = read_symbols()[symbol]
        symbols = f'<symbol id="{prefix}{symbol}" viewBox="0 0 64 64" fill="currentColor">{drawing}</symbol>'
    part = ""
    if COUNTERCHANGED in (arms.ordinary_tincture, arms.charge_tincture):
        part = f'<clipPath id="{prefix}part-{arms.division}"><path d="{DIVISION[arms.division].second}"/></clipPath>'
    body = _body(arms, paint=paint, prefix=prefix, edge=edge, charge_paint="#000" if ink else "")
    title = escape(arms.blazon())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{width * 6 // 5}" viewBox="0 0 100 120"'
        f' role="img" aria-label="{title}"><title>{title}</title>'
        f'<defs><clipPath id="{prefix}shield-clip"><path d="{OUTLINE}"/></clipPath>{part}{patterns}{symbols}</defs>'
        f'<g clip-path="url(#{prefix}shield-clip)">{body}</g>'
        f'<path d="{OUTLINE}" fill="none" stroke="{edge}" stroke-width="3" stroke-linejoin="round"/></svg>'
    )


# The same hatchings as in the sprite, carrying their own colours.
_LINE = '<path d="{{d}}" fill="none" stroke="{line}" stroke-opacity="{strength}" stroke-width="1.1"/>'
_SIX = 'width="6" height="6" patternUnits="userSpaceOnUse"'
_HATCHINGS = {
    "gules": f"{_SIX}>" + _LINE.replace("{{d}}", "M3 0V6"),
    "azure": f"{_SIX}>" + _LINE.replace("{{d}}", "M0 3H6"),
    "vert": f'{_SIX} patternTransform="rotate(-45)">' + _LINE.replace("{{d}}", "M3 0V6"),
    "purpure": f'{_SIX} patternTransform="rotate(45)">' + _LINE.replace("{{d}}", "M3 0V6"),
    "sable": f"{_SIX}>" + _LINE.replace("{{d}}", "M3 0V6M0 3H6"),
    "or": 'width="8" height="8" patternUnits="userSpaceOnUse">'
    '<circle cx="2" cy="2" r="1" fill="{dot}" fill-opacity=".6"/><circle cx="6" cy="6" r="1" '
    'fill="{dot}" fill-opacity=".6"/>',
}


def _body(arms: Arms, paint: Callable[[str], str], prefix: str, edge: str = "", charge_paint: str = "") -> str:
    """Everything inside the outline, from the field upwards. With ``edge``, lines between parts carry their colour."""
    border = f'stroke="{edge}" stroke-width="1.5"' if edge else 'class="div"'

    def area(path: str, tincture: str, *, bordered: bool = True) -> str:
        drawn = f'<path d="{path}" fill="{paint(tincture)}" fill-rule="evenodd"{f" {border}" if bordered else ""}/>'
        if tincture != "argent":  # argent is plain
            drawn += f'<path d="{path}" fill="url(#{prefix}h-{tincture})" fill-rule="evenodd"/>'
        return drawn

    def charge(tincture: str) -> str:
        row = CHARGE[arms.charge]
        drawn = ""
        for x, y, size in arms.spots():
            side = round(size * row.scale, 2)
            drawn += (
                f'<use href="#{prefix}{row.symbol}" x="{round(x - side / 2, 2)}" y="{round(y - side / 2, 2)}"'
                f' width="{side}" height="{side}" color="{charge_paint or paint(tincture)}"/>'
            )
        return drawn

    def in_tincture(tincture: str, draw: Callable[[str], str]) -> str:
        if tincture != COUNTERCHANGED:
            return draw(tincture)
        # First all of it in the second tincture, then what lies on the second part again in the first.
        return f'{draw(arms.field2)}<g clip-path="url(#{prefix}part-{arms.division})">{draw(arms.field)}</g>'

    drawn = area(_WHOLE, arms.field, bordered=False)
    if arms.field2:
        drawn += area(DIVISION[arms.division].second, arms.field2)
    if arms.ordinary != "none":
        drawn += in_tincture(arms.ordinary_tincture, lambda tincture: area(ORDINARY[arms.ordinary].path, tincture))
    if arms.charge != "none":
        drawn += in_tincture(arms.charge_tincture, charge)
    return drawn


# ── The sprite: charges, marks and hatchings ─────────────────────────────────────────────────────────────
# A page points at a symbol as ``#c-mouse``. Pages of the site get the file's address put before it
# (``pages.answer_middleware``), so that a browser fetches the file once; the patterns stand in each page.


_HERE = Path(__file__).parent
SYMBOL_FILE = _HERE / "symbols" / "symbols.svg"
_PATTERNS = _HERE / "patterns.svg"
_SYMBOL = re.compile(r'<symbol id="(?P<id>[^"]+)"[^>]*>(?P<body>.*?)</symbol>', re.DOTALL)


@cache
def read_patterns() -> str:
    """Hatchings and clips, to stand once in each page: patterns take their colours from the page around them."""
    # Counterchanging cuts a drawing along the parting of the field.
    parts = "".join(
        f'<clipPath id="part-{row.key}"><path d="{row.second}"/></clipPath>'
        for row in DIVISIONS
        if row.second and not row.is_varied
    )
    return _PATTERNS.read_text(encoding="utf-8").strip().replace("</defs>", f"{parts}</defs>", 1)


@cache
def read_sprite() -> str:
    """Patterns and symbols together, for a page that must stand alone."""
    symbols = "".join(match[0] for match in _SYMBOL.finditer(_read_symbol_file()))
    return read_patterns().replace("</svg>", f"{symbols}</svg>")


@cache
def read_symbols() -> dict[str, str]:
    """What each symbol draws, by its id, for drawings that must carry everything themselves."""
    return {match["id"]: match["body"] for match in _SYMBOL.finditer(_read_symbol_file())}


def _read_symbol_file() -> str:
    return SYMBOL_FILE.read_text(encoding="utf-8")
