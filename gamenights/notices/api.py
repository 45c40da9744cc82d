"""Webhooks of a group as JSON, for its hosts; and what a person wants to hear about."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Ask, stored_as
from gamenights.notices import services
from gamenights.notices.models import NoticeChoice, WebhookDelivery
from gamenights.notices.services import AddWebhook, ChooseNotices, Notices
from groups.selectors import get_group_as_host
from pages.api.operations import SentAgain, operation
from pages.api_pagination import Page, paginate
from pages.fields.columns_and_rows import as_rows, take
from people.api_tokens.scopes import RUN
from people.passes.shown_secrets import show_secret


@dataclass(frozen=True)
class WebhookRow:
    api_name = "Webhook"

    id: int
    url: str
    secret: Annotated[str, Ask("Secret", "For the signature in X-Mice-Signature.")]
    made_at: dt.datetime


@dataclass(frozen=True)
class Delivery:
    id: int
    webhook_id: int = field(metadata=stored_as("webhook"))
    title: str
    state: WebhookDelivery.State
    attempts: int
    answer: str
    made_at: dt.datetime
    tried_at: dt.datetime | None


class WebhookList(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @operation("webhooks_list")
    def get(self, request: Request, code: str) -> Page[WebhookRow]:
        """The webhooks of a group."""
        rows = get_group_as_host(request.who, code).webhooks.all()
        show_secret(request._request)
        return paginate(request, rows, ["pk"], as_rows(WebhookRow))

    @operation("webhooks_add", status=201)
    def post(self, request: Request, code: str, sent: SentAgain[AddWebhook]) -> WebhookRow:
        """Add a webhook."""
        group = get_group_as_host(request.who, code)
        added = services.add_webhook(group, request.who, sent.value)
        show_secret(request._request)
        return take(WebhookRow, added)


class WebhookDetail(APIView):
    scopes = {"DELETE": RUN}

    @operation("webhooks_remove")
    def delete(self, request: Request, code: str, pk: int) -> None:
        """Remove a webhook."""
        services.remove_webhook(get_object_or_404(get_group_as_host(request.who, code).webhooks, pk=pk), request.who)


class WebhookTest(APIView):
    scopes = {"POST": RUN}

    @operation("webhooks_test", status=202)
    def post(self, request: Request, code: str, pk: int) -> None:
        """Send a test notice."""
        services.send_webhook_test(get_object_or_404(get_group_as_host(request.who, code).webhooks, pk=pk), request.who)


class DeliveryList(APIView):
    scopes = {"GET": RUN}

    @operation("webhooks_log")
    def get(self, request: Request, code: str) -> Page[Delivery]:
        """What was sent, newest first; the next page is in the Link header."""
        rows = WebhookDelivery.objects.filter(webhook__group=get_group_as_host(request.who, code))
        return paginate(request, rows, ["-pk"], as_rows(Delivery))


# ── Notices of one person ────────────────────────────────────────────────────────────────────────────────


class MyNotices(APIView):
    scopes = {"PUT": RUN}  # they go to an address outside, whatever becomes of the token

    @operation("me_notices_show")
    def get(self, request: Request) -> Notices:
        """What you want to hear about, and where."""
        choice = NoticeChoice.objects.filter(person=request.who.require_person()).first() or NoticeChoice()
        return take(Notices, choice)

    @operation("me_notices_change")
    def put(self, request: Request, sent: SentAgain[ChooseNotices]) -> Notices:
        """Choose what you want to hear about, and where."""
        request.who.require_person()
        return take(Notices, services.choose_notices(request.who, sent.value))
