"""Which moves of a finished game bots made, and why."""

from __future__ import annotations

from cardgames.bots import LEVEL
from cardgames.bots.explanation import explain_move
from cardgames.engine import UNDO
from cardgames.games import GAMES
from cardgames.models import Table
from cardgames.tables import load_from_log
from cardgames.tables.core import codec
from cardgames.tables.core.entries import BotRemoved, BotSet, ChoiceMade
from log.models import Entry


def bot_of_step(table: Table, step: int) -> tuple[int, str, str] | None:
    """The seat, the key and the level of the bot that made this choice, or None if a person made it."""
    levels: dict[int, str] = {}
    moves: list[tuple[int, str, str]] = []
    entries = Entry.objects.filter(log_id=table.log_id).order_by("number").values_list("act", "body", "actor_id")
    for act, body, actor in entries:
        match codec.load_entry(act, body):
            case BotSet(seat=seat, level=level) | BotRemoved(seat=seat, level=level):
                levels[seat] = level
            case ChoiceMade(seat=seat, choice=key):
                if key == UNDO:
                    last = next(number for number in range(len(moves) - 1, -1, -1) if moves[number][0] == seat)
                    del moves[last]
                else:
                    moves.append((seat, key, levels.get(seat, "") if actor is None else ""))
    if not 0 < step <= len(moves) or moves[step - 1][2] not in LEVEL:
        return None
    return moves[step - 1]


def explain_step(table: Table, step: int, names: list[str]) -> list[str]:
    """Why a bot made this choice, in sentences; nothing if a person made it."""
    if (table.game, table.rules) not in GAMES:
        return []
    move = bot_of_step(table, step)
    if move is None:
        return []
    seat, key, level = move
    running = load_from_log.rewind_to_step(load_from_log.load_running_table(table), step - 1)
    return explain_move(running, seat, key, level, names)
