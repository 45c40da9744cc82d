"""The style guide: every component on one page, drawn by the site's own templates."""

from __future__ import annotations

from pathlib import Path

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.template import engines
from django.utils import timezone
from django.views.decorators.http import require_safe

from heraldry import TINCTURES, Arms
from heraldry.parts import CHARGES
from refusal import Refusal

PAGE = Path(__file__).parent / "style_guide.html"

# fmt: off
INKS = (
    ("paper",  "the page"),
    ("raised", "cards, controls"),
    ("sunk",   "wells, tracks"),
    ("ink",    "text"),
    ("ink-2",  "second text"),
    ("line",   "borders"),
    ("rubric", "headings, links"),
    ("press",  "the main button"),
    ("gilt",   "gold as text"),
    ("good",   "gains"),
)
ICONS = (
    ("c-hoppers", "Hoppers"),       ("c-field_mice", "Field Mice"),     ("c-bow_mice", "Bow-Mice"),
    ("c-mice_at_arms", "Mice-at-Arms"), ("c-rat_riders", "Rat Riders"), ("c-battle_cat", "Battle Cat"),
    ("c-king", "King"),             ("c-ballista", "Ballista"),         ("c-cat_non", "Cat-non"),
    ("c-vat", "vat"),               ("c-flee", "flees"),                ("c-die", "d10"),
    ("c-seal", "sealed"),           ("c-book", "chronicle"),            ("c-candle", "night"),
    ("c-banner", "muster"),         ("c-map", "campaign"),              ("c-cards", "tables"),
    ("c-person", "person"),         ("c-hourglass", "waiting"),           ("c-quill", "write"),
    ("c-print", "print"),           ("c-link", "link"),                 ("c-lock", "locked"),
    ("c-eye", "watch"),           ("c-warn", "warning"),            ("c-check", "done"),
    ("c-cross", "no"),              ("c-plus", "more"),                 ("c-minus", "less"),
)
# fmt: on
KINGDOMS = (
    (
        "Oakhold",
        Arms(
            "gules", ordinary="chevron", ordinary_tincture="or", charge="acorn", charge_tincture="or", charges_count=3
        ),
    ),
    (
        "Fenwick",
        Arms(
            "azure",
            ordinary="bars_wavy",
            ordinary_tincture="argent",
            charge="mouse",
            charge_tincture="argent",
            charges_count=1,
        ),
    ),
    ("Thistledown", Arms("vert", "per_bend", "or", charge="thorn", charge_tincture="counterchanged", charges_count=2)),
    (
        "Mole End",
        Arms("purpure", "quarterly", "argent", charge="key", charge_tincture="counterchanged", charges_count=4),
    ),
)
HOUSES = ("Bramble", "Sedge", "Tansy", "Rennet", "Teasel", "Burr", "Clover", "Sorrel")


class SampleForm(forms.Form):
    house = forms.CharField(label="House name", help_text="As printed on the sheet.", initial="Bramble")
    points = forms.IntegerField(label="Points to spend", max_value=6)
    unit = forms.ChoiceField(
        label="Unit", choices=[("bow", "Bow-Mice"), ("field", "Field Mice"), ("riders", "Rat Riders")]
    )
    dice = forms.ChoiceField(
        label="Dice",
        widget=forms.RadioSelect,
        initial="own",
        choices=[("own", "Our own dice"), ("service", "Roll for us"), ("sealed", "Sealed words")],
    )
    guests = forms.BooleanField(
        label="Spectators can watch", required=False, initial=True, help_text="They only see what is public."
    )
    tale = forms.CharField(label="Note for the chronicle", widget=forms.Textarea(attrs={"rows": 3}), required=False)


def _sample_form() -> SampleForm:
    form = SampleForm(
        {"house": "Bramble", "points": "9", "unit": "bow", "dice": "own", "guests": "on", "tale": ""},
        auto_id="sample_%s",
    )
    form.full_clean()
    form.errors.pop("points", None)
    form.add_error("points", "Oakhold has 6 VP. Spend 6 or fewer.")
    return form


# The outline of a sample territory.
TERRITORY_SHAPE = (
    "M386 307C388 306 393 303 399 302C405 301 416 300 422 302C428 303 432 309 434 311"
    "C438 307 446 294 454 288C462 281 474 277 483 271C493 264 501 258 511 251C520 244 530 236 538 230"
    "C547 224 558 218 562 215C555 211 535 197 522 192C510 187 498 186 487 185C475 183 464 181 454 180"
    "C443 180 433 184 422 183C411 183 394 179 389 178C388 182 387 189 385 199C384 208 380 225 381 234"
    "C381 243 385 246 387 254C388 261 390 270 390 279C390 288 387 302 386 307z"
)


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    context = {
        "tinctures": TINCTURES,
        "inks": INKS,
        "icons": ICONS,
        "charges": [(row.symbol, row.key.replace("_", " ")) for row in CHARGES],
        "kingdoms": KINGDOMS,
        "houses": [(name, Arms.from_seed(f"House of {name}")) for name in HOUSES],
        "faces": range(1, 11),
        "shape": TERRITORY_SHAPE,
        "form": _sample_form(),
        "page": Paginator(range(90), 30).page(2),
        "now": timezone.now(),
        "address": "https://mice.example/i/r4Tn-0akh-9fWq",
        "long_name": (
            "Her Most Excellent and Whiskered Majesty Queen Ermintrude the Patient of Oakhold, Lady of the Levels"
        ),
        "hebrew_name": "מלך העכברים 🐭",
        "refusal": Refusal("You cannot besiege Fenwick Castle yet."),
    }
    template = engines["jinja2"].from_string(PAGE.read_text())
    return HttpResponse(template.render(context, request))
