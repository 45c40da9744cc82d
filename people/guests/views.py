"""People one keeps: written down, renamed, given links, merged, forgotten."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.address import guest_url
from pages.refusals import say
from people import forgetting, keeping, kinds, links, merging, passes
from people.forms import ForgetForm, FriendForm, NameForm
from people.models import Pass, Person
from people.names import clean_name, said
from people.views.arms import draw_arms
from people.wall import known_only
from refusal import Refusal


def _visible(request: HttpRequest, code: str) -> Person:
    people = Person.objects.visible_to(request.who).select_related("merged_into", "keeper__merged_into", "account")
    return get_object_or_404(people, code=code)


def _editable(request: HttpRequest, code: str) -> Person:
    """Someone one keeps. Whoever may only be looked at is refused with a sentence, the rest does not exist."""
    person = _visible(request, code)
    if not Person.objects.editable_by(request.who).filter(pk=person.pk).exists():
        raise Refusal("You do not look after this one, so there is nothing to change here.", status=403)
    return person


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    form = FriendForm(request.POST) if request.method == "POST" else FriendForm.fresh()
    status = 200
    if request.method == "POST":
        status = 422
        if form.is_valid():
            try:
                friend = keeping.add(request.who, form.cleaned_data["name"], key=form.cleaned_data["key"])
                return redirect(friend)
            except Refusal as refusal:
                status = refusal.status
                say(form, refusal)
    kept = Person.objects.kept_by(request.who).roots().exclude(pk=request.who.person.pk).select_related("personal_link")
    known = (
        Person.objects.in_circle_of(request.who)
        .roots()
        .filter(forgotten_at=None)
        .exclude(pk=request.who.person.pk)
        .exclude(pk__in=kept.values("pk"))
    )
    return render(request, "people/index.html", {"form": form, "kept": kept, "known": known[:200]}, status=status)


@never_cache
@known_only
@require_safe
def person(request: HttpRequest, code: str) -> HttpResponse:
    found = _visible(request, code)
    if found.pk == request.who.person.pk:
        return redirect("people:me")
    if found.merged_into_id:
        return render(
            request, "people/merged.html", {"person": found, "may_undo": merging.may_unmerge(found, request.who)}
        )
    editable = Person.objects.editable_by(request.who).filter(pk=found.pk).exists()
    link = links.link_of(found) if editable else None
    given = Pass.objects.made_by_one(request.who).open().filter(target=found.pk, kind__in=(kinds.CLAIM, kinds.HAND_ON))
    given = {row.kind: row for row in given} if editable else {}
    context = {
        "person": found,
        "editable": editable,
        "link": link,
        "address": guest_url(link.get_absolute_url()) if link and link.token else None,
        "claim": given.get(kinds.CLAIM),
        "hand_on": given.get(kinds.HAND_ON),
        "may_reset": found.has_account and not keeping.why_no_reset(request.who, found),
        "joined": [(row, merging.may_unmerge(row, request.who)) for row in found.merged_from.order_by("joined_at")],
    }
    return render(request, "people/person.html", context)


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def rename(request: HttpRequest, code: str) -> HttpResponse:
    found = _editable(request, code)
    form = NameForm(request.POST or None, initial={"name": found.name})
    if request.method == "POST" and form.is_valid():
        keeping.rename(request.who, found, form.cleaned_data["name"])
        messages.success(request, "The name is changed.")
        return redirect(found)
    return render(request, "people/rename.html", {"person": found, "form": form}, status=422 if form.errors else 200)


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def arms(request: HttpRequest, code: str) -> HttpResponse:
    found = _editable(request, code)
    return draw_arms(request, found, found.get_absolute_url())


@require_POST
@known_only
def link(request: HttpRequest, code: str) -> HttpResponse:
    found = _editable(request, code)
    links.issue(found, by=request.who)
    messages.success(request, "This is the new personal link.")
    return redirect(f"{found.get_absolute_url()}#link")


@require_POST
@known_only
def claim(request: HttpRequest, code: str) -> HttpResponse:
    return redirect("people:pass", kinds.claim_link(request.who, _editable(request, code)).pk)


@require_POST
@known_only
def hand_on(request: HttpRequest, code: str) -> HttpResponse:
    return redirect("people:pass", kinds.hand_on_link(request.who, _editable(request, code)).pk)


@require_POST
@known_only
def reset(request: HttpRequest, code: str) -> HttpResponse:
    return redirect("people:pass", kinds.reset_link(request.who, _visible(request, code)).pk)


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def merge(request: HttpRequest, code: str) -> HttpResponse:
    """Which of the others is the same one? Those one keeps, and oneself."""
    found = _editable(request, code)
    if found.pk == request.who.person.pk:
        raise Http404
    others = Person.objects.editable_by(request.who).exclude(pk=found.pk)
    if request.method == "POST":
        chosen = request.POST.get("into", "")
        into = get_object_or_404(others, code=chosen if chosen.isalnum() else "")
        root = merging.merge(found, into=into, by=request.who)
        messages.success(request, f"{said(found.name)} and {said(root.name)} are one now.")
        return redirect("people:person", root.code)
    return render(request, "people/merge.html", {"person": found, "others": others})


@require_POST
@known_only
def unmerge(request: HttpRequest, code: str) -> HttpResponse:
    # Whoever may undo it may not be able to see them otherwise: the one who was merged is found by the rule itself.
    found = Person.objects.filter(code=code).exclude(merged_into=None).first()
    if found is None or not (
        merging.may_unmerge(found, request.who) or Person.objects.visible_to(request.who).filter(pk=found.pk).exists()
    ):
        raise Http404
    merging.unmerge(found, by=request.who)
    messages.success(request, f"{said(found.name)} is someone of their own again.")
    return redirect("people:person", found.code)


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def forget(request: HttpRequest, code: str) -> HttpResponse:
    found = _editable(request, code)
    form = ForgetForm(request.POST or None, expected=clean_name(found.name))
    if request.method == "POST" and form.is_valid():
        forgetting.forget(found, by=request.who)
        messages.success(request, "They are forgotten.")
        return redirect("people:index")
    context = {"person": found, "form": form, "why_not": forgetting.why_not(found, request.who), "mine": False}
    return render(request, "people/forget.html", context, status=422 if form.errors else 200)


# ── Invitations ──────────────────────────────────────────────────────────────────────────────────────────


@never_cache
@known_only
@require_http_methods(["GET", "POST"])
def invitations(request: HttpRequest) -> HttpResponse:
    """Every link one has made, and whether it is still open."""
    if request.method == "POST":
        return redirect("people:pass", kinds.invite(request.who, request.POST.get("label", "")[:200]).pk)
    made = [(row, passes.state_of(row)) for row in Pass.objects.made_by_one(request.who)[:200]]
    titled = [(row, state, kind.title) for row, state in made if (kind := passes.kind_of(row))]
    context = {
        "open": [row for row in titled if row[1] == "open"],
        "past": [row for row in titled if row[1] != "open"][:50],
        "may_invite": request.who.user is not None and kinds.may_invite(request.who),
    }
    return render(request, "people/invitations.html", context)


@never_cache
@known_only
@require_safe
def show_pass(request: HttpRequest, pk: int) -> HttpResponse:
    """One link with its code, to be shown or sent on."""
    row = get_object_or_404(Pass.objects.made_by_one(request.who), pk=pk)
    kind = passes.kind_of(row)
    state = passes.state_of(row)
    ask = kind.ask(row, request.who) if kind else None
    address = guest_url(row.get_absolute_url()) if state == "open" and row.token else None
    context = {"pass": row, "kind": kind, "state": state, "ask": ask, "address": address}
    return render(request, "people/pass.html", context)


@require_POST
@known_only
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Pass.objects.made_by_one(request.who), pk=pk)
    passes.revoke(row)
    messages.success(request, "The link is taken back.")
    return redirect("people:invitations")
