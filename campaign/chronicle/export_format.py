"""A whole campaign as one JSON text: its frame, its digest, and what is said of a file that cannot be read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn

from campaign.annals.acts import RULES_VERSION
from refusal import Refusal

FORMAT = "mice-at-arms campaign"
VERSION = 1
MOST_MB = 20
MOST = MOST_MB * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Opened:
    contents: dict[str, Any]
    rules: int  # the version of our reading of the rules it was written under
    is_edited: bool  # the digest is not that of the contents


def digest(contents: dict[str, Any]) -> str:
    text = json.dumps(contents, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def written(contents: dict[str, Any]) -> str:
    frame = {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES_VERSION,
        "digest": digest(contents),
        "campaign": contents,
    }
    return json.dumps(frame, ensure_ascii=False, indent=1)


def opened(raw: bytes) -> Opened:
    """The contents of a file, or a refusal that names the first problem."""
    if len(raw) > MOST:
        raise Refusal(f"The file has {len(raw) / 1024 / 1024:.1f} MB. {MOST_MB} MB is the most.", field="file")
    frame = _parsed(raw)
    if not isinstance(frame, dict) or frame.get("format") != FORMAT:
        raise Refusal("This is no campaign's file.", field="file")
    version = frame.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise Refusal("The file does not say by which version it was written.", field="file")
    if version > VERSION:
        raise Refusal(
            f"The file is of version {version}, and this site reads up to {VERSION}. Take it to a newer one.",
            field="file",
        )
    contents = frame.get("campaign")
    if not isinstance(contents, dict):
        raise Refusal("The file holds no campaign.", field="file")
    try:
        is_edited = digest(contents) != frame.get("digest")
    except UnicodeEncodeError as error:
        raise Refusal("The file holds characters that are no text.", field="file") from error
    rules = frame.get("rules")
    return Opened(contents, rules if isinstance(rules, int) else 0, is_edited)


def _parsed(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("The file is not text in UTF-8.", field="file") from error
    if "\\u0000" in text or "\x00" in text:
        raise Refusal("The file holds characters that are no text.", field="file")
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        where = "The file ends too early: it was cut off" if cut else "The file is no whole JSON. The first fault is"
        raise Refusal(f"{where} at line {error.lineno}, column {error.colno}.", field="file") from error
    except (RecursionError, ValueError) as error:
        raise Refusal("The file cannot be read: it is no whole JSON.", field="file") from error


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)
