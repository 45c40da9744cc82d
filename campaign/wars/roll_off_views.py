"""The roll-off for the attack, with typed dice or dice rolled here, ties and re-rolls."""

from __future__ import annotations

import json
from dataclasses import replace

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods

import dataclass_json
from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle.acts.war import RollForAttack, ThrownDie, require_roll_off_open
from campaign.chronicle.campaign_setting_choices import get_term
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import is_master, kingdoms_to_act_for
from campaign.wars.roll_off_display import reroll_chances, roll_off_rows
from chance import Dice
from json_input import read_json
from log.models import Receipt
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff

# Sealed dice need two captains; for a roll-off the site rolls.
ROLLED_HERE = ("service", "sealed")


@require_http_methods(["GET", "POST"])
def roll_off(request: HttpRequest, code: str) -> HttpResponse:
    """Roll for the attack. Once decided, the roll-off is written and binds, and everybody sees its dice here."""
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    data = request.POST if request.method == "POST" else request.GET
    again = state.attack_roll is not None
    act = RollForAttack(None if again else _parse_pair(data, state), _parse_throws(data.get("throws", "")), again=again)
    may = bool(kingdoms_to_act_for(state, request.who, "roll_off"))
    error, rolling = "", None
    try:
        rolling = act.replay(state, state.rules())
        if request.method == "POST":
            if not may:
                raise Refusal("Only a ruler or the game master can roll for the attack.", status=403)
            if Receipt.objects.filter(log=campaign.log_id, actor=request.who.ref, key=data.get("key", "")).exists():
                return redirect("campaign:roll_off", code)  # the same tap again: its dice have fallen
            if not data.get("again"):
                require_roll_off_open(state)
            act = replace(act, throws=(*act.throws, *_new_throws(request, campaign, state, rolling)))
            rolling = act.replay(state, state.rules())
            if act.throws and (again or rolling.winner):
                campaign_services.write(
                    campaign, request.who, replace(act, winner=rolling.winner), key=data.get("key", "")
                )
                return redirect("campaign:roll_off", code)
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        error = _name_kingdoms(refusal.sentence, state)
    return render(
        request,
        "campaign/wars/roll_off.html",
        _context(request, campaign, state, act, rolling, error, may),
        status=422 if error and request.method == "POST" else 200,
    )


def _parse_pair(data: QueryDict, state: State) -> tuple[str, str] | None:
    if state.rules().attacker_choice == "agreed_pair":
        match [key for key in (data.get("one"), data.get("other")) if key in state.kingdoms]:
            case [one, other]:
                return (one, other)
    return None


def _new_throws(request: HttpRequest, campaign: Campaign, state: State, rolling: RollOff) -> list[ThrownDie]:
    """New dice: typed, or all missing ones rolled here; and a bought die, of which the better counts."""
    data = request.POST
    # Seeded by the form's key, so a second tap rolls the same dice.
    dice = Dice(salted_hmac("roll-off", f"{campaign.pk}/{data.get('key', '')}").hexdigest())
    here = get_term(state.terms, "dice") in ROLLED_HERE
    new: list[ThrownDie] = []
    if (buyer := data.get("buyer", "")) in rolling.players:
        face = dice.d10() if here else _parse_die(data.get("bought", ""))
        old = rolling.hands[rolling.players.index(buyer)][-1]
        bought = ThrownDie(buyer, face, bought=True, keep="new" if face > old else "old")
        new.append(bought)
        rolling = rolling.buy_reroll(buyer, face, options=state.rules()).keep_die(bought.keep)
    if here:
        while rolling.waiting:
            throw = ThrownDie(rolling.waiting[0], dice.d10())
            rolling = rolling.with_roll(throw.kingdom, throw.roll)
            new.append(throw)
        return new
    return new + [
        ThrownDie(key, _parse_die(typed)) for key in rolling.waiting if (typed := data.get(f"roll-{key}", "").strip())
    ]


def _parse_die(typed: str) -> int:
    if (die := parse_int(typed)) is None:
        raise Refusal("Enter a number from 1 to 10.")
    return die


def _parse_throws(kept: str) -> tuple[ThrownDie, ...]:
    """The dice so far, from the page's hidden field."""
    try:
        return dataclass_json.read(RollForAttack, {"throws": read_json(kept or "[]")}).throws
    except Refusal as refusal:
        raise Refusal("The dice so far cannot be read. Start the roll-off again.") from refusal


def _name_kingdoms(sentence: str, state: State) -> str:
    """Replace kingdom ids with names."""
    return " ".join(state.kingdoms[word].name if word in state.kingdoms else word for word in sentence.split(" "))


def _context(
    request: HttpRequest,
    campaign: Campaign,
    state: State,
    act: RollForAttack,
    rolling: RollOff | None,
    error: str,
    may: bool,
) -> dict[str, object]:
    names = {realm.id: realm.name for realm in state.in_play()}
    mine = {realm.id for realm in kingdoms_to_act_for(state, request.who, "roll_off")}
    own = {realm.id for realm in state.ruled_by(set(request.who.person.all_ids()))} if request.who.person else set()
    context: dict[str, object] = {
        "campaign": campaign,
        "kingdoms": state.in_play(),
        "pair": act.pair,
        "throws": json.dumps(dataclass_json.write(act.throws)),
        "error": error,
        "may": may,
        "service": get_term(state.terms, "dice") in ROLLED_HERE,
        "sealed": get_term(state.terms, "dice") == "sealed",
        "bound": state.attack_roll,
        "number": state.battle_count + 1,
        "is_master": is_master(state, request.who),
        "key": new_key(),
    }
    if rolling is not None:
        winner = state.kingdoms.get(rolling.winner or "")
        chances = [one for one in reroll_chances(state, rolling) if one.realm.id in mine]
        context |= {
            "rolling": rolling,
            "rows": roll_off_rows(state, rolling),
            "steps": [step.text(names) for step in rolling.steps()],
            "waiting": [state.kingdoms[key] for key in rolling.waiting],
            "winner": winner,
            "winner_is_mine": winner is not None and winner.id in own,
            "can_choose": winner is not None and winner.id in mine,
            "chances": chances if state.attack_roll is None or state.attack_roll.battle is None else [],
        }
    return context
