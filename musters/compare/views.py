"""Compare two armies by code, or the two armies of a battle."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from chance import Dice, new_seed
from musters.compare.calculation import Setting
from musters.compare.display import ComparedArmies, compare_battle, compare_codes
from musters.compare.forms import CompareForm, SettingForm, situation_tabs, with_default_situation
from musters.core.army_code import DiceSource, code_of
from musters.core.auto_roll import dice_from_words, play_muster
from musters.core.seed_word_list import draw_words
from pages.api.operations import read_parameters
from refusal import Refusal
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
    rows = Campaign.objects.visible_to(request.who).select_related("log", "snapshot")
    found = get_object_or_404(rows, code=campaign)
    form = SettingForm(with_default_situation(request.GET.dict()))
    setting = form.setting if form.is_valid() else Setting()
    display = compare_battle(request.who, found, battle, setting)
    context = {
        "campaign": found,
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
