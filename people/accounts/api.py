"""Your own account by API: password, mail, log-ins, personal link, data. The same services as your page."""

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import validate_email
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Check, Clean, Shape, Text
from pages.api.operations import SentAgain, operation
from pages.api_pagination import Page, paginate
from pages.fields.columns_and_rows import take
from people import privacy
from people.accounts import log_ins, my_account
from people.accounts.services import MAX_MAIL
from people.api import ForgetByName, PersonalLinkAnswer, answer_link, forget_by_name
from people.api_tokens.api import NewAccount, NewToken, Password, answer_new_token, with_new_token
from people.api_tokens.scopes import RUN
from people.models import LogIn, Person
from people.passes import services
from refusal import Refusal


def check_mail(mail: str) -> None:
    """Empty removes it."""
    try:
        if mail:
            validate_email(mail)
    except ValidationError:
        raise Refusal("Enter a valid e-mail address.", field="mail") from None


@dataclass(frozen=True)
class ChangePasswordSent:
    api_name = "ChangePassword"

    old: Password
    password: Password


@dataclass(frozen=True)
class ChangeMail:
    mail: Annotated[
        str, Clean(str.strip), Text("The address", MAX_MAIL, empty=True), Check(check_mail), "empty to remove it"
    ]


@dataclass(frozen=True)
class Mail:
    mail: str


@dataclass(frozen=True)
class ChooseResetHelp:
    """What is left out stays as it is."""

    masters: Annotated[bool | None, "your game masters can give you a link"] = None
    inviter: Annotated[bool | None, "whoever invited you can give you a link"] = None


@dataclass(frozen=True)
class ResetHelp:
    masters: bool
    inviter: bool


@dataclass(frozen=True, slots=True)
class LogInRow:
    id: int
    browser: str
    how: LogIn.How
    first_seen: dt.datetime
    last_seen: dt.datetime
    is_this_one: bool


class CreateOwnAccount(APIView):
    scopes = {"POST": RUN}

    @operation("me_create_account", status=201)
    def post(self, request: Request, sent: SentAgain[NewAccount]) -> NewToken:
        """A guest chooses a password. Older links and tokens end; the answer has a new token."""
        who = request.who
        if who.require_person().has_account:
            raise Refusal("This person already has an account. Log in with it.", status=409)
        wanted = sent.value

        def create(asked: HttpRequest) -> None:
            asked.who = who  # still the guest, in the new session
            my_account.create_own_account(asked, wanted.name, wanted.password)

        row, _ = with_new_token(request, wanted, create, replaces=True)
        return answer_new_token(request, row)


class ChangePassword(APIView):
    scopes = {"POST": RUN}

    @operation("me_password")
    def post(self, request: Request, sent: SentAgain[ChangePasswordSent]) -> None:
        """Change your password. Other browsers, links and tokens end; this one stays."""
        my_account.require_password(request.who)
        my_account.change_password(request._request, sent.value.old, sent.value.password)


class MailView(APIView):
    scopes = {"PUT": RUN}

    @operation("me_mail")
    def get(self, request: Request) -> Mail:
        """Your e-mail address, if this site sends mail."""
        my_account.require_mail(request.who)
        return Mail(request.who.user.email)

    @operation("me_mail_change")
    def put(self, request: Request, sent: SentAgain[ChangeMail]) -> Mail:
        """Change or remove your e-mail address."""
        my_account.require_mail(request.who)
        my_account.change_mail(request.who, sent.value.mail)
        return Mail(request.who.user.email)


class ResetHelpView(APIView):
    scopes = {"PUT": RUN}

    @operation("me_help")
    def get(self, request: Request) -> ResetHelp:
        """Who, besides an owner, can help you with a forgotten password."""
        return _answer_help(my_account.require_password(request.who))

    @operation("me_help_change")
    def put(self, request: Request, sent: SentAgain[ChooseResetHelp]) -> ResetHelp:
        """Choose who can."""
        person = my_account.require_password(request.who)
        my_account.set_reset_permission(request.who, masters=sent.value.masters, inviter=sent.value.inviter)
        return _answer_help(Person.objects.get(pk=person.pk))


def _answer_help(person: Person) -> ResetHelp:
    return ResetHelp(masters=person.masters_may_reset, inviter=person.keeper_id is not None)


class MyLink(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @operation("me_link")
    def get(self, request: Request) -> PersonalLinkAnswer:
        """Your personal link."""
        return answer_link(request, services.find_personal_link(request.who.require_person()))

    @operation("me_link_make", status=201)
    def post(self, request: Request) -> PersonalLinkAnswer:
        """Make a new personal link. The old one and everything logged in by it end; log in with the new one."""
        link = services.issue_link(request.who.require_person(), by=request.who)
        if request.who.user is None and request._request.api_token is None:
            log_ins.log_in_by_link(request._request, link)
        return answer_link(request, link)


class LogInList(APIView):
    scopes = {"DELETE": RUN}

    @operation("me_log_ins")
    def get(self, request: Request) -> Page[LogInRow]:
        """The browsers you are logged in with. Tokens are listed at /tokens/."""
        now = request.who.log_in

        def draw(rows: list[LogIn]) -> list[LogInRow]:
            return [take(LogInRow, row, is_this_one=now is not None and now.pk == row.pk) for row in rows]

        return paginate(request, my_account.visible_log_ins(request.who), ("-last_seen", "-pk"), draw)

    @operation("me_log_ins_end")
    def delete(self, request: Request) -> None:
        """Log out all other browsers and end all other tokens."""
        my_account.end_other_log_ins(request.who)


class LogInDetail(APIView):
    scopes = {"DELETE": RUN}

    @operation("me_log_in_end")
    def delete(self, request: Request, pk: int) -> None:
        """Log out one browser."""
        row = get_object_or_404(my_account.visible_log_ins(request.who), pk=pk)
        if request.who.log_in is not None and row.pk == request.who.log_in.pk:
            log_ins.log_out(request._request)
        else:
            row.delete()


class MyData(APIView):
    is_file = True

    @operation("me_data")
    def get(
        self, request: Request
    ) -> Annotated[Mapping[str, Any], Shape({"type": "object", "additionalProperties": {}})]:
        """Everything the site stores about you."""
        data = privacy.export_my_data(my_account.require_own_data(request.who))
        return json.loads(json.dumps(data, cls=DjangoJSONEncoder))


class ForgetMe(APIView):
    scopes = {"POST": RUN}

    @operation("me_forget")
    def post(self, request: Request, sent: SentAgain[ForgetByName]) -> None:
        """Forget you for good. Games stay, credited to "Someone"."""
        forget_by_name(request.who.require_person(), request.who, sent.value.name)
        log_ins.log_out(request._request)
