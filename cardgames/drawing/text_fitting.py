"""Text broken to fit a width. SVG does not break lines, so we measure, with a little to spare for other typefaces."""

from __future__ import annotations

from collections.abc import Sequence

from text import estimate_width

# Other typefaces are wider than the one the estimate knows.
SPARE = 1.05


def text_width(text: str, size: float) -> float:
    """About how wide this is at this size."""
    return estimate_width(text) * size * SPARE


def wrap_text(text: str, room: float, size: float) -> list[str]:
    """The text in lines no wider than the room; a word that is wider is cut with a mark that says so."""
    lines: list[str] = []
    for word in text.split():
        if text_width(word, size) > room:
            word = _shorten_word(word, room, size)
        if lines and text_width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def fit_text(text: str, room: float, most: int, sizes: Sequence[float]) -> tuple[float, list[str]]:
    """The first size at which the text fits ``most`` lines; else the last size, with the text cut short."""
    for size in sizes:
        lines = wrap_text(text, room, size)
        if len(lines) <= most and " ".join(lines) == " ".join(text.split()):
            return size, lines
    lines = wrap_text(text, room, sizes[-1])
    if len(lines) > most:
        lines = [*lines[: most - 1], _shorten_word(f"{lines[most - 1]} …", room, sizes[-1])]
    return sizes[-1], lines


def _shorten_word(word: str, room: float, size: float) -> str:
    while len(word) > 1 and text_width(f"{word}…", size) > room:
        word = word[:-1]
    return f"{word.rstrip(' …')}…"
