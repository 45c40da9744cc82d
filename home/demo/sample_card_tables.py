"""The demo's card tables: one that waits for guests, one in the middle of a game, one that was played to its end."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from cardgames import door, hosting, opening, seating
from cardgames.bots import LEVEL, bot_key
from cardgames.engine import Live, Quick
from cardgames.models import Seat, Table
from people.models import Pass
from people.who import Who

LASTED = dt.timedelta(minutes=38)
CHOSEN = 24  # so many choices the running table has behind it


def fill(people: dict[str, Who]) -> None:
    host = people["Wren"]
    waiting = opening.open_table(host, key="demo-menagerie", game="menagerie")
    if waiting.state == Table.State.LOBBY:
        for number, level in ((2, "greedy"), (3, "thinker")):
            if waiting.seat_set.get(number=number).is_free:
                seating.set_bot(waiting, host, key=f"demo-bot-{number}", number=number, level=level)
    running(host, people["Tam"])
    played(host, people["Tam"])


def running(host: Who, guest: Who) -> None:
    """A Menagerie with three bots, where it is the guest's turn: they sit down at it with any browser they log in with."""
    table = opening.open_table(host, key="demo-running", game="menagerie")
    if table.state != Table.State.LOBBY:
        return
    seating.seat_someone(table, guest, ref="demo-guest", key="demo-running-seat", number=0)
    seating.fill(table, host, key="demo-running-bots", level="greedy")
    hosting.start(table, host, key="demo-running-start")
    rng = Quick("demo running")

    def so_far(live: Live, table: Table) -> None:
        chosen = 0
        while live.result is None and (chosen < CHOSEN or live.awaited[0] != 0):
            seat = live.awaited[0]
            live.choose(seat, bot_key(LEVEL["greedy"].bot, live, seat, rng))
            chosen += 1

    door.by_the_clock(table, key="demo-running-choices", change=so_far)
    put_phones_away(table)


def played(host: Who, guest: Who) -> None:
    """A whole game of Of Mice and Monarchs between two, chosen as an eager player would."""
    table = opening.open_table(host, key="demo-monarchs", game="monarchs", seats=2, options={"brisk_court": True})
    if table.state != Table.State.LOBBY:
        return
    for number, who in enumerate((host, guest)):
        seating.seat_someone(table, who, ref=f"demo-{number}", key=f"demo-seat-{number}", number=number)
    hosting.start(table, host, key="demo-start")
    Table.objects.filter(pk=table.pk).update(begun_at=timezone.now() - LASTED)
    rng = Quick("demo")

    def to_the_end(live: Live, table: Table) -> None:
        while live.result is None:
            seat = live.awaited[0]
            live.choose(seat, bot_key(LEVEL["greedy"].bot, live, seat, rng))

    door.by_the_clock(table, key="demo-all-choices", change=to_the_end)
    put_phones_away(table)


def put_phones_away(table: Table) -> None:
    """Nobody holds these seats with a phone any more."""
    Pass.objects.filter(kind=Seat.PASS, target__in=table.seat_set.values("pk")).delete()


def remove(ids: list[int]) -> None:
    """The tables these people host, with their logs and results."""
    for table in Table.objects.filter(host__in=ids):
        logs = [table.log, table.sealed]
        if hasattr(table, "result"):
            table.result.delete()
        Pass.objects.filter(kind=Seat.PASS, target__in=table.seat_set.values("pk")).delete()
        table.delete()
        for log in logs:
            log.delete()
