"""Battles as JSON: the same displays, services and refusals as the pages."""

from dataclasses import dataclass
from typing import Annotated

from django.db.models import Model, QuerySet
from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

from battles import services
from battles.display import BattleDisplay, battle_display
from battles.entries import (
    CreateBattle,
    SetUpBattle,
)
from battles.heroes import HeroDisplay, build_hero_display
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.new_battle.services import choose_army
from battles.permissions import permissions_of, require_permission
from battles.photos_and_written_reports import WrittenReport, add_written_report, written_reports_of
from battles.result.core.win_rates import tally_games
from battles.selectors import get_visible_battle
from battles.slip import access_codes
from battles.statistics import TallyTable, campaigns_of, games_of, tally_tables
from campaign import selectors as campaign_selectors
from dataclass_json import Ask, Text
from pages.api.operations import Nothing, Query, Sent, operation
from pages.api_pagination import MAX_ROWS, Page, first_page, paginate, paginate_rows
from people.api_tokens.scopes import PLAY
from people.models import Person
from people.passes import services as passes_services
from people.passes.shown_secrets import link_address
from people.requester import Who, WhoWithPasses
from photos.api import PhotosOf
from prepared_queries import prepared_query
from refusal import Refusal
from rulebook.muster.army import Army


@dataclass(frozen=True, slots=True)
class BattleRow:
    code: str
    campaign: str
    number: int | None
    stage: Battle.Stage
    scenario: str


def list_row(battle: Battle) -> BattleRow:
    campaign = battle.campaign.code if battle.campaign else ""
    return BattleRow(battle.code, campaign, battle.number, Battle.Stage(battle.stage), battle.scenario)


def _listed_battles(who: Who) -> QuerySet[Battle]:
    rows = Battle.objects.visible_to(who).select_related("campaign")
    return rows.only("code", "number", "stage", "scenario", "campaign__code")


@prepared_query
def _first_battles(who: Who, *, count: int) -> QuerySet[Battle]:
    return _listed_battles(who).order_by("-pk")[:count]


@dataclass(frozen=True)
class FilterBattles:
    campaign: Annotated[str, Text("The campaign", 50, empty=True), Ask("Campaign", "code of a campaign")] = ""
    number: Annotated[int | None, Ask("Number", "its number in that campaign")] = None
    stage: Battle.Stage | None = None


class BattlesView(APIView):
    needs_no_log_in = ("GET", "POST")

    @operation("battles_list")
    def get(self, request: Request, query: Query[FilterBattles]) -> Page[BattleRow]:
        """The battles you may see, newest first."""

        def draw(battles: list[Battle]) -> list[BattleRow]:
            return list(map(list_row, battles))

        wanted = query.value
        if wanted == FilterBattles() and not request.query_params.get("cursor"):
            who = WhoWithPasses(request.who)
            return first_page(request, lambda count: _first_battles(who, count=count), ("-pk",), draw)
        rows = _listed_battles(request.who)
        if wanted.campaign:
            rows = rows.filter(campaign__code=wanted.campaign)
        if wanted.number is not None:
            rows = rows.filter(number=wanted.number)
        if wanted.stage:
            rows = rows.filter(stage=wanted.stage)
        return paginate(request, rows, ("-pk",), draw)

    @operation("battles_create", status=201)
    def post(self, request: Request, sent: Sent[CreateBattle]) -> BattleRow:
        """Create a standalone battle. Without a log-in, this browser holds its link."""
        wanted, key = sent.value, sent.key
        armies, people = _armies(wanted, key), _leaders(request.who, wanted.leaders)
        access_codes.NEW_BATTLE_LIMIT.count_use(request._request)
        battle = new_battle_services.create_standalone_battle(
            request.who, key=key, scenario=wanted.scenario, names=wanted.names, armies=armies, people=people
        )
        if not request.who.is_known:
            passes_services.hold_pass(request._request, new_battle_services.get_edit_pass(battle, request.who))
        return list_row(battle)


def show_battle(request: Request, code: str) -> BattleDisplay:
    return battle_display(*get_visible_battle(request.who, code))


class BattleView(APIView):
    @operation("battles_show")
    def get(self, request: Request, code: str) -> BattleDisplay:
        """One battle: its stage and its result."""
        return show_battle(request, code)


class SetUpView(APIView):
    @operation("battles_set_up_create")
    def post(self, request: Request, code: str, sent: Sent[SetUpBattle]) -> BattleDisplay:
        """Set the scenario, chosen or rolled, or swap the sides, or roll for them."""
        battle, _ = get_visible_battle(request.who, code)
        wanted, key = sent.value, sent.key
        if wanted.roll_sides:
            services.roll_sides(battle, request.who, key=key)
        else:
            die = services.roll_scenario_die(battle, key) if wanted.roll else wanted.die
            services.set_up_battle(battle, request.who, key=key, scenario=wanted.scenario, die=die, swap=wanted.swap)
        return show_battle(request, code)


class StatisticsView(APIView):
    needs_no_log_in = ("GET",)

    @operation("battles_statistics")
    def get(self, request: Request) -> tuple[TallyTable, ...]:
        """Win rates of the battles you may see, each with its interval."""
        return tally_tables(tally_games(games_of(request.who, campaigns_of(request.who))), request.who)


def _armies(wanted: CreateBattle, key: str) -> list[Army | None]:
    for field, rows in (("codes", wanted.codes), ("leaders", wanted.leaders)):
        if len(rows) > len(wanted.names):
            raise Refusal("There are more of them than names of armies.", field=field)
    codes = [*wanted.codes, *[""] * (len(wanted.names) - len(wanted.codes))]
    return [
        choose_army(code, at + 1, field=f"codes.{at}", key=key, scenario=wanted.scenario, muster=wanted.muster)
        for at, code in enumerate(codes)
    ]


def _leaders(who: Who, codes: tuple[str, ...]) -> list[Person | None]:
    """Of the people you know."""
    rows = Person.objects.known_to(who).roots().filter(code__in=[code for code in codes if code], forgotten_at=None)
    known = {person.code: person for person in rows} if any(codes) else {}
    for at, code in enumerate(codes):
        if code and code not in known:
            raise Refusal("You know nobody with this code.", field=f"leaders.{at}")
    return [known.get(code) for code in codes]


# ── After a battle: photos, and reports in plain words ──────────────────────────────────────────────────────


@dataclass(frozen=True)
class WriteAbout:
    api_name = "WrittenReportIn"

    text: Annotated[str, Text("The report", 10000)]


class BattlePhotos(PhotosOf):
    part = "battles"

    def find_subject(self, request: Request, **names: str) -> Model:
        battle: Model = get_visible_battle(request.who, names["code"])[0]
        return battle


class WrittenReports(APIView):
    @operation("battles_written")
    def get(self, request: Request, code: str) -> Page[WrittenReport]:
        """What its players wrote about a battle."""
        battle, _ = get_visible_battle(request.who, code)
        return paginate_rows(request, written_reports_of(battle), lambda row: row.entry, list, most=MAX_ROWS)

    @operation("battles_write", status=201)
    def post(self, request: Request, code: str, sent: Sent[WriteAbout]) -> tuple[WrittenReport, ...]:
        """Write about a battle of a campaign: it becomes a note of the chronicle."""
        battle, _ = get_visible_battle(request.who, code)
        add_written_report(battle, request.who, key=sent.key, text=sent.value.text)
        return written_reports_of(battle)


# ── The hero of a house ─────────────────────────────────────────────────────────────────────────────────────


class Hero(APIView):
    @operation("battles_hero")
    def get(self, request: Request, campaign: str, kingdom: str, house: int) -> HeroDisplay:
        """The hero of a house over all wars: battles, kills, falls, luck."""
        visible = campaign_selectors.get_visible_campaign(request.who, campaign)
        display = build_hero_display(visible, kingdom, house)
        if display is None:
            raise Http404
        return display


# ── What one can do on a battle's page ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class BattleLink:
    address: Annotated[str, Ask("Address", "whoever has it can follow and edit the battle")]


class StartBattle(APIView):
    @operation("battles_start")
    def post(self, request: Request, code: str, sent: Sent[Nothing]) -> BattleDisplay:
        """The battle is on the table."""
        battle, _ = get_visible_battle(request.who, code)
        services.start_battle(battle, request.who, key=sent.key)
        return show_battle(request, code)


class CallOffBattle(APIView):
    @operation("battles_call_off")
    def post(self, request: Request, code: str, sent: Sent[Nothing]) -> BattleDisplay:
        """Call a battle off."""
        battle, _ = get_visible_battle(request.who, code)
        services.call_off_battle(battle, request.who, key=sent.key)
        return show_battle(request, code)


class ReopenBattle(APIView):
    @operation("battles_reopen")
    def post(self, request: Request, code: str, sent: Sent[Nothing]) -> BattleDisplay:
        """Reopen a standalone battle that was finished."""
        battle, _ = get_visible_battle(request.who, code)
        services.reopen_battle(battle, request.who, key=sent.key)
        return show_battle(request, code)


class BattleLinkView(APIView):
    scopes = {"GET": PLAY}  # whoever has it can play

    @operation("battles_link")
    def get(self, request: Request, code: str) -> BattleLink:
        """The link to a standalone battle, for its players."""
        battle, state = get_visible_battle(request.who, code)
        if battle.campaign_id is not None:
            raise Http404
        require_permission(permissions_of(battle, request.who, state).master, battle)
        link = new_battle_services.find_edit_pass(battle)
        if link is None:
            raise Http404
        return BattleLink(link_address(request._request, link) or "")
