"""The result on one screen: told, worked out before it is confirmed, and reported; by whoever holds the slip as well."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from battles import door, forms, reporting
from battles.armies import hidden_from
from battles.filling import tracked_many, tracked_values
from battles.models import Battle
from battles.reporting import petition_of
from battles.rights import Captain, captains, must, rights, seats_of
from battles.telling.many import MOST_SIDES, SCENARIO_KEY
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
    whole = reporting.with_others(battle, state, _others(request, battle))
    if len(whole.sides) > 2:
        return _many(request, battle, whole, state)
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
        "others": _may_join(battle, state),
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


def _others(request: HttpRequest, battle: Battle) -> list[str]:
    """Kingdoms said to have fought beside the two: on this form, or in the report that waits."""
    if "with" in request.GET or battle.campaign_id is None:
        return request.GET.getlist("with")
    row = petition_of(battle)
    many = row.versions[-1]["body"].get("many") if row is not None and row.versions else None
    return list(many["kingdoms"].values()) if many else []


def _may_join(battle: Battle, state: State | None) -> list[tuple[str, str]]:
    """Address and name of the form with one army more, for each kingdom that could have fought there too (SCEN-01)."""
    if state is None or battle.scenario != SCENARIO_KEY or len(battle.sides) >= MOST_SIDES:
        return []
    there = [side["kingdom"] for side in battle.sides]
    beside = [("with", key) for key in there[2:]]
    free = [realm for realm in state.in_play() if realm.id not in there]
    return [(f"?{urlencode([*beside, ('with', realm.id)])}", realm.name) for realm in free]


def _many(request: HttpRequest, battle: Battle, whole: Battle, state: State | None) -> HttpResponse:
    """More than two armies: who won, and what each removed and lost."""
    said, worked, data = "", None, request.POST
    rows = forms.side_rows(whole, state)
    if request.method == "POST":
        try:
            told = forms.many_from(whole, data)
            worked = reporting.many_worked(whole, told, rows, state)
            if "preview" not in data:
                day = forms.read_day(data.get("played_on", ""))
                person = _reporter(request, battle, state)
                key = data.get("key", "")
                reporting.lay_many(
                    battle, whole, request.who, told, key=key, played_on=day, as_person=person, as_side="ask" in data
                )
                if person is not None:
                    remember_reporter(request, battle, person)
                return redirect(battle)
        except Refusal as refusal:
            if refusal.status == 403:
                raise
            said = refusal.sentence
    seen_there = tracked_many(battle) if request.method == "GET" else {}
    yielded = seen_there.get("yielded") or data.getlist("yielded")
    lost = seen_there.get("lost", {})
    figures = [
        (row, data.get(f"removed-{row.letter}", "0"), data.get(f"lost-{row.letter}", lost.get(row.letter, 0)), row.letter in yielded)
        for row in rows
    ]  # fmt: skip
    context = {
        "battle": battle, "sides": rows, "figures": figures, "scenario": SCENARIO[battle.scenario], "said": said, "worked": worked,
        "key": new_key(), "winner": data.get("winner") or seen_there.get("winner", ""), "form": {"played_on": forms.timezone.localdate()}, "others": _may_join(whole, state),
        "reporters": _reporters(request, battle, state), "other_version": petition_of(battle) is not None,
        "place": state.place_name(battle.target) if state and battle.target else "", "ask": _may_ask(request, battle, state),
    }  # fmt: skip
    return render(request, "battles/many.html", context, status=422 if said else 200)
