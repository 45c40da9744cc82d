"""The solo opponent as JSON: its die, the next question, or the step that carries out its turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from battles.models import Battle
from battles.tracker import services
from battles.tracker.attack_api import TapKey, TapTakenSerializer, tap_taken
from battles.tracker.core import solo_questions
from battles.tracker.core.solo_questions import ANSWERS, SoloQuestion
from battles.tracker.core.steps import codec, solo_turn
from battles.tracker.core.steps.registry import Number
from battles.tracker.core.steps.solo_turn import DecideSoloTurn, RollSoloDie, SoloDecision, SoloDie
from battles.tracker.core.steps.step_check import judge_step
from battles.tracker.rolled_here import roll_here, roll_tie
from battles.tracker.selectors import TrackerSnapshot, load_snapshot, terms_of
from battles.tracker.whole_turns import Tap
from dataclass_json import Count, Text
from log.services import find_answer
from pages.api.typed_fields import TypedJSONField
from people.requester import Who
from refusal import Refusal

Answers = Mapping[str, Sequence[str]]


class SoloChoiceSerializer(serializers.Serializer):
    value = serializers.CharField()
    name = serializers.CharField()


class SoloQuestionSerializer(serializers.Serializer):
    key = serializers.CharField(help_text="the parameter that answers it")
    text = serializers.CharField(source="title")
    hint = serializers.CharField()
    many = serializers.BooleanField(help_text="several can be chosen")
    none = serializers.CharField(help_text="the answer “none” in words; empty if one has to be chosen")
    choices = SoloChoiceSerializer(many=True)


class SoloStepSerializer(serializers.Serializer):
    kind = serializers.CharField()
    body = TypedJSONField(codec.step_schema(DecideSoloTurn.kind))


class SoloDecisionSerializer(serializers.Serializer):
    unit = serializers.CharField(allow_null=True)
    does = serializers.CharField(allow_null=True, help_text="shoot, charge, attack, seek_shot, advance, rally, stand …")
    target = serializers.CharField(allow_null=True)
    piece = serializers.CharField(allow_null=True, help_text="the wall that it fires at")
    hero = serializers.CharField(source="hero.hero", default=None, allow_null=True, help_text="uses a power first")
    reasons = serializers.ListField(child=serializers.CharField())


class SoloOpponentSerializer(serializers.Serializer):
    side = serializers.CharField()
    roll = serializers.IntegerField(allow_null=True, help_text="null: its die is rolled with the turn")
    question = SoloQuestionSerializer(allow_null=True)
    step = SoloStepSerializer(allow_null=True, help_text="the decision, for table/steps/")
    decision = SoloDecisionSerializer(allow_null=True, help_text="what its unit will do")


class SoloTurnTakenSerializer(TapTakenSerializer):
    question = SoloQuestionSerializer(allow_null=True, help_text="answer it and send all answers again")


Answer = Annotated[str, Text("The answer", 40)]


@dataclass(frozen=True, slots=True)
class SentSoloTurn:
    """``roll``: its die, if it was rolled at the table. ``shoots``: a unit that moves to shoot sees its target now."""

    key: TapKey
    answers: Annotated[Mapping[str, Annotated[tuple[Answer, ...], Count("Answers", 30)]], Count("Answers", 20)] = field(
        default_factory=dict
    )
    roll: Number | None = None
    shoots: bool = False


@dataclass(frozen=True, slots=True)
class _Turn:
    """Where the turn has got to: the die, and the next question or the decision."""

    die: SoloDie
    next: SoloQuestion | DecideSoloTurn


def _turn(snapshot: TrackerSnapshot, answers: Answers) -> _Turn | None:
    """None: its die is not rolled yet, or all its units have acted."""
    tracker = snapshot.tracker
    die, pending = solo_turn.pending_die(tracker), solo_turn.pending_decision(tracker)
    if die is None and pending is not None:  # decided by another client, and not carried out yet
        unit = pending.unit or pending.tied[0]
        return _Turn(SoloDie(pending.roll, 1), DecideSoloTurn(pending.roll, {}, unit, pending.target))
    if die is None or _all_acted(snapshot):
        return None
    return _Turn(die, solo_questions.next_question(tracker, die, answers))


def _all_acted(snapshot: TrackerSnapshot) -> bool:
    return all(unit.acted for unit in snapshot.tracker.units_here(snapshot.tracker.solo or ""))


def _require_solo(snapshot: TrackerSnapshot) -> str:
    if not snapshot.tracker.is_set_up or snapshot.tracker.solo is None:
        raise Refusal("This battle has no solo opponent.", status=404)
    return snapshot.tracker.solo


class SoloOpponent(APIView):
    @extend_schema(
        parameters=[OpenApiParameter(name, str, many=True) for name in ANSWERS],
        responses=SoloOpponentSerializer,
        operation_id="battle_table_solo",
    )
    def get(self, request: Request, code: str) -> Response:
        """What the solo opponent asks next; the answers so far travel in the address."""
        battle = services.get_visible_battle(request.who, code)
        snapshot = load_snapshot(battle)
        answer: dict[str, object] = {"side": _require_solo(snapshot), "roll": None, "question": None}
        answer |= {"step": None, "decision": None}
        query = request.query_params
        if turn := _turn(snapshot, {name: query.getlist(name) for name in ANSWERS if name in query}):
            answer["roll"] = turn.die.roll
            if isinstance(turn.next, DecideSoloTurn):
                cell = judge_step(snapshot.cells, terms_of(battle), turn.next).writes["solo_now"]
                answer["step"] = {"kind": turn.next.kind, "body": codec.write_sent(turn.next)}
                answer["decision"] = SoloDecision.from_cell(cell)
            else:
                answer["question"] = turn.next
        return Response(SoloOpponentSerializer(answer).data)

    @extend_schema(
        request={"application/json": dataclass_json.schema(SentSoloTurn)},
        responses=SoloTurnTakenSerializer,
        operation_id="battle_table_solo_turn",
    )
    def post(self, request: Request, code: str) -> Response:
        """One whole turn: the die, the decision, and all that its unit does, with every die rolled here.

        While an answer is missing only the die is written, and `question` asks for it.
        """
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        sent = dataclass_json.read(SentSoloTurn, request.data)
        return Response(SoloTurnTakenSerializer(_take_turn(battle, request.who, sent)).data)


def _take_turn(battle: Battle, who: Who, sent: SentSoloTurn) -> Mapping[str, object]:
    tap = Tap(battle, who, sent.key)
    if before := find_answer(battle.log_id, who=who.ref, key=sent.key):
        return {"question": None, **tap_taken(battle, who, [before["entry"]] if before["entry"] else [])}
    snapshot = load_snapshot(battle)
    _require_solo(snapshot)
    turn = _turn(snapshot, sent.answers)
    rolled: list[int] = []
    if turn is None and not _all_acted(snapshot):
        snapshot, rolled = _roll_die(battle, who, snapshot, sent)
        turn = _turn(snapshot, sent.answers)
    if turn is None:
        raise Refusal("All its units have acted this round.", status=409)
    if isinstance(turn.next, SoloQuestion):
        return {"question": turn.next, **tap_taken(battle, who, rolled)}
    tap.take(turn.next, follow=lambda after: after.carry_out_solo_turn(shoots=sent.shoots))
    return {"question": None, **tap_taken(battle, who, tap.entries)}


def _roll_die(
    battle: Battle, who: Who, snapshot: TrackerSnapshot, sent: SentSoloTurn
) -> tuple[TrackerSnapshot, list[int]]:
    """The die is a tap of its own, as on the page: it stays when the turn is undone."""
    die = Tap(battle, who, f"{sent.key}-die")
    if sent.roll is None:
        rolled = roll_here(who, battle, snapshot, RollSoloDie.kind, die.key, "")
        step = RollSoloDie(rolled.roll or 1, rolled.second or 1)
    else:
        step = RollSoloDie(sent.roll, roll_tie(who, battle, die.key))
    die.take(step)
    return die.written.snapshot or load_snapshot(services.get_visible_battle(who, battle.code)), die.entries
