"""The muster wizard: fetch (the look-up is the permission check), ask, draw. Every answer goes through the muster's door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.models import Campaign
from live.etag import tagged, unchanged
from log.door import new_key
from musters import door, may, paying, sealing
from musters.annals import open_battle
from musters.models import Muster
from musters.reading import muster_for
from musters.wizard import DICE_SAID, wizard_sheet
from pages.address import guest_url
from pages.numbers import whole
from refusal import Refusal

STILL = "dice_still"


@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, campaign: str, battle: int, kingdom: str) -> HttpResponse:
    """Where a muster begins: whose, for which battle, with which dice. One that was begun goes on."""
    found = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log", "snapshot"), code=campaign)
    if request.method == "POST":
        return redirect(door.begin(request.who, found, battle, kingdom))
    if before := muster_for(found, battle, kingdom):
        return redirect(before)
    state = may.state_of(found)
    fought, realm = open_battle(state, battle, kingdom)
    other = state.kingdoms[fought.defender if fought.attacker == realm.id else fought.attacker]
    mode = str(state.terms.get("dice") or "typed")
    context = {
        "campaign": found,
        "battle": fought,
        "place": state.place_name(fought.target),
        "realm": realm,
        "other": other,
        "call": door.call_now(state, fought, realm),
        "dice": mode,
        "dice_said": DICE_SAID.get(mode, ""),
        "sealed": sealing.WHAT_IT_MEANS,
        "may_act": may.acts_for(state, realm.id, request.who),
    }
    return render(request, "musters/begin.html", context)


@require_safe
def muster(request: HttpRequest, code: str) -> HttpResponse:
    """One question, or the army once it stands."""
    return _page(request, may.found(request.who, code))


@require_safe
def part(request: HttpRequest, code: str) -> HttpResponse:
    """The same without its page, for phones that heard of news."""
    found = may.found(request.who, code)
    if answer := unchanged(request, found.log.version, found.campaign.log.version):
        return answer
    return tagged(request, render(request, "musters/_wizard.html", _context(request, found)))


def _page(request: HttpRequest, found: Muster, refusal: Refusal | None = None) -> HttpResponse:
    context = _context(request, found) | {"refusal": refusal}
    return render(request, "musters/muster.html", context, status=refusal.status if refusal else 200)


def _context(request: HttpRequest, found: Muster) -> dict[str, Any]:
    state = may.state_of(found.campaign)
    may.see(state, found, request.who)
    sheet = wizard_sheet(found, request.who, state)
    context: dict[str, Any] = {
        "sheet": sheet,
        "key": new_key(),
        "still": request.COOKIES.get(STILL) == "1",
        "sealed_means": sealing.WHAT_IT_MEANS,
    }
    if sheet.roster:
        context |= {"roster": sheet.roster, "share_url": guest_url(reverse("musters:army", args=[sheet.roster.code]))}
    return context


def _step(request: HttpRequest, code: str, act: Callable[[Muster], object]) -> HttpResponse:
    """One answer. What is refused is told above the question that is open now."""
    found = may.found(request.who, code)
    try:
        act(found)
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        return _page(request, may.found(request.who, code), refusal)
    return redirect(f"{found.get_absolute_url()}#now")


@require_POST
def answer(request: HttpRequest, code: str) -> HttpResponse:
    data = request.POST
    given = data.get("value", "")
    if given in paying.CHOICES:
        return _step(request, code, lambda found: paying.buy(found, request.who, **_form(request), value=given))
    return _step(request, code, lambda found: door.step(found, request.who, **_form(request), value=_value(given)))


@require_POST
def again(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST.get("value", "")
    return _step(
        request,
        code,
        lambda found: paying.again(found, request.who, **_form(request), roll=_die(given) if given else None),
    )


@require_POST
def keep(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST.get("value", "")
    return _step(request, code, lambda found: door.keep(found, request.who, **_form(request), value=_die(given)))


@require_POST
def back(request: HttpRequest, code: str) -> HttpResponse:
    return _step(request, code, lambda found: door.take_back(found, request.who, **_form(request)))


@require_POST
def agree(request: HttpRequest, code: str) -> HttpResponse:
    anew = request.POST.get("go") == "anew"
    return _step(request, code, lambda found: door.agree(found, request.who, key=_form(request)["key"], anew=anew))


@require_POST
def word(request: HttpRequest, code: str) -> HttpResponse:
    data = request.POST
    if data.get("absent"):
        return _step(request, code, lambda found: sealing.draw_for_absent(found, request.who))
    return _step(request, code, lambda found: sealing.give(found, request.who, data.get("word", "")))


@require_POST
def take(request: HttpRequest, code: str) -> HttpResponse:
    return _step(request, code, lambda found: paying.take(found, request.who, key=_form(request)["key"]))


@require_POST
def stillness(request: HttpRequest) -> HttpResponse:
    """The dice fall with a short animation, or lie still: as this browser likes."""
    to = request.POST.get("to", "/musters/")
    response = redirect(to if to.startswith("/musters/") and "\\" not in to else "/musters/")
    response.set_cookie(
        STILL, "" if request.COOKIES.get(STILL) == "1" else "1", max_age=60 * 60 * 24 * 365, samesite="Lax"
    )
    return response


def _form(request: HttpRequest) -> dict[str, str]:
    return {"key": request.POST.get("key", ""), "question": request.POST.get("question", "")}


def _value(given: str) -> int | str | None:
    """A die, the key of a choice, or nothing: then the service throws."""
    return _die(given) if given.strip().lstrip("+-").isdigit() else given or None


def _die(typed: str) -> int:
    """What was typed, as a number if it is one; the rulebook says which numbers a die has."""
    if (number := whole(typed, signed=True)) is None:
        raise Refusal("A ten-sided die shows a number from 1 to 10.", field="value")
    return number
