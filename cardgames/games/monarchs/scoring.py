"""Scoring and ending of Of Mice and Monarchs, for the digital table and for the score sheet."""

from collections.abc import Mapping, Sequence
from typing import Any

from cardgames.engine import Ending, EndingLine, Result, ScoreLine
from cardgames.games.monarchs.deck_definition import COLOURS, GRAY, Mouse
from refusal import Refusal

# Family scoring: two cards of each colour go first.
FAMILY_DISCARD = 2

HIGHEST, SHARED, BROKEN, SOLO = "highest", "shared", "tiebreak", "solo"
OUTCOMES = {
    HIGHEST: "{winners} had the highest total and won.",
    SHARED: "{winners} tied for the highest total and share the win.",
    BROKEN: "{winners} tied for the highest total and won on the agreed tie-break.",
    SOLO: "The court deck is empty. Final score: {points}.",
}

# Cards and crowns of one colour.
Colour = tuple[int, int]


def check_counts(counts: Mapping[str, Colour]) -> dict[str, Colour]:
    """Typed-in cards and crowns by colour; what cannot be is refused with a sentence."""
    out = {}
    for colour, pair in counts.items():
        if colour not in COLOURS:
            raise Refusal(f"{str(colour).capitalize()} is not a court colour.", field=str(colour))
        if len(pair) != 2 or any(type(number) is not int or not 0 <= number <= 99 for number in pair):
            raise Refusal(f"{colour.capitalize()} needs two whole numbers from 0 to 99.", field=colour)
        cards, crowns = pair
        if crowns and not cards:
            raise Refusal(f"{colour.capitalize()} has crowns but no cards.", field=colour)
        out[colour] = (cards, crowns)
    return out


def score_colours(counts: Mapping[str, Colour]) -> tuple[ScoreLine, ...]:
    """Cards times crowns for each of the six colours. Grey is not a colour and never scores."""
    lines = []
    for colour in COLOURS:
        cards, crowns = counts.get(colour, (0, 0))
        how = f"{cards} card{'s' * (cards != 1)} × {crowns} crown{'s' * (crowns != 1)}"
        lines.append(ScoreLine(colour, colour.capitalize(), how, cards * crowns))
    return tuple(lines)


def score_family(crowns_left: Mapping[str, int]) -> tuple[ScoreLine, ...]:
    """Family scoring: the crowns left in each colour after two cards have gone."""
    lines = []
    for colour in COLOURS:
        crowns = crowns_left.get(colour, 0)
        lines.append(ScoreLine(colour, colour.capitalize(), "crowns left after two discards", crowns))
    return tuple(lines)


def count_by_colour(cards: Sequence[Mouse]) -> dict[str, Colour]:
    """Cards and crowns by colour of a heap of cards; gray ones are left out."""
    counts: dict[str, Colour] = {}
    for face in cards:
        if face.colour != GRAY:
            number, crowns = counts.get(face.colour, (0, 0))
            counts[face.colour] = (number + 1, crowns + face.crowns)
    return counts


def best_discards(cards: Sequence[Mouse]) -> tuple[Mouse, ...]:
    """The two of a colour that cost fewest crowns; all of them when there are no more than two."""
    return tuple(sorted(cards, key=lambda face: (face.crowns, face.id))[:FAMILY_DISCARD])


def family_left(cards: Sequence[Mouse], gone: Sequence[Mouse] | None = None) -> int:
    """Crowns left in one colour after the discards, the best ones unless others are named."""
    dropped = best_discards(cards) if gone is None else gone
    return sum(face.crowns for face in cards) - sum(face.crowns for face in dropped)


def winners(
    scores: Sequence[int], crowns: Sequence[int], cards: Sequence[int], tiebreak: str = "share"
) -> tuple[str, tuple[int, ...]]:
    """Who has won: the outcome and the seats. Ties are shared unless the table agreed on a way to break them."""
    if len(scores) == 1:
        return SOLO, (0,)
    top = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if len(top) == 1:
        return HIGHEST, tuple(top)
    if tiebreak == "crowns":
        most = max(crowns[seat] for seat in top)
        left = [seat for seat in top if crowns[seat] == most]
    elif tiebreak == "cards":
        fewest = min(cards[seat] for seat in top)
        left = [seat for seat in top if cards[seat] == fewest]
    else:
        left = top
    return (BROKEN if len(left) == 1 else SHARED), tuple(left)


def result(
    counts: Sequence[Mapping[str, Colour]], tiebreak: str = "share", left: Sequence[Mapping[str, int]] | None = None
) -> Result:
    """The whole result from cards and crowns by colour; with ``left`` by family scoring."""
    if left is None:
        scores = [sum(cards * crowns for cards, crowns in each.values()) for each in counts]
    else:
        scores = [sum(each.values()) for each in left]
    crowns = [sum(pair[1] for pair in each.values()) for each in counts]
    cards = [sum(pair[0] for pair in each.values()) for each in counts]
    name, seats = winners(scores, crowns, cards, tiebreak)

    def explain() -> list[tuple[ScoreLine, ...]]:
        return [score_colours(each) for each in counts] if left is None else [score_family(each) for each in left]

    facts = {"crowns": crowns, "cards": cards, "family": left is not None, "points": scores[0]}
    return Result(name, seats, tuple(scores), explain, facts)


HEADLINES = {
    HIGHEST: "{winners} won with {points|point|points}",
    SHARED: "{winners} share the win with {points|point|points} each",
    BROKEN: "{winners} won the tie at {points|point|points}",
    SOLO: "Final score: {points}",
}


def explain_ending(ended: Result, options: Mapping[str, Any]) -> Ending:
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
