"""Of Mice and Monarchs: who won and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgames.engine import Ending, EndingLine, Result
from cardgames.games.monarchs.scoring import BROKEN, HIGHEST, SHARED, SOLO

HEADLINES = {
    HIGHEST: "{winners} won with {points|point|points}",
    SHARED: "{winners} share the win with {points|point|points} each",
    BROKEN: "{winners} won the tie at {points|point|points}",
    SOLO: "Final score: {points}",
}


def tell_ending(ended: Result, options: Mapping[str, Any]) -> Ending:
    scores, best = ended.scores, max(ended.scores)
    values = {"winners": list(ended.winners), "points": best}
    headline = EndingLine(HEADLINES[ended.outcome], values)
    if ended.outcome == SOLO:
        return Ending(headline, (EndingLine("The court deck is empty.", {}),))
    top = [seat for seat, score in enumerate(scores) if score == best]
    if ended.outcome == HIGHEST:
        second = max((seat for seat in range(len(scores)) if seat not in top), key=lambda seat: scores[seat])
        after = {"winners": list(ended.winners), "points": best, "other": second, "theirs": scores[second]}
        return Ending(headline, (EndingLine("{winners} had {points}, {other} had {theirs}.", after, is_decisive=True),))
    tied = {"seats": top, "points": best, "winners": list(ended.winners)}
    reasons = [EndingLine("{seats} tied with {points|point|points}.", tied)]
    if ended.outcome == BROKEN:
        by, how = ("crowns", "most crowns") if options.get("tiebreak") == "crowns" else ("cards", "fewest cards")
        count = {"winners": list(ended.winners), "count": ended.facts[by][ended.winners[0]], "how": how}
        reasons.append(EndingLine("{winners} won: {how} ({count}).", count, is_decisive=True))
    else:
        reasons.append(EndingLine("A tie is a shared win.", {}, is_decisive=True))
    return Ending(headline, tuple(reasons))
