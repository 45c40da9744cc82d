"""Pages of an approval: view it, approve, dispute, give your version, withdraw."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import selectors
from campaign.approvals import services
from campaign.approvals.display import build_approval_display
from campaign.chronicle import codec, consent
from campaign.chronicle.acts.war import ReportResult
from campaign.forms import Answers
from campaign.models import Approval
from campaign.permissions import ids_of, is_master
from campaign.wars.forms import OwnVersionForm, with_totals
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal


@require_http_methods(["GET", "POST"])
def approval(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    row = services.get_visible_approval(request.who, code, pk)
    error, status = "", 200
    if request.method == "POST":
        try:
            done = _answer(request, row)
        except Refusal as refusal:
            if refusal.status not in (409, 422):
                raise
            error, status = refusal.sentence, refusal.status
            row = services.read_again_if_changed(request.who, row)
        else:
            return redirect(services.address_of(row.campaign, done))
    context = {
        "campaign": row.campaign,
        "display": build_approval_display(row, request.who),
        "other": services.own_version_url(row) if row.is_open else "",
        "error": error,
        "reason": request.POST.get("reason", ""),
        "key": new_key(),
    }
    return render(request, "campaign/approvals/approval.html", context, status=status)


def _answer(request: HttpRequest, row: Approval) -> dict[str, object]:
    data = request.POST
    what, key = data.get("do", ""), data.get("key", "")
    if what == "yes":
        number = data.get("version", "")
        return services.approve(
            row,
            request.who,
            key=key,
            version=parse_int(number) or 0,
            as_person=services.find_speaker(data.get("as", "")),
            seen=data.get("seen") or None,
            accept_late=data.get("late") == "on",
        )
    if what == "no":
        return services.dispute(row, request.who, key=key, reason=data.get("reason", ""))
    if what == "back":
        return services.withdraw(row, request.who, key=key)
    raise Refusal("Approve, dispute or withdraw it.")


@require_http_methods(["GET", "POST"])
def own_version(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """The other side's version of the same battle."""
    row = services.get_visible_approval(request.who, code, pk)
    if row.act != "result" or not row.is_open:
        raise Http404
    state = selectors.state_of(row.campaign)
    first = codec.read_stored_as(ReportResult, row.versions[0]["body"])
    defender = row.sides[1]
    form = OwnVersionForm(
        request.POST or None,
        state=state,
        attacker=first.attacker,
        defender=defender,
        target=first.target,
        initial={
            **OwnVersionForm.initial_of(with_totals(replace(first, defender=defender), state)),
            "played_on": row.versions[0]["played"],
        },
    )

    def write(data: Answers) -> HttpResponse:
        own, played = form.act(first.battle), data["played_on"]
        done = services.dispute(row, request.who, key=data["key"], reason=data["reason"], own_act=own, played=played)
        return redirect(services.address_of(row.campaign, done))

    return form.submit(write) or form.show(
        request,
        "campaign/approvals/own_version.html",
        campaign=row.campaign,
        approval=row,
        place=state.place_name(first.target),
        decides=is_master(state, request.who),
        own_side=consent.find_own_side(state, row.sides, ids_of(request.who)),
    )
