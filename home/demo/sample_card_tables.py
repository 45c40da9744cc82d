"""Sample card tables: one waiting for guests, one in the middle of a game, one finished."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from cardgames.bots import LEVEL, choose_for_bot
from cardgames.engine import FastRng, RunningTable
from cardgames.models import Seat, Table
from cardgames.tables import choice_services, host_actions, table_creation
from cardgames.tables.seats import seating
from people.models import Pass
from people.requester import Who

LASTED = dt.timedelta(minutes=38)
CHOICES_MADE = 24  # in the running game


def add_card_tables(people: dict[str, Who]) -> None:
    host = people["Wren"]
    waiting = table_creation.open_table(host, key="demo-menagerie", game="menagerie")
    if waiting.state == Table.State.LOBBY:
        for number, level in ((2, "greedy"), (3, "thinker")):
            if waiting.seat_set.get(number=number).is_free:
                seating.set_bot(waiting, host, key=f"demo-bot-{number}", number=number, level=level)
    add_running_table(host, people["Tam"])
    add_finished_table(host, people["Tam"])


def add_running_table(host: Who, guest: Who) -> None:
    """A Menagerie with three bots where it is the guest's turn, in any browser they log in with."""
    table = table_creation.open_table(host, key="demo-running", game="menagerie")
    if table.state != Table.State.LOBBY:
        return
    seating.take_seat(table, guest, ref="demo-guest", key="demo-running-seat", number=0)
    seating.fill_with_bots(table, host, key="demo-running-bots", level="greedy")
    host_actions.start_game(table, host, key="demo-running-start")
    rng = FastRng("demo running")

    def so_far(live: RunningTable, table: Table) -> None:
        chosen = 0
        while live.result is None and (chosen < CHOICES_MADE or live.unanswered_seats[0] != 0):
            seat = live.unanswered_seats[0]
            live.choose(seat, choose_for_bot(LEVEL["greedy"].bot, live, seat, rng))
            chosen += 1

    choice_services.write_timer_moves(table, key="demo-running-choices", change=so_far)
    delete_seat_passes(table)


def add_finished_table(host: Who, guest: Who) -> None:
    """A whole game of Of Mice and Monarchs between two, played by the greedy bot."""
    table = table_creation.open_table(
        host, key="demo-monarchs", game="monarchs", seats=2, options={"brisk_court": True}
    )
    if table.state != Table.State.LOBBY:
        return
    for number, who in enumerate((host, guest)):
        seating.take_seat(table, who, ref=f"demo-{number}", key=f"demo-seat-{number}", number=number)
    host_actions.start_game(table, host, key="demo-start")
    Table.objects.filter(pk=table.pk).update(begun_at=timezone.now() - LASTED)
    rng = FastRng("demo")

    def to_the_end(live: RunningTable, table: Table) -> None:
        while live.result is None:
            seat = live.unanswered_seats[0]
            live.choose(seat, choose_for_bot(LEVEL["greedy"].bot, live, seat, rng))

    choice_services.write_timer_moves(table, key="demo-all-choices", change=to_the_end)
    delete_seat_passes(table)


def delete_seat_passes(table: Table) -> None:
    """Free these seats from the browser that made them."""
    Pass.objects.filter(kind=Seat.PASS, target__in=table.seat_set.values("pk")).delete()


def remove_card_tables(ids: list[int]) -> None:
    """The tables these people host, with their logs and results."""
    for table in Table.objects.filter(host__in=ids):
        logs = [table.log, table.sealed]
        if hasattr(table, "result"):
            table.result.delete()
        Pass.objects.filter(kind=Seat.PASS, target__in=table.seat_set.values("pk")).delete()
        table.delete()
        for log in logs:
            log.delete()
