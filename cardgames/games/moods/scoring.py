"""Scoring and ending of Moods of the Mad King: who keeps head and patron, played or typed in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cardgames.engine import Ending, EndingLine, Result, ScoreLine
from cardgames.games.moods.deck_definition import GENRES, MOODS, MUSES

WON, NOBODY = "won", "nobody"
OUTCOMES = {WON: "{winners} won. The King's Mood was {king}.", NOBODY: "Nobody won. The King's Mood was {king}."}


@dataclass(frozen=True, slots=True)
class Verdict:
    """How the show ends for one playwright."""

    keeps_head: bool
    keeps_patron: bool

    @property
    def wins(self) -> bool:
        return self.keeps_head and self.keeps_patron


def judge(play: Sequence[int], king: int, muse: int, two_cards_when_same: bool = False) -> Verdict:
    """One play before the King and the Muse; all genres by their number.

    Two separate tests, so one card may satisfy both (DR-5). With ``two_cards_when_same`` a single card serves the King
    and the patron is lost (DR-14).
    """
    needed = 2 if two_cards_when_same and king == muse else 1
    return Verdict(king in play, list(play).count(muse) >= needed)


def result(
    plays: Sequence[Sequence[int]], king: int, muses: Sequence[int], mood_name: str, two_cards_when_same: bool = False
) -> Result:
    """The whole result from what lies on the table; typed in or played."""
    verdicts = [judge(play, king, muse, two_cards_when_same) for play, muse in zip(plays, muses, strict=True)]
    winners = tuple(seat for seat, verdict in enumerate(verdicts) if verdict.wins)
    facts = {
        "king": mood_name,
        "mood": MOODS[king],
        "muses": [MUSES[muse] for muse in muses],
        "beheaded": [seat for seat, verdict in enumerate(verdicts) if not verdict.keeps_head],
        "without_patron": [seat for seat, verdict in enumerate(verdicts) if not verdict.keeps_patron],
    }
    return Result(
        WON if winners else NOBODY,
        winners,
        tuple(int(verdict.wins) for verdict in verdicts),
        lambda: [_lines(verdict, king, muse) for verdict, muse in zip(verdicts, muses, strict=True)],
        facts,
    )


def _lines(verdict: Verdict, king: int, muse: int) -> tuple[ScoreLine, ...]:
    head, patron = verdict.keeps_head, verdict.keeps_patron
    return (
        ScoreLine("king", "The King", GENRES[king] if head else "beheaded", int(head)),
        ScoreLine("muse", "The Muse", GENRES[muse] if patron else "patron lost", int(patron)),
    )


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
