"""Groups and their members as JSON. People are named by their codes."""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Annotated

from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Ask
from groups import services
from groups.display import GroupDisplay, GroupPerson, GroupRow, build_group, build_people
from groups.entries import AddMember, ChangeGroup, ChangeMember, FoundGroup
from groups.models import Group, Member
from groups.selectors import get_group_as_host, get_group_as_member, get_visible_group, list_members
from pages.api.operations import Changes, Sent, operation
from pages.api_pagination import MAX_ROWS, Page, paginate
from pages.fields.columns_and_rows import as_rows, take
from people.api_tokens.scopes import RUN
from people.models import Person
from people.passes.shown_secrets import link_address


class GroupList(APIView):
    @operation("groups_list")
    def get(self, request: Request) -> Page[GroupRow]:
        """The groups you belong to, or came to as a guest."""
        rows = Group.objects.known_to(request.who)
        return paginate(request, rows, ("name", "pk"), as_rows(GroupRow), most=MAX_ROWS)

    @operation("groups_found", status=201)
    def post(self, request: Request, sent: Sent[FoundGroup]) -> GroupDisplay:
        """Found a group. You are its host."""
        request.who.require_person()
        return build_group(services.found_group(request.who, sent.key, sent.value))


class GroupDetail(APIView):
    scopes = {"PATCH": RUN}

    @operation("groups_show")
    def get(self, request: Request, code: str) -> GroupDisplay:
        """One group with its people."""
        return build_group(get_visible_group(request.who, code))

    @operation("groups_change")
    def patch(self, request: Request, code: str, sent: Changes[ChangeGroup]) -> GroupDisplay:
        """Change the settings."""
        group = get_group_as_host(request.who, code)
        services.change_settings(group, request.who, sent.key, sent.onto(take(ChangeGroup, group)))
        return build_group(group)


class MemberList(APIView):
    scopes = {"POST": RUN}

    @operation("groups_add_member", status=201)
    def post(self, request: Request, code: str, sent: Sent[AddMember]) -> GroupPerson:
        """Add someone by name."""
        group = get_group_as_host(request.who, code)
        wanted = sent.value
        meant = Person.objects.known_to(request.who).filter(code=wanted.which).first()
        wanted = replace(wanted, which=str(meant.pk) if meant else wanted.which)
        return _find_row(group, services.add_by_name(group, request.who, sent.key, wanted).root.code)


class MemberDetail(APIView):
    scopes = {"PATCH": RUN}

    @operation("groups_change_member")
    def patch(self, request: Request, code: str, person: str, sent: Sent[ChangeMember]) -> GroupPerson:
        """Make them a host, a member or a guest."""
        group = get_group_as_host(request.who, code)
        wanted = sent.value
        services.set_role(group, request.who, sent.key, wanted, member=_find_member(group, person))
        return _find_row(group, person)

    @operation("groups_remove_member")
    def delete(self, request: Request, code: str, person: str) -> None:
        """Remove them, or leave the group. Removing them again changes nothing."""
        group = get_group_as_member(request.who, code)
        member = _find_member(group, person)
        services.remove_member(group, request.who, key=f"api-removes-{member.pk}", member=member)


@dataclass(frozen=True)
class InvitationLink:
    api_name = "Invitation"

    url: Annotated[str | None, Ask("Address", "Whoever opens it can join.")]
    expires_at: dt.datetime | None


class Invitation(APIView):
    scopes = {"POST": RUN}

    @operation("groups_invite", status=201)
    def post(self, request: Request, code: str) -> InvitationLink:
        """The group's invitation link; a new one if the last has expired."""
        group = get_visible_group(request.who, code)
        link = services.create_invitation(group, request.who)
        return InvitationLink(link_address(request._request, link), link.expires_at)


def _find_member(group: Group, code: str) -> Member:
    members = [row for row in list_members(group) if row.person.root.code == code]
    return members[0] if members else get_object_or_404(Member, pk=None)


def _find_row(group: Group, code: str) -> GroupPerson:
    return next(row for row in build_people(group) if row.code == code)
