"""Moods of the Mad King: who won and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgames.engine import Ending, EndingLine, Result
from cardgames.games.moods.scoring import NOBODY


def explain_ending(ended: Result, options: Mapping[str, Any]) -> Ending:
    facts = ended.facts
    values = {"king": facts["king"], "winners": list(ended.winners)}
    beheaded, lost = set(facts["beheaded"]), set(facts["without_patron"])
    reasons = [EndingLine("The King's Mood was {king}.", values)]
    groups = (
        ("{seats} pleased neither King nor Muse.", beheaded & lost),
        ("{seats} had nothing for the King: beheaded.", beheaded - lost),
        ("{seats} pleased the King but lost their patron.", lost - beheaded),
    )
    for text, seats in groups:
        if seats:
            reasons.append(EndingLine(text, {"seats": sorted(seats)}))
    if ended.outcome == NOBODY:
        reasons.append(EndingLine("Nobody pleased both the King and the Muse.", values, is_decisive=True))
        return Ending(EndingLine("Everybody loses", values), tuple(reasons))
    reasons.append(EndingLine("{winners} pleased both the King and the Muse.", values, is_decisive=True))
    verb = "wins" if len(ended.winners) == 1 else "win"
    return Ending(EndingLine(f"{{winners}} {verb}", values), tuple(reasons))
