"""An incomplete backup or a site that is not empty is refused with a sentence, and nothing is written."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
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
    backup.write_backup(path)
    return path


def check(path: Path) -> dict:
    with restore.open_backup(path) as archive:
        manifest = restore.check_backup(archive, path)
        restore.known_leaves(manifest)
        return manifest


def rewritten(path: Path, *, manifest=None, sealed: bool = True, **members: bytes | None) -> Path:
    """The same file with some members changed, added or left out; with ``sealed`` the manifest's own hash matches."""
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


def test_complete_backup_passes(whole):
    manifest = check(whole)
    assert manifest["rows"]["people.person"] == 1
    assert manifest["files"] == 1
    assert "sessions.session" not in manifest["rows"]
    assert whole.stat().st_mode & 0o777 == 0o600  # the secret key is in it
    assert not list(whole.parent.glob("*.part"))


@pytest.mark.parametrize("part", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_truncated_backup_is_refused(whole, part):
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(Refusal, match=r"cut short|damaged"):
        check(whole)


def test_damaged_byte_is_detected_or_harmless(whole):
    """Flip a byte every so often. Some bytes carry no content (a time in a header); all others are noticed."""
    data = whole.read_bytes()
    sentence = check(whole)
    result = 0
    for place in range(0, len(data), len(data) // 150):
        damaged = bytearray(data)
        damaged[place] ^= 0xFF
        whole.write_bytes(bytes(damaged))
        try:
            assert check(whole) == sentence
        except Refusal:
            result += 1
    assert result > 100


def test_edited_row_is_refused(whole):
    with zipfile.ZipFile(whole) as archive:
        rows = archive.read("rows/people.person.jsonl")
    assert b"Wren" in rows
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, **{"rows/people.person.jsonl": rows.replace(b"Wren", b"Rook")}))


def test_added_or_missing_file_is_refused(whole):
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, **{"rows/people.extra.jsonl": b"{}"}))
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, **{"files/map.txt": None}))


def test_edited_manifest_is_refused(whole):
    with pytest.raises(Refusal, match="changed"):
        check(rewritten(whole, manifest=lambda m: m | {"release": "9.9"}, sealed=False))


def test_newer_format_or_unknown_migration_is_refused(whole):
    with pytest.raises(Refusal, match=r"newer release \(9\.9\)"):
        check(rewritten(whole, manifest=lambda m: m | {"format": 2, "release": "9.9"}))
    with pytest.raises(Refusal, match="newer release"):
        check(
            rewritten(
                whole, manifest=lambda m: m | {"migrations": m["migrations"] | {"jobs": ["0001_initial", "0999_new"]}}
            )
        )


def test_file_that_is_not_a_backup_is_refused(tmp_path):
    other = tmp_path / "letter.zip"
    with zipfile.ZipFile(other, "w") as archive:
        archive.writestr("letter.txt", "Dear Wren")
    with pytest.raises(Refusal, match="no manifest"):
        check(other)
    other.write_text("Dear Wren")
    with pytest.raises(Refusal, match="It was cut short, or it is another kind of file"):
        check(other)
    with pytest.raises(Refusal, match="does not exist"):
        check(tmp_path / "nowhere.zip")


def test_every_name_is_checked_before_the_first_row(whole):
    """A table this release does not know, rows that are missing, a file outside the folder: nothing is written."""
    with zipfile.ZipFile(rewritten(whole)) as archive:
        manifest = restore.check_backup(archive, whole)
    leaves = restore.known_leaves(manifest)
    restore.check_names(manifest, leaves)
    bad = {
        "does not know": manifest | {"rows": manifest["rows"] | {"people.dragon": 1}},
        "are missing": manifest | {"members": {}},
        "unsafe path": manifest | {"members": manifest["members"] | {"files/../../evil.txt": {}}},
    }
    for words, changed in bad.items():
        with pytest.raises(Refusal, match=words):
            restore.check_names(changed, leaves)


def test_file_with_an_unsafe_path_is_not_unpacked(whole, tmp_path):
    evil = rewritten(whole, **{"files/../../evil.txt": b"evil"})
    with (
        zipfile.ZipFile(evil) as archive,
        pytest.raises(Refusal, match="contains a file with an unsafe path"),
    ):
        restore.unpack_files(archive, {"members": {"files/../../evil.txt": {}}})
    assert not list(tmp_path.rglob("evil.txt"))


def test_site_that_is_not_empty_is_refused(whole, settings, tmp_path):
    with pytest.raises(CommandError, match=r"not empty: there are rows in \w+"):
        call_command("restore", str(whole))
    assert Person.objects.get().name == "Wren"
    Person.objects.all().delete()
    connection.cursor().execute("DELETE FROM auth_user")
    with pytest.raises(CommandError, match=r"files is not empty"):
        call_command("restore", str(whole))
    (settings.MEDIA_ROOT / "map.txt").unlink()
    restore.refuse_unless_empty()  # tables that fill themselves do not count


def test_backup_does_not_overwrite_a_file(whole, capsys):
    with pytest.raises(CommandError, match="already exists"):
        call_command("backup", str(whole))


def test_tables_of_another_release_are_not_backed_up(places, tmp_path):
    recorder = MigrationRecorder(connection)
    [newest] = MigrationLoader(connection).graph.leaf_nodes("jobs")
    recorder.record_unapplied(*newest)
    try:
        with pytest.raises(CommandError, match="not up to date"):
            call_command("backup", str(tmp_path / "x.zip"))
    finally:
        recorder.record_applied(*newest)
    assert not list(tmp_path.glob("x.zip*"))


def test_check_does_not_restore(whole, capsys):
    call_command("restore", "--check", str(whole))
    assert "whole.zip is complete: release" in capsys.readouterr().out
