"""Finished games step by step: what one saw of them, which moves bots made, and why."""

from dataclasses import dataclass

from django.http import Http404

from cardgames.bots import LEVEL
from cardgames.bots.explanation import explain_move
from cardgames.engine import OPEN, UNDO
from cardgames.engine.finished_game_steps import retell_steps
from cardgames.games import GAMES
from cardgames.models import Result, Table
from cardgames.results.display import seat_names
from cardgames.tables import load_from_log
from cardgames.tables.core import entries
from cardgames.tables.core.entries import BotRemoved, BotSet, ChoiceMade
from log.models import Entry
from pages.number_parsing import parse_int
from refusal import Refusal


def get_finished_game(table: Table) -> tuple[Result, list[str]]:
    """The result of a table and the names of its seats; refused while the game is running."""
    result: Result | None = getattr(table, "result", None)
    if result is None:
        if table.state == Table.State.OVER:
            raise Http404
        raise Refusal("You can watch the replay when the game is over.")
    return result, seat_names(list(result.places.select_related("person__merged_into").order_by("number")))


def parse_viewer(wanted: str, seats: int) -> int | None:
    """Through whose eyes: a seat, everybody's, or the TV's."""
    if wanted == "open":
        return OPEN
    if wanted == "wall":
        return None
    number = parse_int(wanted)
    if number is not None and number < seats:
        return number
    raise Refusal("This table has no such seat.", status=404)


@dataclass(frozen=True, slots=True)
class BotMove:
    """A choice that a bot made, and the level of the bot."""

    seat: int
    choice: str
    level: str


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A finished game after so many choices, as ``seat`` saw it. ``reasons``: why the bot made the last choice."""

    result: Result
    names: list[str]
    seat: int | None
    step: int
    steps: int
    sentences: tuple[str, ...]
    bot_move: BotMove | None
    reasons: tuple[str, ...]


def find_step(table: Table, step: int, viewer: str, *, why: bool) -> ReplayStep:
    """The last step if ``step`` is beyond it. Reasons take a moment: the bot looks again."""
    result, names = get_finished_game(table)
    steps = len(result.kept["steps"]) - 1
    step, seat = min(step, steps), parse_viewer(viewer, table.seats)
    sentences = retell_steps(result.kept, None if seat == OPEN else seat, names)[step].sentences
    reasons = tuple(explain_step(table, step, names)) if why else ()
    return ReplayStep(result, names, seat, step, steps, tuple(sentences), bot_of_step(table, step), reasons)


def bot_of_step(table: Table, step: int) -> BotMove | None:
    """The choice of this step, or None if a person made it."""
    levels: dict[int, str] = {}
    moves: list[BotMove] = []
    rows = Entry.objects.filter(log_id=table.log_id).order_by("number").values_list("act", "body", "actor_id")
    for act, body, actor in rows:
        match entries.load_entry(act, body):
            case BotSet(seat=seat, level=level) | BotRemoved(seat=seat, level=level):
                levels[seat] = level
            case ChoiceMade(seat=seat, choice=key):
                if key == UNDO:
                    last = next(number for number in range(len(moves) - 1, -1, -1) if moves[number].seat == seat)
                    del moves[last]
                else:
                    moves.append(BotMove(seat, key, levels.get(seat, "") if actor is None else ""))
    if not 0 < step <= len(moves) or moves[step - 1].level not in LEVEL:
        return None
    return moves[step - 1]


def explain_step(table: Table, step: int, names: list[str]) -> list[str]:
    """Why a bot made this choice, in sentences; nothing if a person made it."""
    if (table.game, table.rules) not in GAMES:
        return []
    move = bot_of_step(table, step)
    if move is None:
        return []
    running = load_from_log.rewind_to_step(load_from_log.load_running_table(table), step - 1)
    return explain_move(running, move.seat, move.choice, move.level, names)
