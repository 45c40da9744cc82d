"""The page of examples is true, and the rulebook stays a library: no two names alike, nothing that nobody asks."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from collections import Counter
from pathlib import Path

import rulebook

ROOT = Path(__file__).parent.parent.parent
COMMAND_LINE = {"rulebook/__main__.py", "rulebook/__init__.py", "rulebook/cli_output.py"}
MODULES = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "rulebook").rglob("*.py"))}


def test_examples_are_true():
    failed, tried = doctest.testfile(str(ROOT / "docs" / "RULEBOOK.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_everything_exported_exists():
    assert [name for name in rulebook.__all__ if not hasattr(rulebook, name)] == []


def _public(path: Path, kinds: tuple[type[ast.stmt], ...]) -> list[str]:
    body = ast.parse(path.read_text()).body
    return [node.name for node in body if isinstance(node, kinds) and not node.name.startswith("_")]


def test_no_two_public_names_are_alike():
    kinds = (ast.FunctionDef, ast.ClassDef)
    names = Counter(name for at, path in MODULES.items() if at not in COMMAND_LINE for name in _public(path, kinds))
    assert [name for name, count in names.items() if count > 1] == []


def test_every_public_function_is_asked_by_more_than_tests_and_the_command_line():
    functions = {
        name for at, path in MODULES.items() if at not in COMMAND_LINE for name in _public(path, (ast.FunctionDef,))
    }
    any_function = re.compile(rf"\b({'|'.join(sorted(functions))})\b")
    asked: set[str] = set()
    for path in ROOT.rglob("*.py"):
        at = path.relative_to(ROOT)
        if at.parts[0] in (".venv", "tests", "bench", "var") or at.as_posix() in COMMAND_LINE:
            continue
        text = path.read_text()
        if set(any_function.findall(text)) <= asked:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Name):
                asked.add(node.id)
            elif isinstance(node, ast.Attribute):
                asked.add(node.attr)
    # Or it is a question of the library itself: exported, and shown on the page of examples.
    shown = set(re.findall(r"rulebook\.(\w+)\(", (ROOT / "docs" / "RULEBOOK.md").read_text()))
    assert functions - asked - (shown & set(rulebook.__all__)) == set()


def test_every_exported_question_is_shown_on_the_page_of_examples():
    page = (ROOT / "docs" / "RULEBOOK.md").read_text()
    questions = [name for name in rulebook.__all__ if inspect.isfunction(getattr(rulebook, name))]
    assert [name for name in questions if f"rulebook.{name}(" not in page] == []
    assert 20 <= len(questions) <= 30
