"""Opening links: a token in the address is swapped for a clean page that says what this is and asks."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from pages.refusals import say
from people import accounts, keeping, limits, links, log_ins, passes, tokens
from people.forms import NameForm
from people.models import Pass, PersonalLink
from people.names import said
from people.who import Who
from refusal import Refusal

LINK = "personal_link"


def _found(request: HttpRequest, model, token: str):
    """The row this token opens. A token that opens nothing counts as a guess."""
    with limits.TOKENS.attempt(request) as attempt:
        row = model.objects.filter(token_hash=tokens.hash_of(token)).first() if tokens.SHAPE.fullmatch(token) else None
        if row is None:
            attempt.failed()
    return row


def _dead(request: HttpRequest, sentence: str, status: int) -> HttpResponse:
    return render(request, "people/dead_link.html", {"sentence": sentence}, status=status)


# ── Personal links ───────────────────────────────────────────────────────────────────────────────────────


@never_cache
@require_safe
def open_link(request: HttpRequest, token: str) -> HttpResponse:
    link = _found(request, PersonalLink, token)
    if link is None:
        sentence = "This personal link opens nothing. A newer one may have taken its place. Ask whoever gave it to you."
        return _dead(request, sentence, 404)
    request.session[LINK] = link.pk
    return redirect("people:link")


@never_cache
@require_http_methods(["GET", "POST"])
def link(request: HttpRequest) -> HttpResponse:
    """Continue as Wren? Nothing happens before the button."""
    offered = request.session.get(LINK)
    found = (
        PersonalLink.objects.filter(pk=offered or 0)
        .select_related("person__merged_into", "made_by__merged_into")
        .first()
    )
    if found is None:
        if request.who.is_known:
            return redirect("/")
        return _dead(
            request, "Open your personal link once more. If it stays dead, a newer one has taken its place.", 404
        )
    person = found.person.root
    if not links.opens(found):
        if person.is_forgotten:
            return _dead(request, "This personal link opens nothing any more.", 410)
        return _dead(request, f"{said(person.name)} has an account by now. Log in with its name and password.", 410)
    if request.method == "POST":
        if request.who.person != person:
            log_ins.log_in_by_link(request, found)
        request.session.pop(LINK, None)
        return redirect("/")
    return render(request, "people/continue.html", {"person": person})


# ── Passes ───────────────────────────────────────────────────────────────────────────────────────────────


@never_cache
@require_safe
def open_pass(request: HttpRequest, token: str) -> HttpResponse:
    row = _found(request, Pass, token)
    if row is None:
        return _dead(request, "This link opens nothing. Ask whoever gave it to you for a new one.", 404)
    passes.offer(request, row)
    return redirect("people:taking", row.pk)


def _taken(request: HttpRequest, pk: int) -> tuple[Pass, passes.Kind]:
    """The pass opened in this browser, if it still leads somewhere."""
    row = passes.offered(request, pk)
    if row is None:
        raise Http404
    kind = passes.kind_of(row)
    holds = any(held.pk == pk for held in request.who.passes)
    if kind is None or (passes.state_of(row) != "open" and not holds):
        raise passes.gone(row)
    return row, kind


@never_cache
@require_http_methods(["GET", "POST"])
def taking(request: HttpRequest, pk: int) -> HttpResponse:
    """What the pass is for, and the one button that takes it up."""
    try:
        row, kind = _taken(request, pk)
        ask = kind.ask(row, request.who)
        if ask is None:
            raise passes.gone(None)
        if kind.page:
            return kind.page(request, row)
        if request.method == "POST":
            if kind.needs_person and not request.who.is_known:
                raise Refusal("Log in first, or give your name.", status=403)
            return redirect(passes.accept(request, row))
    except Refusal as refusal:
        if refusal.status != 410:
            raise
        return _dead(request, refusal.sentence, 410)
    return _draw(request, row, kind, ask, NameForm())


@never_cache
@require_POST
def taking_by_name(request: HttpRequest, pk: int) -> HttpResponse:
    """A newcomer takes the pass up with a name alone: they are written down, and get a personal link of their own."""
    try:
        row, kind = _taken(request, pk)
        ask = kind.ask(row, request.who)
        if ask is None:
            raise passes.gone(None)
        if not kind.needs_person or request.who.is_known:
            raise Http404
        form = NameForm(request.POST)
        if form.is_valid():
            try:
                if kind.taken and (why := kind.taken(row, form.cleaned_data["name"])):
                    raise Refusal(why, field="name")
                limits.SIGN_UP.spend(request)
            except Refusal as refusal:
                say(form, refusal)
                return _draw(request, row, kind, ask, form, refusal.status)
            newcomer = keeping.write_newcomer_down(form.cleaned_data["name"], row.made_by and row.made_by.root)
            log_ins.log_in_by_link(request, links.issue(newcomer, by=Who.of(newcomer)))
            to = passes.accept(request, row)
            messages.success(request, "Your personal link is on your own page. With it you come back.")
            return redirect(to)
    except Refusal as refusal:
        if refusal.status != 410:
            raise
        return _dead(request, refusal.sentence, 410)
    return _draw(request, row, kind, ask, form, 422)


def _draw(
    request: HttpRequest, row: Pass, kind: passes.Kind, ask: passes.Ask, form: NameForm, status: int = 200
) -> HttpResponse:
    context = {
        "pass": row,
        "kind": kind,
        "ask": ask,
        "form": form,
        "maker": row.made_by and row.made_by.root,
        "newcomer": kind.needs_person and not request.who.is_known,
        "may_sign_up": accounts.sign_up_is("open") or (kind.invites and accounts.sign_up_is("invite")),
    }
    return render(request, "people/taking.html", context, status=status)
