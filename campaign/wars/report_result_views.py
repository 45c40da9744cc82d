"""Log a battle that was fought already: where and when, then by its units; or its result by totals."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.approvals import services as approvals_services
from campaign.approvals.pending_list import name_of_answerer
from campaign.chronicle import consent
from campaign.chronicle.acts.war import DeclareBattle
from campaign.chronicle.state import State
from campaign.display import names_for
from campaign.models import Campaign
from campaign.permissions import is_master
from campaign.wars.forms import LogBattleForm, ResultForm
from log.services import new_key
from pages.number_parsing import parse_int
from pages.refusal_handling import add_refusal_to_form
from refusal import Refusal
from rulebook.campaign.attack_targets import find_target as target_of
from text import join_list


@require_http_methods(["GET", "POST"])
def report_result(request: HttpRequest, code: str) -> HttpResponse:
    """Log the outcome of an open battle, or of an attack on a target from the map."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    if request.method == "GET" and (entry := _find_logged_result(request, campaign, state)):
        return redirect(f"{campaign.get_absolute_url()}#entry-{entry}")
    battle, attacker, key = _find_battle(request, state)
    fought = target_of(state.campaign_map(), attacker, key, state.rules())
    if fought.holder == attacker:
        raise Refusal(fought.verdict.text, status=409)
    form = ResultForm(
        request.POST or None,
        state=state,
        attacker=attacker,
        defender=fought.holder,
        siege=fought.siege,
        initial={"key": new_key(), "played_on": timezone.localdate()},
    )
    late = False
    if request.method == "POST" and form.is_valid():
        try:
            done = approvals_services.submit_report(
                campaign,
                request.who,
                form.act(key, battle),
                key=form.cleaned_data["key"],
                subject=approvals_services.subject_of(attacker, key, battle),
                played=form.cleaned_data["played_on"],
                accept_late=form.cleaned_data["accept_late"],
                as_side="ask" in request.POST,
            )
        except Refusal as refusal:
            late = bool(refusal.fresh and "flagged" in refusal.fresh)
            add_refusal_to_form(form, refusal)
        else:
            if "entry" not in done:
                return redirect("campaign:approval", code, done["petition"])
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    context = {
        "campaign": campaign,
        "form": form,
        "fought": fought,
        "place": state.place_name(key),
        "battle": battle,
        "late": late,
        "asked": _who_confirms(request, campaign, state, (attacker, fought.holder)),
        "can_run": is_master(state, request.who),
    }
    return render(request, "campaign/wars/result.html", context, status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def log_battle(request: HttpRequest, code: str) -> HttpResponse:
    """A battle that was fought already: declared on its day; the report by units is the next page."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    if request.method == "GET" and (entry := _find_logged_result(request, campaign, state)):
        return redirect(f"{campaign.get_absolute_url()}#entry-{entry}")
    _, attacker, key = _find_battle(request, state)
    fought = target_of(state.campaign_map(), attacker, key, state.rules())
    if not fought.legal:
        raise Refusal(fought.verdict.text, status=409)
    form = LogBattleForm(
        request.POST or None, siege=fought.siege, initial={"key": new_key(), "played_on": timezone.localdate()}
    )
    late = False
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        declared = DeclareBattle(attacker, key, scenario=data["scenario"], overrule=bool(request.POST.get("overrule")))
        try:
            done = campaign_services.write(
                campaign,
                request.who,
                declared,
                key=data["key"],
                played_on=data["played_on"],
                accept_late=data["accept_late"],
            )
        except Refusal as refusal:
            late = bool(refusal.fresh and "flagged" in refusal.fresh)
            add_refusal_to_form(form, refusal)
        else:
            battle = reverse("battles:campaign_battle", args=[campaign.code, done["body"]["battle"]])
            return redirect(f"{battle}?report={data['played_on'].isoformat()}")
    context = {
        "campaign": campaign,
        "form": form,
        "attacker": state.kingdoms[attacker],
        "defender": state.kingdoms[fought.holder],
        "place": state.place_name(key),
        "target": key,
        "late": late,
        "overrule": request.POST.get("overrule") or request.GET.get("overrule"),
    }
    return render(request, "campaign/wars/log_battle.html", context, status=422 if form.is_bound else 200)


def _who_confirms(request: HttpRequest, campaign: Campaign, state: State, sides: tuple[str, str]) -> str:
    """Who has to confirm the report; nobody if it is written at once. A game master who fought in it can ask too."""
    if request.who.person is None:
        return ""
    mine = set(request.who.person.all_ids())
    if is_master(state, request.who) and not consent.find_own_side(state, sides, mine):
        return ""
    keys = [key for key in consent.find_report_approvers(state, sides) if not consent.can_speak_for(state, key, mine)]
    names = names_for(campaign, state, campaign.members.select_related("person__merged_into")) if keys else None
    return join_list([name_of_answerer(state, key, names) for key in keys]) if names else ""


def _find_logged_result(request: HttpRequest, campaign: Campaign, state: State) -> int | None:
    """The entry of somebody who goes back to the form after logging their own result."""
    number = parse_int(request.GET.get("battle", ""))
    if number:
        if number in state.battles:
            return None
        return campaign_selectors.find_own_result(campaign, request.who, battle=number)
    attacker, key = request.GET.get("attacker", ""), request.GET.get("target", "")
    if not attacker or state.holders.get(key) != attacker:
        return None
    return campaign_selectors.find_own_result(campaign, request.who, attacker=attacker, target=key)


def _find_battle(request: HttpRequest, state: State) -> tuple[int | None, str, str]:
    number = request.GET.get("battle", "")
    if number:
        battle = state.battles.get(parse_int(number) or 0)
        if battle is None:
            raise Refusal("This battle is not open. It was already reported or called off.", status=409)
        return battle.number, battle.attacker, battle.target
    attacker, key = request.GET.get("attacker", ""), request.GET.get("target", "")
    if attacker not in state.kingdoms or key not in state.holders:
        raise Refusal("Choose the attacker and the target on the map.", status=404)
    return None, attacker, key
