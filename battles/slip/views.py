"""Slips: printed from the browser, with a QR and three words that open the report; and blank ones."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from battles import slips
from battles.armies import hidden_from
from battles.models import Battle
from battles.rights import must, rights
from battles.slip import SlipSheet, blank_slip, slip_sheet
from battles.views import seen
from campaign.annals.state import State
from pages.address import guest_url
from people.who import Who
from refusal import Refusal
from rulebook.scenarios import SCENARIO, SCENARIOS


def sheet_of(battle: Battle, state: State | None, who: Who) -> SlipSheet:
    """The slip of a battle with its code, for page and paper."""
    found = slips.slip_of(battle, who)
    opens = guest_url(found.link.get_absolute_url())
    return slip_sheet(
        battle, state, address=opens.url, no_qr=opens.why_no_qr, words=slips.words_of(found.link),
        place_to_type=guest_url(reverse("battles:code")).url, hidden=hidden_from(battle, state, who),
    )  # fmt: skip


@never_cache
@require_safe
def slip(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = seen(request, code)
    # Whoever can read the code can report: only those who may report anyway print it.
    must(rights(battle, request.who, state).report, battle)
    if battle.is_over:
        raise Refusal("This battle is over. A slip would open nothing.", status=409)
    return render(request, "battles/slip.html", {"battle": battle, "slip": sheet_of(battle, state, request.who)})


@require_POST
def renew(request: HttpRequest, code: str) -> HttpResponse:
    """A slip that got lost: its code dies, the next print has a new one."""
    battle, state = seen(request, code)
    may = rights(battle, request.who, state)
    must(may.report and not may.by_slip, battle)
    slips.renew(battle)
    return redirect("battles:slip", battle.code)


@require_safe
def blank(request: HttpRequest) -> HttpResponse:
    chosen = request.GET.get("scenario", "")
    begins = guest_url(reverse("battles:index"))
    sheet = blank_slip(
        chosen if chosen in SCENARIO else "pitched_battle", address=begins.url, no_qr=begins.why_no_qr,
        place_to_type=begins.url,
    )  # fmt: skip
    return render(request, "battles/blank_slip.html", {"slip": sheet, "scenarios": SCENARIOS})
