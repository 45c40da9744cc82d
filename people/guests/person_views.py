"""People: add a guest, rename, give links, merge, forget."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.refusal_handling import add_refusal_to_form
from pages.site_address_for_guests import guest_url
from people import merging, privacy
from people.arms_editing import edit_arms
from people.forms import ForgetForm, GuestForm, NameForm
from people.guests import selectors, services
from people.login_required import person_required
from people.models import Pass, Person
from people.name_validation import inline_name
from people.passes import personal_links, sign_up_claim_and_reset_links
from refusal import Refusal


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def list_people(request: HttpRequest) -> HttpResponse:
    form = GuestForm(request.POST) if request.method == "POST" else GuestForm.fresh()
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                guest = services.add_guest(request.who, form.cleaned_data["name"], key=form.cleaned_data["key"])
                return redirect(guest)
            except Refusal as refusal:
                status = refusal.status
                add_refusal_to_form(form, refusal)
    guests = (
        Person.objects.looked_after_by(request.who)
        .roots()
        .exclude(pk=request.who.person.pk)
        .select_related("personal_link")
    )
    known = (
        Person.objects.known_to(request.who)
        .roots()
        .filter(forgotten_at=None)
        .exclude(pk=request.who.person.pk)
        .exclude(pk__in=guests.values("pk"))
    )
    return render(
        request, "people/guests/list.html", {"form": form, "guests": guests, "known": known[:200]}, status=status
    )


@never_cache
@person_required
@require_safe
def show_person(request: HttpRequest, code: str) -> HttpResponse:
    found = selectors.get_visible_person(request.who, code)
    if found.pk == request.who.person.pk:
        return redirect("people:me")
    if found.merged_into_id:
        return render(
            request, "people/guests/merged.html", {"person": found, "can_undo": merging.can_unmerge(found, request.who)}
        )
    editable = Person.objects.editable_by(request.who).filter(pk=found.pk).exists()
    link = personal_links.find_personal_link(found) if editable else None
    given = (
        Pass.objects.made_by_person(request.who)
        .open()
        .filter(target=found.pk, kind__in=(sign_up_claim_and_reset_links.CLAIM, sign_up_claim_and_reset_links.TAKEOVER))
    )
    given = {row.kind: row for row in given} if editable else {}
    context = {
        "person": found,
        "editable": editable,
        "link": link,
        "address": guest_url(link.get_absolute_url()) if link and link.token else None,
        "claim": given.get(sign_up_claim_and_reset_links.CLAIM),
        "takeover": given.get(sign_up_claim_and_reset_links.TAKEOVER),
        "can_reset": found.has_account and not services.why_no_reset(request.who, found),
        "merged": [(row, merging.can_unmerge(row, request.who)) for row in found.merged_from.order_by("joined_at")],
    }
    return render(request, "people/guests/person.html", context)


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def rename_person(request: HttpRequest, code: str) -> HttpResponse:
    found = selectors.get_editable_person(request.who, code)
    form = NameForm(request.POST or None, initial={"name": found.name})
    if request.method == "POST" and form.is_valid():
        services.rename_person(request.who, found, form.cleaned_data["name"])
        messages.success(request, "Name changed.")
        return redirect(found)
    return render(
        request, "people/guests/rename.html", {"person": found, "form": form}, status=422 if form.errors else 200
    )


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def change_arms(request: HttpRequest, code: str) -> HttpResponse:
    found = selectors.get_editable_person(request.who, code)
    return edit_arms(request, found, found.get_absolute_url())


@require_POST
@person_required
def issue_personal_link(request: HttpRequest, code: str) -> HttpResponse:
    found = selectors.get_editable_person(request.who, code)
    personal_links.issue_link(found, by=request.who)
    messages.success(request, "This is the new personal link.")
    return redirect(f"{found.get_absolute_url()}#link")


@require_POST
@person_required
def create_claim_link(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(
        "people:show_pass",
        sign_up_claim_and_reset_links.create_claim_link(
            request.who, selectors.get_editable_person(request.who, code)
        ).pk,
    )


@require_POST
@person_required
def create_takeover_link(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(
        "people:show_pass",
        sign_up_claim_and_reset_links.create_takeover_link(
            request.who, selectors.get_editable_person(request.who, code)
        ).pk,
    )


@require_POST
@person_required
def create_reset_link(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(
        "people:show_pass",
        sign_up_claim_and_reset_links.create_reset_link(
            request.who, selectors.get_visible_person(request.who, code)
        ).pk,
    )


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def merge_person(request: HttpRequest, code: str) -> HttpResponse:
    """Choose which of your other guests, or you, is the same person."""
    found = selectors.get_person_to_merge(request.who, code)
    others = selectors.merge_targets(request.who, found)
    if request.method == "POST":
        chosen = request.POST.get("into", "")
        into = get_object_or_404(others, code=chosen if chosen.isalnum() else "")
        root = merging.merge_people(found, into=into, by=request.who)
        merged = f"{inline_name(found.name)} and {inline_name(root.name)} are merged."
        messages.success(request, merged if root.has_account else f"{merged} {merging.guest_logged_out_text(root)}")
        return redirect("people:person", root.code)
    return render(request, "people/guests/merge.html", {"person": found, "others": others})


@require_POST
@person_required
def unmerge_person(request: HttpRequest, code: str) -> HttpResponse:
    found = selectors.get_merged_person(request.who, code)
    merging.unmerge_person(found, by=request.who)
    messages.success(request, f"{inline_name(found.name)} is a separate person again.")
    return redirect("people:person", found.code)


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def forget_person(request: HttpRequest, code: str) -> HttpResponse:
    found = selectors.get_editable_person(request.who, code)
    form = ForgetForm(request.POST or None, person=found)
    if request.method == "POST" and form.is_valid():
        privacy.forget_person(found, by=request.who)
        messages.success(request, "Guest forgotten.")
        return redirect("people:index")
    context = {"person": found, "form": form, "why_not": privacy.why_not_forget(found, request.who), "mine": False}
    return render(request, "people/privacy/forget.html", context, status=422 if form.errors else 200)
