"""Your own page (name, password, log-ins, personal link, data), and those of the people you know."""

import json

from django.conf import settings
from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.arms_editor import read_arms_form
from pages.refusal_handling import add_refusal_to_form
from pages.site_address_for_guests import guest_url
from people import guests as guests_services, merging, privacy
from people.accounts import log_ins, my_account, services as accounts_services
from people.forms import (
    AccountForm,
    ChangePasswordForm,
    ForgetForm,
    GuestForm,
    MailForm,
    NameForm,
    ResetPermissionForm,
    submit_form,
)
from people.login_required import password_required, person_page, person_required
from people.models import ApiToken, Pass, Person
from people.name_validation import inline_name
from people.passes import services as passes_services, sign_up_claim_and_reset_links as links
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
        "link": passes_services.find_personal_link(who.person),
        "merged": _merged_people(who.person),
        "guest_count": Person.objects.looked_after_by(who).roots().count(),
        "reset_permission_form": ResetPermissionForm(initial={"masters_may_reset": who.person.masters_may_reset}),
        "keeper": _inviter(who.person.keeper_id) if who.user else None,
        "invited_by": _inviter(who.person.invited_by_id) if who.user else None,
        "mail": bool(settings.EMAIL_HOST),
        "can_create_account": not who.person.has_account and not accounts_services.is_sign_up("closed"),
    }
    return render(request, "people/accounts/my_page.html", context)


def _merged_people(person: Person) -> list[Person]:
    return list(Person.objects.filter(merged_into=person).order_by("joined_at")) if len(person.all_ids()) > 1 else []


def _inviter(pk: int | None) -> Person | None:
    return Person.objects.filter(pk=pk, forgotten_at=None).select_related("merged_into").first() if pk else None


@person_page
def change_name(request: HttpRequest) -> HttpResponse:
    form = NameForm(request.POST or None, initial={"name": request.who.person.name})
    if request.method == "POST" and form.is_valid():
        guests_services.rename_person(request.who, request.who.person, form.cleaned_data["name"])
        messages.success(request, "Name changed.")
        return redirect("people:me")
    context = {"form": form, "log_in_name": request.who.user and request.who.user.get_username()}
    return render(request, "people/accounts/change_name.html", context, status=422 if form.errors else 200)


@person_page
def change_arms(request: HttpRequest) -> HttpResponse:
    return edit_arms(request, request.who.person, reverse("people:me"))


@sensitive_post_parameters("password")
@sensitive_variables("form")
@person_page
def create_account(request: HttpRequest) -> HttpResponse:
    """A guest chooses a password."""
    person = request.who.person
    if person.has_account:
        return redirect("people:me")
    form = AccountForm(request.POST or None, initial={"name": person.name})
    status = submit_form(request, form, lambda: my_account.create_own_account(request, **form.cleaned_data))
    if not status:
        sentence = "Account created. From now on, log in with your name and password."
        messages.success(request, f"{sentence} {accounts_services.ENDED}")
        return redirect("people:me")
    context = {"form": form, "closed": accounts_services.is_sign_up("closed")}
    return render(request, "people/accounts/create_account.html", context, status=status)


@sensitive_post_parameters("old", "password")
@sensitive_variables("form")
@never_cache
@password_required
@require_http_methods(["GET", "POST"])
def change_password(request: HttpRequest) -> HttpResponse:
    form = ChangePasswordForm(request.POST or None)
    status = submit_form(request, form, lambda: my_account.change_password(request, **form.cleaned_data))
    if not status:
        messages.success(request, f"Password changed. {accounts_services.ENDED}")
        return redirect("people:me")
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


@person_page
def show_personal_link(request: HttpRequest) -> HttpResponse:
    """Show your personal link, or make a new one."""
    person = request.who.person
    if request.method == "POST":
        made = passes_services.issue_link(person, by=request.who)
        if request.who.user is None:
            log_ins.log_in_by_link(request, made)  # deleting the old link ended this log-in
        messages.success(request, "This is your new personal link. The old one no longer works.")
        return redirect("people:my_link")
    link = passes_services.find_personal_link(person)
    context = {
        "person": person,
        "link": link,
        "address": guest_url(link.get_absolute_url()) if link and link.token else None,
        "can_issue": passes_services.can_issue(person, request.who),
    }
    return render(request, "people/accounts/personal_link.html", context)


@never_cache
@person_required
@require_safe
def show_my_data(request: HttpRequest) -> HttpResponse:
    return render(request, "people/privacy/my_data.html", {"person": request.who.person})


@never_cache
@person_required
@require_safe
def download_my_data(request: HttpRequest) -> HttpResponse:
    person = my_account.require_own_data(request.who)
    text = json.dumps(privacy.export_my_data(person), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="my-data-{timezone.localdate():%Y-%m-%d}.json"'
    return response


@person_page
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


# ── People you know ────────────────────────────────────────────────────────────────────────────────────


@person_page
def list_people(request: HttpRequest) -> HttpResponse:
    form = GuestForm(request.POST) if request.method == "POST" else GuestForm.fresh()
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                return redirect(guests_services.add_guest(request.who, **form.cleaned_data))
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    others = Person.objects.roots().exclude(pk=request.who.person.pk)
    guests = others.looked_after_by(request.who).select_related("personal_link")
    known = others.known_to(request.who).filter(forgotten_at=None).exclude(pk__in=guests.values("pk"))
    context = {"form": form, "guests": guests, "known": known[:200]}
    return render(request, "people/guests/list.html", context, status=status)


@never_cache
@person_required
@require_safe
def show_person(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_visible_person(request.who, code)
    if person.pk == request.who.person.pk:
        return redirect("people:me")
    if person.merged_into_id:
        return render(
            request,
            "people/guests/merged.html",
            {"person": person, "can_undo": merging.can_unmerge(person, request.who)},
        )
    editable = Person.objects.editable_by(request.who).filter(pk=person.pk).exists()
    link = passes_services.find_personal_link(person) if editable else None
    kinds = (links.CLAIM, links.TAKEOVER)
    given = Pass.objects.made_by_person(request.who).open().filter(target=person.pk, kind__in=kinds)
    given = {row.kind: row for row in given} if editable else {}
    context = {
        "person": person,
        "editable": editable,
        "link": link,
        "address": guest_url(link.get_absolute_url()) if link and link.token else None,
        "claim": given.get(links.CLAIM),
        "takeover": given.get(links.TAKEOVER),
        "can_reset": person.has_account and not guests_services.why_no_reset(request.who, person),
        "merged": [(row, merging.can_unmerge(row, request.who)) for row in person.merged_from.order_by("joined_at")],
    }
    return render(request, "people/guests/person.html", context)


@person_page
def rename_person(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_editable_person(request.who, code)
    form = NameForm(request.POST or None, initial={"name": person.name})
    if request.method == "POST" and form.is_valid():
        guests_services.rename_person(request.who, person, form.cleaned_data["name"])
        messages.success(request, "Name changed.")
        return redirect(person)
    context = {"person": person, "form": form}
    return render(request, "people/guests/rename.html", context, status=422 if form.errors else 200)


@person_page
def change_arms_of(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_editable_person(request.who, code)
    return edit_arms(request, person, person.get_absolute_url())


@require_POST
@person_required
def issue_personal_link(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_editable_person(request.who, code)
    passes_services.issue_link(person, by=request.who)
    messages.success(request, "This is the new personal link.")
    return redirect(f"{person.get_absolute_url()}#link")


@require_POST
@person_required
def create_claim_link(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_editable_person(request.who, code)
    return redirect("people:show_pass", links.create_claim_link(request.who, person).pk)


@require_POST
@person_required
def create_takeover_link(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_editable_person(request.who, code)
    return redirect("people:show_pass", links.create_takeover_link(request.who, person).pk)


@require_POST
@person_required
def create_reset_link(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_visible_person(request.who, code)
    return redirect("people:show_pass", links.create_reset_link(request.who, person).pk)


@person_page
def merge_person(request: HttpRequest, code: str) -> HttpResponse:
    """Choose which of your other guests, or you, is the same person."""
    person = guests_services.get_person_to_merge(request.who, code)
    others = guests_services.merge_targets(request.who, person)
    if request.method == "POST":
        chosen = request.POST.get("into", "")
        into = get_object_or_404(others, code=chosen if chosen.isalnum() else "")
        root = merging.merge_people(person, into=into, by=request.who)
        merged = f"{inline_name(person.name)} and {inline_name(root.name)} are merged."
        messages.success(request, merged if root.has_account else f"{merged} {merging.guest_logged_out_text(root)}")
        return redirect("people:person", root.code)
    return render(request, "people/guests/merge.html", {"person": person, "others": others})


@require_POST
@person_required
def unmerge_person(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_merged_person(request.who, code)
    merging.unmerge_person(person, by=request.who)
    messages.success(request, f"{inline_name(person.name)} is a separate person again.")
    return redirect("people:person", person.code)


@person_page
def forget_person(request: HttpRequest, code: str) -> HttpResponse:
    person = guests_services.get_editable_person(request.who, code)
    form = ForgetForm(request.POST or None, person=person)
    if request.method == "POST" and form.is_valid():
        privacy.forget_person(person, by=request.who)
        messages.success(request, "Guest forgotten.")
        return redirect("people:index")
    context = {"person": person, "form": form, "why_not": privacy.why_not_forget(person, request.who), "mine": False}
    return render(request, "people/privacy/forget.html", context, status=422 if form.errors else 200)


# ── Arms ───────────────────────────────────────────────────────────────────────────────────────────────


def edit_arms(request: HttpRequest, person: Person, back: str) -> HttpResponse:
    sent = request.POST if request.method == "POST" else _form_data_of(person)
    form, is_preview = read_arms_form(sent)
    lawful = form.is_valid()
    if request.method == "POST" and lawful and form.arms and not is_preview:
        guests_services.set_arms(request.who, person, form.arms)
        messages.success(request, "Arms saved.")
        return redirect(back)
    context = {"form": form, "person": person, "back": back, "mine": person == request.who.person}
    return render(request, "people/change_arms.html", context, status=200 if lawful else 422)


def _form_data_of(person: Person) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({part: str(value) for part, value in person.arms.to_dict().items() if value not in ("", 0)})
    return data
