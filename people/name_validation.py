"""Names as people type them: any alphabet, bounded and trimmed, never changed more than that."""

from __future__ import annotations

import unicodedata

from refusal import Refusal

STORED = 200
SHOWN = 80

# Characters that would let one name rearrange the text around it; marks inside a script stay.
_OVERRIDES = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"))


def clean_text(text: str) -> str:
    """Without control characters and lone surrogates, with white space folded, composed alike."""
    text = unicodedata.normalize("NFC", text).translate(_OVERRIDES)
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Zs") else c for c in text)
    return " ".join("".join(c for c in text if unicodedata.category(c) != "Cs").split())


def clean_name(text: object, what: str = "name") -> str:
    """A name ready to be stored, or a refusal that says what is wrong with it."""
    if not isinstance(text, str):
        raise Refusal(f"The {what} must be text.", field="name")
    name = clean_text(text)
    if not any(not unicodedata.category(c).startswith(("C", "Z", "M")) for c in name):
        raise Refusal(f"The {what} is empty. Write at least one letter.", field="name")
    if len(name) > STORED:
        raise Refusal(f"The {what} has {len(name)} characters. {STORED} is the most.", field="name")
    return name


def shown(name: str) -> str:
    """At most 80 characters of it, with an ellipsis where it was cut."""
    return name if len(name) <= SHOWN else name[: SHOWN - 1].rstrip() + "…"


def said(name: str) -> str:
    """A name inside a sentence: as it is shown, its writing direction kept to itself by invisible marks."""
    return f"\u2068{shown(name)}\u2069"
