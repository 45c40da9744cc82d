"""A one-off evening for anybody: the address says all of it, and no row of the database is asked."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from chance import Dice, fresh_seed
from musters.evening import asked_for, evening, fresh_word
from musters.evening_forms import EveningForm
from musters.ground import FAIR, drawing, standalone, svg
from pages.address import guest_url
from refusal import Refusal


@require_safe
def show(request: HttpRequest) -> HttpResponse:
    """The evening of the address; without a word the page that asks for one."""
    if not request.GET:
        return render(request, "musters/evening_start.html", {"form": EveningForm()})
    if not request.GET.get("word", "").strip():
        return fresh(request)
    try:
        sheet = evening(asked_for(request.GET.dict()))
    except Refusal as refusal:
        context = {"form": EveningForm(request.GET), "refusal": refusal}
        return render(request, "musters/evening_start.html", context, status=refusal.status)
    context = {
        "sheet": sheet,
        "scenario": sheet.scenario,
        "ground": svg(sheet.scenario, sheet.layout, sheet.tokens),
        "legend": drawing(sheet.scenario, sheet.layout).legend,
        "fair": FAIR,
        "form": EveningForm(request.GET),
        "share": guest_url(f"{request.path}?{sheet.asked.address()}"),
    }
    return render(request, "musters/evening.html", context)


@never_cache
@require_safe
def fresh(request: HttpRequest) -> HttpResponse:
    """Draw a word and go to its evening, terrain and all; what was chosen stays chosen."""
    kept = {name: request.GET.get(name, "") for name in ("scenario", "event", "one", "two")}
    asked = asked_for({**kept, "word": fresh_word(Dice(fresh_seed())), "ground": "1"})
    return redirect(f"{reverse('musters:evening')}?{asked.address()}")


@require_safe
def ground(request: HttpRequest) -> HttpResponse:
    """The drawing as a file: for a printer, a slide, a message."""
    sheet = evening(asked_for(request.GET.dict()))
    file = HttpResponse(standalone(sheet.scenario, sheet.layout, sheet.tokens), content_type="image/svg+xml")
    # Saved, not opened: our policy forbids the inks it carries within itself.
    file["Content-Disposition"] = f'attachment; filename="{sheet.scenario.key}.svg"'
    return file
