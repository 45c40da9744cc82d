"""A whole campaign as one JSON text: its envelope, its digest, and reading it back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from campaign.chronicle.acts.registry import RULES_VERSION
from json_input import FILE, read_json
from refusal import Refusal

FORMAT = "mice-at-arms campaign"
VERSION = 1
MAX_MB = 20
MAX_FILE = MAX_MB * 1024 * 1024
MAX_WITH_FORM = MAX_FILE + 1024 * 1024  # a slightly larger file is still refused with its own sentence


# A campaign as a file. Files of other releases have other keys, so that each is read with a check.
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ExportFile:
    contents: Json
    rules: int  # the version of our reading of the rules it was written under
    is_edited: bool  # the digest is not that of the contents


def compute_digest(contents: dict[str, object]) -> str:
    text = json.dumps(contents, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def write_export(contents: dict[str, object]) -> str:
    frame = {
        "format": FORMAT,
        "version": VERSION,
        "rules": RULES_VERSION,
        "digest": compute_digest(contents),
        "campaign": contents,
    }
    # Without spaces: a full log must stay below MAX_FILE (log.services.MAX_LOG).
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":"))


def read_export(raw: bytes) -> ExportFile:
    """The contents of a file, or a refusal that names the first problem."""
    if len(raw) > MAX_FILE:
        raise Refusal(f"The file is {len(raw) / 1024 / 1024:.1f} MB. The limit is {MAX_MB} MB.", field="file")
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
    is_edited = compute_digest(contents) != frame.get("digest")
    rules = frame.get("rules")
    return ExportFile(contents, rules if isinstance(rules, int) else 0, is_edited)


def _parse_json(raw: bytes) -> Any:
    try:
        return read_json(raw, FILE)
    except Refusal as refusal:
        error = refusal.__cause__
        if isinstance(error, UnicodeDecodeError):
            raise Refusal("The file is not text in UTF-8.", field="file") from error
        if isinstance(error, json.JSONDecodeError):
            cut = error.pos >= len(error.doc.rstrip()) - 1 or error.msg.startswith("Unterminated")
            problem = "ends too early: it was cut off" if cut else "is not valid JSON. The first error is"
            raise Refusal(f"The file {problem} at line {error.lineno}, column {error.colno}.", field="file") from error
        raise Refusal(f"The file cannot be read. {refusal.sentence}", field="file") from refusal
