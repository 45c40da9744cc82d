"""Report a battle, and answer its report, or enter several past games, as JSON."""

from dataclasses import dataclass, replace
from typing import Annotated, NotRequired, TypedDict

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from battles import services
from battles.api import show_battle
from battles.display import BattleDisplay
from battles.entries import (
    DRAWN,
    ConfirmReport,
    DraftArmiesReport,
    DraftReport,
    SubmitArmiesReport,
    SubmitReport,
)
from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.result import forms as result_forms, past_games as past_games_services, services as result_services
from battles.result.approval_display import PendingReport, pending_report_of
from battles.result.reporters import approve_version, choose_reporter, get_reporter, remember_reporter
from battles.selectors import get_visible_battle
from campaign import selectors as campaign_selectors
from campaign.chronicle.state import State
from dataclass_json import Ask, Count
from pages.api.operations import Sent, operation
from pages.fields.columns_and_rows import take
from people.models import Person
from refusal import Refusal


class SubmittedReport(TypedDict):
    entry: NotRequired[Annotated[int, Ask("Entry", "number of the chronicle entry, if it was recorded at once")]]
    petition: NotRequired[Annotated[int, Ask("Petition", "id of the approval it waits for")]]
    worked: result_services.ReportPreview


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


class PendingReportView(APIView):
    @operation("battles_pending_report")
    def get(self, request: Request, code: str) -> PendingReport:
        """The report that awaits confirmation, its versions and who can confirm; 404 if there is none."""
        battle, state = get_visible_battle(request.who, code)
        if state is None or battle.is_over:
            raise Http404
        can_answer = permissions_of(battle, request.who, state).report
        pending = pending_report_of(battle, state, request.who, can_answer=can_answer)
        if pending is None:
            raise Http404
        return pending

    @operation("battles_answer")
    def post(self, request: Request, code: str, sent: Sent[ConfirmReport]) -> BattleDisplay:
        """Confirm a version of the report, for yourself or for a captain who is with you. Dispute it at petitions/."""
        battle, state = get_visible_battle(request.who, code)
        if state is None:
            raise Http404
        require_permission(permissions_of(battle, request.who, state).report, battle)
        answer, key = sent.value, sent.key
        if not services.was_already_sent(battle, key):
            people = Person.objects.select_related("merged_into")
            approve_version(
                battle,
                state,
                request.who,
                key=key,
                version=answer.version,
                seen=answer.seen,
                as_person=get_object_or_404(people, code=answer.report_as).root,
                phone=get_reporter(request._request, battle),
            )
        return show_battle(request, code)


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
