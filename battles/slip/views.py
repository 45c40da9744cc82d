"""Slips to print from the browser, with a QR code and three words that open the report; and blank ones."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from battles.slip import access_codes
from battles.slip.display import blank_slip, printable_slip
from pages.site_address_for_guests import guest_url
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO, SCENARIOS


@never_cache
@require_safe
def slip_page(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = access_codes.get_battle_and_state_to_print(request.who, code)
    return render(
        request, "battles/slip/slip.html", {"battle": battle, "slip": printable_slip(battle, state, request.who)}
    )


@require_POST
def renew_slip(request: HttpRequest, code: str) -> HttpResponse:
    """Replace the code of a lost slip."""
    battle = access_codes.get_battle_to_renew(request.who, code)
    access_codes.renew_slip(battle, request.who)
    return redirect("battles:slip", battle.code)


@require_safe
def blank_slip_page(request: HttpRequest) -> HttpResponse:
    chosen = request.GET.get("scenario", "")
    begins = guest_url(reverse("battles:index"))
    slip = blank_slip(
        chosen if chosen in SCENARIO else "pitched_battle",
        address=begins.url,
        no_qr=begins.why_no_qr,
        place_to_type=begins.url,
    )
    return render(request, "battles/slip/blank_slip.html", {"slip": slip, "scenarios": SCENARIOS})


@require_http_methods(["GET", "POST"])
def enter_code(request: HttpRequest) -> HttpResponse:
    """Open the report whose slip shows these three words."""
    error, status = "", 200
    if request.method == "POST":
        try:
            battle = access_codes.open_by_words(request, request.POST.get("code", ""))
        except Refusal as refusal:
            error, status = refusal.sentence, refusal.status or 422
        else:
            return redirect("battles:report", battle.code)
    context = {"error": error, "code": request.POST.get("code", "")[:80]}
    return render(request, "battles/slip/enter_code.html", context, status=status)
