"""The muster wizard. The look-up checks permission; musters.services writes every answer."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign.models import Campaign
from live.shared_parts import add_etag, not_modified_response
from log.services import new_key
from musters import permissions, sealed_dice, services, vp_payments
from musters.chronicle_acts import require_open_battle
from musters.models import Muster
from musters.selectors import muster_for
from musters.wizard.display import DICE_SENTENCES, wizard_display
from pages.number_parsing import parse_int
from pages.site_address_for_guests import guest_url
from refusal import Refusal

DONE = "done"  # how the token of a finished muster begins
NO_ANIMATION_COOKIE = "dice_still"


@require_http_methods(["GET", "POST"])
def begin(request: HttpRequest, campaign: str, battle: int, kingdom: str) -> HttpResponse:
    """The start page of a muster; redirects if the muster exists."""
    found = get_object_or_404(Campaign.objects.visible_to(request.who).select_related("log", "snapshot"), code=campaign)
    if request.method == "POST":
        return redirect(services.begin_muster(request.who, found, battle, kingdom))
    if before := muster_for(found, battle, kingdom):
        return redirect(before)
    state = permissions.state_of(found)
    fought, realm = require_open_battle(state, battle, kingdom)
    other = state.kingdoms[fought.opponent_of(realm.id)]
    mode = str(state.terms.get("dice") or "typed")
    context = {
        "campaign": found,
        "battle": fought,
        "place": state.place_name(fought.target),
        "realm": realm,
        "other": other,
        "call": services.current_call(state, fought, realm),
        "dice": mode,
        "dice_sentence": DICE_SENTENCES.get(mode, ""),
        "sealed_explanation": sealed_dice.EXPLANATION,
        "can_act": permissions.can_act_for(state, realm.id, request.who),
    }
    return render(request, "musters/wizard/begin.html", context)


@require_safe
def muster(request: HttpRequest, code: str) -> HttpResponse:
    """The open question, or the finished army."""
    return _page(request, permissions.get_muster(request.who, code))


@require_safe
def muster_part(request: HttpRequest, code: str) -> HttpResponse:
    """Only the changing part of the page, for live updates."""
    found = permissions.get_muster(request.who, code)
    if answer := not_modified_response(request, found.log.version, found.campaign.log.version):
        return answer
    return add_etag(request, render(request, "musters/wizard/_wizard.html", _context(request, found)))


def _page(request: HttpRequest, found: Muster, refusal: Refusal | None = None) -> HttpResponse:
    context = _context(request, found) | {"refusal": refusal}
    return render(request, "musters/wizard/muster.html", context, status=refusal.status if refusal else 200)


def _context(request: HttpRequest, found: Muster) -> dict[str, object]:
    state = permissions.state_of(found.campaign)
    permissions.require_viewer(state, found, request.who)
    display = wizard_display(found, request.who, state)
    context: dict[str, object] = {
        "wizard": display,
        "key": new_key(),
        "no_animation": request.COOKIES.get(NO_ANIMATION_COOKIE) == "1",
        "sealed_explanation": sealed_dice.EXPLANATION,
    }
    if display.roster:
        context |= {
            "roster": display.roster,
            "share_url": guest_url(reverse("musters:army", args=[display.roster.code])),
        }
    return context


def _act(request: HttpRequest, code: str, act: Callable[[Muster], object]) -> HttpResponse:
    """Do one act. A refusal shows above the open question."""
    found = permissions.get_muster(request.who, code)
    try:
        act(found)
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        return _page(request, permissions.get_again(found), refusal)
    return redirect(f"{found.get_absolute_url()}#now")


def _roll_or_choose(request: HttpRequest, code: str, act: Callable[[Muster], services.Receipt]) -> HttpResponse:
    """Do one act of the muster. The army that is finished by it counts at once."""

    def act_and_finish(found: Muster) -> None:
        if act(found).get("question", request.POST.get("question", "")).startswith(DONE):
            vp_payments.finish_if_settled(found, request.who, key=f"{request.POST.get('key', '')[:70]}-army")

    return _act(request, code, act_and_finish)


@require_POST
def answer(request: HttpRequest, code: str) -> HttpResponse:
    data = request.POST
    given = data.get("value", "")
    if given in vp_payments.PAID_CHOICES:
        return _roll_or_choose(
            request, code, lambda found: vp_payments.buy_choice(found, request.who, **_form(request), value=given)
        )
    return _roll_or_choose(
        request, code, lambda found: services.submit_answer(found, request.who, **_form(request), value=_value(given))
    )


@require_POST
def reroll(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST.get("value", "")
    return _roll_or_choose(
        request,
        code,
        lambda found: vp_payments.buy_reroll(found, request.who, **_form(request), roll=_die(given) if given else None),
    )


@require_POST
def keep_roll(request: HttpRequest, code: str) -> HttpResponse:
    given = request.POST.get("value", "")
    return _roll_or_choose(
        request, code, lambda found: services.keep_roll(found, request.who, **_form(request), value=_die(given))
    )


@require_POST
def undo(request: HttpRequest, code: str) -> HttpResponse:
    """Undo the last answer; of an army that counts already, the last die that somebody typed."""
    return _act(request, code, lambda found: vp_payments.undo(found, request.who, **_form(request)))


@require_POST
def accept_changes(request: HttpRequest, code: str) -> HttpResponse:
    anew = request.POST.get("go") == "anew"
    return _act(
        request, code, lambda found: services.accept_changes(found, request.who, key=_form(request)["key"], anew=anew)
    )


@require_POST
def give_word(request: HttpRequest, code: str) -> HttpResponse:
    data = request.POST
    if data.get("absent"):
        return _act(request, code, lambda found: sealed_dice.draw_word_for_absent(found, request.who))
    return _act(request, code, lambda found: sealed_dice.give_word(found, request.who, data.get("word", "")))


@require_POST
def finish(request: HttpRequest, code: str) -> HttpResponse:
    return _act(request, code, lambda found: vp_payments.finish_muster(found, request.who, key=_form(request)["key"]))


@require_POST
def toggle_dice_animation(request: HttpRequest) -> HttpResponse:
    """Turn the dice animation on or off for this browser."""
    to = request.POST.get("to", "/musters/")
    response = redirect(to if to.startswith("/musters/") and "\\" not in to else "/musters/")
    response.set_cookie(
        NO_ANIMATION_COOKIE,
        "" if request.COOKIES.get(NO_ANIMATION_COOKIE) == "1" else "1",
        max_age=60 * 60 * 24 * 365,
        samesite="Lax",
    )
    return response


def _form(request: HttpRequest) -> dict[str, str]:
    return {"key": request.POST.get("key", ""), "question": request.POST.get("question", "")}


def _value(given: str) -> int | str | None:
    """A die, the key of a choice, or None: then the site rolls."""
    return _die(given) if given.strip().lstrip("+-").isdigit() else given or None


def _die(typed: str) -> int:
    """The typed number; the rulebook checks its range."""
    if (number := parse_int(typed, signed=True)) is None:
        raise Refusal("Enter a number from 1 to 10.", field="value")
    return number
