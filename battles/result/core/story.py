"""A battle's story, taken from its report and its log. Players are not named."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battles.result.core.report import FieldedUnit, UnitReport
from battles.tracker.core.logged_steps import LoggedStep, active_steps
from campaign.chronicle.sentences import capitalise, count_noun, format_day, spell_number
from rulebook.campaign.battle_scoring import Score
from rulebook.data.scenario_goals import HeldEachRound
from rulebook.data.scenarios import SCENARIO, opposite_side
from rulebook.data.units import UNIT
from text import join_list


@dataclass(frozen=True, slots=True)
class StoryContext:
    """What a story needs besides the report."""

    names: Mapping[str, str]  # of the sides, by letter
    scenario: str
    played_on: str = ""
    attacker: str = ""  # letter of the side that attacked, in a campaign
    place: str = ""
    taken: bool = False  # the place changed hands
    rounds: Sequence[tuple[int, Sequence[str]]] = ()  # the tracker's sentences, round by round
    houses: Mapping[str, Mapping[int, str]] | None = None  # names of the houses by side


def write_story(context: StoryContext, report: UnitReport | None, score: Score | None) -> tuple[tuple[str, ...], ...]:
    """Paragraphs of sentences: the opening, the rounds, the ending, the losses."""
    paragraphs: list[tuple[str, ...]] = [_opening(context)]
    for at, sentences in context.rounds:
        paragraphs.append((f"Round {at}.", *sentences) if at else tuple(sentences))
    if report is not None and score is not None:
        paragraphs.append(_ending(context, report, score))
        paragraphs.append(tuple(_losses(context, report, side) for side in ("A", "B")))
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def replace_side_letters(sentence: str, names: Mapping[str, str]) -> str:
    """The rulebook names sides by letter; a story by name."""
    for letter, name in names.items():
        sentence = sentence.replace(f"Side {letter}", name).replace(f"side {letter}", name)
    return sentence


def _opening(context: StoryContext) -> tuple[str, ...]:
    names = list(context.names.values())
    when = f"On {format_day(context.played_on)} " if context.played_on else ""
    fought = _article(context.scenario)
    if context.attacker and context.place:
        attacker = context.names[context.attacker]
        sentence = f"{when}{attacker} marched on {context.place}, and {_defender(context)} came to defend it."
    elif len(names) > 2:
        sentence = f"{when}{join_list(names)} met in the field."
    else:
        sentence = f"{when}{names[0]} and {names[1]} met in the field."
    return (capitalise(sentence), f"They fought {fought}.") if context.scenario else (capitalise(sentence),)


def _article(scenario: str) -> str:
    if scenario not in SCENARIO:
        return "a battle"
    return SCENARIO[scenario].in_story or f"“{SCENARIO[scenario].name}”"


def _ending(context: StoryContext, report: UnitReport, score: Score) -> tuple[str, ...]:
    sentences = [_ending_sentence(context, score)]
    if score.winner:
        winner = context.names[score.winner]
        sentences.append(f"{winner} won the day.")
        if context.place and context.attacker == score.winner and context.taken:
            sentences.append(f"{context.place} has a new master.")
        elif context.place and context.attacker:
            sentences.append(f"{context.place} stays with {_defender(context)}.")
    else:
        sentences.append("Nobody won.")
    track = SCENARIO[report.scenario].track(HeldEachRound) if report.scenario in SCENARIO else None
    if track and report.mounds:
        a, b = sum(row[0] for row in report.mounds), sum(row[1] for row in report.mounds)
        sentences.append(
            f"Over {count_noun(len(report.mounds), 'round')} {context.names['A']} held {spell_number(a)} {track.noun} "
            f"and {context.names['B']} {spell_number(b)}."
        )
    return tuple(sentences)


def _ending_sentence(context: StoryContext, score: Score) -> str:
    loser = context.names.get(opposite_side(score.winner), "") if score.winner else ""
    if score.how == "yielded" and loser:
        return f"{loser} yielded."
    if score.how == "destroyed" and loser:
        return f"In the end {loser} had no units left."
    if score.how == "routed" and loser:
        return f"In the end all remaining units of {loser} fled."
    if score.how == "stopped":
        return "The battle was left undecided."
    return replace_side_letters(score.reason, context.names)


def _defender(context: StoryContext) -> str:
    return next(name for letter, name in context.names.items() if letter != context.attacker)


def _losses(context: StoryContext, report: UnitReport, side: str) -> str:
    gone = set(report.removed_units(side))
    fielded = report.fielded[side]
    name = context.names[side]
    if not gone:
        return f"{name} brought all of its {count_noun(len(fielded), 'unit')} home."
    houses = (context.houses or {}).get(side, {})
    lost = [_unit(unit, houses) for unit in fielded if unit.key in gone]
    if len(gone) == len(fielded):
        return f"{name} lost everything: {join_list(lost)}."
    return f"{name} lost {spell_number(len(gone))} of {count_noun(len(fielded), 'unit')}: {join_list(lost)}."


def _unit(unit: FieldedUnit, houses: Mapping[int, str]) -> str:
    if unit.origin == "king":
        return "the King's unit"
    row = UNIT[unit.unit] if unit.unit else None
    whose = houses.get(unit.number, f"House {unit.number}") if unit.origin == "house" else ""
    if row is None:
        return f"the unit of {whose}"
    what = f"the {row.name}"
    return f"{what} of {whose}" if whose else what


# ── The rounds, as the tracker has them ─────────────────────────────────────────────────────────────────────


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
    renamed = {}
    for step in steps:
        for letter, name in names.items():
            was = (step.writes.get(f"side/{letter}") or {}).get("name")
            if was and was != name:
                renamed[was] = name
    return renamed


def _with_new_names(sentence: str, renamed: Mapping[str, str]) -> str:
    if not renamed:
        return sentence
    # All at once, so that two kingdoms may swap their names.
    either = "|".join(re.escape(name) for name in sorted(renamed, key=len, reverse=True))
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", lambda match: renamed[match[0]], sentence)
