"""The one door of a battle: set up, brought to the table, reported, called off. Tracker steps go through tracker doors of their own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from django.utils import timezone
from django.utils.crypto import salted_hmac

from battles.models import Battle
from battles.rights import must, rights
from campaign import reading
from campaign.annals.state import State
from chance import Dice
from log import door
from log.models import Receipt
from people.who import Who
from refusal import Refusal
from rulebook.scenarios import SCENARIO, scenario_of, scenario_rolled

Stage = Battle.Stage
Answer = dict[str, Any]


def state_for(battle: Battle) -> State | None:
    return reading.state_of(battle.campaign) if battle.campaign_id else None


def write(
    battle: Battle, who: Who, *, key: str, act: str, body: Mapping[str, Any], change: Callable[[Battle], Answer]
) -> Answer:
    """One line of a battle's own log, once per key. ``change`` judges and changes the row while the log is held."""
    sent = {"act": act, **body}
    actor = who.person.pk if who.person else None

    def written(pen: door.Pen) -> Answer:
        fresh = Battle.objects.get(pk=battle.pk)
        fresh.campaign = battle.campaign
        answer = change(fresh)
        fresh.save()
        pen.line(act, actor=actor, body={**body, **answer})
        return answer

    return door.write(battle.log_id, who=who.ref, key=key, body=sent, act=written)


def sent_before(battle: Battle, key: str) -> bool:
    """Whether a form with this key was answered: sent twice, it leads to the same place and is not judged again."""
    logs = [battle.log_id, *([battle.campaign.log_id] if battle.campaign else [])]
    return bool(key) and Receipt.objects.filter(log__in=logs, key=key).exists()


def _open(battle: Battle) -> None:
    if battle.stage == Stage.CONFIRMED:
        raise Refusal("This battle is confirmed and stands written.", status=409)
    if battle.stage == Stage.CALLED_OFF:
        raise Refusal("This battle was called off.", status=409)


# --- before it is fought ---------------------------------------------------------------------------------------------


def set_up(
    battle: Battle, who: Who, *, key: str, scenario: str | None = None, die: int | None = None, swap: bool = False
) -> Answer:
    """The scenario, chosen or by a d10; and who is side A."""
    must(rights(battle, who, state_for(battle)).run, battle)
    if die is not None:
        scenario = scenario_rolled(die).key
    if scenario:
        scenario_of(scenario)
    body = {"scenario": scenario, "die": die, "swap": swap}

    def change(fresh: Battle) -> Answer:
        _open(fresh)
        if fresh.stage in (Stage.ON_THE_TABLE, Stage.REPORTED):
            raise Refusal("The battle is under way. Its scenario and sides stand.", status=409)
        if scenario:
            if (scenario == "siege") != fresh.siege and fresh.campaign_id:
                raise Refusal("A castle is taken in a siege, and nothing else is." if fresh.siege else "A siege is laid to a castle only.", field="scenario")  # fmt: skip
            fresh.scenario = scenario
            fresh.siege = scenario == "siege"
        if swap:
            if fresh.siege:
                raise Refusal("In a siege the attacker is side A.", field="swap")
            if len(fresh.sides) != 2:
                raise Refusal("With more than two armies every side has the same task.", field="swap")
            one, two = fresh.sides
            fresh.sides = [{**two, "side": "A"}, {**one, "side": "B"}]
        return {"first": fresh.sides[0]["kingdom"] or fresh.sides[0]["name"]}

    return write(battle, who, key=key, act="set_up", body=body, change=change)


def thrown(battle: Battle, key: str) -> int:
    """A d10 of the service, from the form's key: a tap sent twice throws the same die."""
    return Dice(salted_hmac("battle-scenario", f"{battle.pk}/{key}").hexdigest()).d10()


def roll_sides(battle: Battle, who: Who, *, key: str) -> Answer:
    """The roll-off for the sides, thrown here: ties roll again (R-68); the higher chooses."""
    must(rights(battle, who, state_for(battle)).run, battle)
    dice = Dice(salted_hmac("battle-sides", f"{battle.pk}/{key}").hexdigest())

    def change(fresh: Battle) -> Answer:
        _open(fresh)
        if len(fresh.sides) != 2:
            raise Refusal("Two sides roll for this.", status=409)
        throws = [[dice.d10(), dice.d10()]]
        while throws[-1][0] == throws[-1][1]:
            throws.append([dice.d10(), dice.d10()])
        winner = fresh.sides[0 if throws[-1][0] > throws[-1][1] else 1]
        seats = [side["kingdom"] or side["name"] for side in fresh.sides]
        return {"throws": throws, "seats": seats, "winner": winner["kingdom"] or winner["name"]}

    return write(battle, who, key=key, act="sides_rolled", body={}, change=change)


def to_the_table(battle: Battle, who: Who, *, key: str) -> Answer:
    must(rights(battle, who, state_for(battle)).run, battle)

    def change(fresh: Battle) -> Answer:
        _open(fresh)
        if not fresh.scenario:
            raise Refusal("Choose the scenario first.", status=409)
        fresh.stage = Stage.ON_THE_TABLE
        return {}

    return write(battle, who, key=key, act="on_the_table", body={}, change=change)


# --- outside a campaign ----------------------------------------------------------------------------------------------


def finish_alone(battle: Battle, who: Who, *, key: str, result: Mapping[str, Any], played_on: dt.date | None) -> Answer:
    """The result of a battle that belongs to no campaign: there is nobody else to ask, so it stands."""
    must(rights(battle, who, None).report, battle)

    def change(fresh: Battle) -> Answer:
        _open(fresh)
        fresh.result = dict(result)
        fresh.stage = Stage.CONFIRMED
        fresh.played_on = played_on or timezone.localdate()
        if not fresh.scenario:
            fresh.scenario = str(result.get("scenario") or "")
        return {"stage": fresh.stage}

    return write(battle, who, key=key, act="result", body={"result": dict(result)}, change=change)


def call_off_alone(battle: Battle, who: Who, *, key: str) -> Answer:
    must(rights(battle, who, None).master, battle)

    def change(fresh: Battle) -> Answer:
        _open(fresh)
        fresh.stage = Stage.CALLED_OFF
        return {}

    return write(battle, who, key=key, act="called_off", body={}, change=change)


def take_back(battle: Battle, who: Who, *, key: str) -> Answer:
    """The result was wrong, or it was not called off after all: the battle is open again. The old line stays in its log."""
    if battle.campaign_id:
        raise Refusal("A battle of a campaign is corrected in its chronicle.", status=409)
    must(rights(battle, who, None).master, battle)

    def change(fresh: Battle) -> Answer:
        if not fresh.is_over:
            raise Refusal("This battle is open.", status=409)
        was = str(fresh.stage)
        mustered = all(side["army"] for side in fresh.sides)
        fresh.stage = Stage.ON_THE_TABLE if fresh.snapshot else Stage.MUSTERED if mustered else Stage.DECLARED
        fresh.result = None
        return {"was": was}

    return write(battle, who, key=key, act="reopened", body={}, change=change)


def scenarios_for(battle: Battle) -> tuple[str, ...]:
    if battle.campaign_id:
        return tuple(key for key in SCENARIO if (key == "siege") == battle.siege)
    return ("pitched_battle",) if len(battle.sides) > 2 else tuple(SCENARIO)
