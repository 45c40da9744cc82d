"""Sheets compiled once for all tests that read them."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from printing.setting import Setting
from printing.sheet import sheet_of
from tests.printing.leaf import Leaf
from tests.services import missing

_kept: dict[tuple[str, str, str, str], Leaf] = {}


@pytest.fixture(autouse=True)
def has_poppler():
    if shutil.which("pdftotext") is None:
        missing("poppler", "poppler-utils")


@pytest.fixture
def rules_leaf():
    """A sheet of the rules or of a deck: no database, made once in a session."""

    def make(sheet: str, thing: Any = None, name: str = "", paper: str = "a4", ink: str = "colour") -> Leaf:
        key = (sheet, name, paper, ink)
        if key not in _kept:
            _kept[key] = Leaf(sheet, sheet_of(sheet).gather(thing), Setting(paper, ink))
        return _kept[key]

    return make
