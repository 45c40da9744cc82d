"""Plays as JSON, with the data and refusals of the pages. People are named by their codes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from cardgames.models import PRIVATE_CODE
from gamenights.nights.day_boundary import day_of
from gamenights.nights.models import Night
from gamenights.plays import services
from gamenights.plays.codec import PlayJson, play_to_json
from gamenights.plays.display import build_history, build_proposal
from gamenights.plays.entries import SentPlay, SentPlayer
from gamenights.plays.models import Play
from gamenights.plays.permissions import can_edit, can_see
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, Variant, is_rated_by_default, new_uuid
from groups.models import Group
from groups.permissions import require_member
from groups.selectors import get_visible_group, list_members
from log.services import new_key
from pages.api_pagination import PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body
from people.models import Person
from people.name_validation import clean_text, shorten_name
from people.requester import Who
from photos.api import PhotosOf
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


class PlayHistorySerializer(serializers.Serializer):
    at = serializers.DateTimeField()
    text = serializers.CharField()
    result = serializers.CharField(source="detail", help_text="as it was entered then")


class ProposalSerializer(serializers.Serializer):
    """A change that waits for consent."""

    id = serializers.IntegerField(source="entry", help_text="agree to it or reject it with this id")
    text = serializers.CharField()
    game = serializers.CharField(help_text="the new game, if it is another")
    result = serializers.CharField(source="detail", help_text="as it would be")
    may_settle = serializers.BooleanField(source="can_agree")
    is_mine = serializers.BooleanField(source="is_own")


class WholePlaySerializer(PlaySerializer):
    night = serializers.CharField(allow_null=True, help_text="code of the night")
    removed = serializers.BooleanField()
    may_change = serializers.BooleanField()
    proposal = ProposalSerializer(allow_null=True)
    history = PlayHistorySerializer(many=True, help_text="newest first")


class PlayActSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80)
    act = serializers.ChoiceField(["restore", "move", "agree", "reject"])
    night = serializers.CharField(
        max_length=PRIVATE_CODE, required=False, allow_blank=True, help_text="for move; empty for none"
    )
    proposal = serializers.IntegerField(required=False, help_text="its id, for agree and reject")


def _json(kind: type) -> dict[str, dataclass_json.Schema]:
    """The request of the API's schema, from the fields of the dataclass that reads it."""
    return {"application/json": dataclass_json.schema(kind)}


class PlayList(APIView):
    @extend_schema(
        operation_id="plays_list",
        parameters=[
            OpenApiParameter("from", dt.date, description="first day"),
            OpenApiParameter("to", dt.date, description="last day"),
            *PAGE_PARAMETERS,
        ],
        responses=PlaySerializer(many=True),
    )
    def get(self, request: Request, code: str) -> Response:
        """The plays of a group, oldest first; the next page is in the Link header."""
        group = get_visible_group(request.who, code)
        found = plays_of_group(group, _day(request, "from"), _day(request, "to"))
        return paginate(
            request,
            found,
            ["day", "logged_at", "pk"],
            lambda rows: plays_to_json(Play.objects.filter(pk__in=[row.pk for row in rows])),
            most=MOST_PLAYS,
        )

    @extend_schema(operation_id="plays_log", request=_json(SentPlay), responses={201: PlaySerializer})
    def post(self, request: Request, code: str) -> Response:
        """Log a play."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        sent = dataclass_json.read(SentPlay, request.data)
        night = _night(group, sent.night)
        facts = _read_play(
            group, sent, uuid=sent.uuid or new_uuid(), day=sent.day or day_of(timezone.now(), group.tzinfo)
        )
        play = services.log_play(group, request.who, key=sent.key, facts=facts, night=night)
        return Response(plays_to_json(Play.objects.filter(pk=play.pk))[0], status=201)


class PlayDetail(APIView):
    @extend_schema(responses=WholePlaySerializer, operation_id="plays_show")
    def get(self, request: Request, code: str, uuid: str) -> Response:
        """One play, with its history and the change that waits for consent."""
        return Response(_whole_play(request.who, code, uuid))

    @extend_schema(operation_id="plays_change", request=_json(SentPlay), responses=WholePlaySerializer)
    def put(self, request: Request, code: str, uuid: str) -> Response:
        """Change a play. Its history keeps what it was. Where the group wants consent, the change waits for it."""
        play = _get_play(request.who, code, uuid)
        sent = dataclass_json.read(SentPlay, request.data)
        facts = _read_play(play.group, sent, uuid=play.uuid, day=sent.day or play.day)
        services.change_play(play, request.who, key=sent.key, facts=facts)
        return Response(_whole_play(request.who, code, uuid))

    @extend_schema(operation_id="plays_remove", request=None, responses={204: None})
    def delete(self, request: Request, code: str, uuid: str) -> Response:
        """Remove a play. The act “restore” brings it back."""
        services.remove_play(_get_play(request.who, code, uuid), request.who, key=new_key())
        return Response(status=204)


@extend_schema_view(get=extend_schema(operation_id="plays_photos"), post=extend_schema(operation_id="plays_photo_add"))
class PlayPhotos(PhotosOf):
    def find_subject(self, request: Request, **names: str) -> Model:
        play: Model = _get_play(request.who, names["code"], names["uuid"])
        return play


class PlayActs(APIView):
    @extend_schema(operation_id="plays_act", request=PlayActSerializer, responses=WholePlaySerializer)
    def post(self, request: Request, code: str, uuid: str) -> Response:
        """Restore a removed play, move it to another night, or settle a change that waits for consent."""
        play = _get_play(request.who, code, uuid)
        data = read_body(PlayActSerializer, request)
        act, key = data["act"], data["key"]
        if act == "restore":
            services.restore_play(play, request.who, key=key)
        elif act == "move":
            services.move_play(play, request.who, key=key, night=_night(play.group, data.get("night", "")))
        else:
            proposal = data.get("proposal") or 0
            services.settle_change(play, request.who, key=key, proposal=proposal, agree=act == "agree")
        return Response(_whole_play(request.who, code, uuid))


def _day(request: Request, name: str) -> dt.date | None:
    text = request.query_params.get(name, "")
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise Refusal("Enter a valid date, such as 2026-05-14.", field=name) from None


def _get_play(who: Who, code: str, uuid: str) -> Play:
    play = Play.objects.select_related("group__log", "night").filter(group__code=code, uuid=uuid).first()
    return play if play and can_see(play, who) else get_object_or_404(Play, pk=None)


def _whole_play(who: Who, code: str, uuid: str) -> Mapping[str, object]:
    play = _get_play(who, code, uuid)
    proposal = build_proposal(play, who)
    return {
        **plays_to_json(Play.objects.filter(pk=play.pk))[0],
        "night": play.night.code if play.night else None,
        "removed": play.removed_at is not None,
        "may_change": can_edit(play, who),
        "proposal": ProposalSerializer(proposal).data if proposal else None,
        "history": PlayHistorySerializer(build_history(play), many=True).data,
    }


def _night(group: Group, code: str) -> Night | None:
    return get_object_or_404(Night, group=group, code=code.upper()) if code else None


def plays_to_json(plays: Any) -> list[PlayJson]:
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


def _read_play(group: Group, sent: SentPlay, *, uuid: str, day: dt.date) -> PlayFacts:
    people = {row.person.root.code: row.person.root for row in list_members(group)}
    players = tuple(_read_player(at, row, people) for at, row in enumerate(sent.players))
    variant = Variant.from_key(sent.variant)
    name = clean_text(sent.game)
    facts = PlayFacts(
        uuid=uuid,
        game="",
        game_name=name,
        day=day,
        players=players,
        scoring=sent.scoring,
        variant=variant,
        minutes=sent.minutes,
        rated=is_rated_by_default(variant, sent.scoring, players) if sent.rated is None else sent.rated,
        notes=sent.notes,
    )
    facts = services.prepare(group, facts)
    game = services.find_or_add_game(group, name, {"scoring": sent.scoring.value})
    return services.with_game(facts, game)


def _read_player(at: int, row: SentPlayer, people: dict[str, Person]) -> PlayerResult:
    person = people.get(row.person)
    if person is None:
        raise Refusal(f"Nobody in this group has the code {row.person!r}.", field=f"players.{at}.person")
    return PlayerResult(
        person=str(person.pk),
        name=shorten_name(person.name),
        score_text=row.score,
        team=clean_text(row.team),
        role=clean_text(row.role),
        place=row.place,
        won=row.won,
        started=row.started,
    )
