"""Real tables played to a wanted question, so that a browser can open the seat that is asked. Runs inside a site."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.test import Client

from cardgames.engine import FastRng, RunningTable
from cardgames.games import find_game, house_deck, new_table, replay
from cardgames.models import Table
from cardgames.tables import host_actions, services, table_creation
from cardgames.tables.seats import seating
from log.services import new_key
from people.accounts import services as accounts
from people.requester import Who

NAMES = ("Bartholomew Long", "Oda", "Tam", "Wren")
EARLIEST = 24


def arrange(wishes: list[dict[str, Any]]) -> None:
    """Prints for each kind of question: the table's code, the asked seat, all sessions, and the card to select."""
    settings.ALLOWED_HOSTS = ["*"]
    # A host of its own each time: nobody can host more than twenty tables.
    host = accounts.create_account(f"Arranger {new_key()[:8]}", "cheese-and-thyme")
    out = {}
    for wish in wishes:
        for kind in wish["kinds"]:
            out[f"{wish['game']} {kind}"] = _open(Who.of(host), wish["game"], kind, **wish.get("how", {}))
    print("STATES", json.dumps(out))


def _open(
    host: Who,
    game: str,
    kind: str,
    options: Mapping[str, Any] = MappingProxyType({}),
    after: int = EARLIEST,
    people: bool = False,
) -> list[Any]:
    """A table where this is asked. ``people``: everybody has a phone, not only whoever is asked."""
    low, high = find_game(game).seat_limits(house_deck(game))
    seats = 1 if kind == "dice" else high
    seed, line, card = _play_to(game, kind, seats, options, after)
    more = {"seats": seats} if low != high else {}
    table = table_creation.open_table(host, key=new_key(), game=game, options=options, **more)
    Table.objects.filter(pk=table.pk).update(seed=seed)
    record = replace(new_table(game, seats, seed=seed, options=options), rows=tuple(line))
    seat = replay(record).asked_seats[0]
    phones = {}
    for number in range(seats) if people else [seat]:
        phones[number] = Client(HTTP_HOST="127.0.0.1")
        sent = {"key": new_key(), "seat": number, "name": NAMES[number]}
        assert phones[number].post(f"/tables/{table.code}/sit/", sent).status_code == 302
    seating.fill_with_bots(table, host, key=new_key())
    host_actions.start_game(table, host, key=new_key())

    def play_on(running: RunningTable, table: Table) -> None:
        for seat, key in line:
            running.choose(seat, key)

    services.write_timer_moves(table, key=new_key(), change=play_on)
    sessions = {number: phone.cookies[settings.SESSION_COOKIE_NAME].value for number, phone in phones.items()}
    return [table.code, seat, [sessions.get(number, "") for number in range(seats)], card]


def _play_to(
    game: str, kind: str, seats: int, options: Mapping[str, Any], after: int
) -> tuple[bytes, list[tuple[int, str]], str]:
    """A seed and choices that lead to the question, and the card to select for it."""
    follow_ups = find_game(game).follow_ups
    for number in range(1, 60):
        record = new_table(game, seats, seed=f"look {number}".encode(), options=options)
        running, rng = replay(record), FastRng(number)
        while running.result is None:
            seat = running.asked_seats[0]
            keys = list(running.question_for(seat).options)
            if len(running.line) >= after and running.question_for(seat).kind not in follow_ups:
                if running.question_for(seat).kind == kind:
                    return record.seed, list(running.line), ""
                for key in keys if kind in follow_ups else ():
                    trial = replay(running.to_record())
                    trial.choose(seat, key)
                    ask = trial.question_for(seat)
                    if ask is not None and ask.kind in (kind, f"{kind[:5]}-first"):
                        return record.seed, list(running.line), key
            buys = [key for key in keys if key.startswith("buy") and rng.below(3)]
            running.choose(seat, (buys or keys)[rng.below(len(buys or keys))])
    raise AssertionError(f"no {kind} question in {game}")
