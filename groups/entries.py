"""What is sent about a group, and what its log keeps of it.

An entry keeps the name of an act, the numbers or codes of what it is about, and what was sent, in one JSON object:

    register_acts({"night_changed": Act(ChangeNight, about=("night",))})
    write_body("night_changed", ChangeNight(title="Longer Candle", ...), night=7)
    # {"night": 7, "title": "Longer Candle", ...}

Names and fields of an act never change: a receipt compares the body of a tap that is sent again with the stored one.
Fields without a default are always stored, others only if they differ from it.
"""

import zoneinfo
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, ClassVar

import dataclass_json
from dataclass_json import STORED, Ask, Check, Clean, Says, Text, Whole
from groups.models import Group, Member
from json_input import MAX_NUMBER
from people.name_validation import MAX_STORED, PersonName, clean_name
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


GroupName = Annotated[
    str,
    Text("The name of the group", MAX_STORED),
    Clean(partial(clean_name, what="name of the group")),
    Ask("Name of the group"),
]


@dataclass(frozen=True)
class FoundGroup:
    name: GroupName
    zone: Zone = "UTC"


@dataclass(frozen=True)
class GroupSettings:
    """What is left out stays as it is."""

    zone: Zone = "UTC"
    visibility: Annotated[Group.Visibility, Ask("Who can see nights and standings")] = Group.Visibility.MEMBERS
    edits: Annotated[Group.Edits, Ask("Who can change a logged play")] = Group.Edits.ANYONE
    consent: Annotated[Group.Consent, Ask("When a change counts")] = Group.Consent.NONE
    writes_defaults: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class ChangeGroup(GroupSettings):
    name: GroupName


@dataclass(frozen=True)
class AddMember:
    name: Annotated[PersonName, Ask("Name", "Someone you know, or a new guest. They do not need an account.")]
    which: Annotated[
        str,
        Text("The person", 20, empty=True),
        Ask("Who is it?", "The code of the person you know by this name, or new for a new guest."),
    ] = ""


@dataclass(frozen=True)
class ChangeMember:
    role: Annotated[Member.Role, Says("Choose host, member or guest.")]


# ── Stored ───────────────────────────────────────────────────────────────────────────────────────────────

Ref = int | str | None
Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Act:
    """What is stored of an act: what was sent, if anything, and what it is about."""

    sent: type | None = None
    about: tuple[str, ...] = ()


ACTS: dict[str, Act] = {}


def register_acts(acts: Mapping[str, Act]) -> None:
    """Apps above add what they write in a group's log."""
    for name, act in acts.items():
        if ACTS.setdefault(name, act) is not act:
            raise ValueError(f"{name} is registered twice.")


# Names of groups are not kept in the log.
register_acts(
    {
        "group_founded": Act(),
        "group_settings": Act(GroupSettings),
        "member_joined": Act(about=("person",)),
        "member_role": Act(ChangeMember, about=("person",)),
        "member_left": Act(about=("person",)),
    }
)


def write_body(act: str, sent: Any = None, **about: Ref) -> Body:
    """What the log stores, or a refusal that names the field."""
    stored = ACTS[act]
    if set(about) != set(stored.about) or not isinstance(sent, stored.sent or type(None)):
        raise TypeError(f"{act} stores {stored}.")
    if stored.sent is None:
        return about
    body = dataclass_json.write(sent)
    dataclass_json.read(stored.sent, body)
    return {**about, **body}


def load_sent(act: str, body: Body) -> Any:
    """What was sent, from a stored entry; None where nothing was, or a newer release wrote it."""
    kind = ACTS[act].sent if act in ACTS else None
    return None if kind is None else dataclass_json.read(kind, body, STORED)
