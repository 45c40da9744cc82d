"""Groups and their members as JSON. People are named by their codes."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from groups import invitations, permissions, services
from groups.models import Group, Member
from groups.selectors import get_visible_group, list_members
from pages.api_pagination import MOST, PAGE_PARAMETERS, paginate
from pages.api_parsers import read_body
from people.api_tokens.scopes import RUN
from people.models import Person
from people.passes.shown_secrets import link_address

KEY = "made up by the client; a key sent twice counts once"
MAX_NAME_SENT = 1000  # the limit for stored names is lower and has its own refusal


class GroupSerializer(serializers.ModelSerializer):
    class Meta:
        model = Group
        fields = ["code", "name", "zone", "visibility", "edits", "consent", "founded_at"]


class GroupPersonSerializer(serializers.Serializer):
    code = serializers.CharField()
    name = serializers.CharField()
    role = serializers.CharField(help_text="host, member or guest")


class GroupDetailSerializer(GroupSerializer):
    people = GroupPersonSerializer(many=True)

    class Meta(GroupSerializer.Meta):
        fields = [*GroupSerializer.Meta.fields, "people"]


class GroupInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text=KEY)
    name = serializers.CharField(max_length=MAX_NAME_SENT)
    zone = serializers.CharField(max_length=64, required=False, help_text="such as Europe/Berlin")


class GroupChangeSerializer(serializers.Serializer):
    """What is left out stays as it is."""

    key = serializers.CharField(max_length=80, help_text=KEY)
    name = serializers.CharField(max_length=MAX_NAME_SENT, required=False)
    zone = serializers.CharField(max_length=64, required=False)
    visibility = serializers.ChoiceField(Group.Visibility.choices, required=False)
    edits = serializers.ChoiceField(Group.Edits.choices, required=False)
    consent = serializers.ChoiceField(Group.Consent.choices, required=False)


class MemberInSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text=KEY)
    name = serializers.CharField(max_length=MAX_NAME_SENT)
    which = serializers.CharField(
        max_length=16, required=False, help_text="the code of the person you know by this name, or new for a new guest"
    )


class MemberChangeSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text=KEY)
    role = serializers.ChoiceField(Member.Role.choices)


class InvitationSerializer(serializers.Serializer):
    url = serializers.CharField(help_text="whoever opens it can join")
    expires_at = serializers.DateTimeField(allow_null=True)


def people_to_json(group: Group) -> list[dict[str, str]]:
    rows = list_members(group)
    return [{"code": row.person.root.code, "name": row.person.root.name, "role": row.role} for row in rows]


class GroupList(APIView):
    @extend_schema(parameters=list(PAGE_PARAMETERS), responses=GroupSerializer(many=True), operation_id="groups_list")
    def get(self, request: Request) -> Response:
        """The groups you belong to, or came to as a guest."""
        rows = Group.objects.known_to(request.who)
        return paginate(request, rows, ("name", "pk"), lambda found: GroupSerializer(found, many=True).data, most=MOST)

    @extend_schema(request=GroupInSerializer, responses={201: GroupDetailSerializer}, operation_id="groups_found")
    def post(self, request: Request) -> Response:
        """Found a group. You are its host."""
        request.who.require_person()
        group = services.found_group(request.who, **read_body(GroupInSerializer, request))
        return Response({**GroupSerializer(group).data, "people": people_to_json(group)}, status=201)


class GroupDetail(APIView):
    """``to_json`` is for apps above, which add what a group owns there."""

    scopes = {"PATCH": RUN}

    def to_json(self, group: Group) -> dict[str, object]:
        return {**GroupSerializer(group).data, "people": people_to_json(group)}

    @extend_schema(responses=GroupDetailSerializer, operation_id="groups_show")
    def get(self, request: Request, code: str) -> Response:
        """One group with its people."""
        return Response(self.to_json(get_visible_group(request.who, code)))

    @extend_schema(request=GroupChangeSerializer, responses=GroupDetailSerializer, operation_id="groups_change")
    def patch(self, request: Request, code: str) -> Response:
        """Change the settings."""
        group = get_visible_group(request.who, code)
        permissions.require_host(group, request.who)
        now = {name: getattr(group, name) for name in ("name", "zone", "visibility", "edits", "consent")}
        services.change_settings(group, request.who, **{**now, **read_body(GroupChangeSerializer, request)})
        return Response(self.to_json(group))


class MemberList(APIView):
    scopes = {"POST": RUN}

    @extend_schema(request=MemberInSerializer, responses={201: GroupPersonSerializer}, operation_id="groups_add_member")
    def post(self, request: Request, code: str) -> Response:
        """Add someone by name."""
        group = get_visible_group(request.who, code)
        permissions.require_host(group, request.who)
        data = read_body(MemberInSerializer, request)
        meant = Person.objects.known_to(request.who).filter(code=data.get("which", "")).first()
        which = str(meant.pk) if meant else data.get("which", "")
        person = services.add_by_name(group, request.who, key=data["key"], name=data["name"], which=which)
        return Response(_member_json(group, person.root.code), status=201)


class MemberDetail(APIView):
    scopes = {"PATCH": RUN}

    @extend_schema(request=MemberChangeSerializer, responses=GroupPersonSerializer, operation_id="groups_change_member")
    def patch(self, request: Request, code: str, person: str) -> Response:
        """Make them a host, a member or a guest."""
        group = get_visible_group(request.who, code)
        permissions.require_host(group, request.who)
        data = read_body(MemberChangeSerializer, request)
        member = _find_member(group, person)
        services.set_role(group, request.who, key=data["key"], member=member, role=data["role"])
        return Response(_member_json(group, person))

    @extend_schema(
        request=None,
        responses={204: None},
        operation_id="groups_remove_member",
        description="Remove them, or leave the group. Removing them again changes nothing.",
    )
    def delete(self, request: Request, code: str, person: str) -> Response:
        group = get_visible_group(request.who, code)
        permissions.require_member(group, request.who)
        member = _find_member(group, person)
        services.remove_member(group, request.who, key=f"api-removes-{member.pk}", member=member)
        return Response(status=204)


class Invitation(APIView):
    scopes = {"POST": RUN}

    @extend_schema(request=None, responses={201: InvitationSerializer}, operation_id="groups_invite")
    def post(self, request: Request, code: str) -> Response:
        """The group's invitation link; a new one if the last has expired."""
        group = get_visible_group(request.who, code)
        link = invitations.create_invitation(group, request.who)
        return Response({"url": link_address(request._request, link), "expires_at": link.expires_at}, status=201)


def _find_member(group: Group, code: str) -> Member:
    found = [row for row in list_members(group) if row.person.root.code == code]
    return found[0] if found else get_object_or_404(Member, pk=None)


def _member_json(group: Group, code: str) -> dict[str, str]:
    return next(row for row in people_to_json(group) if row["code"] == code)
