"""Choose a target on the map, declare a battle on it, call it off."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle.acts.war import CallOffBattle, DeclareBattle
from campaign.map.display import build_map_display
from campaign.map.svg import draw_map_with_key
from campaign.map_outlines.address import lands_address
from campaign.permissions import is_master, kingdoms_to_act_for
from log.services import new_key
from refusal import Refusal


@require_safe
def targets(request: HttpRequest, code: str) -> HttpResponse:
    """Every territory with the rule that allows or forbids an attack."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    mine = kingdoms_to_act_for(state, request.who, "battle_declared")
    due = state.attack_roll.winner if state.attack_roll and state.attack_roll.is_due else None
    overrule = bool(request.GET.get("overrule")) and is_master(state, request.who)
    attacker = request.GET.get("attacker") or due or (mine[0].id if len(mine) == 1 else "")
    if attacker and (attacker not in state.kingdoms or state.kingdoms[attacker].status == "gone"):
        raise Refusal("There is no such kingdom in this campaign.", status=404)
    chosen = request.GET.get("target", "")
    here = reverse("campaign:targets", args=[code])
    map_display = build_map_display(
        state,
        seed=campaign.code,
        title=f"Map of {campaign.name}",
        attacker=attacker,
        chosen=chosen,
        url=(lambda key: f"{here}?attacker={attacker}{'&overrule=1' if overrule else ''}&target={key}#chosen")
        if attacker
        else None,
    )
    ground = next((ground for ground in map_display.territories if ground.key == chosen), None)
    fighting = (attacker, ground.holder) if attacker and ground else ()
    context = {
        "campaign": campaign,
        "state": state,
        "map": map_display,
        "drawing": draw_map_with_key(map_display, lands=lands_address(map_display)) if map_display.kingdoms else "",
        "attacker": state.kingdoms.get(attacker),
        "chosen": ground,
        "owner": state.kingdoms[ground.owner] if ground else None,
        "holder": state.kingdoms[ground.holder] if ground else None,
        "kingdoms": state.in_play(),
        "busy": next(((state.kingdoms[key], busy) for key in fighting if (busy := state.open_battle_of(key))), None),
        "can_declare": any(kingdom.id == attacker for kingdom in mine),
        "due": state.kingdoms[due] if due and due != attacker else None,
        "overrule": overrule,
        "can_run": is_master(state, request.who),
        "key": new_key(),
    }
    return render(request, "campaign/wars/targets.html", context)


@require_POST
def declare_battle(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    data = request.POST
    declared = DeclareBattle(
        data.get("attacker", ""),
        data.get("target", ""),
        seen_holder=data.get("seen") or None,
        overrule=bool(data.get("overrule")),
    )
    done = campaign_services.write(campaign, request.who, declared, key=data.get("key", ""))
    return redirect("battles:campaign_battle", campaign.code, done["body"]["battle"])


@require_POST
def call_off_battle(request: HttpRequest, code: str, battle: int) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    campaign_services.write(campaign, request.who, CallOffBattle(battle), key=request.POST.get("key", ""))
    return redirect(campaign)
