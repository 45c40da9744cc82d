"""Compare two armies by code, or the two armies of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chance import Dice, new_seed
from musters import permissions
from musters.compare.calculation import MAX_INCHES, Setting, event_choices, terrain_choices
from musters.compare.display import ComparedArmies, compare_battle, compare_codes
from musters.core.army_code import MAX_CODE_LENGTH, DiceSource, code_of
from musters.core.auto_roll import dice_from_words, draw_words, play_muster
from musters.random_game import MAX_NAME_LENGTH, ONE, TWO
from pages.api.operations import read_parameters
from refusal import Refusal
from rulebook.battle.modifiers import LONG_RANGE_OVER
from rulebook.data.muster_table import MusterCall


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Compare two armies; without both codes, show the form."""
    given = request.GET.dict()
    form = CompareForm(with_default_situation(given))
    if not (given.get("a") or given.get("b")) or not given.keys() >= {"a", "b"}:
        return render(request, "musters/compare/compare.html", {"form": form})
    display, refusal = None, None
    try:
        if form.is_valid():
            display = compare_codes(read_parameters(ComparedArmies, request.GET), form.setting)
    except Refusal as error:
        refusal = error
    status = 200 if display else refusal.status if refusal else 422
    context = {"form": form, "comparison": display, "refusal": refusal}
    if display:
        context["situation_tabs"] = situation_tabs(given, display.setting)
    return render(request, "musters/compare/compare.html", context, status=status)


@require_safe
def compare_battle_armies(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    """Compare the two armies of a campaign battle."""
    seen = permissions.get_campaign(request.who, campaign)
    form = SettingForm(with_default_situation(request.GET.dict()))
    setting = form.setting if form.is_valid() else Setting()
    display = compare_battle(request.who, seen, battle, setting)
    context = {
        "campaign": seen,
        "battle": battle,
        "form": form,
        "comparison": display,
        "situation_tabs": situation_tabs({}, setting),
        "setting_form": "musters/compare/_setting_form.html",
    }
    return render(request, "musters/compare/compare_battle.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
def compare_new_armies(request: HttpRequest) -> HttpResponse:
    """Roll two armies at loyalty 0 and compare them."""
    dice = Dice(new_seed())
    return redirect(f"{reverse('musters:compare')}?{urlencode({'a': _new_code(dice), 'b': _new_code(dice)})}")


def _new_code(dice: Dice) -> str:
    words = draw_words(dice)
    return code_of(play_muster(MusterCall(0), dice_from_words(words).d10), DiceSource(words))


# ── The forms, sent by GET ───────────────────────────────────────────────────────────────────────────────


CODE_ATTRS = {"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}


class SettingForm(forms.Form):
    """The situation. Without ``kind`` it is a charge in the open."""

    kind = forms.ChoiceField(
        choices=[("melee", "Melee"), ("shooting", "Shooting")], widget=forms.RadioSelect, label="Attack"
    )
    charged = forms.BooleanField(required=False, label="Attackers charge")
    inches = forms.FloatField(required=False, min_value=0, max_value=MAX_INCHES, label="Distance in inches")
    moved = forms.BooleanField(required=False, label="Shooters have moved")
    at = forms.ChoiceField(choices=terrain_choices, required=False, label="Attackers stand in")
    target_at = forms.ChoiceField(choices=terrain_choices, required=False, label="Targets stand in")
    flanked = forms.BooleanField(required=False, label="The target is flanked")
    king = forms.BooleanField(required=False, label="The target’s King is within 8″")
    event = forms.ChoiceField(choices=event_choices, required=False, label="Random event")

    @property
    def setting(self) -> Setting:
        usual, data = Setting(), self.cleaned_data
        given = {one.name: data[one.name] for one in fields(Setting)}
        given |= {name: getattr(usual, name) for name in ("inches", "at", "target_at") if given[name] in (None, "")}
        return Setting(**{**given, "flanked": data["flanked"] and data["kind"] == "melee"})


# Common situations, each one tap away.
COMMON_SITUATIONS: tuple[tuple[str, dict[str, str]], ...] = (
    ("Charge", {"kind": "melee", "charged": "on"}),
    ("Melee", {"kind": "melee"}),
    ("Shooting", {"kind": "shooting", "inches": "6"}),
    ("Long range", {"kind": "shooting", "inches": f"{LONG_RANGE_OVER + 1}"}),
)


class CompareForm(SettingForm):
    a = forms.CharField(
        max_length=MAX_CODE_LENGTH, required=False, label="Army code", widget=forms.TextInput(CODE_ATTRS)
    )
    b = forms.CharField(
        max_length=MAX_CODE_LENGTH, required=False, label="Army code", widget=forms.TextInput(CODE_ATTRS)
    )
    one = forms.CharField(
        max_length=MAX_NAME_LENGTH, required=False, label="Name", widget=forms.TextInput({"placeholder": ONE})
    )
    two = forms.CharField(
        max_length=MAX_NAME_LENGTH, required=False, label="Name", widget=forms.TextInput({"placeholder": TWO})
    )


def with_default_situation(given: dict[str, object]) -> dict[str, object]:
    """Add the first common situation if none is given."""
    return given if given.get("kind") else {**given, **COMMON_SITUATIONS[0][1]}


def situation_tabs(given: Mapping[str, str], chosen: Setting) -> list[tuple[str, str, bool]]:
    """Tabs for the common situations: label, query, whether it is shown."""
    armies = {name: given[name] for name in ("a", "b", "one", "two") if given.get(name)}
    tabs = []
    for label, query in COMMON_SITUATIONS:
        form = SettingForm(query)
        form.full_clean()
        tabs.append((label, urlencode({**armies, **query}), form.setting == chosen))
    return tabs
