"""A battle told unit by unit is corrected on the form it was told with: filled in as it stands, worked out, then what it changes."""

from __future__ import annotations

import copy
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from battles import door, forms, opening, reporting
from battles.models import Battle
from battles.standing import settled
from campaign import reading
from campaign.annals.corrections import state_before
from campaign.annals.lines import Line, effective
from campaign.annals.state import OpenBattle, State
from campaign.correct_views import CHOICE, put_right
from campaign.views import visible
from log.door import new_key
from refusal import Refusal
from rulebook.scenarios import SCENARIO

# What the page with the changes sends by itself.
ITS_OWN = ("csrfmiddlewaretoken", "key", "digest", "why", "confirm", "look")


@never_cache
@require_http_methods(["GET", "POST"])
def correct(request: HttpRequest, campaign: str, battle: int) -> HttpResponse:
    """The result form of a battle that is written. ``?scenario`` and ``?side_a`` where these were told wrong."""
    found = visible(request, campaign)
    row = opening.of_campaign(found, battle)
    if row is None:
        raise Http404
    row = settled(row)
    if row.stage != Battle.Stage.CONFIRMED or row.entry is None:
        return redirect(row)
    lines = reading.lines_of(found)
    line = next(line for line in effective(lines) if line.number == row.entry)
    if not line.body.get("told"):
        return redirect("campaign:amend", campaign, row.entry)
    then = state_before(lines, line.place)
    then.options = line.body.get("in_force", {}).get("options", then.options)
    told = reporting.report_of(line.body, row)
    again = _as_asked(request, row)
    declared = _declared(line, then)
    same = again.scenario == row.scenario and again.sides[0]["kingdom"] == row.sides[0]["kingdom"]
    values, said = forms.values_of(told) if same else forms.empty_values(), ""
    if request.method == "POST":
        try:
            values = forms.values_from(request.POST)
            report = forms.report_from(again, then, values)
            body = reporting.body_of(again, report, then, declared)
            if "preview" not in request.POST and not request.headers.get("HX-Request"):
                kept = {key: value for key, value in line.body.items() if key not in ("points", "removed")}
                return put_right(request, campaign, "amend", row.entry, {**kept, **body}, _carried(request))
        except Refusal as refusal:
            if refusal.status not in (409, 422):
                raise
            said = refusal.sentence
    context = _drawn(again, then, values, declared) | {"said": said, "entry": row.entry, "campaign": found}
    if request.headers.get("HX-Request"):
        return render(request, "battles/_worked.html", context)
    context["played_on"] = line.played_on
    return render(request, "battles/correct.html", context, status=422 if said else 200)


def _as_asked(request: HttpRequest, battle: Battle) -> Battle:
    """The battle as it stands, or with another scenario or the sides the other way round; nothing of it is saved."""
    again = copy.copy(battle)
    wanted = request.GET.get("scenario", "")
    if wanted in door.scenarios_for(battle):
        again.scenario = wanted
    if not battle.siege and request.GET.get("side_a") == battle.sides[1]["kingdom"]:
        one, two = battle.sides
        again.sides = [{**two, "side": "A"}, {**one, "side": "B"}]
    return again


def _declared(line: Line, then: State) -> OpenBattle:
    body = line.body
    defender = body.get("defender") or then.holders[body["target"]]
    return OpenBattle(body["battle"], body["attacker"], defender, body["target"], line.number, body.get("scenario"))


def _carried(request: HttpRequest) -> list[tuple[str, str]]:
    """The form's answers for the confirm, which sends what was looked at."""
    return [
        (name, value)
        for name, values in request.POST.lists()
        if name not in ITS_OWN and not name.startswith(CHOICE)
        for value in values
    ]


def _drawn(battle: Battle, then: State, values: dict[str, Any], declared: OpenBattle) -> dict[str, Any]:
    form = forms.drawn(battle, then, values)
    try:
        worked = reporting.worked_out(battle, forms.report_from(battle, then, values), then, declared)
    except Refusal:
        worked = None
    return {
        "battle": battle,
        "form": form,
        "scenario": SCENARIO[battle.scenario],
        "scenarios": [SCENARIO[key] for key in door.scenarios_for(battle) if key != battle.scenario],
        "place": then.place_name(battle.target),
        "worked": worked,
        "sides": [side.row for side in form.sides],
        "key": new_key(),
    }
