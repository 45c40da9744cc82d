"""The entries of a group's log as JSON and back: the only place that knows how they are stored.

What is written is checked strictly and refused with the field. What is stored is read leniently: keys of other releases
are ignored. A receipt compares an entry's body, so bodies never change.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dataclass_json
from dataclass_json import STORED
from groups.entries import (
    GroupEntry,
    GroupFounded,
    MemberJoined,
    MemberLeft,
    RoleChanged,
    SettingsChanged,
    UnknownEntry,
)

Body = Mapping[str, Any]

ENTRIES: dict[str, type[GroupEntry]] = {}


def register_entries(*kinds: type[GroupEntry]) -> None:
    """Apps above add what they write in a group's log."""
    for kind in kinds:
        if ENTRIES.setdefault(kind.key, kind) is not kind:
            raise ValueError(f"{kind.key} is registered twice.")


register_entries(GroupFounded, SettingsChanged, MemberJoined, RoleChanged, MemberLeft)


def write_entry(entry: GroupEntry) -> Body:
    """The body of an entry, or a refusal that names the field."""
    body: Body = dataclass_json.write(entry)
    dataclass_json.read(type(entry), body)
    return body


def load_entry(act: str, body: Body) -> GroupEntry:
    """A stored entry."""
    kind = ENTRIES.get(act)
    return UnknownEntry() if kind is None else dataclass_json.read(kind, body, STORED)
