"""A change that the players agreed on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.wars.forms import AgreedChangeForm
from log.services import new_key
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal


@require_http_methods(["GET", "POST"])
def agreed_change(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_campaign_as_master(request.who, code)
    state = campaign_selectors.state_of(campaign)
    form = AgreedChangeForm(request.POST or None, state=state, initial={"key": new_key()})
    if request.method == "POST" and form.is_valid():
        try:
            done = campaign_services.write(campaign, request.who, form.act(), key=form.cleaned_data["key"])
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    return render(
        request,
        "campaign/wars/agreed_change.html",
        {"campaign": campaign, "form": form},
        status=422 if form.is_bound else 200,
    )
