"""A whole campaign as one JSON text: its envelope, its digest, and reading it back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn

from campaign.chronicle.acts.registry import RULES_VERSION
from refusal import Refusal

FORMAT = "mice-at-arms campaign"
VERSION = 1
MOST_MB = 20
MOST = MOST_MB * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ExportFile:
    contents: dict[str, Any]
    rules: int  # the version of our reading of the rules it was written under
    is_edited: bool  # the digest is not that of the contents


def compute_digest(contents: dict[str, Any]) -> str:
    text = json.dumps(contents, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def write_export(contents: dict[str, Any]) -> str:
    frame = {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES_VERSION,
        "digest": compute_digest(contents),
        "campaign": contents,
    }
    return json.dumps(frame, ensure_ascii=False, indent=1)


def read_export(raw: bytes) -> ExportFile:
    """The contents of a file, or a refusal that names the first problem."""
    if len(raw) > MOST:
        raise Refusal(f"The file has {len(raw) / 1024 / 1024:.1f} MB. The limit is {MOST_MB} MB.", field="file")
    frame = _parse_json(raw)
    if not isinstance(frame, dict) or frame.get("format") != FORMAT:
        raise Refusal("This is not a campaign file.", field="file")
    version = frame.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise Refusal("The file has no version number.", field="file")
    if version > VERSION:
        raise Refusal(
            f"The file has version {version}; this site reads up to {VERSION}. Import it on a newer site.",
            field="file",
        )
    contents = frame.get("campaign")
    if not isinstance(contents, dict):
        raise Refusal("The file contains no campaign.", field="file")
    try:
        is_edited = compute_digest(contents) != frame.get("digest")
    except UnicodeEncodeError as error:
        raise Refusal("The file contains characters that are not text.", field="file") from error
    rules = frame.get("rules")
    return ExportFile(contents, rules if isinstance(rules, int) else 0, is_edited)


def _parse_json(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refusal("The file is not text in UTF-8.", field="file") from error
    if "\\u0000" in text or "\x00" in text:
        raise Refusal("The file contains characters that are not text.", field="file")
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        cut = error.pos >= len(text.rstrip()) - 1 or error.msg.startswith("Unterminated")
        where = "The file ends too early: it was cut off" if cut else "The file is not valid JSON. The first error is"
        raise Refusal(f"{where} at line {error.lineno}, column {error.colno}.", field="file") from error
    except (RecursionError, ValueError) as error:
        raise Refusal("The file is not valid JSON.", field="file") from error


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)
