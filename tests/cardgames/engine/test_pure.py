"""The engine, its games and its bots know the standard library, ``chance`` and ``refusal``, and nothing else."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import cardgames

ROOT = Path(cardgames.__file__).parent
PURE = [path for folder in ("engine", "games", "bots") for path in sorted((ROOT / folder).rglob("*.py"))]
OURS = {"chance", "refusal", "cardgames"}
LONGEST = 500


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_nothing_but_the_standard_library() -> None:
    assert len(PURE) > 25
    for path in PURE:
        for name in imported(path):
            top = name.partition(".")[0]
            assert top in OURS or top in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_the_engine_knows_no_game_and_games_know_no_bots() -> None:
    for path in PURE:
        part = path.relative_to(ROOT).parts[0]
        for name in imported(path):
            if part == "engine":
                assert not name.startswith(("cardgames.games", "cardgames.bots")), path
            if part == "games":
                assert not name.startswith("cardgames.bots"), path


def test_no_file_is_too_long_to_read() -> None:
    for path in PURE:
        assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST, path
