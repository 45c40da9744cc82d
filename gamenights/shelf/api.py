"""The shelf of a group as JSON."""

from dataclasses import dataclass

from django.db.models import Count
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from gamenights.nights.models import Night
from gamenights.nights.permissions import require_evening, require_part
from gamenights.nights.selectors import get_visible_night
from gamenights.plays.values import Scoring
from gamenights.shelf import services
from gamenights.shelf.models import Game, GameVote
from gamenights.shelf.services import SaveGame, VoteForGame
from groups.selectors import get_group_as_member, get_visible_group
from pages.api.operations import Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate, paginate_rows
from pages.fields.columns_and_rows import as_rows, take


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
        group = get_group_as_member(request.who, code)
        return take(GameRow, services.save_game(group, request.who, sent.key, sent.value, game=None))


class ShelfGame(APIView):
    @operation("games_change")
    def put(self, request: Request, code: str, pk: int, sent: Sent[SaveGame]) -> GameRow:
        """Change a game of the shelf."""
        group = get_group_as_member(request.who, code)
        game = get_object_or_404(Game, group=group, pk=pk)
        return take(GameRow, services.save_game(group, request.who, sent.key, sent.value, game=game))


# ── Votes for a game of the night ──────────────────────────────────────────────────────────────────────


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
        services.vote_for_game(night, request.who, key=sent.key, game=wanted.game)
        return tuple(_count_votes(night))


def _count_votes(night: Night) -> list[VoteRow]:
    rows = GameVote.objects.filter(night=night).values_list("game", "game__name").annotate(votes=Count("pk"))
    return [VoteRow(*row) for row in rows.order_by("-votes", "game__name")]
