"""Arrows of import point one way, and the pure packages know no Django."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# From below to above: a package imports only from rows above its own in this list (or from its own row's set of friends).
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
    {"gamenights"},
    {"printing"},
    {"reference", "ops"},
    {"home"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in sorted(layer)}

# Pure packages and what of ours they may use.
PURE = {
    "refusal.py": set(),
    "chance": set(),
    "heraldry": {"chance", "refusal"},
    "rulebook": {"refusal", "chance"},
    "musters/ground": {"refusal", "chance", "rulebook", "campaign"},
    "campaign/annals": {"refusal", "chance", "heraldry", "rulebook", "campaign"},
    "musters/rolls": {"refusal", "chance", "rulebook", "musters"},
    "battles/tracker": {"refusal", "chance", "rulebook", "battles"},
    "battles/telling": {"refusal", "rulebook", "campaign", "battles"},
    "cardgames/engine": {"refusal", "chance", "cardgames"},
    "cardgames/games": {"refusal", "chance", "cardgames"},
    "cardgames/bots": {"refusal", "chance", "cardgames"},
    "cardgames/drawing": {"refusal", "chance", "heraldry", "cardgames"},
}


def imports_of(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found.add((node.module or "").split(".")[0])
    return found


def modules(where: str) -> list[Path]:
    path = ROOT / where
    return [path] if path.suffix == ".py" else sorted(p for p in path.rglob("*.py") if "migrations" not in p.parts)


@pytest.mark.parametrize("where", [where for where in PURE if (ROOT / where).exists()])
def test_pure_packages_import_the_standard_library_and_nothing_else(where):
    allowed = set(sys.stdlib_module_names) | PURE[where] | {Path(where).parts[0].removesuffix(".py")}
    wrong = {
        str(p.relative_to(ROOT)): sorted(imports_of(p) - allowed) for p in modules(where) if imports_of(p) - allowed
    }
    assert not wrong


@pytest.mark.parametrize("package", [name for name in RANK if (ROOT / name).is_dir() and name != "config"])
def test_imports_point_downwards(package):
    wrong = []
    for path in modules(package):
        for other in imports_of(path) & set(RANK):
            if other != package and RANK[other] >= RANK[package]:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert not wrong


def test_every_package_has_its_place():
    packages = {p.parent.name for p in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages - set(RANK) == set()


@pytest.mark.parametrize(
    "package", sorted(p.parent.name for p in ROOT.glob("*/__init__.py") if p.parent.name != "tests")
)
def test_architecture_md_says_what_each_folder_is_for(package):
    assert f"{package}/" in (ROOT / "ARCHITECTURE.md").read_text()
