"""Log in without cookies, and the tokens you have made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pages.api_parsers import read_body
from people import rate_limits
from people.accounts import log_ins, my_account, password_mail
from people.accounts import services as accounts_services
from people.api_tokens import services
from people.api_tokens.scopes import RUN, SCOPES
from people.models import ApiToken, Pass, PersonalLink
from people.models import LogIn as LogInRow
from people.passes import opening
from people.passes import services as passes_services
from people.passes.shown_secrets import show_secret
from refusal import Refusal

NEW_TOKENS = rate_limits.Limit(
    "new_tokens",
    "new tokens",
    target=rate_limits.Rate(100, 60),
    browser=rate_limits.Rate(60, 60),
    address=rate_limits.Rate(600, 60),
)


class ScopesField(serializers.ListField):
    child = serializers.ChoiceField([(key, words) for key, words in SCOPES.items()])


class WantedTokenSerializer(serializers.Serializer):
    label = serializers.CharField(max_length=80, default="", allow_blank=True, help_text="only you see it")
    scopes = ScopesField(
        required=False,
        max_length=3,
        help_text="read always belongs to them. If left out: all, or those of the token that asks",
    )


class LogInSerializer(WantedTokenSerializer):
    """Name and password, or a personal link; with neither, a token that only holds the links you accept with it."""

    name = serializers.CharField(max_length=1000, required=False)
    password = serializers.CharField(max_length=1000, required=False, trim_whitespace=False)
    personal_link = serializers.CharField(max_length=1000, required=False, help_text="its address")


class NewAccountSerializer(WantedTokenSerializer):
    name = serializers.CharField(max_length=1000)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    invitation = serializers.CharField(
        max_length=1000, default="", allow_blank=True, help_text="the address of an invitation, if the site needs one"
    )


class FirstOwnerSerializer(WantedTokenSerializer):
    name = serializers.CharField(max_length=1000)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)
    code = serializers.CharField(max_length=40, default="", allow_blank=True)


class ForgottenPasswordSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=1000, help_text="name or e-mail address")


class TokenSerializer(serializers.ModelSerializer):
    scopes = serializers.SerializerMethodField()
    last_seen = serializers.DateTimeField(source="log_in.last_seen", default=None, allow_null=True)
    is_this_one = serializers.SerializerMethodField()

    class Meta:
        model = ApiToken
        fields = ["id", "label", "scopes", "made_at", "last_seen", "is_this_one"]

    def get_scopes(self, row: ApiToken) -> list[str]:
        return row.scopes.split()

    def get_is_this_one(self, row: ApiToken) -> bool:
        now: ApiToken | None = self.context.get("now")
        return now is not None and now.pk == row.pk


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(help_text="Send it as Authorization: Bearer. It is shown only now.")
    person = serializers.CharField(allow_null=True, help_text="code of the person, null for nobody yet")

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token", "person"]


def token_answer(row: ApiToken, request: Request, status: int = 201, **more: object) -> Response:
    """The answer that shows a new token."""
    show_secret(request._request)
    person = row.log_in.person.root.code if row.log_in is not None else None
    shown = TokenSerializer(row, context={"now": row}).data
    return Response({**shown, "token": row.token, "person": person, **more}, status=status)


def with_new_token(
    request: Request, wanted: Mapping[str, Any], act: Callable[[HttpRequest], object], *, replaces: bool = False
) -> tuple[ApiToken, object]:
    """Do something that logs in, in a new token instead of a browser's session. What the old one held goes along, so
    the new one may not do more with it than the old.

    ``replaces``: the log-in of before ends, as it does in a browser that logs in as somebody else.
    """
    asked = request._request
    before = asked.who.log_in
    held = {}
    if (old := asked.api_token) is not None and old.pk is not None:
        held = {key: old.kept[key] for key in log_ins.KEPT_SESSION_KEYS if key in old.kept}
    services.start_empty_token(asked, label=wanted["label"], scopes=wanted.get("scopes"))
    asked.session.update(held)
    done = act(asked)
    if replaces and before is not None:
        LogInRow.objects.filter(pk=before.pk).delete()
    return services.keep_token(asked), done


class LogIn(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(operation_id="log_in", request=LogInSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Log in without cookies: name and password, or a personal link, for a token."""
        sent = read_body(LogInSerializer, request)

        def log_in(asked: HttpRequest) -> None:
            if "personal_link" in sent:
                _log_in_by_link(asked, sent["personal_link"])
            elif "name" in sent or "password" in sent:
                accounts_services.log_in_with_password(asked, sent.get("name", ""), sent.get("password", ""))

        NEW_TOKENS.count_use(request._request)
        row, _ = with_new_token(request, sent, log_in)
        return token_answer(row, request)


def _log_in_by_link(asked: HttpRequest, address: str) -> None:
    link = opening.find_by_token(asked, PersonalLink, opening.token_in(address))
    if link is None:
        raise Refusal(opening.NO_SUCH_PERSONAL_LINK, status=404, field="personal_link")
    if refusal := opening.personal_link_refusal(link):
        raise refusal
    log_ins.log_in_by_link(asked, link)


class LogOut(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(operation_id="log_out", request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        """End this token, or the session of this browser."""
        if (row := request._request.api_token) is not None:
            services.end_token(row)
        else:
            log_ins.log_out(request._request)
        return Response(status=204)


class SignUp(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(operation_id="sign_up", request=NewAccountSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Create an account. The answer has its first token."""
        sent = read_body(NewAccountSerializer, request)

        def sign_up(asked: HttpRequest) -> None:
            if sent["invitation"]:
                row = opening.find_by_token(asked, Pass, opening.token_in(sent["invitation"]))
                if row is None:
                    raise Refusal(opening.NO_SUCH_LINK, status=404, field="invitation")
                passes_services.offer_pass(asked, row)
            my_account.sign_up(asked, sent["name"], sent["password"])

        row, _ = with_new_token(request, sent, sign_up)
        return token_answer(row, request)


class FirstOwner(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(operation_id="first_owner", request=FirstOwnerSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """On an empty site: create the owner's account. In production this needs the code the terminal prints."""
        sent = read_body(FirstOwnerSerializer, request)
        row, _ = with_new_token(
            request,
            sent,
            lambda asked: my_account.become_first_owner(asked, sent["name"], sent["password"], sent["code"]),
        )
        return token_answer(row, request)


class ForgottenPassword(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(operation_id="forgotten_password", request=ForgottenPasswordSerializer, responses={202: None})
    def post(self, request: Request) -> Response:
        """Ask for an e-mail with a link to a new password. The answer never says whether the name exists."""
        password_mail.request_reset(request._request, read_body(ForgottenPasswordSerializer, request)["name"])
        return Response(status=202)


class TokenList(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="tokens_list", responses=TokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Your tokens, newest first."""
        request.who.require_person()
        rows = ApiToken.objects.of_person(request.who).select_related("log_in")
        return Response(TokenSerializer(rows, many=True, context={"now": request._request.api_token}).data)

    @extend_schema(operation_id="tokens_make", request=WantedTokenSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """Make a token. With a token you can only give scopes it has itself."""
        request.who.require_person()
        return token_answer(
            services.create_token(request._request, **{"scopes": None} | read_body(WantedTokenSerializer, request)),
            request,
        )


class TokenDetail(APIView):
    scopes = {"DELETE": RUN}

    @extend_schema(operation_id="tokens_end", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """End a token of yours."""
        request.who.require_person()
        services.end_token(get_object_or_404(ApiToken.objects.of_person(request.who), pk=pk))
        return Response(status=204)
