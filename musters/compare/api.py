"""Two armies compared, as JSON; every chance is an exact fraction."""

from __future__ import annotations

from dataclasses import asdict

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from campaign.models import Campaign
from musters.compare.calculation import KINDS, MAX_INCHES, TERRAIN_KEYS, AttackOdds, Cell, Setting
from musters.compare.display import ArmyAttacks, CompareDisplay, compare_battle, compare_codes
from musters.core.army_code import MAX_CODE_LENGTH
from musters.random_game.generator import MAX_NAME_LENGTH
from pages.api.answer_schema import answer_schema
from pages.api.operations import PublicAPIView
from pages.api.typed_fields import TypedJSONField
from people.api import REFUSED
from rulebook.data.battlefield import EVENTS
from rulebook.odds_and_situations_json import to_json


class SettingQuerySerializer(serializers.Serializer):
    kind = serializers.ChoiceField(KINDS, required=False, default="melee")
    charged = serializers.BooleanField(required=False, default=True)
    inches = serializers.FloatField(required=False, default=6.0, min_value=0, max_value=MAX_INCHES)
    moved = serializers.BooleanField(required=False, default=False)
    at = serializers.ChoiceField(TERRAIN_KEYS, required=False, default="clear")
    target_at = serializers.ChoiceField(TERRAIN_KEYS, required=False, default="clear")
    flanked = serializers.BooleanField(required=False, default=False)
    king = serializers.BooleanField(required=False, default=False, help_text="The target's King is within 8 inches.")
    event = serializers.ChoiceField([row.key for row in EVENTS], required=False, allow_blank=True, default="")


class CompareQuerySerializer(SettingQuerySerializer):
    a = serializers.CharField(max_length=MAX_CODE_LENGTH, help_text="Army code.")
    b = serializers.CharField(max_length=MAX_CODE_LENGTH, help_text="Army code.")
    one = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, default="")
    two = serializers.CharField(max_length=MAX_NAME_LENGTH, required=False, allow_blank=True, default="")


class ExactChanceSerializer(serializers.Serializer):
    exact = serializers.CharField(help_text="A fraction, such as 3/10.")
    value = serializers.FloatField(help_text="The same as a number, rounded to six places.")


class PairOddsSerializer(serializers.Serializer):
    target = serializers.CharField(help_text="Slot in its army: king, house-1 …")
    unit = serializers.CharField()
    why_not = serializers.CharField(
        allow_blank=True, help_text="Why this attack is impossible; then all other fields are null."
    )
    damage = ExactChanceSerializer(allow_null=True)
    models = ExactChanceSerializer(allow_null=True)
    breaks = ExactChanceSerializer(allow_null=True)
    destroys = ExactChanceSerializer(allow_null=True)
    back = ExactChanceSerializer(allow_null=True)


class AttackingUnitSerializer(serializers.Serializer):
    attacker = serializers.CharField()
    unit = serializers.CharField()
    against = PairOddsSerializer(many=True)


class ArmyAttacksSerializer(serializers.Serializer):
    attacker = serializers.CharField()
    target = serializers.CharField()
    damage = ExactChanceSerializer(allow_null=True)
    breaks = ExactChanceSerializer(allow_null=True)
    units = AttackingUnitSerializer(many=True)


class CompareSerializer(serializers.Serializer):
    one = serializers.CharField(help_text="Code of the first army.")
    two = serializers.CharField()
    situation = serializers.CharField()
    setting = TypedJSONField(answer_schema(Setting))
    notes = serializers.ListField(child=serializers.CharField())
    strikes = ArmyAttacksSerializer(many=True)


def comparison_json(display: CompareDisplay) -> dict[str, object]:
    return {
        "one": display.one.code,
        "two": display.two.code,
        "situation": display.setting.words,
        "setting": asdict(display.setting),
        "notes": list(display.notes),
        "strikes": [_attacks_json(strikes) for strikes in display.attacks],
    }


def _attacks_json(strikes: ArmyAttacks) -> dict[str, object]:
    return {
        "attacker": strikes.attacker,
        "target": strikes.target,
        "damage": to_json(strikes.table.damage),
        "breaks": to_json(strikes.table.breaks),
        "units": [
            {
                "attacker": row.attacker.slot.key,
                "unit": row.attacker.name,
                "against": [_cell_json(cell) for cell in row.cells],
            }
            for row in strikes.table.rows
        ],
    }


def _cell_json(cell: Cell) -> dict[str, object]:
    odds = to_json(cell.odds) if cell.odds else dict.fromkeys(AttackOdds.__dataclass_fields__)
    return {"target": cell.target.slot.key, "unit": cell.target.name, "why_not": cell.why_not, **odds}


class CompareView(PublicAPIView):
    """Public: an army code holds no secret."""

    @extend_schema(
        parameters=[CompareQuerySerializer],
        responses={200: CompareSerializer, 400: REFUSED, 422: REFUSED},
        operation_id="musters_compare",
    )
    def get(self, request: Request) -> Response:
        """Exact odds of every unit of two armies against every other."""
        given = CompareQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        values = dict(given.validated_data)
        codes = {name: values.pop(name) for name in ("a", "b", "one", "two")}
        return Response(comparison_json(compare_codes(codes, Setting(**values))))


class BattleCompareView(APIView):
    @extend_schema(
        parameters=[SettingQuerySerializer],
        responses={200: CompareSerializer, 400: REFUSED, 403: REFUSED, 404: REFUSED, 409: REFUSED},
        operation_id="musters_compare_battle",
    )
    def get(self, request: Request, campaign: str, battle: int) -> Response:
        """Compare the two armies of a campaign battle, if you can see both."""
        rows = Campaign.objects.visible_to(request.who).select_related("log", "snapshot")
        found = get_object_or_404(rows, code=campaign)
        given = SettingQuerySerializer(data=request.query_params)
        given.is_valid(raise_exception=True)
        setting = Setting(**given.validated_data)
        return Response(comparison_json(compare_battle(request.who, found, battle, setting)))
