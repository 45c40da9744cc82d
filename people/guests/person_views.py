"""Guests: add, rename, give links, merge, forget. Also the list of links you made."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.guest_address import guest_url
from pages.refusal_handling import add_refusal_to_form
from people import merging
from people.arms_editing import edit_arms
from people.forms import ForgetForm, GuestForm, NameForm
from people.guests import services
from people.login_required import person_required
from people.models import Pass, Person
from people.name_validation import clean_text, inline_name
from people.passes import account_links, personal_links
from people.passes import services as passes_services
from people.privacy import forget_me
from people.requester import Who
from refusal import Refusal


def _get_visible_person(request: HttpRequest, code: str) -> Person:
    people = Person.objects.visible_to(request.who).select_related("merged_into", "keeper__merged_into", "account")
    return get_object_or_404(people, code=code)


def _get_editable_person(request: HttpRequest, code: str) -> Person:
    """A person you can edit; 403 for others you can see, 404 for everyone else."""
    person = _get_visible_person(request, code)
    if not Person.objects.editable_by(request.who).filter(pk=person.pk).exists():
        raise Refusal("This is not your guest, so you cannot change anything here.", status=403)
    return person


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
    found = _get_visible_person(request, code)
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
        .filter(target=found.pk, kind__in=(account_links.CLAIM, account_links.TAKEOVER))
    )
    given = {row.kind: row for row in given} if editable else {}
    context = {
        "person": found,
        "editable": editable,
        "link": link,
        "address": guest_url(link.get_absolute_url()) if link and link.token else None,
        "claim": given.get(account_links.CLAIM),
        "takeover": given.get(account_links.TAKEOVER),
        "can_reset": found.has_account and not services.why_no_reset(request.who, found),
        "merged": [(row, merging.can_unmerge(row, request.who)) for row in found.merged_from.order_by("joined_at")],
    }
    return render(request, "people/guests/person.html", context)


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def rename_person(request: HttpRequest, code: str) -> HttpResponse:
    found = _get_editable_person(request, code)
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
    found = _get_editable_person(request, code)
    return edit_arms(request, found, found.get_absolute_url())


@require_POST
@person_required
def issue_personal_link(request: HttpRequest, code: str) -> HttpResponse:
    found = _get_editable_person(request, code)
    personal_links.issue_link(found, by=request.who)
    messages.success(request, "This is the new personal link.")
    return redirect(f"{found.get_absolute_url()}#link")


@require_POST
@person_required
def create_claim_link(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(
        "people:show_pass", account_links.create_claim_link(request.who, _get_editable_person(request, code)).pk
    )


@require_POST
@person_required
def create_takeover_link(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(
        "people:show_pass", account_links.create_takeover_link(request.who, _get_editable_person(request, code)).pk
    )


@require_POST
@person_required
def create_reset_link(request: HttpRequest, code: str) -> HttpResponse:
    return redirect(
        "people:show_pass", account_links.create_reset_link(request.who, _get_visible_person(request, code)).pk
    )


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def merge_person(request: HttpRequest, code: str) -> HttpResponse:
    """Choose which of your other guests, or you, is the same person."""
    found = _get_editable_person(request, code)
    if found.pk == request.who.person.pk:
        raise Http404
    others = Person.objects.editable_by(request.who).exclude(pk=found.pk)
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
    # Someone who can undo the merge may not be able to see the merged person otherwise.
    found = Person.objects.filter(code=code).exclude(merged_into=None).first()
    if found is None or not (
        merging.can_unmerge(found, request.who) or Person.objects.visible_to(request.who).filter(pk=found.pk).exists()
    ):
        raise Http404
    merging.unmerge_person(found, by=request.who)
    messages.success(request, f"{inline_name(found.name)} is a separate person again.")
    return redirect("people:person", found.code)


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def forget_person(request: HttpRequest, code: str) -> HttpResponse:
    found = _get_editable_person(request, code)
    form = ForgetForm(request.POST or None, expected=clean_text(found.name))
    if request.method == "POST" and form.is_valid():
        forget_me.forget_person(found, by=request.who)
        messages.success(request, "Guest forgotten.")
        return redirect("people:index")
    context = {"person": found, "form": form, "why_not": forget_me.why_not_forget(found, request.who), "mine": False}
    return render(request, "people/privacy/forget.html", context, status=422 if form.errors else 200)


# ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────


@never_cache
@person_required
@require_http_methods(["GET", "POST"])
def list_invitations(request: HttpRequest) -> HttpResponse:
    """Every link you have made, and whether it is still open."""
    if request.method == "POST":
        return redirect(
            "people:show_pass", account_links.create_invitation(request.who, request.POST.get("label", "")[:200]).pk
        )
    made = [(row, passes_services.state_of(row)) for row in Pass.objects.made_by_person(request.who)[:200]]
    titled = [(row, state, kind.title) for row, state in made if (kind := passes_services.kind_of(row))]
    context = {
        "open": [row for row in titled if row[1] == "open"],
        "past": [row for row in titled if row[1] != "open"][:50],
        "can_invite": request.who.user is not None and account_links.can_invite(request.who),
    }
    return render(request, "people/passes/invitations.html", context)


@never_cache
@person_required
@require_safe
def show_pass(request: HttpRequest, pk: int) -> HttpResponse:
    """One link with its QR code."""
    row = get_object_or_404(Pass.objects.made_by_person(request.who), pk=pk)
    kind = passes_services.kind_of(row)
    state = passes_services.state_of(row)
    prompt = kind.prompt(row, Who.of(None)) if kind else None  # as a stranger sees it
    address = guest_url(row.get_absolute_url()) if state == "open" and row.token else None
    context = {"pass": row, "kind": kind, "state": state, "prompt": prompt, "address": address}
    return render(request, "people/passes/show.html", context)


@require_POST
@person_required
def revoke_pass(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Pass.objects.made_by_person(request.who), pk=pk)
    passes_services.revoke_pass(row)
    messages.success(request, "Link revoked.")
    return redirect("people:invitations")
