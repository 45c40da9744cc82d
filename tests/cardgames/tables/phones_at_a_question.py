"""Real tables played to a wanted question, so that a browser can open the seat that is asked. Runs inside a site."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.test import Client
from django.utils import timezone

from cardgames.engine import CLOCK, FastRng, Record, RunningTable
from cardgames.games import find_game, house_deck, new_table, replay
from cardgames.models import Table
from cardgames.tables import choice_services, host_actions, table_creation
from cardgames.tables.core import acts
from cardgames.tables.seats import seating
from jobs import timers
from log.services import new_key
from people.accounts import services as accounts
from people.requester import Who
from tests.cardgames import records

NAMES = ("Bartholomew Long", "Oda", "Tam", "Wren", "Pim", "Hazel")
EARLIEST = 24


def arrange(wishes: list[dict[str, Any]]) -> None:
    """Prints for each kind of question: the table's code, the asked seat, all sessions, and the card to select."""
    host = _new_host()
    out = {}
    for wish in wishes:
        for kind in wish["kinds"]:
            out[f"{wish['game']} {kind}"] = _open(host, wish["game"], kind, **wish.get("how", {}))
    print("STATES", json.dumps(out))


def arrange_recorded(path: str, stops: dict[str, int]) -> None:
    """A recorded game played to each of these rows, at a table of its own where everybody has a phone."""
    record = read_record(path)
    out = {}
    for name, row in stops.items():
        line = list(record.rows[:row])
        seats = range(record.seats)
        out[name] = _open_with_phones(_new_host(), record.game, record.seats, record.seed, line, record.options, seats)
    print("STATES", json.dumps(out))


def arrange_start(game: str, seats: int, people: int, seed: str, **options: Any) -> None:
    """A table that has just begun: the first seats are people with phones, bots play the others."""
    state = _open_with_phones(_new_host(), game, seats, seed.encode(), (), options, range(people))
    print("STATES", json.dumps({"start": state}))


def arrange_every_kind(game: str, after: int) -> None:
    """A table of the most seats for each kind of question that random play comes to."""
    follow_ups = find_game(game).follow_ups
    seats = find_game(game).seat_limits(house_deck(game))[1]
    values: dict[str, tuple[bytes, list[tuple[int, str]], str]] = {}
    for number in range(1, 25):
        record = new_table(game, seats, seed=f"every kind {number}".encode())
        running, rng = replay(record), FastRng(number)
        start, card = 0, ""
        while running.result is None:
            if not running.unanswered_seats:
                running.choose(CLOCK, running.pending_timer_keys()[0])
                continue
            seat = running.unanswered_seats[0]
            question = running.question_for(seat)
            assert question is not None
            if question.kind not in follow_ups:
                start, card = running.choice_count, ""
            if start >= after:
                values.setdefault(question.kind, (record.seed, list(running.line[:start]), card))
            keys = list(question.options)
            key = keys[rng.below(len(keys))]
            card = card or key
            running.choose(seat, key)
    out = {
        kind: [*_open_with_phones(_new_host(), game, seats, seed, line, {})[:3], card if kind in follow_ups else ""]
        for kind, (seed, line, card) in values.items()
    }
    print("STATES", json.dumps(out))


def read_record(path: str) -> Record:
    """A recorded game beside its deck."""
    file = Path(path)
    data = json.loads(file.read_text(encoding="utf-8"))
    data["deck"] = json.loads((file.parent / f"deck-{data['deck']}.json").read_text(encoding="utf-8"))
    return records.read_record(data)


def _new_host() -> Who:
    """A host of its own each time: nobody can host more than twenty tables."""
    settings.ALLOWED_HOSTS = ["*"]
    return Who.of(accounts.create_account(f"Arranger {new_key()[:8]}", "cheese-and-thyme"))


def _open(
    host: Who,
    game: str,
    kind: str,
    options: Mapping[str, Any] = MappingProxyType({}),
    after: int = EARLIEST,
    people: bool = False,
    held: bool = False,
) -> list[Any]:
    """A table where this is asked.

    ``people``: everybody has a phone, not only whoever is asked. ``held``: a reaction window stays open until
    ``close_window``, however long the phones take to open.
    """
    seats = 1 if kind == "dice" else find_game(game).seat_limits(house_deck(game))[1]
    seed, line, card = _play_to(game, kind, seats, options, after)
    state = _open_with_phones(host, game, seats, seed, line, options, range(seats) if people else ())
    if held:
        _set_window_time(state[0], timezone.now() + dt.timedelta(hours=1))
    return [*state[:3], card]


def close_window(code: str) -> None:
    """The time of the open reaction window is over."""
    _set_window_time(code, timezone.now())


def _set_window_time(code: str, at: dt.datetime) -> None:
    table = Table.objects.get(code=code)
    Table.objects.filter(pk=table.pk).update(asked_at=at)
    timers.set_timer(choice_services.TIMER, table.pk, at)


def _open_with_phones(
    host: Who,
    game: str,
    seats: int,
    seed: bytes,
    line: Sequence[tuple[int, str]],
    options: Mapping[str, Any],
    people: Sequence[int] = (),
) -> list[Any]:
    """A table after these choices. ``people`` have phones; if nobody is named, whoever is asked has one."""
    low, high = find_game(game).seat_limits(house_deck(game))
    more = {"seats": seats} if low != high else {}
    table = table_creation.open_table(host, acts.HostTable(game, options=options, **more), key=new_key())
    Table.objects.filter(pk=table.pk).update(seed=seed)
    record = replace(new_table(game, seats, seed=seed, options=options), rows=tuple(line))
    asked = replay(record).unanswered_seats
    phones = {}
    for number in people or asked[:1]:
        phones[number] = Client(HTTP_HOST="127.0.0.1")
        sent = {"key": new_key(), "seat": number, "name": NAMES[number]}
        assert phones[number].post(f"/tables/{table.code}/sit/", sent).status_code == 302
    seating.fill_with_bots(table, host, acts.FillWithBots(), key=new_key())
    host_actions.start_game(table, host, acts.StartGame(), key=new_key())

    def play_on(running: RunningTable, table: Table) -> None:
        for seat, key in line:
            running.choose(seat, key)

    choice_services.write_timer_moves(table, key=new_key(), change=play_on)
    sessions = {number: phone.cookies[settings.SESSION_COOKIE_NAME].value for number, phone in phones.items()}
    return [table.code, asked[0] if asked else 0, [sessions.get(number, "") for number in range(seats)], ""]


def _play_to(
    game: str, kind: str, seats: int, options: Mapping[str, Any], after: int
) -> tuple[bytes, list[tuple[int, str]], str]:
    """A seed and choices that lead to the question, and the card to select for it."""
    follow_ups = find_game(game).follow_ups
    for number in range(1, 60):
        record = new_table(game, seats, seed=f"look {number}".encode(), options=options)
        running, rng = replay(record), FastRng(number)
        while running.result is None:
            if not running.unanswered_seats:
                running.choose(CLOCK, running.pending_timer_keys()[0])
                continue
            seat = running.unanswered_seats[0]
            keys = list(running.question_for(seat).options)
            if running.choice_count >= after and running.question_for(seat).kind not in follow_ups:
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
