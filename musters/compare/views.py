"""Compare two musters: two codes in the address, or the two armies of a battle."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from campaign.models import Campaign
from chance import Dice, fresh_seed
from musters.compare import Setting
from musters.compare_forms import CompareForm, SettingForm, usual, with_usual
from musters.compare_sheet import sheet_of_battle, sheet_of_codes
from musters.rolls.code import Source, code_of
from musters.rolls.course import dice_of, played
from musters.rolls.words import drawn_words
from refusal import Refusal
from rulebook.muster_table import Call


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """Two armies side by side; a link with one code, or none, gets the form that asks for the rest."""
    given = request.GET.dict()
    form = CompareForm(with_usual(given))
    if not (given.get("a") or given.get("b")) or not given.keys() >= {"a", "b"}:
        return render(request, "musters/compare.html", {"form": form})
    sheet, refusal = None, None
    try:
        if form.is_valid():
            sheet = sheet_of_codes(given, form.setting)
    except Refusal as error:
        refusal = error
    status = 200 if sheet else refusal.status if refusal else 422
    context = {"form": form, "sheet": sheet, "refusal": refusal}
    if sheet:
        context["usual"] = usual(given, sheet.setting)
    return render(request, "musters/compare.html", context, status=status)


@require_safe
def battle(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    """The two armies of a campaign's battle."""
    rows = Campaign.objects.visible_to(request.who).select_related("log", "snapshot")
    found = get_object_or_404(rows, code=campaign)
    form = SettingForm(with_usual(request.GET.dict()))
    setting = form.setting if form.is_valid() else Setting()
    sheet = sheet_of_battle(request.who, found, battle, setting)
    context = {
        "campaign": found,
        "battle": battle,
        "form": form,
        "sheet": sheet,
        "usual": usual({}, setting),
        "setting_form": "musters/_setting_form.html",
    }
    return render(request, "musters/compare_battle.html", context, status=422 if form.errors else 200)


@never_cache
@require_safe
def fresh(request: HttpRequest) -> HttpResponse:
    """Two new armies of loyalty 0, and straight to their comparison."""
    dice = Dice(fresh_seed())
    return redirect(f"{reverse('musters:compare')}?{urlencode({'a': _fresh_code(dice), 'b': _fresh_code(dice)})}")


def _fresh_code(dice: Dice) -> str:
    words = drawn_words(dice)
    return code_of(played(Call(0), dice_of(words).d10), Source(words))
