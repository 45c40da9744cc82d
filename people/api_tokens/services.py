"""Make and end API tokens."""

from __future__ import annotations

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import transaction
from django.http import HttpRequest

from people.accounts.log_ins import LOG_IN_KEY, attach_requester
from people.api_tokens.scopes import SCOPES, clean_scopes
from people.api_tokens.token_sessions import TokenSession, use_token
from people.models import ApiToken, LogIn
from people.name_validation import clean_text
from people.requester import Who
from refusal import Refusal

MAX_LABEL = 80
MAX_TOKENS = 50
UNNAMED = "API token"
# What makes a session the log-in of an account; the token gets the same proof.
PROOF = (SESSION_KEY, BACKEND_SESSION_KEY, HASH_SESSION_KEY)


def scopes_of(request: HttpRequest) -> frozenset[str]:
    """What this request may do, and so what it may give away."""
    row: ApiToken | None = getattr(request, "api_token", None)
    return row.scope_set if row is not None and row.pk is not None else frozenset(SCOPES)


def create_token(request: HttpRequest, *, label: object, scopes: object) -> ApiToken:
    """One more token for whoever makes this request. ``row.token`` is shown once."""
    who: Who = request.who
    person = who.require_person()
    name = _clean_label(label)
    allowed = clean_scopes(scopes, scopes_of(request))
    if ApiToken.objects.of_person(who).count() >= MAX_TOKENS:
        raise Refusal(f"You have {MAX_TOKENS} API tokens. End one first.", status=409)
    how = who.log_in.how if who.log_in is not None else LogIn.How.LINK
    link = who.log_in.link_id if who.log_in is not None else None
    with transaction.atomic():
        row = LogIn.objects.create(person=person, how=how, link_id=link, browser=name or UNNAMED)
        kept = {key: request.session[key] for key in PROOF if key in request.session} | {LOG_IN_KEY: row.pk}
        return ApiToken.objects.create(label=name, scopes=allowed, kept=kept, log_in=row, made_by=person)


def start_empty_token(request: HttpRequest, *, label: object, scopes: object) -> ApiToken:
    """The rest of this request uses a new token that has not logged in. ``keep_token`` stores it."""
    row = ApiToken(label=_clean_label(label), scopes=clean_scopes(scopes, scopes_of(request)))
    use_token(request, row)
    attach_requester(request)
    return row


def keep_token(request: HttpRequest) -> ApiToken:
    """Store the new token of this request, logged in as it is by now."""
    session: TokenSession = request.session
    row = session.row
    row.made_by = request.who.person
    with transaction.atomic():
        session.save()
        if row.log_in_id is not None:
            LogIn.objects.filter(pk=row.log_in_id).update(browser=row.label or UNNAMED)
    return row


def end_token(row: ApiToken) -> None:
    if row.log_in_id is not None:
        LogIn.objects.filter(pk=row.log_in_id).delete()
    ApiToken.objects.filter(pk=row.pk).delete()


def _clean_label(label: object) -> str:
    name = clean_text(label if isinstance(label, str) else "")
    if len(name) > MAX_LABEL:
        raise Refusal(f"A label can have at most {MAX_LABEL} characters.", field="label")
    return name
