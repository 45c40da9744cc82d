"""The shelf of a group as JSON."""

from __future__ import annotations

from dataclasses import dataclass

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from gamenights.plays.values import Scoring
from gamenights.shelf import services
from gamenights.shelf.entries import SaveGame
from gamenights.shelf.models import Game
from groups.permissions import require_member
from groups.selectors import get_visible_group
from pages.api.operations import Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate
from pages.fields.rows import as_rows, take


@dataclass(frozen=True)
class GameRow:
    api_name = "Game"

    id: int
    name: str
    scoring: Scoring
    players_min: int | None
    players_max: int | None
    minutes: int | None
    bgg_id: int | None
    on_shelf: bool


class ShelfList(APIView):
    @operation("groups_games_list")
    def get(self, request: Request, code: str) -> Page[GameRow]:
        """The games on a group's shelf, by name."""
        rows = Game.objects.filter(group=get_visible_group(request.who, code))
        return paginate(request, rows, ("name", "pk"), as_rows(GameRow), most=MAX_ROWS)

    @operation("groups_games_create", status=201)
    def post(self, request: Request, code: str, sent: Sent[SaveGame]) -> GameRow:
        """Add a game to the shelf."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        return take(GameRow, services.save_game(group, request.who, sent.key, sent.value, game=None))


class ShelfGame(APIView):
    @operation("games_change")
    def put(self, request: Request, code: str, pk: int, sent: Sent[SaveGame]) -> GameRow:
        """Change a game of the shelf."""
        group = get_visible_group(request.who, code)
        require_member(group, request.who)
        game = get_object_or_404(Game, group=group, pk=pk)
        return take(GameRow, services.save_game(group, request.who, sent.key, sent.value, game=game))
