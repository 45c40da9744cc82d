"""Scoring and ending of Your Majesty, for the digital table and for the score sheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.engine import Ending, EndingLine, Result, ScoreLine

TARGET, WEALTH_TARGET = 20, 16
# The two paycheck rules of the book: a reform of level 3 or 5 is needed, or only as many philosophes as wealth count.
NO_PAYCHECK, NEEDS_REFORM, BY_WEALTH = "none", "reform", "wealth"
NEEDED_LEVEL = 3
REACHED, SHARED = "reached", "shared"
ROUND_LIMIT, LIMIT_SHARED = "round-limit", "round-limit-shared"
STALLED, STALLED_SHARED = "stalled", "stalled-shared"
OUTCOMES = {
    REACHED: "{winners} reached {target} prestige and won.",
    SHARED: "{winners} reached {target} prestige together and share the win.",
    ROUND_LIMIT: "After {rounds|round|rounds} {winners} had the most prestige and won.",
    LIMIT_SHARED: "After {rounds|round|rounds} {winners} had the most prestige and share the win.",
    STALLED: "Nobody acted for a whole round. {winners} had the most prestige and won.",
    STALLED_SHARED: "Nobody acted for a whole round. {winners} had the most prestige and share the win.",
}


@dataclass(frozen=True, slots=True)
class CourtCount:
    """What counts at one court: prestige of each philosophe, level of each reform, slave colonies, and wealth."""

    philosophes: tuple[int, ...] = ()
    reforms: tuple[int, ...] = ()
    slave_colonies: int = 0
    wealth: int = 0


def target_of(paycheck: str = NO_PAYCHECK) -> int:
    return WEALTH_TARGET if paycheck == BY_WEALTH else TARGET


def counted_philosophes(court: CourtCount, paycheck: str = NO_PAYCHECK) -> tuple[int, ...]:
    """All of them, or the best as far as the wealth goes."""
    if paycheck != BY_WEALTH:
        return court.philosophes
    return tuple(sorted(court.philosophes, reverse=True)[: max(0, court.wealth)])


def prestige_of(court: CourtCount, *, abolished: bool = False, paycheck: str = NO_PAYCHECK) -> int:
    slaves = 0 if abolished else court.slave_colonies
    return sum(counted_philosophes(court, paycheck)) + sum(court.reforms) - slaves


def prestige_lines(court: CourtCount, *, abolished: bool = False, paycheck: str = NO_PAYCHECK) -> tuple[ScoreLine, ...]:
    counted = counted_philosophes(court, paycheck)
    some = (
        f"{len(counted)} of {len(court.philosophes)} counted" if paycheck == BY_WEALTH else f"{len(counted)} at court"
    )
    slaves = f"{court.slave_colonies} at court" + (", slavery is abolished" if abolished else "")
    return (
        ScoreLine("philosophes", "Philosophes", some, sum(counted)),
        ScoreLine("reforms", "Reforms", f"{len(court.reforms)} at court", sum(court.reforms)),
        ScoreLine("slavery", "Slave colonies", slaves, 0 if abolished else -court.slave_colonies),
    )


def can_win(prestige: int, reforms: Sequence[int], paycheck: str = NO_PAYCHECK) -> bool:
    """Whether a court meets the target, and with it whatever else was agreed."""
    if prestige < target_of(paycheck):
        return False
    return paycheck != NEEDS_REFORM or max(reforms, default=0) >= NEEDED_LEVEL


def winners_at_once(
    prestige: Sequence[int], reforms: Sequence[Sequence[int]], paycheck: str = NO_PAYCHECK
) -> tuple[int, ...]:
    """Who wins at this moment: the highest of those who meet the target; equals share."""
    able = [seat for seat, score in enumerate(prestige) if can_win(score, reforms[seat], paycheck)]
    best = max((prestige[seat] for seat in able), default=0)
    return tuple(seat for seat in able if prestige[seat] == best)


def highest(prestige: Sequence[int]) -> tuple[int, ...]:
    """Who has the most when the rounds are over; nothing else is asked."""
    best = max(prestige)
    return tuple(seat for seat, score in enumerate(prestige) if score == best)


HEADLINES = {
    REACHED: "{winners} won with {points} prestige",
    SHARED: "{winners} share the win with {points} prestige each",
    ROUND_LIMIT: "{winners} won with {points} prestige after the last round",
    LIMIT_SHARED: "{winners} share the win with {points} prestige after the last round",
    STALLED: "{winners} won with {points} prestige",
    STALLED_SHARED: "{winners} share the win with {points} prestige each",
}
AT_ONCE = "{target} prestige ends the game at once, on anybody's turn."
ROUNDS = "Nobody had {target} after {rounds|round|rounds}, so the highest prestige wins."
NOBODY_ACTED = "Nobody acted for a whole round, so the highest prestige wins."


def explain_ending(ended: Result, options: Mapping[str, Any]) -> Ending:
    best = ended.scores[ended.winners[0]]
    values = {
        "winners": list(ended.winners),
        "points": best,
        "target": ended.facts["target"],
        "rounds": ended.facts["rounds"],
    }
    reasons = []
    if ended.outcome in (REACHED, SHARED):
        reasons.append(EndingLine(AT_ONCE, values))
    elif ended.outcome in (ROUND_LIMIT, LIMIT_SHARED):
        reasons.append(EndingLine(ROUNDS, values))
    else:
        reasons.append(EndingLine(NOBODY_ACTED, values))
    others = [seat for seat in range(len(ended.scores)) if seat not in ended.winners]
    if others:
        second = max(others, key=lambda seat: ended.scores[seat])
        after = {**values, "other": second, "theirs": ended.scores[second]}
        if ended.scores[second] >= best and options.get("paycheck") == NEEDS_REFORM:
            text = "{other} had {theirs}, but no reform of level 3 or 5."
        else:
            text = "{winners} had {points}, {other} had {theirs}."
        reasons.append(EndingLine(text, after, is_decisive=True))
    else:
        reasons.append(EndingLine("Everybody had {points}. Tied players share the win.", values, is_decisive=True))
    return Ending(EndingLine(HEADLINES[ended.outcome], values), tuple(reasons))
