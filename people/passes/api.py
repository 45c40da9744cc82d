"""Links somebody gave you: look what one is for, and accept it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import Http404, HttpRequest
from django.urls import Resolver404, resolve
from rest_framework.request import Request
from rest_framework.views import APIView

from pages.api.operations import SentAgain, operation
from people.api_tokens.api import (
    LinkAddress,
    MakeToken,
    NewToken,
    Password,
    TypedName,
    answer_new_token,
    with_new_token,
)
from people.api_tokens.scopes import READ
from people.models import Pass
from people.name_validation import clean_name
from people.passes import opening, services
from refusal import Refusal

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
    name: TypedName | None = None
    password: Password | None = None


@dataclass(frozen=True)
class AcceptedLink:
    page: Annotated[str, "the page it leads to"]
    api: Annotated[str, "the same in the API; empty if there is none"]
    new_token: Annotated[NewToken | None, "use it from now on, if there is one"]


def _find_pass(request: Request, address: str) -> Pass:
    row = opening.find_by_token(request._request, Pass, opening.token_in(address))
    if row is None:
        raise Refusal(opening.NO_SUCH_LINK, status=404, field="link")
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
        kind, prompt = opening.require_open(row, request.who)
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
        kind, _ = opening.require_open(row, request.who)
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
                opening.check_newcomer(asked, row, kind, name)
                return opening.accept_by_name(asked, row, name)
            return services.accept_pass(asked, row)

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
