"""Correct a unit-by-unit report on its own form, and preview what the correction changes."""

from __future__ import annotations

import copy
from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles import services as battles_services
from battles.entries import SubmitReport
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.result import forms, services
from battles.side_display import side_rows
from campaign import selectors as campaign_selectors
from campaign.chronicle import codec
from campaign.chronicle.corrections import state_before
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.state import OpenBattle, State
from campaign.corrections.preview_and_confirm import CHOICE_PREFIX, preview_or_confirm
from log.services import new_key
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO

# Fields the preview page sends itself.
PREVIEW_PAGE_FIELDS = ("csrfmiddlewaretoken", "key", "digest", "why", "confirm", "look")


@never_cache
@require_http_methods(["GET", "POST"])
def correct_result(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    """The result form of a confirmed battle. ``?scenario`` and ``?side_a`` correct these two."""
    visible = campaign_selectors.get_visible_campaign(request.who, campaign)
    row = new_battle_services.get_campaign_battle(visible, battle)
    if row is None:
        raise Http404
    if row.stage != Battle.Stage.CONFIRMED or row.entry is None:
        return redirect(row)
    entries = campaign_selectors.entries_of(visible)
    entry = next(entry for entry in effective_entries(entries) if entry.number == row.entry)
    if not entry.body.get("told"):
        return redirect("campaign:amend", campaign, row.entry)
    then = state_before(entries, entry.sort_key)
    then.options = entry.body.get("in_force", {}).get("options", then.options)
    original = services.report_from_body(entry.body, row)
    again = _with_requested_setup(request, row)
    declared = _declaration_of(entry, then)
    same = again.scenario == row.scenario and again.sides[0]["kingdom"] == row.sides[0]["kingdom"]
    answers, error = forms.answers_of(original) if same else SubmitReport(""), ""
    if request.method == "POST":
        try:
            answers = forms.answers_from_post(request.POST)
            report = forms.report_from_answers(again, then, answers)
            act = services.act_of(services.score_report(again, report, then), then, declared)
            if not answers.preview and not request.headers.get("HX-Request"):
                act = replace(act, as_agreed=bool(entry.body.get("as_agreed")))
                body = codec.replace_act(entry.body, act)
                return preview_or_confirm(request, campaign, "amend", row.entry, body, _form_answers(request))
        except Refusal as refusal:
            if refusal.status not in (409, 422):
                raise
            error = refusal.sentence
    context = _context(again, then, answers, declared) | {"error": error, "entry": row.entry, "campaign": visible}
    if request.headers.get("HX-Request"):
        return render(request, "battles/result/_preview.html", context)
    context["played_on"] = entry.played_on
    return render(request, "battles/result/correct.html", context, status=422 if error else 200)


def _with_requested_setup(request: HttpRequest, battle: Battle) -> Battle:
    """An unsaved copy of the battle, with the scenario and side A from the query."""
    again = copy.copy(battle)
    wanted = request.GET.get("scenario", "")
    if wanted in battles_services.scenarios_for(battle):
        again.scenario = wanted
    if not battle.siege and request.GET.get("side_a") == battle.sides[1]["kingdom"]:
        again.sides = battle.swapped_sides()
    return again


def _declaration_of(entry: ChronicleEntry, then: State) -> OpenBattle:
    body = entry.body
    defender = body.get("defender") or then.holders[body["target"]]
    return OpenBattle(body["battle"], body["attacker"], defender, body["target"], entry.number, body.get("scenario"))


def _form_answers(request: HttpRequest) -> list[tuple[str, str]]:
    """The form's answers, carried to the confirmation."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in PREVIEW_PAGE_FIELDS and not name.startswith(CHOICE_PREFIX)
        for value in values
    ]


def _context(battle: Battle, then: State, answers: SubmitReport, declared: OpenBattle) -> dict[str, object]:
    form = forms.build_result_form(battle, then, answers, side_rows(battle, then))
    try:
        preview = services.preview_report(battle, forms.report_from_answers(battle, then, answers), then, declared)
    except Refusal:
        preview = None
    return {
        "battle": battle,
        "form": form,
        "scenario": SCENARIO[battle.scenario],
        "scenarios": [SCENARIO[key] for key in battles_services.scenarios_for(battle) if key != battle.scenario],
        "place": then.place_name(battle.target),
        "preview": preview,
        "sides": [side.row for side in form.sides],
        "key": new_key(),
    }
