"""The API for people and passes: who they are, links for them, merging, forgetting. Lists never contain tokens."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.views import APIView

import dataclass_json
from dataclass_json import Clean, Shape, Text
from heraldry import Arms
from pages.api.operations import Query, Sent, SentAgain, operation
from pages.api_pagination import MAX_ROWS, Page, first_page, paginate
from pages.fields.columns_and_rows import take
from people import guests, merging, privacy
from people.api_tokens.scopes import RUN
from people.models import LogIn, Pass, Person, PersonalLink
from people.name_validation import MAX_STORED, PersonName
from people.passes import services as passes_services, sign_up_claim_and_reset_links
from people.passes.shown_secrets import link_address
from people.requester import Who
from prepared_queries import prepared_query

# ── Sent ─────────────────────────────────────────────────────────────────────────────────────────────────


def read_arms(sent: object) -> Arms:
    """A blazon is part of what was answered, so it may come back."""
    if isinstance(sent, Mapping):
        sent = {name: value for name, value in sent.items() if name != "blazon"}
    return Arms.from_dict(sent)  # type: ignore[arg-type]


_ARMS_SENT = {**dataclass_json.schema(Arms), "additionalProperties": {"type": "string"}}


@dataclass(frozen=True)
class ChangePerson:
    """What is left out stays as it is."""

    name: PersonName | None = None
    arms: Annotated[Any, Shape(_ARMS_SENT), Clean(read_arms)] = None


@dataclass(frozen=True)
class AddGuest:
    name: PersonName


@dataclass(frozen=True)
class InviteToSite:
    label: Annotated[str, Text("The label", MAX_STORED, empty=True), "only you see it"] = ""


@dataclass(frozen=True)
class FindPeople:
    name: Annotated[str, Text("The name", MAX_STORED, empty=True), "a part of a name"] = ""


@dataclass(frozen=True)
class FindPasses:
    kind: Annotated[str, Text("The kind", 30, empty=True), "one kind of links"] = ""


# ── Answered ─────────────────────────────────────────────────────────────────────────────────────────────

_ARMS = dataclass_json.schema(Arms, answer=True)
_ARMS["properties"]["blazon"] = {"type": "string", "description": "in heraldic English"}
_ARMS["required"].append("blazon")
ArmsAnswer = Annotated[Mapping[str, object], Shape(_ARMS)]


@lru_cache(maxsize=4096)  # a list shows many, and they rarely change; callers only read it
def answer_arms(arms: Arms) -> Mapping[str, object]:
    return {**arms.to_dict(), "blazon": arms.blazon()}


@dataclass(frozen=True, slots=True)
class PersonAnswer:
    api_name = "Person"

    code: str
    name: str
    arms: ArmsAnswer
    has_account: bool
    kept_by_me: bool
    created_at: dt.datetime


def answer_people(people: Iterable[Person], who: Who) -> list[PersonAnswer]:
    mine = set(who.require_person().all_ids())
    return [
        PersonAnswer(row.code, row.name, answer_arms(row.arms), row.has_account, row.keeper_id in mine, row.created_at)
        for row in people
    ]


def answer_person(person: Person, who: Who) -> PersonAnswer:
    return answer_people([person], who)[0]


@dataclass(frozen=True, slots=True)
class Me:
    code: str
    name: str
    arms: ArmsAnswer
    log_in_name: str | None
    came_by: LogIn.How
    is_owner: bool


def _answer_me(who: Who) -> Me:
    person = who.require_person()
    assert who.log_in is not None
    return Me(
        person.code,
        person.name,
        answer_arms(person.arms),
        log_in_name=who.user.get_username() if who.user else None,
        came_by=LogIn.How(who.log_in.how),
        is_owner=who.user is not None and who.user.is_superuser,
    )


@dataclass(frozen=True)
class PassAnswer:
    api_name = "Pass"

    id: int
    kind: str
    title: str
    label: str
    state: passes_services.PassState
    made_at: dt.datetime
    expires_at: dt.datetime | None
    uses_left: int | None
    used_at: dt.datetime | None
    revoked_at: dt.datetime | None


@dataclass(frozen=True)
class PassWithAddress(PassAnswer):
    address: Annotated[str | None, "Whoever has it can use the link. Null if it has ended."]


def _pass_facts(row: Pass) -> dict[str, str]:
    kind = passes_services.kind_of(row)
    return {"title": kind.title if kind else row.kind, "state": passes_services.state_of(row)}


def answer_pass(row: Pass) -> PassAnswer:
    return take(PassAnswer, row, **_pass_facts(row))


def answer_pass_with_address(request: Request, row: Pass) -> PassWithAddress:
    return take(PassWithAddress, row, **_pass_facts(row), address=link_address(request._request, row))


# ── Operations ───────────────────────────────────────────────────────────────────────────────────────────


def require_known(request: Request) -> Who:
    who: Who = request._request.who
    who.require_person()
    return who


def _change_person(who: Who, person: Person, sent: ChangePerson) -> None:
    if sent.name is not None:
        guests.rename_person(who, person, sent.name)
    if sent.arms is not None:
        guests.set_arms(who, person, sent.arms)
        person.blazon = sent.arms.to_dict()


class MeView(APIView):
    @operation("me")
    def get(self, request: Request) -> Me:
        """Who you are."""
        return _answer_me(request._request.who)

    @operation("me_change")
    def patch(self, request: Request, sent: SentAgain[ChangePerson]) -> Me:
        """Change your name or arms."""
        who = require_known(request)
        _change_person(who, who.require_person(), sent.value)
        return _answer_me(who)


def _known_people(who: Who) -> QuerySet[Person]:
    rows = Person.objects.known_to(who).roots().filter(forgotten_at=None)
    return rows.only("code", "name", "blazon", "account_id", "keeper_id", "created_at")


@prepared_query
def _first_people(who: Who, *, count: int) -> QuerySet[Person]:
    return _known_people(who).order_by("name", "pk")[:count]


class PeopleView(APIView):
    @operation("people_list")
    def get(self, request: Request, query: Query[FindPeople]) -> Page[PersonAnswer]:
        """Everyone you know: your guests and the people you play with. ``?name=`` finds a part of a name."""
        who = require_known(request)
        order = ("name", "pk")

        def draw(people: list[Person]) -> list[PersonAnswer]:
            return answer_people(people, who)

        named = query.value.name
        if not named and not request.query_params.get("cursor"):
            return first_page(request, lambda count: _first_people(who, count=count), order, draw, most=MAX_ROWS)
        rows = _known_people(who)
        return paginate(request, rows.filter(name__icontains=named) if named else rows, order, draw, most=MAX_ROWS)

    @operation("people_add", status=201)
    def post(self, request: Request, sent: Sent[AddGuest]) -> PersonAnswer:
        """Add a guest, who needs no account."""
        who = require_known(request)
        return answer_person(guests.add_guest(who, sent.value.name, key=sent.key), who)


class PersonView(APIView):
    @operation("people_one")
    def get(self, request: Request, code: str) -> PersonAnswer:
        """A person you know."""
        who = require_known(request)
        return answer_person(self._find(who, code), who)

    @operation("people_change")
    def patch(self, request: Request, code: str, sent: SentAgain[ChangePerson]) -> PersonAnswer:
        """Change the name or arms of a guest of yours."""
        who = require_known(request)
        person = self._find(who, code)
        _change_person(who, person, sent.value)
        return answer_person(person, who)

    def _find(self, who: Who, code: str) -> Person:
        return get_object_or_404(Person.objects.visible_to(who), code=code)


class PassesView(APIView):
    scopes = {"POST": RUN}

    @operation("passes_list")
    def get(self, request: Request, query: Query[FindPasses]) -> Page[PassAnswer]:
        """The links you have made, newest first, without their addresses. ``?kind=`` finds one kind."""
        rows = Pass.objects.made_by_person(require_known(request))
        if wanted := query.value.kind:
            rows = rows.filter(kind=wanted)
        return paginate(request, rows, ("-made_at", "-pk"), lambda page: list(map(answer_pass, page)), most=MAX_ROWS)

    @operation("passes_invite", status=201)
    def post(self, request: Request, sent: SentAgain[InviteToSite]) -> PassWithAddress:
        """Invite somebody to create an account on this site."""
        row = sign_up_claim_and_reset_links.create_invitation(require_known(request), sent.value.label)
        return answer_pass_with_address(request, row)


class PassView(APIView):
    scopes = {"GET": RUN}  # a link to a new password, or to a person

    @operation("passes_one")
    def get(self, request: Request, pk: int) -> PassWithAddress:
        """One link you have made, with its address while it works."""
        row = get_object_or_404(Pass.objects.made_by_person(require_known(request)), pk=pk)
        return answer_pass_with_address(request, row)


class RevokePassView(APIView):
    scopes = {"POST": RUN}

    @operation("passes_revoke")
    def post(self, request: Request, pk: int) -> PassAnswer:
        """Revoke a link. Revoking it again changes nothing."""
        row = get_object_or_404(Pass.objects.made_by_person(require_known(request)), pk=pk)
        passes_services.revoke_pass(row)
        row.refresh_from_db()
        return answer_pass(row)


# ── Links, merging and forgetting ──────────────────────────────────────────────────────────────────────


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
        person = guests.get_editable_person(require_known(request), code)
        return answer_link(request, passes_services.find_personal_link(person))

    @operation("people_link_make", status=201)
    def post(self, request: Request, code: str) -> PersonalLinkAnswer:
        """Make them a new personal link. The old one stops working."""
        who = require_known(request)
        return answer_link(request, passes_services.issue_link(guests.get_editable_person(who, code), by=who))


class ClaimLink(APIView):
    scopes = {"POST": RUN}

    @operation("people_claim_link", status=201)
    def post(self, request: Request, code: str) -> PassWithAddress:
        """A link with which this guest claims their own record."""
        who = require_known(request)
        person = guests.get_editable_person(who, code)
        return answer_pass_with_address(request, sign_up_claim_and_reset_links.create_claim_link(who, person))


class TakeoverLink(APIView):
    scopes = {"POST": RUN}

    @operation("people_hand_on", status=201)
    def post(self, request: Request, code: str) -> PassWithAddress:
        """A link with which somebody else takes over this guest."""
        who = require_known(request)
        person = guests.get_editable_person(who, code)
        return answer_pass_with_address(request, sign_up_claim_and_reset_links.create_takeover_link(who, person))


class ResetLink(APIView):
    scopes = {"POST": RUN}

    @operation("people_reset", status=201)
    def post(self, request: Request, code: str) -> PassWithAddress:
        """A link to a new password for somebody who has forgotten theirs."""
        who = require_known(request)
        person = guests.get_visible_person(who, code)
        return answer_pass_with_address(request, sign_up_claim_and_reset_links.create_reset_link(who, person))


class Merge(APIView):
    scopes = {"POST": RUN}

    @operation("people_merge")
    def post(self, request: Request, code: str, sent: SentAgain[MergePerson]) -> PersonAnswer:
        """Two guests of yours, or one and you, are the same person. The answer is who stays."""
        who = require_known(request)
        person = guests.get_person_to_merge(who, code)
        chosen = sent.value.into
        into = get_object_or_404(guests.merge_targets(who, person), code=chosen if chosen.isalnum() else "")
        return answer_person(merging.merge_people(person, into=into, by=who), who)


class Unmerge(APIView):
    scopes = {"POST": RUN}

    @operation("people_unmerge")
    def post(self, request: Request, code: str) -> PersonAnswer:
        """Undo a merge: this is a separate person again."""
        who = require_known(request)
        return answer_person(merging.unmerge_person(guests.get_merged_person(who, code), by=who), who)


class Forget(APIView):
    scopes = {"POST": RUN}

    @operation("people_forget")
    def post(self, request: Request, code: str, sent: SentAgain[ForgetByName]) -> None:
        """Forget a guest of yours for good. Games stay, credited to "Someone"."""
        who = require_known(request)
        forget_by_name(guests.get_editable_person(who, code), who, sent.value.name)


def forget_by_name(person: Person, who: Who, typed: str) -> None:
    privacy.check_typed_name(person, typed)
    privacy.forget_person(person, by=who)
