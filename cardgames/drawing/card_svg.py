"""Cards as SVG for a page with the sprite. Colours come from static/css/cards.css; cards stay paper in dark mode.

Size "s" is for 64 to about 130 px of width and shows what a fanned hand must show; "l" is for more and shows all.
"""

from collections.abc import Sequence
from functools import lru_cache
from html import escape

from cardgames.engine.card_content import CardContent, CardSign
from heraldry import svg as heraldry_svg
from text import estimate_width

SIZES = ("s", "l")
WIDE, HIGH = 100, 140

SHAPES = {
    "lozenge": "M50 4L92 50L50 96L8 50Z",
    "disc": "M50 6a44 44 0 1 0 .1 0Z",
    "triangle": "M50 8L95 90H5Z",
    "square": "M12 12H88V88H12Z",
    "cross": "M34 6H66V34H94V66H66V94H34V66H6V34H34Z",
    "hexagon": "M28 10H72L96 50L72 90H28L4 50Z",
    "ring": "M50 6a44 44 0 1 0 .1 0Z",
}


@lru_cache(maxsize=1024)
def card_svg(card: CardContent, size: str = "s", decorative: bool = False) -> str:
    """The face of a card. Its label is read out unless the words stand beside it."""
    if size not in SIZES:
        raise ValueError(f"A card is drawn in one of {SIZES}, not {size!r}")
    body = _small(card) if size == "s" else _large(card)
    return _card_frame(body, f"gcard gcard-{size} gt-{card.tincture}", card.label, decorative)


@lru_cache(maxsize=64)
def back_svg(title: str, charge: str, tincture: str, size: str = "s", decorative: bool = False) -> str:
    """The back of a card of this game and pile."""
    x, y, w, h = 6, 6, 88, 128
    body = (
        f'<path class="gfield" d="M{x} {y}h{w}v{h}h-{w}z"/>'
        f'<path class="ghatch" d="{hatch_lines(tincture, x, y, w, h, 6)}"/>'
        f'<path class="gframe" d="M{x} {y}h{w}v{h}h-{w}z"/>'
        '<circle class="gdisc" cx="50" cy="70" r="30"/>' + _charge(charge, 50, 70, 36)
    )
    return _card_frame(body, f"gcard gcard-back gcard-{size} gt-{tincture}", f"{title}, face down", decorative)


def badge_svg(tincture: str, shape: str) -> str:
    """The sign of a colour alone, to stand beside its name: field, hatching and a shape of its own."""
    return (
        f'<svg class="gcard gsign gt-{tincture}" viewBox="0 0 100 100" aria-hidden="true">'
        f'<g class="gbadge"><path d="{SHAPES[shape]}"/></g></svg>'
    )


def sign_svg(sign: CardSign | str) -> str:
    """One sign of a card on a scrap of its paper, to stand beside its meaning; a figure is a cost in its coin."""
    body = _corner(sign, 50, 20, 14.5, 22) if isinstance(sign, str) else _marks((sign,), 20, 22)
    return (
        '<svg class="gcard gscrap" viewBox="18 0 64 40" aria-hidden="true"><rect class="gpaper" x="19" y="1" '
        f'width="62" height="38" rx="4"/>{body}</svg>'
    )


def _card_frame(body: str, css: str, label: str, decorative: bool) -> str:
    voice = 'aria-hidden="true"' if decorative else f'role="img" aria-label="{escape(label)}"'
    return (
        f'<svg class="{css}" viewBox="0 0 {WIDE} {HIGH}" {voice}>'
        f'<rect class="gpaper" x="1" y="1" width="98" height="138" rx="6"/>{body}</svg>'
    )


def _small(card: CardContent) -> str:
    if card.marks:
        return (
            _panel(card.tincture, 38, 58, 7)
            + _charge(card.charge, 50, 68, 44)
            + _corner(card.corner, 18, 20, 14.5, 22)
            + _badge(card.shape, 68, 6, 27)
            + _marks(card.marks, 117, 26)
        )
    size, lines = fit_text(card.name, 92, 2, (18, 16, 14.5, 13))
    top = 112 if len(lines) == 2 else 121
    return (
        _panel(card.tincture, 6, 84, 6)
        + _charge(card.charge, 50, 51, 62)
        + _corner(card.corner, 19, 19, 14, 17)
        + _text(lines, 50, top, size, "gname", 92)
    )


def _large(card: CardContent) -> str:
    # What the figures below say already needs no corner.
    corner = "" if card.strip else card.corner
    room = 50 if corner or card.shape else 86
    size, lines = fit_text(card.name, room, 2, (11, 10, 9, 8, 7, 6))
    out = [
        _text(lines, 50, 19.5 if len(lines) == 1 else 13.5, size, "gname", room),
        _corner(corner, 14.5, 15.5, 9.5, 12),
        _badge(card.shape, 76, 6, 18),
    ]
    if card.marks or card.strip:
        quote_size, quote = fit_text(card.text, 86, 2, (6.6, 6, 5.4))
        out += [_panel(card.tincture, 30, 56, 6), _charge(card.charge, 50, 60, 44)]
        if card.role:
            out.append(_text([card.role], 50, 93.5, 7.4, "grole"))
        if card.marks:
            out.append(_marks(card.marks, 104 if card.role else 100, 15))
        else:
            out.append(_strip(card.strip, 98))
        out.append(_text(quote, 50, 119.5, quote_size, "gquote", 86))
    else:
        text_size, text = fit_text(card.text, 88, 6, (7.2, 6.6, 6, 5.4, 4.8))
        high = 92 - 7.6 * max(4, len(text))
        out += [_panel(card.tincture, 30, high, 6), _charge(card.charge, 50, 31 + high / 2, min(46, high - 10))]
        out.append(_text(text, 50, 30 + high + 9.5, text_size, "grule", 88))
    out.append(_text([card.kind], 50, 134, 6.5, "gkind"))
    return "".join(out)


def _panel(tincture: str, y: float, high: float, gap: float) -> str:
    """A window with an arched top: the field and its hatching, then paper over the corners, then the line."""
    x, w = 7, 86
    rise = min(22, high * 0.4)
    arch = (
        f"M{x} {y + rise:g}C{x} {y + rise * 0.3:g} 28 {y:g} 50 {y:g}C72 {y:g} {x + w} "
        f"{y + rise * 0.3:g} {x + w} {y + rise:g}"
    )
    return (
        f'<path class="gfield" d="M{x} {y:g}h{w}v{high:g}h-{w}z"/>'
        f'<path class="ghatch" d="{hatch_lines(tincture, x, y, w, high, gap)}"/>'
        f'<path class="gover" d="{arch}V{y - 1.5:g}H{x - 1.5}V{y + rise:g}zM{x + w} '
        f'{y + rise:g}h1.5V{y - 1.5:g}h-1.5z"/>'
        f'<path class="gframe" d="{arch}V{y + high:g}H{x}z"/>'
    )


def _charge(charge: str, x: float, y: float, side: float) -> str:
    symbol = f"c-{charge}"
    if symbol not in heraldry_svg.read_symbols():
        raise ValueError(f"The sprite has no symbol {symbol!r}")
    place = f'x="{x - side / 2:g}" y="{y - side / 2:g}" width="{side:g}" height="{side:g}"'
    return f'<use class="ghalo" href="#{symbol}" {place}/><use class="gcharge" href="#{symbol}" {place}/>'


def _corner(figure: str, x: float, y: float, radius: float, size: float) -> str:
    if not figure:
        return ""
    return f'<circle class="gcoin" cx="{x:g}" cy="{y:g}" r="{radius:g}"/>' + _text(
        [figure], x, y + size * 0.35, size, "gfigure"
    )


def _badge(shape: str, x: float, y: float, side: float) -> str:
    if not shape:
        return ""
    return (
        f'<svg class="gbadge" x="{x:g}" y="{y:g}" width="{side:g}" height="{side:g}" viewBox="0 0 100 100"><path '
        f'd="{SHAPES[shape]}"/></svg>'
    )


def _marks(marks: tuple[CardSign, ...], y: float, side: float) -> str:
    """Signs and figures in one row around the middle, drawn smaller where there are many."""
    figure, slash, gap = side * 0.92, side * 0.5, side * 0.18
    total = sum(side + _figure_room(mark.figure, figure) + gap for mark in marks) - gap
    total += slash if any(mark.after_slash for mark in marks) else 0
    scale = min(1.0, 90 / total)
    side, figure, slash, gap = (part * scale for part in (side, figure, slash, gap))
    x = 50 - total * scale / 2
    out = []
    for mark in marks:
        if mark.after_slash:
            out.append(_text(["/"], x + slash / 2 - gap / 2, y + figure * 0.35, figure, "gslash"))
            x += slash
        out.append(_charge(mark.charge, x + side / 2, y, side))
        x += side
        if mark.figure:
            room = _figure_room(mark.figure, figure)
            out.append(_text([mark.figure], x + room / 2, y + figure * 0.35, figure, "gfigure"))
            x += room
        x += gap
    return "".join(out)


def _figure_room(figure: str, size: float) -> float:
    """Figures are set bold and need air on both sides."""
    return text_width(figure, size) * 1.25 if figure else 0


def _strip(strip: tuple[tuple[str, str], ...], y: float) -> str:
    """Figures side by side with a word under each."""
    out = []
    for number, (word, figure) in enumerate(strip):
        x = 50 + (number - (len(strip) - 1) / 2) * 27
        out.append(_text([figure], x, y, 13, "gfigure") + _text([word], x, y + 8.5, 6.5, "gkind"))
        if number:
            out.append(f'<path class="ghair" d="M{x - 13.5:g} {y - 10:g}v19"/>')
    return "".join(out)


def _text(lines: list[str], x: float, y: float, size: float, css: str, room: float = WIDE) -> str:
    """Lines around x. A line that nearly fills its room is held to the measured width, whatever the typeface."""
    out = []
    for number, line in enumerate(lines):
        wide = text_width(line, size)
        held = f' textLength="{wide:.1f}" lengthAdjust="spacingAndGlyphs"' if wide > room * 0.78 else ""
        place = f'x="{x:g}" y="{y + number * size * 1.12:g}" font-size="{size:g}" text-anchor="middle"'
        out.append(f'<text class="{css}" {place}{held}>{escape(line)}</text>')
    return "".join(out)


# Other typefaces are wider than the one the estimate knows.
SPARE = 1.05


def text_width(text: str, size: float) -> float:
    """About how wide this is at this size."""
    return estimate_width(text) * size * SPARE


def wrap_text(text: str, room: float, size: float) -> list[str]:
    """The text in lines no wider than the room; a word that is wider is cut with a mark that says so."""
    lines: list[str] = []
    for word in text.split():
        if text_width(word, size) > room:
            word = _shorten_word(word, room, size)
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def fit_text(text: str, room: float, most: int, sizes: Sequence[float]) -> tuple[float, list[str]]:
    """The first size at which the text fits ``most`` lines; else the last size, with the text cut short."""
    for size in sizes:
        lines = wrap_text(text, room, size)
        if len(lines) <= most and " ".join(lines) == " ".join(text.split()):
            return size, lines
    lines = wrap_text(text, room, sizes[-1])
    if len(lines) > most:
        lines = [*lines[: most - 1], _shorten_word(f"{lines[most - 1]} …", room, sizes[-1])]
    return sizes[-1], lines


def _shorten_word(word: str, room: float, size: float) -> str:
    while len(word) > 1 and text_width(f"{word}…", size) > room:
        word = word[:-1]
    return f"{word.rstrip(' …')}…"


def hatch_lines(tincture: str, x: float, y: float, w: float, h: float, gap: float) -> str:
    """The path of the hatching: upright for gules, level for azure, falling for vert and purpure, both for tenne."""
    if tincture == "gules":
        return _vertical_lines(x, y, w, h, gap)
    if tincture == "azure":
        return _horizontal_lines(x, y, w, h, gap)
    if tincture == "vert":
        return _diagonal_lines(x, y, w, h, gap * 1.4, False)
    if tincture == "purpure":
        return _diagonal_lines(x, y, w, h, gap * 1.4, True)
    if tincture == "tenne":
        return _horizontal_lines(x, y, w, h, gap * 1.3) + _diagonal_lines(x, y, w, h, gap * 1.9, True)
    if tincture == "or":
        return _dots(x, y, w, h, gap)
    return ""


def _vertical_lines(x: float, y: float, w: float, h: float, gap: float) -> str:
    return "".join(f"M{x + step:g} {y:g}v{h:g}" for step in _steps(w, gap))


def _horizontal_lines(x: float, y: float, w: float, h: float, gap: float) -> str:
    return "".join(f"M{x:g} {y + step:g}h{w:g}" for step in _steps(h, gap))


def _dots(x: float, y: float, w: float, h: float, gap: float) -> str:
    """Strokes of no length with round ends are dots."""
    out = []
    for row, down in enumerate(_steps(h, gap)):
        shift = gap / 2 if row % 2 else 0
        out += [f"M{x + across:g} {y + down:g}h0" for across in _steps(w - shift, gap, shift)]
    return "".join(out)


def _diagonal_lines(x: float, y: float, w: float, h: float, gap: float, rising: bool) -> str:
    out = []
    for step in _steps(w + h, gap):
        # Along the upper and one side edge; each line is cut where it leaves the box.
        left, right = max(0.0, step - h), min(step, w)
        top, bottom = step - right, step - left
        if rising:
            out.append(f"M{x + left:g} {y + bottom:g}L{x + right:g} {y + top:g}")
        else:
            out.append(f"M{x + w - left:g} {y + bottom:g}L{x + w - right:g} {y + top:g}")
    return "".join(out)


def _steps(length: float, gap: float, start: float = 0) -> list[float]:
    at, out = start + gap / 2, []
    while at < start + length:
        out.append(round(at, 2))
        at += gap
    return out
