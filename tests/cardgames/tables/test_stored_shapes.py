"""Every shape that a card table's entries have been stored in still reads, and is written as it was.

``data/stored_entries.json`` was written by the release before these entries were typed: entries, sealed answers, and
what receipts compare. Never edit it; a new shape gets a file of its own.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from cardgames.tables.core import acts, entries
from cardgames.tables.core.entries import ChoiceMade, SeatEntry, SeatLeft, UnknownEntry
from cardgames.tables.recent_news import recent_notices
from log import services as log_services
from log.models import Entry
from tests.cardgames.tables.sample_tables import open_sample_table

DATA = json.loads((Path(__file__).parent / "data" / "stored_entries.json").read_text())
# Once a seat that was left had no more than its number.
OLDER = [["left", {"seat": 1}], ["removed", {"seat": 2}], ["bot-back", {"seat": 0}], ["sat", {"seat": 3}]]


def test_fixture_has_every_kind_of_entry():
    assert {act for act, _ in DATA["entries"]} == set(entries.ENTRIES)
    assert all("sentence" in vars(kind) for kind in entries.ENTRIES.values() if kind is not ChoiceMade)


@pytest.mark.parametrize(("act", "body"), DATA["entries"])
def test_entry_is_written_as_it_was(act, body):
    entry = entries.load_entry(act, body)
    assert entry.key == act
    assert json.loads(json.dumps(entries.write_entry(entry))) == body


@pytest.mark.parametrize(("act", "body"), OLDER)
def test_entry_of_an_older_release_has_defaults(act, body):
    entry = entries.load_entry(act, {**body, "of_another_release": [1]})
    assert isinstance(entry, SeatEntry)
    assert entry.seat == body["seat"]
    assert entries.load_entry(act, entries.write_entry(entry)) == entry


def test_entry_of_a_newer_release_is_news_without_details():
    assert entries.load_entry("danced", {"seat": 1}) == UnknownEntry()


def test_choices_are_read_as_rows_and_one_by_one():
    bodies = [body for act, body in DATA["entries"] if act == ChoiceMade.key]
    choices = [entries.load_entry(ChoiceMade.key, body) for body in bodies]
    assert entries.load_rows(bodies) == tuple((choice.seat, choice.choice) for choice in choices)


@pytest.mark.parametrize("body", DATA["sealed"])
def test_sealed_answer_is_written_as_it_was(body):
    assert entries.write_entry(entries.load_sealed(body)) == body


def as_act(body) -> acts.TableAct:
    """The act that has this body in a receipt."""
    match body:
        case {"due": due}:
            return acts.TimerMoves(due)
        case {"choice": choices, **rest}:
            return acts.Choose(choices=tuple(choices.split("|")), **rest)
        case {"act": "rules", **rest}:
            return acts.AgreedRules(**rest)
        case {"act": "arrive"}:
            return acts.AcceptTransfer()
        case {"act": act, **rest}:
            return acts.ACTS[act](**rest)
    raise AssertionError(body)


@pytest.mark.parametrize("body", DATA["sent"])
def test_receipt_of_a_tap_is_as_it_was(body):
    """Or a tap sent before an upgrade and repeated after it would be refused."""
    assert json.dumps(entries.write_sent(as_act(body)), sort_keys=True) == json.dumps(body, sort_keys=True)


def test_fixture_has_every_act():
    seen = {type(as_act(body)) for body in DATA["sent"]}
    assert seen == {*get_args(acts.TableAct)} - {acts.ChangeRules}  # compared as AgreedRules


@pytest.mark.django_db
def test_stored_entries_become_sentences_from_the_database(master):
    table = open_sample_table(master)
    log = table.log
    writer = log_services.LogWriter(log)
    rows = [*DATA["entries"], *OLDER]
    for act, body in rows:
        writer.append(act, actor=master.pk, body=body)
    log.save()
    stored = Entry.objects.filter(log=log).order_by("number").values_list("act", "body")
    assert [entries.load_entry(*row) for row in stored[1:]] == [entries.load_entry(*row) for row in rows]
    notices = recent_notices(table, ["Ann", "Ben", "Cas", "Dot"], most=100)
    assert len(notices) == 1 + sum(act != ChoiceMade.key for act, _ in rows)
    assert all(notice.sentence.endswith(".") and "{" not in notice.sentence for notice in notices)
    left = next(notice for notice in notices if notice.entry == SeatLeft(2, None, "greedy", True))
    assert (left.seat, left.can_be_undone, left.token) == (2, True, None)


@pytest.mark.postgres
def test_stored_entries_read_from_postgresql(postgres_url):
    """It keeps JSON in a form of its own: other order of keys, other spelling of numbers."""
    import psycopg

    with psycopg.connect(postgres_url) as base:
        for act, body in [*DATA["entries"], *OLDER]:
            (result,) = base.execute("SELECT %s::jsonb", [json.dumps(body)]).fetchone()
            assert entries.load_entry(act, result) == entries.load_entry(act, body)
        for body in DATA["sealed"]:
            (result,) = base.execute("SELECT %s::jsonb", [json.dumps(body)]).fetchone()
            assert entries.load_sealed(result) == entries.load_sealed(body)
