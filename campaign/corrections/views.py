"""Strike, amend or restore an entry, with a preview first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from campaign import selectors
from campaign.chronicle import codec
from campaign.chronicle.acts.war import ReportResult
from campaign.chronicle.corrections import state_before
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.state import State
from campaign.corrections import amend_forms
from campaign.corrections.preview_and_confirm import preview_or_confirm
from campaign.models import Campaign
from campaign.wars.forms import ResultForm, merge_correction, with_totals
from log.services import new_key
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal
from rulebook.campaign.attack_targets import find_target as target_of


@require_http_methods(["GET", "POST"])
def strike(request: HttpRequest, code: str, number: int) -> HttpResponse:
    return preview_or_confirm(request, code, "strike", number)


@require_http_methods(["GET", "POST"])
def restore(request: HttpRequest, code: str, number: int) -> HttpResponse:
    return preview_or_confirm(request, code, "restore", number)


@require_http_methods(["GET", "POST"])
def amend(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Amend an entry: its form, then a preview, then confirm.

    A report entered unit by unit is corrected on that form; ``?plain`` asks for this one instead.
    """
    campaign = selectors.get_visible_campaign(request.who, code)
    entries = selectors.entries_of(campaign)
    entry = next((entry for entry in effective_entries(entries) if entry.number == number), None)
    if entry is None or entry.act not in ("result", *amend_forms.AMENDABLE_ACTS):
        raise Http404
    if entry.act != "result":
        return _amend_on_form(request, campaign, entry, state_before(entries, entry.sort_key))
    if entry.body.get("told") and request.method == "GET" and "plain" not in request.GET:
        return redirect("battles:correct", code, entry.body["battle"])
    then = state_before(entries, entry.sort_key)
    before = codec.read_stored_as(ReportResult, entry.body)
    key, attacker = before.target, before.attacker
    fought = target_of(then.campaign_map(), attacker, key, then.rules())
    data = request.POST if "outcome" in request.POST else None
    totals = with_totals(replace(before, defender=fought.holder), then)
    initial = {**ResultForm.initial_of(totals), "key": new_key(), "played_on": entry.played_on}
    form = ResultForm(data, state=then, attacker=attacker, defender=fought.holder, siege=fought.siege, initial=initial)
    form.fields["played_on"].disabled = True  # an amended entry keeps its place
    if data is not None and form.is_valid():
        body = codec.replace_act(entry.body, merge_correction(before, form.act(key, before.battle), then))
        try:
            return preview_or_confirm(request, code, "amend", number, body=body, carried=_carried(form))
        except Refusal as refusal:
            if refusal.status != 422:
                raise
            add_refusal_to_form(form, refusal)
    context = {"campaign": campaign, "form": form, "fought": fought, "place": then.place_name(key), "number": number}
    context["told"] = before.report is not None
    return render(request, "campaign/corrections/amend_result.html", context, status=422 if form.is_bound else 200)


def _amend_on_form(request: HttpRequest, campaign: Campaign, entry: ChronicleEntry, then: State) -> HttpResponse:
    form = amend_forms.make_amend_form(entry, then, request.POST)
    if form is None:
        return redirect("campaign:strike", campaign.code, entry.number)
    if form.is_valid():
        try:
            body = codec.replace_act(entry.body, form.act())
            return preview_or_confirm(request, campaign.code, "amend", entry.number, body=body, carried=_carried(form))
        except Refusal as refusal:
            if refusal.status != 422:
                raise
            add_refusal_to_form(form, refusal)
    context = {"campaign": campaign, "form": form, "number": entry.number}
    return render(request, "campaign/corrections/amend.html", context, status=422 if form.is_bound else 200)


def _carried(form: Any) -> list[tuple[str, str]]:
    """The form's answers as hidden fields, so that confirming sends what was previewed."""
    carried = []
    for name in map(form.add_prefix, form.fields):
        if name == "key":
            continue
        value = form.data.getlist(name) if hasattr(form.data, "getlist") else [form.data.get(name)]
        carried += [(name, one) for one in value if one not in (None, "")]
    return carried
