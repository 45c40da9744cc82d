"""Log in without cookies, and the tokens you have made."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Clean, Count, Says, Text
from pages.api.operations import SentAgain, operation
from pages.fields.rows import take
from people import rate_limits
from people.accounts import log_ins, my_account, password_mail
from people.accounts import services as accounts_services
from people.api_tokens import services
from people.api_tokens.scopes import RUN, SCOPES
from people.models import ApiToken, Pass, PersonalLink
from people.models import LogIn as LogInRow
from people.name_validation import clean_text
from people.passes import opening
from people.passes import services as passes_services
from people.passes.shown_secrets import show_secret
from refusal import Refusal

T = TypeVar("T")
NEW_TOKENS = rate_limits.Limit(
    "new_tokens",
    "new tokens",
    target=rate_limits.Rate(100, 60),
    browser=rate_limits.Rate(60, 60),
    address=rate_limits.Rate(600, 60),
)


# ── Sent ─────────────────────────────────────────────────────────────────────────────────────────────────

MAX_SENT = 1000  # of texts that are only looked up or have a lower limit of their own
TypedName = Annotated[str, Clean(str.strip), Text("The name", MAX_SENT)]
Password = Annotated[str, Text("The password", MAX_SENT, empty=True)]
LinkAddress = Annotated[str, Clean(str.strip), Text("The address", MAX_SENT, empty=True)]
Scope = Annotated[Literal["read", "play", "run"], Says("Choose the scopes from read, play and run.")]


@dataclass(frozen=True, kw_only=True)
class MakeToken:
    label: Annotated[str, Clean(clean_text), Text("The label", services.MAX_LABEL, empty=True), "only you see it"] = ""
    scopes: Annotated[
        Annotated[tuple[Scope, ...], Count("The scopes", len(SCOPES))] | None,
        "read always belongs to them. If left out: all, or those of the token that asks",
    ] = None


@dataclass(frozen=True, kw_only=True)
class LogInForToken(MakeToken):
    """Name and password, or a personal link; with neither, a token that only holds the links you accept with it."""

    name: TypedName | None = None
    password: Password | None = None
    personal_link: Annotated[LinkAddress | None, "its address"] = None


@dataclass(frozen=True, kw_only=True)
class NewAccount(MakeToken):
    name: TypedName
    password: Password


@dataclass(frozen=True, kw_only=True)
class CreateAccount(NewAccount):
    invitation: Annotated[LinkAddress, "the address of an invitation, if the site needs one"] = ""


@dataclass(frozen=True, kw_only=True)
class BecomeFirstOwner(NewAccount):
    code: Annotated[str, Clean(str.strip), Text("The code", 40, empty=True)] = ""


@dataclass(frozen=True)
class AskForPassword:
    name: Annotated[TypedName, "name or e-mail address"]


# ── Answered ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class TokenRow:
    api_name = "Token"

    id: int
    label: str
    scopes: tuple[str, ...]
    made_at: dt.datetime
    last_seen: dt.datetime | None
    is_this_one: bool


@dataclass(frozen=True, kw_only=True)
class NewToken(TokenRow):
    token: Annotated[str, "Send it as Authorization: Bearer. It is shown only now."]
    person: Annotated[str | None, "code of the person, null for nobody yet"]


def _token_facts(row: ApiToken, now: ApiToken | None) -> dict[str, object]:
    return {
        "scopes": tuple(row.scopes.split()),
        "last_seen": row.log_in.last_seen if row.log_in is not None else None,
        "is_this_one": now is not None and now.pk == row.pk,
    }


def answer_new_token(request: Request, row: ApiToken) -> NewToken:
    show_secret(request._request)
    person = row.log_in.person.root.code if row.log_in is not None else None
    return take(NewToken, row, **_token_facts(row, row), person=person)


# ── Operations ───────────────────────────────────────────────────────────────────────────────────────────


def with_new_token(
    request: Request, wanted: MakeToken, act: Callable[[HttpRequest], T], *, replaces: bool = False
) -> tuple[ApiToken, T]:
    """Do something that logs in, in a new token instead of a browser's session. What the old one held goes along, so
    the new one may not do more with it than the old.

    ``replaces``: the log-in of before ends, as it does in a browser that logs in as somebody else.
    """
    asked = request._request
    before = asked.who.log_in
    held = {}
    if (old := asked.api_token) is not None and old.pk is not None:
        held = {key: old.kept[key] for key in log_ins.KEPT_SESSION_KEYS if key in old.kept}
    services.start_empty_token(asked, label=wanted.label, scopes=wanted.scopes)
    asked.session.update(held)
    done = act(asked)
    if replaces and before is not None:
        LogInRow.objects.filter(pk=before.pk).delete()
    return services.keep_token(asked), done


class LogIn(APIView):
    needs_no_log_in = ("POST",)

    @operation("log_in", status=201)
    def post(self, request: Request, sent: SentAgain[LogInForToken]) -> NewToken:
        """Log in without cookies: name and password, or a personal link, for a token."""
        wanted = sent.value

        def log_in(asked: HttpRequest) -> None:
            if wanted.personal_link is not None:
                _log_in_by_link(asked, wanted.personal_link)
            elif wanted.name is not None or wanted.password is not None:
                accounts_services.log_in_with_password(asked, wanted.name or "", wanted.password or "")

        NEW_TOKENS.count_use(request._request)
        row, _ = with_new_token(request, wanted, log_in)
        return answer_new_token(request, row)


def _log_in_by_link(asked: HttpRequest, address: str) -> None:
    link = opening.find_by_token(asked, PersonalLink, opening.token_in(address))
    if link is None:
        raise Refusal(opening.NO_SUCH_PERSONAL_LINK, status=404, field="personal_link")
    if refusal := opening.personal_link_refusal(link):
        raise refusal
    log_ins.log_in_by_link(asked, link)


class LogOut(APIView):
    needs_no_log_in = ("POST",)

    @operation("log_out")
    def post(self, request: Request) -> None:
        """End this token, or the session of this browser."""
        if (row := request._request.api_token) is not None:
            services.end_token(row)
        else:
            log_ins.log_out(request._request)


class SignUp(APIView):
    needs_no_log_in = ("POST",)

    @operation("sign_up", status=201)
    def post(self, request: Request, sent: SentAgain[CreateAccount]) -> NewToken:
        """Create an account. The answer has its first token."""
        wanted = sent.value

        def sign_up(asked: HttpRequest) -> None:
            if wanted.invitation:
                row = opening.find_by_token(asked, Pass, opening.token_in(wanted.invitation))
                if row is None:
                    raise Refusal(opening.NO_SUCH_LINK, status=404, field="invitation")
                passes_services.offer_pass(asked, row)
            my_account.sign_up(asked, wanted.name, wanted.password)

        row, _ = with_new_token(request, wanted, sign_up)
        return answer_new_token(request, row)


class FirstOwner(APIView):
    needs_no_log_in = ("POST",)

    @operation("first_owner", status=201)
    def post(self, request: Request, sent: SentAgain[BecomeFirstOwner]) -> NewToken:
        """On an empty site: create the owner's account. In production this needs the code the terminal prints."""
        wanted = sent.value
        row, _ = with_new_token(
            request,
            wanted,
            lambda asked: my_account.become_first_owner(asked, wanted.name, wanted.password, wanted.code),
        )
        return answer_new_token(request, row)


class ForgottenPassword(APIView):
    needs_no_log_in = ("POST",)

    @operation("forgotten_password", status=202)
    def post(self, request: Request, sent: SentAgain[AskForPassword]) -> None:
        """Ask for an e-mail with a link to a new password. The answer never says whether the name exists."""
        password_mail.request_reset(request._request, sent.value.name)


class TokenList(APIView):
    scopes = {"POST": RUN}

    @operation("tokens_list")
    def get(self, request: Request) -> list[TokenRow]:
        """Your tokens, newest first."""
        request.who.require_person()
        rows = ApiToken.objects.of_person(request.who).select_related("log_in")
        return [take(TokenRow, row, **_token_facts(row, request._request.api_token)) for row in rows]

    @operation("tokens_make", status=201)
    def post(self, request: Request, sent: SentAgain[MakeToken]) -> NewToken:
        """Make a token. With a token you can only give scopes it has itself."""
        request.who.require_person()
        wanted = sent.value
        row = services.create_token(request._request, label=wanted.label, scopes=wanted.scopes)
        return answer_new_token(request, row)


class TokenDetail(APIView):
    scopes = {"DELETE": RUN}

    @operation("tokens_end")
    def delete(self, request: Request, pk: int) -> None:
        """End a token of yours."""
        request.who.require_person()
        services.end_token(get_object_or_404(ApiToken.objects.of_person(request.who), pk=pk))
