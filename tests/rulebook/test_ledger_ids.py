"""Every rule number of the ledger is named by a test, and no test names more than four."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest

from rulebook.data.house_rules import OPTIONS
from tests.rulebook.ledger_ids import IDS

HERE = Path(__file__).parent
NUMBER = re.compile(r"\b(?:[A-Z]+)-\d\d\d?\b")
KNOWN = frozenset(IDS)
MOST = 4


def named(text: object) -> set[str]:
    """The ledger numbers in a text; UNIT-03..05 names three."""
    words = str(text)
    for group, low, high in re.findall(r"\b([A-Z]+)-(\d\d)\.\.(?:[A-Z]+-)?(\d\d)\b", words):
        words += "".join(f" {group}-{number:02d}" for number in range(int(low), int(high) + 1))
    return KNOWN.intersection(NUMBER.findall(words))


def every_test() -> Iterator[tuple[str, FunctionType]]:
    for path in sorted(HERE.rglob("test_*.py")):
        if path.name == Path(__file__).name:
            continue
        parts = path.relative_to(HERE).with_suffix("").parts
        module = importlib.import_module(".".join(("tests", "rulebook", *parts)))
        for name, thing in vars(module).items():
            owner = getattr(thing, "__module__", None) == module.__name__
            if name.startswith("test_") and callable(thing) and owner:
                yield f"{path.stem}::{name}", thing
            elif name.startswith("Test") and inspect.isclass(thing) and owner:
                for inner, method in vars(thing).items():
                    if inner.startswith("test_"):
                        yield f"{path.stem}::{name}::{inner}", method


def cases(test: FunctionType) -> Iterator[set[str]]:
    """The numbers each case of a test names: in the docstring, or in what pytest shows as the case's id."""
    named_ids = named(inspect.getdoc(test) or "")
    marks = [mark for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    if not marks:
        yield named_ids
    for mark in marks:
        values = list(mark.args[1])
        ids = mark.kwargs.get("ids")
        for index, value in enumerate(values):
            shown = set(named_ids)
            if callable(ids):
                shown |= named(ids(value))
            elif ids is not None:
                shown |= named(list(ids)[index])
            elif getattr(value, "id", None):
                shown |= named(value.id)
            else:
                # Without ids pytest shows plain strings and numbers as they are.
                parts = value.values if hasattr(value, "values") and not isinstance(value, dict) else value
                parts = parts if isinstance(parts, (tuple, list)) else (parts,)
                for part in parts:
                    if isinstance(part, str):
                        shown |= named(part)
            yield shown


def test_every_rule_of_the_ledger_has_a_test() -> None:
    covered: set[str] = set()
    for _, test in every_test():
        for case in cases(test):
            covered |= case
    missing = [number for number in IDS if number not in covered]
    assert not missing, f"no test names {', '.join(missing)}"


def test_no_test_names_more_than_four_rules() -> None:
    crowded = {name: sorted(case) for name, test in every_test() for case in cases(test) if len(case) > MOST}
    assert not crowded


def test_rule_numbers_are_unique() -> None:
    assert len(IDS) == len(KNOWN) == 316


@pytest.mark.parametrize("row", OPTIONS, ids=lambda row: row.key)
def test_every_house_rule_is_tested_with_another_value_than_its_default(row) -> None:
    """A test somewhere builds Options with this key."""
    texts = [path.read_text() for path in HERE.rglob("test_*.py") if path.name != "test_house_rules.py"]
    assert any(re.search(rf"\b{row.key}=|[\"']{row.key}[\"']:", text) for text in texts), row.key
