"""What every template can call: icons, arms, terms, names, numbers, times, and the hidden inputs of forms."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import date, datetime, tzinfo
from fractions import Fraction
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from django.template import defaultfilters
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.dateformat import format as format_date
from django.utils.html import format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe
from jinja2 import pass_context
from jinja2.runtime import Context

from cached_reverse import cached_reverse
from heraldry import Arms, draw_arms, draw_arms_at, draw_standalone, svg as sprites
from heraldry.svg import OUTLINE
from refusal import Refusal
from rulebook.data.rule_texts import term_of
from text import format_signed

# ── Icons ────────────────────────────────────────────────────────────────────────────────────────────────


def sprite() -> SafeString:
    """The whole sprite, right after <body>, in a page that must stand alone."""
    return mark_safe(sprites.read_sprite())  # our own file


def patterns() -> SafeString:
    """The hatchings of shields and maps, once per page, right after <body>. Symbols come from their file."""
    return mark_safe(sprites.read_patterns())  # our own file


def icon(name: str, css: str = "", label: str = "") -> SafeString:
    """One symbol of the sprite. Hidden from screen readers unless it has a label."""
    return _draw_icon(str(name), str(css), str(label))


@lru_cache(maxsize=1024)
def _draw_icon(name: str, css: str, label: str) -> SafeString:
    symbol = _symbol_id(name)
    classes = f"ico {css}".strip()
    if label:
        return format_html('<svg class="{}" role="img" aria-label="{}"><use href="#{}"/></svg>', classes, label, symbol)
    return format_html('<svg class="{}" aria-hidden="true"><use href="#{}"/></svg>', classes, symbol)


def _symbol_id(name: str) -> str:
    symbol = name if name.startswith("c-") else f"c-{name}"
    if symbol not in sprites.read_symbols():
        raise ValueError(f"The sprite has no symbol {symbol!r}.")
    return symbol


# ── Arms ─────────────────────────────────────────────────────────────────────────────────────────────────


def draw_shield(
    arms: Arms | Mapping[str, Any] | str, size: str = "m", label: str = "", decorative: bool = False
) -> SafeString:
    """A shield from Arms, their stored dictionary or a seed. Screen readers get its blazon unless it is decorative."""
    if isinstance(arms, Arms):
        drawn = arms
    elif isinstance(arms, Mapping):
        drawn = Arms.from_dict(arms)
    else:
        drawn = Arms.from_seed(str(arms))
    return mark_safe(draw_arms(drawn, size, label, decorative))  # numbers and our own words; the label is escaped there


def arms_at(arms: Arms, x: float, y: float, width: float, label: str = "") -> SafeString:
    """A shield inside a map or plan, with its upper left corner at x, y."""
    return mark_safe(draw_arms_at(arms, float(x), float(y), float(width), label))


def arms_image(arms: Arms, alt: str = "", ink: bool = False) -> SafeString:
    """Arms as a self-contained image; with ink=True in black and white."""
    drawn = draw_standalone(arms, width=200, ink=ink)
    return format_html(
        '<img class="arms-image" alt="{}" src="data:image/svg+xml,{}">', alt or arms.blazon(), quote(drawn)
    )


def blank_shield(size: str = "xl") -> SafeString:
    """The outline of a shield that has no arms yet."""
    return format_html(
        '<svg class="shield shield-{} shield-blank" viewBox="0 0 100 120" aria-hidden="true">'
        '<path class="rim" d="{}"/></svg>',
        size,
        OUTLINE,
    )


# ── Names ────────────────────────────────────────────────────────────────────────────────────────────────

MAX_SHOWN = 80
_JOINERS = "\u200d\ufe0e\ufe0f\u20e3"


def _cut(text: str) -> str:
    """The first SHOWN characters, never cut inside an accented letter, a flag or a joined emoji."""
    if len(text) <= MAX_SHOWN:
        return text
    end = MAX_SHOWN - 1
    while end > MAX_SHOWN // 2 and (_joins_previous(text[end]) or text[end - 1] == "\u200d"):
        end -= 1
    return text[:end].rstrip() + "…"


def _joins_previous(char: str) -> bool:
    return char in _JOINERS or unicodedata.combining(char) > 0 or 0x1F3FB <= ord(char) <= 0x1F3FF


def shown(name: object) -> SafeString:
    """A name: at most 80 characters, with its writing direction isolated."""
    text = "" if name is None else str(name)
    cut = _cut(text)
    if cut == text:
        return format_html("<bdi>{}</bdi>", text)
    return format_html('<bdi title="{}">{}</bdi>', text, cut)


def plain(name: object) -> str:
    """The same for plain text (<title>, aria-label, alt), isolated by invisible characters."""
    return f"\u2068{_cut('' if name is None else str(name))}\u2069"


# ── Numbers ───────────────────────────────────────────────────────────────────────────────────────────


def percent(chance: Fraction | float) -> str:
    """Rounded, but never to 0 % or 100 % unless it is exact."""
    if 0 < chance < Fraction(1, 200):
        return "<1 %"
    if Fraction(199, 200) < chance < 1:
        return ">99 %"
    return f"{float(chance) * 100:.0f} %"


def tenths(number: Fraction | float) -> str:
    return f"{float(number):.1f}"


def inches(text: object) -> str:
    """Typographic inches: 8″ for 8", ¾ for 3/4."""
    whole = str(text).replace("1 1/2", "1½").replace("3/4", "¾")
    return re.sub(r'(?<=[\d½¾])"', "″", whole)


# ── Times ────────────────────────────────────────────────────────────────────────────────────────────────

# How each style is written: this year, and with the year.
_STYLES = {
    "full": ("l j F, H:i", "l j F Y, H:i"),
    "short": ("j M, H:i", "j M Y, H:i"),
    "day": ("l j F", "l j F Y"),
    "date": ("j F Y", "j F Y"),
    "time": ("H:i", "H:i"),
}


def zone_name() -> str:
    """The time zone of this page, which zone.js compares with the device."""
    return timezone.get_current_timezone_name()


def when(moment: datetime | date | None, style: str = "full") -> SafeString:
    """A moment as <time> in the viewer's own zone. Styles: full, short, day, date, time."""
    if moment is None:
        return mark_safe("")
    if style not in _STYLES:
        raise ValueError(f"when() has the styles {', '.join(_STYLES)}, not {style!r}.")
    zone = timezone.get_current_timezone()
    return _draw_moment(moment, isinstance(moment, datetime), style, zone, timezone.localtime().year)


@lru_cache(maxsize=4096)  # a list shows the same few moments to everybody who looks
def _draw_moment(moment: datetime | date, has_time: bool, style: str, zone: tzinfo, year: int) -> SafeString:
    this_year, with_year = _STYLES[style]
    if not isinstance(moment, datetime):  # a day has no zone
        day_style = with_year if style == "date" or moment.year != year else _STYLES["day"][0]
        text = format_date(datetime(moment.year, moment.month, moment.day), day_style.replace(", H:i", ""))
        return format_html('<time datetime="{}">{}</time>', moment.isoformat(), text)
    aware = timezone.make_aware(moment) if timezone.is_naive(moment) else moment
    local = timezone.localtime(aware, zone)
    text = format_date(local, this_year if local.year == year else with_year)
    if "H" in this_year and timezone.get_current_timezone_name() == "UTC":
        text += " UTC"  # the viewer's zone is not known yet
    iso = aware.astimezone(timezone.get_fixed_timezone(0)).strftime("%Y-%m-%dT%H:%M:%SZ")
    return format_html('<time datetime="{}" data-when="{}">{}</time>', iso, style, text)


# ── Terms ────────────────────────────────────────────────────────────────────────────────────────────────


@pass_context
def term(context: Context, key: str, word: str = "") -> SafeString:
    """A game term; a tap or Enter shows its meaning. Works without scripts.

    {{ term("AC") }} shows the key as it is written there, {{ term("house", "noble houses") }} other words for it.
    """
    try:
        row = term_of(key)
    except Refusal as refusal:
        raise ValueError(refusal.sentence) from None
    number = _count_term(context)
    # The key is in the id, in case a fragment repeats a number of its page.
    # The joiner keeps a following comma on the same line.
    return format_html(
        '<span class="nowrap"><button type="button" class="term" popovertarget="{id}">{word}</button>'
        '<span class="gloss" id="{id}" popover role="note"><b>{name}</b> {text}</span>&#8288;</span>',
        id=f"term-{row.key}-{number}",
        word=word or key,
        name=row.name,
        text=row.text,
    )


def csrf_token(context: Context) -> str:
    """One for all forms of a page; Django would mask it anew for each. In a part for many viewers it is a mark."""
    token = context.get("csrf_token") or ""
    if isinstance(token, str) or "request" not in context:
        return str(token)
    holder: dict[str, str] = context["request"].__dict__
    if "drawn_csrf_token" not in holder:
        holder["drawn_csrf_token"] = str(token)
    return holder["drawn_csrf_token"]


def _count_term(context: Context) -> int:
    """A number that is unique on a page, across its includes."""
    holder = context["request"].__dict__
    holder["term_count"] = holder.get("term_count", 0) + 1
    return int(holder["term_count"])


# ── The head of a page ───────────────────────────────────────────────────────────────────────────────────

_H1 = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)


def versal(text: str) -> SafeString:
    """The red square with the first letter of a title ("The" does not count)."""
    bare = strip_tags(str(text)).strip()
    bare = re.sub(r"^(the|a|an)\s+(?=\w)", "", bare, flags=re.IGNORECASE)
    letter = next((char for char in bare if char.isalpha()), "")
    if not letter:
        return format_html('<div class="versal" aria-hidden="true">{}</div>', icon("c-mouse-head"))
    capital = letter.upper()
    return format_html(
        '<div class="versal" aria-hidden="true"><span>{}</span></div>', capital if len(capital) == 1 else letter
    )


def flourish() -> SafeString:
    """The pen flourish under the versal, on wide pages only."""
    return mark_safe(
        '<svg class="flourish" viewBox="0 0 68 336" fill="none" stroke="currentColor" stroke-width="1.6"'
        ' stroke-linecap="round" aria-hidden="true">'
        '<path d="M34 0C34 40 26 60 26 100C26 150 40 170 40 220C40 262 30 280 30 322"/>'
        '<path d="M28 72C10 66 6 88 20 88C28 88 27 78 21 79"/>'
        '<path d="M30 138C50 130 56 152 42 155C34 156 34 146 40 146"/>'
        '<path d="M40 208C22 200 16 222 30 225C38 226 38 216 32 216"/>'
        '<path d="M36 262C54 256 58 276 46 278C39 279 39 270 44 270"/>'
        '<path d="M30 322c-8-2-10 8-3 8"/>'
        '<g fill="currentColor" stroke="none">'
        '<path d="M27 110c-9 0-14-5-15-12c9 0 14 5 15 12zM36 182c9-1 13-7 13-14c-8 1-13 7-13 14z'
        'M38 240c9 0 13-5 14-12c-8 0-13 5-14 12z"/>'
        '<circle cx="30" cy="330" r="3"/></g></svg>'
    )


def masthead(inside: str) -> SafeString:
    """{% filter masthead %}…{% endfilter %}: its content, with a versal taken from the <h1>."""
    heading = _H1.search(inside)
    title = strip_tags(heading[1]).strip() if heading else ""
    return format_html('{}<div class="titles">{}</div>', versal(title), mark_safe(inside.strip()))


def filled(inside: str, element: str, css: str) -> SafeString:
    """{% filter filled("p", "lead") %}…{% endfilter %}: its content in an element, or nothing if it is blank."""
    if not (text := inside.strip()):
        return mark_safe("")
    return format_html('<{} class="{}">{}</{}>', element, css, mark_safe(text), element)


# ── QR codes ─────────────────────────────────────────────────────────────────────────────────────────────


def qr(address: str, label: str = "") -> SafeString:
    """A QR code as inline SVG: always dark on light, whatever the theme, or cameras will not read it."""
    import segno

    code = segno.make(str(address), error="m", micro=False)
    side = code.symbol_size(scale=1, border=4)[0]
    path = "".join(
        f"M{x + 4} {y + 4}h{length}v1h-{length}z" for y, row in enumerate(code.matrix) for x, length in _runs(row)
    )
    return format_html(
        '<svg class="qr-code" viewBox="0 0 {0} {0}" role="img" aria-label="{1}" shape-rendering="crispEdges">'
        '<path class="qr-paper" d="M0 0h{0}v{0}H0z"/><path class="qr-ink" d="{2}"/></svg>',
        side,
        f"QR code. {label}".strip(),
        path,
    )


def _runs(row: bytearray) -> Iterator[tuple[int, int]]:
    """Start and length of each dark run in a row. Runs make the path ten times shorter than single squares."""
    start = None
    for x, dark in enumerate([*row, 0]):
        if dark and start is None:
            start = x
        elif not dark and start is not None:
            yield start, x - start
            start = None


# ── Forms and addresses ──────────────────────────────────────────────────────────────────────────────────


@pass_context
def post_fields(context: Context, *key_parts: object, **values: object) -> SafeString:
    """The CSRF token, the idempotency key and further hidden values of a POST form.

    <form method="post" action="{{ step_url }}">
      {{ post_fields(key, "token", row.id, kind="token", unit=row.id) }}

    Positional arguments are the parts of the key, joined with "-"; without any there is no key. Keyword arguments
    become hidden inputs; one that is None is left out.
    """
    hidden = [(name, value) for name, value in values.items() if value is not None]
    if key_parts:
        hidden.insert(0, ("key", "-".join(str(part) for part in key_parts)))
    if token := csrf_token(context):
        hidden.insert(0, ("csrfmiddlewaretoken", token))
    return format_html_join("", '<input type="hidden" name="{}" value="{}">', hidden)


def url(view_name: str, *args: Any, **named: Any) -> str:
    if named or not all(type(arg) in (str, int) for arg in args):
        return str(reverse(view_name, args=args, kwargs=named))
    return cached_reverse(view_name, *args)


@pass_context
def querystring(context: Context, **changes: object) -> str:
    """The query of this page with some values changed."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        query[name] = value
    return f"?{query.urlencode()}"


FUNCTIONS = {
    "arms": draw_shield,
    "arms_at": arms_at,
    "arms_image": arms_image,
    "blank_shield": blank_shield,
    "flourish": flourish,
    "icon": icon,
    "patterns": patterns,
    "post_fields": post_fields,
    "qr": qr,
    "querystring": querystring,
    "sprite": sprite,
    "static": static,
    "term": term,
    "url": url,
    "versal": versal,
    "when": when,
    "zip": zip,
    "zone_name": zone_name,
}
FILTERS = {
    "filled": filled,
    "inches": inches,
    "masthead": masthead,
    "percent": percent,
    "plain": plain,
    "shown": shown,
    "signed": format_signed,
    "tenths": tenths,
    # Django's own, which Jinja lacks or writes otherwise.
    "capfirst": defaultfilters.capfirst,
    "date": defaultfilters.date,
    "filesizeformat": defaultfilters.filesizeformat,
    "floatformat": defaultfilters.floatformat,
    "linebreaksbr": defaultfilters.linebreaksbr,
    "pluralize": defaultfilters.pluralize,
    "truncatechars": defaultfilters.truncatechars,
    "urlencode": defaultfilters.urlencode,
}
