"""The score so far: the report as tracked, VP, and whether the battle is decided."""

from dataclasses import dataclass

from battles.tracker.core.state import BattleTerms, TrackerState
from refusal import Refusal
from rulebook.battle.castle import RemainingForce, find_siege_end, sides_in_castle
from rulebook.battle.combat import BUILDING_WOUNDS
from rulebook.campaign.battle_scoring import Report, Score, SideReport, score_report
from rulebook.campaign.vp_spending import available_vp as purse_of
from rulebook.data.scenario_goals import AloneInCastle, HeldAtEnd, HeldEachRound, Holds, SetAblaze
from rulebook.data.scenarios import SIDES, SideKey


def rounds_played(tracker: TrackerState) -> int:
    """Finished rounds."""
    if tracker.cells.get("over"):
        return int(tracker.cells["over"])
    return max(0, tracker.round - 1)


def build_report(tracker: TrackerState, terms: BattleTerms, *, stopped: bool | None = None) -> Report:
    """The report for scoring, filled in from the tracker."""
    if tuple(tracker.sides) != ("A", "B"):
        raise Refusal("The tracker scores only battles of two sides. Enter the result by hand.", status=409)
    row = terms.row
    length = None
    if row.rounds is not None:
        length = max(1, min(row.rounds, rounds_played(tracker)))
    return Report(
        terms.scenario,
        _side(tracker, "A"),
        _side(tracker, "B"),
        length,
        crossings=_held_at_end(tracker) if row.track(HeldAtEnd) else {},
        mounds=_held_each_round(tracker) if row.track(HeldEachRound) else (),
        ablaze=sum(wounds == BUILDING_WOUNDS for _, wounds in building_wounds(tracker, terms)),
        holder=_holder(tracker, terms),
        stopped=bool(tracker.cells.get("stopped")) if stopped is None else stopped,
    )


def _side(tracker: TrackerState, side: str) -> SideReport:
    units = tracker.units(side)
    return SideReport(
        len(units),
        removed=sum(unit.gone is not None and unit.gone.how == "removed" for unit in units),
        fleeing=sum(unit.here and unit.fleeing for unit in units),
        escaped=sum(unit.gone is not None and unit.gone.how == "escaped" for unit in units),
        yielded=bool(tracker.cells.get(f"yielded/{side}")),
    )


def _held_at_end(tracker: TrackerState) -> dict[str, int]:
    """Each objective needs a standing unit, so losses can lower the number entered."""
    held = tracker.cells.get("crossings") or {}
    return {side: min(int(held.get(side, 0)), _side(tracker, side).standing) for side in SIDES}


def _held_each_round(tracker: TrackerState) -> tuple[dict[str, int], ...]:
    """Of every finished round, and of the current one if it was entered."""
    played = rounds_played(tracker)
    rounds = [tracker.cells.get(f"held/{number}") for number in range(1, played + 1)]
    late = tracker.cells.get(f"held/{tracker.round}")
    if late and played < tracker.round:
        rounds.append(late)
    return tuple(dict(held or {}) for held in rounds)


def _holder(tracker: TrackerState, terms: BattleTerms) -> SideKey | None:
    if terms.row.track(AloneInCastle) and tracker.has_castle:
        inside = sides_in_castle(tracker.castle())
        return next(iter(inside)) if len(inside) == 1 else None
    side = tracker.cells.get("holder")
    if terms.siege or terms.row.track(Holds) is None or side not in SIDES:
        return None
    return side if _side(tracker, side).standing else None


def building_wounds(tracker: TrackerState, terms: BattleTerms) -> tuple[tuple[int, int], ...]:
    """Each building that can be set on fire, with its wounds."""
    track = terms.row.track(SetAblaze)
    numbers = range(1, track.most + 1) if track else ()
    return tuple((number, int(tracker.cells.get(f"building/{number}") or 0)) for number in numbers)


def score_so_far(tracker: TrackerState, terms: BattleTerms) -> Score | None:
    """The score if the battle stopped now; after the last round, its result."""
    if not tracker.is_set_up or tuple(tracker.sides) != ("A", "B"):
        return None
    played_out = bool(tracker.cells.get("over")) and not tracker.cells.get("stopped")
    return score_report(build_report(tracker, terms, stopped=not played_out), terms.options)


def vp_of(score: Score | None, side: str) -> int:
    """VP from kills and goals, without the win."""
    return sum(line.vp for line in score.lines if line.side == side and line.key != "win") if score else 0


def vp_earned(tracker: TrackerState, terms: BattleTerms, side: str) -> int:
    return vp_of(score_so_far(tracker, terms), side)


def vp_available(tracker: TrackerState, terms: BattleTerms, side: str) -> int:
    """VP a side can spend now: its starting VP plus VP earned minus VP spent in this battle (R-57)."""
    return purse(tracker, score_so_far(tracker, terms), side)


def purse(tracker: TrackerState, score: Score | None, side: str) -> int:
    try:
        return purse_of(tracker.starting_vp(side), vp_of(score, side), tracker.vp_spent(side))
    except Refusal:
        return 0  # overspent; the result form says so


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the battle is decided, and how."""

    over: bool
    winner: str | None
    reason: str


def verdict_if_stopped(tracker: TrackerState, terms: BattleTerms) -> Verdict:
    """How the battle ends if the players stop it now: a draw, unless somebody has already won."""
    if tuple(tracker.sides) == ("A", "B"):
        score = score_report(build_report(tracker, terms, stopped=True), terms.options)
        if score.winner is not None:
            return Verdict(True, score.winner, score.reason)
    return Verdict(True, None, "The battle ended as a draw.")


def battle_verdict(tracker: TrackerState, terms: BattleTerms, *, round_over: bool = False) -> Verdict:
    """Checked after every step; a rout counts only at the end of a round (R-59)."""
    if not tracker.is_set_up:
        return Verdict(False, None, "")
    if tracker.cells.get("stopped"):
        return verdict_if_stopped(tracker, terms)
    if tuple(tracker.sides) != ("A", "B"):
        return _verdict_of_many(tracker)
    report = build_report(tracker, terms, stopped=False)
    if terms.siege:
        a, b = report.a, report.b
        yields = "A" if a.yielded else "B" if b.yielded else None
        end = find_siege_end(
            RemainingForce(a.left, a.fleeing),
            RemainingForce(b.left, b.fleeing),
            yields=yields,
            round_over=round_over,
            castle=tracker.castle(),
            options=terms.options,
        )
        return Verdict(end.winner is not None, end.winning_side, end.text if end.winner else "")
    try:
        score = score_report(report, terms.options)
    except Refusal:
        return Verdict(False, None, "")
    if score.how == "routed" and not round_over:
        return Verdict(
            False, None, "All remaining units of one side are fleeing. If none rallies this round, it loses."
        )
    return Verdict(True, score.winner, score.reason)


def _verdict_of_many(tracker: TrackerState) -> Verdict:
    """With more than two armies, the last one left wins."""
    still = [
        side
        for side in tracker.sides
        if not tracker.cells.get(f"yielded/{side}") and any(unit.here for unit in tracker.units(side))
    ]
    if len(still) > 1:
        return Verdict(False, None, "")
    winner = still[0] if still else None
    return Verdict(True, winner, f"Only {tracker.side_name(winner)} is left." if winner else "No army is left.")
