"""A beginning: a few plain questions, one screen each; and a war taken up where it stands."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from campaign import chronicle, door, reading
from campaign.annals.acts import act_of
from campaign.annals.consent import digest
from campaign.annals.effects import apply
from campaign.annals.state import State
from campaign.annals.tales import Names
from campaign.founding_forms import STEPS, FoundForm, StandingForm
from campaign.map.sheet import map_sheet
from campaign.map.svg import drawing
from campaign.sheet import effect_rows
from campaign.views import run_by
from heraldry import Arms
from log.door import new_key
from pages.refusals import say
from people.wall import known_only
from refusal import Refusal


@known_only
@require_http_methods(["GET", "POST"])
def found(request: HttpRequest) -> HttpResponse:
    """One step on each screen. Nothing is kept before the last one: the answers travel with the form."""
    if request.method != "POST":
        return _step(request, FoundForm(initial={"key": new_key()}), 0)
    form = FoundForm(request.POST, initial={"key": new_key()})
    at = request.POST.get("step", "")
    step = int(at) if at in map(str, range(len(STEPS))) else len(STEPS) - 1
    go = request.POST.get("go", "found")
    if go == "back":
        return _step(request, form, max(step - 1, 0), errors=False)
    wrong = form.wrong_in()
    if wrong is not None and (go == "found" or wrong <= step):
        return _step(request, form, wrong, status=422)
    if go == "next" and step + 1 < len(STEPS):
        return _step(request, form, step + 1, errors=False)
    data = form.cleaned_data
    try:
        campaign = chronicle.found(
            request.who, key=data["key"], name=data["name"], visibility=data["visibility"], began=data["began"]
        )
        key = f"{data['key']}-terms"
        chronicle.agree(campaign, request.who, key=key, terms=form.terms(), options=form.options(), began=data["began"])
    except Refusal as refusal:
        say(form, refusal)
        return _step(request, form, form.wrong_in() or 0, status=422)
    following = reverse("campaign:kingdoms", args=[campaign.code, data["kingdoms"]])
    return redirect(following + ("?war" if data["begins"] == "war" else ""))


def _step(
    request: HttpRequest, form: FoundForm, number: int, *, errors: bool = True, status: int = 200
) -> HttpResponse:
    step = STEPS[number]
    if form.is_bound and not errors:
        form.is_valid()
        form.errors.clear()  # what was not asked yet is not wrong
    context = {
        "form": form,
        "step": step,
        "number": number,
        "count": len(STEPS),
        "fields": form.shown(step.fields),
        "more": form.shown(step.more),
        "carried": form.carried(step),
        "open": any(field.errors for field in form.shown(step.more)),
    }
    return render(request, "campaign/found.html", context, status=status)


@require_http_methods(["GET", "POST"])
def standing(request: HttpRequest, code: str) -> HttpResponse:
    """A war already under way: typed, shown as a map and a list of what it sets, then written in one line."""
    campaign = run_by(request, code)
    state = reading.state_of(campaign)
    if state.battle_count:
        raise Refusal(
            "Battles stand in the chronicle already. What was otherwise is a change by agreement now.", status=409
        )
    form = StandingForm(request.POST or None, state=state, initial={"key": new_key()})
    context: dict[str, Any] = {"campaign": campaign, "form": form, "status": 200}
    if request.method == "POST" and form.is_valid():
        body = form.body()
        try:
            context |= _looked_at(campaign.code, state, body)
            if request.POST.get("confirm") and request.POST.get("seen") == context["seen"]:
                done = door.do(campaign, request.who, key=form.cleaned_data["key"], act="standing", body=body)
                return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
        except Refusal as refusal:
            say(form, refusal)
    context["rows"] = [{**row, "arms": Arms.from_dict(row["realm"].arms)} for row in form.rows()]
    return render(request, "campaign/standing.html", context, status=422 if form.is_bound and form.errors else 200)


def _looked_at(seed: str, state: State, body: dict[str, Any]) -> dict[str, Any]:
    """What it would set, and the map as it would be."""
    effects = act_of("standing").effects(state, body, state.rules())
    after = state.copy()
    apply(after, effects)
    realm = map_sheet(after, seed=seed, title="The map as it would be")
    season = f"Season {after.season}, {after.season_name}" if after.season_open else ""
    rows = effect_rows(effects, Names(after))
    return {"effects": rows, "drawing": drawing(realm), "season": season, "seen": digest(body)}
