"""Your own page: name, password, log-ins, personal link, data."""

from __future__ import annotations

import json

from django.conf import settings
from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.refusal_handling import add_refusal_to_form
from pages.site_address_for_guests import guest_url
from people import privacy
from people.accounts import credential_revocation, log_ins, my_account, services
from people.arms_editing import edit_arms
from people.forms import (
    AccountForm,
    ChangePasswordForm,
    ForgetForm,
    MailForm,
    NameForm,
    ResetPermissionForm,
)
from people.guests import services as guests_services
from people.login_required import password_required, person_required
from people.models import ApiToken, Person
from people.passes import personal_links
from refusal import Refusal


@never_cache
@person_required
@require_safe
def my_page(request: HttpRequest) -> HttpResponse:
    who = request.who
    context = {
        "person": who.person,
        "rows": list(my_account.visible_log_ins(who)[:100]),
        "token_count": ApiToken.objects.of_person(who).count(),
        "link": personal_links.find_personal_link(who.person),
        "merged": _merged_people(who.person),
        "guest_count": Person.objects.looked_after_by(who).roots().count(),
        "reset_permission_form": ResetPermissionForm(initial={"masters_may_reset": who.person.masters_may_reset}),
        "keeper": _inviter(who.person.keeper_id) if who.user else None,
        "invited_by": _inviter(who.person.invited_by_id) if who.user else None,
        "mail": bool(settings.EMAIL_HOST),
        "can_create_account": not who.person.has_account and not services.is_sign_up("closed"),
    }
    return render(request, "people/accounts/my_page.html", context)


def _merged_people(person: Person) -> list[Person]:
    return list(Person.objects.filter(merged_into=person).order_by("joined_at")) if len(person.all_ids()) > 1 else []


def _inviter(pk: int | None) -> Person | None:
    return Person.objects.filter(pk=pk, forgotten_at=None).select_related("merged_into").first() if pk else None


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def change_name(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST or None, initial={"name": request.who.person.name})
    if request.method == "POST" and form.is_valid():
        guests_services.rename_person(request.who, request.who.person, form.cleaned_data["name"])
        messages.success(request, "Name changed.")
        return redirect("people:me")
    context = {"form": form, "log_in_name": request.who.user and request.who.user.get_username()}
    return render(request, "people/accounts/change_name.html", context, status=422 if form.errors else 200)


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def change_arms(request: HttpRequest) -> HttpResponse:
    return edit_arms(request, request.who.person, reverse("people:me"))


@sensitive_post_parameters("password")
@sensitive_variables("form")
@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def create_account(request: HttpRequest) -> HttpResponse:
    """A guest chooses a password."""
    person = request.who.person
    if person.has_account:
        return redirect("people:me")
    form = AccountForm(request.POST or None, initial={"name": person.name})
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                my_account.create_own_account(request, **form.cleaned_data)
                messages.success(
                    request,
                    f"Account created. From now on, log in with your name and password. {credential_revocation.ENDED}",
                )
                return redirect("people:me")
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    return render(
        request,
        "people/accounts/create_account.html",
        {"form": form, "closed": services.is_sign_up("closed")},
        status=status,
    )


@sensitive_post_parameters("old", "password")
@sensitive_variables("form")
@never_cache
@password_required
@require_http_methods(["GET", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    form = ChangePasswordForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                my_account.change_password(request, **form.cleaned_data)
                messages.success(request, f"Password changed. {credential_revocation.ENDED}")
                return redirect("people:me")
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    return render(request, "people/accounts/change_password.html", {"form": form}, status=status)


@never_cache
@password_required
@require_http_methods(["GET", "POST"])
def change_mail(request: HttpRequest) -> HttpResponse:
    my_account.require_mail(request.who)
    user = request.who.user
    form = MailForm(request.POST or None, initial={"mail": user.email})
    if request.method == "POST" and form.is_valid():
        my_account.change_mail(request.who, form.cleaned_data["mail"])
        messages.success(request, "E-mail address saved." if user.email else "E-mail address removed.")
        return redirect("people:me")
    return render(request, "people/accounts/change_mail.html", {"form": form}, status=422 if form.errors else 200)


@require_POST
@password_required
def change_reset_permission(request: HttpRequest) -> HttpResponse:
    """Choose who, besides an owner, can help with a forgotten password."""
    if "let_go" in request.POST:
        my_account.set_reset_permission(request.who, inviter=False)
        messages.success(request, "Only you and the owners of the site can reset your password now.")
    elif "let_help" in request.POST:
        my_account.set_reset_permission(request.who, inviter=True)
        messages.success(request, "They can help you now, until you set a new password.")
    else:
        allowed = "masters_may_reset" in request.POST
        my_account.set_reset_permission(request.who, masters=allowed)
        messages.success(
            request, "Your game masters can now help you." if allowed else "Your game masters can no longer help you."
        )
    return redirect("people:me")


@require_POST
@person_required
def end_log_in(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(my_account.visible_log_ins(request.who), pk=pk)
    if row.pk == request.who.log_in.pk:
        log_ins.log_out(request)
        return redirect("/")
    row.delete()
    messages.success(request, "That browser is logged out.")
    return redirect("people:me")


@require_POST
@password_required
def end_other_log_ins(request: HttpRequest) -> HttpResponse:
    my_account.end_other_log_ins(request.who)
    messages.success(request, "All other browsers are logged out.")
    return redirect("people:me")


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def show_personal_link(request: HttpRequest) -> HttpResponse:
    """Show your personal link, or make a new one."""
    person = request.who.person
    if request.method == "POST":
        made = personal_links.issue_link(person, by=request.who)
        if request.who.user is None:
            log_ins.log_in_by_link(request, made)  # deleting the old link ended this log-in
        messages.success(request, "This is your new personal link. The old one no longer works.")
        return redirect("people:my_link")
    found = personal_links.find_personal_link(person)
    shown = found if found and found.token else None
    context = {
        "person": person,
        "link": found,
        "address": guest_url(shown.get_absolute_url()) if shown else None,
        "can_issue": personal_links.can_issue(person, request.who),
    }
    return render(request, "people/accounts/personal_link.html", context)


@never_cache
@person_required
@require_safe
def show_my_data(request: HttpRequest) -> HttpResponse:
    return render(request, "people/privacy.html", {"person": request.who.person})


@never_cache
@person_required
@require_safe
def download_my_data(request: HttpRequest) -> HttpResponse:
    person = my_account.require_own_data(request.who)
    text = json.dumps(privacy.export_my_data(person), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="my-data-{timezone.localdate():%Y-%m-%d}.json"'
    return response


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def forget_me_page(request: HttpRequest) -> HttpResponse:
    person = request.who.person
    why_not = privacy.why_not_forget(person, request.who)
    form = ForgetForm(request.POST or None, person=person)
    if request.method == "POST" and form.is_valid():
        privacy.forget_person(person, by=request.who)
        log_ins.log_out(request)
        return render(request, "people/privacy/forgotten.html")
    context = {
        "person": person,
        "form": form,
        "why_not": why_not,
        "guest_count": Person.objects.looked_after_by(request.who).roots().count(),
        "mine": True,
    }
    return render(request, "people/privacy/forget.html", context, status=422 if form.errors else 200)
