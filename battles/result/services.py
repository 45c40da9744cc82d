"""From what somebody told to what it does: the chronicle's act, its effects explained, and the way it is laid before the others."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from battles import door
from battles.armies import SideRow
from battles.models import Battle
from battles.rights import must, rights
from battles.standing import beside
from battles.telling.many import LETTERS, MOST_SIDES, SCENARIO_KEY, ManyTold
from battles.telling.told import Told, report_json
from campaign import petitions, reading
from campaign.annals.acts import RULES_VERSION, act_of
from campaign.annals.state import OpenBattle, State
from campaign.annals.tales import Names
from campaign.models import Campaign, Petition
from campaign.sheet import EffectRow, effect_rows
from people.models import Person
from people.who import Who
from refusal import Refusal
from rulebook import scoring
from rulebook.options import Options
from rulebook.rolls import count
from rulebook.scoring import SIDES

SPENT_MOST = 99


@dataclass(frozen=True, slots=True)
class Report:
    """One report: what happened, what was spent in it, which houses sent nobody, and when it was played."""

    told: Told
    spent: Mapping[str, int] = field(default_factory=dict)  # by side
    silent: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # houses by side
    played_on: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Worked:
    """A report worked out and explained, before anything is written."""

    winner: str | None  # letter of the side
    reason: str
    vp: Mapping[str, tuple[tuple[str, int], ...]]  # lines by side: what for, how many
    notes: tuple[str, ...]
    effects: tuple[EffectRow, ...]  # in a campaign: VP, loyalty, land and houses with their reasons

    def total(self, side: str) -> int:
        return sum(vp for _, vp in self.vp.get(side, ()))


def options_of(battle: Battle, state: State | None) -> Options:
    """By the chronicle's rules where there is one, so that what is shown is what is written."""
    return state.rules() if state else Options.from_differences(battle.options)


# --- working it out ----------------------------------------------------------------------------------------------------


def scored(battle: Battle, report: Report, state: State | None) -> tuple[scoring.Report, scoring.Score]:
    options = options_of(battle, state)
    told = report.told.report(options)
    for side, spent in report.spent.items():
        count(spent, f"VP spent by side {side}", most=SPENT_MOST)
    return told, scoring.score(told, options)


def body_of(battle: Battle, report: Report, state: State, declared: OpenBattle | None = None) -> dict[str, Any]:
    """The chronicle's act. ``declared`` is who attacked what, for a battle that is written and told again."""
    told, score = scored(battle, report, state)
    kingdom = {side["side"]: side["kingdom"] for side in battle.sides}
    open_battle = declared or state.battles.get(battle.number or 0)
    if open_battle is None:
        raise Refusal("This battle is not open. It was reported or called off meanwhile.", status=409)
    winner = kingdom.get(score.winner or "")
    outcome = "draw" if winner is None else "attacker" if winner == open_battle.attacker else "defender"
    return {
        "attacker": open_battle.attacker,
        "defender": open_battle.defender,
        "target": open_battle.target,
        "outcome": outcome,
        "scenario": report.told.scenario,
        "report": report_json(told, kingdom["A"]),
        "spent": {kingdom[side]: vp for side, vp in report.spent.items() if vp},
        "houses_lost": {kingdom[side]: list(houses) for side, houses in report.silent.items() if houses},
        "battle": battle.number,
        "told": report.told.to_json(),
    }


def worked_out(battle: Battle, report: Report, state: State | None, declared: OpenBattle | None = None) -> Worked:
    """What it would do if it were written now, each line with its reason. Refuses what cannot have happened."""
    _, score = scored(battle, report, state)
    vp = {side: tuple((line.text, line.vp) for line in score.lines if line.side == side) for side in SIDES}
    effects: tuple[EffectRow, ...] = ()
    if state is not None:
        effects = effect_rows(
            effects_of(state, body_of(battle, report, state, declared)), Names(state), of_one_battle=True
        )
    return Worked(score.winner, _named(score.reason, battle, state), vp, score.notes, effects)


def effects_of(state: State, body: Mapping[str, Any]) -> list[dict[str, Any]]:
    whole = {**body, "in_force": {"options": state.options, "rules": RULES_VERSION}, "line": 0}
    return act_of("result").effects(state.copy(), whole, state.rules())


def _named(sentence: str, battle: Battle, state: State | None) -> str:
    """The rulebook knows sides by letter; a table knows them by name."""
    for side in battle.sides:
        realm = state.kingdoms.get(side["kingdom"]) if state else None
        name = realm.name if realm else side["name"]
        sentence = sentence.replace(f"Side {side['side']}", name).replace(f"side {side['side']}", name)
    return sentence


def with_others(battle: Battle, state: State | None, others: Sequence[str]) -> Battle:
    """The battle with further kingdoms beside its two sides, for a report of more than two armies; nothing of it is saved."""
    there = {side["kingdom"] for side in battle.sides}
    wanted = [key for key in dict.fromkeys(others) if state and key in state.kingdoms and key not in there]
    if not wanted:
        return battle
    if battle.scenario != SCENARIO_KEY:
        raise Refusal("More than two armies meet in a Pitched Battle only.", field="scenario")
    if len(battle.sides) + len(wanted) > MOST_SIDES:
        raise Refusal(f"A battle has 2 to {MOST_SIDES} sides.", field="with")
    again = copy.copy(battle)
    again.sides = [*battle.sides, *(beside(LETTERS[at], key) for at, key in enumerate(wanted, len(battle.sides)))]
    return again


def many_body(battle: Battle, told: ManyTold, state: State) -> dict[str, Any]:
    """The chronicle's act of a battle of more than two armies: land and loyalty between the two who declared it, VP for all."""
    open_battle = state.battles.get(battle.number or 0)
    if open_battle is None:
        raise Refusal("This battle is not open. It was reported or called off meanwhile.", status=409)
    kingdom = {side["side"]: side["kingdom"] for side in battle.sides}
    roles = {open_battle.attacker: "attacker", open_battle.defender: "defender"}
    earned = {kingdom[side]: sum(vp for _, vp in told.points(side)) for side in told.sides}
    return {
        "attacker": open_battle.attacker,
        "defender": open_battle.defender,
        "target": open_battle.target,
        "outcome": roles.get(kingdom.get(told.winner or "", ""), "draw"),
        "scenario": SCENARIO_KEY,
        "points": {key: vp for key, vp in earned.items() if key in roles},
        "others": {key: vp for key, vp in earned.items() if key not in roles},
        "removed": {kingdom[side]: n for side, n in told.removed.items() if kingdom[side] in roles},
        "battle": battle.number,
        "many": {**told.to_json(), "kingdoms": kingdom},
    }


def many_worked(battle: Battle, told: ManyTold, rows: tuple[SideRow, ...], state: State | None) -> Worked:
    words = {"kill": "Enemy units removed.", "win": "The battle is won."}
    vp = {side: tuple((words[key], vp) for key, vp in told.points(side)) for side in told.sides}
    name = next((row.name for row in rows if row.letter == told.winner), "")
    effects: tuple[EffectRow, ...] = ()
    if state is not None:
        effects = effect_rows(effects_of(state, many_body(battle, told, state)), Names(state), of_one_battle=True)
    return Worked(told.winner, f"{name} won." if name else "Nobody won.", vp, (), effects)


# --- laying it before the others ---------------------------------------------------------------------------------------


def subject_of(battle: Battle) -> str:
    return petitions.subject_of("", battle.target, battle.number)


def report_of(body: Mapping[str, Any], battle: Battle) -> Report:
    """A report as the chronicle's act has it, back to what was tapped."""
    letters = {side["kingdom"]: side["side"] for side in battle.sides}
    spent = {letters[key]: vp for key, vp in body.get("spent", {}).items()}
    silent = {letters[key]: tuple(houses) for key, houses in body.get("houses_lost", {}).items()}
    return Report(Told.from_json(body["told"]), spent, silent)


def petition_of(battle: Battle) -> Petition | None:
    """The report of this battle that waits for others."""
    if battle.campaign_id is None:
        return None
    rows = Petition.objects.open().filter(campaign=battle.campaign_id, subject=subject_of(battle))
    return rows.select_related("campaign__log").first()


def lay(
    battle: Battle,
    who: Who,
    report: Report,
    *,
    key: str,
    as_person: Person | None = None,
    accept_late: bool = False,
    as_side: bool = False,
) -> dict[str, Any]:
    """Report the battle. In a campaign by its terms: written at once, or laid before those who confirm.

    ``as_person`` is who reports on a phone without a log-in: a captain of this battle, opened by its slip. A captain who
    is game master too speaks for their side only there, and elsewhere if they ask for it (``as_side``).
    """
    if battle.campaign_id is None:
        return finish_alone(battle, who, report, key=key)
    campaign = Campaign.objects.select_related("log").get(pk=battle.campaign_id)
    state = reading.state_of(campaign)
    must(rights(battle, who, state).report, battle)
    body = body_of(battle, report, state)
    return _laid(battle, campaign, who, body, key, as_person, report.played_on, accept_late, as_side)


def lay_many(
    battle: Battle,
    whole: Battle,
    who: Who,
    told: ManyTold,
    *,
    key: str,
    played_on: dt.date | None,
    as_person: Person | None = None,
    as_side: bool = False,
) -> dict[str, Any]:
    """Report a battle of more than two armies: ``whole`` is the battle with all of them; its two sides report and confirm it."""
    if battle.campaign_id is None:
        return finish_many(battle, who, told, key=key, played_on=played_on)
    campaign = Campaign.objects.select_related("log").get(pk=battle.campaign_id)
    state = reading.state_of(campaign)
    must(rights(battle, who, state).report, battle)
    return _laid(battle, campaign, who, many_body(whole, told, state), key, as_person, played_on, True, as_side)


def _laid(
    battle: Battle,
    campaign: Campaign,
    who: Who,
    body: dict[str, Any],
    key: str,
    as_person: Person | None,
    played: dt.date | None,
    accept_late: bool,
    as_side: bool,
) -> dict[str, Any]:
    reporter = Who.of(as_person) if as_person is not None else who
    answer = petitions.lay(
        campaign, reporter, key=key, act="result", body=body, subject=subject_of(battle), played=played,
        accept_late=accept_late, as_side=as_side or as_person is not None,
    )  # fmt: skip
    if "petition" in answer and not battle.is_over:
        Battle.objects.filter(pk=battle.pk).exclude(stage=Battle.Stage.CONFIRMED).update(stage=Battle.Stage.REPORTED)
    return answer


def finish_alone(battle: Battle, who: Who, report: Report, *, key: str) -> dict[str, Any]:
    told, score = scored(battle, report, None)
    result = {
        "scenario": report.told.scenario,
        "winner": score.winner,
        "how": score.how,
        "reason": score.reason,
        "report": report_json(told),
        "lines": [[line.side, line.key, line.number, line.vp] for line in score.lines],
        "spent": {side: vp for side, vp in report.spent.items() if vp},
        "told": report.told.to_json(),
    }
    return door.finish_alone(battle, who, key=key, result=result, played_on=report.played_on)


def finish_many(battle: Battle, who: Who, told: ManyTold, *, key: str, played_on: dt.date | None) -> dict[str, Any]:
    result = {
        "scenario": battle.scenario,
        "winner": told.winner,
        "how": "yielded" if told.yielded else "destroyed",
        "reason": "",
        "lines": [[side, line, 0, vp] for side in told.sides for line, vp in told.points(side)],
        "many": told.to_json(),
    }
    return door.finish_alone(battle, who, key=key, result=result, played_on=played_on)
