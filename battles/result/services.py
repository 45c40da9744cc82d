"""Reports: preview their effects, turn them into the chronicle's act, and submit them for approval."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

from battles import services as battles_services
from battles.battle_stage import extra_side, find_open_approval
from battles.battle_titles import side_names_of
from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.result.core.multi_army_report import MAX_SIDES, MULTI_ARMY_SCENARIO, SIDE_LETTERS, MultiArmyReport
from battles.result.core.story import replace_side_letters
from battles.result.core.unit_report import UnitReport, scoring_report_to_json
from battles.selectors import options_of
from battles.side_display import SideRow
from campaign import selectors as campaign_selectors
from campaign.approvals import services as approvals_services
from campaign.chronicle import codec
from campaign.chronicle.acts.registry import Act
from campaign.chronicle.acts.war import ReportOfSides, ReportResult
from campaign.chronicle.effects import Effect
from campaign.chronicle.sentences import Names
from campaign.chronicle.state import OpenBattle, State
from campaign.display import EffectRow, effect_rows
from campaign.models import Approval, Campaign
from dataclass_json import PageOnly
from log.models import Entry
from people.models import Person
from people.requester import Who
from refusal import Refusal
from rulebook.campaign import battle_scoring
from rulebook.checks import check_count
from rulebook.data.scenarios import SIDES, allows_many_armies

MAX_SPENT = 99
Answer = battles_services.Answer


@dataclass(frozen=True, slots=True)
class BattleReport:
    """One report: what happened, VP spent, houses that sent nobody, and the day played."""

    units: UnitReport
    spent: Mapping[str, int] = field(default_factory=dict)  # by side
    silent: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # houses by side
    played_on: dt.date | None = None


@dataclass(frozen=True, slots=True)
class ReportPreview:
    """What a report would do, before it is submitted."""

    winner: str | None  # letter of the side
    reason: str
    vp: PageOnly[Mapping[Any, tuple[tuple[str, int], ...]]]  # lines by side: what for, how many
    notes: PageOnly[tuple[str, ...]]
    effects: tuple[EffectRow, ...]  # in a campaign: VP, loyalty, land and houses with their reasons

    def total(self, side: str) -> int:
        return sum(vp for _, vp in self.vp.get(side, ()))


# --- previewing -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ScoredReport:
    """A report with the counts that the rulebook scores, and their score."""

    report: BattleReport
    counts: ReportOfSides
    score: battle_scoring.Score


def score_report(battle: Battle, report: BattleReport | ScoredReport, state: State | None) -> ScoredReport:
    """Who won and what it pays, worked out once: a report that is already scored is returned as it is."""
    if isinstance(report, ScoredReport):
        return report
    options = options_of(battle, state)
    found = report.units.to_scoring_report(options)
    told = {one.name: getattr(found, one.name) for one in fields(found) if one.init}
    counts = ReportOfSides(**told, side_a=battle.side("A")["kingdom"] or None)
    for side, spent in report.spent.items():
        check_count(spent, f"VP spent by side {side}", most=MAX_SPENT)
    return ScoredReport(report, counts, counts.score(options))


def act_of(battle: Battle, scored: ScoredReport, state: State, declared: OpenBattle | None = None) -> ReportResult:
    """The chronicle's act. ``declared`` replaces the open battle when a confirmed one is corrected."""
    kingdom = {side["side"]: side["kingdom"] for side in battle.sides}
    open_battle = declared or _require_open_battle(battle, state)
    report, counts, winner = scored.report, scored.counts, kingdom.get(scored.score.winner or "")
    return ReportResult(
        open_battle.attacker,
        open_battle.target,
        "draw" if winner is None else "attacker" if winner == open_battle.attacker else "defender",
        battle.number or 0,
        open_battle.defender,
        report.units.scenario,
        spent={kingdom[side]: vp for side, vp in report.spent.items() if vp},
        houses_lost={kingdom[side]: tuple(houses) for side, houses in report.silent.items() if houses},
        report=counts,
        told=report.units.to_json(),
    )


def _require_open_battle(battle: Battle, state: State) -> OpenBattle:
    open_battle = state.battles.get(battle.number or 0)
    if open_battle is None:
        raise Refusal("This battle is not open. It was already reported or called off.", status=409)
    return open_battle


def preview_report(
    battle: Battle, report: BattleReport | ScoredReport, state: State | None, declared: OpenBattle | None = None
) -> ReportPreview:
    """What the report would do now, with reasons. Refuses what cannot have happened."""
    scored = score_report(battle, report, state)
    score = scored.score
    vp = {side: tuple((line.text, line.vp) for line in score.lines if line.side == side) for side in SIDES}
    effects: tuple[EffectRow, ...] = ()
    if state is not None:
        act = act_of(battle, scored, state, declared)
        effects = effect_rows(effects_of(state, act), Names(state), of_one_battle=True)
    return ReportPreview(
        score.winner, replace_side_letters(score.reason, side_names_of(battle, state)), vp, score.notes, effects
    )


def effects_of(state: State, act: Act) -> list[Effect]:
    return codec.check_limits(act).decide(state.copy(), state.rules())


def with_extra_kingdoms(battle: Battle, state: State | None, others: Sequence[str]) -> Battle:
    """An unsaved copy of the battle with further kingdoms beside its two sides, to report more than two armies."""
    there = {side["kingdom"] for side in battle.sides}
    wanted = [key for key in dict.fromkeys(others) if state and key in state.kingdoms and key not in there]
    if not wanted:
        return battle
    if not allows_many_armies(battle.scenario):
        raise Refusal("Only a Pitched Battle can have more than two armies.", field="scenario")
    if len(battle.sides) + len(wanted) > MAX_SIDES:
        raise Refusal(f"A battle has 2 to {MAX_SIDES} sides.", field="with")
    again = copy.copy(battle)
    again.sides = [
        *battle.sides,
        *(extra_side(SIDE_LETTERS[at], key) for at, key in enumerate(wanted, len(battle.sides))),
    ]
    return again


def multi_army_act(battle: Battle, report: MultiArmyReport, state: State) -> ReportResult:
    """The act for more than two armies: land and loyalty between the two who declared the battle, VP for all."""
    open_battle = _require_open_battle(battle, state)
    kingdom = {side["side"]: side["kingdom"] for side in battle.sides}
    roles: Mapping[str, Literal["attacker", "defender"]] = {
        open_battle.attacker: "attacker",
        open_battle.defender: "defender",
    }
    earned = {kingdom[side]: sum(vp for _, vp in report.points(side)) for side in report.sides}
    return ReportResult(
        open_battle.attacker,
        open_battle.target,
        roles.get(kingdom.get(report.winner or "", ""), "draw"),
        battle.number or 0,
        open_battle.defender,
        MULTI_ARMY_SCENARIO,
        points={key: vp for key, vp in earned.items() if key in roles},
        others={key: vp for key, vp in earned.items() if key not in roles},
        removed={kingdom[side]: n for side, n in report.removed.items() if kingdom[side] in roles},
        many={**report.to_json(), "kingdoms": kingdom},
    )


def preview_multi_army_report(
    battle: Battle, report: MultiArmyReport, rows: tuple[SideRow, ...], state: State | None
) -> ReportPreview:
    words = {"kill": "Enemy units removed.", "win": "Battle won."}
    vp = {side: tuple((words[key], vp) for key, vp in report.points(side)) for side in report.sides}
    name = next((row.name for row in rows if row.letter == report.winner), "")
    effects: tuple[EffectRow, ...] = ()
    if state is not None:
        effects = effect_rows(
            effects_of(state, multi_army_act(battle, report, state)), Names(state), of_one_battle=True
        )
    return ReportPreview(report.winner, f"{name} won." if name else "Nobody won.", vp, (), effects)


# --- submitting ------------------------------------------------------------------


def subject_of(battle: Battle) -> str:
    return approvals_services.subject_of("", battle.target, battle.number)


def report_from_body(body: Mapping[str, Any], battle: Battle) -> BattleReport:
    """The report in the body of a chronicle act."""
    letters = {side["kingdom"]: side["side"] for side in battle.sides}
    spent = {letters[key]: vp for key, vp in body.get("spent", {}).items()}
    silent = {letters[key]: tuple(houses) for key, houses in body.get("houses_lost", {}).items()}
    return BattleReport(UnitReport.from_json(body["told"]), spent, silent)


def pending_approval_of(battle: Battle) -> Approval | None:
    """The open approval for this battle's report."""
    if battle.campaign_id is None:
        return None
    if "open_approval" not in vars(battle):
        battle.open_approval = find_open_approval(battle)
    return battle.open_approval


def _approval_read_with(battle: Battle) -> list[Approval] | None:
    """The open approval as it was read with the battle, if it was."""
    if "open_approval" not in vars(battle):
        return None
    return [battle.open_approval] if battle.open_approval is not None else []


def is_own_result(battle: Battle, who: Who) -> bool:
    """Did this person report the result of this confirmed battle?"""
    if battle.campaign is not None:
        return campaign_selectors.find_own_result(battle.campaign, who, battle=battle.number) is not None
    mine = who.person.all_ids() if who.person else ()
    return Entry.objects.filter(log=battle.log_id, act="result", actor__in=mine).exists()


def submit_report(
    battle: Battle,
    who: Who,
    report: BattleReport | ScoredReport,
    *,
    key: str,
    as_person: Person | None = None,
    accept_late: bool = False,
    as_side: bool = False,
    state: State | None = None,
) -> Answer:
    """Report the battle. The campaign's terms decide whether it is recorded at once or has to be confirmed.

    ``as_person``: the captain who reports with the slip, without a log-in. A captain who is also game master then
    reports only for their side; otherwise only with ``as_side``. ``state``: as the caller read it with the battle.
    """
    if battle.campaign_id is None:
        return finish_standalone(battle, who, report, key=key)
    campaign, state = _campaign_with_state(battle, state)
    require_permission(permissions_of(battle, who, state).report, battle)
    scored = score_report(battle, report, state)
    act = act_of(battle, scored, state)
    return _submit(battle, campaign, who, act, key, as_person, scored.report.played_on, accept_late, as_side)


def submit_multi_army_report(
    battle: Battle,
    whole: Battle,
    who: Who,
    report: MultiArmyReport,
    *,
    key: str,
    played_on: dt.date | None,
    as_person: Person | None = None,
    as_side: bool = False,
    state: State | None = None,
) -> Answer:
    """Report a battle of more than two armies. ``whole`` has all of them; the two sides report and confirm it."""
    if battle.campaign_id is None:
        return finish_standalone_multi_army(battle, who, report, key=key, played_on=played_on)
    campaign, state = _campaign_with_state(battle, state)
    require_permission(permissions_of(battle, who, state).report, battle)
    return _submit(
        battle, campaign, who, multi_army_act(whole, report, state), key, as_person, played_on, True, as_side
    )


def _campaign_with_state(battle: Battle, state: State | None) -> tuple[Campaign, State]:
    """The campaign that was read with the state, or both anew."""
    if state is not None and battle.campaign is not None:
        return battle.campaign, state
    campaign = Campaign.objects.select_related("log", "snapshot").get(pk=battle.campaign_id)
    return campaign, campaign_selectors.state_as_read(campaign)


def _submit(
    battle: Battle,
    campaign: Campaign,
    who: Who,
    act: ReportResult,
    key: str,
    as_person: Person | None,
    played: dt.date | None,
    accept_late: bool,
    as_side: bool,
) -> Answer:
    reporter = Who.of(as_person) if as_person is not None else who
    return approvals_services.submit_report(
        campaign,
        reporter,
        act,
        key=key,
        subject=subject_of(battle),
        played=played,
        accept_late=accept_late,
        as_side=as_side or as_person is not None,
        waiting=_approval_read_with(battle),
    )


def finish_standalone(battle: Battle, who: Who, report: BattleReport | ScoredReport, *, key: str) -> Answer:
    scored = score_report(battle, report, None)
    report, score = scored.report, scored.score
    result = {
        "scenario": report.units.scenario,
        "winner": score.winner,
        "how": score.how,
        "reason": score.reason,
        "report": scoring_report_to_json(scored.counts),
        "lines": [[line.side, line.key, line.number, line.vp] for line in score.lines],
        "spent": {side: vp for side, vp in report.spent.items() if vp},
        "told": report.units.to_json(),
    }
    return battles_services.finish_standalone_battle(battle, who, key=key, result=result, played_on=report.played_on)


def finish_standalone_multi_army(
    battle: Battle, who: Who, report: MultiArmyReport, *, key: str, played_on: dt.date | None
) -> Answer:
    result = {
        "scenario": battle.scenario,
        "winner": report.winner,
        "how": "yielded" if report.yielded else "destroyed",
        "reason": "",
        "lines": [[side, line, 0, vp] for side in report.sides for line, vp in report.points(side)],
        "many": report.to_json(),
    }
    return battles_services.finish_standalone_battle(battle, who, key=key, result=result, played_on=played_on)
