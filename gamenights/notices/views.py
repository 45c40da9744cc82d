"""The webhooks of a group: add, test, remove, and the log of what was sent."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from gamenights.notices import services
from gamenights.notices.core.addresses import MAX_ADDRESS
from gamenights.notices.models import WebhookDelivery
from groups.permissions import require_host
from groups.selectors import get_visible_group
from log.services import new_key
from pages.key_form import KeyForm
from pages.number_parsing import parse_int
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal

MAX_LISTED = 20


class WebhookForm(KeyForm):
    url = forms.CharField(
        label="Address", max_length=MAX_ADDRESS, help_text="A webhook of a Discord channel, or any other program."
    )


@require_http_methods(["GET", "POST"])
def webhooks(request: HttpRequest, code: str) -> HttpResponse:
    group = get_visible_group(request.who, code)
    require_host(group, request.who)
    form = WebhookForm(request.POST if "url" in request.POST else None, initial={"key": new_key()})
    act = request.POST.get("act", "")
    if request.method == "POST" and act in ("test", "remove"):
        webhook = get_object_or_404(group.webhooks, pk=parse_int(request.POST.get("webhook", "")) or 0)
        if act == "test":
            services.send_test(webhook, request.who)
            messages.success(request, "A test notice is on its way.")
        else:
            services.remove_webhook(webhook, request.who)
        return redirect("gamenights:webhooks", code)
    if request.method == "POST" and form.is_valid():
        try:
            services.add_webhook(group, request.who, url=form.cleaned_data["url"])
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            return redirect("gamenights:webhooks", code)
    elif request.method == "POST" and not form.is_bound:
        raise Refusal("Enter an address.", field="url")
    context = {
        "group": group,
        "form": form,
        "webhooks": list(group.webhooks.all()),
        "deliveries": list(
            WebhookDelivery.objects.filter(webhook__group=group).select_related("webhook").order_by("-pk")[:MAX_LISTED]
        ),
    }
    return render(request, "gamenights/notices/webhooks.html", context, status=422 if form.is_bound else 200)
