"""Two musters compared, as JSON: the same sheet as the page, every chance as an exact fraction."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign.models import Campaign
from musters.compare import GROUNDS, INCHES_MOST, KINDS, Blow, Cell, Setting
from musters.compare_sheet import CompareSheet, Strikes, sheet_of_battle, sheet_of_codes
from musters.evening import NAME_MOST
from musters.rolls.code import LETTERS_MOST
from people.api import REFUSED
from rulebook.events import EVENTS
from rulebook.plain import plain


class SettingQuerySerializer(serializers.Serializer):
    kind = serializers.ChoiceField(KINDS, required=False, default="melee")
    charged = serializers.BooleanField(required=False, default=True)
    inches = serializers.FloatField(required=False, default=6.0, min_value=0, max_value=INCHES_MOST)
    moved = serializers.BooleanField(required=False, default=False)
    at = serializers.ChoiceField(GROUNDS, required=False, default="clear")
    target_at = serializers.ChoiceField(GROUNDS, required=False, default="clear")
    flanked = serializers.BooleanField(required=False, default=False)
    king = serializers.BooleanField(required=False, default=False, help_text="The target's King is within 8 inches.")
    event = serializers.ChoiceField([row.key for row in EVENTS], required=False, allow_blank=True, default="")


class CompareQuerySerializer(SettingQuerySerializer):
    a = serializers.CharField(max_length=LETTERS_MOST, help_text="Army code.")
    b = serializers.CharField(max_length=LETTERS_MOST, help_text="Army code.")
    one = serializers.CharField(max_length=NAME_MOST, required=False, allow_blank=True, default="")
    two = serializers.CharField(max_length=NAME_MOST, required=False, allow_blank=True, default="")


class ExactChanceSerializer(serializers.Serializer):
    exact = serializers.CharField(help_text="A fraction, such as 3/10.")
    value = serializers.FloatField(help_text="The same as a number, rounded to six places.")


class BlowSerializer(serializers.Serializer):
    target = serializers.CharField(help_text="Place in its army: king, house-1 …")
    unit = serializers.CharField()
    why_not = serializers.CharField(
        allow_blank=True, help_text="Why there can be no such attack; then nothing else is told."
    )
    damage = ExactChanceSerializer(allow_null=True)
    models = ExactChanceSerializer(allow_null=True)
    breaks = ExactChanceSerializer(allow_null=True)
    destroys = ExactChanceSerializer(allow_null=True)
    back = ExactChanceSerializer(allow_null=True)


class StrikerSerializer(serializers.Serializer):
    attacker = serializers.CharField()
    unit = serializers.CharField()
    against = BlowSerializer(many=True)


class StrikesSerializer(serializers.Serializer):
    attacker = serializers.CharField()
    target = serializers.CharField()
    damage = ExactChanceSerializer(allow_null=True)
    breaks = ExactChanceSerializer(allow_null=True)
    units = StrikerSerializer(many=True)


class CompareSerializer(serializers.Serializer):
    one = serializers.CharField(help_text="Code of the first army.")
    two = serializers.CharField()
    situation = serializers.CharField()
    setting = serializers.DictField()
    notes = serializers.ListField(child=serializers.CharField())
    strikes = StrikesSerializer(many=True)


def plain_sheet(sheet: CompareSheet) -> dict[str, Any]:
    return {
        "one": sheet.one.code,
        "two": sheet.two.code,
        "situation": sheet.setting.words,
        "setting": asdict(sheet.setting),
        "notes": list(sheet.notes),
        "strikes": [_strikes(strikes) for strikes in sheet.strikes],
    }


def _strikes(strikes: Strikes) -> dict[str, Any]:
    return {
        "attacker": strikes.attacker,
        "target": strikes.target,
        "damage": plain(strikes.table.damage),
        "breaks": plain(strikes.table.breaks),
        "units": [
            {
                "attacker": row.attacker.slot.key,
                "unit": row.attacker.name,
                "against": [_cell(cell) for cell in row.cells],
            }
            for row in strikes.table.rows
        ],
    }


def _cell(cell: Cell) -> dict[str, Any]:
    told = plain(cell.blow) if cell.blow else dict.fromkeys(Blow.__dataclass_fields__)
    return {"target": cell.target.slot.key, "unit": cell.target.name, "why_not": cell.why_not, **told}


class CompareView(APIView):
    """Nobody is asked who they are: a code holds no secret."""

    authentication_classes: tuple[type, ...] = ()
    permission_classes: tuple[type, ...] = ()

    @extend_schema(
        parameters=[CompareQuerySerializer],
        responses={200: CompareSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="musters_compare",
        tags=["musters"],
    )
    def get(self, request: Request) -> Response:
        """Each unit of two armies against each, both ways, exactly."""
        given = CompareQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        told = dict(given.validated_data)
        codes = {name: told.pop(name) for name in ("a", "b", "one", "two")}
        return Response(plain_sheet(sheet_of_codes(codes, Setting(**told))))


class BattleCompareView(APIView):
    @extend_schema(
        parameters=[SettingQuerySerializer],
        responses={200: CompareSerializer, 400: REFUSED, 403: REFUSED, 404: REFUSED, 409: REFUSED},
        operation_id="musters_compare_battle",
        tags=["musters"],
    )
    def get(self, request: Request, campaign: str, battle: int) -> Response:
        """The two armies of a campaign's battle, for those who may see both."""
        rows = Campaign.objects.visible_to(request.who).select_related("log", "snapshot")
        found = get_object_or_404(rows, code=campaign)
        given = SettingQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        setting = Setting(**given.validated_data)
        return Response(plain_sheet(sheet_of_battle(request.who, found, battle, setting)))
