"""The living style guide: every piece of the look on one page, drawn by the same templates as everywhere."""

from __future__ import annotations

from django import forms
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from heraldry import TINCTURES, Arms
from heraldry.charges import CHARGES
from refusal import Refusal

# fmt: off
INKS = (
    ("paper",  "the leaf"),
    ("raised", "cards, controls"),
    ("sunk",   "wells, tracks"),
    ("ink",    "text"),
    ("ink-2",  "second text"),
    ("line",   "borders"),
    ("rubric", "headings, links"),
    ("press",  "the one act"),
    ("gilt",   "gold as text"),
    ("good",   "gains"),
)
MARKS = (
    ("c-hoppers", "Hoppers"),       ("c-field_mice", "Field Mice"),     ("c-bow_mice", "Bow-Mice"),
    ("c-mice_at_arms", "Mice-at-Arms"), ("c-rat_riders", "Rat Riders"), ("c-battle_cat", "Battle Cat"),
    ("c-king", "King"),             ("c-ballista", "Ballista"),         ("c-cat_non", "Cat-non"),
    ("c-vat", "vat"),               ("c-flee", "flees"),                ("c-die", "d10"),
    ("c-seal", "sealed"),           ("c-book", "chronicle"),            ("c-candle", "night"),
    ("c-banner", "muster"),         ("c-map", "campaign"),              ("c-cards", "tables"),
    ("c-person", "person"),         ("c-hourglass", "waits"),           ("c-quill", "writes"),
    ("c-print", "print"),           ("c-link", "link"),                 ("c-lock", "shut"),
    ("c-eye", "watches"),           ("c-warn", "look here"),            ("c-check", "done"),
    ("c-cross", "no"),              ("c-plus", "more"),                 ("c-minus", "less"),
)
KINGDOMS = (
    ("Oakhold",     Arms("gules", ordinary="chevron", ordinary_tincture="or", charge="acorn", charge_tincture="or", charges_count=3)),
    ("Fenwick",     Arms("azure", ordinary="bars_wavy", ordinary_tincture="argent", charge="mouse", charge_tincture="argent", charges_count=1)),
    ("Thistledown", Arms("vert", "per_bend", "or", charge="thorn", charge_tincture="counterchanged", charges_count=2)),
    ("Mole End",    Arms("purpure", "quarterly", "argent", charge="key", charge_tincture="counterchanged", charges_count=4)),
)
# fmt: on
HOUSES = ("Bramble", "Sedge", "Tansy", "Rennet", "Teasel", "Burr", "Clover", "Sorrel")


class SampleForm(forms.Form):
    house = forms.CharField(label="Name of the house", help_text="As it stands on the sheet.", initial="Bramble")
    points = forms.IntegerField(label="Points to spend", max_value=6)
    unit = forms.ChoiceField(
        label="Unit", choices=[("bow", "Bow-Mice"), ("field", "Field Mice"), ("riders", "Rat Riders")]
    )
    dice = forms.ChoiceField(
        label="Whose dice",
        widget=forms.RadioSelect,
        initial="own",
        choices=[("own", "Our own, typed in"), ("service", "The service rolls"), ("sealed", "Sealed words")],
    )
    guests = forms.BooleanField(
        label="Spectators may watch", required=False, initial=True, help_text="They see what is public, nothing else."
    )
    tale = forms.CharField(label="A line for the chronicle", widget=forms.Textarea(attrs={"rows": 3}), required=False)


def _sample_form() -> SampleForm:
    form = SampleForm(
        {"house": "Bramble", "points": "9", "unit": "bow", "dice": "own", "guests": "on", "tale": ""},
        auto_id="sample_%s",
    )
    form.full_clean()
    form.errors.pop("points", None)
    form.add_error("points", "Oakhold has 6 VP. Spend 6 or fewer.")
    return form


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    context = {
        "tinctures": TINCTURES,
        "inks": INKS,
        "marks": MARKS,
        "charges": [(row.symbol, row.key.replace("_", " ")) for row in CHARGES],
        "kingdoms": KINGDOMS,
        "houses": [(name, Arms.from_seed(f"House of {name}")) for name in HOUSES],
        "faces": range(1, 11),
        "form": _sample_form(),
        "page": Paginator(range(90), 30).page(2),
        "now": timezone.now(),
        "address": "https://mice.example/i/r4Tn-0akh-9fWq",
        "long_name": "Her Most Excellent and Whiskered Majesty Queen Ermintrude the Patient of Oakhold, Lady of the Levels",
        "hebrew_name": "מלך העכברים 🐭",
        "refusal": Refusal("You cannot besiege Fenwick Castle yet."),
    }
    return render(request, "pages/guide.html", context)
