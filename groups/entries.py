"""What is sent about a group, and what its log records, as frozen dataclasses.

Game nights add their entries with ``codec.register_entries``. Fields without a default are always stored, others only
if they differ from it.
"""

from __future__ import annotations

import zoneinfo
from dataclasses import dataclass
from functools import partial
from typing import Annotated, ClassVar

from dataclass_json import Ask, Check, Clean, Says, Text, Whole
from groups.models import Group, Member
from json_input import MAX_NUMBER
from people.name_validation import MAX_STORED, clean_name
from refusal import Refusal

Number = Annotated[int, Whole("The number", 1, MAX_NUMBER)]


def check_zone(zone: str) -> None:
    try:
        zoneinfo.ZoneInfo(zone)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise Refusal("This is not a time zone. Choose one, such as Europe/Berlin.", field="zone") from None


# ── Sent ─────────────────────────────────────────────────────────────────────────────────────────────────

Zone = Annotated[
    str,
    Text("The time zone", 64),
    Check(check_zone),
    Ask("Time zone", "A night ends at 05:00 in this zone, unless you close it."),
]


@dataclass(frozen=True)
class FoundGroup:
    name: Annotated[
        str,
        Text("The name of the group", MAX_STORED),
        Clean(partial(clean_name, what="name of the group")),
        Ask("Name of the group"),
    ]
    zone: Zone = "UTC"


@dataclass(frozen=True)
class ChangeGroup(FoundGroup):
    """What is left out stays as it is."""

    visibility: Annotated[Group.Visibility, Ask("Who can see nights and standings")] = Group.Visibility.MEMBERS
    edits: Annotated[Group.Edits, Ask("Who can change a logged play")] = Group.Edits.ANYONE
    consent: Annotated[Group.Consent, Ask("When a change counts")] = Group.Consent.NONE


@dataclass(frozen=True)
class AddMember:
    name: Annotated[
        str,
        Text("The name", MAX_STORED),
        Clean(clean_name),
        Ask("Name", "Someone you know, or a new guest. They do not need an account."),
    ]
    which: Annotated[
        str,
        Text("The person", 20, empty=True),
        Ask("Who is it?", "The code of the person you know by this name, or new for a new guest."),
    ] = ""


@dataclass(frozen=True)
class ChangeMember:
    role: Annotated[Member.Role, Says("Choose host, member or guest.")]


# ── Stored ───────────────────────────────────────────────────────────────────────────────────────────────


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
    visibility: Group.Visibility
    edits: Group.Edits
    consent: Group.Consent = Group.Consent.NONE
    writes_defaults: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class MemberJoined(GroupEntry):
    key: ClassVar[str] = "member_joined"

    person: Number


@dataclass(frozen=True, slots=True)
class RoleChanged(GroupEntry):
    key: ClassVar[str] = "member_role"

    person: Number
    role: Member.Role


@dataclass(frozen=True, slots=True)
class MemberLeft(GroupEntry):
    key: ClassVar[str] = "member_left"

    person: Number
