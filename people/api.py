"""The API for people and passes. Lists never contain tokens."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

import dataclass_json
from heraldry import Arms
from pages.api.answer_schema import answer_schema
from pages.api_pagination import MAX_ROWS, PAGE_PARAMETERS, first_page, paginate
from pages.api_parsers import read_body
from people.api_tokens.scopes import RUN
from people.guests import services as guests_services
from people.models import LogIn, Pass, Person
from people.passes import services as passes_services
from people.passes import sign_up_claim_and_reset_links
from people.passes.shown_secrets import link_address
from people.requester import Who
from prepared_queries import prepared_query

MAX_NAME_SENT = 1000  # the limit for stored names is lower and has its own refusal


@lru_cache(maxsize=4096)  # a list shows many, and they rarely change; callers only read it
def arms_json(arms: Arms) -> dict[str, object]:
    return {**arms.to_dict(), "blazon": arms.blazon()}


ARMS_SENT = {**dataclass_json.schema(Arms), "additionalProperties": {"type": "string"}}
ARMS = answer_schema(Arms)
ARMS = {
    **ARMS,
    "properties": {**ARMS["properties"], "blazon": {"type": "string", "description": "in heraldic English"}},
    "required": [*ARMS["required"], "blazon"],
}


@extend_schema_field(ARMS_SENT)
class ArmsField(serializers.Field):
    """A coat of arms: field, division, ordinary, charge."""

    def to_representation(self, value: Arms) -> dict[str, object]:
        return arms_json(value)

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

    @extend_schema_field(ARMS)
    def get_arms(self, person: Person) -> dict[str, Any]:
        return arms_json(person.arms)

    def get_kept_by_me(self, person: Person) -> bool:
        who: Who = self.context["who"]
        return person.keeper_id is not None and person.keeper_id in who.require_person().all_ids()


_moment = serializers.DateTimeField().to_representation


def people_json(people: Iterable[Person], who: Who) -> list[dict[str, object]]:
    """What ``PersonSerializer`` answers, for a list: there its fields would cost more than the query."""
    mine = set(who.require_person().all_ids())
    return [
        {
            "code": person.code,
            "name": person.name,
            "arms": arms_json(person.arms),
            "has_account": person.has_account,
            "kept_by_me": person.keeper_id in mine,
            "created_at": _moment(person.created_at),
        }
        for person in people
    ]


class MeSerializer(serializers.Serializer):
    code = serializers.CharField(source="person.code")
    name = serializers.CharField(source="person.name")
    arms = serializers.SerializerMethodField()
    log_in_name = serializers.SerializerMethodField()
    came_by = serializers.ChoiceField(LogIn.How.choices, source="log_in.how")
    is_owner = serializers.BooleanField(source="user.is_superuser", default=False)

    @extend_schema_field(ARMS)
    def get_arms(self, who: Who) -> dict[str, Any]:
        return arms_json(who.require_person().arms)

    def get_log_in_name(self, who: Who) -> str | None:
        return who.user.get_username() if who.user else None


class PersonUpdateSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=MAX_NAME_SENT, required=False)
    arms = ArmsField(required=False)


class NewGuestSerializer(serializers.Serializer):
    key = serializers.CharField(
        max_length=80, help_text="A new key for each guest. Sending the same key again adds nobody."
    )
    name = serializers.CharField(max_length=MAX_NAME_SENT)


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
        kind = passes_services.kind_of(row)
        return kind.title if kind else row.kind

    def get_state(self, row: Pass) -> str:
        return passes_services.state_of(row)


class PassWithAddressSerializer(PassSerializer):
    address = serializers.SerializerMethodField(help_text="Whoever has it can use the link. Null if it has ended.")

    class Meta(PassSerializer.Meta):
        fields = [*PassSerializer.Meta.fields, "address"]

    def get_address(self, row: Pass) -> str | None:
        return link_address(self.context["request"], row)


class SiteInvitationSerializer(serializers.Serializer):
    label = serializers.CharField(max_length=200, default="", allow_blank=True, help_text="only you see it")


def pass_answer(request: Request, row: Pass, status: int = 200) -> Response:
    """A link with its address."""
    return Response(PassWithAddressSerializer(row, context={"request": request._request}).data, status=status)


class RefusalSerializer(serializers.Serializer):
    refusal = serializers.CharField()
    field = serializers.CharField(required=False)


REFUSED = OpenApiResponse(RefusalSerializer, description="Refused, with the reason.")


def _require_known(request: Request) -> Who:
    who: Who = request._request.who
    who.require_person()
    return who


def _update_person(who: Who, person: Person, data: Any) -> None:
    given = PersonUpdateSerializer(data=data)
    given.is_valid(raise_exception=True)
    if "name" in given.validated_data:
        guests_services.rename_person(who, person, given.validated_data["name"])
    if "arms" in given.validated_data:
        guests_services.set_arms(who, person, given.validated_data["arms"])
        person.blazon = given.validated_data["arms"].to_dict()


class MeView(APIView):
    @extend_schema(operation_id="me", responses={200: MeSerializer, 403: REFUSED})
    def get(self, request: Request) -> Response:
        """Who you are."""
        return Response(MeSerializer(_require_known(request)).data)

    @extend_schema(
        operation_id="me_change",
        request=PersonUpdateSerializer,
        responses={200: MeSerializer, 403: REFUSED, 422: REFUSED},
    )
    def patch(self, request: Request) -> Response:
        """Change your name or arms."""
        who = _require_known(request)
        _update_person(who, who.require_person(), request.data)
        return Response(MeSerializer(who).data)


def _known_people(who: Who) -> QuerySet[Person]:
    rows = Person.objects.known_to(who).roots().filter(forgotten_at=None)
    return rows.only("code", "name", "blazon", "account_id", "keeper_id", "created_at")


@prepared_query
def _first_people(who: Who, *, count: int) -> QuerySet[Person]:
    return _known_people(who).order_by("name", "pk")[:count]


class PeopleView(APIView):
    @extend_schema(
        operation_id="people_list",
        parameters=[*PAGE_PARAMETERS, OpenApiParameter("name", str)],
        responses={200: PersonSerializer(many=True), 403: REFUSED},
    )
    def get(self, request: Request) -> Response:
        """Everyone you know: your guests and the people you play with. ``?name=`` finds a part of a name."""
        who = _require_known(request)
        order = ("name", "pk")

        def draw(found: list[Person]) -> list[dict[str, object]]:
            return people_json(found, who)

        named = request.query_params.get("name", "")
        if not named and not request.query_params.get("cursor"):
            return first_page(request, lambda count: _first_people(who, count=count), order, draw, most=MAX_ROWS)
        rows = _known_people(who)
        return paginate(request, rows.filter(name__icontains=named) if named else rows, order, draw, most=MAX_ROWS)

    @extend_schema(
        operation_id="people_add",
        request=NewGuestSerializer,
        responses={201: PersonSerializer, 403: REFUSED, 422: REFUSED},
    )
    def post(self, request: Request) -> Response:
        """Add a guest, who needs no account."""
        who = _require_known(request)
        given = NewGuestSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person = guests_services.add_guest(who, given.validated_data["name"], key=given.validated_data["key"])
        return Response(PersonSerializer(person, context={"who": who}).data, status=201)


class PersonView(APIView):
    @extend_schema(operation_id="people_one", responses={200: PersonSerializer, 403: REFUSED, 404: REFUSED})
    def get(self, request: Request, code: str) -> Response:
        """A person you know."""
        who = _require_known(request)
        return Response(PersonSerializer(self._find(who, code), context={"who": who}).data)

    @extend_schema(
        operation_id="people_change",
        request=PersonUpdateSerializer,
        responses={200: PersonSerializer, 403: REFUSED, 404: REFUSED, 422: REFUSED},
    )
    def patch(self, request: Request, code: str) -> Response:
        """Change the name or arms of a guest of yours."""
        who = _require_known(request)
        person = self._find(who, code)
        _update_person(who, person, request.data)
        return Response(PersonSerializer(person, context={"who": who}).data)

    def _find(self, who: Who, code: str) -> Person:
        return get_object_or_404(Person.objects.visible_to(who), code=code)


class PassesView(APIView):
    scopes = {"POST": RUN}

    @extend_schema(
        operation_id="passes_list",
        parameters=[*PAGE_PARAMETERS, OpenApiParameter("kind", str)],
        responses={200: PassSerializer(many=True), 403: REFUSED},
    )
    def get(self, request: Request) -> Response:
        """The links you have made, newest first, without their addresses. ``?kind=`` finds one kind."""
        who = _require_known(request)
        rows = Pass.objects.made_by_person(who)
        if wanted := request.query_params.get("kind", ""):
            rows = rows.filter(kind=wanted)
        return paginate(
            request, rows, ("-made_at", "-pk"), lambda found: PassSerializer(found, many=True).data, most=MAX_ROWS
        )

    @extend_schema(
        operation_id="passes_invite", request=SiteInvitationSerializer, responses={201: PassWithAddressSerializer}
    )
    def post(self, request: Request) -> Response:
        """Invite somebody to create an account on this site."""
        label = read_body(SiteInvitationSerializer, request)["label"]
        row = sign_up_claim_and_reset_links.create_invitation(_require_known(request), label)
        return pass_answer(request, row, 201)


class PassView(APIView):
    scopes = {"GET": RUN}  # a link to a new password, or to a person

    @extend_schema(operation_id="passes_one", responses=PassWithAddressSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """One link you have made, with its address while it works."""
        return pass_answer(request, get_object_or_404(Pass.objects.made_by_person(_require_known(request)), pk=pk))


class RevokePassView(APIView):
    scopes = {"POST": RUN}

    @extend_schema(
        operation_id="passes_revoke", request=None, responses={200: PassSerializer, 403: REFUSED, 404: REFUSED}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Revoke a link. Revoking it again changes nothing."""
        row = get_object_or_404(Pass.objects.made_by_person(_require_known(request)), pk=pk)
        passes_services.revoke_pass(row)
        row.refresh_from_db()
        return Response(PassSerializer(row).data)
