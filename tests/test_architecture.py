"""Arrows of import point one way, and the pure packages know no Django."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text()

# From below to above: a package imports only from rows above its own in this list.
LAYERS = [
    {"refusal"},
    {"chance"},
    {"heraldry"},
    {"rulebook"},
    {"config"},
    {"log"},
    {"pages"},
    {"people"},
    {"live", "jobs"},
    {"campaign", "cardgames"},
    {"musters"},
    {"battles"},
    {"printing"},
    {"reference", "ops"},
    {"home"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in sorted(layer)}

# What is pure, from below to above: the standard library, what stands before it here, and nothing else of ours.
PURE = [
    "refusal",
    "chance",
    "heraldry",
    "rulebook",
    "cardgames.engine",
    "cardgames.games",
    "cardgames.bots",
    "cardgames.drawing",
    "cardgames.on_paper",
    "cardgames.boards",
    "campaign.drawn",
    "campaign.annals",
    "campaign.map",
    "campaign.charts",
    "musters.rolls",
    "musters.ground",
    "battles.tracker",
    "battles.telling",
]
# Pictures to share are painted and set by libraries that know no Django either.
LIBRARIES = {"campaign.map": {"PIL", "typst"}}


def imports_of(path: Path) -> set[str]:
    """Every module imported, by its whole name; ``from campaign import door`` is ``campaign.door``."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def modules(name: str) -> list[Path]:
    path = ROOT / name.replace(".", "/")
    if not path.is_dir():
        return [path.with_suffix(".py")]
    return sorted(p for p in path.rglob("*.py") if "migrations" not in p.parts)


def is_in(module: str, packages: list[str]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("name", PURE)
def test_pure_packages_import_the_standard_library_and_what_is_pure_below_them(name):
    below = PURE[: PURE.index(name) + 1]
    others = sys.stdlib_module_names | LIBRARIES.get(name, set())
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in modules(name)
        for module in sorted(imports_of(path))
        if module.split(".")[0] not in others and not is_in(module, below)
    ]
    assert not wrong


def test_what_is_pure_is_typed_strictly():
    checked = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["packages"]
    assert set(PURE) <= set(checked)


@pytest.mark.parametrize("package", [name for name in RANK if (ROOT / name).is_dir() and name != "config"])
def test_imports_point_downwards(package):
    wrong = []
    for path in modules(package):
        for other in {module.split(".")[0] for module in imports_of(path)} & set(RANK):
            if other != package and RANK[other] >= RANK[package]:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert not wrong


def test_every_package_has_its_place():
    packages = {p.parent.name for p in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages | {"refusal"} == set(RANK)


def test_architecture_md_has_a_row_for_each_folder_in_the_order_of_imports():
    rows = re.findall(r"^\| `(\w+)(?:/|\.py)` ", PAGE, re.MULTILINE)
    assert set(rows) - {"bench"} == set(RANK)
    ranks = [RANK[row] for row in rows if row in RANK]
    assert ranks == sorted(ranks)


def test_architecture_md_is_one_page():
    assert len(PAGE.splitlines()) <= 80
