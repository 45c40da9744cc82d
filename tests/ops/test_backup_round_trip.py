"""A backup restores to the same site on either database, also one made while everybody writes."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from ops import backup
from people.models import Person
from tests.services import ROOT, SETTING_NAMES

assert "VAR" in SETTING_NAMES  # or the sites below would share one folder


def manifest(path: Path) -> dict:
    with zipfile.ZipFile(path) as archive:
        return json.loads(archive.read("manifest.json"))


def content(path: Path, *, without: tuple[str, ...] = ()) -> dict[str, str]:
    """The SHA-256 of each member of a backup, from its manifest."""
    return {name: listed["sha256"] for name, listed in manifest(path)["members"].items() if name not in without}


def rows(path: Path, label: str) -> list[dict]:
    with zipfile.ZipFile(path) as archive:
        return [json.loads(line) for line in archive.read(f"rows/{label}.jsonl").splitlines()]


def assert_one_moment(path: Path, seen: dict) -> None:
    """Every log is as long as it has entries, although the copy was taken while others wrote."""
    lengths: dict[int, int] = {}
    for entry in rows(path, "log.entry"):
        lengths[entry["log_id"]] = lengths.get(entry["log_id"], 0) + 1
    logs = {log["id"]: log["length"] for log in rows(path, "log.log") if log["length"]}
    assert logs == lengths
    # A new log starts with an entry or two whose key is elsewhere; a card table can add several choices at once.
    acts = sum(entry["act"] != "choice" for entry in rows(path, "log.entry"))
    assert len(rows(path, "log.receipt")) >= acts - 2 * len(logs)
    busy = sum(log["length"] for log in rows(path, "log.log") if log["kind"] == "busy")
    assert seen["before"] <= busy < seen["after"], "nobody wrote while the backup was made"


@pytest.mark.postgres
def test_backup_moves_from_sqlite_to_postgresql_and_back(take, postgres_url, tmp_path):
    one, two, three, busy_one, busy_two = (
        tmp_path / f"{name}.zip" for name in ("one", "two", "three", "busy1", "busy2")
    )
    _, made, before, busy = take({}, ["fill"], ["backup", str(one)], ["look"], ["backup_while_writing", str(busy_one)])
    assert str(one) in made
    assert_one_moment(busy_one, busy)

    restored, _, after, busy = take(
        {"DATABASE_URL": postgres_url},
        ["restore", str(one)],
        ["backup", str(two)],
        ["look"],
        ["backup_while_writing", str(busy_two)],
    )
    assert "Restored" in restored
    assert (before["vendor"], after["vendor"]) == ("sqlite", "postgresql")
    assert before.pop("half_done") == ["running"]
    assert after.pop("half_done") == ["failed"]
    assert before.pop("sessions") == 1
    assert after.pop("sessions") == 0
    assert before | {"vendor": ""} == after | {"vendor": ""}
    assert after["new_ids_are_new"]
    assert after["file"]
    assert_one_moment(busy_two, busy)

    _, _, at_last = take({}, ["restore", str(two)], ["backup", str(three)], ["look"])
    assert at_last["vendor"] == "sqlite"

    # The state of a running job is the one thing that a restore changes.
    jobs = ("rows/jobs.job.jsonl",)
    assert content(one, without=jobs) == content(two, without=jobs)
    assert content(two) == content(three)
    assert manifest(one)["rows"] == manifest(three)["rows"]
    assert (manifest(one)["database"], manifest(two)["database"]) == ("sqlite", "postgresql")


@pytest.mark.postgres
def test_whatever_sqlite_accepts_restores_into_postgresql(take, postgres_url, tmp_path):
    one, two = tmp_path / "one.zip", tmp_path / "two.zip"
    tally, _ = take({}, ["type_nasty_text"], ["backup", str(one)])
    assert tally["accepted"] > 40
    restored, _ = take({"DATABASE_URL": postgres_url}, ["restore", str(one)], ["backup", str(two)])
    assert "Restored" in restored
    assert content(one) == content(two)


@pytest.mark.postgres
def test_every_stored_shape_of_chronicles_and_musters_reads_on_both_databases(take, migrated_postgres_url):
    path = ROOT / "tests" / "campaign" / "chronicle" / "data" / "stored_entries.json"
    muster_path = ROOT / "tests" / "musters" / "core" / "data" / "stored_entries.json"
    then = json.loads(path.read_text())
    musters_then = [{k: v for k, v in row.items() if k != "entries"} for row in json.loads(muster_path.read_text())]
    for env, vendor in (({}, "sqlite"), ({"DATABASE_URL": migrated_postgres_url}, "postgresql")):
        now, musters = take(env, ["read_stored_shapes", str(path)], ["read_stored_musters", str(muster_path)])
        assert (now["vendor"], musters["vendor"]) == (vendor, vendor)
        assert musters["musters"] == musters_then
        assert now["problems"] == []
        assert now["state"] == then["state"]
        # PostgreSQL does not keep the order of keys, so house rules changed together are told in another one.
        assert list(map(sorted, now["sentences"])) == list(map(sorted, then["sentences"]))


@pytest.mark.postgres
def test_every_stored_step_of_a_tracker_reads_on_both_databases(take, migrated_postgres_url):
    path = ROOT / "tests" / "battles" / "tracker" / "core" / "data" / "stored_steps.json"
    then = json.loads(path.read_text())["logs"]
    for env, vendor in (({}, "sqlite"), ({"DATABASE_URL": migrated_postgres_url}, "postgresql")):
        (now,) = take(env, ["read_stored_steps", str(path)])
        assert now["vendor"] == vendor
        assert now["logs"] == {
            name: {"cells": log["cells"], "sentences": log["sentences"]} for name, log in then.items()
        }


def test_row_of_an_older_release_loses_only_what_no_database_can_hold(db):
    person = Person(name="A\0B\ud800C", blazon={"a\0": ["\udfff", 1]})
    record = {field.attname: getattr(person, field.attname) for field in backup.fields_of(Person)}
    read = backup.read_row(Person, json.dumps(record, default=str).encode())
    assert (read.name, read.blazon) == ("A\ufffdB?C", {"a\ufffd": ["?", 1]})


@pytest.mark.soak
@pytest.mark.postgres
def test_large_site_is_backed_up_with_little_memory(take, postgres_url, tmp_path):
    """100 000 entries, some 100 MB of JSON: neither backup nor restore holds more than a part of them at once."""
    path = tmp_path / "large.zip"
    _, small, _, after_backup = take({}, ["many", 100_000], ["peak"], ["backup", str(path)], ["peak"])
    assert manifest(path)["members"]["rows/log.entry.jsonl"]["size"] > 100_000_000
    assert after_backup - small < 60
    for env in ({}, {"DATABASE_URL": postgres_url}):
        before, restored, after = take(env, ["peak"], ["restore", str(path)], ["peak"])
        assert "Restored 1" in restored
        assert after - before < 100
