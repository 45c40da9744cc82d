"""Drawing a coat of arms by choice: the form every editor of arms uses, and a page to try it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from chance import fresh_seed
from heraldry import CHOICES, TINCTURE, Arms, counts_for, legal_choices, mended, standalone
from heraldry.charges import CHARGE
from heraldry.divisions import DIVISION
from heraldry.ordinaries import ORDINARY
from heraldry.tinctures import COUNTERCHANGED
from refusal import Refusal

NUMBERS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
LEGENDS = {
    "field": "Field",
    "division": "Division",
    "field2": "Second tincture",
    "ordinary": "Ordinary",
    "ordinary_tincture": "Tincture of the ordinary",
    "charge": "Charge",
    "charge_tincture": "Tincture of the charges",
    "charges_count": "How many",
    "placing": "Where the charges stand",
}


def named(part: str, value: Any) -> str:
    """One choice in a word or two."""
    if part == "charges_count":
        return NUMBERS[value]
    if part == "placing":
        return {"beside": "On the field", "upon": "On the ordinary"}[value]
    if part == "division":
        words = DIVISION[value].words or "plain"
    else:
        words = str(value).replace("_", " ")
    return words[0].upper() + words[1:]


@dataclass(frozen=True, slots=True)
class Pick:
    """One choice as the editor draws it."""

    value: str
    name: str
    id: str
    is_chosen: bool
    is_lawful: bool
    drawing: Arms | None = None  # a small shield that shows it
    symbol: str = ""
    tincture: str = ""
    is_blank: bool = False  # the choice of nothing


class ArmsForm(forms.Form):
    """Choices of a shield. Valid: ``form.arms``. Else ``form.refusal`` with the choices that would be lawful."""

    field = forms.ChoiceField(choices=[(value, named("field", value)) for value in CHOICES["field"]])
    division = forms.ChoiceField(required=False, choices=[(v, named("division", v)) for v in CHOICES["division"]])
    field2 = forms.ChoiceField(required=False, choices=[(v, named("field2", v)) for v in CHOICES["field2"]])
    ordinary = forms.ChoiceField(required=False, choices=[(v, named("ordinary", v)) for v in CHOICES["ordinary"]])
    ordinary_tincture = forms.ChoiceField(
        required=False, choices=[(v, named("ordinary_tincture", v)) for v in CHOICES["ordinary_tincture"]]
    )
    charge = forms.ChoiceField(required=False, choices=[(v, named("charge", v)) for v in CHOICES["charge"]])
    charge_tincture = forms.ChoiceField(
        required=False, choices=[(v, named("charge_tincture", v)) for v in CHOICES["charge_tincture"]]
    )
    charges_count = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=1, choices=[(v, NUMBERS[v]) for v in CHOICES["charges_count"]]
    )
    placing = forms.ChoiceField(required=False, choices=[(v, named("placing", v)) for v in CHOICES["placing"]])

    arms: Arms | None = None
    refusal: Refusal | None = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        chosen = {part: value for part, value in cleaned.items() if value not in ("", None)}
        self.choices = mended(chosen)
        try:
            self.arms = Arms.of(**self.choices)
        except Refusal as refusal:
            self.refusal = refusal
            self.add_error(refusal.field if refusal.field in self.fields else None, refusal.sentence)
        return cleaned

    @property
    def address(self) -> str:
        """These arms as an address of the page that draws them."""
        return f"{reverse('pages:arms')}?{urlencode(_asked(self.arms))}" if self.arms else ""

    # ── For the template ────────────────────────────────────────────────────────────────────────────────

    def now(self) -> dict[str, Any]:
        """The choices as they stand, gaps filled."""
        if self.is_bound and hasattr(self, "choices"):
            return self.choices
        started = {part: self.get_initial_for_field(one, part) for part, one in self.fields.items()}
        return mended({part: value for part, value in started.items() if value not in ("", None)} or {"field": "gules"})

    def groups(self) -> list[dict[str, Any]]:
        """The parts to choose, in order; those that do not apply just now are left out."""
        now = self.now()
        shown = ["field", "division"]
        shown += ["field2"] if now["division"] != "plain" else []
        shown += ["ordinary"]
        shown += ["ordinary_tincture"] if now["ordinary"] != "none" else []
        shown += ["charge"]
        if now["charge"] != "none":
            shown += ["charge_tincture", "charges_count"]
            row = ORDINARY[now["ordinary"]]
            shown += ["placing"] if row.upon and row.beside else []
        return [self._group(part, now) for part in shown]

    def _group(self, part: str, now: dict[str, Any]) -> dict[str, Any]:
        lawful = legal_choices(now, part)
        values = CHOICES[part]
        if part == "charges_count":
            values = counts_for(now["division"], now["ordinary"], now["placing"])
        # After a refusal only the part it speaks of is marked; shapes are never marked, they only bring new tinctures.
        judged = not part.startswith(("division", "ordinary", "charge")) or part.endswith("tincture")
        judged = judged and (self.refusal is None or self.refusal.field == part)
        if part.endswith("tincture") and COUNTERCHANGED not in lawful and now[part] != COUNTERCHANGED:
            values = tuple(value for value in values if value != COUNTERCHANGED)
        picks = [
            Pick(
                value=str(value),
                name=named(part, value),
                id=f"{self.add_prefix(part)}-{value}",
                is_chosen=now.get(part) == value,
                is_lawful=value in lawful or not judged,
                **_drawing(part, value),
            )
            for value in values
        ]
        return {"part": part, "name": self.add_prefix(part), "legend": LEGENDS[part], "picks": picks}

    def ways_out(self) -> list[dict[str, str]]:
        """After a refusal: the single changes that would make lawful arms."""
        if self.refusal is None:
            return []
        part = self.refusal.field or ""
        if part not in CHOICES:
            return []
        return [
            {
                "name": self.add_prefix("take"),
                "value": f"{part}:{value}",
                "words": named(part, value),
                "tincture": value if value in TINCTURE else "",
            }
            for value in legal_choices(self.choices, part)
        ]


def _drawing(part: str, value: Any) -> dict[str, Any]:
    if value == COUNTERCHANGED:
        return {"drawing": Arms("sable", "per_pale", "argent", ordinary="fess", ordinary_tincture=COUNTERCHANGED)}
    if part in ("field", "field2") or part.endswith("tincture"):
        return {"tincture": value}
    if value in ("plain", "none"):
        return {"is_blank": True}
    if part == "division":
        return {"drawing": Arms("argent", value, "sable")}
    if part == "ordinary":
        return {"drawing": Arms("argent", ordinary=value, ordinary_tincture="sable")}
    if part == "charge":
        return {"symbol": CHARGE[value].symbol}
    return {}


def arms_form(data: Any, prefix: str = "") -> tuple[ArmsForm, bool]:
    """The form from what was sent, and whether the sender only looks: asked for a surprise, a way out, or to be shown.

    A page that stores arms calls this with its POST data; while someone only looks, it draws the page again.
    """
    lead = f"{prefix}-" if prefix else ""
    looks = any(lead + button in data for button in ("surprise", "take", "show"))
    given = data.copy()
    if lead + "surprise" in data:
        for part in CHOICES:
            given.pop(lead + part, None)
        given.update({lead + part: str(value) for part, value in _asked(Arms.from_seed(fresh_seed().hex())).items()})
    part, _, value = data.get(lead + "take", "").partition(":")
    if part in CHOICES:
        given[lead + part] = value
    return ArmsForm(given, prefix=prefix or None), looks


def draw_preview(request: HttpRequest, form: ArmsForm) -> SafeString:
    """The editor as it stands: choices, the shield or the refusal. What htmx swaps in, and what a page may include."""
    return render_to_string("_arms_editor.html", {"form": form}, request=request)


@require_safe
def arms(request: HttpRequest) -> HttpResponse:
    """Try a shield. Nothing is stored: the choices stand in the address, so a shield can be sent to a friend."""
    by_script = bool(request.headers.get("HX-Request"))
    prefix = request.GET.get("prefix", "") if by_script else ""
    if not prefix.isidentifier():
        prefix = ""
    if not by_script and ("surprise" in request.GET or "field" not in request.GET):
        return redirect(f"{reverse('pages:arms')}?{urlencode(_asked(Arms.from_seed(fresh_seed().hex())))}")
    form, _ = arms_form(request.GET, prefix)
    lawful = form.is_valid()
    kind = request.GET.get("as", "")
    if kind in ("svg", "ink") and form.arms:
        response = HttpResponse(standalone(form.arms, ink=kind == "ink"), content_type="image/svg+xml")
        response["Content-Disposition"] = 'attachment; filename="arms.svg"'
        return response
    status = 200 if lawful else 422
    if by_script:
        response = HttpResponse(draw_preview(request, form), status=status)
        # On the page for trying, the address follows; an editor inside another page leaves that page's address alone.
        if form.arms and urlsplit(request.headers.get("HX-Current-URL", "")).path == request.path:
            response["HX-Replace-Url"] = form.address
        return response
    return render(request, "pages/arms.html", {"form": form}, status=status)


def _asked(drawn: Arms) -> dict[str, Any]:
    return {part: value for part, value in drawn.to_dict().items() if value not in ("", 0)}
