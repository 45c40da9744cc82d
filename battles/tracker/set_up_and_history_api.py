"""Set up the tracker and read all its steps, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from battles.tracker import services, starting_armies
from battles.tracker.api import StepTakenSerializer, TrackerStepSerializer, step_rows
from battles.tracker.core.logged_steps import active_steps
from battles.tracker.selectors import load_snapshot, steps_of
from battles.tracker.starting_armies import ROWS, ChosenUnit
from dataclass_json import Count, Text
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, paginate_rows
from refusal import Refusal

Side = Annotated[str, Text("The side", 1)]
Piece = Annotated[str, Text("The piece of the castle", 40)]


@dataclass(frozen=True, slots=True)
class SentSetUp:
    """``units`` by side, for armies that were not mustered; ``vats`` and ``towers`` in a siege."""

    key: Annotated[str, Text("The key", 80)]
    units: Annotated[Mapping[Side, Annotated[tuple[ChosenUnit, ...], Count("Units", ROWS)]], Count("Sides", 8)] = field(
        default_factory=dict
    )
    solo: Side | None = None
    vats: Annotated[tuple[Piece, ...], Count("Vats", 10)] = ()
    towers: Annotated[tuple[Piece, ...], Count("Towers", 10)] = ()


class SetUpTracker(APIView):
    @extend_schema(
        request={"application/json": dataclass_json.schema(SentSetUp)},
        responses=StepTakenSerializer,
        operation_id="battle_table_set_up",
    )
    def post(self, request: Request, code: str) -> Response:
        """Set up the tracker: the mustered armies, and the units you name for the others."""
        battle = services.get_visible_battle(request.who, code)
        services.require_can_step(battle)
        sent = dataclass_json.read(SentSetUp, request.data)
        if load_snapshot(battle).tracker.is_set_up:
            raise Refusal("The tracker is already set up.", status=409)
        if not battle.scenario and not battle.siege:
            raise Refusal(starting_armies.NO_SCENARIO, status=409)
        step = starting_armies.set_up_armies(battle, sent.units, sent.solo, sent.vats, sent.towers)
        return Response(StepTakenSerializer(services.take_step(battle, request.who, step, key=sent.key)).data)


class StepHistory(APIView):
    @extend_schema(
        parameters=list(PAGE_PARAMETERS),
        responses=TrackerStepSerializer(many=True),
        operation_id="battle_table_history",
    )
    def get(self, request: Request, code: str) -> Response:
        """Every step that counts, newest first."""
        steps = active_steps(steps_of(services.get_visible_battle(request.who, code)))
        return paginate_rows(request, steps[::-1], lambda step: step.number, step_rows, most=MAX_ROWS)
