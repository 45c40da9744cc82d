"""What the clock does at a table: bots move, reaction windows close. A bot is given its seat's view and nothing else."""

from __future__ import annotations

import secrets

from cardgames import loading
from cardgames.bots import LEVEL, bot_key
from cardgames.door import BELL, bot_seats, by_the_clock
from cardgames.engine import CLOCK, DEADLINE, HOLD, Live, Quick
from cardgames.models import Table
from jobs import clock
from jobs.models import Due

__all__ = ["BELL", "move", "register"]


def register() -> None:
    clock.rings(BELL, move)


def move(due: Due) -> None:
    """Called when a table's time has come. Thinking happens before the table is held, writing only if nothing moved meanwhile."""
    table = Table.objects.filter(pk=int(due.ref), state=Table.State.PLAY, paused=False).first()
    if table is None:
        return
    live = loading.load(table)
    stamp, said, rows = live.stamp, live.clock_asked(), _bots_choose(table, live)
    if HOLD in said:
        # In a window bots answer exactly when it may be shown, whatever they hold.
        rows.append((CLOCK, HOLD))
    elif rows:
        rows = rows[:1]
    elif DEADLINE in said:
        rows = [(CLOCK, DEADLINE)]
    else:
        return

    def change(live: Live, table: Table) -> None:
        for number, (seat, key) in enumerate(rows):
            live.choose(seat, key, stamp=stamp if number == 0 else None)

    by_the_clock(table, key=due.key, change=change)


def _bots_choose(table: Table, live: Live) -> list[tuple[int, str]]:
    levels = bot_seats(table)
    chosen = []
    for seat in live.awaited:
        if seat in levels:
            # Its luck has nothing to do with the deal.
            rng = Quick(secrets.randbits(60))
            chosen.append((seat, bot_key(LEVEL[levels[seat]].bot, live, seat, rng)))
            if live.window is None:
                break
    return chosen
