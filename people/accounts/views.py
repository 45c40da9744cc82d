"""Log in, log out, sign up, the first owner, forgotten password, API tokens."""

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST

from people.accounts import log_ins, my_account, services
from people.accounts.log_ins import browser_of
from people.api_tokens import services as tokens_services
from people.forms import FirstOwnerForm, ForgottenPasswordForm, LogInForm, SignUpForm, TokenForm, submit_form
from people.login_required import get_next_url, person_page, person_required
from people.models import ApiToken
from text import join_list


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def log_in(request: HttpRequest) -> HttpResponse:
    if request.method == "GET":
        if request.who.user is not None:
            return redirect(get_next_url(request))
        if services.has_no_owner():
            return redirect("people:first_owner")
        browser_of(request)  # sets the cookie before the first try
    form = LogInForm(request.POST or None)
    status = submit_form(
        request,
        form,
        lambda: services.log_in_with_password(request, form.cleaned_data["name"], form.cleaned_data["password"]),
    )
    if not status:
        return redirect(get_next_url(request))
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
    if services.has_no_owner():
        return redirect("people:first_owner")
    can_sign_up, _ = my_account.find_sign_up(request)
    if request.method == "GET":
        browser_of(request)
    form = SignUpForm(request.POST or None)
    status = 403
    if can_sign_up:
        status = submit_form(request, form, lambda: my_account.sign_up(request, **form.cleaned_data))
    if not status:
        return redirect(get_next_url(request))
    context = {"form": form, "next": get_next_url(request, ""), "sign_up": settings.SIGN_UP, "can_sign_up": can_sign_up}
    return render(request, "people/accounts/sign_up.html", context, status=status)


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@require_http_methods(["GET", "POST"])
def first_owner(request: HttpRequest) -> HttpResponse:
    if request.method == "GET" and not services.has_no_owner():
        raise Http404
    needs_code = services.needs_code()
    form = (FirstOwnerForm if needs_code else SignUpForm)(request.POST or None)
    status = submit_form(request, form, lambda: my_account.become_first_owner(request, **form.cleaned_data), raised=409)
    if not status:
        return redirect("/")
    return render(request, "people/accounts/first_owner.html", {"form": form}, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def forgotten_password(request: HttpRequest) -> HttpResponse:
    """Forgotten password. The response never reveals whether a name exists."""
    if not settings.EMAIL_HOST:
        return render(request, "people/accounts/forgotten_password.html", {"mail": False})
    form = ForgottenPasswordForm(request.POST or None)
    status = submit_form(request, form, lambda: my_account.request_reset(request, form.cleaned_data["name"]))
    context = {"mail": True, "form": form, "sent": not status}
    return render(request, "people/accounts/forgotten_password.html", context, status=status or 200)


# ── Your API tokens: make one with its scopes, end one ─────────────────────────────────────────────────


@person_page
def tokens(request: HttpRequest) -> HttpResponse:
    """A new token is shown in the answer that makes it, and never again."""
    form, made = TokenForm(request.POST or None), []
    status = submit_form(request, form, lambda: made.append(tokens_services.create_token(request, **form.cleaned_data)))
    rows = ApiToken.objects.of_person(request.who).select_related("log_in")
    context = {
        "form": form if status else TokenForm(),
        "made": made[0] if made else None,
        "rows": [(row, join_list(row.scopes.split())) for row in rows],
    }
    return render(request, "people/api_tokens/tokens.html", context, status=status or 200)


@require_POST
@person_required
def end_token(request: HttpRequest, pk: int) -> HttpResponse:
    tokens_services.end_token(get_object_or_404(ApiToken.objects.of_person(request.who), pk=pk))
    messages.success(request, "API token ended.")
    return redirect("people:my_tokens")
