"""People as JSON: the same doors and refusals as the pages. Tokens are never in it."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from heraldry import Arms
from people import keeping, passes
from people.models import Pass, Person
from people.who import Who

NAME_MOST = 1000  # of what may be sent; the refusal says what may be stored


@extend_schema_field(OpenApiTypes.OBJECT)
class ArmsField(serializers.Field):
    """A coat of arms: field, division, ordinary, charge."""

    def to_representation(self, value: Arms) -> dict[str, Any]:
        return {**value.to_dict(), "blazon": value.blazon()}

    def to_internal_value(self, data: Any) -> Arms:
        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key != "blazon"}
        return Arms.from_dict(data)


class PersonSerializer(serializers.ModelSerializer):
    arms = serializers.SerializerMethodField()
    has_account = serializers.BooleanField(read_only=True)
    kept_by_me = serializers.SerializerMethodField()

    class Meta:
        model = Person
        fields = ["code", "name", "arms", "has_account", "kept_by_me", "created_at"]

    def get_arms(self, person: Person) -> dict[str, Any]:
        return {**person.arms.to_dict(), "blazon": person.arms.blazon()}

    def get_kept_by_me(self, person: Person) -> bool:
        who: Who = self.context["who"]
        return person.keeper_id is not None and person.keeper_id in who.person.all_ids()


class MeSerializer(serializers.Serializer):
    code = serializers.CharField(source="person.code")
    name = serializers.CharField(source="person.name")
    arms = serializers.SerializerMethodField()
    log_in_name = serializers.SerializerMethodField()
    came_by = serializers.CharField(source="log_in.how")
    is_owner = serializers.BooleanField()

    def get_arms(self, who: Who) -> dict[str, Any]:
        return {**who.person.arms.to_dict(), "blazon": who.person.arms.blazon()}

    def get_log_in_name(self, who: Who) -> str | None:
        return who.user.get_username() if who.user else None


class ChangeSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=NAME_MOST, required=False)
    arms = ArmsField(required=False)


class AddSerializer(serializers.Serializer):
    key = serializers.CharField(max_length=80, help_text="A fresh key per friend; the same key adds them once.")
    name = serializers.CharField(max_length=NAME_MOST)


class PassSerializer(serializers.ModelSerializer):
    title = serializers.SerializerMethodField()
    state = serializers.SerializerMethodField()

    class Meta:
        model = Pass
        fields = [
            "id",
            "kind",
            "title",
            "label",
            "state",
            "made_at",
            "expires_at",
            "uses_left",
            "used_at",
            "revoked_at",
        ]

    def get_title(self, row: Pass) -> str:
        kind = passes.kind_of(row)
        return kind.title if kind else row.kind

    def get_state(self, row: Pass) -> str:
        return passes.state_of(row)


class RefusalSerializer(serializers.Serializer):
    refusal = serializers.CharField()
    field = serializers.CharField(required=False)


REFUSED = OpenApiResponse(RefusalSerializer, description="Refused, with the sentence that says why.")


def _known(request: Request) -> Who:
    who: Who = request._request.who
    who.must_be_known()
    return who


def _change(who: Who, person: Person, data: Any) -> None:
    given = ChangeSerializer(data=data)
    given.is_valid(raise_exception=True)
    if "name" in given.validated_data:
        keeping.rename(who, person, given.validated_data["name"])
    if "arms" in given.validated_data:
        keeping.set_arms(who, person, given.validated_data["arms"])
        person.blazon = given.validated_data["arms"].to_dict()


class Me(APIView):
    @extend_schema(operation_id="me", responses={200: MeSerializer, 403: REFUSED})
    def get(self, request: Request) -> Response:
        """Who this browser is."""
        return Response(MeSerializer(_known(request)).data)

    @extend_schema(
        operation_id="me_change", request=ChangeSerializer, responses={200: MeSerializer, 403: REFUSED, 422: REFUSED}
    )
    def patch(self, request: Request) -> Response:
        """Another name, other arms."""
        who = _known(request)
        _change(who, who.person, request.data)
        return Response(MeSerializer(who).data)


class People(APIView):
    @extend_schema(operation_id="people_list", responses={200: PersonSerializer(many=True), 403: REFUSED})
    def get(self, request: Request) -> Response:
        """Everyone one knows: those one keeps, and those one plays with."""
        who = _known(request)
        rows = Person.objects.in_circle_of(who).roots().filter(forgotten_at=None)[:1000]
        return Response(PersonSerializer(rows, many=True, context={"who": who}).data)

    @extend_schema(
        operation_id="people_add", request=AddSerializer, responses={201: PersonSerializer, 403: REFUSED, 422: REFUSED}
    )
    def post(self, request: Request) -> Response:
        """Write a friend down who needs no account."""
        who = _known(request)
        given = AddSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person = keeping.add(who, given.validated_data["name"], key=given.validated_data["key"])
        return Response(PersonSerializer(person, context={"who": who}).data, status=201)


class OnePerson(APIView):
    @extend_schema(operation_id="people_one", responses={200: PersonSerializer, 403: REFUSED, 404: REFUSED})
    def get(self, request: Request, code: str) -> Response:
        """Someone one knows."""
        who = _known(request)
        return Response(PersonSerializer(self._find(who, code), context={"who": who}).data)

    @extend_schema(
        operation_id="people_change",
        request=ChangeSerializer,
        responses={200: PersonSerializer, 403: REFUSED, 404: REFUSED, 422: REFUSED},
    )
    def patch(self, request: Request, code: str) -> Response:
        """Another name or other arms for someone one keeps."""
        who = _known(request)
        person = self._find(who, code)
        _change(who, person, request.data)
        return Response(PersonSerializer(person, context={"who": who}).data)

    def _find(self, who: Who, code: str) -> Person:
        return get_object_or_404(Person.objects.visible_to(who), code=code)


class Passes(APIView):
    @extend_schema(operation_id="passes_list", responses={200: PassSerializer(many=True), 403: REFUSED})
    def get(self, request: Request) -> Response:
        """The links one has given out, newest first, without their addresses."""
        who = _known(request)
        return Response(PassSerializer(Pass.objects.made_by_one(who)[:1000], many=True).data)


class RevokePass(APIView):
    @extend_schema(
        operation_id="passes_revoke", request=None, responses={200: PassSerializer, 403: REFUSED, 404: REFUSED}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Take a link back. Doing so twice is doing so once."""
        row = get_object_or_404(Pass.objects.made_by_one(_known(request)), pk=pk)
        passes.revoke(row)
        row.refresh_from_db()
        return Response(PassSerializer(row).data)
