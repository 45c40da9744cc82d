"""The engine, games and bots import only the standard library, ``chance`` and ``refusal``."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import cardgames

ROOT = Path(cardgames.__file__).parent
PURE = [path for folder in ("engine", "games", "bots") for path in sorted((ROOT / folder).rglob("*.py"))]
OURS = {"chance", "refusal", "text", "cardgames"}


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_imports_only_the_standard_library() -> None:
    assert len(PURE) > 25
    for path in PURE:
        for name in imported(path):
            top = name.partition(".")[0]
            assert top in OURS or top in sys.stdlib_module_names, f"{path.name} imports {name}"


def test_engine_does_not_import_games_and_games_do_not_import_bots() -> None:
    for path in PURE:
        part = path.relative_to(ROOT).parts[0]
        for name in imported(path):
            if part == "engine":
                assert not name.startswith(("cardgames.games", "cardgames.bots")), path
            if part == "games":
                assert not name.startswith("cardgames.bots"), path
