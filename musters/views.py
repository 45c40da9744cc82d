"""The start page of musters, and armies by their code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from musters.quick_army.army_request import army_url, army_with_roster
from musters.start_page import render_start_page
from pages.site_address_for_guests import guest_url
from refusal import Refusal


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Quick army, your open musters, army by code."""
    return render_start_page(request)


@require_safe
def by_code(request: HttpRequest) -> HttpResponse:
    """Find a typed code; a refusal keeps the text in the field."""
    typed = request.GET.get("code", "").strip()
    if not typed:
        return redirect(f"{reverse('musters:index')}#by-code")
    try:
        recipe, _ = army_with_roster(typed)
    except Refusal as refusal:
        return render_start_page(request, refusal, typed)
    return redirect(army_url(recipe.code))


@require_safe
def army(request: HttpRequest, code: str) -> HttpResponse:
    try:
        recipe, roster = army_with_roster(code)
    except Refusal as refusal:
        refusal.status = 404
        return render_start_page(request, refusal, code)
    if code != recipe.code:
        return redirect(army_url(recipe.code))
    context = {
        "roster": roster,
        "words": recipe.source.words,
        "call": recipe.muster.call,
        "steps": recipe.muster.steps,
        "share_url": guest_url(army_url(recipe.code)),
    }
    return render(request, "musters/army.html", context)
