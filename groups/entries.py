"""What a group's log records, as frozen dataclasses. Game nights add theirs with ``codec.register_entries``.

Fields without a default are always stored, others only if they differ from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeGuard, get_args

from dataclass_json import Text, Whole
from json_input import MAX_NUMBER

RoleWord = Literal["host", "member", "guest"]
Number = Annotated[int, Whole("The number", 1, MAX_NUMBER)]


def is_role(word: str) -> TypeGuard[RoleWord]:
    return word in get_args(RoleWord)


@dataclass(frozen=True, slots=True)
class GroupEntry:
    """``key`` is the act under which an entry is stored. It never changes."""

    key: ClassVar[str]


@dataclass(frozen=True, slots=True)
class UnknownEntry(GroupEntry):
    """Written by a newer release."""

    key: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class GroupFounded(GroupEntry):
    key: ClassVar[str] = "group_founded"


@dataclass(frozen=True, slots=True)
class SettingsChanged(GroupEntry):
    """Without the name: names of groups are not kept in the log."""

    key: ClassVar[str] = "group_settings"

    zone: Annotated[str, Text("The time zone", 64)]
    visibility: Literal["members", "public"]
    edits: Literal["anyone", "players", "hosts"]
    consent: Literal["none", "player", "host"] = "none"
    writes_defaults: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MemberJoined(GroupEntry):
    key: ClassVar[str] = "member_joined"

    person: Number


@dataclass(frozen=True, slots=True)
class RoleChanged(GroupEntry):
    key: ClassVar[str] = "member_role"

    person: Number
    role: RoleWord


@dataclass(frozen=True, slots=True)
class MemberLeft(GroupEntry):
    key: ClassVar[str] = "member_left"

    person: Number
