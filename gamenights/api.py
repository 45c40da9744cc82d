"""Groups, nights and plays as JSON, with the data and refusals of the pages. People are named by their codes."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from gamenights.nights import services as nights_services
from gamenights.nights.day_boundary import day_of
from gamenights.nights.display import build_night
from gamenights.nights.models import Night
from gamenights.nights.permissions import require_part
from gamenights.nights.selectors import get_visible_night
from gamenights.plays import services
from gamenights.plays.codec import PlayJson, play_to_json
from gamenights.plays.models import Play
from gamenights.plays.permissions import can_see
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, Variant, is_rated_by_default, new_uuid
from groups.models import Group
from groups.permissions import require_member
from groups.selectors import get_visible_group, list_members
from log.services import new_key
from pages.number_parsing import parse_int
from people.models import Person
from people.name_validation import clean_text, shorten_name
from people.requester import Who
from refusal import Refusal

MOST_PLAYS = 500
USUAL = {
    "score": None,
    "score_text": "",
    "team": "",
    "role": "",
    "place": None,
    "won": False,
    "started": False,
    "new": False,
    "bot": False,
}


class GroupSerializer(serializers.ModelSerializer):
    class Meta:
        model = Group
        fields = ["code", "name", "zone", "visibility", "founded_at"]


class GroupPersonSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="host, member or guest")


class NightRowSerializer(serializers.ModelSerializer):
    class Meta:
        model = Night
        fields = ["code", "name", "day", "starts_at", "ends_at", "place", "closed_at"]


class GroupDetailSerializer(GroupSerializer):
    people = GroupPersonSerializer(many=True)
    nights = NightRowSerializer(many=True)

    class Meta(GroupSerializer.Meta):
        fields = [*GroupSerializer.Meta.fields, "people", "nights"]


class NightPersonSerializer(serializers.Serializer):
    name = serializers.CharField()
    answer = serializers.CharField(allow_blank=True)
    is_here = serializers.BooleanField()


class PlayerSerializer(serializers.Serializer):
    person = serializers.CharField(help_text="the person's code; empty for a bot")
    name = serializers.CharField()
    score = serializers.CharField(allow_null=True)
    score_text = serializers.CharField(help_text="as it was entered")
    team = serializers.CharField()
    role = serializers.CharField()
    place = serializers.IntegerField(allow_null=True)
    won = serializers.BooleanField()
    started = serializers.BooleanField()
    new = serializers.BooleanField()
    bot = serializers.BooleanField()


class PlaySerializer(serializers.Serializer):
    uuid = serializers.CharField()
    game = serializers.CharField()
    day = serializers.DateField()
    scoring = serializers.ChoiceField([one.value for one in Scoring])
    variant = serializers.CharField()
    started_at = serializers.DateTimeField(allow_null=True)
    logged_at = serializers.DateTimeField(allow_null=True)
    minutes = serializers.IntegerField(allow_null=True)
    rated = serializers.BooleanField()
    counted = serializers.BooleanField()
    location = serializers.CharField()
    board = serializers.CharField()
    notes = serializers.CharField()
    players = PlayerSerializer(many=True)


class NightDetailSerializer(NightRowSerializer):
    plan = serializers.CharField(allow_blank=True)
    people = NightPersonSerializer(many=True)
    tables = serializers.ListField(child=serializers.DictField())
    plays = PlaySerializer(many=True)

    class Meta(NightRowSerializer.Meta):
        fields = [*NightRowSerializer.Meta.fields, "plan", "people", "tables", "plays"]


class PlayerInSerializer(serializers.Serializer):
    person = serializers.CharField(max_length=16, help_text="the person's code")
    score = serializers.CharField(max_length=60, required=False, allow_blank=True, help_text="42, -3 or 12+30")
    team = serializers.CharField(max_length=80, required=False, allow_blank=True)
    role = serializers.CharField(max_length=80, required=False, allow_blank=True)
    place = serializers.IntegerField(min_value=1, max_value=100, required=False, allow_null=True)
    won = serializers.BooleanField(required=False)
    started = serializers.BooleanField(required=False)


class PlayInSerializer(serializers.Serializer):
    """A play to log or the new state of one. The same key or the same uuid logs it once."""

    key = serializers.CharField(max_length=80, help_text="made up by the client; a key sent twice counts once")
    uuid = serializers.SlugField(max_length=80, required=False)
    game = serializers.CharField(max_length=80, help_text="its name; a new game is added to the shelf")
    players = PlayerInSerializer(many=True)
    day = serializers.DateField(required=False)
    night = serializers.CharField(max_length=6, required=False, allow_blank=True)
    scoring = serializers.ChoiceField([one.value for one in Scoring], required=False)
    variant = serializers.CharField(max_length=200, required=False, allow_blank=True)
    minutes = serializers.IntegerField(min_value=0, max_value=10_080, required=False, allow_null=True)
    rated = serializers.BooleanField(required=False, allow_null=True)
    notes = serializers.CharField(max_length=10_000, required=False, allow_blank=True)


class KeySerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)


class GroupList(APIView):
    @extend_schema(responses=GroupSerializer(many=True), operation_id="groups_list")
    def get(self, request: Request) -> Response:
        """The groups you belong to, or came to as a guest."""
        return Response(GroupSerializer(Group.objects.known_to(request.who), many=True).data)


class GroupDetail(APIView):
    @extend_schema(responses=GroupDetailSerializer, operation_id="groups_show")
    def get(self, request: Request, code: str) -> Response:
        """One group with its people and its last nights."""
        group = get_visible_group(request.who, code)
        people = [
            {"code": row.person.root.code, "name": row.person.root.name, "role": row.role}
            for row in list_members(group)
        ]
        nights = NightRowSerializer(Night.objects.filter(group=group)[:100], many=True).data
        return Response({**GroupSerializer(group).data, "people": people, "nights": nights})


class PlayList(APIView):
    @extend_schema(
        operation_id="plays_list",
        parameters=[
            OpenApiParameter("from", dt.date, description="first day"),
            OpenApiParameter("to", dt.date, description="last day"),
            OpenApiParameter("offset", int, description=f"for the next {MOST_PLAYS}"),
        ],
        responses=PlaySerializer(many=True),
    )
    def get(self, request: Request, code: str) -> Response:
        """The plays of a group, oldest first, at most 500 at a time."""
        group = get_visible_group(request.who, code)
        found = plays_of_group(group, _day(request, "from"), _day(request, "to")).order_by("day", "logged_at", "pk")
        start = parse_int(request.query_params.get("offset", "")) or 0
        ids = list(found.values_list("pk", flat=True)[start : start + MOST_PLAYS])
        return Response(_plays_json(Play.objects.filter(pk__in=ids)))

    @extend_schema(operation_id="plays_log", request=PlayInSerializer, responses=PlaySerializer)
    def post(self, request: Request, code: str) -> Response:
        """Log a play."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        data = _valid(PlayInSerializer, request)
        night = _night(group, data.get("night", ""))
        facts = _read_play(group, data, new_uuid())
        play = services.log_play(group, request.who, key=data["key"], facts=facts, night=night)
        return Response(_plays_json(Play.objects.filter(pk=play.pk))[0], status=201)


class PlayDetail(APIView):
    @extend_schema(responses=PlaySerializer, operation_id="plays_show")
    def get(self, request: Request, code: str, uuid: str) -> Response:
        """One play."""
        play = _get_play(request.who, code, uuid)
        return Response(_plays_json(Play.objects.filter(pk=play.pk))[0])

    @extend_schema(operation_id="plays_change", request=PlayInSerializer, responses=PlaySerializer)
    def put(self, request: Request, code: str, uuid: str) -> Response:
        """Change a play. Its history keeps what it was. Where the group wants consent, the change waits for it."""
        play = _get_play(request.who, code, uuid)
        data = _valid(PlayInSerializer, request)
        facts = _read_play(play.group, {"day": play.day, **data}, play.uuid)
        services.change_play(play, request.who, key=data["key"], facts=facts)
        return Response(_plays_json(Play.objects.filter(pk=play.pk))[0])

    @extend_schema(operation_id="plays_remove", request=None, responses={204: None})
    def delete(self, request: Request, code: str, uuid: str) -> Response:
        """Remove a play. It can be restored on its page."""
        services.remove_play(_get_play(request.who, code, uuid), request.who, key=new_key())
        return Response(status=204)


class NightDetail(APIView):
    @extend_schema(responses=NightDetailSerializer, operation_id="nights_show")
    def get(self, request: Request, code: str) -> Response:
        """A night: who comes, who is here, its tables and plays."""
        night = get_visible_night(request, code)
        display = build_night(night, request.who)
        return Response(
            {
                **NightRowSerializer(night).data,
                "plan": night.plan,
                "people": NightPersonSerializer(display.people, many=True).data,
                "tables": [{"code": row.code, "game": row.title, "state": row.text} for row in display.tables],
                "plays": _plays_json(Play.objects.filter(night=night).standing()),
            }
        )


class NightCheckIn(APIView):
    @extend_schema(request=KeySerializer, responses={204: None}, operation_id="nights_check_in")
    def post(self, request: Request, code: str) -> Response:
        """Check in: you are here."""
        night = get_visible_night(request, code)
        require_part(night, request.who)
        nights_services.check_in(night, request.who, key=_valid(KeySerializer, request)["key"])
        return Response(status=204)


def _valid(serializer: type[serializers.Serializer], request: Request) -> PlayJson:
    found = serializer(data=request.data)
    found.is_valid(raise_exception=True)
    return found.validated_data


def _day(request: Request, name: str) -> dt.date | None:
    text = request.query_params.get(name, "")
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise Refusal("Enter a valid date, such as 2026-05-14.", field=name) from None


def _get_play(who: Who, code: str, uuid: str) -> Play:
    play = Play.objects.select_related("group__log", "night").filter(group__code=code, uuid=uuid).first()
    return play if play and can_see(play, who) else get_object_or_404(Play, pk=None)


def _night(group: Group, code: str) -> Night | None:
    return get_object_or_404(Night, group=group, code=code.upper()) if code else None


def _plays_json(plays: Any) -> list[PlayJson]:
    """With the codes of people in place of our numbers."""
    facts = load_facts(plays)
    ids = {int(player.person) for play in facts for player in play.players if player.person}
    codes = {str(pk): code for pk, code in Person.objects.filter(pk__in=ids).values_list("pk", "code")}
    found = []
    for play in facts:
        body = play_to_json(play)
        body["game"] = body.pop("game_name")
        body["players"] = [{**USUAL, **player, "person": codes.get(player["person"], "")} for player in body["players"]]
        found.append(body)
    return found


def _read_play(group: Group, data: PlayJson, uuid: str) -> PlayFacts:
    scoring = Scoring(data.get("scoring") or Scoring.HIGH)
    people = {row.person.root.code: row.person.root for row in list_members(group)}
    players = tuple(_read_player(at, row, people) for at, row in enumerate(data["players"]))
    variant = Variant.from_key(data.get("variant", ""))
    rated = data.get("rated")
    name = clean_text(data["game"])
    facts = PlayFacts(
        uuid=data.get("uuid") or uuid,
        game="",
        game_name=name,
        day=data.get("day") or day_of(timezone.now(), group.tzinfo),
        players=players,
        scoring=scoring,
        variant=variant,
        minutes=data.get("minutes"),
        rated=is_rated_by_default(variant, scoring, players) if rated is None else rated,
        notes=data.get("notes", ""),
    )
    facts = services.prepare(group, facts)
    game = services.find_or_add_game(group, name, {"scoring": scoring.value})
    return services.with_game(facts, game)


def _read_player(at: int, row: PlayJson, people: dict[str, Person]) -> PlayerResult:
    person = people.get(row["person"])
    if person is None:
        raise Refusal(f"Nobody in this group has the code {row['person']!r}.", field=f"players.{at}.person")
    return PlayerResult(
        person=str(person.pk),
        name=shorten_name(person.name),
        score_text=row.get("score", ""),
        team=clean_text(row.get("team", "")),
        role=clean_text(row.get("role", "")),
        place=row.get("place"),
        won=row.get("won", False),
        started=row.get("started", False),
    )
