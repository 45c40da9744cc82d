"""The roll-off for the attack: dice typed in as they fall, or thrown by the service; ties and bought dice included."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import salted_hmac
from django.views.decorators.http import require_http_methods

from campaign import door, reading
from campaign.annals.state import State
from campaign.annals.terms import term_of
from campaign.annals.war import thrown
from campaign.models import Campaign
from campaign.sheet import acts_open_to
from campaign.views import visible
from chance import Dice
from log.door import new_key
from pages.numbers import whole
from refusal import Refusal
from rulebook.rolloff import RollOff

MOST_THROWS = 400

# Sealed dice are drawn from the words of two captains for their musters; a roll-off takes the service's dice.
ROLLED_HERE = ("service", "sealed")


@require_http_methods(["GET", "POST"])
def roll_off(request: HttpRequest, code: str) -> HttpResponse:
    campaign = visible(request, code)
    state = reading.state_of(campaign)
    data = request.POST if request.method == "POST" else request.GET
    body: dict[str, Any] = {"throws": _throws(data.get("throws", ""))}
    if state.rules().attacker_choice == "agreed_pair":
        body["pair"] = [key for key in (data.get("one"), data.get("other")) if key in state.kingdoms]
    may = bool(acts_open_to(state, request.who, "roll_off"))
    said, rolling = "", None
    try:
        rolling = thrown(state, body, state.rules())
        if request.method == "POST":
            if not may:
                raise Refusal("Only a ruler or the game master rolls for the attack.", status=403)
            body["throws"] += _added(request, campaign, state, rolling)
            rolling = thrown(state, body, state.rules())
            if rolling.winner and "write" in data:
                return _write(request, campaign, {**body, "winner": rolling.winner})
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        said = _named(refusal.sentence, state)
    return render(request, "campaign/roll_off.html", _context(campaign, state, body, rolling, said, may), status=422 if said and request.method == "POST" else 200)  # fmt: skip


def _write(request: HttpRequest, campaign: Campaign, body: dict[str, Any]) -> HttpResponse:
    door.do(campaign, request.who, key=request.POST.get("key", ""), act="roll_off", body=body)
    return redirect(f"{reverse('campaign:targets', args=[campaign.code])}?attacker={body['winner']}")


def _added(request: HttpRequest, campaign: Campaign, state: State, rolling: RollOff) -> list[dict[str, Any]]:
    """The dice this form brings: typed ones, a bought one, or all that are missing, thrown here."""
    data = request.POST
    if term_of(state.terms, "dice") in ROLLED_HERE:
        # From the form's key, so that a tap sent twice throws the same dice.
        dice = Dice(salted_hmac("roll-off", f"{campaign.pk}/{data.get('key', '')}").hexdigest())
        new: list[dict[str, Any]] = []
        while rolling.waiting:
            throw = {"kingdom": rolling.waiting[0], "roll": dice.d10()}
            rolling = rolling.rolled(throw["kingdom"], throw["roll"])
            new.append(throw)
        return new
    new = [
        {"kingdom": key, "roll": _die(typed)}
        for key in rolling.waiting
        if (typed := data.get(f"roll-{key}", "").strip())
    ]
    if buyer := data.get("buyer"):
        keep = "old" if data.get("keep") == "old" else "new"
        new.append({"kingdom": buyer, "roll": _die(data.get("bought", "")), "bought": True, "keep": keep})
    return new


def _die(typed: str) -> int:
    if (die := whole(typed)) is None:
        raise Refusal("A ten-sided die shows a number from 1 to 10.")
    return die


def _throws(kept: str) -> list[dict[str, Any]]:
    try:
        rows = json.loads(kept or "[]")
    except ValueError:
        rows = None
    if not isinstance(rows, list) or len(rows) > MOST_THROWS or not all(isinstance(row, dict) for row in rows):
        raise Refusal("The dice so far cannot be read. Begin the roll-off again.")
    return rows


def _named(sentence: str, state: State) -> str:
    """The rulebook knows players by their ids; people know kingdoms by name."""
    return " ".join(
        state.kingdoms[word].name if word in state.kingdoms else word for word in sentence.split(" ")
    )  # fmt: skip


def _context(
    campaign: Campaign, state: State, body: dict[str, Any], rolling: RollOff | None, said: str, may: bool
) -> dict[str, Any]:
    names = {realm.id: realm.name for realm in state.in_play()}
    context: dict[str, Any] = {
        "campaign": campaign,
        "kingdoms": state.in_play(),
        "pair": body.get("pair"),
        "throws": json.dumps(body["throws"]),
        "said": said,
        "may": may,
        "service": term_of(state.terms, "dice") in ROLLED_HERE,
        "sealed": term_of(state.terms, "dice") == "sealed",
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
