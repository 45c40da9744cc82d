"""The old phrases of the house are gone: whole strings that no page, sheet, refusal or command may say again."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = {".py", ".html", ".txt", ".js", ".typ", ".md"}
SKIPPED = {".venv", "var", "migrations", "tests", "node_modules", ".git"}

OLD_PHRASES = (
    "It is so",
    "These hold",
    "The dice stand",
    "The 1 again",
    "Leave this fight out",
    "It happens",
    "Set it as it stands",
    "It stands so",
    "The armies stand",
    "Lay the armies out",
    "Move and no more",
    "It moved and will still attack",
    "only push its token",
    "What holds",
    "The die, if they are rolled",
    "Put away",
    "Keep these names",
    "Leave them",
    "may stay empty",
    "A word to tell it apart",
    "All told, the win among them",
    "Without an objection it stands",
    "Yes, it was so",
    "It was otherwise",
    "Tell it as it was",
    "It waits for",
    "Otherwise than in the book",
    "Closed too early, the entry is struck",
    "His own melee dice count +3 as their quality",
    "is confirmed and stands written",
    "is no date",
    "is no word of these codes",
    "Only who made this battle",
    "are said, not refused",
    "The log of the service says the rest",
    "What was decided at the table is never taken away",
    "The whole of it goes off the table",
    "takes no more words",
    "Someone played your battles",
    "Grown up, with",
    "keep it, or they die",
    "is a fault to look into",
    "that wait for the word of others",
    "wait for the word of others",
    "Fix this date",
    "It names no game",
    "The play comes without",
    "want to hear of",
    "How it goes",
    "Lay it at court",
    "The odds stand below",
    "Equals share the win",
    "It is too dear",
    "The King's Mood is none of yours",
    "What an action card says is done",
    "Your King comes anyway",
    "A turn always plays a card",
    "These can only move",
    "Looking for what waits",
    "who came before. Is that right",
)


def sources() -> list[Path]:
    rows = []
    for folder, folders, files in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in SKIPPED]
        rows += [path for name in files if (path := Path(folder, name)).suffix in SUFFIXES]
    return rows


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every source text with its line breaks folded, so that a phrase broken over two lines is found too."""
    return {path.relative_to(ROOT).as_posix(): re.sub(r"\s+", " ", path.read_text()) for path in sources()}


@pytest.mark.parametrize("phrase", OLD_PHRASES)
def test_old_phrase_is_gone(phrase, texts):
    pattern = re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w)")
    # Looking for the bare phrase first takes a tenth of the time.
    assert [name for name, text in texts.items() if phrase in text and pattern.search(text)] == []


def test_every_source_folder_is_read(texts):
    assert {"README.md", "templates/base.html", "static/js/page.js", "printing/typst/slip.typ"} <= set(texts)
