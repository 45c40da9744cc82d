"""Your own account by API: password, mail, log-ins, personal link, data. The same services as your page."""

from __future__ import annotations

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pages.api_pagination import PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body
from people.accounts import log_ins, my_account
from people.api_tokens.api import NewTokenSerializer, WantedTokenSerializer, token_answer, with_new_token
from people.api_tokens.scopes import RUN
from people.guests.api import ForgetSerializer, PersonalLinkSerializer, forget_by_name, link_answer
from people.models import LogIn, Person
from people.passes import personal_links
from people.privacy import my_data
from people.requester import Who
from refusal import Refusal


class OwnAccountSerializer(WantedTokenSerializer):
    name = serializers.CharField(max_length=1000, help_text="the name you log in with")
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class ChangePasswordSerializer(serializers.Serializer):
    old = serializers.CharField(max_length=1000, trim_whitespace=False)
    password = serializers.CharField(max_length=1000, trim_whitespace=False)


class MailSerializer(serializers.Serializer):
    mail = serializers.EmailField(max_length=254, allow_blank=True, help_text="empty to remove it")


class ResetHelpSerializer(serializers.Serializer):
    masters = serializers.BooleanField(required=False, help_text="your game masters can give you a link")
    inviter = serializers.BooleanField(required=False, help_text="whoever invited you can give you a link")


class LogInRowSerializer(serializers.ModelSerializer):
    is_this_one = serializers.SerializerMethodField()

    class Meta:
        model = LogIn
        fields = ["id", "browser", "how", "first_seen", "last_seen", "is_this_one"]

    def get_is_this_one(self, row: LogIn) -> bool:
        who: Who = self.context["who"]
        return who.log_in is not None and who.log_in.pk == row.pk


class CreateOwnAccount(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="me_create_account", request=OwnAccountSerializer, responses={201: NewTokenSerializer})
    def post(self, request: Request) -> Response:
        """A guest chooses a password. Older links and tokens end; the answer has a new token."""
        person = request.who.require_person()
        if person.has_account:
            raise Refusal("This person already has an account. Log in with it.", status=409)
        sent = read_body(OwnAccountSerializer, request)
        who = request.who

        def create(asked: Any) -> None:
            asked.who = who  # still the guest, in the new session
            my_account.create_own_account(asked, sent["name"], sent["password"])

        row, _ = with_new_token(request, sent, create, replaces=True)
        return token_answer(row, request)


class ChangePassword(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="me_password", request=ChangePasswordSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """Change your password. Other browsers, links and tokens end; this one stays."""
        my_account.require_password(request.who)
        my_account.change_password(request._request, **read_body(ChangePasswordSerializer, request))
        return Response(status=204)


class Mail(APIView):
    scopes = {"PUT": RUN}

    @extend_schema(operation_id="me_mail", responses=MailSerializer)
    def get(self, request: Request) -> Response:
        """Your e-mail address, if this site sends mail."""
        my_account.require_mail(request.who)
        return Response({"mail": request.who.user.email})

    @extend_schema(operation_id="me_mail_change", request=MailSerializer, responses=MailSerializer)
    def put(self, request: Request) -> Response:
        """Change or remove your e-mail address."""
        my_account.require_mail(request.who)
        my_account.change_mail(request.who, read_body(MailSerializer, request)["mail"])
        return Response({"mail": request.who.user.email})


class ResetHelp(APIView):
    scopes = {"PUT": RUN}

    @extend_schema(operation_id="me_help", responses=ResetHelpSerializer)
    def get(self, request: Request) -> Response:
        """Who, besides an owner, can help you with a forgotten password."""
        return _reset_help(my_account.require_password(request.who))

    @extend_schema(operation_id="me_help_change", request=ResetHelpSerializer, responses=ResetHelpSerializer)
    def put(self, request: Request) -> Response:
        """Choose who can."""
        person = my_account.require_password(request.who)
        my_account.set_reset_permission(request.who, **read_body(ResetHelpSerializer, request))
        return _reset_help(Person.objects.get(pk=person.pk))


def _reset_help(person: Person) -> Response:
    return Response({"masters": person.masters_may_reset, "inviter": person.keeper_id is not None})


class MyLink(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @extend_schema(operation_id="me_link", responses=PersonalLinkSerializer)
    def get(self, request: Request) -> Response:
        """Your personal link."""
        return link_answer(request, personal_links.find_personal_link(request.who.require_person()))

    @extend_schema(operation_id="me_link_make", request=None, responses={201: PersonalLinkSerializer})
    def post(self, request: Request) -> Response:
        """Make a new personal link. The old one and everything logged in by it end; log in with the new one."""
        link = personal_links.issue_link(request.who.require_person(), by=request.who)
        if request.who.user is None and request._request.api_token is None:
            log_ins.log_in_by_link(request._request, link)
        return link_answer(request, link, 201)


class LogInList(APIView):
    scopes = {"DELETE": RUN}

    @extend_schema(operation_id="me_log_ins", parameters=list(PAGE_PARAMETERS), responses=LogInRowSerializer(many=True))
    def get(self, request: Request) -> Response:
        """The browsers you are logged in with. Tokens are listed at /tokens/."""

        def draw(found: list[LogIn]) -> Any:
            return LogInRowSerializer(found, many=True, context={"who": request.who}).data

        return paginate(request, my_account.visible_log_ins(request.who), ("-last_seen", "-pk"), draw)

    @extend_schema(operation_id="me_log_ins_end", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Log out all other browsers and end all other tokens."""
        my_account.end_other_log_ins(request.who)
        return Response(status=204)


class LogInDetail(APIView):
    scopes = {"DELETE": RUN}

    @extend_schema(operation_id="me_log_in_end", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Log out one browser."""
        row = get_object_or_404(my_account.visible_log_ins(request.who), pk=pk)
        if request.who.log_in is not None and row.pk == request.who.log_in.pk:
            log_ins.log_out(request._request)
        else:
            row.delete()
        return Response(status=204)


class MyData(APIView):
    is_file = True

    @extend_schema(operation_id="me_data", responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        """Everything the site stores about you."""
        data = my_data.export_my_data(my_account.require_own_data(request.who))
        return Response(json.loads(json.dumps(data, cls=DjangoJSONEncoder)))


class ForgetMe(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="me_forget", request=ForgetSerializer, responses={204: None})
    def post(self, request: Request) -> Response:
        """Forget you for good. Games stay, credited to "Someone"."""
        person = request.who.require_person()
        forget_by_name(person, request.who, read_body(ForgetSerializer, request)["name"])
        log_ins.log_out(request._request)
        return Response(status=204)
