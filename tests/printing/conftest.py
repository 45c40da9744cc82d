"""Sheets compiled once for all tests that read them."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from printing.sheet_registry import PaperSetting, sheet_of
from tests.printing.read_pdf import PrintedSheet
from tests.services import skip_or_fail

_kept: dict[tuple[str, str, str, str], PrintedSheet] = {}


@pytest.fixture(autouse=True)
def has_poppler():
    if shutil.which("pdftotext") is None:
        skip_or_fail("poppler", "poppler-utils")


@pytest.fixture
def rules_sheet():
    """A rules or deck sheet: needs no database, compiled once per session."""

    def make(sheet: str, thing: Any = None, name: str = "", paper: str = "a4", ink: str = "colour") -> PrintedSheet:
        key = (sheet, name, paper, ink)
        if key not in _kept:
            _kept[key] = PrintedSheet(sheet, sheet_of(sheet).gather(thing), PaperSetting(paper, ink))
        return _kept[key]

    return make
