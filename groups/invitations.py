"""Invitations to a group: a pass makes its holder a member once they accept."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest

from groups import services
from groups.models import Group, Member
from groups.permissions import require_host
from people.guests import find_namesake
from people.models import Pass
from people.name_validation import inline_name
from people.passes import services as passes_services
from people.requester import Who

KIND = "join_group"
LASTS = dt.timedelta(days=30)


def register() -> None:
    passes_services.register_kind(
        KIND,
        "Invitation to a group",
        prompt=make_prompt,
        on_accept=accept,
        belongs_to="maker",
        needs_person=True,
        invites=True,
        why_name_taken=taken_name_text,
    )


def make_prompt(row: Pass, who: Who) -> passes_services.PassPrompt | None:
    group = Group.objects.filter(pk=row.target).first()
    if group is None:
        return None
    return passes_services.PassPrompt(
        f"You are invited to join {inline_name(group.name)}.",
        button="Join the group",
        more="Members see its game nights, plays and standings.",
    )


def taken_name_text(row: Pass, name: str) -> str:
    members = Member.objects.filter(group=row.target).select_related("person__merged_into")
    here = find_namesake((one.person for one in members), name)
    if not here:
        return ""
    return f"{here} is already in this group. If that is you, ask a host for your personal link. If not, add a letter."


def accept(row: Pass, request: HttpRequest) -> str:
    group = Group.objects.get(pk=row.target)
    services.join_group(group, request.who, key=f"invitation-{row.pk}")
    return group.get_absolute_url()


def find_invitation(group: Group) -> Pass | None:
    """The group's open link."""
    found = Pass.objects.open().filter(kind=KIND, target=group.pk).order_by("-made_at").first()
    return found if found and found.token else None


def create_invitation(group: Group, who: Who) -> Pass:
    """A link for everybody whom the hosts want to invite."""
    require_host(group, who)
    if found := find_invitation(group):
        return found
    return passes_services.create_pass(KIND, group.pk, by=who, label=group.name, lasts=LASTS, uses=None)
