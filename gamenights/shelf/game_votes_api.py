"""Votes for a game of the night as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count
from rest_framework.request import Request
from rest_framework.views import APIView

from gamenights.nights.models import Night
from gamenights.nights.permissions import require_evening, require_part
from gamenights.nights.selectors import get_visible_night
from gamenights.shelf import game_votes
from gamenights.shelf.entries import VoteForGame
from gamenights.shelf.models import GameVote
from pages.api.operations import Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate_rows


@dataclass(frozen=True)
class VoteRow:
    game: int
    name: str
    votes: int


class NightVotes(APIView):
    @operation("nights_votes_list")
    def get(self, request: Request, code: str) -> Page[VoteRow]:
        """The games that were voted for, the favourite first."""
        night = get_visible_night(request, code)
        require_evening(night, request.who)
        return paginate_rows(request, _count_votes(night), lambda row: str(row.game), list, most=MAX_ROWS)

    @operation("nights_votes_create")
    def post(self, request: Request, code: str, sent: Sent[VoteForGame]) -> tuple[VoteRow, ...]:
        """Vote for a game; a second vote takes the first back."""
        night = get_visible_night(request, code)
        require_part(night, request.who)
        wanted = sent.value
        game_votes.vote_for_game(night, request.who, key=sent.key, game=wanted.game)
        return tuple(_count_votes(night))


def _count_votes(night: Night) -> list[VoteRow]:
    rows = GameVote.objects.filter(night=night).values_list("game", "game__name").annotate(votes=Count("pk"))
    return [VoteRow(*row) for row in rows.order_by("-votes", "game__name")]
