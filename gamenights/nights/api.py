"""Nights as JSON: everything their pages do. People are named by their codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from cardgames.games import SHELF
from cardgames.tables.seats import seat_and_watch_passes as table_passes
from cardgames.tables.seats import seating
from dataclass_json import Text
from gamenights.nights import permissions, services
from gamenights.nights.battle_dates import find_declared_battle
from gamenights.nights.display import NightDisplay, build_night
from gamenights.nights.entries import MAX_DATES
from gamenights.nights.models import Attendance, Night
from gamenights.nights.newcomer_log_in import IsThatYou, come_by_name
from gamenights.nights.selectors import find_in_night, get_visible_night
from gamenights.plays.api import PlaySerializer, plays_to_json
from gamenights.plays.entries import Key, SentKey
from gamenights.plays.selectors import plays_of_night
from groups.api import GroupDetail, GroupDetailSerializer
from groups.models import Group
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.api_pagination import paginate
from pages.api_parsers import read_body
from people.api_tokens.scopes import RUN
from people.requester import Who
from refusal import Refusal

MOST_NIGHTS = 100
SENT_KEY = {"application/json": dataclass_json.schema(SentKey)}
KEY = "made up by the client; a key sent twice counts once"


class BareNameField(serializers.CharField):
    """A name without the marks that isolate it inside a sentence."""

    def to_representation(self, value: str) -> str:
        return value.strip("\u2068\u2069")


class KeySerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text=KEY)


class NightRowSerializer(serializers.ModelSerializer):
    class Meta:
        model = Night
        fields = ["code", "name", "day", "starts_at", "ends_at", "place", "closed_at"]


class NightPersonSerializer(serializers.Serializer):
    person = serializers.CharField(source="code", help_text="the person's code")
    name = serializers.CharField()
    answer = serializers.CharField(allow_blank=True)
    is_here = serializers.BooleanField()
    co_host = serializers.BooleanField()


class NightClaimSerializer(serializers.Serializer):
    """A newcomer who says they are someone the group knows; hosts answer with the act confirm or deny."""

    attendance = serializers.IntegerField()
    person = serializers.CharField(source="code")
    claims = serializers.CharField(help_text="the name of the person they say they are")


class NightMergeSerializer(serializers.Serializer):
    """Two people whom a host merged; the act split separates them again."""

    attendance = serializers.IntegerField()
    known = BareNameField(help_text="the person the group knew")
    name = BareNameField(help_text="who they are now")


class BringRowSerializer(serializers.Serializer):
    id = serializers.IntegerField(source="item.pk")
    what = serializers.CharField(source="item.what")
    by = BareNameField(source="name", allow_blank=True, help_text="who brings it, if anybody does yet")


class DateRowSerializer(serializers.Serializer):
    id = serializers.IntegerField(source="pk")
    starts_at = serializers.DateTimeField()
    yes = serializers.ListField(child=BareNameField())
    maybe = serializers.ListField(child=BareNameField())
    no = serializers.ListField(child=BareNameField())
    mine = serializers.CharField(allow_blank=True)


class NightTableSerializer(serializers.Serializer):
    code = serializers.CharField()
    game = serializers.CharField(source="title")
    state = serializers.CharField(source="text")


class NightDetailSerializer(NightRowSerializer):
    """Place, plan, plays and what to bring of a private group's night are empty until you answer or check in."""

    plan = serializers.CharField(allow_blank=True)
    host = serializers.CharField(help_text="the host's name")
    people = NightPersonSerializer(many=True)
    claims = NightClaimSerializer(many=True, help_text="empty unless you run the night")
    merged = NightMergeSerializer(many=True, help_text="empty unless you run the night")
    bring = BringRowSerializer(many=True)
    dates = DateRowSerializer(many=True)
    tables = NightTableSerializer(many=True)
    plays = PlaySerializer(many=True)

    class Meta(NightRowSerializer.Meta):
        fields = [
            *NightRowSerializer.Meta.fields,
            "plan", "host", "people", "claims", "merged", "bring", "dates", "tables", "plays",
        ]  # fmt: skip


def night_to_json(night: Night, display: NightDisplay) -> dict[str, object]:
    return {
        **NightRowSerializer(night).data,
        "place": display.place,
        "plan": display.plan,
        "host": display.host_name,
        "people": NightPersonSerializer(display.people, many=True).data,
        "claims": NightClaimSerializer(display.claims if display.can_run else (), many=True).data,
        "merged": NightMergeSerializer(display.confirmed if display.can_run else (), many=True).data,
        "bring": BringRowSerializer(display.bring, many=True).data,
        "dates": DateRowSerializer(display.dates, many=True).data,
        "tables": NightTableSerializer(display.tables, many=True).data,
        "plays": plays_to_json(plays_of_night(night)) if display.can_see_evening else [],
    }


def _answer(request: Request, night: Night, status: int = 200) -> Response:
    """The night as it is now."""
    fresh = Night.objects.select_related("group__log", "host__merged_into", "battle").get(pk=night.pk)
    return Response(night_to_json(fresh, build_night(fresh, request.who)), status=status)


# ── Planning ─────────────────────────────────────────────────────────────────────────────────────────────


class NightPlanSerializer(KeySerializer):
    """One date fixes it; several are voted on."""

    title = serializers.CharField(max_length=80, required=False, allow_blank=True)
    place = serializers.CharField(max_length=200, required=False, allow_blank=True)
    plan = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    dates = serializers.ListField(child=serializers.DateTimeField(), min_length=1, max_length=MAX_DATES)
    battle = serializers.CharField(max_length=20, required=False, help_text="the code of a declared battle")


class NightChangeSerializer(KeySerializer):
    """What is left out stays as it is."""

    title = serializers.CharField(max_length=80, required=False, allow_blank=True)
    place = serializers.CharField(max_length=200, required=False, allow_blank=True)
    plan = serializers.CharField(max_length=2000, required=False, allow_blank=True)
    starts_at = serializers.DateTimeField(required=False)


class NightList(APIView):
    @extend_schema(
        operation_id="nights_list",
        parameters=[OpenApiParameter("cursor", str), OpenApiParameter("limit", int)],
        responses=NightRowSerializer(many=True),
    )
    def get(self, request: Request, code: str) -> Response:
        """The nights of a group, the last planned first; the next page is in the Link header."""
        group = get_visible_group(request.who, code)
        rows = Night.objects.filter(group=group)
        return paginate(request, rows, ["-pk"], lambda found: NightRowSerializer(found, many=True).data)

    @extend_schema(operation_id="nights_plan", request=NightPlanSerializer, responses={201: NightDetailSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Plan a night."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        data = read_body(NightPlanSerializer, request)
        battle = find_declared_battle(group, request.who, data.pop("battle", ""))
        dates = data.pop("dates")
        start = dates[0] if len(set(dates)) == 1 else None
        night = services.plan_night(
            group, request.who, starts_at=start, dates=() if start else dates, battle=battle, **data
        )
        return _answer(request, night, status=201)


class GroupWithNightsSerializer(GroupDetailSerializer):
    nights = NightRowSerializer(many=True)

    class Meta(GroupDetailSerializer.Meta):
        fields = [*GroupDetailSerializer.Meta.fields, "nights"]


class GroupWithNights(GroupDetail):
    """A group with its last nights."""

    def to_json(self, group: Group) -> dict[str, object]:
        nights = Night.objects.filter(group=group)[:MOST_NIGHTS]
        return {**super().to_json(group), "nights": NightRowSerializer(nights, many=True).data}

    @extend_schema(responses=GroupWithNightsSerializer, operation_id="groups_show")
    def get(self, request: Request, code: str) -> Response:
        """One group with its people and its last nights."""
        return super().get(request, code)


class NightTonight(APIView):
    @extend_schema(operation_id="nights_tonight", request=SENT_KEY, responses={201: NightDetailSerializer})
    def post(self, request: Request, code: str) -> Response:
        """The night that is on, or a new one. You are checked in."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        night = services.start_tonight(group, request.who, key=dataclass_json.read(SentKey, request.data).key)
        return _answer(request, night, status=201)


class NightDetail(APIView):
    scopes = {"PATCH": RUN}

    @extend_schema(responses=NightDetailSerializer, operation_id="nights_show")
    def get(self, request: Request, code: str) -> Response:
        """A night: who comes, who is here, what to bring, dates to vote on, tables and plays."""
        night = get_visible_night(request, code)
        return Response(night_to_json(night, build_night(night, request.who)))

    @extend_schema(operation_id="nights_change", request=NightChangeSerializer, responses=NightDetailSerializer)
    def patch(self, request: Request, code: str) -> Response:
        """Change its title, place, plan or start."""
        night = get_visible_night(request, code)
        permissions.require_run(night, request.who)
        data = read_body(NightChangeSerializer, request)
        now = {"title": night.title, "place": night.place, "plan": night.plan, "starts_at": None}
        services.change_night(night, request.who, **{**now, **data})
        return _answer(request, night)


# ── Who comes, who is here, who runs it ──────────────────────────────────────────────────────────────────


NAME = "without a log-in: your name. The token then belongs to a new guest of the night's host"
KNOWN = "after “Is that you?”: the code of the person you are, which the host confirms, or “nobody”"
IS_THAT_YOU = "The group knows somebody of this name. Send “known”: their code if it is you, or “nobody”."


class NightAnswerSerializer(KeySerializer):
    answer = serializers.ChoiceField([choice for choice in Attendance.Answer.values if choice])
    name = serializers.CharField(max_length=1000, default="", allow_blank=True, help_text=NAME)
    known = serializers.CharField(max_length=16, default="", allow_blank=True, help_text=KNOWN)


@dataclass(frozen=True, slots=True)
class SentArrival:
    """``name``, without a log-in: the token then belongs to a new guest. ``known``: the code of who you are, or
    “nobody”, after “Is that you?”."""

    key: Key
    name: Annotated[str, Text("The name", 1000)] = ""
    known: Annotated[str, Text("The person", 16)] = ""


def _do_as_guest(request: Request, night: Night, name: str, said: str, then: Callable[[Who], object]) -> None:
    """Do it as whoever asks; a newcomer becomes a guest first. A name the group knows is asked about, never merged."""
    if request.who.is_known or not name:
        request.who.require_person()
        then(request.who)
        return
    try:
        come_by_name(request._request, night, name, said, then)
    except IsThatYou as asked:
        rows = [{"person": one.code, "last_here": day and day.isoformat()} for one, day in asked.namesakes]
        raise Refusal(IS_THAT_YOU, status=409, field="known", fresh={"namesakes": rows}) from None


class NightAnswer(APIView):
    @extend_schema(operation_id="nights_answer", request=NightAnswerSerializer, responses=NightDetailSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Say whether you come. The night's code and a name are enough."""
        night = get_visible_night(request, code)
        data = read_body(NightAnswerSerializer, request)

        def answer(who: Who) -> None:
            services.answer_invitation(night, who, key=data["key"], answer=data["answer"])

        _do_as_guest(request, night, data["name"], data["known"], answer)
        return _answer(request, night)


class NightCheckIn(APIView):
    @extend_schema(
        request={"application/json": dataclass_json.schema(SentArrival)},
        responses={204: None},
        operation_id="nights_check_in",
    )
    def post(self, request: Request, code: str) -> Response:
        """Check in: you are here. The night's code and a name are enough."""
        night = get_visible_night(request, code)
        sent = dataclass_json.read(SentArrival, request.data)

        def check_in(who: Who) -> None:
            services.check_in(night, who, key=sent.key)

        _do_as_guest(request, night, sent.name, sent.known, check_in)
        return Response(status=204)


class NightLeave(APIView):
    @extend_schema(request=SENT_KEY, responses={204: None}, operation_id="nights_leave")
    def post(self, request: Request, code: str) -> Response:
        """You have left."""
        night = get_visible_night(request, code)
        request.who.require_person()
        services.check_out(night, request.who, key=dataclass_json.read(SentKey, request.data).key)
        return Response(status=204)


OF_THE_NIGHT: dict[str, Callable[..., None]] = {"close": services.close_night, "reopen": services.reopen_night}
OF_A_PERSON: dict[str, Callable[..., None]] = {
    "hand_over": services.hand_over,
    "check_in": services.check_in,
    "check_out": services.check_out,
    "co_host": lambda night, who, **more: services.set_co_host(night, who, co_host=True, **more),
    "no_co_host": lambda night, who, **more: services.set_co_host(night, who, co_host=False, **more),
}
OF_A_CLAIM: dict[str, Callable[..., None]] = {
    "confirm": lambda night, who, **more: services.answer_claim(night, who, agree=True, **more),
    "deny": lambda night, who, **more: services.answer_claim(night, who, agree=False, **more),
    "split": services.undo_claim,
}


class NightActSerializer(KeySerializer):
    act = serializers.ChoiceField([*OF_THE_NIGHT, *OF_A_PERSON, *OF_A_CLAIM])
    person = serializers.CharField(max_length=16, required=False, help_text=f"a code, for {', '.join(OF_A_PERSON)}")
    attendance = serializers.IntegerField(required=False, help_text="from claims or, for split, from merged")


class NightActs(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="nights_act", request=NightActSerializer, responses=NightDetailSerializer)
    def post(self, request: Request, code: str) -> Response:
        """What the host and co-hosts do: close, reopen, co-hosts, hand-over, checking others in, "Is that you?"."""
        night = get_visible_night(request, code)
        permissions.require_run(night, request.who)
        data = read_body(NightActSerializer, request)
        act, key = data["act"], data["key"]
        if act in OF_THE_NIGHT:
            OF_THE_NIGHT[act](night, request.who, key=key)
        elif act in OF_A_PERSON:
            person = find_in_night(night, code=data.get("person", ""))
            OF_A_PERSON[act](night, request.who, key=key, person=person)
        else:
            rows = night.attendances.select_related("person", "claims", "confirmed__merged_into")
            row = get_object_or_404(rows, pk=data.get("attendance") or 0)
            OF_A_CLAIM[act](night, request.who, key=key, attendance=row)
        return _answer(request, night)


# ── What to bring, dates, tables ─────────────────────────────────────────────────────────────────────────


class BringInSerializer(KeySerializer):
    what = serializers.CharField(max_length=80)


class BringActSerializer(KeySerializer):
    act = serializers.ChoiceField(["take", "leave", "remove"])


class NightBring(APIView):
    @extend_schema(operation_id="nights_bring_add", request=BringInSerializer, responses={201: NightDetailSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Add something to bring."""
        night = get_visible_night(request, code)
        permissions.require_part(night, request.who)
        services.add_bring_item(night, request.who, **read_body(BringInSerializer, request))
        return _answer(request, night, status=201)


class NightBringItem(APIView):
    @extend_schema(operation_id="nights_bring_change", request=BringActSerializer, responses=NightDetailSerializer)
    def post(self, request: Request, code: str, pk: int) -> Response:
        """Take it on, leave it to others, or remove it."""
        night = get_visible_night(request, code)
        permissions.require_part(night, request.who)
        item = get_object_or_404(night.bring_items, pk=pk)
        services.change_bring_item(night, request.who, item=item, **read_body(BringActSerializer, request))
        return _answer(request, night)


class DateVoteSerializer(serializers.Serializer):
    id = serializers.IntegerField()
    answer = serializers.ChoiceField(["yes", "maybe", "no"])


class DateVotesSerializer(KeySerializer):
    answers = DateVoteSerializer(many=True, allow_empty=False)
    name = serializers.CharField(max_length=1000, default="", allow_blank=True, help_text=NAME)
    known = serializers.CharField(max_length=16, default="", allow_blank=True, help_text=KNOWN)


class DateChoiceSerializer(KeySerializer):
    id = serializers.IntegerField()


class NightDates(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="nights_dates_vote", request=DateVotesSerializer, responses=NightDetailSerializer)
    def put(self, request: Request, code: str) -> Response:
        """Vote on the proposed dates. The night's code and a name are enough."""
        night = get_visible_night(request, code)
        data = read_body(DateVotesSerializer, request)
        answers = {row["id"]: row["answer"] for row in data["answers"]}

        def vote(who: Who) -> None:
            services.vote_on_dates(night, who, key=data["key"], answers=answers)

        _do_as_guest(request, night, data["name"], data["known"], vote)
        return _answer(request, night)

    @extend_schema(operation_id="nights_dates_fix", request=DateChoiceSerializer, responses=NightDetailSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Fix one of the dates."""
        night = get_visible_night(request, code)
        permissions.require_run(night, request.who)
        data = read_body(DateChoiceSerializer, request)
        option = get_object_or_404(night.date_options, pk=data["id"])
        services.choose_date(night, request.who, key=data["key"], option=option)
        return _answer(request, night)


class NightTableInSerializer(KeySerializer):
    game = serializers.ChoiceField(list(SHELF))


class NightTables(APIView):
    @extend_schema(
        operation_id="nights_open_table", request=NightTableInSerializer, responses={201: NightTableSerializer}
    )
    def post(self, request: Request, code: str) -> Response:
        """Open a card table in this night, with a seat for everybody who sits nowhere yet."""
        night = get_visible_night(request, code)
        permissions.require_part(night, request.who)
        data = read_body(NightTableInSerializer, request)
        table = services.open_table(night, request.who, **data)
        table_passes.grant_watch_pass(request._request, table)
        seating.seat_host(request._request, table, key=data["key"])
        rows = build_night(night, request.who).tables
        return Response(NightTableSerializer(next(row for row in rows if row.code == table.code)).data, status=201)
