"""The muster start page, quick armies and armies by code."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from musters import home_items as musters_home_items
from musters.quick_army.generator import LOYALTY_CHOICES, MAX_REBELS, QuickArmyRequest, army_url, army_with_roster
from musters.quick_army.own_dice import finished_code, own_dice_display, query_after_answer
from pages.guest_address import guest_url
from refusal import Refusal


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Quick army, your open musters, army by code."""
    return _index(request)


def _index(request: HttpRequest, refusal: Refusal | None = None, typed: str = "") -> HttpResponse:
    sides = musters_home_items.open_sides(request.who) if request.who.is_known else []
    context = {
        "mine": [side for side in sides if side.mine],
        "waits": any(side.mine and not (side.muster and side.muster.entry) for side in sides),
        "others": [side for side in sides if not side.mine],
        "loyalties": LOYALTY_CHOICES,
        "rebels": range(MAX_REBELS + 1),
        "refusal": refusal,
        "typed": typed,
    }
    return render(request, "musters/quick_army/index.html", context, status=refusal.status if refusal else 200)


@require_POST
def quick_army(request: HttpRequest) -> HttpResponse:
    """Roll a quick army, or go on with your own dice. Nothing is stored: its URL is its code."""
    if request.POST.get("own"):
        # By a redirect, so that the address holds the answers and not the form's token.
        asked = {name: request.POST[name] for name in ("loyalty", "siege", "rebels") if request.POST.get(name)}
        lost = [("lost", house) for house in request.POST.getlist("lost")]
        return redirect(f"{reverse('musters:own_dice')}?{urlencode([*asked.items(), *lost])}")
    try:
        return redirect(army_url(QuickArmyRequest.read(request.POST).code()))
    except Refusal as refusal:
        return _index(request, refusal)


@require_safe
def by_code(request: HttpRequest) -> HttpResponse:
    """Find a typed code; a refusal keeps the text in the field."""
    typed = request.GET.get("code", "").strip()
    if not typed:
        return redirect(f"{reverse('musters:index')}#by-code")
    try:
        recipe, _ = army_with_roster(typed)
    except Refusal as refusal:
        return _index(request, refusal, typed)
    return redirect(army_url(recipe.code))


@require_safe
def army(request: HttpRequest, code: str) -> HttpResponse:
    try:
        recipe, roster = army_with_roster(code)
    except Refusal as refusal:
        refusal.status = 404
        return _index(request, refusal, code)
    if code != recipe.code:
        return redirect(army_url(recipe.code))
    context = {
        "roster": roster,
        "words": recipe.source.words,
        "call": recipe.muster.call,
        "steps": recipe.muster.steps,
        "share_url": guest_url(army_url(recipe.code)),
    }
    return render(request, "musters/quick_army/army.html", context)


@require_safe
def own_dice(request: HttpRequest) -> HttpResponse:
    """A quick army with your own dice. Each answer is a new URL, so the back button undoes it."""
    try:
        display = own_dice_display(request.GET)
    except Refusal as refusal:
        return _index(request, refusal)
    refusal = None
    if value := request.GET.get("v", ""):
        try:
            return redirect(f"{reverse('musters:own_dice')}?{query_after_answer(display, value)}")
        except Refusal as refused:
            refusal = refused
    if display.question is None:
        return redirect(army_url(finished_code(display)))
    context = {"wizard": display, "refusal": refusal}
    return render(request, "musters/quick_army/own_dice.html", context, status=422 if refusal else 200)
