"""The roll-off for the attack, with typed dice or dice rolled here, ties and re-rolls."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

import dataclass_json
from campaign import selectors
from campaign.chronicle.acts.war import RollForAttack, ThrownDie
from campaign.chronicle.state import State, get_term
from campaign.models import Campaign
from campaign.permissions import ids_of, is_master, kingdoms_to_act_for
from campaign.wars import roll_off
from campaign.wars.roll_off import RollDice, reroll_chances, roll_off_rows
from json_input import read_json
from log.services import new_key
from pages.number_parsing import parse_int
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff


@require_http_methods(["GET", "POST"])
def roll_for_attack(request: HttpRequest, code: str) -> HttpResponse:
    """Roll for the attack. Once decided, the roll-off is written and binds, and everybody sees its dice here."""
    campaign, state = selectors.get_campaign_with_state(request.who, code)
    data = request.POST if request.method == "POST" else request.GET
    pair = roll_off.pair_of(state, data.get("one", ""), data.get("other", ""))
    act = roll_off.roll_off_so_far(state, pair, _parse_throws(data.get("throws", "")))
    may = bool(kingdoms_to_act_for(state, request.who, "roll_off"))
    error, rolling = "", None
    try:
        rolling = act.replay(state, state.rules())
        if request.method == "POST":
            dice = _read_dice(data, state)
            thrown = roll_off.throw_dice(campaign, request.who, state, act, rolling, data.get("key", ""), dice)
            if thrown.is_written:
                return redirect("campaign:roll_off", code)
            act, rolling = thrown.act, thrown.rolling
    except Refusal as refusal:
        if refusal.status == 403:
            raise
        error = roll_off.name_kingdoms(refusal.sentence, state)
    return render(
        request,
        "campaign/wars/roll_off.html",
        _context(request, campaign, state, act, rolling, error, may),
        status=422 if error and request.method == "POST" else 200,
    )


def _read_dice(data: QueryDict, state: State) -> RollDice:
    """What was typed for each kingdom, if the players roll; and whose re-roll is bought, and what it shows."""
    typed = {key: text for key in state.kingdoms if (text := data.get(f"roll-{key}", "").strip())}
    bought = data.get("bought", "").strip()
    return RollDice(
        dice={key: _parse_die(text) for key, text in typed.items()},
        buyer=data.get("buyer", ""),
        bought=_parse_die(bought) if bought else None,
        again=bool(data.get("again")),
    )


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


def _context(
    request: HttpRequest,
    campaign: Campaign,
    state: State,
    act: RollForAttack,
    rolling: RollOff | None,
    error: str,
    may: bool,
) -> dict[str, object]:
    names = {kingdom.id: kingdom.name for kingdom in state.in_play()}
    mine = {kingdom.id for kingdom in kingdoms_to_act_for(state, request.who, "roll_off")}
    own = {kingdom.id for kingdom in state.ruled_by(ids_of(request.who))} if request.who.person else set()
    context: dict[str, object] = {
        "campaign": campaign,
        "kingdoms": state.in_play(),
        "pair": act.pair,
        "throws": json.dumps(dataclass_json.write(act.throws)),
        "error": error,
        "may": may,
        "service": roll_off.are_dice_rolled_here(state),
        "sealed": get_term(state.terms, "dice") == "sealed",
        "bound": state.attack_roll,
        "number": state.battle_count + 1,
        "is_master": is_master(state, request.who),
        "key": new_key(),
    }
    if rolling is not None:
        winner = state.kingdoms.get(rolling.winner or "")
        chances = [one for one in reroll_chances(state, rolling) if one.kingdom.id in mine]
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
