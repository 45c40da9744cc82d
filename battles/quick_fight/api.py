"""The quick fight as JSON: two units, what the players see, the dice so far. Nothing is stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from battles.tracker.core.fight_situation import NO_TICKS, Ticks
from battles.tracker.core.fight_without_battle import QuickFight, QuickTarget, QuickUnit, resolve_quick_fight
from battles.tracker.core.steps.fights import Faces
from battles.typed_and_rolled_dice import roll_dice
from dataclass_json import Text, Whole
from pages.api.answer_schema import answer_schema
from pages.api.typed_fields import TypedJSONField
from people.api_tokens.scopes import READ
from refusal import Refusal
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.battlefield import EVENT
from rulebook.data.units import UNIT
from rulebook.odds.odds_display import Bar

MAX_ROLLS = 12
Key = Annotated[str, Text("The key", 40)]
Marked = Annotated[int, Whole("The number", 0, 20)]


@dataclass(frozen=True, slots=True)
class SentUnit:
    unit: Key
    hero: Key | None = None
    weapon: Key | None = None
    models: Marked | None = None
    wounds: Marked = 0
    hero_wounds: Marked = 0
    shield: bool | None = None
    ladybug: bool | None = None
    flees: bool = False
    blessed: bool = False


@dataclass(frozen=True, slots=True)
class SentFight:
    """``faces``: all dice so far, in the order they were rolled. ``roll``: the site rolls the next, or all that follow.

    ``piece`` and ``hits``: the wall that is fired at, or the building that is set on fire.
    """

    how: Literal["charge", "strike", "shoot", "cast", "rally", "torch", "bombard"]
    attacker: SentUnit
    target: SentUnit
    ticks: Ticks = NO_TICKS
    event: Key | None = None
    piece: Key = "gatehouse"
    hits: Marked = 0
    faces: Faces = ()
    roll: Literal["next", "all"] | None = None


class NextDiceSerializer(serializers.Serializer):
    text = serializers.CharField()
    side = serializers.ChoiceField(["attacker", "target"])
    needed = serializers.ListField(child=serializers.IntegerField(), help_text="for each die")


class FightingUnitSerializer(serializers.Serializer):
    unit = serializers.CharField(source="key")
    models = serializers.IntegerField()
    hero = serializers.CharField(allow_null=True)
    wounds = serializers.IntegerField()
    flees = serializers.BooleanField(source="fleeing")


class QuickFightSerializer(serializers.Serializer):
    over = serializers.BooleanField()
    faces = serializers.ListField(child=serializers.IntegerField(), help_text="send them again with the next dice")
    ask = NextDiceSerializer(allow_null=True, help_text="the next roll")
    advantages = serializers.IntegerField()
    disadvantages = serializers.IntegerField()
    odds = serializers.ListField(child=TypedJSONField(answer_schema(Bar)), help_text="of the whole attack")
    story = serializers.ListField(child=serializers.CharField(), help_text="once it is over")
    attacker = FightingUnitSerializer(allow_null=True, help_text="after the fight; null if it is gone")
    target = FightingUnitSerializer(allow_null=True)


class QuickFightView(APIView):
    scopes = {"POST": READ}
    needs_no_log_in = ("POST",)

    @extend_schema(
        request={"application/json": dataclass_json.schema(SentFight)},
        responses=QuickFightSerializer,
        operation_id="battles_fight",
    )
    def post(self, request: Request) -> Response:
        """A fight without a battle: the odds, the next dice to roll, and what came of it."""
        sent = dataclass_json.read(SentFight, request.data)
        faces = list(sent.faces)
        found = _resolve(sent, faces)
        for _ in range({"next": 1, "all": MAX_ROLLS}.get(sent.roll or "", 0)):
            if found.progress.ask is None:
                break
            faces += roll_dice(found.progress.ask.count)
            found = _resolve(sent, faces)
        return Response(QuickFightSerializer(_answer(found, faces)).data)


def _resolve(sent: SentFight, faces: list[int]) -> QuickFight:
    if sent.event is not None and sent.event not in EVENT:
        raise Refusal("There is no such random event.", field="event")
    attacker, target = _unit(sent.attacker, "attacker"), _unit(sent.target, "target")
    at = QuickTarget(sent.piece, sent.hits)
    return resolve_quick_fight(attacker, target, sent.how, sent.ticks, faces, sent.event, at=at)


def _unit(sent: SentUnit, field: str) -> QuickUnit:
    if sent.unit not in UNIT or UNIT[sent.unit].siege_only:
        raise Refusal("There is no such unit.", field=f"{field}.unit")
    return QuickUnit(**{name: getattr(sent, name) for name in dataclass_json.json_keys(SentUnit)})


def _answer(found: QuickFight, faces: list[int]) -> Mapping[str, object]:
    ask = found.progress.ask
    after: list[UnitInPlay | None] = list(found.after)
    return {
        "over": found.over,
        "faces": faces,
        "ask": {"text": ask.text, "side": ask.side, "needed": [die.needed for die in ask.dice]} if ask else None,
        "advantages": found.numbers.advantages,
        "disadvantages": found.numbers.disadvantages,
        "odds": [dataclass_json.write_all(bar) for bar in found.numbers.bars],
        "story": found.story,
        "attacker": after[0],
        "target": after[1],
    }
