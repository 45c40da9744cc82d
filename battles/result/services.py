"""Reports: preview their effects, turn them into the chronicle's act, and submit them for approval."""

import copy
import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from battles import services as battles_services
from battles.battle_stage import extra_side, find_open_approval
from battles.models import Battle
from battles.permissions import permissions_of, require_permission
from battles.result.core.report import MAX_SIDES, SIDE_LETTERS, MultiArmyReport, UnitReport, scoring_report_to_json
from battles.result.core.story import replace_side_letters
from battles.selectors import options_of
from battles.side_display import side_names_of
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
from rulebook.data.scenarios import allows_many_armies
from rulebook.input_checks import check_count

MAX_SPENT = 99
Answer = battles_services.Answer


@dataclass(frozen=True, slots=True)
class BattleReport:
    """One report of two to six armies: what happened, and what the chronicle needs beside it.

    Two armies have the goals of their scenario (``UnitReport``); more fight a Pitched Battle (``MultiArmyReport``).
    """

    armies: UnitReport | MultiArmyReport
    spent: Mapping[str, int] = field(default_factory=dict)  # VP by side
    silent: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # houses that sent nobody, by side
    played_on: dt.date | None = None
    kingdoms: tuple[str, ...] = ()  # that joined the two who declared the battle


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
    """A report and its score."""

    report: BattleReport
    battle: Battle  # with every army of the report
    score: battle_scoring.Score
    counts: ReportOfSides | None = None  # of two armies: what the rulebook scored


def score_report(battle: Battle, report: BattleReport | ScoredReport, state: State | None) -> ScoredReport:
    """Who won and what it pays, worked out once: a report that is already scored is returned as it is."""
    if isinstance(report, ScoredReport):
        return report
    whole = with_extra_kingdoms(battle, state, report.kingdoms)
    if isinstance(report.armies, MultiArmyReport):
        return ScoredReport(report, whole, report.armies.score())
    options = options_of(battle, state)
    counted = report.armies.to_scoring_report(options)
    values = {part.name: getattr(counted, part.name) for part in fields(counted) if part.init}
    counts = ReportOfSides(**values, side_a=battle.side("A")["kingdom"] or None)
    for side, spent in report.spent.items():
        check_count(spent, f"VP spent by side {side}", most=MAX_SPENT)
    return ScoredReport(report, whole, counts.score(options), counts)


def act_of(scored: ScoredReport, state: State, declared: OpenBattle | None = None) -> ReportResult:
    """The chronicle's act. ``declared`` replaces the open battle when a confirmed one is corrected.

    Of more than two armies, the two who declared the battle gain or lose land and loyalty; all earn VP.
    """
    report, score, battle = scored.report, scored.score, scored.battle
    kingdom = {side["side"]: side["kingdom"] for side in battle.sides}
    open_battle = declared or _require_open_battle(battle, state)
    roles: Mapping[str, Literal["attacker", "defender"]] = {
        open_battle.attacker: "attacker",
        open_battle.defender: "defender",
    }
    act = ReportResult(
        open_battle.attacker,
        open_battle.target,
        roles.get(kingdom.get(score.winner or "") or "", "draw"),
        battle.number or 0,
        open_battle.defender,
        score.scenario,
    )
    if isinstance(report.armies, MultiArmyReport):
        earned = {kingdom[side]: score.vp(side) for side in report.armies.sides}
        return replace(
            act,
            points={key: vp for key, vp in earned.items() if key in roles},
            others={key: vp for key, vp in earned.items() if key not in roles},
            removed={kingdom[side]: n for side, n in report.armies.removed.items() if kingdom[side] in roles},
            many={**report.armies.to_json(), "kingdoms": kingdom},
        )
    return replace(
        act,
        spent={kingdom[side]: vp for side, vp in report.spent.items() if vp},
        houses_lost={kingdom[side]: tuple(houses) for side, houses in report.silent.items() if houses},
        report=scored.counts,
        told=report.armies.to_json(),
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
    score, names = scored.score, side_names_of(scored.battle, state)
    vp = {side: tuple((line.text, line.vp) for line in score.lines if line.side == side) for side in names}
    reason = replace_side_letters(score.reason, names)
    if not reason:  # the rulebook says why one of two sides won
        reason = f"{names[score.winner]} won." if score.winner else "Nobody won."
    effects: tuple[EffectRow, ...] = ()
    if state is not None:
        effects = effect_rows(effects_of(state, act_of(scored, state, declared)), Names(state), of_one_battle=True)
    return ReportPreview(score.winner, reason, vp, score.notes, effects)


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
        return _finish_standalone(battle, who, score_report(battle, report, None), key=key)
    campaign, state = _campaign_with_state(battle, state)
    require_permission(permissions_of(battle, who, state).report, battle)
    scored = score_report(battle, report, state)
    return approvals_services.submit_report(
        campaign,
        Who.of(as_person) if as_person is not None else who,
        act_of(scored, state),
        key=key,
        subject=subject_of(battle),
        played=scored.report.played_on,
        accept_late=accept_late or len(scored.battle.sides) > 2,
        as_side=as_side or as_person is not None,
        waiting=_approval_read_with(battle),
    )


def _campaign_with_state(battle: Battle, state: State | None) -> tuple[Campaign, State]:
    """The campaign that was read with the state, or both anew."""
    if state is not None and battle.campaign is not None:
        return battle.campaign, state
    campaign = Campaign.objects.select_related("log", "snapshot").get(pk=battle.campaign_id)
    return campaign, campaign_selectors.state_as_read(campaign)


def _finish_standalone(battle: Battle, who: Who, scored: ScoredReport, *, key: str) -> Answer:
    report, score = scored.report, scored.score
    result: dict[str, Any] = {
        "scenario": battle.scenario,
        "winner": score.winner,
        "how": score.how,
        "reason": score.reason,
        "lines": [[line.side, line.key, line.number, line.vp] for line in score.lines],
    }
    if scored.counts is None:
        result["many"] = report.armies.to_json()
    else:
        result |= {
            "report": scoring_report_to_json(scored.counts),
            "spent": {side: vp for side, vp in report.spent.items() if vp},
            "told": report.armies.to_json(),
        }
    return battles_services.finish_standalone_battle(battle, who, key=key, result=result, played_on=report.played_on)
