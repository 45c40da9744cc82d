"""The webhooks of a group, and /me/notices/: choose, try it, and see what was sent."""

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gamenights.notices import services
from gamenights.notices.models import NoticeChoice, PersonalNotice, Topic, WebhookDelivery
from gamenights.notices.services import AddWebhook, ChooseNotices
from gamenights.notices.webhook_post import MAX_ADDRESS
from groups.selectors import get_group_as_host
from pages.fields.forms import DataclassForm
from pages.number_parsing import parse_int
from pages.refusal_handling import add_refusal_to_form
from people.login_required import person_required
from refusal import Refusal

MAX_DELIVERIES = 20
MAX_NOTICES = 10


class WebhookForm(DataclassForm[AddWebhook]):
    """A webhook to add."""


@require_http_methods(["GET", "POST"])
def webhooks(request: HttpRequest, code: str) -> HttpResponse:
    group = get_group_as_host(request.who, code)
    act = request.POST.get("act", "")
    if request.method == "POST" and act in ("test", "remove"):
        webhook = get_object_or_404(group.webhooks, pk=parse_int(request.POST.get("webhook", "")) or 0)
        if act == "test":
            services.send_webhook_test(webhook, request.who)
            messages.success(request, "A test notice is on its way.")
        else:
            services.remove_webhook(webhook, request.who)
        return redirect("gamenights:webhooks", code)
    form = WebhookForm(request.POST if "url" in request.POST else None)
    if form.submit(request, lambda key, sent: services.add_webhook(group, request.who, sent)):
        return redirect("gamenights:webhooks", code)
    if request.method == "POST" and not form.is_bound:
        raise Refusal("Enter an address.", field="url")
    deliveries = WebhookDelivery.objects.filter(webhook__group=group).select_related("webhook").order_by("-pk")
    context = {
        "group": group,
        "form": form,
        "webhooks": list(group.webhooks.all()),
        "deliveries": list(deliveries[:MAX_DELIVERIES]),
    }
    return render(request, "gamenights/notices/webhooks.html", context, status=422 if form.is_bound else 200)


class NoticesForm(forms.Form):
    topics = forms.MultipleChoiceField(
        label="Tell me about", choices=Topic.choices, required=False, widget=forms.CheckboxSelectMultiple
    )
    by_mail = forms.BooleanField(label="By e-mail", required=False)
    url = forms.CharField(
        label="To a webhook of my own",
        required=False,
        max_length=MAX_ADDRESS,
        help_text="Optional. An https address that accepts Discord's JSON.",
    )


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def my_notices(request: HttpRequest) -> HttpResponse:
    person = request.who.person
    choice = NoticeChoice.objects.filter(person=person).first()
    initial = {"topics": choice.topics, "by_mail": choice.by_mail, "url": choice.url} if choice else {}
    if request.method == "POST" and request.POST.get("act") == "test":
        services.send_test(request.who)
        messages.success(request, "A test is on its way.")
        return redirect("gamenights:my_notices")
    form = NoticesForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            services.choose_notices(request.who, ChooseNotices(**form.cleaned_data))
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            messages.success(request, "Saved.")
            return redirect("gamenights:my_notices")
    context = {
        "form": form,
        "choice": choice,
        "mail": services.mail_address(person),
        "sent": PersonalNotice.objects.filter(person=person)[:MAX_NOTICES],
    }
    return render(request, "gamenights/notices/personal.html", context, status=422 if form.is_bound else 200)
