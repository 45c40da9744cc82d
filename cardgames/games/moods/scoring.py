"""Who keeps head and patron: pure functions, asked by the end of a game and by the score sheet alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cardgames.engine import Result, ScoreLine
from cardgames.games.moods.deck_definition import GENRES, MOODS, MUSES

WON, NOBODY = "won", "nobody"
OUTCOMES = {
    WON: "{winners} won. The King's Mood was {king}.",
    NOBODY: "Nobody won. The King's Mood was {king}.",
}


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
    plays: Sequence[Sequence[int]],
    king: int,
    muses: Sequence[int],
    mood_name: str,
    two_cards_when_same: bool = False,
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
