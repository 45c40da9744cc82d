"""The result form, with a preview; also for whoever holds the slip; and the same form to correct a confirmed result."""

import copy
import datetime as dt
from dataclasses import replace
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from battles import services as battles_services
from battles.entries import DraftArmiesReport, SubmitArmiesReport, SubmitReport
from battles.models import Battle
from battles.new_battle import services as new_battle_services
from battles.permissions import captains_of, permissions_of, require_permission, sides_led_by
from battles.result import forms, services
from battles.result.core.report import MAX_SIDES
from battles.result.reporters import choose_reporter, remember_reporter, reporters_of
from battles.result.services import pending_approval_of
from battles.selectors import get_visible_battle
from battles.side_display import hidden_kingdoms, side_rows
from campaign import selectors as campaign_selectors
from campaign.chronicle import codec, consent
from campaign.chronicle.corrections import state_before
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries
from campaign.chronicle.state import OpenBattle, State
from campaign.corrections.preview_and_confirm import CHOICE_PREFIX, preview_or_confirm
from campaign.models import Approval
from log.services import new_key
from people.models import Person
from refusal import Refusal
from rulebook.data.scenarios import SCENARIO, allows_many_armies
from text import join_list


@never_cache
@require_http_methods(["GET", "POST"])
def report(request: HttpRequest, code: str) -> HttpResponse:
    battle, state = get_visible_battle(request.who, code)
    require_permission(permissions_of(battle, request.who, state).report, battle)
    if (
        request.method == "POST"
        and battle.is_over
        and battles_services.was_already_sent(battle, request.POST.get("key", ""))
    ):
        return redirect(battle)
    if (
        request.method == "GET"
        and battle.stage == Battle.Stage.CONFIRMED
        and services.is_own_result(battle, request.who)
    ):
        return redirect(battle)  # back to the form after reporting it
    if battle.stage == Battle.Stage.CONFIRMED:
        raise Refusal("This battle is already confirmed. Correct it in the chronicle.", status=409)
    if battle.stage == Battle.Stage.CALLED_OFF:
        raise Refusal("This battle was called off.", status=409)
    if not battle.scenario:
        scenarios = [SCENARIO[key] for key in battles_services.scenarios_for(battle)]
        context = {"battle": battle, "scenarios": scenarios, "key": new_key()}
        return render(request, "battles/result/choose_scenario.html", context)
    pending = pending_approval_of(battle)
    whole = services.with_extra_kingdoms(battle, state, _extra_kingdoms(request, battle, pending))
    is_of_armies = len(whole.sides) > 2
    rows = side_rows(whole, state, hidden_kingdoms(battle, state, request.who))
    answers: SubmitReport | SubmitArmiesReport | None = None
    preview, error, late = None, "", False
    if request.method == "POST":
        data = request.POST
        try:
            if is_of_armies:
                answers = forms.armies_answers_from_post(rows, data)
                entered = forms.armies_report_from_post(rows, answers, data)
                preview = services.preview_report(battle, entered, state)
            else:
                answers = forms.answers_from_post(data)
                entered = forms.report_from_answers(battle, state, answers)
            if not answers.preview:
                day = forms.parse_played_on(data.get("played_on", ""))
                return _submit(request, battle, state, replace(entered, played_on=day))
        except Refusal as refusal:
            if refusal.status == 403:
                raise
            error = refusal.sentence
            late = bool(refusal.fresh and "flagged" in refusal.fresh)
    context = {
        "battle": battle,
        "scenario": SCENARIO[battle.scenario],
        "place": state.place_name(battle.target) if state and battle.target else "",
        "sides": rows,
        "others": _joinable_kingdoms(whole, state),
        "reporters": reporters_of(battle, state, request.who),
        "ask": _confirming_names(request, battle, state),
        "other_version": pending is not None,
        "key": new_key(),
        "error": error,
        "late": late,
    }
    if is_of_armies:
        armies = answers or forms.initial_armies_answers(battle, pending) or DraftArmiesReport("")
        template, context = (
            "battles/result/multi_army_report.html",
            context
            | {
                "armies": forms.build_army_forms(rows, armies),
                "winner": armies.winner,
                "form": {"played_on": forms.timezone.localdate()},
                "preview": preview,
            },
        )
    else:
        two = answers or forms.initial_answers(battle, pending)
        if request.method == "GET":
            two = replace(two, played_on=_day_asked_for(request) or two.played_on)
        template, context = (
            "battles/result/report.html",
            context
            | {
                "form": forms.build_result_form(battle, state, two, rows),
                "preview": _try_preview(battle, state, two),
                "decides": permissions_of(battle, request.who, state).master,
            },
        )
    return render(request, template, context, status=422 if error else 200)


def _submit(request: HttpRequest, battle: Battle, state: State | None, report: services.BattleReport) -> HttpResponse:
    person = _reporter(request, battle, state)
    services.submit_report(
        battle,
        request.who,
        report,
        key=request.POST.get("key", ""),
        as_person=person,
        accept_late="accept_late" in request.POST,
        as_side="ask" in request.POST,
        state=state,
    )
    if person is not None:
        remember_reporter(request, battle, person)
    return redirect(battle)


def _try_preview(
    battle: Battle, state: State | None, answers: SubmitReport, declared: OpenBattle | None = None
) -> services.ReportPreview | None:
    try:
        return services.preview_report(battle, forms.report_from_answers(battle, state, answers), state, declared)
    except Refusal:
        return None


@require_POST
def report_preview(request: HttpRequest, code: str) -> HttpResponse:
    """The effects of the form as filled in so far."""
    battle, state = get_visible_battle(request.who, code)
    require_permission(permissions_of(battle, request.who, state).report, battle)
    error, preview = "", None
    try:
        answers = forms.answers_from_post(request.POST)
        preview = services.preview_report(battle, forms.report_from_answers(battle, state, answers), state)
    except Refusal as refusal:
        error = refusal.sentence
    context = {"preview": preview, "error": error, "sides": side_rows(battle, state)}
    return render(request, "battles/result/_preview.html", context)


def _day_asked_for(request: HttpRequest) -> dt.date | None:
    """The day of a battle that was fought before it was entered."""
    try:
        return forms.parse_played_on(request.GET.get("on", ""))
    except Refusal:
        return None


def _confirming_names(request: HttpRequest, battle: Battle, state: State | None) -> str:
    """For a game master who fought in it: the names of those who could be asked to confirm."""
    if (
        state is None
        or not sides_led_by(battle, state, request.who)
        or not permissions_of(battle, request.who, state).master
    ):
        return ""
    mine = set(request.who.person.all_ids())
    asks = consent.find_report_approvers(state, [side["kingdom"] for side in battle.sides])
    keys = [key for key in asks if key != consent.MASTER and not consent.can_speak_for(state, key, mine)]
    people = [captain.person for captain in captains_of(battle, state)]
    acting = [state.kingdoms[key].acting for key in keys]
    return join_list([person.name for person in people if set(person.all_ids()) & set(acting)])


def _reporter(request: HttpRequest, battle: Battle, state: State | None) -> Person | None:
    chosen = request.POST.get("report_as", "")
    return choose_reporter(request, battle, state, (lambda person: str(person.pk) == chosen) if chosen else None)


def _extra_kingdoms(request: HttpRequest, battle: Battle, row: Approval | None) -> list[str]:
    """Further kingdoms, from the query or the pending report."""
    if "with" in request.GET or battle.campaign_id is None:
        return request.GET.getlist("with")
    many = row.versions[-1]["body"].get("many") if row is not None and row.versions else None
    return list(many["kingdoms"].values()) if many else []


def _joinable_kingdoms(battle: Battle, state: State | None) -> list[tuple[str, str]]:
    """Address of the form with one more army, and its name, for each kingdom that can still be added (SCEN-01)."""
    if state is None or not allows_many_armies(battle.scenario) or len(battle.sides) >= MAX_SIDES:
        return []
    there = [side["kingdom"] for side in battle.sides]
    beside = [("with", key) for key in there[2:]]
    free = [kingdom for kingdom in state.in_play() if kingdom.id not in there]
    return [(f"?{urlencode([*beside, ('with', kingdom.id)])}", kingdom.name) for kingdom in free]


# ── Correcting a confirmed result ───────────────────────────────────────────────────────────────────────────


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
    return {
        "battle": battle,
        "form": form,
        "scenario": SCENARIO[battle.scenario],
        "scenarios": [SCENARIO[key] for key in battles_services.scenarios_for(battle) if key != battle.scenario],
        "place": then.place_name(battle.target),
        "preview": _try_preview(battle, then, answers, declared),
        "sides": [side.row for side in form.sides],
        "key": new_key(),
    }
