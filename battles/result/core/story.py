"""A battle in plain sentences. Every sentence comes from its report or its log; nobody at the table is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from battles.telling.fielded import FieldUnit
from battles.telling.told import Told
from campaign.annals.wording import capital, counted, day, listed, number
from rulebook.scenarios import SCENARIO
from rulebook.scoring import Score
from rulebook.units import UNIT


@dataclass(frozen=True, slots=True)
class Frame:
    """What a story needs to know beside the report."""

    names: Mapping[str, str]  # of the sides, by letter
    scenario: str
    played_on: str = ""
    attacker: str = ""  # letter of the side that attacked, in a campaign
    place: str = ""
    taken: bool = False  # the place changed hands
    rounds: Sequence[tuple[int, Sequence[str]]] = ()  # what the tracker heard, round by round
    houses: Mapping[str, Mapping[int, str]] | None = None  # names of the houses by side


def told_story(frame: Frame, told: Told | None, score: Score | None) -> tuple[tuple[str, ...], ...]:
    """Paragraphs of sentences: how it came to the battle, its rounds, how it ended, what it cost."""
    paragraphs: list[tuple[str, ...]] = [_opening(frame)]
    for at, said in frame.rounds:
        paragraphs.append((f"Round {at}.", *said) if at else tuple(said))
    if told is not None and score is not None:
        paragraphs.append(_ending(frame, told, score))
        paragraphs.append(tuple(_losses(frame, told, side) for side in ("A", "B")))
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def named(sentence: str, names: Mapping[str, str]) -> str:
    """The rulebook knows sides by letter; a story knows them by name."""
    for letter, name in names.items():
        sentence = sentence.replace(f"Side {letter}", name).replace(f"side {letter}", name)
    return sentence


def _opening(frame: Frame) -> tuple[str, ...]:
    names = list(frame.names.values())
    when = f"On {day(frame.played_on)} " if frame.played_on else ""
    fought = _article(frame.scenario)
    if frame.attacker and frame.place:
        attacker = frame.names[frame.attacker]
        said = f"{when}{attacker} marched on {frame.place}, and {_defender(frame)} came to hold it."
    elif len(names) > 2:
        said = f"{when}{listed(names)} met in the field."
    else:
        said = f"{when}{names[0]} and {names[1]} met in the field."
    return (capital(said), f"They fought {fought}.") if frame.scenario else (capital(said),)


def _article(scenario: str) -> str:
    if scenario not in SCENARIO:
        return "a battle"
    name = SCENARIO[scenario].name
    if scenario == "siege":
        return "a siege"
    return f"a {name}" if scenario in ("pitched_battle", "last_stand", "chevauchee") else f"“{name}”"


def _ending(frame: Frame, told: Told, score: Score) -> tuple[str, ...]:
    said = [_how(frame, score)]
    if score.winner:
        winner = frame.names[score.winner]
        said.append(f"{winner} won the day.")
        if frame.place and frame.attacker == score.winner and frame.taken:
            said.append(f"{frame.place} has a new master.")
        elif frame.place and frame.attacker:
            said.append(f"{frame.place} stays with {_defender(frame)}.")
    else:
        said.append("Nobody won.")
    if told.scenario == "hold_the_hills" and told.mounds:
        a, b = sum(row[0] for row in told.mounds), sum(row[1] for row in told.mounds)
        said.append(f"Over {counted(len(told.mounds), 'round')} {frame.names['A']} held {number(a)} and {frame.names['B']} {number(b)} mounds.")  # fmt: skip
    return tuple(said)


def _how(frame: Frame, score: Score) -> str:
    loser = frame.names.get({"A": "B", "B": "A"}.get(score.winner or "", ""), "")
    if score.how == "yielded" and loser:
        return f"{loser} yielded."
    if score.how == "destroyed" and loser:
        return f"In the end {loser} had no unit left."
    if score.how == "routed" and loser:
        return f"In the end all that was left of {loser} fled."
    if score.how == "stopped":
        return "It was left undecided."
    return named(score.reason, frame.names)


def _defender(frame: Frame) -> str:
    return next(name for letter, name in frame.names.items() if letter != frame.attacker)


def _losses(frame: Frame, told: Told, side: str) -> str:
    gone = set(told.gone(side))
    fielded = told.fielded[side]
    name = frame.names[side]
    if not gone:
        return f"{name} brought all of its {counted(len(fielded), 'unit')} home."
    houses = (frame.houses or {}).get(side, {})
    lost = [_unit(one, houses) for one in fielded if one.key in gone]
    if len(gone) == len(fielded):
        return f"Of {name} nothing was left: {listed(lost)}."
    return f"{name} lost {number(len(gone))} of {counted(len(fielded), 'unit')}: {listed(lost)}."


def _unit(one: FieldUnit, houses: Mapping[int, str]) -> str:
    if one.origin == "king":
        return "the King's unit"
    row = UNIT[one.unit] if one.unit else None
    whose = houses.get(one.number, f"House {one.number}") if one.origin == "house" else ""
    if row is None:
        return f"the unit of {whose}"
    what = f"the {row.name}"
    return f"{what} of {whose}" if whose else what
