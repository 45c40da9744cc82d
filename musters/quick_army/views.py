"""A quick army: rolled by the site, or step by step with your own dice."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from musters.quick_army.army_request import QuickArmyRequest, army_url
from musters.quick_army.own_dice import AnswerOwnDice, finished_code, own_dice_display, query_after_answer
from musters.start_page import render_start_page
from pages.api.operations import read_parameters
from refusal import Refusal


@require_POST
def quick_army(request: HttpRequest) -> HttpResponse:
    """Roll a quick army, or continue with your own dice. Nothing is stored: its URL is its code."""
    if request.POST.get("own"):
        # By a redirect, so that the address holds the answers and not the form's token.
        asked = {name: request.POST[name] for name in ("loyalty", "siege", "rebels") if request.POST.get(name)}
        lost = [("lost", house) for house in request.POST.getlist("lost")]
        return redirect(f"{reverse('musters:own_dice')}?{urlencode([*asked.items(), *lost])}")
    try:
        return redirect(army_url(QuickArmyRequest.from_form(request.POST).code()))
    except Refusal as refusal:
        return render_start_page(request, refusal)


@require_safe
def own_dice(request: HttpRequest) -> HttpResponse:
    """A quick army with your own dice. Each answer is a new URL, so the back button undoes it."""
    try:
        display = own_dice_display(read_parameters(AnswerOwnDice, request.GET))
    except Refusal as refusal:
        return render_start_page(request, refusal)
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
