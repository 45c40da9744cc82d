"""The hero of a noble house as JSON."""

from __future__ import annotations

from django.http import Http404
from rest_framework.request import Request
from rest_framework.views import APIView

from battles.heroes.display import HeroDisplay, build_hero_display
from campaign import selectors as campaign_selectors
from pages.api.operations import operation


class Hero(APIView):
    @operation("battles_hero")
    def get(self, request: Request, campaign: str, kingdom: str, house: int) -> HeroDisplay:
        """The hero of a house over all wars: battles, kills, falls, luck."""
        visible = campaign_selectors.get_visible_campaign(request.who, campaign)
        display = build_hero_display(visible, kingdom, house)
        if display is None:
            raise Http404
        return display
