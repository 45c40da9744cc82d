"""What one can do for a person: links, merging, splitting, forgetting. The same services as the pages."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import Text
from pages.api.operations import SentAgain, operation
from pages.fields.rows import take
from people import merging, privacy
from people.api import PassWithAddress, PersonAnswer, answer_pass_with_address, answer_person, require_known
from people.api_tokens.scopes import RUN
from people.guests import selectors
from people.models import Person, PersonalLink
from people.passes import personal_links, sign_up_claim_and_reset_links
from people.passes.shown_secrets import link_address
from people.requester import Who


@dataclass(frozen=True)
class PersonalLinkAnswer:
    api_name = "PersonalLink"

    made_at: dt.datetime
    opened_at: dt.datetime | None
    address: Annotated[str | None, "Whoever has it can log in as this person."]


@dataclass(frozen=True)
class MergePerson:
    into: Annotated[str, Text("The person", 16), "code of the person who stays"]


@dataclass(frozen=True)
class ForgetByName:
    name: Annotated[str, Text("The name", 1000), "their name, because this cannot be undone"]


def answer_link(request: Request, link: PersonalLink | None) -> PersonalLinkAnswer:
    if link is None:
        raise Http404("There is no personal link. Make one.")
    return take(PersonalLinkAnswer, link, address=link_address(request._request, link))


class PersonalLinkOf(APIView):
    scopes = {"GET": RUN, "POST": RUN}

    @operation("people_link")
    def get(self, request: Request, code: str) -> PersonalLinkAnswer:
        """The personal link of a guest of yours."""
        person = selectors.get_editable_person(require_known(request), code)
        return answer_link(request, personal_links.find_personal_link(person))

    @operation("people_link_make", status=201)
    def post(self, request: Request, code: str) -> PersonalLinkAnswer:
        """Make them a new personal link. The old one stops working."""
        who = require_known(request)
        return answer_link(request, personal_links.issue_link(selectors.get_editable_person(who, code), by=who))


class ClaimLink(APIView):
    scopes = {"POST": RUN}

    @operation("people_claim_link", status=201)
    def post(self, request: Request, code: str) -> PassWithAddress:
        """A link with which this guest claims their own record."""
        who = require_known(request)
        person = selectors.get_editable_person(who, code)
        return answer_pass_with_address(request, sign_up_claim_and_reset_links.create_claim_link(who, person))


class TakeoverLink(APIView):
    scopes = {"POST": RUN}

    @operation("people_hand_on", status=201)
    def post(self, request: Request, code: str) -> PassWithAddress:
        """A link with which somebody else takes over this guest."""
        who = require_known(request)
        person = selectors.get_editable_person(who, code)
        return answer_pass_with_address(request, sign_up_claim_and_reset_links.create_takeover_link(who, person))


class ResetLink(APIView):
    scopes = {"POST": RUN}

    @operation("people_reset", status=201)
    def post(self, request: Request, code: str) -> PassWithAddress:
        """A link to a new password for somebody who has forgotten theirs."""
        who = require_known(request)
        person = selectors.get_visible_person(who, code)
        return answer_pass_with_address(request, sign_up_claim_and_reset_links.create_reset_link(who, person))


class Merge(APIView):
    scopes = {"POST": RUN}

    @operation("people_merge")
    def post(self, request: Request, code: str, sent: SentAgain[MergePerson]) -> PersonAnswer:
        """Two guests of yours, or one and you, are the same person. The answer is who stays."""
        who = require_known(request)
        person = selectors.get_person_to_merge(who, code)
        chosen = sent.value.into
        into = get_object_or_404(selectors.merge_targets(who, person), code=chosen if chosen.isalnum() else "")
        return answer_person(merging.merge_people(person, into=into, by=who), who)


class Unmerge(APIView):
    scopes = {"POST": RUN}

    @operation("people_unmerge")
    def post(self, request: Request, code: str) -> PersonAnswer:
        """Undo a merge: this is a separate person again."""
        who = require_known(request)
        return answer_person(merging.unmerge_person(selectors.get_merged_person(who, code), by=who), who)


class Forget(APIView):
    scopes = {"POST": RUN}

    @operation("people_forget")
    def post(self, request: Request, code: str, sent: SentAgain[ForgetByName]) -> None:
        """Forget a guest of yours for good. Games stay, credited to "Someone"."""
        who = require_known(request)
        forget_by_name(selectors.get_editable_person(who, code), who, sent.value.name)


def forget_by_name(person: Person, who: Who, typed: str) -> None:
    privacy.check_typed_name(person, typed)
    privacy.forget_person(person, by=who)
