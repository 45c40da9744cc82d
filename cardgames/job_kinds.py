"""Timers of card tables: bots move and reaction windows close. A bot sees only its seat's view."""

import secrets

from cardgames.bots import LEVEL, choose_for_bot
from cardgames.engine import CLOCK, DEADLINE, HOLD, FastRng, RunningTable
from cardgames.models import Table
from cardgames.tables import load_from_log
from cardgames.tables.choice_services import TIMER, bot_seats, write_timer_moves
from jobs import timers
from jobs.models import Due


def run_due_moves(due: Due) -> None:
    """Runs when a table is due. The bot thinks before the table is locked; its move counts only if nothing changed."""
    table = Table.objects.filter(pk=int(due.ref), state=Table.State.PLAY, paused=False).first()
    if table is None:
        return
    running = load_from_log.load_running_table(table)
    stamp, timer_keys, rows = running.stamp, running.pending_timer_keys(), _choose_for_bots(table, running)
    if HOLD in timer_keys:
        # In a window all bots answer at the same moment, so their timing reveals nothing.
        rows.append((CLOCK, HOLD))
    elif rows:
        rows = rows[:1]
    elif DEADLINE in timer_keys:
        rows = [(CLOCK, DEADLINE)]
    else:
        return

    def change(running: RunningTable, table: Table) -> None:
        for number, (seat, key) in enumerate(rows):
            running.choose(seat, key, stamp=stamp if number == 0 else None)

    write_timer_moves(table, key=due.key, change=change)


def _choose_for_bots(table: Table, running: RunningTable) -> list[tuple[int, str]]:
    levels = bot_seats(table)
    chosen = []
    for seat in running.unanswered_seats:
        if seat in levels:
            # Independent of the deal's random numbers.
            rng = FastRng(secrets.randbits(60))
            chosen.append((seat, choose_for_bot(LEVEL[levels[seat]].bot, running, seat, rng)))
            if running.window is None:
                break
    return chosen


timers.register_timer(TIMER, run_due_moves)
