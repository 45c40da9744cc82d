"""Every rule has a test: each ledger number is named by at least one, and no test names more than four."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from cardgames.games import HOWTO
from tests.cardgames.games.ledger_ids import IDS, rules_of

HERE = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"\b(?:[GMDY][REI]-\d+|[GMDY]\d\d)\b")
MOST = 4


def every_test() -> Iterator[tuple[str, list[str]]]:
    """Each test function with the numbers in its docstring."""
    for path in sorted(HERE.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield f"{path.stem}::{node.name}", NUMBER.findall(ast.get_docstring(node) or "")


def test_every_rule_of_the_ledgers_has_a_test() -> None:
    covered = {number for _, numbers in every_test() for number in numbers}
    missing = [number for number in IDS if number not in covered]
    assert not missing, f"no test names {', '.join(missing)}"


def test_no_test_names_more_than_four_rules_or_an_unknown_one() -> None:
    for name, numbers in every_test():
        assert len(numbers) <= MOST, f"{name} names {len(numbers)}"
        unknown = [number for number in numbers if number not in IDS]
        assert not unknown, f"{name} names {unknown}"


def test_no_ledger_number_is_missing() -> None:
    assert len(IDS) == len(set(IDS)) == 33 + 18 + 19 + 11 + 43 + 15 + 17 + 10 + 22 + 24 + 16 + 10 + 65 + 33 + 24 + 12
    for game in ("menagerie", "monarchs", "moods", "majesty"):
        rulings = dict(HOWTO[game].rulings)
        assert len(rulings) == len(HOWTO[game].rulings)
        assert all(text.endswith(".") for text in (*rules_of(game).values(), *rulings.values()))
