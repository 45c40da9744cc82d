"""Several processes share a log file, which logrotate may move at any time; a full disk never stops the site."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.services import ROOT

SETTINGS = "import logging, sys, django; django.setup(); logger = logging.getLogger('x')"
WRITE = f"""{SETTINGS}
for number in range(1500):
    logger.warning("process %s line %05d", sys.argv[1], number)
"""
GO_ON = f"""{SETTINGS}
from pathlib import Path
file = Path(sys.argv[1])
logger.error("this cannot be written")
if file.is_symlink():
    file.unlink()
    file.symlink_to(sys.argv[2])
    logger.error("neither what waits nor this")
print("went on")
"""


def program(text: str, file: Path | str, *args: str, errors: int = subprocess.PIPE) -> subprocess.Popen:
    env = os.environ | {"DJANGO_SETTINGS_MODULE": "config.settings", "LOG_FILE": str(file)}
    words = [sys.executable, "-c", text, *args]
    return subprocess.Popen(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=errors, text=True)


def test_four_processes_write_one_log_that_is_moved_away(tmp_path):
    name = tmp_path / "logs" / "companion.log"
    writers = [program(WRITE, name, str(n), errors=subprocess.DEVNULL) for n in range(4)]
    moved = 0
    while any(writer.poll() is None for writer in writers):
        time.sleep(0.02)
        if name.exists():
            name.rename(f"{name}.{moved}")
            moved += 1
    assert [writer.communicate()[0] for writer in writers] == [""] * 4
    assert [writer.returncode for writer in writers] == [0] * 4
    lines = [line for path in name.parent.iterdir() for line in path.read_text().splitlines()]
    said = sorted(line.partition(": ")[2] for line in lines)
    assert said == sorted(f"process {n} line {k:05d}" for n in range(4) for k in range(1500))
    assert moved


def went_on(*args: str) -> bool:
    writer = program(GO_ON, args[0], *args)
    out, errors = writer.communicate(timeout=60)
    assert "this cannot be written" in errors  # in the terminal, whatever becomes of the file
    assert "No space left on device" in errors
    return (writer.returncode, out) == (0, "went on\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is missing")
@pytest.mark.parametrize("then", ["/dev/full", "/dev/null"])
def test_a_full_disk_does_not_stop_the_site(tmp_path, then):
    assert went_on("/dev/full")
    moved = tmp_path / "companion.log"
    moved.symlink_to("/dev/full")
    assert went_on(str(moved), then)
