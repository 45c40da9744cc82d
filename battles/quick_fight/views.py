"""The quick fight: two units, a few ticks, the odds, and dice typed or rolled here. The URL holds everything."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from battles.tracker.core.combat_helper import TICKS
from battles.tracker.core.fight_progress import Ticks
from battles.tracker.core.fight_without_battle import QuickFight, QuickTarget, QuickUnit, resolve_quick_fight
from battles.tracker.core.state import TrackedUnit
from battles.typed_and_rolled_dice import parse_dice, roll_dice
from refusal import Refusal
from rulebook.battle.castle import PIECES, RING
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.battlefield import EVENTS, TERRAINS
from rulebook.data.heroes import HERO
from rulebook.data.units import UNITS, WEAPON_NAMES

NONE_CHOICE = [("", "none")]
ATTACK_CHOICES = [
    ("charge", "Charge"),
    ("strike", "Strike in melee"),
    ("shoot", "Shoot"),
    ("cast", "Cast a spell"),
    ("rally", "Rally"),
    ("torch", "Set fire"),
    ("bombard", "Fire the Cat-non"),
]
UNIT_CHOICES = [(unit.key, unit.name) for unit in UNITS if not unit.siege_only]
HERO_CHOICES = NONE_CHOICE + [(hero.key, hero.name) for hero in HERO.values()]
WEAPON_CHOICES = NONE_CHOICE + list(WEAPON_NAMES.items())
GROUND_CHOICES = [(terrain.key, terrain.name) for terrain in TERRAINS if terrain.enterable]
EVENT_CHOICES = NONE_CHOICE + [(event.key, event.name) for event in EVENTS]
PIECE_CHOICES = sorted(
    ((piece.key, piece.name) for piece in PIECES if piece.key in RING), key=lambda row: row[0] != "gatehouse"
)
KING_CHOICES = [("", "more than 8″ away"), ("near", "within 8″"), ("fleeing", "fleeing"), ("gone", "removed")]
EXAMPLE = {"how": "charge", "a_unit": "rat_riders", "b_unit": "bow_mice"}


def _unit_fields(prefix: str) -> dict[str, forms.Field]:
    return {
        f"{prefix}_unit": forms.ChoiceField(choices=UNIT_CHOICES, label="Unit"),
        f"{prefix}_models": forms.IntegerField(required=False, min_value=1, max_value=5, label="Models left"),
        f"{prefix}_hero": forms.ChoiceField(choices=HERO_CHOICES, required=False, label="Hero"),
        f"{prefix}_weapon": forms.ChoiceField(choices=WEAPON_CHOICES, required=False, label="Weapon"),
        f"{prefix}_at": forms.ChoiceField(choices=GROUND_CHOICES, required=False, label="Terrain"),
        f"{prefix}_king": forms.ChoiceField(choices=KING_CHOICES, required=False, label="King"),
        f"{prefix}_wounds": forms.IntegerField(required=False, min_value=0, max_value=3, label="Wounds marked"),
        f"{prefix}_flees": forms.BooleanField(required=False, label="fleeing"),
    }


class QuickFightForm(forms.Form):
    how = forms.ChoiceField(choices=ATTACK_CHOICES, widget=forms.RadioSelect, label="What happens")
    piece = forms.ChoiceField(choices=PIECE_CHOICES, required=False, label="Wall")
    hits = forms.IntegerField(required=False, min_value=0, max_value=3, label="Hits it has taken")
    event = forms.ChoiceField(choices=EVENT_CHOICES, required=False, label="Random event")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for prefix in ("a", "b"):
            self.fields |= _unit_fields(prefix)


def unit_from_form(data: Mapping[str, Any], prefix: str) -> QuickUnit:
    return QuickUnit(
        data[f"{prefix}_unit"],
        data[f"{prefix}_hero"] or None,
        data[f"{prefix}_weapon"] or None,
        data[f"{prefix}_models"],
        data[f"{prefix}_wounds"] or 0,
        flees=data[f"{prefix}_flees"],
    )


Sent = QueryDict | Mapping[str, str]


def pressed_ticks(how: str, sent: Sent) -> dict[str, bool]:
    """The ticks that are set. Only a form that showed the ticks of this attack can clear them."""
    was_sent = sent.get("told") in (how, "1")
    return {tick.key: bool(sent.get(tick.key)) or (tick.key == "still" and not was_sent) for tick in TICKS[how]}


def fight_from_form(form: QuickFightForm, sent: Sent, faces: list[int]) -> QuickFight:
    data = form.cleaned_data
    how = data["how"]
    pressed = {key: int(on) if key.endswith("flanked") else on for key, on in pressed_ticks(how, sent).items()}
    ticks = Ticks(
        **pressed,
        at=data["a_at"] or "clear",
        target_at=data["b_at"] or "clear",
        king=data["a_king"] or None,
        target_king=data["b_king"] or None,
    )
    at = QuickTarget(data["piece"] or "gatehouse", data["hits"] or 0)
    return resolve_quick_fight(
        unit_from_form(data, "a"), unit_from_form(data, "b"), how, ticks, faces, data["event"] or None, at=at
    )


@require_http_methods(["GET", "POST"])
def quick_fight(request: HttpRequest) -> HttpResponse:
    """Open to everyone. Nothing is stored; the URL is the fight."""
    sent = request.POST if request.method == "POST" else request.GET
    example = not sent
    form = QuickFightForm(sent or EXAMPLE)
    context: dict[str, object] = {"form": form, "example": example, "sent": sent}
    if not form.is_valid():
        return render(request, "battles/quick_fight/quick_fight.html", context, status=422)
    how = form.cleaned_data["how"]
    pressed = pressed_ticks(how, sent)
    context["how_label"] = dict(ATTACK_CHOICES)[how]
    context["ticks"] = [(tick, pressed[tick.key]) for tick in TICKS[how] if not tick.key.endswith("king_near")]
    faces = parse_dice(sent.get("faces", ""))
    try:
        fight = fight_from_form(form, sent, faces)
        if request.method == "POST":
            if fight.progress.ask is not None:
                faces += roll_dice(fight.progress.ask.count) if "here" in sent else parse_dice(sent.get("more", ""))
                fight_from_form(form, sent, faces)
            return redirect(_fight_url(sent, faces))
    except Refusal as refusal:
        if request.method == "POST":
            raise
        return render(
            request, "battles/quick_fight/quick_fight.html", context | {"refusal": refusal}, status=refusal.status
        )
    context |= {"fight": fight, "faces": " ".join(map(str, faces)), "sent_fields": _sent_fields(sent or EXAMPLE)}
    context["fighters"] = [_fighter(fight, "A1"), _fighter(fight, "B1")]
    context["thing_icon"] = "c-castle" if how == "bombard" else "c-house"
    if fight.over:
        context["next"] = _next_fight_url(form, fight)
        context["again"] = _fight_url(sent, [])
    return render(request, "battles/quick_fight/quick_fight.html", context)


@dataclass(frozen=True, slots=True)
class Fighter:
    icon: str
    name: str
    unit: TrackedUnit


def _fighter(fight: QuickFight, key: str) -> Fighter:
    unit = fight.tracker.unit(key)
    return Fighter(f"c-{unit.now.key}", unit.name, unit)


def _sent_fields(sent: Sent) -> list[tuple[str, str]]:
    return [(key, value) for key, value in sent.items() if key not in ("csrfmiddlewaretoken", "faces", "more", "here")]


def _fight_url(sent: Sent, faces: list[int]) -> str:
    query = [*_sent_fields(sent), *([("faces", " ".join(map(str, faces)))] if faces else [])]
    return f"{reverse('battles:quick_fight')}?{urlencode(query)}#dice"


def _next_fight_url(form: QuickFightForm, fight: QuickFight) -> str:
    """The URL of the next fight: in a continuing melee the target strikes next."""
    mine, theirs = fight.after
    if fight.how not in ("charge", "strike") or mine is None or theirs is None or mine.fleeing or theirs.fleeing:
        return ""
    data = form.cleaned_data
    query: dict[str, object] = {"how": "strike"}
    for prefix, old, unit in (("a", "b", theirs), ("b", "a", mine)):
        query |= _unit_query(prefix, unit) | {f"{prefix}_at": data[f"{old}_at"], f"{prefix}_king": data[f"{old}_king"]}
        query[f"{prefix}_weapon"] = data[f"{old}_weapon"]
        query[f"{prefix}_hero"] = data[f"{old}_hero"]
    return f"{reverse('battles:quick_fight')}?{urlencode(query)}"


def _unit_query(prefix: str, unit: UnitInPlay) -> dict[str, object]:
    return {f"{prefix}_unit": unit.key, f"{prefix}_models": unit.models, f"{prefix}_wounds": unit.wounds}
