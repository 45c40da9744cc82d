"""One unit of the tracker as JSON: what it can do, to whom, and why not."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles.tracker import services
from battles.tracker.api import TrackedUnitSerializer
from battles.tracker.display import unit_row
from battles.tracker.selectors import find_unit, load_snapshot, terms_of
from battles.tracker.unit_actions_display import UnitAction, unit_display
from pages.api.answer_schema import open_object
from pages.api.typed_fields import TypedJSONField


class ActionTargetSerializer(serializers.Serializer):
    field = serializers.CharField(help_text="target, piece or building: the field of the attack; or empty")
    value = serializers.CharField()
    name = serializers.CharField()


class UnitActionSerializer(serializers.Serializer):
    how = serializers.CharField(help_text="as in the steps fight, blessed and kissed")
    title = serializers.CharField()
    allowed = serializers.BooleanField()
    reason = serializers.CharField(help_text="why not, or what it does")
    targets = serializers.SerializerMethodField()

    @extend_schema_field(ActionTargetSerializer(many=True))
    def get_targets(self, action: UnitAction) -> list[dict[str, str]]:
        return [dict(zip(("field", "value", "name"), row, strict=True)) for row in action.targets]


class UnitChoiceSerializer(serializers.Serializer):
    did = serializers.CharField(help_text="as in the step did")
    title = serializers.CharField()
    allowed = serializers.BooleanField()
    reason = serializers.CharField()


class EnemySerializer(serializers.Serializer):
    id = serializers.CharField()
    name = serializers.CharField()
    in_contact = serializers.BooleanField()


CHOICE = ("did", "title", "allowed", "reason")
ENEMY = ("id", "name", "in_contact")


class UnitPageSerializer(serializers.Serializer):
    unit = TrackedUnitSerializer()
    side = serializers.CharField(source="display.side", help_text="the name of its side")
    idle_reason = serializers.CharField(source="display.idle_reason", help_text="why it cannot act at all, or empty")
    actions = UnitActionSerializer(many=True, source="display.actions")
    power = UnitActionSerializer(source="display.power", allow_null=True, help_text="of its hero")
    choices = UnitChoiceSerializer(many=True)
    enemies = EnemySerializer(many=True)
    edge = serializers.CharField(source="display.edge", help_text="what happens when it leaves the table")
    mud = serializers.BooleanField(source="display.mud", help_text="it has to roll before it moves this round")
    mud_roll = serializers.IntegerField(source="display.mud_roll", help_text="what it rolled, or 0")
    reinforcements = serializers.BooleanField(source="display.reinforcements", help_text="it can roll for a model")
    seen = TypedJSONField(open_object("cells of the tracker; send them with the step losses"))


class UnitPage(APIView):
    @extend_schema(responses=UnitPageSerializer, operation_id="battle_table_unit")
    def get(self, request: Request, code: str, unit: str) -> Response:
        """What one unit can do now, and to whom."""
        battle = services.get_visible_battle(request.who, code)
        snapshot = load_snapshot(battle)
        found = find_unit(snapshot, unit)
        display = unit_display(snapshot.tracker, terms_of(battle), found.id)
        left = f"{found.id}/left"
        page = {
            "unit": unit_row(snapshot.tracker, found),
            "display": display,
            "choices": [dict(zip(CHOICE, row, strict=True)) for row in display.choices],
            "enemies": [dict(zip(ENEMY, row, strict=True)) for row in display.enemies],
            "seen": {left: snapshot.cells.get(left)},
        }
        return Response(UnitPageSerializer(page).data)
