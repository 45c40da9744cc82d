"""The page of examples is true, and the rulebook stays a library: no two names alike, nothing that nobody asks."""

from __future__ import annotations

import ast
import doctest
import re
from collections import Counter
from pathlib import Path

import rulebook

ROOT = Path(__file__).parent.parent.parent
COMMAND_LINE = {"rulebook/__main__.py", "rulebook/__init__.py", "rulebook/text/cli_output.py"}
MODULES = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / "rulebook").rglob("*.py"))}

# Rules that no page asks yet. Take a name out as soon as something asks it; never add one.
NOT_ASKED = {
    "apply_reinforcement_roll",
    "are_all_ablaze",
    "assign_sides",
    "brings_hero",
    "can_aim",
    "can_battle_back",
    "can_charge",
    "can_deploy",
    "can_move_again",
    "can_occupy",
    "can_pass",
    "carried_over_vp",
    "chance_to_roll",
    "clear_caches",
    "count_bearers_near",
    "edge_choice_order",
    "effect_reason",
    "end_melee",
    "ends_move",
    "event_odds",
    "fight_to_the_end",
    "find_setup_problems",
    "hero_for_roll",
    "hits_then_saves",
    "is_in_melee",
    "is_occupying",
    "is_same_hero",
    "is_together",
    "king_status_at",
    "ladybug_destinations",
    "list_siege_targets",
    "melee_dice_of",
    "models_left",
    "new_village",
    "rally_odds",
    "rally_over_rounds",
    "read_effect",
    "rebel_odds",
    "resume_script",
    "run_script",
    "sauce_odds",
    "shooting_dice_of",
    "shooting_quality",
    "term_of",
    "weapon_chances",
}


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
    assert functions - asked <= NOT_ASKED
