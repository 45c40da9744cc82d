"""The one mail this site sends, where a mail server is configured: a link to a new password."""

from __future__ import annotations

import logging
import threading

from django.contrib.auth import get_user_model
from django.core.mail import send_mail
from django.db import connection
from django.template.loader import render_to_string

from pages.address import guest_url
from people import accounts, kinds

logger = logging.getLogger(__name__)

SUBJECT = "A new password for the campaign companion"


def send_reset(typed: str) -> None:
    """Send to everyone this name or address means. In a thread of its own, so that the time it takes tells nothing."""
    threading.Thread(target=_send, args=(typed,), name="reset mail").start()


def _send(typed: str) -> None:
    try:
        account = accounts.find(typed)
        found = [account] if account else list(get_user_model().objects.filter(email__iexact=typed)[:5])
        for one in found:
            if one.email and one.is_active and hasattr(one, "person"):
                send_reset_to(one)
    except Exception:
        logger.exception("a mail with a link to a new password was not sent")
    finally:
        connection.close()  # this thread's own


def send_reset_to(account) -> None:
    row = kinds.reset_link(None, account.person)
    context = {
        "person": account.person,
        "url": guest_url(row.get_absolute_url()).url,
        "hours": kinds.RESET_LASTS.days * 24,
    }
    send_mail(SUBJECT, render_to_string("people/mail_reset.txt", context), None, [account.email])
