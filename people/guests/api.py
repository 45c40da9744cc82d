"""What one can do for a person: links, merging, splitting, forgetting. The same services as the pages."""

from __future__ import annotations

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from pages.api_parsers import read_body
from people import merging
from people.api import PassWithAddressSerializer, PersonSerializer, pass_answer
from people.api_tokens.scopes import RUN
from people.guests import selectors
from people.models import Person, PersonalLink
from people.passes import personal_links, sign_up_claim_and_reset_links
from people.passes.shown_secrets import link_address
from people.privacy import forget_me
from people.requester import Who


class PersonalLinkSerializer(serializers.ModelSerializer):
    address = serializers.SerializerMethodField(help_text="Whoever has it can log in as this person.")

    class Meta:
        model = PersonalLink
        fields = ["made_at", "opened_at", "address"]

    def get_address(self, link: PersonalLink) -> str | None:
        return link_address(self.context["request"], link)


class MergeSerializer(serializers.Serializer):
    into = serializers.CharField(max_length=16, help_text="code of the person who stays")


class ForgetSerializer(serializers.Serializer):
    name = serializers.CharField(max_length=1000, help_text="their name, because this cannot be undone")


def _known(request: Request) -> Who:
    who: Who = request._request.who
    who.require_person()
    return who


def link_answer(request: Request, link: PersonalLink | None, status: int = 200) -> Response:
    if link is None:
        raise Http404("There is no personal link. Make one.")
    return Response(PersonalLinkSerializer(link, context={"request": request._request}).data, status=status)


class PersonalLinkOf(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @extend_schema(operation_id="people_link", responses=PersonalLinkSerializer)
    def get(self, request: Request, code: str) -> Response:
        """The personal link of a guest of yours."""
        found = selectors.get_editable_person(_known(request), code)
        return link_answer(request, personal_links.find_personal_link(found))

    @extend_schema(operation_id="people_link_make", request=None, responses={201: PersonalLinkSerializer})
    def post(self, request: Request, code: str) -> Response:
        """Make them a new personal link. The old one stops working."""
        who = _known(request)
        return link_answer(request, personal_links.issue_link(selectors.get_editable_person(who, code), by=who), 201)


class ClaimLink(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="people_claim_link", request=None, responses={201: PassWithAddressSerializer})
    def post(self, request: Request, code: str) -> Response:
        """A link with which this guest claims their own record."""
        who = _known(request)
        found = selectors.get_editable_person(who, code)
        return pass_answer(request, sign_up_claim_and_reset_links.create_claim_link(who, found), 201)


class TakeoverLink(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="people_hand_on", request=None, responses={201: PassWithAddressSerializer})
    def post(self, request: Request, code: str) -> Response:
        """A link with which somebody else takes over this guest."""
        who = _known(request)
        found = selectors.get_editable_person(who, code)
        return pass_answer(request, sign_up_claim_and_reset_links.create_takeover_link(who, found), 201)


class ResetLink(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="people_reset", request=None, responses={201: PassWithAddressSerializer})
    def post(self, request: Request, code: str) -> Response:
        """A link to a new password for somebody who has forgotten theirs."""
        who = _known(request)
        found = selectors.get_visible_person(who, code)
        return pass_answer(request, sign_up_claim_and_reset_links.create_reset_link(who, found), 201)


class Merge(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="people_merge", request=MergeSerializer, responses=PersonSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Two guests of yours, or one and you, are the same person. The answer is who stays."""
        who = _known(request)
        found = selectors.get_person_to_merge(who, code)
        chosen = read_body(MergeSerializer, request)["into"]
        into = get_object_or_404(selectors.merge_targets(who, found), code=chosen if chosen.isalnum() else "")
        root = merging.merge_people(found, into=into, by=who)
        return Response(PersonSerializer(root, context={"who": who}).data)


class Unmerge(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="people_unmerge", request=None, responses=PersonSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Undo a merge: this is a separate person again."""
        who = _known(request)
        found = merging.unmerge_person(selectors.get_merged_person(who, code), by=who)
        return Response(PersonSerializer(found, context={"who": who}).data)


class Forget(APIView):
    scopes = {"POST": RUN}

    @extend_schema(operation_id="people_forget", request=ForgetSerializer, responses={204: None})
    def post(self, request: Request, code: str) -> Response:
        """Forget a guest of yours for good. Games stay, credited to "Someone"."""
        who = _known(request)
        found = selectors.get_editable_person(who, code)
        forget_by_name(found, who, read_body(ForgetSerializer, request)["name"])
        return Response(status=204)


def forget_by_name(person: Person, who: Who, typed: str) -> None:
    forget_me.check_typed_name(person, typed)
    forget_me.forget_person(person, by=who)
