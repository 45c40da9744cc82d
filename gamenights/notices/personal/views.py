"""/me/notices/: choose, try it, and see what was sent."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gamenights.notices.personal import services
from gamenights.notices.personal.forms import NoticesForm
from gamenights.notices.personal.models import NoticeChoice, PersonalNotice
from pages.refusal_handling import add_refusal_to_form
from people.login_required import person_required
from refusal import Refusal

MAX_SHOWN = 10


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
            services.choose_notices(request.who, **form.cleaned_data)
        except Refusal as refusal:
            add_refusal_to_form(form, refusal)
        else:
            messages.success(request, "Saved.")
            return redirect("gamenights:my_notices")
    context = {
        "form": form,
        "choice": choice,
        "mail": services.mail_address(person),
        "sent": PersonalNotice.objects.filter(person=person)[:MAX_SHOWN],
    }
    status = 422 if form.is_bound else 200
    return render(request, "gamenights/notices/personal.html", context, status=status)
