"""The war from the pages: choose a target on the map, declare, log a result, agree on a change."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from campaign import door, petitions, reading
from campaign.annals import consent
from campaign.annals.state import State
from campaign.annals.wording import listed
from campaign.forms import AgreedForm, ResultForm, WonForm
from campaign.map.sheet import map_sheet
from campaign.map.svg import drawing
from campaign.models import Campaign
from campaign.sheet import acts_open_to, names_for
from campaign.views import run_by, visible
from campaign.waiting import answers_for
from campaign.weighing import Words, weigh
from log.door import new_key
from pages.numbers import whole
from pages.refusals import say
from refusal import Refusal
from rulebook.targets import target as target_of


@require_safe
def targets(request: HttpRequest, code: str) -> HttpResponse:
    """Whose targets, and which: every territory with the rule that allows or forbids it."""
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    mine = acts_open_to(state, request.who, "battle_declared")
    attacker = request.GET.get("attacker") or (mine[0].id if len(mine) == 1 else "")
    if attacker and (attacker not in state.kingdoms or state.kingdoms[attacker].status == "gone"):
        raise Refusal("There is no such kingdom in this campaign.", status=404)
    chosen = request.GET.get("target", "")
    here = reverse("campaign:targets", args=[code])
    realm = map_sheet(
        state,
        seed=campaign.code,
        title=f"Map of {campaign.name}",
        attacker=attacker,
        chosen=chosen,
        url=(lambda key: f"{here}?attacker={attacker}&target={key}#chosen") if attacker else None,
    )
    ground = next((ground for ground in realm.grounds if ground.key == chosen), None)
    fighting = (attacker, ground.holder) if attacker and ground else ()
    context = {
        "campaign": campaign,
        "state": state,
        "map": realm,
        "drawing": drawing(realm) if realm.crowns else "",
        "attacker": state.kingdoms.get(attacker),
        "chosen": ground,
        "owner": state.kingdoms[ground.owner] if ground else None,
        "holder": state.kingdoms[ground.holder] if ground else None,
        "kingdoms": state.in_play(),
        "busy": next(((state.kingdoms[key], busy) for key in fighting if (busy := state.busy(key))), None),
        "may_declare": any(realm.id == attacker for realm in mine),
        "key": new_key(),
    }
    return render(request, "campaign/targets.html", context)


@require_POST
def declare(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    data = request.POST
    body = {
        "attacker": data.get("attacker", ""),
        "target": data.get("target", ""),
        "seen_holder": data.get("seen") or None,
    }
    done = door.do(campaign, request.who, key=data.get("key", ""), act="battle_declared", body=body)
    return redirect("battles:of_campaign", campaign.code, done["body"]["battle"])


@require_POST
def call_off(request: HttpRequest, code: str, battle: int) -> HttpResponse:
    campaign = visible(request, code)
    door.do(campaign, request.who, key=request.POST.get("key", ""), act="battle_called_off", body={"battle": battle})
    return redirect(campaign)


@require_http_methods(["GET", "POST"])
def result(request: HttpRequest, code: str) -> HttpResponse:
    """A battle fought anywhere, entered by its outcome: of an open battle, or of a target chosen on the map."""
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    battle, attacker, key = _which(request, state)
    fought = target_of(state.realm(), attacker, key, state.rules())
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
            done = petitions.lay(
                campaign,
                request.who,
                key=form.cleaned_data["key"],
                act="result",
                body=form.body(key, battle),
                subject=petitions.subject_of(attacker, key, battle),
                played=form.cleaned_data["played_on"],
                accept_late=form.cleaned_data["accept_late"],
                as_side="ask" in request.POST,
            )
        except Refusal as refusal:
            late = bool(refusal.fresh and "flagged" in refusal.fresh)
            say(form, refusal)
        else:
            if "entry" not in done:
                return redirect("campaign:petition", code, done["petition"])
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    context = {
        "campaign": campaign,
        "form": form,
        "fought": fought,
        "place": state.place_name(key),
        "battle": battle,
        "late": late,
        "asked": _asked(request, campaign, state, (attacker, fought.holder)),
        "may_run": door.is_master(state, request.who),
    }
    return render(request, "campaign/result.html", context, status=422 if form.is_bound else 200)


def _asked(request: HttpRequest, campaign: Campaign, state: State, sides: tuple[str, str]) -> str:
    """Who confirms the report before it counts; nobody where it is written at once. A game master who fought in it
    may ask the other side as well.
    """
    if request.who.person is None:
        return ""
    mine = set(request.who.person.all_ids())
    if door.is_master(state, request.who) and not consent.side_of(state, sides, mine):
        return ""
    keys = [key for key in consent.asks_of_report(state, sides) if not consent.speaks_for(state, key, mine)]
    names = names_for(campaign, state, campaign.members.select_related("person__merged_into")) if keys else None
    return listed([answers_for(state, key, names) for key in keys]) if names else ""


def _which(request: HttpRequest, state: State) -> tuple[int | None, str, str]:
    number = request.GET.get("battle", "")
    if number:
        battle = state.battles.get(whole(number) or 0)
        if battle is None:
            raise Refusal("This battle is not open. It was reported or called off meanwhile.", status=409)
        return battle.number, battle.attacker, battle.target
    attacker, key = request.GET.get("attacker", ""), request.GET.get("target", "")
    if attacker not in state.kingdoms or key not in state.holders:
        raise Refusal("Choose on the map who attacked and what.", status=404)
    return None, attacker, key


@require_http_methods(["GET", "POST"])
def agreed(request: HttpRequest, code: str) -> HttpResponse:
    campaign = run_by(request, code)
    state = reading.state_of(campaign)
    form = AgreedForm(request.POST or None, state=state, initial={"key": new_key()})
    if request.method == "POST" and form.is_valid():
        try:
            done = door.do(campaign, request.who, key=form.cleaned_data["key"], act="agreed_change", body=form.body())
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    return render(
        request, "campaign/agreed.html", {"campaign": campaign, "form": form}, status=422 if form.is_bound else 200
    )


@require_http_methods(["GET", "POST"])
def won(request: HttpRequest, code: str) -> HttpResponse:
    """Victory by what the table agreed on in words; what the book says about winning counts by itself."""
    campaign = run_by(request, code)
    state = reading.state_of(campaign)
    form = WonForm(request.POST or None, state=state, initial={"key": new_key()})
    if request.method == "POST" and form.is_valid():
        body = form.body()
        words = Words(
            heading="The war is won",
            lead=f"{state.kingdoms[body['kingdom']].name} wins the war: {body['why']}",
            undo="No battle is declared or logged after this until a season opens with a new war. The entry stands in the chronicle and can be struck.",
            button="Write it into the chronicle",
            back=campaign.get_absolute_url(),
        )
        try:
            if page := weigh(request, campaign, state, "campaign_won", body, words):
                return page
            done = door.do(campaign, request.who, key=form.cleaned_data["key"], act="campaign_won", body=body)
        except Refusal as refusal:
            say(form, refusal)
        else:
            return redirect(f"{campaign.get_absolute_url()}#entry-{done['entry']}")
    context = {
        "campaign": campaign,
        "form": form,
        "agreed": state.terms.get("victory_words", ""),
        "winner": state.kingdoms[state.winner].name if state.winner else "",
    }
    return render(request, "campaign/won.html", context, status=422 if form.is_bound else 200)
