"""Approvals as JSON, with the same checks and refusals as the pages."""

from dataclasses import dataclass
from typing import Annotated, Literal

from rest_framework.request import Request
from rest_framework.views import APIView

from campaign import selectors
from campaign.api import Body, EntryAnswer, entry_answer
from campaign.approvals import services
from campaign.approvals.display import ApprovalDisplay, build_approval_display
from campaign.approvals.pending_list import ApprovalRow
from campaign.chronicle.fields import MAX_WHY
from campaign.display import build_campaign_display
from dataclass_json import Text, Whole
from pages.api.operations import Sent, operation
from pages.api_pagination import Page, paginate_rows
from refusal import Refusal


class Approvals(APIView):
    @operation("petitions_list")
    def get(self, request: Request, code: str) -> Page[ApprovalRow]:
        """Reports and corrections awaiting approval."""
        display = build_campaign_display(selectors.get_visible_campaign(request.who, code), request.who)
        return paginate_rows(request, display.approvals, lambda row: row.pk, list)


@dataclass(frozen=True, kw_only=True)
class AnswerApproval:
    """``back`` withdraws your own version."""

    do: Literal["yes", "no", "back"]
    version: Annotated[int, Whole("The version", 0, 10**6)] = 0
    seen: Annotated[str | None, Text("The digest", 64), "digest of the version you saw"] = None
    reason: Annotated[str, Text("The reason", MAX_WHY, empty=True), "why you dispute it"] = ""
    body: Annotated[Body | None, "your own version of the report"] = None
    person: Annotated[
        str | None, Text("The person", 20), "code of the person who answers, if not the owner of this phone"
    ] = None
    accept_late: bool = False


class ApprovalDetail(APIView):
    @operation("petitions_show")
    def get(self, request: Request, code: str, pk: int) -> ApprovalDisplay:
        """One approval, with every version and who decides."""
        return build_approval_display(services.get_visible_approval(request.who, code, pk), request.who)

    @operation("petitions_answer")
    def post(self, request: Request, code: str, pk: int, sent: Sent[AnswerApproval]) -> EntryAnswer:
        """Approve, dispute or withdraw. The answer has the entry number if one was written."""
        row = services.get_visible_approval(request.who, code, pk)
        given = sent.value
        person = services.find_speaker(given.person) if given.person is not None else None
        if given.do == "yes":
            done = services.approve(
                row,
                request.who,
                key=sent.key,
                version=given.version,
                as_person=person,
                seen=given.seen,
                accept_late=given.accept_late,
            )
        elif given.do == "no":
            if person is not None:
                raise Refusal("You can only dispute on your own phone.", field="person")
            own = services.read_own_version(row, given.body) if given.body is not None else None
            done = services.dispute(row, request.who, key=sent.key, reason=given.reason, own_act=own)
        else:
            done = services.withdraw(row, request.who, key=sent.key)
        return entry_answer(row.act, done)
