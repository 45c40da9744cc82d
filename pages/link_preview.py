"""What a messenger shows of a link: the Open Graph tags of a page that everybody may see."""

from __future__ import annotations

from dataclasses import dataclass

from pages.address import base_url

CARD = (1200, 630)  # the size of picture that every messenger takes


@dataclass(frozen=True, slots=True)
class Shared:
    """Drawn by templates/_share.html. Addresses are whole, and never those of the Host header."""

    title: str
    words: str
    url: str
    picture: str
    picture_words: str
    width: int = CARD[0]
    height: int = CARD[1]


def shared(title: str, words: str, path: str, picture: str, picture_words: str) -> Shared:
    base = base_url()
    return Shared(title, words, base + path, base + picture, picture_words)
