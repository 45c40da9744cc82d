"""Reads a printed sheet back: its pages, its text and the position of every word."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from printing import sheet_json_and_fingerprint, sheets, typst_compiler
from printing.job_kinds import footer_stamp
from printing.sheet_registry import PaperSetting, sheet_of

MM = 72 / 25.4
_WORD = re.compile(r'<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)</word>')
_PAGE = re.compile(r'<page width="([\d.]+)" height="([\d.]+)">(.*?)</page>', re.DOTALL)


@dataclass(frozen=True)
class Word:
    left: float
    top: float
    right: float
    bottom: float
    text: str

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2


@dataclass(frozen=True)
class Page:
    width: float
    height: float
    words: tuple[Word, ...]

    def outside(self, margin: float = 2.5 * MM) -> list[Word]:
        """Words outside the paper or in the margin that printers cannot reach."""
        return [
            word
            for word in self.words
            if word.left < margin
            or word.right > self.width - margin
            or word.top < 0.5 * MM
            or word.bottom > self.height
        ]

    def crossed(self) -> list[tuple[str, str]]:
        """Pairs of words printed over each other."""
        result = []
        rows = sorted((word for word in self.words if len(word.text) > 2), key=lambda word: word.top)
        for at, one in enumerate(rows):
            for other in rows[at + 1 :]:
                if other.top >= one.bottom:
                    break
                wide = min(one.right, other.right) - max(one.left, other.left)
                high = min(one.bottom, other.bottom) - max(one.top, other.top)
                least = min(
                    (one.right - one.left) * (one.bottom - one.top),
                    (other.right - other.left) * (other.bottom - other.top),
                )
                if wide > 0 and high > 0 and wide * high > 0.4 * least:
                    result.append((one.text, other.text))
        return result


class PrintedSheet:
    """One sheet, compiled as PDF/UA and read back by another program."""

    def __init__(self, sheet: str, data: dict[str, Any], setting: PaperSetting) -> None:
        self.template = sheet_of(sheet).template
        self.digest = sheet_json_and_fingerprint.fingerprint_of(sheet, data)
        text = sheet_json_and_fingerprint.render_json(
            data, saves_ink=setting.saves_ink, progress=lambda stage, k=0, n=0: None
        )
        self.press = typst_compiler.SheetCompiler(
            self.template, text, setting, stamp=json.dumps(footer_stamp(self.digest))
        )
        self.pdf = self.press.pdf()

    def _tool(self, *words: str) -> str:
        done = subprocess.run([*words, "-", "-"], input=self.pdf, capture_output=True, check=True)
        return done.stdout.decode()

    @cached_property
    def text(self) -> str:
        return self._tool("pdftotext", "-layout")

    @cached_property
    def squashed(self) -> str:
        """Letters and digits in reading order, without anything between them."""
        return squash(self._tool("pdftotext", "-raw"))

    @cached_property
    def pages(self) -> tuple[Page, ...]:
        drawn = self._tool("pdftotext", "-bbox")
        return tuple(
            Page(
                float(width),
                float(height),
                tuple(Word(float(a), float(b), float(c), float(d), text) for a, b, c, d, text in _WORD.findall(inside)),
            )
            for width, height, inside in _PAGE.findall(drawn)
        )

    @cached_property
    def info(self) -> str:
        done = subprocess.run(["pdfinfo", "-"], input=self.pdf, capture_output=True, check=True)
        return done.stdout.decode()

    def says(self, text: object) -> bool:
        return squash(str(text)) in self.squashed

    def is_whole(self) -> None:
        """Whether nothing leaves the page and nothing covers anything else."""
        for number, page in enumerate(self.pages, 1):
            outside = page.outside()
            assert not outside, f"page {number}: {outside}"
            crossed = page.crossed()
            assert not crossed, f"page {number}: {crossed}"


def squash(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


sheets.load_sheets()
