"""A log file shared by several processes starts anew when it is full, and no line is lost."""

from __future__ import annotations

import subprocess
import sys

from tests.services import ROOT

WRITE = """
import logging, sys
from config.log_rotation import SharedRotatingFile
logger = logging.getLogger("x")
logger.addHandler(SharedRotatingFile(sys.argv[1], most_bytes=20_000, kept=50))
for number in range(1500):
    logger.warning("process %s line %05d", sys.argv[2], number)
"""


def test_four_processes_write_one_log(tmp_path):
    name = tmp_path / "logs" / "companion.log"
    writers = [subprocess.Popen([sys.executable, "-c", WRITE, str(name), str(n)], cwd=ROOT) for n in range(4)]
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    files = [path for path in name.parent.iterdir() if not path.name.endswith(".lock")]
    lines = [line for path in files for line in path.read_text().splitlines()]
    assert sorted(lines) == sorted(f"process {n} line {k:05d}" for n in range(4) for k in range(1500))
    assert len(files) >= 5
    assert max(path.stat().st_size for path in files) < 21_000


def test_only_two_old_log_files_are_kept(tmp_path):
    import logging

    from config.log_rotation import SharedRotatingFile

    handler = SharedRotatingFile(str(tmp_path / "x.log"), most_bytes=100, kept=2)
    for number in range(100):
        handler.emit(logging.LogRecord("x", logging.INFO, "", 0, f"line {number:03d}", (), None))
    handler.close()
    assert sorted(path.name for path in tmp_path.glob("x.log*")) == ["x.log", "x.log.1", "x.log.2", "x.log.lock"]
    assert "line 099" in (tmp_path / "x.log").read_text()
