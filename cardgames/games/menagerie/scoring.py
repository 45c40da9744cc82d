"""Scoring and ending of Royal Menagerie, for the digital table and for the score sheet."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from operator import getitem
from typing import Any

from cardgames.engine import Deck, Ending, EndingLine, Result, ScoreLine, Side
from cardgames.games.menagerie.deck_definition import ANIMALS, CONSPIRATOR, LOYALIST, ROLES, VIZIER
from refusal import Refusal

# How many of a type a pen holds.
MAX_PEN = 3
# Company is good, a crowd is not.
POINTS = (0, 1, 3, 0)

SOLO, SHARED, CONSPIRATORS, NOBODY = "solo", "shared", "conspirators", "nobody"
# Not an outcome of its own: the sentence for a Conspirators' win by equal totals.
TIE = "conspirators-tie"
OUTCOMES = {
    SOLO: "{winners} won alone: the Grand Vizier outscored each of the others.",
    SHARED: "{winners} won: Vizier and Loyalist together outscored the Conspirators.",
    CONSPIRATORS: "{winners} won: the Conspirators held off Vizier and Loyalist.",
    TIE: "{winners} win the tie, {crown} : {plot}. Equal totals go to the Conspirators.",
    NOBODY: "Both sides have {crown|point|points}, so nobody wins at this table.",
}


def animal_points(count: int, factor: int = 1) -> int:
    return POINTS[count] * factor


def parse_counts(counts: Mapping[str, int]) -> list[int]:
    """Typed-in counts by animal, checked, in the order of the animals. Types left out are none."""
    for key, count in counts.items():
        if key not in ANIMALS:
            raise Refusal(f"There is no animal {key!r} in this game.", field=key)
        if type(count) is not int or not 0 <= count <= MAX_PEN:
            raise Refusal(f"A menagerie holds 0 to {MAX_PEN} of a type.", field=key)
    return [counts.get(key, 0) for key in ANIMALS]


def score_menagerie(counts: Sequence[int], deck: Deck) -> tuple[ScoreLine, ...]:
    """The lines of one menagerie, one per type; ``counts`` in the order of the animals."""
    return tuple([lines[count] for lines, count in zip(_lines(deck), counts, strict=True)])


@lru_cache(maxsize=64)
def _lines(deck: Deck) -> tuple[tuple[ScoreLine, ...], ...]:
    """For each type the line it gives with 0 to 3 animals."""
    table = []
    for key in ANIMALS:
        row = deck.row(key)
        name, factor = str(row.values["name"]), row.number("factor")
        double = "" if factor == 1 else f", points times {factor}"
        table.append(
            tuple(
                ScoreLine(key, name, f"{count} of this type{double}", animal_points(count, factor))
                for count in range(MAX_PEN + 1)
            )
        )
    return tuple(table)


@lru_cache(maxsize=64)
def points_of(deck: Deck) -> tuple[tuple[int, ...], ...]:
    """For each type its points with 0 to 3 animals."""
    return tuple(tuple(line.points for line in lines) for lines in _lines(deck))


def is_stampede(counts: Sequence[int]) -> bool:
    """Whether one menagerie has all six types."""
    return all(counts)


def outcome(
    scores: Sequence[int], roles: Sequence[str], sum_tie: str = CONSPIRATORS
) -> tuple[str, tuple[int, ...], dict[str, int]]:
    """Who wins: the outcome, the winning seats, and the two sums."""
    plotters = tuple([seat for seat, role in enumerate(roles) if role == CONSPIRATOR])
    if len(roles) != len(ROLES) or len(plotters) != 2 or VIZIER not in roles or LOYALIST not in roles:
        raise Refusal("The roles are one Grand Vizier, one Loyalist and two Conspirators.")
    if len(scores) != len(roles):
        raise Refusal("Each of the four players needs a score.")
    vizier, loyalist = roles.index(VIZIER), roles.index(LOYALIST)
    crown = scores[vizier] + scores[loyalist]
    plot = scores[plotters[0]] + scores[plotters[1]]
    sums = {"crown": crown, "plot": plot}
    best = max(scores)
    if scores[vizier] == best and list(scores).count(best) == 1:
        return SOLO, (vizier,), sums
    if crown > plot:
        return SHARED, tuple(sorted((vizier, loyalist))), sums
    if crown == plot and sum_tie == NOBODY:
        return NOBODY, (), sums
    return CONSPIRATORS, plotters, sums


def outcome_text(ended: Result) -> str:
    """The sentence with the result; the winners' names are still to be filled in."""
    is_tie = ended.outcome == CONSPIRATORS and ended.facts["crown"] == ended.facts["plot"]
    return OUTCOMES[TIE if is_tie else ended.outcome]


def result(counts: Sequence[Sequence[int]], roles: Sequence[str], deck: Deck, sum_tie: str = CONSPIRATORS) -> Result:
    """The whole result from what lies on the table; typed in or played."""
    table = points_of(deck)
    scores = tuple([sum(map(getitem, table, each)) for each in counts])
    name, winners, sums = outcome(scores, roles, sum_tie)
    return Result(
        name, winners, scores, lambda: [score_menagerie(each, deck) for each in counts], {"roles": list(roles), **sums}
    )


HEADLINES = {
    SOLO: "The Grand Vizier wins alone",
    SHARED: "Vizier and Loyalist win, {crown} : {plot}",
    CONSPIRATORS: "Conspirators win, {plot} : {crown}",
    NOBODY: "A tie, {crown} : {plot}. Nobody wins",
}
TIE_HEADLINE = "Conspirators win the tie, {crown} : {plot}"


def explain_ending(ended: Result, options: Mapping[str, Any]) -> Ending:
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
    headline = TIE_HEADLINE if is_tie and ended.outcome == CONSPIRATORS else HEADLINES[ended.outcome]
    sides = (Side("Crown", (vizier, loyalist)), Side("Plot", plotters))
    return Ending(EndingLine(headline, sums), tuple(reasons), sides)
