"""What is sent to a card table is accepted, or refused with a sentence and the field; then nothing is written."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import dataclass_json
from cardgames.models import Table
from cardgames.tables.api import BROWSER_ACTS, PERSON_ACTS
from cardgames.tables.core import entries
from cardgames.tables.core.acts import ACTS, ActAtTable, HostTable, SendChoice, SentAct
from log.models import Entry, Receipt
from log.services import new_key
from refusal import Refusal
from tests.campaign.chronicle.fuzzed_bodies import read_or_refuse, spoil_fields
from tests.cardgames.tables.sample_tables import begin_sample_game, open_sample_table, reload, sit

FEW, MANY = 200, 10_000
# Bodies that are right, so that fuzzing starts from what nearly passes.
GOOD: dict[str, dict[str, Any]] = {
    "rules": {"seats": 4, "options": {"sum_tie": "nobody"}, "deck": ""},
    "sit": {"seat": 1, "name": "Ann"},
    "leave": {"seat": 0},
    "restore": {"seat": 0},
    "bot": {"seat": 2, "level": "greedy"},
    "fill": {"level": "random"},
    "claim": {"seat": 0},
    "decide": {"seat": 0, "yes": True, "claim": 7},
    "start": {"level": "random"},
    "pause": {"paused": True},
    "call-off": {},
    "undo-call-off": {},
    "cohost": {"seat": 0, "yes": True},
    "host": {"seat": 0},
    "remove": {"seat": 0},
    "rename": {"seat": 0, "name": "Ben"},
    "again": {},
}
OTHERS: dict[type, dict[str, Any]] = {
    SendChoice: {"choice": "mammoth", "stamp": 3},
    HostTable: {"game": "monarchs", "seats": 2, "options": {"family_scoring": True}, "deck": "abcd"},
}


def _read(act: str, body: Any) -> SentAct:
    return dataclass_json.read(ActAtTable, {"act": act, "body": body}).read()


def _read_act(act: str, body: Any) -> None:
    or_refuse = read_or_refuse(partial(_read, act), body)
    if or_refuse is not None:
        assert isinstance(or_refuse, ACTS[act])
        entries.write_sent(or_refuse)


def _read_other(kind: type, body: Any) -> None:
    or_refuse = read_or_refuse(partial(dataclass_json.read, kind), body)
    assert or_refuse is None or isinstance(or_refuse, kind)


def test_every_act_has_a_service():
    assert {*BROWSER_ACTS, *PERSON_ACTS} == {*ACTS.values()}


def test_every_act_has_a_good_body():
    assert set(GOOD) == set(ACTS)
    for act, body in GOOD.items():
        assert dataclass_json.write_all(_read(act, body)) == body


@pytest.mark.parametrize("act", GOOD)
def test_any_body_is_read_or_refused_with_a_sentence(act):
    for body in spoil_fields(GOOD[act], FEW, f"{act}/1"):
        _read_act(act, body)


@pytest.mark.parametrize("kind", OTHERS)
def test_any_choice_or_new_table_is_read_or_refused_with_a_sentence(kind):
    for body in spoil_fields(OTHERS[kind], FEW, f"{kind}/1"):
        _read_other(kind, body)


@pytest.mark.soak
@pytest.mark.parametrize("act", GOOD)
def test_ten_thousand_bodies_are_read_or_refused_with_a_sentence(act):
    for body in spoil_fields(GOOD[act], MANY, f"{act}/2"):
        _read_act(act, body)


@pytest.mark.soak
@pytest.mark.parametrize("kind", OTHERS)
def test_ten_thousand_choices_and_new_tables_are_read_or_refused_with_a_sentence(kind):
    for body in spoil_fields(OTHERS[kind], MANY, f"{kind}/2"):
        _read_other(kind, body)


@pytest.mark.parametrize("sent", [None, [], "start", {}, {"body": {}}, {"act": ["start"]}, {"act": "dance"}])
def test_unknown_act_is_refused(sent):
    with pytest.raises(Refusal):
        dataclass_json.read(ActAtTable, sent)


def _count_written() -> tuple[int, ...]:
    return Entry.objects.count(), Receipt.objects.count(), Table.objects.count()


def _post(client, path: str, body: Any):
    return client.post(f"/api/v1/tables/{path}", body, content_type="application/json")


@pytest.mark.django_db
def test_bad_act_is_refused_with_the_field_and_nothing_is_written(master):
    table = open_sample_table(master)
    sit(master.client, table, 0)
    before = _count_written()
    for act, body, field in (
        ("bot", {}, "seat"),
        ("bot", {"seat": "1"}, "seat"),
        ("bot", {"seat": 1, "level": ["greedy"]}, "level"),
        ("bot", {"seat": 1, "level": "x" * 21}, "level"),
        ("bot", {"seat": 1, "level": "wise"}, "level"),
        ("fill", {"level": "wise"}, "level"),
        ("pause", {"paused": 1}, "paused"),
        ("pause", {"paused": True, "why": "tea"}, "why"),
        ("rename", {"seat": 0, "name": " "}, "name"),
        ("rename", {"seat": 0, "name": "x" * 2000}, "name"),
        ("decide", {"seat": 0, "yes": True, "claim": -1}, "claim"),
        ("rules", {"options": {"sum_tie": {"a": 1}}}, "options.sum_tie"),
        ("rules", {"options": {"mood": "good"}}, "mood"),
        ("rules", {"seats": 0}, "seats"),
        ("sit", [], "body"),
        ("dance", {}, "act"),
    ):
        answer = _post(master.client, f"{table.code}/acts/", {"key": new_key(), "act": act, "body": body})
        assert answer.status_code == 422, (act, body, answer.content)
        assert answer.json()["refusal"].endswith(".")
        assert answer.json()["field"] == field, (act, body, answer.json())
    for body, field in (
        ({"key": new_key()}, "table"),
        ({"key": new_key(), "table": {"game": 3}}, "table.game"),
        ({"key": "short", "table": {"game": "menagerie"}}, "key"),
        ({"key": new_key(), "table": {"game": "monarchs", "seats": 40}}, "seats"),
    ):
        answer = _post(master.client, "", body)
        assert answer.status_code == 422, answer.content
        assert answer.json()["field"] == field, answer.json()
        assert answer.json()["type"] == ("missing-field" if field == "table" else "wrong-value")
    assert _count_written() == before


@pytest.mark.django_db
def test_bad_choice_is_refused_with_the_field_and_nothing_is_written(master):
    table, phones = begin_sample_game(master, "monarchs")
    seat = table.asked[0]
    before = _count_written()
    for wrong, field in (
        ({"stamp": "0"}, "stamp"),
        ({"stamp": None}, "stamp"),
        ({"choice": ["done"]}, "choice"),
        ({"choice": "x" * 121}, "choice"),
        ({"key": 7}, "key"),
        ({"mood": 1}, "mood"),
    ):
        body = {"key": new_key(), "choice": "done", "stamp": 0} | wrong
        answer = _post(phones[seat], f"{table.code}/seats/{seat}/choose/", body)
        assert answer.status_code == 422
        assert answer.json()["field"] == field
    assert _count_written() == before


@pytest.mark.django_db
def test_game_is_hosted_and_paused_by_acts_alone(master, player):
    made = _post(master.client, "", {"key": "one-table-for-us", "table": {"game": "monarchs", "seats": 2}})
    assert made.status_code == 201
    code = made.json()["code"]
    assert _post(master.client, "", {"key": "one-table-for-us", "table": {"game": "monarchs"}}).json()["code"] == code

    def do(person, act: str, **body: Any):
        return _post(person.client, f"{code}/acts/", {"key": new_key(), "act": act, "body": body})

    assert do(player, "start").status_code == 403
    assert do(master, "sit").json()["people"][0]["is_mine"]
    assert do(player, "sit", seat=1).status_code == 201
    assert do(master, "rules", seats=3, options={"family_scoring": True}).json()["options"]["family_scoring"] is True
    assert do(master, "fill").json()["people"][2]["bot"]
    assert do(master, "start").json()["state"] == "play"
    assert do(master, "pause", paused=True).json()["paused"] is True
    assert do(player, "leave", seat=1).json()["people"][1]["is_free"]
    assert do(player, "restore", seat=1).json()["people"][1]["is_mine"]
    assert do(master, "cohost", seat=1, yes=True).status_code == 201
    assert do(player, "pause", paused=False).json()["paused"] is False
    assert do(player, "call-off").json()["state"] == "closed"
    assert do(master, "undo-call-off").json()["state"] == "play"
    assert do(master, "again").status_code == 409
    assert reload(Table.objects.get(code=code)).seats == 3


@pytest.mark.django_db
def test_host_sees_requests_for_seats_and_answers_them(master, player, other_player):
    table, _ = begin_sample_game(master, "monarchs", people=1)
    asked = _post(player.client, f"{table.code}/acts/", {"key": new_key(), "act": "sit", "body": {"seat": 1}})
    assert asked.json()["claims"] == []
    claims = master.client.get(f"/api/v1/tables/{table.code}/").json()["claims"]
    assert [row["number"] for row in claims] == [1]
    body = {"seat": 1, "yes": True, "claim": claims[0]["claim"]}
    assert _post(
        other_player.client, f"{table.code}/acts/", {"key": new_key(), "act": "decide", "body": body}
    ).status_code == 403  # fmt: skip
    _post(master.client, f"{table.code}/acts/", {"key": new_key(), "act": "decide", "body": body})
    assert player.client.get(f"/api/v1/tables/{table.code}/").json()["people"][1]["is_mine"]
