"""Every point traces to its entry: the steps that led to a kingdom's loyalty or VP, in order of play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from campaign.chronicle.effects import LoyaltyChanged, VpChanged, WarStarted
from campaign.chronicle.entries_and_fold import ChronicleEntry
from campaign.chronicle.sentences import Names, describe_entry, describe_reason


@dataclass(frozen=True, slots=True)
class ScoreStep:
    number: int  # the entry
    played_on: str
    by: int
    total: int
    why: str
    sentence: str


def list_score_steps(entries: Iterable[ChronicleEntry], kingdom: str, what: str, names: Names) -> tuple[ScoreStep, ...]:
    """Steps of ``loyalty`` or ``vp`` from counting entries, in order. They sum to the score; a new war starts at 0."""
    found: list[ScoreStep] = []
    total = 0
    for entry in entries:
        for effect in entry.effects:
            if isinstance(effect, WarStarted):
                found.clear()
                total = 0
            elif isinstance(effect, LoyaltyChanged | VpChanged) and (effect.do, effect.kingdom) == (what, kingdom):
                total += effect.by
                found.append(
                    ScoreStep(
                        entry.number,
                        entry.played_on,
                        effect.by,
                        total,
                        describe_reason(effect),
                        describe_entry(entry, names),
                    )
                )
    return tuple(found)
