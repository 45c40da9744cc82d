"""A file that is not whole, or a place that is not empty, is refused with a sentence; nothing is written."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from ops import backup, restore
from people.models import Person
from refusal import Refusal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def places(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.BACKUPS = tmp_path / "backups"
    settings.VAR = tmp_path
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "map.txt").write_text("here be mice\n" * 1000)


@pytest.fixture
def whole(places, tmp_path, make_person):
    make_person("Wren")
    path = tmp_path / "whole.zip"
    backup.write(path)
    return path


def check(path: Path) -> dict:
    with restore.opened(path) as archive:
        manifest = restore.checked(archive, path)
        restore.known_leaves(manifest)
        return manifest


def rewritten(path: Path, *, manifest=None, sealed: bool = True, **members: bytes | None) -> Path:
    """The same file with some members changed, added or left out; with ``sealed`` the manifest's own hash fits."""
    new = path.with_name("changed.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as archive:
        contents = {name: old.read(name) for name in old.namelist()} | {
            k: v for k, v in members.items() if v is not None
        }
        if manifest:
            contents["manifest.json"] = json.dumps(manifest(json.loads(contents["manifest.json"]))).encode()
        for name, content in contents.items():
            if members.get(name, b"") is not None:
                archive.writestr(name, content)
        archive.comment = hashlib.sha256(contents["manifest.json"]).hexdigest().encode() if sealed else old.comment
    return new


def test_a_whole_file_is_whole(whole):
    manifest = check(whole)
    assert manifest["rows"]["people.person"] == 1
    assert manifest["files"] == 1
    assert "sessions.session" not in manifest["rows"]
    assert whole.stat().st_mode & 0o777 == 0o600  # the secret key is in it
    assert not list(whole.parent.glob("*.part"))


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_cut_short(whole, part):
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(Refusal, match=r"cut short|damaged"):
        check(whole)


def test_a_damaged_byte_is_found_or_did_no_damage(whole):
    """Every so many bytes one is turned round. Some say nothing about the content (a time in a header); the rest is found."""
    data = whole.read_bytes()
    said = check(whole)
    found = 0
    for place in range(0, len(data), len(data) // 150):
        damaged = bytearray(data)
        damaged[place] ^= 0xFF
        whole.write_bytes(bytes(damaged))
        try:
            assert check(whole) == said
        except Refusal:
            found += 1
    assert found > 100


def test_an_edited_row(whole):
    with zipfile.ZipFile(whole) as archive:
        rows = archive.read("rows/people.person.jsonl")
    assert b"Wren" in rows
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, **{"rows/people.person.jsonl": rows.replace(b"Wren", b"Rook")}))


def test_something_added_or_left_out(whole):
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, **{"rows/people.extra.jsonl": b"{}"}))
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, **{"files/map.txt": None}))


def test_an_edited_manifest(whole):
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, manifest=lambda m: m | {"release": "9.9"}, sealed=False))


def test_a_newer_format_or_an_unknown_migration(whole):
    with pytest.raises(Refusal, match=r"newer release \(9\.9\)"):
        check(rewritten(whole, manifest=lambda m: m | {"format": 2, "release": "9.9"}))
    with pytest.raises(Refusal, match="newer release"):
        check(
            rewritten(
                whole, manifest=lambda m: m | {"migrations": m["migrations"] | {"jobs": ["0001_initial", "0999_new"]}}
            )
        )


def test_something_else_altogether(tmp_path):
    other = tmp_path / "letter.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("letter.txt", "Dear Wren")
    with pytest.raises(Refusal, match="no manifest"):
        check(other)
    other.write_text("Dear Wren")
    with pytest.raises(Refusal, match="something else"):
        check(other)
    with pytest.raises(Refusal, match="There is no file"):
        check(tmp_path / "nowhere.zip")


def test_a_member_that_points_outside_is_not_unpacked(whole, tmp_path):
    evil = rewritten(whole, **{"files/../../evil.txt": b"evil"})
    with zipfile.ZipFile(evil) as archive, pytest.raises(Refusal, match="outside"):
        restore.unpack_files(archive, {"members": {"files/../../evil.txt": {}}})
    assert not list(tmp_path.rglob("evil.txt"))


def test_a_place_that_is_not_empty(whole, settings, tmp_path):
    with pytest.raises(CommandError, match=r"not empty: there are rows in \w+"):
        call_command("restore", str(whole))
    assert Person.objects.get().name == "Wren"
    Person.objects.all().delete()
    connection.cursor().execute("DELETE FROM auth_user")
    with pytest.raises(CommandError, match=r"files is not empty"):
        call_command("restore", str(whole))
    (settings.MEDIA_ROOT / "map.txt").unlink()
    restore.refuse_unless_empty()  # what fills itself does not count


def test_a_backup_does_not_overwrite(whole, capsys):
    with pytest.raises(CommandError, match="there already"):
        call_command("backup", str(whole))


def test_tables_of_another_release_are_not_written_down_as_ours(places, tmp_path):
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("jobs", "0001_initial")
    try:
        with pytest.raises(CommandError, match="not up to date"):
            call_command("backup", str(tmp_path / "x.zip"))
    finally:
        recorder.record_applied("jobs", "0001_initial")
    assert not list(tmp_path.glob("x.zip*"))


def test_checking_without_restoring(whole, capsys):
    call_command("restore", "--check", str(whole))
    assert "whole.zip is whole: release" in capsys.readouterr().out
