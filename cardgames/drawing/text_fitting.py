"""Lines of text that fit a width. SVG does not break lines, so we measure, with a little to spare for other typefaces."""

from __future__ import annotations

from collections.abc import Sequence

_NARROW = frozenset("iljtfrI.,:;'’-|! ()")
_WIDE = frozenset("mwMWQO@—")


def width(text: str, size: float) -> float:
    """About how wide this is in a bookish typeface."""
    units = 0.0
    for mark in text:
        if mark in _NARROW:
            units += 0.34
        elif mark in _WIDE:
            units += 0.9
        elif mark.isupper():
            units += 0.72
        elif ord(mark) > 0x2E80:
            units += 1.0
        else:
            units += 0.53
    return units * size


def wrapped(text: str, room: float, size: float) -> list[str]:
    """The text in lines no wider than the room; a word that is wider is cut with a mark that says so."""
    lines: list[str] = []
    for word in text.split():
        if width(word, size) > room:
            word = _cut(word, room, size)
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines


def fitted(text: str, room: float, most: int, sizes: Sequence[float]) -> tuple[float, list[str]]:
    """The first of the sizes in which the text takes no more lines than ``most`` without a cut; else the last, cut short."""
    for size in sizes:
        lines = wrapped(text, room, size)
        if len(lines) <= most and " ".join(lines) == " ".join(text.split()):
            return size, lines
    lines = wrapped(text, room, sizes[-1])
    if len(lines) > most:
        lines = [*lines[: most - 1], _cut(f"{lines[most - 1]} …", room, sizes[-1])]
    return sizes[-1], lines


def _cut(word: str, room: float, size: float) -> str:
    while len(word) > 1 and width(f"{word}…", size) > room:
        word = word[:-1]
    return f"{word.rstrip(' …')}…"
