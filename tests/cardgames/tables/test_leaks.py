"""Nothing leaks over HTTP or the stream: change all that a seat cannot see, and it is sent the same, byte for byte."""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from unittest import mock

import pytest
from django.db import transaction
from django.test import Client, TestCase

from cardgames import games
from cardgames.engine import FastRng, RunningTable
from cardgames.games import find_game, house_deck
from cardgames.models import Table
from cardgames.tables import load_from_log
from cardgames.tables.board_frame import Past
from jobs import timers
from live import streams
from log import registry, services as log_services
from log.models import Entry, Log, Receipt
from tests.cardgames.engine import game_laws
from tests.cardgames.tables.sample_tables import (
    begin_sample_game,
    choose,
    first_option,
    mask_tokens,
    refusal_text,
    reload,
    seat_url,
)

pytestmark = pytest.mark.django_db


def shown(client: Client, table: Table, seat: int | None, one: int | None = None) -> list[bytes]:
    """Everything one viewer is sent: the page, the part for live updates, the JSON, the menu, and the headers.

    Or ``one`` of the first three, where many states are compared.
    """
    if seat is None:
        paths = [f"/tables/{table.code}/", f"/tables/{table.code}/wall/", f"/api/v1/tables/{table.code}/"]
    else:
        paths = [seat_url(table, seat), seat_url(table, seat, "part/"), f"/api/v1{seat_url(table, seat)}"]
        if one is None:
            paths.append(seat_url(table, seat, "menu/"))
    answers = [client.get(path) for path in (paths if one is None else [paths[one % 3]])]
    running = load_from_log.load_running_table(table)
    if seat is not None and one in (None, 2) and (ask := running.question_for(seat)) is not None:
        # What a selected choice would do, and what would be asked next. It plays on, so it comes last.
        keys = sorted(ask.options)
        body = {"pick": keys[running.version % len(keys)], "stamp": running.stamp}
        answers.append(client.post(seat_url(table, seat, "choose/"), body))
    assert {answer.status_code for answer in answers} == {200}
    # Expires gives the time of day, and each request has its own id.
    clock_or_size = ("Content-Length", "Expires", "X-Request-ID")
    heads = [repr(sorted((k, v) for k, v in a.headers.items() if k not in clock_or_size)).encode() for a in answers]
    return [mask_tokens(answer.content) for answer in answers] + heads


def past_of(world: RunningTable, seat: int) -> Past:
    """Everything that happened counts as new."""
    points = tuple(0 for _ in range(world.record.seats))
    return Past(world.view(seat), 0, points, ((len(world.table.events), points),), is_first=True)


def streamed(phone: Client, table: Table, seat: int, choice: str, stamp: int) -> list[str]:
    """What the streams of this table carry when this seat really chooses; afterwards it is undone."""
    heard: list[tuple[int, int]] = []
    before = transaction.savepoint()
    try:
        with replaced_news(heard), TestCase.captureOnCommitCallbacks(execute=True):
            answer = choose(phone, table, seat, choice, stamp=stamp)
            assert answer.status_code in (200, 302), refusal_text(answer)
    finally:
        transaction.savepoint_rollback(before)
    # The sealed log has no watchers.
    return [streams._event((log,), {log: version}, log) for log, version in heard if log == table.log_id]


@contextlib.contextmanager
def replaced_news(heard: list[tuple[int, int]]) -> Iterator[None]:
    def hear(log_id: int, version: int) -> None:
        heard.append((log_id, version))

    with mock.patch.object(registry, "_listeners", [hear]):
        yield


def deal(monkeypatch, world: RunningTable, anew: Callable[[], RunningTable] | None = None) -> None:
    """From now on the table is this one.

    A choice that answers a reaction window is tried on two logs, and the game is loaded for each. The first try has
    played on, so ``anew`` makes the same world again.
    """
    unused, rows_of = [world], load_from_log.choice_rows_of

    def load() -> RunningTable:
        return unused.pop() if unused else anew() if anew else world

    monkeypatch.setattr(load_from_log, "load_running_table", lambda table, rows=None: load())
    monkeypatch.setattr(load_from_log, "open_game", lambda table, rows=None: (rows_of(table), load()))
    monkeypatch.setattr(
        load_from_log, "load_for_seat", lambda table, seat, replay=None: ((loaded := load()), past_of(loaded, seat))
    )


def common_choice(worlds: list[RunningTable]) -> tuple[int, str] | None:
    """A choice that both worlds offer to the same seat."""
    for seat in worlds[0].asked_seats:
        asks = [world.question_for(seat) for world in worlds]
        if all(asks):
            both = [key for key in asks[0].options if key in asks[1].options]
            if both:
                return seat, both[worlds[0].version % len(both)]
    return None


def look_the_same_after(worlds: list[RunningTable], watcher: int | None, seat: int, choice: str) -> bool:
    """Whether the watcher sees the same after this choice, too; what it turns up may be news to them."""
    for world in worlds:
        world.choose(seat, choice)
    return game_laws.snapshot(worlds[0], watcher) == game_laws.snapshot(worlds[1], watcher)


@dataclass
class Counted:
    tried: int = 0
    other_worlds: int = 0
    leaks: int = 0
    on_stream: int = 0
    stream_leaks: int = 0


def compare_worlds(
    master, game: str, states: int, monkeypatch, *, every: int = 1, on_stream: int = 0, first: int = 0, in_turn=False
) -> Counted:
    """Only the deal changes, the table's entries do not. ``in_turn``: one kind of answer for each state, in turn."""
    people = 4 if game == "menagerie" else 2
    table, phones = begin_sample_game(master, game, people=people)
    watcher_phone = Client()
    for phone in (*phones, watcher_phone):
        phone.get(f"/tables/{table.code}/around/")  # what is said once is said
    start = load_from_log.record_of(table, ())
    counted, number, watched = Counted(), first, 0
    while counted.tried < states or counted.on_stream < on_stream:
        number += 1
        seeded = game_laws.starts(load_from_log.find_game(game), start.deck, people, **table.options)(number)
        running, rng = RunningTable(load_from_log.find_game(game), seeded), FastRng(number)
        while running.result is None and (counted.tried < states or counted.on_stream < on_stream):
            if running.choice_count % every == 0:
                watcher = watched % (people + 1)
                seat = watcher if watcher < people else None
                seed = rng.below(2**32)

                def two_worlds(watcher: int = watcher, seed: int = seed, running: RunningTable = running):
                    # Whatever uses them plays on, so each gets its own.
                    other = game_laws.elsewhere(running, watcher, FastRng(seed))
                    return [RunningTable(running.game, running.to_record()), other]

                counted.other_worlds += game_laws.differs(*two_worlds())
                if counted.tried < states:
                    phone, pages = watcher_phone if seat is None else phones[seat], []
                    for world in two_worlds():
                        deal(monkeypatch, world)
                        pages.append(shown(phone, table, seat, counted.tried % 3 if in_turn else None))
                    counted.tried += 1
                    counted.leaks += pages[0] != pages[1]
                picked = common_choice(two_worlds()) if counted.on_stream < on_stream else None
                if picked and look_the_same_after(two_worlds(), seat, *picked):
                    carried = []
                    for which, world in enumerate(two_worlds()):
                        deal(monkeypatch, world, anew=lambda which=which, make=two_worlds: make()[which])
                        carried.append(streamed(phones[picked[0]], table, *picked, stamp=world.stamp))
                    counted.on_stream += 1
                    counted.stream_leaks += carried[0] != carried[1]
                watched += 1
            game_laws.step(running, rng)
    return counted


GAMES = ["menagerie", "monarchs", "moods", "majesty"]


@pytest.mark.parametrize("game", GAMES)
def test_pages_json_and_stream_do_not_depend_on_cards_a_seat_cannot_know(master, game, monkeypatch):
    counted = compare_worlds(master, game, 12, monkeypatch, every=5, on_stream=5)
    assert (counted.leaks, counted.stream_leaks) == (0, 0)
    assert counted.other_worlds > 3


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_states_leak_nothing_over_http_and_over_the_stream(master, game, monkeypatch):
    """2,500 of each of the four games; its page, its live part, or its JSON and a preview, in turn."""
    counted = compare_worlds(master, game, 2500, monkeypatch, on_stream=2500, first=1000, in_turn=True)
    assert (counted.tried, counted.leaks, counted.on_stream, counted.stream_leaks) == (2500, 0, 2500, 0)
    assert counted.other_worlds > 1000


def test_leak_check_finds_a_real_leak(master, monkeypatch):
    """A board that shows the top card of the deck."""
    honest = find_game("menagerie")

    def gossip(scene):
        top = load_from_log.load_running_table(None).table.deck.cards[-1:]
        return replace(honest.lay_out(scene), tallies=(("deck", str(top[0].key) if top else ""),))

    monkeypatch.setitem(games.SHELF, "menagerie", replace(honest, lay_out=gossip))
    assert compare_worlds(master, "menagerie", 8, monkeypatch, every=5).leaks > 1


def test_stream_check_finds_a_real_leak(master, monkeypatch):
    """News that goes out twice when the top card of the deck has an odd name."""
    honest, loaded_from_log = log_services._advance_versions, load_from_log.load_running_table

    def gossip(logs):
        honest(logs)
        if load_from_log.load_running_table is loaded_from_log:
            return  # the lobby: nothing is dealt
        top = load_from_log.load_running_table(None).table.deck.cards[-1:]
        if top and sum(str(top[0].key).encode()) % 2:
            for log in logs:
                transaction.on_commit(partial(registry.publish, log.pk, log.version))

    monkeypatch.setattr(log_services, "_advance_versions", gossip)
    counted = compare_worlds(master, "menagerie", 0, monkeypatch, every=3, on_stream=12)
    assert counted.on_stream == 12
    assert counted.stream_leaks > 1


def test_stream_and_entries_reveal_nothing_about_the_deal(master):
    """Two different deals: equal numbers of choices give the same versions, and no answer names a card."""
    sent = []
    for seed in (b"one deal", b"another deal"):
        table, phones = begin_sample_game(master, people=4, seed=seed)
        versions = []
        for _ in range(6):
            seat = reload(table).asked[0]
            running = load_from_log.load_running_table(reload(table))
            choose(phones[seat], table, seat, next(iter(running.question_for(seat).options)), stamp=running.stamp)
            versions.append(Log.objects.get(pk=table.log_id).version - table.log.version)
        sent.append(versions)
        answers = Receipt.objects.filter(log=table.log_id).values_list("answer", flat=True)
        assert all(set(answer) <= {"stamp", "seat", "pass"} for answer in answers)
        bodies = Entry.objects.filter(log=table.log_id).exclude(act="choice").values_list("body", flat=True)
        assert all(set(body) <= {"seat", "took_over", "level"} for body in bodies)
    assert sent[0] == sent[1] == [1, 2, 3, 4, 5, 6]


def test_server_log_names_no_card(master, caplog):
    table, phones = begin_sample_game(master, people=2)
    names = {str(value).lower() for row in house_deck("menagerie").rows for value in (row.id, row.values["name"])}
    with caplog.at_level("INFO"), caplog.at_level("INFO", logger="django.request"):
        for _ in range(12):
            seat = reload(table).asked[0]
            if seat < 2:
                choose(phones[seat], table, seat, "no-such-card")
                choose(phones[1 - seat], table, 1 - seat, "mammoth")
                choose(phones[seat], table, seat, first_option(table, seat))
            else:
                timers.fire_due_timers(reload(table).asked_at + dt.timedelta(seconds=1))
    logged = caplog.text.lower()
    assert table.code.lower() in logged, "the refusals were logged"
    assert [name for name in names if name in logged] == []
