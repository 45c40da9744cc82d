"""What the tracker knows for a battle's story: sentences round by round, and whose dice were lucky."""

from __future__ import annotations

import re
from collections.abc import Mapping

from battles.tracker.core.logged_steps import LoggedStep, active_steps

MAX_SENTENCES = 120  # sentences in a story; the tracker's page has the whole log
# Steps that only move a token or open a fight.
STEPS_WITHOUT_STORY = frozenset(
    ("token", "did", "moved", "stands_at", "contact", "set", "held", "crossings", "solo", "fight", "laid")
)
DICE_PHRASES = (" to hit: ", " to save: ", "Initiative: ", " is over. ")


def story_rounds(
    steps: list[LoggedStep], names: Mapping[str, str] | None = None
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The sentences of the tracker, round by round. ``names``: what the sides are called today, by letter."""
    rounds: dict[int, list[str]] = {}
    sentences = 0
    counts = active_steps(steps)
    for step in counts:
        # A charge on a unit in flight removes it without dice, in the step that opens the fight (FLEE-06).
        opens_only = step.kind in STEPS_WITHOUT_STORY and not (step.kind == "fight" and _removes_unit(step))
        if opens_only or sentences >= MAX_SENTENCES:
            continue
        # Leave out dice rolls: the tracker's history has them.
        words = [sentence for sentence in step.sentences if not any(part in sentence for part in DICE_PHRASES)]
        rounds.setdefault(step.round, []).extend(words)
        sentences += len(words)
    renamed = _renamed_sides(counts, names or {})
    return tuple(
        (at, tuple(_with_new_names(sentence, renamed) for sentence in sentences_of))
        for at, sentences_of in sorted(rounds.items())
        if sentences_of
    )


def _removes_unit(step: LoggedStep) -> bool:
    return any(cell.endswith("/gone") and value for cell, value in step.writes.items())


def _renamed_sides(steps: list[LoggedStep], names: Mapping[str, str]) -> dict[str, str]:
    """New names by old ones: kingdoms can be renamed, the tracker's sentences stay as they were written."""
    found = {}
    for step in steps:
        for letter, name in names.items():
            was = (step.writes.get(f"side/{letter}") or {}).get("name")
            if was and was != name:
                found[was] = name
    return found


def _with_new_names(sentence: str, renamed: Mapping[str, str]) -> str:
    if not renamed:
        return sentence
    # All at once, so that two kingdoms may swap their names.
    either = "|".join(re.escape(name) for name in sorted(renamed, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda found: renamed[found[0]], sentence)
