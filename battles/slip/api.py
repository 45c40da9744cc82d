"""Slips by API: the code of a battle, a new one for a lost slip, and opening a battle by its three words."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.api import BattleRowSerializer
from battles.models import Battle, Slip
from battles.slip import access_codes, permissions
from pages.api_parsers import read_body
from people.api_tokens.scopes import PLAY
from people.passes.shown_secrets import link_address


class SlipSerializer(serializers.Serializer):
    words = serializers.ListField(child=serializers.CharField(), help_text="the three words printed on it")
    address = serializers.CharField(help_text="what its QR code opens; empty if there is no code yet")


class SlipWordsSerializer(serializers.Serializer):
    words = serializers.CharField(max_length=200, help_text="the three words of a slip")


def _answer(request: Request, slip: Slip | None, status: int = 200) -> Response:
    address = link_address(request._request, slip.link) if slip else None
    words = access_codes.words_of(slip.link) if slip and address else ()
    return Response({"words": list(words), "address": address or ""}, status=status)


class BattleSlip(APIView):
    scopes = {"GET": PLAY}  # whoever has the words can report

    @extend_schema(responses=SlipSerializer, operation_id="battles_slip")
    def get(self, request: Request, code: str) -> Response:
        """The words and address of a battle's slip, for whoever may report it. The paper is the sheet "slip"."""
        battle = permissions.get_battle_to_print(request.who, code)
        return _answer(request, access_codes.find_slip(battle))

    @extend_schema(request=None, responses={201: SlipSerializer}, operation_id="battles_slip_renew")
    def post(self, request: Request, code: str) -> Response:
        """A new code. The lost slip stops working."""
        battle = permissions.get_battle_to_renew(request.who, code)
        return _answer(request, access_codes.renew_slip(battle, request.who), 201)


class OpenSlip(APIView):
    needs_no_log_in = ("POST",)

    @extend_schema(request=SlipWordsSerializer, responses=BattleRowSerializer, operation_id="battles_open_slip")
    def post(self, request: Request) -> Response:
        """Open the battle whose slip has these words. This token, or browser, can then report it."""
        words = read_body(SlipWordsSerializer, request)["words"]
        found: Battle = access_codes.open_by_words(request._request, words)
        return Response(BattleRowSerializer(found).data)
