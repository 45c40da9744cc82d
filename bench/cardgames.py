"""Card tables: random play, loading by replay, one request; against the bare generator and other engines in one run."""

from __future__ import annotations

import json
import math
from collections.abc import Generator
from dataclasses import replace
from random import Random
from statistics import median
from time import process_time
from typing import Any

from bench import bare_menagerie, bare_monarchs
from bench._anchors import Anchors
from bench.bare_menagerie import Asked
from cardgames.engine import Record, RunningTable
from cardgames.games import find_game, new_table

GAMES = 24
ROUNDS = 21
Row = tuple[str, float, str, tuple[str, float]]


def tables(first: int, game: str = "menagerie") -> list[Record]:
    return [new_table(game, 4, seed=b"bench %d" % number) for number in range(first, first + GAMES)]


def bare_script(record: Record) -> Generator[Asked, Any, Any]:
    """The same game without the engine."""
    if record.game == "monarchs":
        return bare_monarchs.Bare(record.seed, record.seats).play()
    return bare_menagerie.Bare(record.seed).play()


def engine_play(records: list[Record]) -> tuple[float, list[Record]]:
    """Seconds per decision of random play: choices, events and knowledge recorded, a view at every tenth step."""
    game, pick = find_game(records[0].game), Random(1).random
    decisions = 0
    played: list[Record] = []
    start = process_time()
    for record in records:
        live = RunningTable(game, record)
        while (ask := live.single) is not None:
            keys = list(ask.options)
            live.choose(ask.seat, keys[int(pick() * len(keys))])
            decisions += 1
            if not decisions % 10 and live.single is not None:
                live.view(live.single.seat)
        played.append(live.to_record())
    return (process_time() - start) / decisions, played


def bare_play(records: list[Record]) -> float:
    pick, decisions = Random(1).random, 0
    start = process_time()
    for record in records:
        script = bare_script(record)
        ask = next(script)
        try:
            while True:
                keys = list(ask.options)
                decisions += 1
                ask = script.send(ask.options[keys[int(pick() * len(keys))]])
        except StopIteration:
            pass
    return (process_time() - start) / decisions


def engine_load(played: list[Record]) -> float:
    game = find_game(played[0].game)
    start = process_time()
    for record in played:
        RunningTable(game, record)
    return (process_time() - start) / len(played)


def bare_load(played: list[Record]) -> float:
    start = process_time()
    for record in played:
        script = bare_script(record)
        ask = next(script)
        try:
            for _, key in record.rows:
                ask = script.send(ask.options[key])
        except StopIteration:
            pass
    return (process_time() - start) / len(played)


def one_request(played: list[Record]) -> float:
    """Load a game before its last choice, choose, and write every seat's view and the spectator's as JSON."""
    game = find_game("menagerie")
    start = process_time()
    for record in played:
        *rows, (seat, key) = record.rows
        live = RunningTable(game, replace(record, rows=tuple(rows)))
        live.choose(seat, key)
        for watcher in (None, 0, 1, 2, 3):
            json.dumps(live.view(watcher).as_json())
    return (process_time() - start) / len(played)


def quartile(values: list[float]) -> float:
    """The fastest quarter, for absolute figures: on a shared machine the slow rounds say nothing about the code."""
    return sorted(values)[len(values) // 4]


def fastest(rates: list[float]) -> float:
    return 1 / quartile([1 / rate for rate in rates])


def run() -> list[Row]:
    bare, engine, requests = [], [], []
    loads: dict[str, list[tuple[float, float]]] = {"menagerie": [], "monarchs": []}
    others: dict[str, list[float]] = {}
    with Anchors() as anchors:
        for number in range(ROUNDS):
            records = tables(number * GAMES)
            bare.append(bare_play(records))
            spent, played = engine_play(records)
            engine.append(spent)
            loads["menagerie"].append((engine_load(played), bare_load(played)))
            requests.append(one_request(played))
            _, played = engine_play(tables(number * GAMES, "monarchs"))
            loads["monarchs"].append((engine_load(played), bare_load(played)))
            for name, anchor in anchors.items():
                others.setdefault(name, []).append(anchor.measure(0.2))
    ours = 1 / quartile(engine)
    plain = 1 / quartile(bare)
    request = quartile(requests)
    rows: list[Row] = [
        (
            "Card engine, random play / bare generator",
            median(slow / quick for slow, quick in zip(bare, engine, strict=True)),
            f"{ours:,.0f} decisions/s against {plain:,.0f}; target 100,000",
            (">=", 0.6),
        ),
    ]
    for name, least in (("OpenSpiel hearts", 0.45), ("RLCard uno", 4.0)):
        what = f"Card engine, random play / {name}"
        if name not in others:
            rows.append((what, math.nan, "could not be installed here", (">=", least)))
            continue
        theirs = fastest(others[name])
        note = f"{theirs:,.0f} decisions/s there"
        if f"{name} by hand" in others:
            note += f" by its own agents, {fastest(others[f'{name} by hand']):,.0f} stepped by hand"
        # Round by round, as the other rows: the machine's speed changes from one second to the next.
        ratio = median(1 / mine / other for mine, other in zip(engine, others[name], strict=True))
        rows.append((what, ratio, f"{note}, here {ours:,.0f}", (">=", least)))
    for game, times in loads.items():
        load, plain_load = (quartile(list(each)) for each in zip(*times, strict=True))
        what = f"Load of a finished game of {game}, four seats / bare generator"
        note = f"{load * 1e3:.2f} ms against {plain_load * 1e3:.2f} ms"
        rows.append((what, median(ours / theirs for ours, theirs in times), note, ("<=", 1.5)))
    rows.append(
        (
            "One request (load, choose, all views as JSON) / its target",
            request / 1.5e-3,
            f"{request * 1e3:.2f} ms; target 1.5 ms",
            ("<=", 1.0),
        )
    )
    return rows
