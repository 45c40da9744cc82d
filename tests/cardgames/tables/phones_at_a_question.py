"""Real tables played to a wanted question, so that a browser can open the seat that is asked. Runs inside a site."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.test import Client

from cardgames.engine import FastRng, RunningTable
from cardgames.games import find_game, house_deck, new_table, replay
from cardgames.models import Table
from cardgames.tables import host_actions, load_from_log, services, table_creation
from log.services import new_key
from people.accounts import services as accounts
from people.requester import Who

NAMES = ("Bartholomew Long", "Oda", "Tam", "Wren")
EARLIEST = 24


def arrange(wishes: list[dict[str, Any]]) -> None:
    """Prints for each kind of question: the table's code, the asked seat, all sessions, and the card to select."""
    settings.ALLOWED_HOSTS = ["*"]
    account = accounts.find_account("Arranger")
    host = account.person if account else accounts.create_account("Arranger", "cheese-and-thyme")
    out = {}
    for wish in wishes:
        for kind in wish["kinds"]:
            after, options = wish.get("after", EARLIEST), wish.get("options", {})
            out[f"{wish['game']} {kind}"] = _open(Who.of(host), wish["game"], kind, options, after)
    print("STATES", json.dumps(out))


def _open(host: Who, game: str, kind: str, options: dict[str, Any], after: int) -> list[Any]:
    low, high = find_game(game).seating(house_deck(game))
    seats = 1 if kind == "dice" else high
    seed, line, card = _play_to(game, kind, seats, options, after)
    more = {"seats": seats} if low != high else {}
    table = table_creation.open_table(host, key=new_key(), game=game, options=options, **more)
    Table.objects.filter(pk=table.pk).update(seed=seed)
    phones = [Client(HTTP_HOST="127.0.0.1") for _ in range(seats)]
    for number, phone in enumerate(phones):
        answer = phone.post(f"/tables/{table.code}/sit/", {"key": new_key(), "seat": number, "name": NAMES[number]})
        assert answer.status_code == 302
    host_actions.start_game(table, host, key=new_key())

    def play_on(running: RunningTable, table: Table) -> None:
        for seat, key in line:
            running.choose(seat, key)

    services.write_timer_moves(table, key=new_key(), change=play_on)
    seat = load_from_log.load_running_table(Table.objects.get(pk=table.pk)).asked[0]
    return [table.code, seat, [phone.cookies[settings.SESSION_COOKIE_NAME].value for phone in phones], card]


def _play_to(
    game: str, kind: str, seats: int, options: dict[str, Any], after: int
) -> tuple[bytes, list[tuple[int, str]], str]:
    """A seed and choices that lead to the question, and the card to select for it."""
    follow_ups = find_game(game).follow_ups
    for number in range(1, 60):
        record = new_table(game, seats, seed=f"look {number}".encode(), options=options)
        running, rng = replay(record), FastRng(number)
        while running.result is None:
            seat = running.asked[0]
            keys = list(running.ask_of(seat).options)
            if len(running.line) >= after and running.ask_of(seat).kind not in follow_ups:
                if running.ask_of(seat).kind == kind:
                    return record.seed, list(running.line), ""
                for key in keys if kind in follow_ups else ():
                    trial = replay(running.stored())
                    trial.choose(seat, key)
                    ask = trial.ask_of(seat)
                    if ask is not None and ask.kind in (kind, f"{kind[:5]}-first"):
                        return record.seed, list(running.line), key
            buys = [key for key in keys if key.startswith("buy") and rng.below(3)]
            running.choose(seat, (buys or keys)[rng.below(len(buys or keys))])
    raise AssertionError(f"no {kind} question in {game}")
