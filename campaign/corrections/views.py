"""Strike, amend or restore an entry, with a preview first."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from campaign import selectors
from campaign.chronicle import codec
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.acts.war import ReportResult
from campaign.chronicle.corrections import state_before
from campaign.chronicle.entries_and_fold import AMEND, RESTORE, STRIKE, ChronicleEntry, effective_entries
from campaign.chronicle.state import State
from campaign.corrections import amend_forms
from campaign.corrections.preview_and_confirm import preview_or_confirm
from campaign.models import Campaign
from campaign.wars.forms import ResultForm, merge_correction, with_totals
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal
from rulebook.campaign.attack_targets import find_target


@require_http_methods(["GET", "POST"])
def strike(request: HttpRequest, code: str, number: int) -> HttpResponse:
    return preview_or_confirm(request, code, STRIKE, number)


@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, code: str, number: int) -> HttpResponse:
    return preview_or_confirm(request, code, RESTORE, number)


@require_http_methods(["GET", "POST"])
def amend(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Amend an entry: its form, then a preview, then confirm.

    A report entered unit by unit is corrected on that form; ``?plain`` asks for this one instead.
    """
    campaign = selectors.get_visible_campaign(request.who, code)
    entries = selectors.entries_of(campaign)
    entry = next((entry for entry in effective_entries(entries) if entry.number == number), None)
    if entry is None or entry.act not in (ReportResult.key, *amend_forms.AMENDABLE_ACTS):
        raise Http404
    then = state_before(entries, entry.sort_key)
    if entry.act != ReportResult.key:
        return _amend_on_form(request, campaign, entry, then)
    if entry.body.get("told") and request.method == "GET" and "plain" not in request.GET:
        return redirect("battles:correct", code, entry.body["battle"])
    return _amend_result(request, campaign, entry, then)


def _amend_on_form(request: HttpRequest, campaign: Campaign, entry: ChronicleEntry, then: State) -> HttpResponse:
    form = amend_forms.make_amend_form(entry, then, request.POST)
    if form is None:
        return redirect("campaign:strike", campaign.code, entry.number)
    if form.is_valid() and (page := _preview_amended(request, campaign, entry, form, form.act)):
        return page
    return form.show(request, "campaign/corrections/amend.html", campaign=campaign, number=entry.number)


def _amend_result(request: HttpRequest, campaign: Campaign, entry: ChronicleEntry, then: State) -> HttpResponse:
    """The result of a battle, by its totals."""
    before = codec.read_stored_as(ReportResult, entry.body)
    fought = find_target(then.campaign_map(), before.attacker, before.target, then.rules())
    totals = with_totals(replace(before, defender=fought.holder), then)
    form = ResultForm(
        request.POST if "outcome" in request.POST else None,
        state=then,
        attacker=before.attacker,
        defender=fought.holder,
        target=before.target,
        initial={**ResultForm.initial_of(totals), "played_on": entry.played_on},
    )
    form.fields["played_on"].disabled = True  # an amended entry keeps its place

    def make_act() -> ReportResult:
        return merge_correction(before, form.act(before.battle), then)

    if form.is_valid() and (page := _preview_amended(request, campaign, entry, form, make_act)):
        return page
    return form.show(
        request,
        "campaign/corrections/amend_result.html",
        campaign=campaign,
        fought=fought,
        place=then.place_name(before.target),
        number=entry.number,
        is_unit_by_unit=before.report is not None,
    )


def _preview_amended(
    request: HttpRequest, campaign: Campaign, entry: ChronicleEntry, form: Any, make_act: Callable[[], Act]
) -> HttpResponse | None:
    """The preview of the amended entry; nothing if it is refused, which the form then shows."""
    try:
        body = codec.replace_act(entry.body, make_act())
        return preview_or_confirm(request, campaign.code, AMEND, entry.number, body=body, carried=_carried(form))
    except Refusal as refusal:
        if refusal.status != 422:
            raise
        add_refusal_to_form(form, refusal)
        return None


def _carried(form: Any) -> list[tuple[str, str]]:
    """The form's answers as hidden fields, so that confirming sends what was previewed."""
    names = [name for name in map(form.add_prefix, form.fields) if name != "key"]
    return [(name, value) for name in names for value in form.data.getlist(name) if value]
