"""The roll-off for the attack, with typed dice or dice rolled here, ties and re-rolls."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods

from campaign import selectors as campaign_selectors
from campaign import services as campaign_services
from campaign.chronicle import codec
from campaign.chronicle.acts.war import RollForAttack
from campaign.chronicle.campaign_terms import get_term
from campaign.chronicle.state import State
from campaign.models import Campaign
from campaign.permissions import kingdoms_to_act_for
from chance import Dice
from json_input import read_json
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff

MAX_THROWS = 400

# Sealed dice need two captains; for a roll-off the site rolls.
ROLLED_HERE = ("service", "sealed")


@require_http_methods(["GET", "POST"])
def roll_off(request: HttpRequest, code: str) -> HttpResponse:
    campaign = campaign_selectors.get_visible_campaign(request.who, code)
    state = campaign_selectors.state_of(campaign)
    data = request.POST if request.method == "POST" else request.GET
    body: dict[str, Any] = {"throws": _parse_throws(data.get("throws", ""))}
    if state.rules().attacker_choice == "agreed_pair":
        pair = [key for key in (data.get("one"), data.get("other")) if key in state.kingdoms]
        body["pair"] = pair if len(pair) == 2 else None
    may = bool(kingdoms_to_act_for(state, request.who, "roll_off"))
    error, rolling = "", None
    try:
        rolling = _replay(state, body)
        if request.method == "POST":
            if not may:
                raise Refusal("Only a ruler or the game master can roll for the attack.", status=403)
            body["throws"] += _new_throws(request, campaign, state, rolling)
            rolling = _replay(state, body)
            if rolling.winner and "write" in data:
                return _write(request, campaign, {**body, "winner": rolling.winner})
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        error = _name_kingdoms(refusal.sentence, state)
    return render(
        request,
        "campaign/wars/roll_off.html",
        _context(campaign, state, body, rolling, error, may),
        status=422 if error and request.method == "POST" else 200,
    )


def _replay(state: State, body: dict[str, Any]) -> RollOff:
    act = codec.read_sent(RollForAttack.key, body)
    assert isinstance(act, RollForAttack)
    return act.replay(state, state.rules())


def _write(request: HttpRequest, campaign: Campaign, body: dict[str, Any]) -> HttpResponse:
    campaign_services.write(campaign, request.who, key=request.POST.get("key", ""), act="roll_off", body=body)
    return redirect(f"{reverse('campaign:targets', args=[campaign.code])}?attacker={body['winner']}")


def _new_throws(request: HttpRequest, campaign: Campaign, state: State, rolling: RollOff) -> list[dict[str, Any]]:
    """New dice: typed, re-rolled, or all missing ones rolled here."""
    data = request.POST
    if get_term(state.terms, "dice") in ROLLED_HERE:
        # Seeded by the form's key, so a second tap rolls the same dice.
        dice = Dice(salted_hmac("roll-off", f"{campaign.pk}/{data.get('key', '')}").hexdigest())
        new: list[dict[str, Any]] = []
        while rolling.waiting:
            throw = {"kingdom": rolling.waiting[0], "roll": dice.d10()}
            rolling = rolling.with_roll(throw["kingdom"], throw["roll"])
            new.append(throw)
        return new
    new = [
        {"kingdom": key, "roll": _parse_die(typed)}
        for key in rolling.waiting
        if (typed := data.get(f"roll-{key}", "").strip())
    ]
    if buyer := data.get("buyer"):
        keep = "old" if data.get("keep") == "old" else "new"
        new.append({"kingdom": buyer, "roll": _parse_die(data.get("bought", "")), "bought": True, "keep": keep})
    return new


def _parse_die(typed: str) -> int:
    if (die := parse_int(typed)) is None:
        raise Refusal("Enter a number from 1 to 10.")
    return die


def _parse_throws(kept: str) -> list[dict[str, Any]]:
    try:
        rows = read_json(kept or "[]")
    except Refusal:
        rows = None
    if not isinstance(rows, list) or len(rows) > MAX_THROWS or not all(isinstance(row, dict) for row in rows):
        raise Refusal("The dice so far cannot be read. Start the roll-off again.")
    return rows


def _name_kingdoms(sentence: str, state: State) -> str:
    """Replace kingdom ids with names."""
    return " ".join(state.kingdoms[word].name if word in state.kingdoms else word for word in sentence.split(" "))


def _context(
    campaign: Campaign, state: State, body: dict[str, Any], rolling: RollOff | None, error: str, may: bool
) -> dict[str, Any]:
    names = {realm.id: realm.name for realm in state.in_play()}
    context: dict[str, Any] = {
        "campaign": campaign,
        "kingdoms": state.in_play(),
        "pair": body.get("pair"),
        "throws": json.dumps(body["throws"]),
        "error": error,
        "may": may,
        "service": get_term(state.terms, "dice") in ROLLED_HERE,
        "sealed": get_term(state.terms, "dice") == "sealed",
        "key": new_key(),
    }
    if rolling is not None:
        context |= {
            "rolling": rolling,
            "steps": [step.text(names) for step in rolling.steps()],
            "waiting": [state.kingdoms[key] for key in rolling.waiting],
            "winner": state.kingdoms.get(rolling.winner or ""),
            "buyers": [
                state.kingdoms[key]
                for key in rolling.players
                if rolling.why_no_reroll(key, options=state.rules()) is None
            ],
        }
    return context
