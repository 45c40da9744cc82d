"""Webhooks of a group as JSON, for its hosts."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.notices import services
from gamenights.notices.core.addresses import LONGEST_ADDRESS
from gamenights.notices.models import Webhook, WebhookDelivery
from groups.models import Group
from groups.permissions import require_host
from groups.selectors import get_visible_group
from pages.api_pagination import PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body
from people.api_tokens.scopes import RUN
from people.passes.shown_secrets import show_secret


class WebhookSerializer(serializers.ModelSerializer):
    secret = serializers.CharField(help_text="for the signature in X-Mice-Signature")

    class Meta:
        model = Webhook
        fields = ["id", "url", "secret", "made_at"]


class WebhookInSerializer(serializers.Serializer):
    """The same address again is the same webhook."""

    url = serializers.CharField(max_length=LONGEST_ADDRESS)


class DeliverySerializer(serializers.ModelSerializer):
    state = serializers.ChoiceField(WebhookDelivery.State.choices)

    class Meta:
        model = WebhookDelivery
        fields = ["id", "webhook", "title", "state", "attempts", "answer", "made_at", "tried_at"]


def _get_group(request: Request, code: str) -> Group:
    group = get_visible_group(request.who, code)
    require_host(group, request.who)
    return group


class WebhookList(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @extend_schema(
        parameters=list(PAGE_PARAMETERS), responses=WebhookSerializer(many=True), operation_id="webhooks_list"
    )
    def get(self, request: Request, code: str) -> Response:
        """The webhooks of a group."""
        rows = _get_group(request, code).webhooks.all()
        show_secret(request._request)
        return paginate(request, rows, ["pk"], lambda found: WebhookSerializer(found, many=True).data)

    @extend_schema(request=WebhookInSerializer, responses={201: WebhookSerializer}, operation_id="webhooks_add")
    def post(self, request: Request, code: str) -> Response:
        """Add a webhook."""
        group = _get_group(request, code)
        added = services.add_webhook(group, request.who, url=read_body(WebhookInSerializer, request)["url"])
        show_secret(request._request)
        return Response(WebhookSerializer(added).data, status=201)


class WebhookDetail(APIView):
    scopes = {"DELETE": RUN}

    @extend_schema(request=None, responses={204: None}, operation_id="webhooks_remove")
    def delete(self, request: Request, code: str, pk: int) -> Response:
        """Remove a webhook."""
        services.remove_webhook(get_object_or_404(_get_group(request, code).webhooks, pk=pk), request.who)
        return Response(status=204)


class WebhookTest(APIView):
    scopes = {"POST": RUN}

    @extend_schema(request=None, responses={202: None}, operation_id="webhooks_test")
    def post(self, request: Request, code: str, pk: int) -> Response:
        """Send a test notice."""
        services.send_test(get_object_or_404(_get_group(request, code).webhooks, pk=pk), request.who)
        return Response(status=202)


class DeliveryList(APIView):
    scopes = {"GET": RUN}

    @extend_schema(
        parameters=list(PAGE_PARAMETERS),
        responses=DeliverySerializer(many=True),
        operation_id="webhooks_log",
    )
    def get(self, request: Request, code: str) -> Response:
        """What was sent, newest first; the next page is in the Link header."""
        rows = WebhookDelivery.objects.filter(webhook__group=_get_group(request, code))
        return paginate(request, rows, ["-pk"], lambda found: DeliverySerializer(found, many=True).data)
