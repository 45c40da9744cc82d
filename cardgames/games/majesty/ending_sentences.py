"""Your Majesty: who won and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgames.engine import Ending, EndingLine, Result
from cardgames.games.majesty.scoring import (
    LIMIT_SHARED,
    NEEDS_REFORM,
    REACHED,
    ROUND_LIMIT,
    SHARED,
    STALLED,
    STALLED_SHARED,
)

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
