"""What one can do on a battle's page: start it, call it off, reopen it, answer a report, hand out its link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from battles import services
from battles.api import show_battle
from battles.display import BattleDisplay
from battles.entries import ConfirmReport
from battles.new_battle import services as new_battle_services
from battles.permissions import permissions_of, require_permission
from battles.result.approval_display import PendingReport, pending_report_of
from battles.result.reporters import approve_version, get_reporter
from battles.selectors import get_visible_battle
from dataclass_json import Ask
from pages.api.operations import Nothing, Sent, operation
from people.api_tokens.scopes import PLAY
from people.models import Person
from people.passes.shown_secrets import link_address


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
