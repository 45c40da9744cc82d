"""The start tells in one sentence what is missing, also to a Python too old to run the rest."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap
from tests.services import ROOT


def test_too_old_a_python_gets_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(SystemExit):
        bootstrap.check_python()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Python 3.9 is too old" in said
    assert "make run PYTHON=" in said


def test_the_bootstrap_can_be_read_by_old_pythons():
    """Nothing newer than 3.6 may stand in it: an old Python must get as far as the sentence."""
    ast.parse((ROOT / "bootstrap.py").read_text(), feature_version=(3, 6))


def test_a_missing_venv_module_is_named_with_its_package(tmp_path):
    (tmp_path / "ensurepip.py").write_text("raise ImportError('not here')")
    done = subprocess.run(
        [sys.executable, "bootstrap.py", "run"],
        cwd=ROOT,
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"sudo apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv" in done.stderr


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_lock_files_carry_hashes_and_no_address(name):
    text = (ROOT / name).read_text()
    lines = text.splitlines()
    pinned = [line for line in lines if line and not line.startswith((" ", "#"))]
    assert all("==" in line for line in pinned)
    assert text.count("--hash=sha256:") >= len(pinned)
    assert not any(word in text for word in ("http://", "https://", "index-url", "find-links", "file:"))


def test_the_two_lock_files_agree():
    def pins(name: str) -> dict[str, str]:
        lines = (ROOT / name).read_text().splitlines()
        return dict(line.split(" ")[0].split("==") for line in lines if line and not line.startswith((" ", "#")))

    run, dev = pins("requirements.txt"), pins("requirements-dev.txt")
    assert {name: dev.get(name) for name in run} == run


def test_nothing_is_done_when_everything_is_there(monkeypatch, tmp_path):
    venv = tmp_path / ".venv"
    venv.mkdir()
    monkeypatch.setattr(bootstrap, "VENV", str(venv))
    monkeypatch.setattr(bootstrap, "install", lambda lock: pytest.fail("installed again"))
    (venv / "installed-dev").write_text(bootstrap.fingerprint("dev"))
    bootstrap.main("run")
    bootstrap.main("dev")


def test_a_changed_lock_installs_again(monkeypatch, tmp_path):
    venv = tmp_path / ".venv"
    venv.mkdir()
    done: list[str] = []
    monkeypatch.setattr(bootstrap, "VENV", str(venv))
    monkeypatch.setattr(bootstrap, "make_venv", lambda: done.append("venv"))
    monkeypatch.setattr(bootstrap, "install", lambda lock: done.append(Path(lock).name))
    (venv / "installed-run").write_text("of another lock")
    bootstrap.main("run")
    assert done == ["venv", "requirements.txt"]
    bootstrap.main("run")
    assert done == ["venv", "requirements.txt"]
