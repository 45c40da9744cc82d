"""The pass kinds of this app: site invitation, claim, guest handover, new password."""

import datetime as dt
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from people import guests as guests_services, merging
from people.accounts import log_ins, services as accounts_services
from people.forms import AccountForm, NewPasswordForm, SignUpForm, submit_form
from people.models import Pass, Person
from people.name_validation import inline_name
from people.passes import services
from people.passes.services import Filled, PassPrompt
from people.requester import Who
from refusal import Refusal

SIGN_UP, CLAIM, TAKEOVER, RESET = "sign_up", "claim", "hand_on", "reset"
CLAIM_LASTS = dt.timedelta(days=30)
TAKEOVER_LASTS = dt.timedelta(days=14)
RESET_LASTS = dt.timedelta(days=1)
SIGN_UP_LASTS = dt.timedelta(days=14)
CLAIMED = "Phones and links of this guest no longer work."


def register() -> None:
    services.register_kind(
        SIGN_UP,
        "Invitation to the site",
        prompt=_prompt_sign_up,
        page=_sign_up_page,
        accept_filled=_sign_up,
        belongs_to="maker",
        invites=True,
    )
    services.register_kind(
        CLAIM, "Claim link", prompt=_prompt_claim, page=_claim_page, accept_filled=_claim, belongs_to="person"
    )
    services.register_kind(
        TAKEOVER,
        "Guest handover",
        prompt=_prompt_takeover,
        page=_takeover_page,
        accept_filled=_take_over_by_link,
        belongs_to="person",
    )
    services.register_kind(
        RESET, "New password", prompt=_prompt_reset, page=_reset_page, accept_filled=_reset, belongs_to="person"
    )


T = TypeVar("T")


def _require(target: T | None) -> T:
    """What the link is for, unless it is gone."""
    if target is None:
        raise services.dead_pass_refusal(None)
    return target


# ── An invitation to the site ────────────────────────────────────────────────────────────────────────────


def create_invitation(who: Who, label: str = "") -> Pass:
    if who.user is None:
        raise Refusal("Log in with your password to invite people.", status=403)
    if not can_invite(who):
        raise Refusal("This site is closed to new accounts. Add people as guests instead.", status=403)
    return services.create_pass(SIGN_UP, None, by=who, label=label, lasts=SIGN_UP_LASTS)


def can_invite(who: Who) -> bool:
    """An owner can invite even if sign-up is closed."""
    return who.is_owner or not accounts_services.is_sign_up("closed")


def _prompt_sign_up(row: Pass, who: Who) -> PassPrompt:
    return PassPrompt("You are invited to create an account.", "Create account")


def _require_no_account(request: HttpRequest) -> None:
    if request.who.user is not None:
        raise Refusal("You already have an account. Someone else can still use this link.", status=409)


def _sign_up(request: HttpRequest, row: Pass, filled: Filled) -> str:
    """Create an account with this invitation, and log in to it."""
    _require_no_account(request)
    inviter = row.made_by and row.made_by.root
    person = services.use_pass_and_run(
        row, lambda: accounts_services.create_account(filled["name"], filled["password"], invited_by=inviter)
    )
    services.close_offer(request, row)
    log_ins.log_in_by_password(request, person.account)
    return "/"


def _sign_up_page(request: HttpRequest, row: Pass) -> HttpResponse:
    _require_no_account(request)
    form = SignUpForm(request.POST or None)
    if not submit_form(request, form, lambda: _sign_up(request, row, form.cleaned_data), raised=410):
        return redirect("/")
    context = {"pass": row, "form": form}
    return render(request, "people/passes/accept_sign_up.html", context, status=422 if form.errors else 200)


# ── A claim ──────────────────────────────────────────────────────────────────────────────────────────────


def create_claim_link(who: Who, person: Person) -> Pass:
    """A link with which a guest claims their own record. Replaces earlier ones."""
    _require_own_guest(
        who,
        person,
        not_yours="You can only make claim links for your own guests without an account.",
        yourself="You do not need a claim link. Create an account on your page.",
    )
    services.revoke_passes_to(CLAIM, person.pk)
    return services.create_pass(CLAIM, person.pk, by=who, lasts=CLAIM_LASTS)


def _require_own_guest(who: Who, person: Person, *, not_yours: str, yourself: str) -> None:
    """Refuses, with these sentences, a link to anybody but a guest without an account whom ``who`` looks after."""
    if person.has_account or not Person.objects.editable_by(who).filter(pk=person.pk).exists():
        raise Refusal(not_yours, status=403)
    if person.pk == who.require_person().pk:
        raise Refusal(yourself)


def _find_person_to_claim(row: Pass) -> Person | None:
    person = Person.objects.filter(pk=row.target).select_related("merged_into").first()
    if person is None or person.root.has_account or person.root.is_forgotten:
        return None
    return person.root


def _prompt_claim(row: Pass, who: Who) -> PassPrompt | None:
    person = _find_person_to_claim(row)
    return person and PassPrompt(f"You were added here as {inline_name(person.name)}.", "This is me")


def _claim(request: HttpRequest, row: Pass, filled: Filled) -> str:
    """Claim this guest for the account that is logged in, or for a new one."""
    person = _require(_find_person_to_claim(row))
    if request.who.user is not None:
        services.use_pass_and_run(row, lambda: merging.claim_person(person, by=request.who))
        services.close_offer(request, row)
        return reverse("people:me")
    if accounts_services.is_sign_up("closed"):
        raise Refusal("This site is closed to new accounts. Your personal link still works.", status=403)
    services.use_pass_and_run(
        row, lambda: accounts_services.create_account(filled["name"], filled["password"], person=person, by=request.who)
    )
    services.close_offer(request, row)
    log_ins.log_in_by_password(request, person.account)
    return reverse("people:me")


def _claim_page(request: HttpRequest, row: Pass) -> HttpResponse:
    person = _require(_find_person_to_claim(row))
    has_account = request.who.user is not None
    form = AccountForm(request.POST or None, initial={"name": person.name})
    context = {
        "pass": row,
        "form": form,
        "person": person,
        "has_account": has_account,
        "closed": accounts_services.is_sign_up("closed"),
    }
    if request.method == "POST" and has_account:
        _claim(request, row, {})
        messages.success(request, f"{inline_name(person.name)} is you now. {CLAIMED}")
        return redirect("people:me")
    if not submit_form(request, form, lambda: _claim(request, row, form.cleaned_data), raised=410):
        messages.success(request, f"Account created. {accounts_services.ENDED}")
        return redirect("people:me")
    failed = request.method == "POST" and form.errors
    return render(request, "people/passes/accept_claim.html", context, status=422 if failed else 200)


# ── Guest handover ──────────────────────────────────────────────────────────────────────────────────────


def create_takeover_link(who: Who, person: Person) -> Pass:
    """A link with which someone else takes over a guest. Replaces earlier ones."""
    _require_own_guest(
        who,
        person,
        not_yours="You can only hand over your own guests without an account.",
        yourself="You cannot hand yourself over.",
    )
    services.revoke_passes_to(TAKEOVER, person.pk)
    return services.create_pass(TAKEOVER, person.pk, by=who, lasts=TAKEOVER_LASTS)


def _find_guest_to_take_over(row: Pass) -> Person | None:
    """The guest of this link, while its maker can still hand them over."""
    by = Who.of(row.made_by)
    return Person.objects.editable_by(by).filter(pk=row.target, account=None).select_related("keeper").first()


def _prompt_takeover(row: Pass, who: Who) -> PassPrompt | None:
    person = _find_guest_to_take_over(row)
    return person and PassPrompt(f"You are asked to look after {inline_name(person.name)}.", "Take over")


def _take_over(person: Person, to: Who) -> None:
    guests_services.take_over_guest(to, person)
    accounts_services.end_credentials(person.all_ids(), by=None)  # the previous keeper may have kept some


def _take_over_by_link(request: HttpRequest, row: Pass, filled: Filled) -> str:
    person = _require(_find_guest_to_take_over(row))
    services.use_pass_and_run(row, lambda: _take_over(person, request.who))
    services.close_offer(request, row)
    return person.get_absolute_url()


def _takeover_page(request: HttpRequest, row: Pass) -> HttpResponse:
    person = _require(_find_guest_to_take_over(row))
    if request.method == "POST":
        _take_over_by_link(request, row, {})
        messages.success(request, merging.guest_logged_out_text(person))
        return redirect(person)
    return render(request, "people/passes/accept_takeover.html", {"pass": row, "person": person})


# ── A new password ───────────────────────────────────────────────────────────────────────────────────────


def create_reset_link(who: Who | None, person: Person) -> Pass:
    """A link to a new password. Replaces earlier ones. ``who`` is None for the command line and e-mail."""
    if who is not None and (sentence := guests_services.why_no_reset(who, person)):
        raise Refusal(sentence, status=403)
    services.revoke_passes_to(RESET, person.pk)
    return services.create_pass(RESET, person.pk, by=who, lasts=RESET_LASTS)


def _find_account(row: Pass) -> Any:
    return get_user_model().objects.filter(person=row.target, is_active=True).select_related("person").first()


def _prompt_reset(row: Pass, who: Who) -> PassPrompt | None:
    account = _find_account(row)
    return account and PassPrompt(f"Choose a new password for {inline_name(account.person.name)}.", "Set password")


def _reset(request: HttpRequest, row: Pass, filled: Filled) -> str:
    """Set the new password and log in with it."""
    account = _require(_find_account(row))
    services.use_pass_and_run(row, lambda: accounts_services.set_password(request, account, filled["password"]))
    services.close_offer(request, row)
    log_ins.log_in_by_password(request, account)
    return reverse("people:me")


def _reset_page(request: HttpRequest, row: Pass) -> HttpResponse:
    account = _require(_find_account(row))
    form = NewPasswordForm(request.POST or None)
    if not submit_form(request, form, lambda: _reset(request, row, form.cleaned_data), raised=410):
        messages.success(request, f"Password changed. {accounts_services.ENDED}")
        return redirect("people:me")
    context = {"pass": row, "form": form, "account": account, "person": account.person}
    return render(request, "people/passes/accept_reset.html", context, status=422 if form.errors else 200)
