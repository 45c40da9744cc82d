"""The form with which coats of arms are drawn, and a page to try it out."""

from dataclasses import dataclass
from typing import Any, TypedDict
from urllib.parse import urlsplit

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from chance import new_seed
from heraldry import CHOICES, TINCTURE, Arms, allowed_counts, draw_standalone, fill_gaps, legal_choices
from heraldry.coat_of_arms import Choices
from heraldry.parts import CHARGE, COUNTERCHANGED, DIVISION, ORDINARY
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
    "placing": "Position of the charges",
}


def choice_label(part: str, value: Any) -> str:
    """The label of one choice."""
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
class ArmsChoice:
    """One choice, ready to draw."""

    value: str
    name: str
    id: str
    is_chosen: bool
    is_lawful: bool
    drawing: Arms | None = None  # a small shield that shows it
    symbol: str = ""
    tincture: str = ""
    is_blank: bool = False  # the choice of nothing


class ArmsDrawing(TypedDict, total=False):
    """How a choice is drawn; of ``ArmsChoice``."""

    drawing: Arms
    symbol: str
    tincture: str
    is_blank: bool


@dataclass(frozen=True, slots=True)
class ArmsPart:
    """A part of the arms and its choices, ready to draw."""

    part: str
    name: str
    legend: str
    picks: list[ArmsChoice]


def _choice(part: str) -> forms.ChoiceField:
    choices = [(value, choice_label(part, value)) for value in CHOICES[part]]
    return forms.ChoiceField(required=part == "field", choices=choices)


class ArmsForm(forms.Form):
    """The choices for a shield. ``form.arms`` if they are valid, else ``form.refusal``."""

    field = _choice("field")
    division = _choice("division")
    field2 = _choice("field2")
    ordinary = _choice("ordinary")
    ordinary_tincture = _choice("ordinary_tincture")
    charge = _choice("charge")
    charge_tincture = _choice("charge_tincture")
    charges_count = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=1, choices=[(v, NUMBERS[v]) for v in CHOICES["charges_count"]]
    )
    placing = _choice("placing")

    arms: Arms | None = None
    refusal: Refusal | None = None

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        chosen = {part: value for part, value in cleaned.items() if value not in ("", None)}
        self.choices = fill_gaps(chosen)
        try:
            self.arms = Arms.from_choices(**self.choices)
        except Refusal as refusal:
            self.refusal = refusal
            self.add_error(refusal.field if refusal.field in self.fields else None, refusal.sentence)
        return cleaned

    @property
    def address(self) -> str:
        """The address of the page that shows these arms."""
        return f"{reverse('pages:arms')}?{urlencode(_query_of(self.arms))}" if self.arms else ""

    # ── For the template ────────────────────────────────────────────────────────────────────────────────

    def current_choices(self) -> Choices:
        """The current choices, with gaps filled."""
        if self.is_bound and hasattr(self, "choices"):
            return self.choices
        started = {part: self.get_initial_for_field(one, part) for part, one in self.fields.items()}
        return fill_gaps(
            {part: value for part, value in started.items() if value not in ("", None)} or {"field": "gules"}
        )

    def groups(self) -> list[ArmsPart]:
        """The parts to choose, in order, without those that do not apply."""
        now = self.current_choices()
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

    def _group(self, part: str, now: Choices) -> ArmsPart:
        lawful = legal_choices(now, part)
        values = CHOICES[part]
        if part == "charges_count":
            values = allowed_counts(now["division"], now["ordinary"], now["placing"])
        # After a refusal only the part it is about is marked. Shapes are never marked, because tinctures adapt to them.
        judged = not part.startswith(("division", "ordinary", "charge")) or part.endswith("tincture")
        judged = judged and (self.refusal is None or self.refusal.field == part)
        if part.endswith("tincture") and COUNTERCHANGED not in lawful and now[part] != COUNTERCHANGED:
            values = tuple(value for value in values if value != COUNTERCHANGED)
        picks = [
            ArmsChoice(
                value=str(value),
                name=choice_label(part, value),
                id=f"{self.add_prefix(part)}-{value}",
                is_chosen=now.get(part) == value,
                is_lawful=value in lawful or not judged,
                **_drawing(part, value),
            )
            for value in values
        ]
        return ArmsPart(part, self.add_prefix(part), LEGENDS[part], picks)

    def legal_changes(self) -> list[dict[str, str]]:
        """After a refusal: single changes that would make the arms valid."""
        if self.refusal is None or (part := self.refusal.field or "") not in CHOICES:
            return []
        return [
            {
                "name": self.add_prefix("take"),
                "value": f"{part}:{value}",
                "words": choice_label(part, value),
                "tincture": value if value in TINCTURE else "",
            }
            for value in legal_choices(self.choices, part)
        ]


def _drawing(part: str, value: Any) -> ArmsDrawing:
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


def read_arms_form(data: Any, prefix: str = "") -> tuple[ArmsForm, bool]:
    """The form from the data sent, and whether this is only a preview (surprise, suggested change, show).

    A page that stores arms calls this with its POST data and does not save a preview.
    """
    lead = f"{prefix}-" if prefix else ""
    is_preview = any(lead + button in data for button in ("surprise", "take", "show"))
    given = data.copy()
    if lead + "surprise" in data:
        for part in CHOICES:
            given.pop(lead + part, None)
        given.update({lead + part: str(value) for part, value in _query_of(Arms.from_seed(new_seed().hex())).items()})
    part, _, value = data.get(lead + "take", "").partition(":")
    if part in CHOICES:
        given[lead + part] = value
    return ArmsForm(given, prefix=prefix or None), is_preview


@require_safe
def try_arms(request: HttpRequest) -> HttpResponse:
    """Try out a shield. The choices are in the address, so nothing is stored and it can be shared."""
    by_script = bool(request.headers.get("HX-Request"))
    prefix = request.GET.get("prefix", "") if by_script else ""
    if not prefix.isidentifier():
        prefix = ""
    if not by_script and ("surprise" in request.GET or "field" not in request.GET):
        return redirect(f"{reverse('pages:arms')}?{urlencode(_query_of(Arms.from_seed(new_seed().hex())))}")
    form, _ = read_arms_form(request.GET, prefix)
    lawful = form.is_valid()
    kind = request.GET.get("as", "")
    if kind in ("svg", "ink") and form.arms:
        response = HttpResponse(draw_standalone(form.arms, ink=kind == "ink"), content_type="image/svg+xml")
        response["Content-Disposition"] = 'attachment; filename="arms.svg"'
        return response
    status = 200 if lawful else 422
    if by_script:
        response = render(request, "_arms_editor.html", {"form": form}, status=status)
        # Update the address on this page only, not where the editor is part of another page.
        if form.arms and urlsplit(request.headers.get("HX-Current-URL", "")).path == request.path:
            response["HX-Replace-Url"] = form.address
        return response
    return render(request, "pages/try_arms.html", {"form": form}, status=status)


def _query_of(arms: Arms) -> dict[str, object]:
    return {part: value for part, value in arms.to_dict().items() if value not in ("", 0)}
