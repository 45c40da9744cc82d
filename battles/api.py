"""Battles as JSON: the same displays, services and refusals as the pages."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, NotRequired, TypedDict

from django.db.models import Model, QuerySet
from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

from battles import services
from battles.display import BattleDisplay, battle_display
from battles.enter_past_games import services as past_games_services
from battles.entries import (
    DRAWN,
    CreateBattle,
    DraftArmiesReport,
    DraftReport,
    SetUpBattle,
    SubmitArmiesReport,
    SubmitReport,
)
from battles.heroes import HeroDisplay, build_hero_display
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.new_battle.services import choose_army
from battles.permissions import permissions_of, require_permission
from battles.photos_and_written_reports import WrittenReport, add_written_report, written_reports_of
from battles.result import forms as result_forms
from battles.result import services as result_services
from battles.result.core.win_rates import tally_games
from battles.result.reporters import choose_reporter, remember_reporter
from battles.selectors import get_visible_battle
from battles.slip import access_codes
from battles.statistics import TallyTable, campaigns_of, games_of, tally_tables
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from dataclass_json import Ask, Count, Text
from pages.api.operations import Query, Sent, operation
from pages.api_pagination import MAX_ROWS, Page, first_page, paginate, paginate_rows
from pages.fields.rows import take
from people.models import Person
from people.passes import services as passes_services
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


class SubmittedReport(TypedDict):
    entry: NotRequired[Annotated[int, Ask("Entry", "number of the chronicle entry, if it was recorded at once")]]
    petition: NotRequired[Annotated[int, Ask("Petition", "id of the approval it waits for")]]
    worked: result_services.ReportPreview


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


class ReportView(APIView):
    @operation("battles_report_draft")
    def get(self, request: Request, code: str) -> DraftReport:
        """What the form starts with: the report that waits for confirmation, or what the tracker knows."""
        battle, _ = _reportable_battle(request, code)
        _require_two_armies(battle)
        return take(DraftReport, result_forms.initial_answers(battle, result_services.pending_approval_of(battle)))

    @operation("battles_report_create")
    def post(self, request: Request, code: str, sent: Sent[SubmitReport]) -> SubmittedReport:
        """Report the result. It is recorded at once or waits for confirmation."""
        battle, state = _reportable_battle(request, code)
        if not battle.scenario:
            raise Refusal("Choose the scenario first.", status=409)
        _require_two_armies(battle)
        return _report(request, battle, state, sent.value, key=sent.key, accept_late=sent.value.accept_late)


class ReportArmiesView(APIView):
    @operation("battles_report_armies_draft")
    def get(self, request: Request, code: str) -> DraftArmiesReport:
        """What the form starts with: what the tracker knows, or the report that waits for confirmation."""
        battle, _ = _reportable_battle(request, code)
        pending = result_services.pending_approval_of(battle)
        draft = result_forms.initial_armies_answers(battle, pending) or DraftArmiesReport(None)
        return replace(draft, winner=None if draft.winner in ("", DRAWN) else draft.winner)

    @operation("battles_report_armies_create")
    def post(self, request: Request, code: str, sent: Sent[SubmitArmiesReport]) -> SubmittedReport:
        """Report a pitched battle of more than two armies, unit by unit."""
        battle, state = _reportable_battle(request, code)
        answers, key = sent.value, sent.key  # the key is asked for first
        if "winner" not in request.data:
            raise Refusal("“winner” is missing. Give null for a draw.", field="winner")
        return _report(request, battle, state, answers, key=key)


class StatisticsView(APIView):
    needs_no_log_in = ("GET",)

    @operation("battles_statistics")
    def get(self, request: Request) -> tuple[TallyTable, ...]:
        """Win rates of the battles you may see, each with its interval."""
        return tally_tables(tally_games(games_of(request.who, campaigns_of(request.who))), request.who)


def _report(
    request: Request,
    battle: Battle,
    state: State | None,
    answers: SubmitReport | SubmitArmiesReport,
    *,
    key: str,
    accept_late: bool = False,
) -> SubmittedReport:
    """Work a report out and, unless it is only a preview, submit it."""
    report = result_forms.report_from_answers(battle, state, answers)
    scored = result_services.score_report(battle, report, state)
    answer: SubmittedReport = {"worked": result_services.preview_report(battle, scored, state)}
    if answers.preview:
        return answer
    person = _reporter(request, battle, state, answers)
    done = result_services.submit_report(
        battle, request.who, scored, key=key, accept_late=accept_late, as_person=person, state=state
    )
    if "entry" in done:
        answer["entry"] = done["entry"]
    if "petition" in done:
        answer["petition"] = done["petition"]
    return answer


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


def _reportable_battle(request: Request, code: str) -> tuple[Battle, State | None]:
    battle, state = get_visible_battle(request.who, code)
    require_permission(permissions_of(battle, request.who, state).report, battle)
    if battle.is_over:
        raise Refusal("This battle is over.", status=409)
    return battle, state


def _require_two_armies(battle: Battle) -> None:
    if len(battle.sides) != 2:
        raise Refusal("Report more than two armies at “report-armies/”.", status=409)


def _reporter(
    request: Request, battle: Battle, state: State | None, answers: SubmitReport | SubmitArmiesReport
) -> Person | None:
    """With the slip alone somebody has to say who reports; the token remembers it for the next time."""
    code = answers.report_as
    person = choose_reporter(request._request, battle, state, (lambda person: person.code == code) if code else None)
    if person is not None:
        remember_reporter(request._request, battle, person)
    return person


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


# ── Several past games of a campaign at once ────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class EnterPastGames:
    api_name = "PastGames"

    games: Annotated[tuple[past_games_services.PastGame, ...], Count("Games", past_games_services.MAX_ROWS)]
    preview: Annotated[bool, Ask("Preview", "only check them; nothing is written")] = False


@dataclass(frozen=True)
class PastGamesAnswer:
    games: tuple[past_games_services.CheckedGame, ...]
    written: int
    pending: Annotated[int, Ask("Pending", "how many await confirmation")]


class PastGames(APIView):
    @operation("campaigns_past_games")
    def post(self, request: Request, campaign: str, sent: Sent[EnterPastGames]) -> PastGamesAnswer:
        """Enter games that were played before. All are checked before any is written."""
        visible = campaign_selectors.get_visible_campaign(request.who, campaign)
        state = campaign_selectors.state_of(visible)
        past_games_services.require_enter_past_games(state, request.who)
        wanted, key = sent.value, sent.key
        if not wanted.games:
            raise Refusal("Fill in at least one game.", field="games")
        games = dict(enumerate(wanted.games, 1))
        past_games_services.check_places(games, state)
        checked = past_games_services.check_games(visible, games)
        written = pending = 0
        if not wanted.preview:
            written, pending = past_games_services.write_games(visible, request.who, games, key=key)
        return PastGamesAnswer(tuple(checked), written, pending)
