"""Several past games of a campaign at once, by API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request
from rest_framework.views import APIView

from battles.enter_past_games import services
from campaign import selectors as campaign_selectors
from dataclass_json import Ask, Count
from pages.api.operations import Sent, operation
from refusal import Refusal


@dataclass(frozen=True)
class EnterPastGames:
    api_name = "PastGames"

    games: Annotated[tuple[services.PastGame, ...], Count("Games", services.MAX_ROWS)]
    preview: Annotated[bool, Ask("Preview", "only check them; nothing is written")] = False


@dataclass(frozen=True)
class PastGamesAnswer:
    games: tuple[services.CheckedGame, ...]
    written: int
    pending: Annotated[int, Ask("Pending", "how many await confirmation")]


class PastGames(APIView):
    @operation("campaigns_past_games")
    def post(self, request: Request, campaign: str, sent: Sent[EnterPastGames]) -> PastGamesAnswer:
        """Enter games that were played before. All are checked before any is written."""
        visible = campaign_selectors.get_visible_campaign(request.who, campaign)
        state = campaign_selectors.state_of(visible)
        services.require_enter_past_games(state, request.who)
        wanted, key = sent.value, sent.key
        if not wanted.games:
            raise Refusal("Fill in at least one game.", field="games")
        games = dict(enumerate(wanted.games, 1))
        services.check_places(games, state)
        checked = services.check_games(visible, games)
        written, pending = (0, 0) if wanted.preview else services.write_games(visible, request.who, games, key=key)
        return PastGamesAnswer(tuple(checked), written, pending)
