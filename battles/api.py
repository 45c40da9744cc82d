"""Battles as JSON: the same displays, services and refusals as the pages."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from battles import services
from battles.display import battle_display
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.new_battle.armies import MAX_CODE_LENGTH, choose_army
from battles.permissions import permissions_of, require_permission
from battles.result import forms as result_forms
from battles.result import services as result_services
from battles.result.core.multi_army_report import MultiArmyReport
from battles.result.core.win_rates import tally_games
from battles.result.form_value_types import FormValues
from battles.result.reporter_in_session import remember_reporter
from battles.result.reporters import choose_reporter
from battles.selectors import get_visible_battle
from battles.side_display import side_rows
from battles.slip import access_codes
from battles.statistics.display import tally_tables
from battles.statistics.selectors import campaigns_of, games_of
from campaign.chronicle.state import State
from pages.api_pagination import PAGE_PARAMETERS, first_page, paginate
from pages.number_parsing import parse_int
from people.models import Person
from people.passes import services as passes_services
from people.requester import Who
from people.requester_in_queries import WhoWithPasses
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO, SCENARIOS
from rulebook.data.tracks import SetAblaze
from rulebook.muster.army import Army

Validated = dict[str, Any]  # what a serializer has checked
MAX_ABLAZE = max(track.most for row in SCENARIOS if (track := row.track(SetAblaze)))


class BattleSideSerializer(serializers.Serializer):
    side = serializers.CharField(source="row.letter")
    name = serializers.CharField(source="row.name")
    kingdom = serializers.CharField(source="row.kingdom", allow_null=True)
    role = serializers.CharField(help_text="what the scenario calls this side")
    result = serializers.ChoiceField(["won", "lost", "drawn", ""])
    vp = serializers.IntegerField(allow_null=True)
    fielded = serializers.IntegerField(allow_null=True)
    removed = serializers.IntegerField(allow_null=True, help_text="how many of its units were removed")


class BattleEffectSerializer(serializers.Serializer):
    text = serializers.CharField()
    why = serializers.CharField()
    kingdom = serializers.CharField()


class BattleDisplaySerializer(serializers.Serializer):
    code = serializers.CharField()
    heading = serializers.CharField()
    campaign = serializers.CharField(source="campaign_code")
    number = serializers.IntegerField(allow_null=True)
    stage = serializers.ChoiceField(Battle.Stage.choices)
    scenario = serializers.CharField(source="scenario.key", default="")
    siege = serializers.BooleanField()
    sides = BattleSideSerializer(many=True)
    winner = serializers.CharField()
    lead = serializers.CharField()
    story = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    effects = BattleEffectSerializer(many=True)
    played_on = serializers.DateField(allow_null=True)
    entry = serializers.IntegerField(allow_null=True)


class BattleRowSerializer(serializers.Serializer):
    code = serializers.CharField()
    campaign = serializers.CharField(source="campaign.code", default="")
    number = serializers.IntegerField(allow_null=True)
    stage = serializers.ChoiceField(Battle.Stage.choices)
    scenario = serializers.CharField()


class NewBattleSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    scenario = serializers.ChoiceField(choices=["", *SCENARIO], default="")
    names = serializers.ListField(child=serializers.CharField(max_length=200), min_length=2, max_length=6)
    codes = serializers.ListField(
        child=serializers.CharField(max_length=MAX_CODE_LENGTH, allow_blank=True),
        default=list,
        max_length=6,
        help_text="army codes in the order of the names; empty for none",
    )
    muster = serializers.BooleanField(default=False, help_text="roll an army for every side without a code")
    leaders = serializers.ListField(
        child=serializers.CharField(max_length=16, allow_blank=True),
        default=list,
        max_length=6,
        help_text="codes of the people who lead them, in the order of the names; empty for nobody",
    )


class SetUpSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    scenario = serializers.ChoiceField(choices=list(SCENARIO), required=False)
    die = serializers.IntegerField(required=False, min_value=1, max_value=10)
    swap = serializers.BooleanField(default=False)
    roll = serializers.BooleanField(default=False, help_text="roll for the scenario here")
    roll_sides = serializers.BooleanField(default=False, help_text="roll for the sides here")


class CountsSerializer(serializers.Serializer):
    A = serializers.IntegerField(default=0, min_value=0, max_value=99)
    B = serializers.IntegerField(default=0, min_value=0, max_value=99)


class UnitKeysSerializer(serializers.Serializer):
    A = serializers.ListField(child=serializers.CharField(max_length=30), default=list, max_length=40)
    B = serializers.ListField(child=serializers.CharField(max_length=30), default=list, max_length=40)


class HousesSerializer(serializers.Serializer):
    A = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=4), default=list, max_length=4)
    B = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=4), default=list, max_length=4)


class ReportDraftSerializer(serializers.Serializer):
    """What happened. Units are named by their slots: king, house-1 to house-4, garrison-1, train-1, rebel-1."""

    ending = serializers.CharField(
        max_length=30, help_text="yielded-A, destroyed-B, routed-A, held_out, counted, draw …"
    )
    removed = UnitKeysSerializer(default=dict)
    escaped = serializers.ListField(child=serializers.CharField(max_length=30), default=list, max_length=40)
    crossings = CountsSerializer(default=dict)
    mounds = serializers.ListField(child=CountsSerializer(), default=list, max_length=30)
    ablaze = serializers.IntegerField(default=0, min_value=0, max_value=MAX_ABLAZE)
    spent = CountsSerializer(default=dict)
    silent = HousesSerializer(default=dict)


class ReportSerializer(ReportDraftSerializer):
    key = serializers.CharField(max_length=80)
    played_on = serializers.DateField(required=False)
    accept_late = serializers.BooleanField(default=False)
    report_as = serializers.CharField(
        max_length=16, required=False, help_text="code of the captain who reports, with the slip alone"
    )
    preview = serializers.BooleanField(default=False, help_text="only work it out; nothing is reported")


class FallenSerializer(serializers.Serializer):
    side = serializers.CharField(max_length=1)
    unit = serializers.CharField(max_length=30, help_text="its slot: king, house-1 …")
    by = serializers.CharField(max_length=1, allow_blank=True, help_text="the side that removed it; empty for nobody")


class ArmiesReportDraftSerializer(serializers.Serializer):
    """A pitched battle of three to six armies, unit by unit."""

    winner = serializers.CharField(max_length=1, allow_null=True, help_text="letter of the side; null for nobody")
    fallen = FallenSerializer(many=True, default=list, max_length=240)
    yielded = serializers.ListField(child=serializers.CharField(max_length=1), default=list, max_length=6)


class ArmiesReportSerializer(ArmiesReportDraftSerializer):
    key = serializers.CharField(max_length=80)
    kingdoms = serializers.ListField(
        child=serializers.CharField(max_length=30),
        default=list,
        max_length=4,
        help_text="in a campaign: the kingdoms besides the two that declared it; they are sides C, D …",
    )
    played_on = serializers.DateField(required=False)
    report_as = serializers.CharField(
        max_length=16, required=False, help_text="code of the captain who reports, with the slip alone"
    )
    preview = serializers.BooleanField(default=False, help_text="only work it out; nothing is reported")


class ReportPreviewSerializer(serializers.Serializer):
    winner = serializers.CharField(allow_null=True)
    reason = serializers.CharField()
    effects = BattleEffectSerializer(many=True)


class SubmittedReportSerializer(serializers.Serializer):
    entry = serializers.IntegerField(
        required=False, help_text="number of the chronicle entry, if it was recorded at once"
    )
    petition = serializers.IntegerField(required=False, help_text="id of the approval it waits for")
    worked = ReportPreviewSerializer()


class TallyRowSerializer(serializers.Serializer):
    name = serializers.CharField()
    under = serializers.CharField()
    played = serializers.IntegerField(source="tally.played")
    won = serializers.IntegerField(source="tally.won")
    drawn = serializers.IntegerField(source="tally.drawn")
    share = serializers.IntegerField(help_text="percent; a draw is half a win")
    low = serializers.IntegerField(help_text="lower end of the interval, percent")
    high = serializers.IntegerField()
    units_fielded = serializers.IntegerField(source="tally.fielded")
    units_removed = serializers.IntegerField(source="tally.removed")


class TallyTableSerializer(serializers.Serializer):
    key = serializers.CharField()
    title = serializers.CharField()
    rows = TallyRowSerializer(many=True)


def _listed_battles(who: Who) -> QuerySet[Battle]:
    rows = Battle.objects.visible_to(who).select_related("campaign")
    return rows.only("code", "number", "stage", "scenario", "campaign__code")


@prepared_query
def _first_battles(who: Who, *, count: int) -> QuerySet[Battle]:
    return _listed_battles(who).order_by("-pk")[:count]


class BattlesView(APIView):
    needs_no_log_in = ("GET", "POST")

    @extend_schema(
        parameters=[
            *PAGE_PARAMETERS,
            OpenApiParameter("campaign", str, description="code of a campaign"),
            OpenApiParameter("number", int, description="its number in that campaign"),
            OpenApiParameter("stage", str, enum=Battle.Stage.values),
        ],
        responses=BattleRowSerializer(many=True),
        operation_id="battles_list",
    )
    def get(self, request: Request) -> Response:
        """The battles you may see, newest first."""
        query = request.query_params

        def draw(found: list[Battle]) -> Any:
            return BattleRowSerializer(found, many=True).data

        if not any(query.get(name) for name in ("cursor", "campaign", "number", "stage")):
            who = WhoWithPasses(request.who)
            return first_page(request, lambda count: _first_battles(who, count=count), ("-pk",), draw)
        rows = _listed_battles(request.who)
        if campaign := query.get("campaign", ""):
            rows = rows.filter(campaign__code=campaign)
        if (number := parse_int(query.get("number", ""))) is not None:
            rows = rows.filter(number=number)
        if stage := query.get("stage", ""):
            rows = rows.filter(stage=stage)
        return paginate(request, rows, ("-pk",), draw)

    @extend_schema(request=NewBattleSerializer, responses={201: BattleRowSerializer}, operation_id="battles_create")
    def post(self, request: Request) -> Response:
        """Create a standalone battle. Without a log-in, this browser holds its link."""
        data = _validated(NewBattleSerializer, request)
        armies, people = _armies(data), _leaders(request.who, data["leaders"])
        access_codes.NEW_BATTLE_LIMIT.count_use(request._request)
        battle = new_battle_services.create_standalone_battle(
            request.who, key=data["key"], scenario=data["scenario"], names=data["names"], armies=armies, people=people
        )
        if not request.who.is_known:
            passes_services.hold_pass(request._request, new_battle_services.get_edit_pass(battle, request.who))
        return Response(BattleRowSerializer(battle).data, status=201)


class BattleView(APIView):
    @extend_schema(responses=BattleDisplaySerializer)
    def get(self, request: Request, code: str) -> Response:
        """One battle: its stage and its result."""
        battle, state = get_visible_battle(request.who, code)
        return Response(BattleDisplaySerializer(battle_display(battle, state)).data)


class SetUpView(APIView):
    @extend_schema(request=SetUpSerializer, responses=BattleDisplaySerializer)
    def post(self, request: Request, code: str) -> Response:
        """Set the scenario, chosen or rolled, or swap the sides, or roll for them."""
        battle, _ = get_visible_battle(request.who, code)
        data = _validated(SetUpSerializer, request)
        if data["roll_sides"]:
            services.roll_sides(battle, request.who, key=data["key"])
        else:
            die = services.roll_scenario_die(battle, data["key"]) if data["roll"] else data.get("die")
            services.set_up_battle(
                battle, request.who, key=data["key"], scenario=data.get("scenario"), die=die, swap=data["swap"]
            )
        battle, state = get_visible_battle(request.who, code)
        return Response(BattleDisplaySerializer(battle_display(battle, state)).data)


class ReportView(APIView):
    @extend_schema(responses=ReportDraftSerializer, operation_id="battles_report_draft")
    def get(self, request: Request, code: str) -> Response:
        """What the form starts with: the report that waits for confirmation, or what the tracker knows."""
        battle, _ = _reportable_battle(request, code)
        _require_two_armies(battle)
        values = result_forms.initial_values(battle, result_services.pending_approval_of(battle))
        mounds = [dict(zip("AB", mound, strict=True)) for mound in values["mounds"]]
        return Response(ReportDraftSerializer({**values, "mounds": mounds}).data)

    @extend_schema(request=ReportSerializer, responses=SubmittedReportSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Report the result. It is recorded at once or waits for confirmation."""
        battle, state = _reportable_battle(request, code)
        if not battle.scenario:
            raise Refusal("Choose the scenario first.", status=409)
        _require_two_armies(battle)
        data = _validated(ReportSerializer, request)
        report = result_forms.report_from_values(battle, state, _form_values(data))
        scored = result_services.score_report(battle, report, state)
        worked = result_services.preview_report(battle, scored, state)
        if data["preview"]:
            return Response({"worked": ReportPreviewSerializer(worked).data})
        person = _reporter(request, battle, state, data)
        answer = result_services.submit_report(
            battle,
            request.who,
            scored,
            key=data["key"],
            accept_late=data["accept_late"],
            as_person=person,
            state=state,
        )
        found: dict[str, object] = {name: answer[name] for name in ("entry", "petition") if name in answer}
        return Response({**found, "worked": ReportPreviewSerializer(worked).data})


class ReportArmiesView(APIView):
    @extend_schema(responses=ArmiesReportDraftSerializer, operation_id="battles_report_armies_draft")
    def get(self, request: Request, code: str) -> Response:
        """What the form starts with: what the tracker knows, or the report that waits for confirmation."""
        battle, _ = _reportable_battle(request, code)
        values = result_forms.initial_multi_army_values(battle, result_services.pending_approval_of(battle))
        winner = values.get("winner", "")
        fallen = [
            {"side": side, "unit": unit, "by": by}
            for side, units in values.get("fallen", {}).items()
            for unit, by in units.items()
        ]
        draft = {"winner": None if winner in ("", "draw") else winner, "fallen": fallen}
        return Response(ArmiesReportDraftSerializer({**draft, "yielded": values.get("yielded", [])}).data)

    @extend_schema(request=ArmiesReportSerializer, responses=SubmittedReportSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Report a pitched battle of more than two armies, unit by unit."""
        battle, state = _reportable_battle(request, code)
        data = _validated(ArmiesReportSerializer, request)
        whole = result_services.with_extra_kingdoms(battle, state, data["kingdoms"])
        rows = side_rows(whole, state)
        fallen: dict[str, dict[str, str]] = {}
        for row in data["fallen"]:
            fallen.setdefault(row["side"], {})[row["unit"]] = row["by"]
        report = MultiArmyReport.from_units(
            data["winner"], {row.letter: row.fielded_units() for row in rows}, fallen, tuple(data["yielded"])
        )
        worked = result_services.preview_multi_army_report(whole, report, rows, state)
        if data["preview"]:
            return Response({"worked": ReportPreviewSerializer(worked).data})
        person = _reporter(request, battle, state, data)
        answer = result_services.submit_multi_army_report(
            battle,
            whole,
            request.who,
            report,
            key=data["key"],
            played_on=data.get("played_on"),
            as_person=person,
            state=state,
        )
        found: dict[str, object] = {name: answer[name] for name in ("entry", "petition") if name in answer}
        return Response({**found, "worked": ReportPreviewSerializer(worked).data})


class StatisticsView(APIView):
    needs_no_log_in = ("GET",)

    @extend_schema(responses=TallyTableSerializer(many=True), operation_id="battles_statistics")
    def get(self, request: Request) -> Response:
        """Win rates of the battles you may see, each with its interval."""
        found = tally_games(games_of(request.who, campaigns_of(request.who)))
        return Response(TallyTableSerializer(tally_tables(found, request.who), many=True).data)


def _armies(data: Validated) -> list[Army | None]:
    for field in ("codes", "leaders"):
        if len(data[field]) > len(data["names"]):
            raise Refusal("There are more of them than names of armies.", field=field)
    codes = data["codes"] + [""] * (len(data["names"]) - len(data["codes"]))
    rest = {"key": data["key"], "scenario": data["scenario"], "muster": data["muster"]}
    return [choose_army(code, at + 1, field=f"codes.{at}", **rest) for at, code in enumerate(codes)]


def _leaders(who: Who, codes: list[str]) -> list[Person | None]:
    """Of the people you know."""
    rows = Person.objects.known_to(who).roots().filter(code__in=[code for code in codes if code], forgotten_at=None)
    known = {person.code: person for person in rows} if any(codes) else {}
    for at, code in enumerate(codes):
        if code and code not in known:
            raise Refusal("You know nobody with this code.", field=f"leaders.{at}")
    return [known.get(code) for code in codes]


def _reportable_battle(request: Request, code: str) -> tuple[Battle, State | None]:
    battle, state = get_visible_battle(request.who, code)
    require_permission(permissions_of(battle, request.who, state).report, battle)
    if battle.is_over:
        raise Refusal("This battle is over.", status=409)
    return battle, state


def _require_two_armies(battle: Battle) -> None:
    if len(battle.sides) != 2:
        raise Refusal("Report more than two armies at “report-armies/”.", status=409)


def _reporter(request: Request, battle: Battle, state: State | None, data: Validated) -> Person | None:
    """With the slip alone somebody has to say who reports; the token remembers it for the next time."""
    code = data.get("report_as")
    person = choose_reporter(request._request, battle, state, (lambda one: one.code == code) if code else None)
    if person is not None:
        remember_reporter(request._request, battle, person)
    return person


def _validated(kind: type[serializers.Serializer], request: Request) -> Validated:
    serializer = kind(data=request.data)
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def _form_values(data: Validated) -> FormValues:
    def pair(name: str) -> dict[str, int]:
        return {side: data[name].get(side) or 0 for side in "AB"}

    return {
        "ending": data["ending"],
        "removed": {side: tuple(data["removed"].get(side) or ()) for side in "AB"},
        "escaped": tuple(data["escaped"]),
        "crossings": {side: n for side, n in pair("crossings").items() if n},
        "mounds": tuple((row["A"], row["B"]) for row in data["mounds"]),
        "ablaze": data["ablaze"],
        "spent": pair("spent"),
        "silent": {side: tuple(data["silent"].get(side) or ()) for side in "AB"},
        "played_on": data.get("played_on"),
    }
