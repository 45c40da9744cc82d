"""Everything the README shows works as shown."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys

import pytest

from config import settings
from tests.services import ROOT

README = (ROOT / "README.md").read_text()
OPERATING = (ROOT / "docs" / "OPERATING.md").read_text()


def commands() -> list[tuple[str, list[str]]]:
    """Each command of a console block, with the output shown below it."""
    rows: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                rows.append((line[2:], []))
            elif line.strip():
                rows[-1][1].append(line)
    return rows


@pytest.mark.parametrize(("command", "shown"), commands(), ids=[command for command, _ in commands()])
def test_command_prints_what_is_shown(command, shown):
    words = shlex.split(command)
    assert words[0] == "python"
    done = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    assert printed
    assert [line for line in shown if line not in printed] == []


def test_the_python_examples_work():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 4
    assert failed == 0


def test_the_first_screen_names_both_commands_with_what_they_need():
    first_screen = README.split("![")[0]
    rows = {row.split("`")[1]: row for row in first_screen.splitlines() if row.startswith("| `make")}
    assert list(rows) == ["make run", "make test"]
    assert {"make", "python3-venv"} <= set(re.split(r"[ `]", rows["make run"]))
    ci = (ROOT / ".ci" / "run").read_text()
    installed = set(re.findall(r"missing\+=\(([a-z0-9-]+)\)", ci))
    assert installed <= set(re.split(r"[ `;]", rows["make run"] + rows["make test"]))
    assert all("minute" in row for row in rows.values())


def test_every_listed_variable_is_a_setting():
    source = "".join((ROOT / "config" / name).read_text() for name in ("settings.py", "env.py"))
    named = set(re.findall(r"`([A-Z][A-Z_]+)`", OPERATING.split("| variable |")[1].split("\n\n")[0]))
    assert len(named) >= 15
    assert {name for name in named if f'"{name}"' not in source} == set()
    assert settings.__file__


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\(([^):]+\.(?:md|png))\)", README))))
def test_every_link_points_to_a_file(name):
    assert (ROOT / name).exists()


@pytest.mark.parametrize("verb", ["run", "test", "check", "soak", "bench", "lock"])
def test_the_makefile_has_every_target(verb):
    assert re.search(rf"^{verb}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
