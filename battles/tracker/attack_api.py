"""A whole attack in one call: the attack and its dice, sent or rolled here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from battles.models import Battle
from battles.tracker import services
from battles.tracker.api import FightSerializer, TrackerStepSerializer, step_rows
from battles.tracker.core.steps.fights import Faces, StartFight
from battles.tracker.display import fight_row
from battles.tracker.selectors import load_snapshot, steps_of, terms_of
from battles.tracker.whole_turns import StepsAfter, Tap
from dataclass_json import Count, Text
from people.requester import Who
from refusal import Refusal

# Steps that follow from the first have longer keys.
TapKey = Annotated[str, Text("The key", 60)]
SeenCells = Annotated[Mapping[str, Any], Count("Cells", 4)]


@dataclass(frozen=True, slots=True)
class SentAttack:
    """``attack`` as in the step ``fight``, with the dice of the table in the order they were rolled, or rolled here."""

    key: TapKey
    attack: StartFight
    faces: Faces = ()
    roll: Literal["all", "first"] | None = None
    seen: SeenCells = field(default_factory=dict)


class TapTakenSerializer(serializers.Serializer):
    entry = serializers.IntegerField(allow_null=True, help_text="undo this step to undo all")
    steps = TrackerStepSerializer(many=True)
    fights = FightSerializer(many=True, help_text="whose dice are still missing")


def tap_taken(battle: Battle, who: Who, entries: Sequence[int]) -> Mapping[str, object]:
    """What a tap wrote: now, or when the same was sent before."""
    battle = services.get_visible_battle(who, battle.code)
    first = entries[0] if entries else None
    rows = step_rows(one for one in steps_of(battle) if one.tap == first or one.number in entries)
    tracker, terms = load_snapshot(battle).tracker, terms_of(battle)
    fights = [fight_row(tracker, terms, key, fight) for key, fight in tracker.fights().items()]
    return {"entry": first, "steps": rows, "fights": fights}


class WholeAttack(APIView):
    @extend_schema(
        request={"application/json": dataclass_json.schema(SentAttack)},
        responses=TapTakenSerializer,
        operation_id="battle_table_attack",
    )
    def post(self, request: Request, code: str) -> Response:
        """Attack, and resolve it. Send `faces`, or let the site roll the first dice or all of them.

        With too few `faces` nothing is written, unless they are enough for the first rolls: then `fights` says what
        to roll next.
        """
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        sent = dataclass_json.read(SentAttack, request.data)
        if sent.faces and sent.roll:
            raise Refusal("Send the dice, or let the site roll them. Not both.", field="roll")
        return Response(TapTakenSerializer(_attack(battle, request.who, sent)).data)


def _attack(battle: Battle, who: Who, sent: SentAttack) -> Mapping[str, object]:
    def follow(after: StepsAfter) -> None:
        if sent.roll:
            after.add_first_dice(sent.attack.unit)
        if sent.roll == "all":
            after.roll_on(sent.attack.unit)
        if sent.faces:
            after.add_all_dice(sent.attack.unit, sent.faces)

    tap = Tap(battle, who, sent.key)
    tap.take(sent.attack, sent.seen, follow)
    return tap_taken(battle, who, tap.entries)
