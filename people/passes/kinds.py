"""The kinds of pass that belong to people: an invitation to the site, a claim, looking after a friend, a new password."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from pages.refusals import say
from people import accounts, keeping, links, log_ins, merging, passes
from people.forms import AccountForm, NewPasswordForm, SignUpForm
from people.models import Pass, Person
from people.names import said
from people.passes import Ask
from people.who import Who
from refusal import Refusal

SIGN_UP, CLAIM, HAND_ON, RESET = "sign_up", "claim", "hand_on", "reset"
CLAIM_LASTS = dt.timedelta(days=30)
HAND_ON_LASTS = dt.timedelta(days=14)
RESET_LASTS = dt.timedelta(days=1)
SIGN_UP_LASTS = dt.timedelta(days=14)


def register() -> None:
    passes.register(SIGN_UP, "Invitation to the site", ask=_ask_sign_up, page=_sign_up_page, invites=True)
    passes.register(CLAIM, "Claim link", ask=_ask_claim, page=_claim_page)
    passes.register(HAND_ON, "Looking after a friend", ask=_ask_hand_on, page=_hand_on_page)
    passes.register(RESET, "New password", ask=_ask_reset, page=_reset_page)


# ── An invitation to the site ────────────────────────────────────────────────────────────────────────────


def invite(who: Who, label: str = "") -> Pass:
    if who.user is None:
        raise Refusal("Log in with your password to invite people.", status=403)
    if not may_invite(who):
        raise Refusal("This site takes no new accounts. Write your friends down instead; they need none.", status=403)
    return passes.make(SIGN_UP, None, by=who, label=label, lasts=SIGN_UP_LASTS)


def may_invite(who: Who) -> bool:
    """Where sign-up is closed, an owner still decides who comes in."""
    return who.is_owner or not accounts.sign_up_is("closed")


def _ask_sign_up(row: Pass, who: Who) -> Ask:
    return Ask("You are invited to make an account here.", "Make the account")


def _sign_up_page(request: HttpRequest, row: Pass) -> HttpResponse:
    if request.who.user is not None:
        raise Refusal("You have an account and are logged in with it. The link is kept for someone else.", status=409)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            person = passes.use_once(
                row, lambda: accounts.make(**form.cleaned_data, keeper=row.made_by and row.made_by.root)
            )
        except Refusal as refusal:
            if refusal.status == 410:
                raise
            say(form, refusal)
        else:
            passes.answered(request, row)
            log_ins.log_in_by_password(request, person.account)
            return redirect("/")
    return render(request, "people/take_sign_up.html", {"pass": row, "form": form}, status=422 if form.errors else 200)


# ── A claim ──────────────────────────────────────────────────────────────────────────────────────────────


def claim_link(who: Who, person: Person) -> Pass:
    """A link with which someone takes over the Person they have been written down as. One is open at a time."""
    if person.has_account or not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        raise Refusal("A claim link is for people without an account, from who keeps them.", status=403)
    if person.pk == who.person.pk:
        raise Refusal("You need no claim link for yourself. Make an account on your own page.")
    passes.revoke_all(CLAIM, person.pk)
    return passes.make(CLAIM, person.pk, by=who, lasts=CLAIM_LASTS)


def _claimed(row: Pass) -> Person | None:
    person = Person.objects.filter(pk=row.target).select_related("merged_into").first()
    if person is None or person.root.has_account or person.root.is_forgotten:
        return None
    return person.root


def _ask_claim(row: Pass, who: Who) -> Ask | None:
    person = _claimed(row)
    return person and Ask(f"You have been written down here as {said(person.name)}.", "This is me")


def _claim_page(request: HttpRequest, row: Pass) -> HttpResponse:
    person = _claimed(row)
    if person is None:
        raise passes.gone(None)
    has_account = request.who.user is not None
    form = AccountForm(request.POST or None, initial={"name": person.name})
    context = {
        "pass": row,
        "form": form,
        "person": person,
        "has_account": has_account,
        "closed": accounts.sign_up_is("closed"),
    }
    if request.method == "POST" and has_account:
        passes.use_once(row, lambda: merging.claim(person, by=request.who))
        passes.answered(request, row)
        return redirect("people:me")
    if request.method == "POST" and form.is_valid():
        try:
            if context["closed"]:
                raise Refusal("This site takes no new accounts. Your personal link goes on working.", status=403)
            passes.use_once(row, lambda: accounts.make(**form.cleaned_data, person=person))
        except Refusal as refusal:
            if refusal.status == 410:
                raise
            say(form, refusal)
        else:
            links.end_log_ins_by_others(person)
            passes.answered(request, row)
            log_ins.log_in_by_password(request, person.account)
            return redirect("people:me")
    failed = request.method == "POST" and form.errors
    return render(request, "people/take_claim.html", context, status=422 if failed else 200)


# ── Looking after a friend ───────────────────────────────────────────────────────────────────────────────


def hand_on_link(who: Who, person: Person) -> Pass:
    """A link with which somebody else looks after this one from then on. One is open at a time."""
    if person.has_account or not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        raise Refusal("Only who looks after someone without an account can hand that on.", status=403)
    if person.pk == who.person.pk:
        raise Refusal("You cannot hand yourself on.")
    passes.revoke_all(HAND_ON, person.pk)
    return passes.make(HAND_ON, person.pk, by=who, lasts=HAND_ON_LASTS)


def _handed_on(row: Pass) -> Person | None:
    """Whom the link is about, as long as whoever made it may still hand them on."""
    by = Who.of(row.made_by)
    return Person.objects.editable_by(by).filter(pk=row.target, account=None).select_related("keeper").first()


def _ask_hand_on(row: Pass, who: Who) -> Ask | None:
    person = _handed_on(row)
    return person and Ask(f"You are asked to look after {said(person.name)}.", "Look after them")


def _hand_on(person: Person, to: Who) -> None:
    keeping.take_over(to, person)
    passes.revoke_all(CLAIM, person.pk)  # whose word it was no longer counts


def _hand_on_page(request: HttpRequest, row: Pass) -> HttpResponse:
    person = _handed_on(row)
    if person is None:
        raise passes.gone(None)
    if request.method == "POST":
        passes.use_once(row, lambda: _hand_on(person, request.who))
        passes.answered(request, row)
        return redirect(person)
    return render(request, "people/take_hand_on.html", {"pass": row, "person": person})


# ── A new password ───────────────────────────────────────────────────────────────────────────────────────


def reset_link(who: Who | None, person: Person) -> Pass:
    """A link to a new password; earlier ones die. ``who`` None is the command line or a mail."""
    if who is not None and (sentence := keeping.why_no_reset(who, person)):
        raise Refusal(sentence, status=403)
    passes.revoke_all(RESET, person.pk)
    return passes.make(RESET, person.pk, by=who, lasts=RESET_LASTS)


def _account(row: Pass):
    return get_user_model().objects.filter(person=row.target, is_active=True).select_related("person").first()


def _ask_reset(row: Pass, who: Who) -> Ask | None:
    account = _account(row)
    return account and Ask(f"A new password for {said(account.person.name)}.", "Set the password")


def _reset_page(request: HttpRequest, row: Pass) -> HttpResponse:
    account = _account(row)
    if account is None:
        raise passes.gone(None)
    form = NewPasswordForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            passes.use_once(row, lambda: accounts.set_password(request, account, form.cleaned_data["password"]))
        except Refusal as refusal:
            if refusal.status == 410:
                raise
            say(form, refusal)
        else:
            passes.answered(request, row)
            log_ins.log_in_by_password(request, account)
            return redirect(reverse("people:me"))
    context = {"pass": row, "form": form, "account": account, "person": account.person}
    return render(request, "people/take_reset.html", context, status=422 if form.errors else 200)
