"""Plays as a table, in and out, with nothing a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import sys
import time
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, strategies as st

from gamenights.transfer.core import read_plays_file, write_csv
from gamenights.transfer.core.csv_table import guard_cell, unguard_cell
from refusal import Refusal
from tests.gamenights.transfer.sample_files import TODAY, make_export, make_large_export, make_play_row, to_bytes

ZONE = ZoneInfo("Europe/Berlin")


def read(data):
    return read_plays_file(data if isinstance(data, bytes) else data.encode(), TODAY, ZONE)


@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_a_table_typed_by_hand_is_read(comma):
    table = (
        "Date,Game,Player,Score,Winner\n"
        "2026-03-05,Catan,Oda,12+30,yes\n2026-03-05,Catan,Wren,-3,\n"
        "2026-03-05,Catan,Oda,5,\n2026-03-05,Catan,Wren,9,\n"
        "2026-03-06,Catan,Oda,1,\n"
    ).replace(",", comma)
    first, second, solo = read(table).plays
    assert {one.score for play in (first, second, solo) for one in play.players} == {1, 5, 9, 42, -3}
    assert sorted(len(play.players) for play in (first, second, solo)) == [1, 2, 2]
    assert len({play.uuid for play in (first, second, solo)}) == 3
    assert read(table) == read(table)


def test_rows_of_one_play_belong_together_wherever_they_are():
    table = (
        "play,date,game,player,score\na,2026-03-05,Catan,Oda,1\nb,2026-03-05,Catan,Oda,2\na,2026-03-05,Catan,Wren,3\n"
    )
    assert sorted(len(play.players) for play in read(table).plays) == [1, 2]


def count_steps(work) -> int:
    """Lines of our own code that ran: the same on every machine."""
    steps = 0

    def trace(frame, event, _):
        nonlocal steps
        if "gamenights" not in frame.f_code.co_filename:
            return None
        steps += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return steps


HEAD = "date,game,player,score\n"
TABLES = {
    "one play of all rows": lambda n: HEAD + "".join(f"2026-03-05,Catan,P{row},{row}\n" for row in range(n)),
    "one key for all rows": lambda n: "play," + HEAD + "".join(f"x,2026-03-05,Catan,P{row},1\n" for row in range(n)),
    "a game in every row": lambda n: HEAD + "".join(f"2026-03-05,Game {row},Oda,1\n" for row in range(n)),
    "the same row again": lambda n: HEAD + "2026-03-05,Catan,Oda,1\n" * n,
}


@pytest.mark.parametrize("make", TABLES.values(), ids=TABLES)
def test_reading_takes_time_in_proportion_to_the_rows(make):
    few, many = (count_steps(lambda number=number: read(make(number))) for number in (200, 800))
    assert many < 4.4 * few


@pytest.mark.clock
def test_fifty_thousand_rows_are_read_in_seconds():
    rows = "".join(f"2026-03-05,Catan,P{row % 9_000},{row}\n" for row in range(50_000))
    begun = time.process_time()
    assert len(read(HEAD + rows).people) == 9_000
    rows = "".join(f"{row // 4},2026-03-05,Game {row % 500},P{row % 4_000},{row}\n" for row in range(50_000))
    assert len(read("play," + HEAD + rows).plays) == 12_500
    assert time.process_time() - begun < 30


def test_missing_columns_are_named():
    with pytest.raises(Refusal, match="Missing: date, player"):
        read("game,score\nCatan,3\n")


def test_a_damaged_table_is_refused():
    with pytest.raises(Refusal, match="damaged"):
        read('date,game,player\n2026-03-05,Catan,"' + "x" * 200_000)


def test_rows_that_cannot_be_read_are_listed():
    file = read("date,game,player\n2026-03-05,,Oda\nsoon,Catan,Oda\n2026-03-05,Catan,\n")
    assert file.plays == ()
    assert [one.which for one in file.left_out] == ["Row 2", "Row 3, Catan", "Row 4, Catan, 5 March 2026"]


@pytest.mark.parametrize("text", ["=1+1", "+cmd", "-cmd", "@SUM(A1)", "\t=1", "'=1", "''+x", "=", "|x"])
def test_formulas_are_guarded_and_come_back(text):
    assert guard_cell(text).startswith("'")
    assert unguard_cell(guard_cell(text)) == text


@pytest.mark.parametrize("text", ["-3", "-3.5", "12+30", "Oda", "'s Hertogenbosch", ""])
def test_numbers_and_words_stay_as_they_are(text):
    assert guard_cell(text) == text


@given(st.text(max_size=20))
def test_every_cell_comes_back(text):
    assert unguard_cell(guard_cell(text)) == text


def test_a_name_that_is_a_formula_is_harmless_in_the_export_and_comes_back():
    players = [{"id": 1, "name": '=HYPERLINK("x")'}, {"id": 2, "name": "Wren"}]
    first = read(to_bytes(make_export(players=players, plays=[make_play_row(comments="@all, cheese")])))
    data = write_csv(first, ZONE)
    cells = [cell for row in csv.reader(io.StringIO(data.decode("utf-8-sig"))) for cell in row]
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]
    again = read(data)
    assert again.plays == first.plays
    assert again.people[0].name == '=HYPERLINK("x")'


def test_export_and_import_give_the_same_plays():
    first = read(to_bytes(make_large_export(plays=120)))
    again = read(write_csv(first, ZONE))
    assert again.plays == tuple(replace(play, logged_at=None) for play in first.plays)
    assert again.left_out == ()
