"""Make and end API tokens."""

from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from pages.request_middleware import LateAnswerSessionMiddleware
from people.accounts.log_ins import LOG_IN_KEY, Browser, attach_requester
from people.api_tokens.scopes import SCOPES, clean_scopes
from people.models import ApiToken, LogIn
from people.name_validation import clean_text
from people.passes import tokens
from people.requester import Who
from prepared_queries import prepared_query
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


# ── Requests with a token ──────────────────────────────────────────────────────────────────────────────
# With ``Authorization: Bearer`` the token's row is their session, and no cookie is read or set.


PREFIX = "bearer "
# The API, and the stream of news about what it shows.
WITH_TOKENS = ("/api/", "/live/")


class TokenSession(SessionBase):
    """Stored in the row of the token, which keeps its key whoever logs in."""

    def __init__(self, row: ApiToken) -> None:
        super().__init__(row.token_hash or None)
        self.row = row

    def load(self) -> dict[str, Any]:
        return dict(self.row.kept)

    def exists(self, session_key: str) -> bool:
        return False

    def create(self) -> None:
        self.modified = True

    def cycle_key(self) -> None:
        self.modified = True

    def flush(self) -> None:
        self.clear()

    def delete(self, session_key: str | None = None) -> None:
        self.clear()

    def save(self, must_create: bool = False) -> None:
        self.row.kept = dict(self._get_session(no_load=must_create))
        self.row.log_in_id = self.row.kept.get(LOG_IN_KEY)
        if self.row.pk is None:
            self.row.save()
        else:
            # A token that has ended meanwhile must not come back.
            ApiToken.objects.filter(pk=self.row.pk).update(kept=self.row.kept, log_in=self.row.log_in_id)
        self.modified = False


def use_token(request: HttpRequest, row: ApiToken) -> None:
    """From here on this request is made with the token."""
    request.api_token = row
    request.session = TokenSession(row)
    if row.pk is not None:
        request._browser = Browser(f"token:{row.pk}")


def read_bearer(request: HttpRequest) -> str | None:
    """What was sent as token, right or wrong; None if nothing was."""
    header = request.headers.get("Authorization", "")
    if not request.path.startswith(WITH_TOKENS) or not header.lower().startswith(PREFIX):
        return None
    return header[len(PREFIX) :].strip()


@prepared_query
def _tokens(token_hash: str) -> QuerySet[ApiToken]:
    return ApiToken.objects.filter(token_hash=token_hash)


def find_token(sent: str) -> ApiToken | None:
    if not tokens.SHAPE.fullmatch(sent):
        return None
    token: ApiToken | None = _tokens.first(tokens.hash_of(sent))
    return token


class TokenSessionMiddleware(LateAnswerSessionMiddleware):
    def process_request(self, request: HttpRequest) -> None:
        request.api_token, request.has_wrong_token = None, False
        sent = read_bearer(request)
        if sent is None:
            super().process_request(request)
            return
        row = find_token(sent)
        # A wrong token is refused where the API asks who it is; until then it is nobody.
        request.has_wrong_token = row is None
        use_token(request, row or ApiToken())

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        row: ApiToken | None = getattr(request, "api_token", None)
        if row is None:
            response = super().process_response(request, response)
        else:
            if request.session.modified and row.pk is not None and response.status_code != 500:
                request.session.save()
            response.cookies.clear()
        if request.path.startswith("/api/"):
            patch_vary_headers(response, ["Authorization", *([] if row is None else ["Cookie"])])
        return response
