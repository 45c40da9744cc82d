"""The result on one screen: told, worked out before it is confirmed, and reported; by whoever holds the slip as well."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from battles import door, forms, reporting
from battles.armies import hidden_from
from battles.filling import tracked_values
from battles.models import Battle
from battles.reporting import petition_of
from battles.rights import Captain, captains, must, rights, seats_of
from battles.views import remember_reporter, reporter_here, seen
from campaign.annals import consent
from campaign.annals.state import State
from campaign.annals.wording import listed
from log.door import new_key
from people.models import Person
from refusal import Refusal
from rulebook.scenarios import SCENARIO


@never_cache
@require_http_methods(["GET", "POST"])
def report(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = seen(request, code)
    must(rights(battle, request.who, state).report, battle)
    if request.method == "POST" and battle.is_over and door.sent_before(battle, request.POST.get("key", "")):
        return redirect(battle)
    if battle.stage == Battle.Stage.CONFIRMED:
        raise Refusal(
            "This battle is confirmed and stands written. A mistake is put right in the chronicle.", status=409
        )
    if battle.stage == Battle.Stage.CALLED_OFF:
        raise Refusal("This battle was called off.", status=409)
    if not battle.scenario:
        scenarios = [SCENARIO[key] for key in door.scenarios_for(battle)]
        context = {"battle": battle, "scenarios": scenarios, "key": new_key()}
        return render(request, "battles/which.html", context)
    if len(battle.sides) > 2:
        return _many(request, battle)
    said, late, values = "", False, _values(battle)
    if request.method == "POST":
        try:
            values = forms.values_from(request.POST)
            told = forms.report_from(battle, state, values)
            if "preview" not in request.POST:
                return _laid(request, battle, state, told)
        except Refusal as refusal:
            if refusal.status == 403:
                raise
            said = refusal.sentence
            late = bool(refusal.fresh and "flagged" in refusal.fresh)
    context = _context(request, battle, state, values) | {"said": said, "late": late}
    return render(request, "battles/report.html", context, status=422 if said else 200)


def _laid(request: HttpRequest, battle: Battle, state: State | None, told: reporting.Report) -> HttpResponse:
    person = _reporter(request, battle, state)
    reporting.lay(
        battle,
        request.who,
        told,
        key=request.POST.get("key", ""),
        as_person=person,
        accept_late="accept_late" in request.POST,
        as_side="ask" in request.POST,
    )
    if person is not None:
        remember_reporter(request, battle, person)
    return redirect(battle)


@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """What the report would do, while it is being tapped."""
    battle, state = seen(request, code)
    must(rights(battle, request.who, state).report, battle)
    said, worked = "", None
    try:
        values = forms.values_from(request.POST)
        worked = reporting.worked_out(battle, forms.report_from(battle, state, values), state)
    except Refusal as refusal:
        said = refusal.sentence
    context = {"worked": worked, "said": said, "sides": forms.side_rows(battle, state)}
    return render(request, "battles/_worked.html", context)


def _values(battle: Battle) -> dict[str, Any]:
    """What the form begins with: what the tracker saw, or what another version says, or nothing."""
    row = petition_of(battle)
    if row is not None and row.versions and row.versions[-1]["body"].get("told"):
        return forms.values_of(reporting.report_of(row.versions[-1]["body"], battle))
    return tracked_values(battle) or forms.empty_values()


def _context(request: HttpRequest, battle: Battle, state: State | None, values: dict[str, Any]) -> dict[str, Any]:
    form = forms.drawn(battle, state, values, hidden_from(battle, state, request.who))
    try:
        worked = reporting.worked_out(battle, forms.report_from(battle, state, values), state)
    except Refusal:
        worked = None
    reporters = _reporters(request, battle, state)
    return {
        "battle": battle,
        "form": form,
        "scenario": SCENARIO[battle.scenario],
        "place": state.place_name(battle.target) if state and battle.target else "",
        "worked": worked,
        "sides": [side.row for side in form.sides],
        "reporters": reporters,
        "other_version": petition_of(battle) is not None,
        "decides": rights(battle, request.who, state).master,
        "ask": _may_ask(request, battle, state),
        "key": new_key(),
    }


def _may_ask(request: HttpRequest, battle: Battle, state: State | None) -> str:
    """For a game master who fought in it: who else would confirm the report, if they are asked."""
    if state is None or not seats_of(battle, state, request.who) or not rights(battle, request.who, state).master:
        return ""
    mine = set(request.who.person.all_ids())
    asks = consent.asks_of_report(state, [side["kingdom"] for side in battle.sides])
    keys = [key for key in asks if key != consent.MASTER and not consent.speaks_for(state, key, mine)]
    people = [one.person for one in captains(battle, state)]
    acting = [state.kingdoms[key].acting for key in keys]
    return listed([one.name for one in people if set(one.all_ids()) & set(acting)])


def _reporters(request: HttpRequest, battle: Battle, state: State | None) -> tuple[Captain, ...]:
    """Who may report on this phone: oneself, or with the slip alone one of the captains, whoever has it in hand."""
    if state is None:
        return ()
    if not rights(battle, request.who, state).by_slip:
        return ()
    found = captains(battle, state)
    # What a game master reports needs nobody's yes: a slip alone is not enough for that, unless there is nobody else.
    return tuple(one for one in found if one.side is not None) or found


def _reporter(request: HttpRequest, battle: Battle, state: State | None) -> Person | None:
    rows = _reporters(request, battle, state)
    if not rows:
        return None
    chosen = request.POST.get("report_as", "")
    found = next((row.person for row in rows if str(row.person.pk) == chosen), None) or (
        reporter_here(request, battle) if not chosen else None
    )
    if found is None:
        raise Refusal("Say who reports.", field="report_as")
    return found


def _many(request: HttpRequest, battle: Battle) -> HttpResponse:
    """More than two armies: who won, and what each removed and lost."""
    said, worked = "", None
    rows = forms.side_rows(battle, None)
    if request.method == "POST":
        try:
            told = forms.many_from(battle, request.POST)
            worked = reporting.many_worked(told, rows)
            if "preview" not in request.POST:
                day = forms.read_day(request.POST.get("played_on", ""))
                reporting.finish_many(battle, request.who, told, key=request.POST.get("key", ""), played_on=day)
                return redirect(battle)
        except Refusal as refusal:
            said = refusal.sentence
    context = {
        "battle": battle, "sides": rows, "scenario": SCENARIO[battle.scenario], "said": said, "worked": worked,
        "key": new_key(), "data": request.POST, "form": {"played_on": forms.timezone.localdate()},
    }  # fmt: skip
    return render(request, "battles/many.html", context, status=422 if said else 200)
