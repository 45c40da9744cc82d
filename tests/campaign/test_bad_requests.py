"""Acts over the API with any body: an entry, or 4xx with a sentence and nothing written. Never 5xx."""

from __future__ import annotations

import json

import pytest

from log.models import Entry
from tests.campaign.chronicle.fuzzed_bodies import GOOD, JUNK, fuzzed_bodies
from tests.campaign.test_services import Table

FEW = 8


@pytest.fixture
def table(master, player):
    table = Table(master, player, kingdoms=3)
    table.do("battle_declared", {"attacker": "k1", "target": "k2.border_1"})
    return table


@pytest.fixture
def send(table, master):
    def send(address: str, sent: object):
        master.client.raise_request_exception = False
        before = Entry.objects.count()
        answer = master.client.post(
            f"/api/v1/campaigns/{table.campaign.code}/{address}/", json.dumps(sent), content_type="application/json"
        )
        assert answer.status_code < 500, (address, sent, answer.content)
        if answer.status_code >= 400:
            assert answer.json()["refusal"], sent
            assert Entry.objects.count() == before, sent
        return answer

    return send


@pytest.mark.parametrize("key", GOOD)
def test_any_body_of_an_act(key, send):
    for number, body in enumerate(fuzzed_bodies(key, FEW, seed=3)):
        send("acts", {"key": f"fuzz-{key}-{number}", "act": key, "body": body})


@pytest.mark.parametrize("key", ["note", "result", "agreed_change", "season_opened", "battle_declared"])
def test_any_amended_body(key, table, send):
    if key == "season_opened":
        table.do("battle_called_off", {"battle": 1})
        table.do("season_closed", {})
        table.do("season_opened", {"name": "Summer"})
    elif key == "result":
        table.result("k1", "k2.border_1", battle=1)
    elif key != "battle_declared":
        table.do(key, GOOD[key][0])
    entry = Entry.objects.filter(act=key).last().number
    for body in fuzzed_bodies(key, FEW, seed=4):
        send("corrections", {"kind": "amend", "target": entry, "body": body})


def test_any_value_for_the_rest_of_a_request(send):
    for number, value in enumerate(JUNK[::4]):
        whole = {"key": f"junk-number-{number}", "act": "note", "body": {"text": "x"}}
        for field in ("key", "act", "body", "played_on", "accept_late"):
            send("acts", whole | {field: value})
        for field in ("kind", "target", "choices", "digest", "why", "key"):
            send("corrections", {"kind": "strike", "target": 2, "why": "x"} | {field: value})
        send("acts", value)
        send("corrections", value)
        send("notes", {"key": f"note-number-{number}", "text": value})


def test_act_that_names_nobody_is_refused(send):
    for act, body, field in (
        ("master_shared", {"person": 999_999}, "person"),
        ("ruler_changed", {"kingdom": "k1", "person": 10**15}, "person"),
        ("kingdom_joins", {**GOOD["kingdom_joins"][0], "ruler": 999_999}, "ruler"),
    ):
        answer = send("acts", {"key": f"nobody-{act}", "act": act, "body": body})
        assert (answer.status_code, answer.json()["field"]) == (422, field)


def test_unknown_keys_are_refused_with_their_name(send):
    answer = send("acts", {"key": "more-than-asked", "act": "note", "body": {"text": "x", "mood": "cheerful"}})
    assert (answer.status_code, answer.json()["field"]) == (422, "mood")


def test_schema_of_the_api_shows_the_fields_of_each_act(client, db):
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    body = schema["paths"]["/api/v1/campaigns/{code}/acts/"]["post"]["requestBody"]["content"]["application/json"][
        "schema"
    ]
    rows = {row["properties"]["act"]["enum"][0]: row["properties"]["body"]["$ref"] for row in body["oneOf"]}
    acts = {act: schema["components"]["schemas"][ref.rpartition("/")[2]] for act, ref in rows.items()}
    assert set(acts) == set(GOOD)
    assert acts["note"]["properties"]["text"]["maxLength"] == 2000


@pytest.mark.parametrize(
    ("address", "query", "field"),
    [
        ("", "archived=perhaps", "archived"),
        ("{}/entries/", "before=soon", "before"),
        ("{}/entries/", "before=0", "before"),
        ("{}/entries/", "show=everything", "show"),
        ("{}/targets/", "legal=perhaps", "legal"),
        ("{}/suggestions/", "count=99", "count"),
    ],
)
def test_wrong_parameter_is_refused_with_a_sentence(address, query, field, table, master):
    answer = master.client.get(f"/api/v1/campaigns/{address.format(table.campaign.code)}?{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert answer.json()["refusal"]


def test_entries_go_on_before_a_number(table, master):
    for number in range(20):
        table.do("note", {"text": f"Note {number}"})
    first = master.client.get(f"/api/v1/campaigns/{table.campaign.code}/entries/?show=notes")
    assert 'rel="next"' in first["Link"]
    second = master.client.get(first["Link"].partition(">")[0].removeprefix("<")).json()
    assert [row["number"] for row in second] == sorted((row["number"] for row in second), reverse=True)
    assert second[0]["number"] < first.json()[-1]["number"]
