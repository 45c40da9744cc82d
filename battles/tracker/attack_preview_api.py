"""The combat helper as JSON: what an attack of this battle would be, before its first die."""

from __future__ import annotations

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from battles.tracker import services
from battles.tracker.core.steps.fights import StartFight
from battles.tracker.selectors import find_unit, load_snapshot, terms_of
from battles.tracker.unit_actions_display import FightSetupDisplay, fight_setup_display
from pages.api.answer_schema import answer_schema
from pages.api.typed_fields import TypedJSONField
from people.api_tokens.scopes import READ
from rulebook.odds.odds_display import Bar


class RollSerializer(serializers.Serializer):
    name = serializers.CharField(help_text="whose dice")
    dice = serializers.IntegerField()
    needed = serializers.IntegerField(help_text="the lowest face that hits")
    rerolls = serializers.BooleanField(help_text="misses are re-rolled once")


class ModifierInForceSerializer(serializers.Serializer):
    kind = serializers.CharField(help_text="A, D or a number")
    name = serializers.CharField()
    text = serializers.CharField()


class PossibleTickSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="as in `ticks` of the attack")
    kind = serializers.CharField(help_text="A, D, a bonus, or empty")
    text = serializers.CharField()
    roll = serializers.ChoiceField(["attack", "morale"])
    ticked = serializers.BooleanField(help_text="as sent, or as the tracker knows it")


class OutcomeSerializer(serializers.Serializer):
    name = serializers.CharField()
    chance = serializers.CharField()


class AttackPreviewSerializer(serializers.Serializer):
    verb = serializers.CharField()
    target = serializers.CharField(help_text="the name of what is attacked, or empty")
    dice = serializers.IntegerField(help_text="to roll first")
    rolls = RollSerializer(many=True)
    modifiers = ModifierInForceSerializer(many=True)
    advantages = serializers.IntegerField()
    disadvantages = serializers.IntegerField()
    save = serializers.IntegerField(allow_null=True, help_text="the face the target saves on")
    odds_of = serializers.CharField(help_text="what `odds` are about")
    odds = serializers.ListField(child=TypedJSONField(answer_schema(Bar)))
    outcomes = OutcomeSerializer(many=True)
    battle_back = serializers.ListField(
        child=TypedJSONField(answer_schema(Bar)), help_text="the odds of the battle back"
    )
    notes = serializers.ListField(child=serializers.CharField())
    ticks = PossibleTickSerializer(many=True, help_text="what only the players can see")
    at = serializers.CharField(help_text="the attacker's terrain")
    target_at = serializers.CharField()


class AttackPreview(APIView):
    scopes = {"POST": READ}

    @extend_schema(
        request={"application/json": dataclass_json.schema(StartFight)},
        responses=AttackPreviewSerializer,
        operation_id="battle_table_attack_preview",
    )
    def post(self, request: Request, code: str) -> Response:
        """What an attack would be under this battle's rules: dice, modifiers, odds. Nothing is stored."""
        battle = services.get_visible_battle(request.who, code)
        snapshot = load_snapshot(battle)
        sent = dataclass_json.read(StartFight, request.data)
        display = fight_setup_display(
            snapshot.tracker,
            terms_of(battle),
            sent.how,
            find_unit(snapshot, sent.unit),
            find_unit(snapshot, sent.target) if sent.target else None,
            sent.ticks,
            building=sent.building,
            piece=sent.piece,
        )
        return Response(AttackPreviewSerializer(_answer(display)).data)


def _answer(display: FightSetupDisplay) -> Mapping[str, object]:
    numbers = display.numbers
    return {
        "verb": display.verb,
        "target": display.whom,
        "dice": display.dice,
        "rolls": numbers.hands,
        "modifiers": numbers.chips,
        "advantages": numbers.advantages,
        "disadvantages": numbers.disadvantages,
        "save": numbers.save,
        "odds_of": numbers.bars_of,
        "odds": [dataclass_json.write_all(bar) for bar in numbers.bars],
        "outcomes": [{"name": name, "chance": chance} for name, chance in numbers.outcomes],
        "battle_back": [dataclass_json.write_all(bar) for bar in numbers.back],
        "notes": numbers.notes,
        "ticks": [
            {"key": tick.key, "kind": tick.kind, "text": tick.text, "roll": tick.roll, "ticked": ticked}
            for tick, ticked in display.ticks
        ],
        "at": display.at,
        "target_at": display.target_at,
    }
