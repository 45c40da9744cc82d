"""Plays as JSON, with the data and refusals of the pages. People are named by their codes."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from django.db.models import Model
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign.models import Campaign
from cardgames.models import PRIVATE_CODE
from dataclass_json import Ask, Shape, Text, stored_as
from gamenights.campaigns import ChangeGroupCampaigns, GroupCampaign, change_campaigns
from gamenights.nights.models import Night
from gamenights.plays import services
from gamenights.plays.display import HistoryRow, ProposalDisplay, build_history, build_proposal
from gamenights.plays.entries import LogPlay, SentPlayer
from gamenights.plays.models import Play
from gamenights.plays.permissions import can_edit, can_see
from gamenights.plays.selectors import load_facts, plays_of_group
from gamenights.plays.values import (
    PlayerResult,
    PlayFacts,
    Scoring,
    Variant,
    day_of,
    is_rated_by_default,
    new_uuid,
    play_to_json,
)
from groups.models import Group
from groups.selectors import get_group_as_member, get_visible_group, list_members
from log.services import new_key
from pages.api.operations import Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate
from pages.fields.columns_and_rows import as_rows, extend
from people.models import Person
from people.name_validation import clean_text, shorten_name
from people.requester import Who
from photos.api import PhotosOf
from refusal import Refusal

MAX_PLAYS = 500


@dataclass(frozen=True)
class PlayerAnswer:
    api_name = "Player"

    person: Annotated[str, Ask("Person", "The person's code; empty for a bot.")]
    name: str
    score: str | None = None
    score_text: Annotated[str, Ask("Score", "As it was entered.")] = ""
    team: str = ""
    role: str = ""
    place: int | None = None
    won: bool = False
    started: bool = False
    new: bool = False
    bot: bool = False


@dataclass(frozen=True, kw_only=True)
class PlayAnswer:
    api_name = "Play"

    uuid: str
    game_name: str = field(metadata=stored_as("game"))
    day: Annotated[str, Shape(dt.date)]
    scoring: Scoring
    variant: str
    started_at: Annotated[str | None, Shape(dt.datetime | None)]
    logged_at: Annotated[str | None, Shape(dt.datetime | None)]
    minutes: int | None
    rated: bool
    counted: bool
    location: str
    board: str
    notes: str
    players: tuple[PlayerAnswer, ...]


@dataclass(frozen=True, kw_only=True)
class WholePlay(PlayAnswer):
    night: Annotated[str | None, Ask("Night", "Code of the night.")]
    removed: bool
    may_change: bool
    proposal: ProposalDisplay | None
    history: Annotated[tuple[HistoryRow, ...], Ask("History", "Newest first.")]


@dataclass(frozen=True)
class ActOfPlay:
    api_name = "PlayAct"

    act: Literal["restore", "move", "agree", "reject"]
    night: Annotated[str, Text("The night", PRIVATE_CODE, empty=True), Ask("Night", "For move; empty for none.")] = ""
    proposal: Annotated[int, Ask("Proposal", "Its id, for agree and reject.")] = 0


class PlayList(APIView):
    @operation(
        "plays_list",
        parameters=[
            OpenApiParameter("from", dt.date, description="first day"),
            OpenApiParameter("to", dt.date, description="last day"),
        ],
    )
    def get(self, request: Request, code: str) -> Page[PlayAnswer]:
        """The plays of a group, oldest first; the next page is in the Link header."""
        group = get_visible_group(request.who, code)
        plays = plays_of_group(group, _day(request, "from"), _day(request, "to"))
        return paginate(
            request,
            plays,
            ["day", "logged_at", "pk"],
            lambda rows: build_answers(Play.objects.filter(pk__in=[row.pk for row in rows])),
            most=MAX_PLAYS,
        )

    @operation("plays_log", status=201)
    def post(self, request: Request, code: str, sent: Sent[LogPlay]) -> PlayAnswer:
        """Log a play."""
        group = get_group_as_member(request.who, code)
        wanted = sent.value
        night = _night(group, wanted.night)
        facts = _read_play(
            group, wanted, uuid=wanted.uuid or new_uuid(), day=wanted.day or day_of(timezone.now(), group.tzinfo)
        )
        play = services.log_play(group, request.who, key=sent.key, facts=facts, night=night)
        return build_answers(Play.objects.filter(pk=play.pk))[0]


class PlayDetail(APIView):
    @operation("plays_show")
    def get(self, request: Request, code: str, uuid: str) -> WholePlay:
        """One play, with its history and the change that waits for consent."""
        return _whole_play(request.who, code, uuid)

    @operation("plays_change")
    def put(self, request: Request, code: str, uuid: str, sent: Sent[LogPlay]) -> WholePlay:
        """Change a play. Its history keeps what it was. Where the group wants consent, the change waits for it."""
        play = _get_play(request.who, code, uuid)
        wanted = sent.value
        facts = _read_play(play.group, wanted, uuid=play.uuid, day=wanted.day or play.day)
        services.change_play(play, request.who, key=sent.key, facts=facts)
        return _whole_play(request.who, code, uuid)

    @operation("plays_remove")
    def delete(self, request: Request, code: str, uuid: str) -> None:
        """Remove a play. The act “restore” brings it back."""
        services.remove_play(_get_play(request.who, code, uuid), request.who, key=new_key())


class PlayPhotos(PhotosOf):
    part = "plays"

    def find_subject(self, request: Request, **names: str) -> Model:
        play: Model = _get_play(request.who, names["code"], names["uuid"])
        return play


class PlayActs(APIView):
    @operation("plays_act")
    def post(self, request: Request, code: str, uuid: str, sent: Sent[ActOfPlay]) -> WholePlay:
        """Restore a removed play, move it to another night, or settle a change that waits for consent."""
        play = _get_play(request.who, code, uuid)
        wanted, key = sent.value, sent.key
        if wanted.act == "restore":
            services.restore_play(play, request.who, key=key)
        elif wanted.act == "move":
            services.move_play(play, request.who, key=key, night=_night(play.group, wanted.night))
        else:
            agree = wanted.act == "agree"
            services.settle_change(play, request.who, key=key, proposal=wanted.proposal, agree=agree)
        return _whole_play(request.who, code, uuid)


class GroupCampaigns(APIView):
    @operation("groups_campaigns")
    def get(self, request: Request, code: str) -> Page[GroupCampaign]:
        """The campaigns of a group. Their battles are plays of its nights."""
        group = get_visible_group(request.who, code)
        rows = Campaign.objects.filter(group=group).visible_to(request.who)
        return paginate(request, rows, ("-founded_at", "-pk"), as_rows(GroupCampaign), most=MAX_ROWS)

    @operation("groups_change_campaigns")
    def post(self, request: Request, code: str, sent: Sent[ChangeGroupCampaigns]) -> Page[GroupCampaign]:
        """Add a campaign to the group, or take it out."""
        group = get_group_as_member(request.who, code)
        change_campaigns(group, request.who, sent.key, sent.value)
        page: Page[GroupCampaign] = self.get(request, code)
        return page


def _day(request: Request, name: str) -> dt.date | None:
    text = request.query_params.get(name, "")
    try:
        return dt.date.fromisoformat(text) if text else None
    except ValueError:
        raise Refusal("Enter a valid date, such as 2026-05-14.", field=name) from None


def _get_play(who: Who, code: str, uuid: str) -> Play:
    play = Play.objects.select_related("group__log", "night").filter(group__code=code, uuid=uuid).first()
    return play if play and can_see(play, who) else get_object_or_404(Play, pk=None)


def _whole_play(who: Who, code: str, uuid: str) -> WholePlay:
    play = _get_play(who, code, uuid)
    return extend(
        WholePlay,
        build_answers(Play.objects.filter(pk=play.pk))[0],
        night=play.night.code if play.night else None,
        removed=play.removed_at is not None,
        may_change=can_edit(play, who),
        proposal=build_proposal(play, who),
        history=tuple(build_history(play)),
    )


def _night(group: Group, code: str) -> Night | None:
    return get_object_or_404(Night, group=group, code=code.upper()) if code else None


def build_answers(plays: Any) -> list[PlayAnswer]:
    """With the codes of people in place of our numbers."""
    facts = load_facts(plays)
    ids = {int(player.person) for play in facts for player in play.players if player.person}
    codes = {str(pk): code for pk, code in Person.objects.filter(pk__in=ids).values_list("pk", "code")}
    answers = []
    for play in facts:
        body = play_to_json(play)
        del body["game"]
        players = tuple(PlayerAnswer(**{**row, "person": codes.get(row["person"], "")}) for row in body.pop("players"))
        answers.append(PlayAnswer(**body, players=players))
    return answers


def _read_play(group: Group, sent: LogPlay, *, uuid: str, day: dt.date) -> PlayFacts:
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
