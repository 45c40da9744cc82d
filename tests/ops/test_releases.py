"""Files of older releases restore, files of newer ones are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from ops import restore
from refusal import Refusal

KEPT = sorted((Path(__file__).parent / "data").glob("*.zip"))


def test_there_is_a_backup_of_an_older_release():
    assert KEPT


@pytest.mark.parametrize("kept", KEPT, ids=lambda path: path.stem)
def test_older_backup_restores_and_runs_every_later_migration(kept, take, tmp_path):
    """By a release later than this one, so that there is always at least one migration since."""
    newer = tmp_path / "newer.zip"
    later = {"DJANGO_SETTINGS_MODULE": "tests.ops.later_settings"}
    restored, pages, facts, _, twice = take(
        later, ["restore", str(kept)], ["pages"], ["look"], ["backup", str(newer)], ["restore", str(kept)]
    )
    assert "Restored" in restored
    assert pages == [[3]]  # filled by the migration from a row of the old file
    assert facts["file"]
    assert facts["merged"] == "𝕸ice"
    assert facts["pass"]  # its key came with it
    assert twice.startswith("refused: The database is not empty")

    with restore.open_backup(newer) as archive, pytest.raises(Refusal, match="newer release"):
        restore.known_leaves(restore.check_backup(archive, newer))
