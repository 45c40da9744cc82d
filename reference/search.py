"""Search over every row of the rulebook: all words must occur, names count before texts."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from reference.chapters import Chapter, Entry, chapters

MAX_QUERY = 80
MAX_HITS = 60

Parts = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class SearchHit:
    chapter: Chapter
    entry: Entry
    title: Parts  # text and whether it matched, in order
    text: Parts

    @property
    def url(self) -> str:
        return self.entry.more or f"{self.chapter.url}#{self.entry.anchor}"


def normalise(text: str) -> str:
    """Lower case, accents gone, every mark between words a space: "Cat-non" and "cat non" are the same."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    bare = re.sub(r"\b([A-Za-z]+)-(\d\d)\b", r"\1\2", bare)  # R-13 is one word
    return " ".join(re.split(r"[^0-9a-z\[\]+]+", bare.casefold())).strip()


def query_words(query: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(normalise(query[:MAX_QUERY]).split()))


@cache
def _index() -> tuple[tuple[Chapter, Entry, str, str], ...]:
    rows = []
    for chapter in chapters():
        for entry in chapter.entries:
            text = " ".join(
                (entry.title, entry.text, *entry.points, *entry.rules, entry.anchor, entry.kind and f"[{entry.kind}]")
            )
            rows.append((chapter, entry, normalise(entry.title), normalise(text)))
    return tuple(rows)


def search(query: str) -> tuple[SearchHit, ...]:
    """The rows in which every word of the query occurs, best first."""
    words = query_words(query)
    if not words:
        return ()
    hits = []
    for place, (chapter, entry, title, text) in enumerate(_index()):
        if all(_occurs(word, text) for word in words):
            whole = " ".join(words)
            rank = 0 if title == whole else 1 if title.startswith(whole) else 2 if all(w in title for w in words) else 3
            # A word at the start of a word is likelier meant than one inside.
            inside = sum(not re.search(rf"(?:^| ){re.escape(word)}", text) for word in words)
            hits.append((rank, inside, place, chapter, entry))
    hits.sort(key=lambda hit: hit[:3])
    return tuple(
        SearchHit(chapter, entry, highlight(entry.title, words), highlight(_matching_text(entry, words), words))
        for _, _, _, chapter, entry in hits[:MAX_HITS]
    )


def _occurs(word: str, text: str) -> bool:
    """Anywhere for a real word; one or two letters must begin a word, or "q" would find every question."""
    return word in text if len(word) > 2 else f" {word}" in f" {text}"


def _matching_text(entry: Entry, words: tuple[str, ...]) -> str:
    """The text, or the point in which the words occur when the text has none of them."""
    if any(word in normalise(entry.text) for word in words):
        return entry.text
    for point in entry.points:
        if any(word in normalise(point) for word in words):
            return point
    return entry.text


def highlight(text: str, words: tuple[str, ...]) -> Parts:
    """The text in parts, those that match marked. A hyphen in the text may stand for a space in the word."""
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    parts: list[tuple[str, bool]] = []
    at = 0
    for match in re.finditer(pattern, text, re.IGNORECASE):
        if match.start() > at:
            parts.append((text[at : match.start()], False))
        parts.append((match.group(), True))
        at = match.end()
    if at < len(text):
        parts.append((text[at:], False))
    return tuple(parts)
