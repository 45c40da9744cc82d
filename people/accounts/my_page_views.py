"""One's own page: name, password, log-ins, personal link, data."""

from __future__ import annotations

import json

from django.conf import settings
from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.address import guest_url
from pages.refusals import say
from people import accounts, forgetting, keeping, limits, links, log_ins, my_data
from people.forms import (
    AccountForm,
    ChangePasswordForm,
    ForgetForm,
    MailForm,
    NameForm,
    ResetTrustForm,
)
from people.models import LogIn, Person
from people.names import clean_name
from people.views.arms import draw_arms
from people.wall import known_only, password_only
from refusal import Refusal


@never_cache
@known_only
@require_safe
def me(request: HttpRequest) -> HttpResponse:
    who = request.who
    context = {
        "person": who.person,
        "rows": _log_ins(request),
        "link": links.link_of(who.person),
        "joined": _joined(who.person),
        "kept": Person.objects.kept_by(who).roots().count(),
        "trust_form": ResetTrustForm(initial={"masters_may_reset": who.person.masters_may_reset}),
        "keeper": Person.objects.filter(kept=who.person).select_related("merged_into").first() if who.user else None,
        "mail": bool(settings.EMAIL_HOST),
        "may_make_account": not who.person.has_account and not accounts.sign_up_is("closed"),
    }
    return render(request, "people/me.html", context)


def _joined(person: Person) -> list[Person]:
    return list(Person.objects.filter(merged_into=person).order_by("joined_at")) if len(person.all_ids()) > 1 else []


def _log_ins(request: HttpRequest) -> list[LogIn]:
    """All of one's own log-ins with the password proven; by a link only this one, for others may hold the link too."""
    rows = LogIn.objects.live().filter(person__in=request.who.person.all_ids())
    if request.who.user is None:
        rows = rows.filter(pk=request.who.log_in.pk)
    return list(rows[:100])


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def name(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST or None, initial={"name": request.who.person.name})
    if request.method == "POST" and form.is_valid():
        keeping.rename(request.who, request.who.person, form.cleaned_data["name"])
        messages.success(request, "Your name is changed.")
        return redirect("people:me")
    context = {"form": form, "log_in_name": request.who.user and request.who.user.get_username()}
    return render(request, "people/name.html", context, status=422 if form.errors else 200)


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def arms(request: HttpRequest) -> HttpResponse:
    return draw_arms(request, request.who.person, reverse("people:me"))


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def account(request: HttpRequest) -> HttpResponse:
    """Someone who came by a personal link chooses a password."""
    person = request.who.person
    if person.has_account:
        return redirect("people:me")
    form = AccountForm(request.POST or None, initial={"name": person.name})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                if accounts.sign_up_is("closed"):
                    raise Refusal("This site takes no new accounts. Your personal link goes on working.", status=403)
                accounts.make(**form.cleaned_data, person=person)
                links.end_log_ins_by_others(person)
                log_ins.log_in_by_password(request, person.account)
                messages.success(request, "You have an account. Log in with its name and password from now on.")
                return redirect("people:me")
            except Refusal as refusal:
                status = refusal.status
                say(form, refusal)
    return render(
        request, "people/account.html", {"form": form, "closed": accounts.sign_up_is("closed")}, status=status
    )


@sensitive_post_parameters("old", "password")
@sensitive_variables("form")
@never_cache
@password_only
@require_http_methods(["GET", "POST"])
def password(request: HttpRequest) -> HttpResponse:
    user = request.who.user
    form = ChangePasswordForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                with limits.LOG_IN.attempt(request, user.get_username(), proven=True) as attempt:
                    if not user.check_password(form.cleaned_data["old"]):
                        attempt.failed()
                if attempt.has_failed:
                    raise Refusal("This is not your password.", field="old")
                accounts.set_password(request, user, form.cleaned_data["password"])
                messages.success(request, "The password is changed. Your other log-ins have ended.")
                return redirect("people:me")
            except Refusal as refusal:
                status = refusal.status
                say(form, refusal)
    return render(request, "people/password.html", {"form": form}, status=status)


@never_cache
@password_only
@require_http_methods(["GET", "POST"])
def mail(request: HttpRequest) -> HttpResponse:
    if not settings.EMAIL_HOST:
        raise Http404
    user = request.who.user
    form = MailForm(request.POST or None, initial={"mail": user.email})
    if request.method == "POST" and form.is_valid():
        user.email = form.cleaned_data["mail"]
        user.save(update_fields=["email"])
        messages.success(request, "The mail address is kept." if user.email else "The mail address is removed.")
        return redirect("people:me")
    return render(request, "people/mail.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@password_only
def trust(request: HttpRequest) -> HttpResponse:
    """Who besides an owner may help with a forgotten password."""
    person = request.who.person
    if "let_go" in request.POST:
        keeping.let_go(person)
        messages.success(request, "Nobody looks after your account now but you.")
    else:
        may = "masters_may_reset" in request.POST
        Person.objects.filter(pk=person.pk).update(masters_may_reset=may)
        messages.success(
            request, "A game master of yours may help you in." if may else "No game master may help you in."
        )
    return redirect("people:me")


@require_POST
@known_only
def end_log_in(request: HttpRequest, pk: int) -> HttpResponse:
    row = next((row for row in _log_ins(request) if row.pk == pk), None)
    if row is None:
        raise Http404
    if row.pk == request.who.log_in.pk:
        log_ins.log_out(request)
        return redirect("/")
    row.delete()
    messages.success(request, "That log-in has ended.")
    return redirect("people:me")


@require_POST
@password_only
def end_other_log_ins(request: HttpRequest) -> HttpResponse:
    LogIn.objects.filter(person__in=request.who.person.all_ids()).exclude(pk=request.who.log_in.pk).delete()
    messages.success(request, "Every other log-in has ended.")
    return redirect("people:me")


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def link(request: HttpRequest) -> HttpResponse:
    """One's own personal link: shown, and made anew."""
    person = request.who.person
    if request.method == "POST":
        made = links.issue(person, by=request.who)
        if request.who.user is None:
            log_ins.log_in_by_link(request, made)  # the old log-in went with the old link
        messages.success(request, "This is your new personal link. The old one is dead.")
        return redirect("people:my_link")
    found = links.link_of(person)
    shown = found if found and found.token else None
    context = {
        "person": person,
        "link": found,
        "address": guest_url(shown.get_absolute_url()) if shown else None,
        "may_issue": links.may_issue(person, request.who),
    }
    return render(request, "people/my_link.html", context)


@never_cache
@known_only
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    return render(request, "people/data.html", {"person": request.who.person})


@never_cache
@known_only
@require_safe
def data_file(request: HttpRequest) -> HttpResponse:
    person = request.who.person
    if person.has_account and request.who.user is None:
        raise Refusal("You came in by a personal link. Log in with your password to do this.", status=403)
    text = json.dumps(my_data.export(person), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="my-data-{timezone.localdate():%Y-%m-%d}.json"'
    return response


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def forget(request: HttpRequest) -> HttpResponse:
    person = request.who.person
    why_not = forgetting.why_not(person, request.who)
    form = ForgetForm(request.POST or None, expected=clean_name(person.name))
    if request.method == "POST" and form.is_valid():
        forgetting.forget(person, by=request.who)
        log_ins.log_out(request)
        return render(request, "people/forgotten_now.html")
    context = {
        "person": person,
        "form": form,
        "why_not": why_not,
        "kept": Person.objects.kept_by(request.who).roots().count(),
        "mine": True,
    }
    return render(request, "people/forget.html", context, status=422 if form.errors else 200)
