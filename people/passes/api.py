"""Links somebody gave you: look what one is for, and accept it."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.urls import Resolver404, resolve
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pages.api_parsers import read_body
from people.api_tokens.api import NewTokenSerializer, WantedTokenSerializer, token_answer, with_new_token
from people.api_tokens.scopes import READ
from people.models import Pass
from people.name_validation import clean_name
from people.passes import opening, services
from refusal import Refusal


class LinkSerializer(serializers.Serializer):
    link = serializers.CharField(max_length=1000, help_text="the address of the link")


class LinkPromptSerializer(serializers.Serializer):
    kind = serializers.CharField()
    title = serializers.CharField()
    sentence = serializers.CharField()
    more = serializers.CharField()
    button = serializers.CharField(help_text="what accepting does, in words")
    needs_name = serializers.BooleanField(help_text="accept it with a name, because nobody is logged in")
    needs_password = serializers.BooleanField(help_text="accept it with a password too")


class AcceptLinkSerializer(LinkSerializer, WantedTokenSerializer):
    """``label`` and ``scopes`` are those of the new token, if accepting logs you in."""

    name = serializers.CharField(max_length=1000, required=False)
    password = serializers.CharField(max_length=1000, required=False, trim_whitespace=False)


class AcceptedLinkSerializer(serializers.Serializer):
    page = serializers.CharField(help_text="the page it leads to")
    api = serializers.CharField(help_text="the same in the API; empty if there is none")
    new_token = NewTokenSerializer(allow_null=True, help_text="use it from now on, if there is one")


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

    @extend_schema(operation_id="links_look", request=LinkSerializer, responses=LinkPromptSerializer)
    def post(self, request: Request) -> Response:
        """What a link is for. Looking changes nothing."""
        row = _find_pass(request, read_body(LinkSerializer, request)["link"])
        kind, prompt = opening.require_open(row, request.who)
        asks = _asks_for_account(request, row)
        return Response(
            {
                "kind": kind.key,
                "title": kind.title,
                "sentence": prompt.sentence,
                "more": prompt.more,
                "button": prompt.button,
                "needs_name": (kind.needs_person and not request.who.is_known) or (asks and kind.key != "reset"),
                "needs_password": asks,
            }
        )


class AcceptLink(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(operation_id="links_accept", request=AcceptLinkSerializer, responses=AcceptedLinkSerializer)
    def post(self, request: Request) -> Response:
        """Accept a link: join, sit down, hold a slip, claim, set a password. If it logs you in, use the new token."""
        sent = read_body(AcceptLinkSerializer, request)
        row = _find_pass(request, sent["link"])
        kind, _ = opening.require_open(row, request.who)
        asks = _asks_for_account(request, row)
        if asks and ("password" not in sent or (kind.key != "reset" and "name" not in sent)):
            raise Refusal("Choose a name and a password." if kind.key != "reset" else "Choose a password.")
        if kind.needs_person and not request.who.is_known and "name" not in sent:
            raise Refusal("Log in or enter your name first.", status=403)

        def accept(asked: HttpRequest) -> str:
            if kind.accept_filled is not None:
                return kind.accept_filled(asked, row, sent)
            if kind.needs_person and not asked.who.is_known:
                name = clean_name(sent["name"])
                opening.check_newcomer(asked, row, kind, name)
                return opening.accept_by_name(asked, row, name)
            return services.accept_pass(asked, row)

        is_newcomer = not request.who.is_known and request._request.api_token is None
        if asks or is_newcomer or (kind.needs_person and not request.who.is_known):
            token, to = with_new_token(request, sent, accept, replaces=asks)
            shown = token_answer(token, request).data
        else:
            shown, to = None, accept(request._request)
        return Response({"page": to, "api": _api_address(str(to)), "new_token": shown})


def _api_address(page: str) -> str:
    address = f"/api/v1{page.partition('?')[0]}"
    try:
        resolve(address)
    except (Resolver404, Http404):
        return ""
    return address
