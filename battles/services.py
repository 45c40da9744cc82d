"""Writes to a battle: set up, start, finish, call off, reopen. The tracker has its own services."""

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.crypto import salted_hmac

from battles import battle_stage
from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.selectors import options_of
from campaign import selectors as campaign_selectors, services as campaign_services
from campaign.chronicle.acts.war import CallOffBattle
from campaign.chronicle.state import State
from chance import Dice
from log import services as log_services
from log.models import Receipt
from people.requester import Who
from refusal import Refusal
from rulebook.campaign.roll_off import RollOff, assign_sides
from rulebook.data.scenarios import SCENARIOS, SIDES, is_siege, scenario_for_roll, scenario_of

Stage = Battle.Stage
Answer = log_services.Answer


def get_campaign_state(battle: Battle) -> State | None:
    return campaign_selectors.state_as_read(battle.campaign) if battle.campaign_id else None


def write_entry(
    battle: Battle, who: Who, *, key: str, act: str, body: Mapping[str, Any], change: Callable[[Battle], Answer]
) -> Answer:
    """Write one entry to a battle's log, once per key. ``change`` checks and changes the row under the log's lock."""
    sent = {"act": act, **body}
    actor = who.person.pk if who.person else None

    def written(writer: log_services.LogWriter) -> Answer:
        fresh = Battle.objects.select_for_update().get(pk=battle.pk)  # the chronicle's writers change its stage
        fresh.campaign = battle.campaign
        answer = change(fresh)
        fresh.save()
        writer.append(act, actor=actor, body={**body, **answer})
        return answer

    return log_services.write(battle.log_id, who=who.ref, key=key, body=sent, act=written)


def was_already_sent(battle: Battle, key: str) -> bool:
    """Whether a form with this key was already processed, so that sending it twice does no harm."""
    logs = [battle.log_id, *([battle.campaign.log_id] if battle.campaign else [])]
    return bool(key) and Receipt.objects.filter(log__in=logs, key=key).exists()


def _require_open(battle: Battle) -> None:
    if battle.stage == Stage.CONFIRMED:
        raise Refusal("This battle is already confirmed.", status=409)
    if battle.stage == Stage.CALLED_OFF:
        raise Refusal("This battle was called off.", status=409)


# --- before the battle ---------------------------------------------------------------------------------------------


def set_up_battle(
    battle: Battle, who: Who, *, key: str, scenario: str | None = None, die: int | None = None, swap: bool = False
) -> Answer:
    """Set the scenario, chosen or by a d10, and who is side A."""
    require_permission(permissions_of(battle, who, get_campaign_state(battle)).run, battle)
    if die is not None:
        scenario = scenario_for_roll(die).key
    if scenario:
        scenario_of(scenario)
    body = {"scenario": scenario, "die": die, "swap": swap}

    def change(fresh: Battle) -> Answer:
        _require_open(fresh)
        if fresh.stage in (Stage.ON_THE_TABLE, Stage.REPORTED):
            raise Refusal("The battle has started. Its scenario and sides are fixed.", status=409)
        if scenario:
            if is_siege(scenario) != fresh.siege and fresh.campaign_id:
                castle, other = (
                    "A castle can only be attacked in a siege.",
                    "Only a castle can be besieged.",
                )
                raise Refusal(castle if fresh.siege else other, field="scenario")
            fresh.scenario = scenario
            fresh.siege = is_siege(scenario)
        if swap:
            if fresh.siege:
                raise Refusal("In a siege the attacker is always side A.", field="swap")
            if len(fresh.sides) != 2:
                raise Refusal("With more than two armies there are no sides to swap.", field="swap")
            # Whoever plays side B won the scenario's roll-off, or the other side agreed.
            assign_sides("A", "B", "B", "A", options_of(fresh, get_campaign_state(fresh)))
            fresh.sides = fresh.swapped_sides()
        return {"first": fresh.sides[0]["kingdom"] or fresh.sides[0]["name"]}

    return write_entry(battle, who, key=key, act="set_up", body=body, change=change)


def roll_scenario_die(battle: Battle, key: str) -> int:
    """Roll a d10 from the form's key, so that sending a form twice gives the same roll."""
    return Dice(salted_hmac("battle-scenario", f"{battle.pk}/{key}").hexdigest()).d10()


def roll_sides(battle: Battle, who: Who, *, key: str) -> Answer:
    """Roll off for the sides: ties roll again (R-68), the higher roll chooses."""
    require_permission(permissions_of(battle, who, get_campaign_state(battle)).run, battle)
    dice = Dice(salted_hmac("battle-sides", f"{battle.pk}/{key}").hexdigest())

    def change(fresh: Battle) -> Answer:
        _require_open(fresh)
        if len(fresh.sides) != 2:
            raise Refusal("Only a battle with two sides has a roll-off.", status=409)
        rolling = RollOff.start(SIDES)
        while rolling.waiting:
            rolling = rolling.with_rolls({side: dice.d10() for side in SIDES})
        assign_sides("A", "B", rolling.winner, "A", options_of(fresh, get_campaign_state(fresh)))
        throws = [list(both) for both in zip(*rolling.hands, strict=True)]
        winner = fresh.side(rolling.winner or "A")
        seats = [side["kingdom"] or side["name"] for side in fresh.sides]
        return {"throws": throws, "seats": seats, "winner": winner["kingdom"] or winner["name"]}

    return write_entry(battle, who, key=key, act="sides_rolled", body={}, change=change)


def start_battle(battle: Battle, who: Who, *, key: str) -> Answer:
    require_permission(permissions_of(battle, who, get_campaign_state(battle)).run, battle)

    def change(fresh: Battle) -> Answer:
        _require_open(fresh)
        if not fresh.scenario:
            raise Refusal("Choose the scenario first.", status=409)
        fresh.stage = battle_stage.stage_when_set_up(fresh)
        return {}

    return write_entry(battle, who, key=key, act="on_the_table", body={}, change=change)


# --- outside a campaign ----------------------------------------------------------------------------------------------


def finish_standalone_battle(
    battle: Battle, who: Who, *, key: str, result: Mapping[str, Any], played_on: dt.date | None
) -> Answer:
    """Save the result of a battle outside a campaign. Nobody else has to confirm it."""
    require_permission(permissions_of(battle, who, None).report, battle)

    def change(fresh: Battle) -> Answer:
        _require_open(fresh)
        battle_stage.finish_standalone(fresh, result, played_on or timezone.localdate())
        return {"stage": fresh.stage}

    return write_entry(battle, who, key=key, act="result", body={"result": dict(result)}, change=change)


def call_off_standalone_battle(battle: Battle, who: Who, *, key: str) -> Answer:
    require_permission(permissions_of(battle, who, None).master, battle)

    def change(fresh: Battle) -> Answer:
        _require_open(fresh)
        battle_stage.call_off(fresh)
        return {}

    return write_entry(battle, who, key=key, act="called_off", body={}, change=change)


def call_off_battle(battle: Battle, who: Who, *, key: str) -> Answer:
    """Call it off: in a campaign by an entry of the chronicle."""
    if battle.campaign is None:
        return call_off_standalone_battle(battle, who, key=key)
    return campaign_services.write(battle.campaign, who, CallOffBattle(battle.number or 0), key=key)


def reopen_battle(battle: Battle, who: Who, *, key: str) -> Answer:
    """Reopen a confirmed or called-off battle outside a campaign. The old entry stays in its log."""
    if battle.campaign_id:
        raise Refusal("Correct a campaign battle in its chronicle.", status=409)
    require_permission(permissions_of(battle, who, None).master, battle)

    def change(fresh: Battle) -> Answer:
        if not fresh.is_over:
            raise Refusal("This battle is already open.", status=409)
        was = str(fresh.stage)
        fresh.stage, fresh.result = battle_stage.stage_of_open_battle(fresh), None
        return {"was": was}

    return write_entry(battle, who, key=key, act="reopened", body={}, change=change)


def scenarios_for(battle: Battle) -> tuple[str, ...]:
    if battle.campaign_id:
        return tuple(row.key for row in SCENARIOS if row.is_siege == battle.siege)
    return tuple(row.key for row in SCENARIOS if row.many_armies or len(battle.sides) <= 2)
