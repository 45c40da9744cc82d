"""Parse whole numbers that people and programs send."""

MAX_DIGITS = 9  # enough for everything here, and fits every database


def parse_int(typed: str, *, signed: bool = False) -> int | None:
    """The number, or None. Python calls ``²`` a digit but cannot convert it."""
    text = typed.strip()
    bare = text[1:] if signed and text[:1] in ("+", "-") else text
    return int(text) if bare.isascii() and bare.isdigit() and len(bare) <= MAX_DIGITS else None
