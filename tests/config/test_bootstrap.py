"""bootstrap.py explains in one sentence what is missing, even on a Python too old for the rest."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap
from tests.services import ROOT


def test_an_old_python_is_explained_in_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2, "final", 0))
    with pytest.raises(SystemExit):
        bootstrap.check_python()
    printed = capsys.readouterr().err
    assert printed.count("\n") == 1
    assert "Python 3.9 is too old" in printed
    assert "make run PYTHON=" in printed


def test_old_pythons_can_parse_bootstrap():
    """The file uses no syntax newer than 3.6, so that an old Python can print the sentence."""
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
def test_lock_files_have_hashes_and_no_urls(name):
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


def test_bootstrap_does_nothing_when_everything_is_installed(monkeypatch, tmp_path):
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
