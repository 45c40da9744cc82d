"""The past musters of a kingdom as JSON."""

from __future__ import annotations

from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

from campaign import selectors as campaign_selectors
from musters import permissions
from musters.kingdom_history.selectors import HistoryDisplay, history_display
from pages.api.operations import operation


class MusterHistory(APIView):
    @operation("musters_history")
    def get(self, request: Request, campaign: str, kingdom: str) -> HistoryDisplay:
        """What each house of a kingdom sent, battle by battle, and how lucky its dice were."""
        seen = campaign_selectors.get_visible_campaign(request.who, campaign)
        state = permissions.state_of(seen)
        realm = state.kingdoms.get(kingdom)
        if realm is None:
            raise Http404
        return history_display(seen.pk, seen.log_id, state, realm, request.who)
