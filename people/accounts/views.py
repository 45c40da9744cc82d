"""The door: log in, log out, sign up, the first owner, a forgotten password."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from pages.refusals import say
from people import accounts, first, limits, log_ins, mail, passes
from people.browser import browser_of
from people.forms import ForgottenForm, LogInForm, SignUpForm
from people.wall import next_page
from refusal import Refusal


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        if request.who.user is not None:
            return redirect(next_page(request))
        if first.no_owner_yet():
            return redirect("people:first")
        browser_of(request)  # it has its cookie before the first guess
    form = LogInForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                accounts.log_in(request, form.cleaned_data["name"], form.cleaned_data["password"])
                return redirect(next_page(request))
            except Refusal as refusal:
                status = refusal.status
                say(form, refusal)
    context = {
        "form": form,
        "next": next_page(request, ""),
        "sign_up": settings.SIGN_UP,
        "mail": bool(settings.EMAIL_HOST),
    }
    return render(request, "people/log_in.html", context, status=status)


@never_cache
@require_POST
def log_out(request: HttpRequest) -> HttpResponse:
    log_ins.log_out(request)
    return redirect("/")


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Open to all, to holders of an invitation, or to nobody: SIGN_UP says which."""
    if first.no_owner_yet():
        return redirect("people:first")
    invitation = passes.invitation_in(request) if settings.SIGN_UP != "closed" else None
    may = settings.SIGN_UP == "open" or invitation is not None
    if request.method == "GET":
        browser_of(request)
    form = SignUpForm(request.POST or None)
    status = 200 if may else 403
    if request.method == "POST" and may:
        status = 422
        if form.is_valid():
            try:
                limits.SIGN_UP.spend(request)
                keeper = invitation.made_by.root if invitation and invitation.made_by else None
                person = accounts.make(**form.cleaned_data, keeper=keeper)
                log_ins.log_in_by_password(request, person.account)
                return redirect(next_page(request))
            except Refusal as refusal:
                status = refusal.status
                say(form, refusal)
    context = {"form": form, "next": next_page(request, ""), "sign_up": settings.SIGN_UP, "may": may}
    return render(request, "people/sign_up.html", context, status=status)


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def first_owner(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and not first.no_owner_yet():
        raise Http404
    form = SignUpForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                person = first.make_owner(**form.cleaned_data)
                log_ins.log_in_by_password(request, person.account)
                return redirect("/")
            except Refusal as refusal:
                if refusal.status == 409:
                    raise
                status = refusal.status
                say(form, refusal)
    return render(request, "people/first.html", {"form": form}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """What to do without the password. The answer to a name is always the same, known or not."""
    if not settings.EMAIL_HOST:
        return render(request, "people/forgotten.html", {"mail": False})
    form = ForgottenForm(request.POST or None)
    sent = False
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                limits.FORGOTTEN.spend(request, form.cleaned_data["name"].casefold())
                mail.send_reset(form.cleaned_data["name"])
                sent, status = True, 200
            except Refusal as refusal:
                status = refusal.status
                say(form, refusal)
    return render(request, "people/forgotten.html", {"mail": True, "form": form, "sent": sent}, status=status)
