"""What people change about their own account: pages and API call these."""

import logging
import threading
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import connection
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.template.loader import render_to_string

from pages.site_address_for_guests import guest_url
from people import guests as guests_services, rate_limits
from people.accounts import log_ins, services
from people.models import LogIn, Person
from people.passes import services as passes_services, sign_up_claim_and_reset_links
from people.requester import Who
from refusal import Refusal

PASSWORD_NEEDED = "You used a personal link. Log in with your password to do this."


def require_password(who: Who) -> Person:
    """The person, logged in by password, because other people may hold a personal link."""
    person = who.require_person()
    if who.user is None:
        raise Refusal(PASSWORD_NEEDED, status=403)
    return person


def require_owner(who: Who) -> None:
    """Everybody else gets a 404; an owner who has not given a password is told so."""
    require_password(who)
    if not who.user.is_staff:
        raise Http404


def sign_up(request: HttpRequest, name: str, password: str) -> Person:
    """Create an account and log in. SIGN_UP sets who can: everyone, people with an invitation, or nobody."""
    can_sign_up, inviter = find_sign_up(request)
    if not can_sign_up:
        raise Refusal("This site is closed to new accounts, or needs an invitation.", status=403)
    rate_limits.SIGN_UP.count_use(request)
    person = services.create_account(name, password, invited_by=inviter)
    log_ins.log_in_by_password(request, person.account)
    return person


def find_sign_up(request: HttpRequest) -> tuple[bool, Person | None]:
    """Whether this browser can create an account, and who invited it."""
    invitation = passes_services.find_invitation(request) if settings.SIGN_UP != "closed" else None
    inviter = invitation.made_by.root if invitation and invitation.made_by else None
    return settings.SIGN_UP == "open" or invitation is not None, inviter


def become_first_owner(request: HttpRequest, name: str, password: str, code: str = "") -> Person:
    """Create the first account, the owner's, and log in."""
    if services.needs_code() and services.has_no_owner():
        with rate_limits.OWNER_CODE.attempt(request, "owner") as attempt:
            if not services.is_owner_code(code):
                attempt.fail()
        if attempt.has_failed:
            raise Refusal("This is not the owner code. The terminal of the server prints it.", field="code")
    person = services.create_owner(name, password)
    log_ins.log_in_by_password(request, person.account)
    return person


def create_own_account(request: HttpRequest, name: str, password: str) -> None:
    """A guest chooses a password, and is logged in with it."""
    person = request.who.require_person()
    if services.is_sign_up("closed"):
        raise Refusal("This site is closed to new accounts. Your personal link still works.", status=403)
    services.create_account(name, password, person=person, by=request.who)
    log_ins.log_in_by_password(request, person.account)


def change_password(request: HttpRequest, old: str, password: str) -> None:
    require_password(request.who)
    user = request.who.user
    with rate_limits.LOG_IN.attempt(request, user.get_username(), proven=True) as attempt:
        if not user.check_password(old):
            attempt.fail()
    if attempt.has_failed:
        raise Refusal("This is not your password.", field="old")
    services.set_password(request, user, password)


def require_mail(who: Who) -> None:
    """Addresses are asked for only where the site can send mail."""
    require_password(who)
    if not settings.EMAIL_HOST:
        raise Http404


def change_mail(who: Who, mail: str) -> None:
    require_mail(who)
    who.user.email = mail
    who.user.save(update_fields=["email"])
    # The mails to the old address may hold a link that still works.
    passes_services.revoke_passes_to(sign_up_claim_and_reset_links.RESET, who.require_person().pk)


def set_reset_permission(who: Who, *, masters: bool | None = None, inviter: bool | None = None) -> None:
    """Choose who, besides an owner, can help with a forgotten password."""
    person = require_password(who)
    if inviter is not None:
        guests_services.set_keeper(person, person.invited_by if inviter else None)
    if masters is not None:
        Person.objects.filter(pk=person.pk).update(masters_may_reset=masters)


def visible_log_ins(who: Who) -> QuerySet[LogIn]:
    """All your browsers; after a personal link only this one, because others may hold the link too."""
    rows = LogIn.objects.active().filter(person__in=who.require_person().all_ids(), api_token=None)
    if who.user is None:
        rows = rows.filter(pk=who.log_in.pk if who.log_in else 0)
    return rows


def end_other_log_ins(who: Who) -> None:
    """Log out every other browser and end every other API token."""
    person = require_password(who)
    stays = who.log_in.pk if who.log_in else 0
    LogIn.objects.filter(person__in=person.all_ids()).exclude(pk=stays).delete()


def require_own_data(who: Who) -> Person:
    """The person whose data can be exported here: with an account, only after its password."""
    person = who.require_person()
    if person.has_account and who.user is None:
        raise Refusal(PASSWORD_NEEDED, status=403)
    return person


# ── The e-mail with a link to a new password ───────────────────────────────────────────────────────────


logger = logging.getLogger(__name__)

SUBJECT = "Reset your password for the campaign companion"


def request_reset(request: HttpRequest, typed: str) -> None:
    """Send the e-mail, if the site can. The answer never reveals whether a name exists."""
    if not settings.EMAIL_HOST:
        raise Refusal("This site sends no e-mail. Ask a game master or an owner for a link.", status=409)
    rate_limits.FORGOTTEN.count_use(request, typed.casefold())
    send_reset_mails(typed)


def send_reset_mails(typed: str) -> None:
    """Send to every account of this name or address. In a thread, so that the response time reveals nothing."""
    threading.Thread(target=_find_and_send, args=(typed,), name="reset mail").start()


def _find_and_send(typed: str) -> None:
    try:
        account = services.find_account(typed)
        accounts = [account] if account else list(get_user_model().objects.filter(email__iexact=typed)[:5])
        for account in accounts:
            if account.email and account.is_active and hasattr(account, "person"):
                send_reset_mail(account)
    except Exception:
        logger.exception("could not send a password e-mail")
    finally:
        connection.close()  # this thread's own


def send_reset_mail(account: Any) -> None:
    row = sign_up_claim_and_reset_links.create_reset_link(None, account.person)
    context = {
        "person": account.person,
        "url": guest_url(row.get_absolute_url()).url,
        "hours": sign_up_claim_and_reset_links.RESET_LASTS.days * 24,
    }
    send_mail(SUBJECT, render_to_string("people/accounts/reset_mail.txt", context), None, [account.email])
