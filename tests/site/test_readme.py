"""What the README shows is what happens."""

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


def commands() -> list[tuple[str, list[str]]]:
    """Each command of a console block with the lines shown beneath it."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"```console\n(.*?)```", README, re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip():
                found[-1][1].append(line)
    return found


@pytest.mark.parametrize(("command", "shown"), commands(), ids=[command for command, _ in commands()])
def test_a_command_prints_what_is_shown(command, shown):
    words = shlex.split(command)
    assert words[0] == "python"
    done = subprocess.run([sys.executable, *words[1:]], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed = done.stdout.splitlines()
    assert printed
    assert [line for line in shown if line not in printed] == []


def test_the_python_examples_are_true():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried >= 4
    assert failed == 0


def test_every_variable_of_the_table_is_one_that_settings_read():
    source = (ROOT / "config" / "settings.py").read_text()
    named = set(re.findall(r"`([A-Z][A-Z_]+)`", README.split("| variable |")[1].split("\n\n")[0]))
    assert {name for name in named if f'"{name}"' not in source} == set()
    assert settings.__file__


@pytest.mark.parametrize("name", sorted(set(re.findall(r"\((docs/[^)]+)\)", README))))
def test_what_it_links_to_is_there(name):
    assert (ROOT / name).exists()


@pytest.mark.parametrize("verb", ["run", "test", "check", "soak", "bench", "lock"])
def test_the_makefile_has_its_verbs(verb):
    assert re.search(rf"^{verb}:", (ROOT / "Makefile").read_text(), re.MULTILINE)


def test_architecture_stays_on_one_page():
    assert len((ROOT / "ARCHITECTURE.md").read_text().splitlines()) <= 80
