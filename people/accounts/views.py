"""Log in, log out, sign up, the first owner, forgotten password."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from pages.refusal_handling import add_refusal_to_form
from people.accounts import log_ins, my_account, services
from people.accounts import services as accounts_first_owner
from people.accounts.log_ins import browser_of
from people.forms import FirstOwnerForm, ForgottenPasswordForm, LogInForm, SignUpForm
from people.login_required import get_next_url
from refusal import Refusal


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        if request.who.user is not None:
            return redirect(get_next_url(request))
        if accounts_first_owner.has_no_owner():
            return redirect("people:first_owner")
        browser_of(request)  # sets the cookie before the first try
    form = LogInForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                services.log_in_with_password(request, form.cleaned_data["name"], form.cleaned_data["password"])
                return redirect(get_next_url(request))
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    context = {
        "form": form,
        "next": get_next_url(request, ""),
        "sign_up": settings.SIGN_UP,
        "mail": bool(settings.EMAIL_HOST),
    }
    return render(request, "people/accounts/log_in.html", context, status=status)


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
    """SIGN_UP sets who can sign up: everyone, people with an invitation, or nobody."""
    if accounts_first_owner.has_no_owner():
        return redirect("people:first_owner")
    can_sign_up, _ = my_account.find_sign_up(request)
    if request.method == "GET":
        browser_of(request)
    form = SignUpForm(request.POST or None)
    status = 200 if can_sign_up else 403
    if request.method == "POST" and can_sign_up:
        status = 422
        if form.is_valid():
            try:
                my_account.sign_up(request, **form.cleaned_data)
                return redirect(get_next_url(request))
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    context = {"form": form, "next": get_next_url(request, ""), "sign_up": settings.SIGN_UP, "can_sign_up": can_sign_up}
    return render(request, "people/accounts/sign_up.html", context, status=status)


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def first_owner(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and not accounts_first_owner.has_no_owner():
        raise Http404
    needs_code = accounts_first_owner.needs_code()
    form = (FirstOwnerForm if needs_code else SignUpForm)(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                my_account.become_first_owner(request, **form.cleaned_data)
                return redirect("/")
            except Refusal as refusal:
                if refusal.status == 409:
                    raise
                status = refusal.status
                add_refusal_to_form(form, refusal)
    return render(request, "people/accounts/first_owner.html", {"form": form}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Forgotten password. The response never reveals whether a name exists."""
    if not settings.EMAIL_HOST:
        return render(request, "people/accounts/forgotten_password.html", {"mail": False})
    form = ForgottenPasswordForm(request.POST or None)
    sent = False
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                my_account.request_reset(request, form.cleaned_data["name"])
                sent, status = True, 200
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    return render(
        request, "people/accounts/forgotten_password.html", {"mail": True, "form": form, "sent": sent}, status=status
    )
