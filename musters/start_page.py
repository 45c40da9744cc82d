"""The start page of musters, also drawn with what was refused."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from musters import home_items as musters_home_items
from musters.quick_army.army_request import LOYALTY_CHOICES, MAX_REBELS
from refusal import Refusal


def render_start_page(request: HttpRequest, refusal: Refusal | None = None, typed: str = "") -> HttpResponse:
    sides = musters_home_items.open_sides(request.who) if request.who.is_known else []
    mine = [side for side in sides if side.mine]
    waiting = [side for side in mine if not side.is_mustered]
    context = {
        "mine": waiting + [side for side in mine if side.is_mustered],
        "waits": bool(waiting),
        "others": [side for side in sides if not side.mine],
        "loyalties": LOYALTY_CHOICES,
        "rebels": range(MAX_REBELS + 1),
        "refusal": refusal,
        "typed": typed,
    }
    return render(request, "musters/start_page.html", context, status=refusal.status if refusal else 200)
