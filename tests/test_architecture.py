"""Imports point one way, and the pure packages do not import Django."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from rulebook.data.scenarios import SCENARIO

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text()

# From the lowest to the highest layer: a package imports only from rows above its own in this list.
LAYERS = [
    {
        "refusal",
        "text",
        "django_text_choices",
        "look_alikes",
        "json_input",
        "dataclass_json",
        "cached_reverse",
        "prepared_queries",
        "chance",
    },
    {"heraldry"},
    {"art"},
    {"rulebook"},
    {"config"},
    {"log"},
    {"pages"},
    {"people"},
    {"groups"},
    {"live", "jobs"},
    {"photos"},
    {"campaign", "cardgames"},
    {"musters"},
    {"battles"},
    {"gamenights"},
    {"printing"},
    {"reference", "ops"},
    {"home"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in sorted(layer)}

# Pure packages, lowest first: each imports the standard library and earlier ones, and nothing else of ours.
PURE = [
    "refusal",
    "text",
    "look_alikes",
    "json_input",
    "dataclass_json",
    "chance",
    "heraldry",
    "art",
    "rulebook",
    "photos.pictures",
    "cardgames.engine",
    "cardgames.games",
    "cardgames.bots",
    "cardgames.drawing",
    "cardgames.tables.board_frame",
    "cardgames.tables.core",
    "campaign.chronicle",
    "campaign.map",
    "campaign.charts",
    "musters.core",
    "battles.tracker.core",
    "battles.result.core",
    "gamenights.shelf.suggestions",
    "gamenights.plays.values",
    "gamenights.transfer.core",
    "gamenights.standings.core",
    "gamenights.nights.calendar_events",
    "gamenights.notices.notice_formats",
    "gamenights.notices.webhook_post",
    "gamenights.recap.facts",
    "gamenights.recap.gazette",
]
# Libraries that do not need Django either: drawing for share pictures, reading files.
LIBRARIES = {
    "art": {"PIL", "typst"},
    "photos.pictures": {"PIL"},
    "gamenights.transfer.core": {"defusedxml"},
    "gamenights.standings.core": {"openskill"},
    "gamenights.nights.calendar_events": {"icalendar"},
}


def imports_of(path: Path) -> set[str]:
    """Every module imported, by its whole name; ``from campaign import services`` is ``campaign.services``."""
    seen: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            seen |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            seen |= {f"{node.module}.{alias.name}" for alias in node.names}
    return seen


def modules(name: str) -> list[Path]:
    path = ROOT / name.replace(".", "/")
    if not path.is_dir():
        return [path.with_suffix(".py")]
    return sorted(p for p in path.rglob("*.py") if "migrations" not in p.parts)


def is_in(module: str, packages: list[str]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("name", PURE)
def test_pure_packages_import_only_the_standard_library_and_lower_pure_packages(name):
    below = PURE[: PURE.index(name) + 1]
    others = sys.stdlib_module_names | LIBRARIES.get(name, set())
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for path in modules(name)
        for module in sorted(imports_of(path))
        if module.split(".")[0] not in others and not is_in(module, below)
    ]
    assert not wrong


def test_every_package_is_strictly_typed_but_views_admin_and_migrations():
    mypy = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    assert mypy["strict"]
    assert set(mypy["packages"]) == set(RANK)
    ignored = [name for row in mypy["overrides"] if row.get("ignore_errors") for name in row["module"]]
    assert ignored == ["*.views", "*.admin", "*.migrations.*"]


def test_dictionaries_of_anything_are_few():
    """What is left is named in docs/DECISIONS.md, by kind. These limits only ever fall."""
    counts = {name: sum(path.read_text().count("dict[str, Any]") for path in modules(name)) for name in RANK}
    assert counts.pop("battles") <= 3
    assert counts.pop("cardgames") <= 9
    assert sum(counts.values()) <= 30


def test_pure_packages_keep_the_checks_that_django_has_to_be_spared():
    rows = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]["overrides"]
    spared = {name.removesuffix(".*") for row in rows if row.get("warn_return_any") is False for name in row["module"]}
    kept = {name.removesuffix(".*") for row in rows if row.get("warn_return_any") for name in row["module"]}
    assert {name for name in PURE if name.partition(".")[0] in spared} <= kept


@pytest.mark.parametrize("package", [name for name in RANK if (ROOT / name).is_dir() and name != "config"])
def test_imports_point_downwards(package):
    wrong = []
    for path in modules(package):
        for other in {module.split(".")[0] for module in imports_of(path)} & set(RANK):
            if other != package and RANK[other] >= RANK[package]:
                wrong.append(f"{path.relative_to(ROOT)} imports {other}")
    assert not wrong


def test_rulebook_modules_do_not_import_from_the_package_root():
    """``rulebook`` exports for others; inside, a module is imported from where it lives, so there are no cycles."""
    wrong = [
        str(path.relative_to(ROOT))
        for path in modules("rulebook")
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.ImportFrom) and node.module == "rulebook")
        or (isinstance(node, ast.Import) and any(alias.name == "rulebook" for alias in node.names))
    ]
    assert not wrong


def test_only_urls_import_views():
    """What two views need, or a view and paper or JSON, is a selector or a display."""
    wrong = [
        f"{path.relative_to(ROOT)} imports {module}"
        for package in RANK
        for path in modules(package)
        if not path.stem.endswith("urls") and path.parent.name != "views"
        for module in sorted(imports_of(path))
        if module.split(".")[0] in RANK and any(part.endswith("views") for part in module.split("."))
    ]
    assert not wrong


# The chapter of the rules that has the siege's name.
NAMES_OF_OTHER_THINGS = {("reference/views.py", "siege")}


def names_compared(node: ast.AST) -> set[str]:
    """Texts that a comparison, a ``match`` or a table with more than one of them asks for."""
    parts: list[ast.expr | None] = []
    if isinstance(node, ast.Compare):
        parts = [node.left, *node.comparators]
    elif isinstance(node, ast.MatchValue):
        parts = [node.value]
    elif isinstance(node, ast.Dict) and len({key.value for key in node.keys if isinstance(key, ast.Constant)}) > 1:
        parts = [key for key in node.keys if not (isinstance(key, ast.Constant) and key.value == "siege")]
    rows = [part.elts if isinstance(part, (ast.Tuple, ast.List, ast.Set)) else [part] for part in parts]
    return {
        each.value for row in rows for each in row if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def test_only_the_rulebook_compares_with_a_scenarios_name():
    """Elsewhere a scenario is asked for its ``tracks``, or whether it ``is_siege``."""
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno} asks for {key}"
        for package in RANK
        if package != "rulebook"
        for path in modules(package)
        for node in ast.walk(ast.parse(path.read_text()))
        for key in sorted(names_compared(node) & SCENARIO.keys())
        if (str(path.relative_to(ROOT)), key) not in NAMES_OF_OTHER_THINGS
    ]
    asks = re.compile(rf"""(?:[=!]=|\bin\b[ ([]*)\s*["'](?:{"|".join(SCENARIO)})["']""")
    pages = [*ROOT.glob("templates/**/*.html"), *ROOT.glob("static/js/*.js"), *ROOT.glob("printing/typst/*.typ")]
    wrong += [f"{path.relative_to(ROOT)}: {result[0]}" for path in pages for result in asks.finditer(path.read_text())]
    assert not wrong


def test_every_package_has_a_layer():
    packages = {p.parent.name for p in ROOT.glob("*/__init__.py")} - {"tests", "bench"}
    assert packages | LAYERS[0] == set(RANK)


def test_architecture_md_has_a_row_for_each_folder_in_the_order_of_imports():
    rows = re.findall(r"^\| `(\w+)(?:/|\.py)` ", PAGE, re.MULTILINE)
    assert set(rows) - {"bench"} == set(RANK)
    ranks = [RANK[row] for row in rows if row in RANK]
    assert ranks == sorted(ranks)


def test_architecture_md_is_two_pages():
    assert len(PAGE.splitlines()) <= 130
