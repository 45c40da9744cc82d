"""Nothing leaks over HTTP: change everything a seat cannot see, and its page and JSON stay the same, byte for byte."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest
from django.test import Client

from cardgames import games
from cardgames.engine import FastRng, RunningTable
from cardgames.games import find_game, house_deck
from cardgames.models import Table
from cardgames.tables import load_from_log
from cardgames.tables.board_layout import Past
from jobs import timers
from log.models import Entry, Log, Receipt
from tests.cardgames.engine import game_laws
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, first_option, mask_tokens, reload, seat_url

pytestmark = pytest.mark.django_db


def shown(client: Client, table: Table, seat: int | None) -> list[bytes]:
    """Everything one viewer is sent: the page, the part for live updates, the JSON, and the headers."""
    if seat is None:
        paths = [f"/tables/{table.code}/", f"/tables/{table.code}/wall/", f"/api/v1/tables/{table.code}/"]
    else:
        paths = [seat_url(table, seat), seat_url(table, seat, "part/"), f"/api/v1{seat_url(table, seat)}"]
    answers = [client.get(path) for path in paths]
    running = load_from_log.load_running_table(table)
    if seat is not None and (ask := running.question_for(seat)) is not None:
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


def leaks(master, game: str, states: int, monkeypatch, every: int = 1) -> tuple[int, int]:
    """Counts (deals that really differed, leaks): only the deal changes, the table's entries do not."""
    people = 4 if game == "menagerie" else 2
    table, phones = begin_sample_game(master, game, people=people)
    watcher_phone = Client()
    for phone in (*phones, watcher_phone):
        phone.get(f"/tables/{table.code}/around/")  # what is said once is said
    start = load_from_log.record_of(table, ())
    tried = other_worlds = found = number = 0
    while tried < states:
        number += 1
        seeded = game_laws.starts(load_from_log.find_game(game), start.deck, people, **table.options)(number)
        running, rng = RunningTable(load_from_log.find_game(game), seeded), FastRng(number)
        while running.result is None and tried < states:
            if len(running.line) % every == 0:
                watcher = tried % (people + 1)
                other = game_laws.elsewhere(running, watcher, rng)
                seat = watcher if watcher < people else None
                pages = []
                for world in (RunningTable(running.game, running.to_record()), other):
                    monkeypatch.setattr(
                        load_from_log, "load_running_table", lambda table, rows=None, world=world: world
                    )
                    monkeypatch.setattr(
                        load_from_log, "load_for_seat", lambda table, seat, world=world: (world, past_of(world, seat))
                    )
                    pages.append(shown(watcher_phone if seat is None else phones[seat], table, seat))
                tried += 1
                other_worlds += game_laws.differs(running, other)
                found += pages[0] != pages[1]
            game_laws.step(running, rng)
    return other_worlds, found


@pytest.mark.parametrize("game", ["menagerie", "monarchs", "moods"])
def test_pages_and_json_do_not_depend_on_cards_a_seat_cannot_know(master, game, monkeypatch):
    other, found = leaks(master, game, 25, monkeypatch, every=5)
    assert found == 0
    assert other > 8


@pytest.mark.soak
@pytest.mark.parametrize("game", ["menagerie", "monarchs", "moods"])
def test_three_hundred_states_of_each_game_leak_nothing_over_http(master, game, monkeypatch):
    other, found = leaks(master, game, 300, monkeypatch)
    assert found == 0
    assert other > 100


def test_leak_check_finds_a_real_leak(master, monkeypatch):
    """A board that shows the top card of the deck."""
    honest = find_game("menagerie")

    def gossip(scene):
        top = load_from_log.load_running_table(None).table.deck.cards[-1:]
        return replace(honest.lay_out(scene), tallies=(("deck", str(top[0].key) if top else ""),))

    monkeypatch.setitem(games.SHELF, "menagerie", replace(honest, lay_out=gossip))
    _, found = leaks(master, "menagerie", 8, monkeypatch, every=5)
    assert found > 1


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
