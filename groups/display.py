"""A group ready to draw."""

import datetime as dt
from dataclasses import dataclass

from groups.models import Group, Member
from groups.selectors import list_members
from pages.cached_parts import PageParts
from pages.fields.columns_and_rows import take

# What apps above show on a group's page: built with the request, the group and the viewer's role.
GROUP_PAGE = PageParts()


@dataclass(frozen=True)
class GroupRow:
    api_name = "Group"

    code: str
    name: str
    zone: str
    visibility: Group.Visibility
    edits: Group.Edits
    consent: Group.Consent
    founded_at: dt.datetime


@dataclass(frozen=True)
class GroupPerson:
    code: str
    name: str
    role: Member.Role


@dataclass(frozen=True)
class GroupDisplay(GroupRow):
    api_name = "GroupDetail"

    people: tuple[GroupPerson, ...]


def build_group(group: Group) -> GroupDisplay:
    return take(GroupDisplay, group, people=build_people(group))


def build_people(group: Group) -> tuple[GroupPerson, ...]:
    return tuple(
        GroupPerson(row.person.root.code, row.person.root.name, Member.Role(row.role)) for row in list_members(group)
    )
