"""The quick fight: two units, a few ticks, the odds, and dice typed or thrown here. Everything stands in the address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from battles.dice import thrown, typed
from battles.tracker.helper import TICKS
from battles.tracker.quick import QuickFight, fight
from refusal import Refusal
from rulebook.events import EVENTS
from rulebook.heroes import HERO
from rulebook.inplay import UnitInPlay
from rulebook.siege import PIECES, RING
from rulebook.terrain import TERRAINS
from rulebook.units import UNITS, WEAPON_NAMES

NOBODY = [("", "none")]
HOW = [("charge", "Charge"), ("strike", "Strike in melee"), ("shoot", "Shoot"), ("cast", "Cast a spell"), ("rally", "Rally"), ("torch", "Set fire"), ("bombard", "Fire the Cat-non")]  # fmt: skip
UNIT_CHOICES = [(unit.key, unit.name) for unit in UNITS if not unit.siege_only]
HERO_CHOICES = NOBODY + [(hero.key, hero.name) for hero in HERO.values()]
WEAPON_CHOICES = NOBODY + list(WEAPON_NAMES.items())
GROUND_CHOICES = [(terrain.key, terrain.name) for terrain in TERRAINS if terrain.enterable]
EVENT_CHOICES = NOBODY + [(event.key, event.name) for event in EVENTS]
PIECE_CHOICES = sorted(((piece.key, piece.name) for piece in PIECES if piece.key in RING), key=lambda row: row[0] != "gatehouse")  # fmt: skip
KING_CHOICES = [("", "far"), ("near", "within 8″"), ("fleeing", "fleeing"), ("gone", "gone")]
EXAMPLE = {"how": "charge", "a_unit": "rat_riders", "b_unit": "bow_mice"}


def _unit(prefix: str) -> dict[str, forms.Field]:
    return {
        f"{prefix}_unit": forms.ChoiceField(choices=UNIT_CHOICES, label="Unit"),
        f"{prefix}_models": forms.IntegerField(required=False, min_value=1, max_value=5, label="Models left"),
        f"{prefix}_hero": forms.ChoiceField(choices=HERO_CHOICES, required=False, label="Hero"),
        f"{prefix}_weapon": forms.ChoiceField(choices=WEAPON_CHOICES, required=False, label="Weapon"),
        f"{prefix}_at": forms.ChoiceField(choices=GROUND_CHOICES, required=False, label="Stands in"),
        f"{prefix}_king": forms.ChoiceField(choices=KING_CHOICES, required=False, label="Its King is"),
        f"{prefix}_wounds": forms.IntegerField(required=False, min_value=0, max_value=3, label="Wounds marked"),
        f"{prefix}_flees": forms.BooleanField(required=False, label="fleeing"),
    }


class QuickForm(forms.Form):
    how = forms.ChoiceField(choices=HOW, widget=forms.RadioSelect, label="What happens")
    piece = forms.ChoiceField(choices=PIECE_CHOICES, required=False, label="Wall")
    hits = forms.IntegerField(required=False, min_value=0, max_value=3, label="Hits it has taken")
    event = forms.ChoiceField(choices=EVENT_CHOICES, required=False, label="Random event")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for prefix in ("a", "b"):
            self.fields |= _unit(prefix)


def told(data: dict[str, Any], prefix: str) -> dict[str, Any]:
    return {
        "unit": data[f"{prefix}_unit"],
        "hero": data[f"{prefix}_hero"] or None,
        "weapon": data[f"{prefix}_weapon"] or None,
        "models": data[f"{prefix}_models"],
        "wounds": data[f"{prefix}_wounds"] or 0,
        "flees": data[f"{prefix}_flees"],
    }


def ticks_of(how: str, sent: QueryDict | dict[str, Any]) -> dict[str, Any]:
    """The chips that are pressed; a form that showed them, for this attack and no other, says also which are not."""
    told = sent.get("told") in (how, "1")
    return {tick.key: bool(sent.get(tick.key)) or (tick.key == "still" and not told) for tick in TICKS[how]}


def fought(form: QuickForm, sent: QueryDict | dict[str, Any], faces: list[int]) -> QuickFight:
    data = form.cleaned_data
    how = data["how"]
    ticks = ticks_of(how, sent) | {
        "at": data["a_at"] or "clear",
        "target_at": data["b_at"] or "clear",
        "king": data["a_king"] or None,
        "target_king": data["b_king"] or None,
    }
    at = {"piece": data["piece"], "hits": data["hits"]}
    return fight(told(data, "a"), told(data, "b"), how, ticks, faces, data["event"] or None, at=at)


@require_http_methods(["GET", "POST"])
def quick(request: HttpRequest) -> HttpResponse:
    """Anyone may fight here; nothing is kept, and a fight can be sent on as an address."""
    sent = request.POST if request.method == "POST" else request.GET
    example = not sent
    form = QuickForm(sent or EXAMPLE)
    context: dict[str, Any] = {"form": form, "example": example, "sent": sent}
    if not form.is_valid():
        return render(request, "battles/quick.html", context, status=422)
    how = form.cleaned_data["how"]
    pressed = ticks_of(how, sent)
    context["how_said"] = dict(HOW)[how]
    context["ticks"] = [(tick, pressed[tick.key]) for tick in TICKS[how] if not tick.key.endswith("king_near")]
    faces = typed(sent.get("faces", ""))
    try:
        found = fought(form, sent, faces)
        if request.method == "POST":
            if found.course.ask is not None:
                faces += thrown(found.course.ask.count) if "here" in sent else typed(sent.get("more", ""))
                fought(form, sent, faces)
            return redirect(_address(sent, faces))
    except Refusal as refusal:
        if request.method == "POST":
            raise
        return render(request, "battles/quick.html", context | {"refusal": refusal}, status=refusal.status)
    context |= {"fight": found, "faces": " ".join(map(str, faces)), "kept": _kept(sent or EXAMPLE)}
    context["duel"] = [_duel(found, "A1"), _duel(found, "B1")]
    context["thing_icon"] = "c-castle" if how == "bombard" else "c-house"
    if found.over:
        context["next"] = _next(form, found)
        context["again"] = _address(sent, [])
    return render(request, "battles/quick.html", context)


def _duel(found: QuickFight, key: str) -> dict[str, Any]:
    unit = found.table.unit(key)
    return {"icon": f"c-{unit.now.key}", "name": unit.name, "unit": unit}


def _kept(sent: QueryDict | dict[str, Any]) -> list[tuple[str, str]]:
    return [(key, value) for key, value in sent.items() if key not in ("csrfmiddlewaretoken", "faces", "more", "here")]


def _address(sent: QueryDict | dict[str, Any], faces: list[int]) -> str:
    query = [*_kept(sent), *([("faces", " ".join(map(str, faces)))] if faces else [])]
    return f"{reverse('battles:fight')}?{urlencode(query)}#dice"


def _next(form: QuickForm, found: QuickFight) -> str:
    """The address of the fight that follows: in a melee that goes on the target strikes next."""
    mine, theirs = found.after
    if found.how not in ("charge", "strike") or mine is None or theirs is None or mine.fleeing or theirs.fleeing:
        return ""
    data = form.cleaned_data
    query: dict[str, Any] = {"how": "strike"}
    for prefix, old, unit in (("a", "b", theirs), ("b", "a", mine)):
        query |= _as_sent(prefix, unit) | {f"{prefix}_at": data[f"{old}_at"], f"{prefix}_king": data[f"{old}_king"]}
        query[f"{prefix}_weapon"] = data[f"{old}_weapon"]
        query[f"{prefix}_hero"] = data[f"{old}_hero"]
    return f"{reverse('battles:fight')}?{urlencode(query)}"


def _as_sent(prefix: str, unit: UnitInPlay) -> dict[str, Any]:
    return {f"{prefix}_unit": unit.key, f"{prefix}_models": unit.models, f"{prefix}_wounds": unit.wounds}
