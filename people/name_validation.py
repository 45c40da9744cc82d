"""Clean names without changing them more than necessary: any alphabet, trimmed, limited in length."""

import unicodedata
from typing import Annotated

from dataclass_json import Clean, Text
from look_alikes import drop_invisible, require_plain_names
from refusal import Refusal

MAX_STORED = 200
MAX_SHOWN = 80

# Characters that would change the direction of the text around a name.
_OVERRIDES = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"))


def clean_text(text: str) -> str:
    """Normalise to NFC, collapse white space, drop control characters and lone surrogates."""
    text = unicodedata.normalize("NFC", text).translate(_OVERRIDES)
    text = "".join(" " if unicodedata.category(c) in ("Cc", "Zl", "Zp", "Zs") else c for c in text)
    return " ".join("".join(c for c in text if unicodedata.category(c) != "Cs").split())


def clean_name(text: object, what: str = "name", *, is_new: bool = True) -> str:
    """The name ready to be stored, or a refusal. A new name must not pass for another that only looks the same."""
    if not isinstance(text, str):
        raise Refusal(f"The {what} must be text.", field="name")
    name = clean_text(text)
    if is_new:
        name = clean_text(drop_invisible(name))
        require_plain_names([name])
    if not any(not unicodedata.category(c).startswith(("C", "Z", "M")) for c in name):
        raise Refusal(f"The {what} is empty. Enter at least one letter.", field="name")
    if len(name) > MAX_STORED:
        raise Refusal(f"The {what} has {len(name)} characters. The limit is {MAX_STORED}.", field="name")
    return name


PersonName = Annotated[str, Clean(clean_name), Text("The name", MAX_STORED)]


def shorten_name(name: str) -> str:
    """At most 80 characters, with an ellipsis if it was cut."""
    return name if len(name) <= MAX_SHOWN else name[: MAX_SHOWN - 1].rstrip() + "…"


def inline_name(name: str) -> str:
    """A name inside a sentence, shortened, with its writing direction isolated by invisible characters."""
    return f"\u2068{shorten_name(name)}\u2069"
