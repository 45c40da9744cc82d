"""Royal Menagerie: who won and why, step by step as one would count it at the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cardgames.engine import Ending, EndingLine, Result, Side
from cardgames.games.menagerie.deck_definition import CONSPIRATOR, LOYALIST, VIZIER
from cardgames.games.menagerie.scoring import CONSPIRATORS, NOBODY, SHARED, SOLO

HEADLINES = {
    SOLO: "The Grand Vizier wins alone",
    SHARED: "Vizier and Loyalist win, {crown} : {plot}",
    CONSPIRATORS: "Conspirators win, {plot} : {crown}",
    NOBODY: "A tie, {crown} : {plot}. Nobody wins",
}
TIE = "Conspirators win the tie, {crown} : {plot}"


def tell_ending(ended: Result, options: Mapping[str, Any]) -> Ending:
    roles, scores = ended.facts["roles"], ended.scores
    crown, plot = ended.facts["crown"], ended.facts["plot"]
    vizier, loyalist = roles.index(VIZIER), roles.index(LOYALIST)
    plotters = tuple(seat for seat, role in enumerate(roles) if role == CONSPIRATOR)
    is_tie = crown == plot
    # Of the others, whoever has most.
    rival = max((seat for seat in range(len(roles)) if seat != vizier), key=lambda seat: scores[seat])
    alone = {"seat": vizier, "other": rival, "mine": scores[vizier], "theirs": scores[rival]}
    sums = {"seat": vizier, "other": loyalist, "crown": crown, "plot": plot, "winners": list(ended.winners)}
    if ended.outcome == SOLO:
        reasons = [
            EndingLine("Alone, {seat} has {mine}; nobody else has more than {theirs}.", alone),
            EndingLine("{winners} won: more points than each of the others.", sums, is_decisive=True),
        ]
    else:
        reasons = [EndingLine("Not alone: {seat} has {mine}, {other} has {theirs}.", alone)]
        if ended.outcome == SHARED:
            reasons.append(EndingLine("Together {seat} and {other} have {crown}, the Conspirators {plot}.", sums))
            reasons.append(EndingLine("{winners} won: more points than the Conspirators.", sums, is_decisive=True))
        else:
            reasons.append(EndingLine("Together {seat} and {other} have {crown}; they need more than {plot}.", sums))
            last = "{winners} won: the Vizier's side does not have more points."
            if is_tie:
                last = "{winners} won. A tie goes to the Conspirators."
            if ended.outcome == NOBODY:
                last = "At this table nobody wins a tie."
            reasons.append(EndingLine(last, sums, is_decisive=True))
    headline = TIE if is_tie and ended.outcome == CONSPIRATORS else HEADLINES[ended.outcome]
    sides = (Side("Crown", (vizier, loyalist)), Side("Plot", plotters))
    return Ending(EndingLine(headline, sums), tuple(reasons), sides)
