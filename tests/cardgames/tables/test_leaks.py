"""Nothing leaks over HTTP: change everything a seat cannot see, and its page and its JSON stay the same, byte for byte."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from cardgames import boards, loading
from cardgames.engine import Live, Quick
from cardgames.games import house_deck
from cardgames.models import Table
from jobs import clock
from log.models import Entry, Log, Receipt
from tests.cardgames import laws
from tests.cardgames.tables import begun, choose, first_option, fresh, masked, seat_url

pytestmark = pytest.mark.django_db


def shown(client: Client, table: Table, seat: int | None) -> list[bytes]:
    """All that one viewer is sent: the page, the part that live pages fetch, the JSON, and their heads."""
    if seat is None:
        paths = [f"/tables/{table.code}/", f"/tables/{table.code}/wall/", f"/api/v1/tables/{table.code}/"]
    else:
        paths = [seat_url(table, seat), seat_url(table, seat, "part/"), f"/api/v1{seat_url(table, seat)}"]
    answers = [client.get(path) for path in paths]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    # Expires tells the time of day and nothing else.
    clock_or_size = ("Content-Length", "Expires")
    heads = [repr(sorted((k, v) for k, v in a.headers.items() if k not in clock_or_size)).encode() for a in answers]
    return [masked(answer.content) for answer in answers] + heads


def leaks(master, game: str, states: int, monkeypatch, every: int = 1) -> tuple[int, int]:
    """Counts (worlds that were really other, leaks): the table's rows stay as they are, only what is dealt is another."""
    people = 4 if game == "menagerie" else 2
    table, phones = begun(master, game, people=people)
    watcher_phone = Client()
    for phone in (*phones, watcher_phone):
        phone.get(f"/tables/{table.code}/around/")  # what is said once is said
    start = loading.record_of(table, ())
    tried = other_worlds = found = number = 0
    while tried < states:
        number += 1
        seeded = laws.starts(loading.find_game(game), start.deck, people, **table.options)(number)
        live, rng = Live(loading.find_game(game), seeded), Quick(number)
        while live.result is None and tried < states:
            if len(live.line) % every == 0:
                watcher = tried % (people + 1)
                other = laws.elsewhere(live, watcher, rng)
                seat = watcher if watcher < people else None
                pages = []
                for world in (live, other):
                    monkeypatch.setattr(loading, "load", lambda table, rows=None, world=world: world)
                    pages.append(shown(watcher_phone if seat is None else phones[seat], table, seat))
                tried += 1
                other_worlds += laws.differs(live, other)
                found += pages[0] != pages[1]
            laws.step(live, rng)
    return other_worlds, found


@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_pages_and_json_stay_the_same_in_every_world_a_seat_must_hold_possible(master, game, monkeypatch):
    other, found = leaks(master, game, 25, monkeypatch, every=5)
    assert found == 0
    assert other > 8


@pytest.mark.soak
@pytest.mark.parametrize("game", ["menagerie", "monarchs"])
def test_three_hundred_states_of_each_game_leak_nothing_over_http(master, game, monkeypatch):
    other, found = leaks(master, game, 300, monkeypatch)
    assert found == 0
    assert other > 100


def test_the_test_finds_a_leak_where_there_is_one(master, monkeypatch):
    """A board that says what lies on top of the deck."""
    honest = boards._BOARDS["menagerie"]

    def gossip(view, points, names, pack):
        top = loading.load(None).table.deck.cards[-1:]
        return {**honest(view, points, names, pack), "deck": str(top[0].key) if top else ""}

    monkeypatch.setitem(boards._BOARDS, "menagerie", gossip)
    _, found = leaks(master, "menagerie", 8, monkeypatch, every=5)
    assert found > 1


def test_the_stream_and_the_rows_of_a_table_say_nothing_about_its_deal(master):
    """Two tables with different deals: the same number of choices makes the same versions, and no answer holds a card."""
    told = []
    for seed in (b"one deal", b"another deal"):
        table, phones = begun(master, people=4, seed=seed)
        versions = []
        for _ in range(6):
            seat = fresh(table).asked[0]
            live = loading.load(fresh(table))
            choose(phones[seat], table, seat, next(iter(live.ask_of(seat).options)), stamp=live.stamp)
            versions.append(Log.objects.get(pk=table.log_id).version - table.log.version)
        told.append(versions)
        answers = Receipt.objects.filter(log=table.log_id).values_list("answer", flat=True)
        assert all(set(answer) <= {"stamp", "seat", "pass"} for answer in answers)
        bodies = Entry.objects.filter(log=table.log_id).exclude(act="choice").values_list("body", flat=True)
        assert all(set(body) <= {"seat", "took_over", "level"} for body in bodies)
    assert told[0] == told[1] == [1, 2, 3, 4, 5, 6]


def test_no_log_line_names_a_card(master, caplog):
    table, phones = begun(master, people=2)
    names = {str(value).lower() for row in house_deck("menagerie").rows for value in (row.id, row.values["name"])}
    with caplog.at_level("INFO"), caplog.at_level("INFO", logger="django.request"):
        for _ in range(12):
            seat = fresh(table).asked[0]
            if seat < 2:
                choose(phones[seat], table, seat, "no-such-card")
                choose(phones[1 - seat], table, 1 - seat, "mammoth")
                choose(phones[seat], table, seat, first_option(table, seat))
            else:
                clock.tick(fresh(table).asked_at + dt.timedelta(seconds=1))
    said = caplog.text.lower()
    assert table.code.lower() in said, "the refusals were logged"
    assert [name for name in names if name in said] == []
