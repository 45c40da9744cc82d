"""Armies for everybody: the front page of musters, a quick army, an army by its code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from musters import moves
from musters.own import code, own_sheet, with_answer
from musters.quick import LOYALTIES, REBELS_MOST, QuickCall, address, army_sheet
from pages.address import guest_url
from refusal import Refusal


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """A quick army on top; then what waits for one's own muster; then an army by its code."""
    return _index(request)


def _index(request: HttpRequest, refusal: Refusal | None = None, typed: str = "") -> HttpResponse:
    sides = moves.waiting(request.who) if request.who.is_known else []
    context = {
        "mine": [side for side in sides if side.mine],
        "waits": any(side.mine and not (side.muster and side.muster.entry) for side in sides),
        "others": [side for side in sides if not side.mine],
        "loyalties": LOYALTIES,
        "rebels": range(REBELS_MOST + 1),
        "refusal": refusal,
        "typed": typed,
    }
    return render(request, "musters/index.html", context, status=refusal.status if refusal else 200)


@require_POST
def quick(request: HttpRequest) -> HttpResponse:
    """One tap, one army. Nothing is stored: its code is its address."""
    try:
        return redirect(address(QuickCall.read(request.POST).code()))
    except Refusal as refusal:
        return _index(request, refusal)


@require_safe
def by_code(request: HttpRequest) -> HttpResponse:
    """A code somebody typed; a typing mistake is told where it is, with what was typed still in the field."""
    typed = request.GET.get("code", "").strip()
    if not typed:
        return redirect(f"{reverse('musters:index')}#by-code")
    try:
        recipe, _ = army_sheet(typed)
    except Refusal as refusal:
        return _index(request, refusal, typed)
    return redirect(address(recipe.code))


@require_safe
def army(request: HttpRequest, code: str) -> HttpResponse:
    try:
        recipe, roster = army_sheet(code)
    except Refusal as refusal:
        refusal.status = 404
        return _index(request, refusal, code)
    if code != recipe.code:
        return redirect(address(recipe.code))
    context = {"roster": roster, "words": recipe.source.words, "call": recipe.muster.call, "steps": recipe.muster.steps, "share_url": guest_url(address(recipe.code))}  # fmt: skip
    return render(request, "musters/army.html", context)


@require_safe
def own(request: HttpRequest) -> HttpResponse:
    """A one-off army with one's own dice. Each answer is a new address, so going back takes one back."""
    try:
        sheet = own_sheet(request.GET)
    except Refusal as refusal:
        return _index(request, refusal)
    refusal = None
    if value := request.GET.get("v", ""):
        try:
            return redirect(f"{reverse('musters:own')}?{with_answer(sheet, value)}")
        except Refusal as refused:
            refusal = refused
    if sheet.asked is None:
        return redirect(address(code(sheet)))
    context = {"sheet": sheet, "refusal": refusal}
    return render(request, "musters/own.html", context, status=422 if refusal else 200)
