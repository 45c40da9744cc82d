"""Past card games as JSON: results, tallies, and replays step by step."""

from dataclasses import dataclass
from typing import Annotated

from rest_framework.request import Request
from rest_framework.views import APIView

from cardgames.models import Result
from cardgames.results.display import ResultRow, VariantTallies, result_row, tally_results, visible_results
from cardgames.results.replays import BotMove, find_step
from cardgames.selectors import get_visible_table
from cardgames.tables.api import CardSeatView, OfGame, answer_seat_view
from cardgames.tables.display import replay_for_seat
from dataclass_json import Whole
from json_input import MAX_NUMBER
from pages.api.operations import Query, operation
from pages.api_pagination import Page, paginate
from pages.fields.columns_and_rows import extend


class ResultList(APIView):
    @operation("tables_results")
    def get(self, request: Request, query: Query[OfGame]) -> Page[ResultRow]:
        """The card games you have played or hosted, newest first."""
        rows = visible_results(request.who)
        if game := query.value.game:
            rows = rows.filter(game=game)

        def draw(results: list[Result]) -> list[ResultRow]:
            return list(map(result_row, results))

        return paginate(request, rows, ("-at", "-pk"), draw)


class TallyList(APIView):
    @operation("tables_tallies")
    def get(self, request: Request) -> tuple[VariantTallies, ...]:
        """Who won how often, for each game and each way of playing it."""
        return tuple(tally_results(request.who))


@dataclass(frozen=True, slots=True)
class AskForReplay:
    step: Annotated[int, Whole("The step", 0, MAX_NUMBER), "after how many choices"] = 0
    seat: Annotated[str, "a seat's number, “open” for all cards, or “wall”"] = "open"
    why: Annotated[bool, "let the bot look again and say why; takes a moment"] = False


@dataclass(frozen=True, slots=True)
class ReplayAnswer:
    api_name = "Replay"

    step: int
    steps: Annotated[int, "the last step"]
    sentences: tuple[str, ...]
    play: Annotated[CardSeatView | None, "null if the rules of then are no longer known"]
    bot_move: Annotated[BotMove | None, "null if a person made this choice"]
    reasons: Annotated[tuple[str, ...], "why the bot chose it, with why=true"]


class Replay(APIView):
    needs_no_log_in = ("GET",)

    @operation("tables_replay")
    def get(self, request: Request, code: str, query: Query[AskForReplay]) -> ReplayAnswer:
        """A finished game after a step, as any seat saw it or with all cards face up."""
        table = get_visible_table(request, code)
        asked = query.value
        seen = find_step(table, asked.step, asked.seat, why=asked.why)
        replay = replay_for_seat(table, seen.step, seen.seat, seen.names)
        return extend(ReplayAnswer, seen, play=answer_seat_view(replay[1]) if replay else None)
