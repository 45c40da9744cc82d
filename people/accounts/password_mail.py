"""The e-mail with a link to a new password, if a mail server is configured."""

from __future__ import annotations

import logging
import threading
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string

from pages.site_address_for_guests import guest_url
from people import rate_limits
from people.accounts import services
from people.passes import sign_up_claim_and_reset_links
from refusal import Refusal

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
        found = [account] if account else list(get_user_model().objects.filter(email__iexact=typed)[:5])
        for one in found:
            if one.email and one.is_active and hasattr(one, "person"):
                send_reset_mail(one)
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
