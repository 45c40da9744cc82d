"""Requests with ``Authorization: Bearer``: the token's row is their session, and no cookie is read or set."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.base import SessionBase
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers

from pages.request_middleware import LateAnswerSessionMiddleware
from people.accounts.known_browser_cookie import Browser
from people.accounts.log_ins import LOG_IN_KEY
from people.models import ApiToken
from people.passes import tokens
from prepared_queries import prepared_query

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
    found: ApiToken | None = _tokens.first(tokens.hash_of(sent))
    return found


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
