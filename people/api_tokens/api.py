"""Log in without cookies, the tokens you have made, and links that somebody gave you."""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import Resolver404, resolve
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import AtMost, Clean, Count, Says, Text
from pages.api.operations import SentAgain, operation
from pages.fields.columns_and_rows import take
from people import rate_limits
from people.accounts import log_ins, my_account, services as accounts_services
from people.api_tokens import services
from people.api_tokens.scopes import READ, RUN, SCOPES
from people.models import ApiToken, LogIn as LogInRow, Pass, PersonalLink
from people.name_validation import MAX_STORED, clean_name, clean_text
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
Password = Annotated[str, Text("The password", accounts_services.MAX_PASSWORD, empty=True)]
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
    name: Annotated[TypedName, AtMost(accounts_services.MAX_LOG_IN_NAME)]
    password: Password


@dataclass(frozen=True, kw_only=True)
class CreateAccount(NewAccount):
    invitation: Annotated[LinkAddress, "the address of an invitation, if the site needs one"] = ""


@dataclass(frozen=True, kw_only=True)
class BecomeFirstOwner(NewAccount):
    code: Annotated[str, Clean(str.strip), Text("The code", accounts_services.MAX_OWNER_CODE, empty=True)] = ""


@dataclass(frozen=True)
class AskForPassword:
    name: Annotated[TypedName, "name or e-mail address"]


# ── Answered ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, kw_only=True)
class TokenRow:
    api_name = "Token"

    id: int
    label: str
    scopes: tuple[Scope, ...]
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
    link = passes_services.find_by_token(asked, PersonalLink, passes_services.token_in(address))
    if link is None:
        raise Refusal(passes_services.NO_SUCH_PERSONAL_LINK, status=404, field="personal_link")
    if refusal := passes_services.personal_link_refusal(link):
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
                row = passes_services.find_by_token(asked, Pass, passes_services.token_in(wanted.invitation))
                if row is None:
                    raise Refusal(passes_services.NO_SUCH_LINK, status=404, field="invitation")
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
        my_account.request_reset(request._request, sent.value.name)


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


# ── Links that somebody gave you ───────────────────────────────────────────────────────────────────────


SentLink = Annotated[LinkAddress, "the address of the link"]


@dataclass(frozen=True)
class LookAtLinkSent:
    api_name = "LookAtLink"

    link: SentLink


@dataclass(frozen=True)
class LinkPrompt:
    kind: str
    title: str
    sentence: str
    more: str
    button: Annotated[str, "what accepting does, in words"]
    needs_name: Annotated[bool, "accept it with a name, because nobody is logged in"]
    needs_password: Annotated[bool, "accept it with a password too"]


@dataclass(frozen=True, kw_only=True)
class AcceptLinkSent(MakeToken):
    """``label`` and ``scopes`` are those of the new token, if accepting logs you in."""

    api_name = "AcceptLink"

    link: SentLink
    name: Annotated[TypedName, AtMost(MAX_STORED)] | None = None
    password: Password | None = None


@dataclass(frozen=True)
class AcceptedLink:
    page: Annotated[str, "the page it leads to"]
    api: Annotated[str, "the same in the API; empty if there is none"]
    new_token: Annotated[NewToken | None, "use it from now on, if there is one"]


def _find_pass(request: Request, address: str) -> Pass:
    row = passes_services.find_by_token(request._request, Pass, passes_services.token_in(address))
    if row is None:
        raise Refusal(passes_services.NO_SUCH_LINK, status=404, field="link")
    return row


def _asks_for_account(request: Request, row: Pass) -> bool:
    """A link to a new account or password; a claim with an account only needs a yes."""
    return row.kind in ("sign_up", "reset") or (row.kind == "claim" and request.who.user is None)


class LookAtLink(APIView):
    scopes = {"POST": READ}
    needs_no_log_in = ("POST",)

    @operation("links_look")
    def post(self, request: Request, sent: SentAgain[LookAtLinkSent]) -> LinkPrompt:
        """What a link is for. Looking changes nothing."""
        row = _find_pass(request, sent.value.link)
        kind, prompt = passes_services.require_open(row, request.who)
        asks = _asks_for_account(request, row)
        return LinkPrompt(
            kind.key,
            kind.title,
            prompt.sentence,
            prompt.more,
            prompt.button,
            needs_name=(kind.needs_person and not request.who.is_known) or (asks and kind.key != "reset"),
            needs_password=asks,
        )


class AcceptLink(APIView):
    needs_no_log_in = ("POST",)

    @operation("links_accept")
    def post(self, request: Request, sent: SentAgain[AcceptLinkSent]) -> AcceptedLink:
        """Accept a link: join, sit down, hold a slip, claim, set a password. If it logs you in, use the new token."""
        wanted = sent.value
        row = _find_pass(request, wanted.link)
        kind, _ = passes_services.require_open(row, request.who)
        asks = _asks_for_account(request, row)
        if asks and (wanted.password is None or (kind.key != "reset" and wanted.name is None)):
            raise Refusal("Choose a name and a password." if kind.key != "reset" else "Choose a password.")
        if kind.needs_person and not request.who.is_known and wanted.name is None:
            raise Refusal("Log in or enter your name first.", status=403)

        def accept(asked: HttpRequest) -> str:
            if kind.accept_filled is not None:
                filled = {"name": wanted.name or "", "password": wanted.password or ""}
                return kind.accept_filled(asked, row, filled)
            if kind.needs_person and not asked.who.is_known:
                name = clean_name(wanted.name)
                passes_services.check_newcomer(asked, row, kind, name)
                return passes_services.accept_by_name(asked, row, name)
            return passes_services.accept_pass(asked, row)

        is_newcomer = not request.who.is_known and request._request.api_token is None
        if asks or is_newcomer or (kind.needs_person and not request.who.is_known):
            token, page = with_new_token(request, wanted, accept, replaces=asks)
            new_token = answer_new_token(request, token)
        else:
            new_token, page = None, accept(request._request)
        return AcceptedLink(page, _api_address(page), new_token)


def _api_address(page: str) -> str:
    address = f"/api/v1{page.partition('?')[0]}"
    try:
        resolve(address)
    except (Resolver404, Http404):
        return ""
    return address
