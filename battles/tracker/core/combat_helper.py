"""The combat helper: what may be ticked, which [A] and [D] hold, the number to roll, and the exact odds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from battles.tracker.facing import Situation
from rulebook import odds
from rulebook.bars import Bar, Hand, hand_of, lost_bars, marks_of, percent, sum_of
from rulebook.bombardment import Bombardment, aim, levelling_odds, wall_saves_from
from rulebook.burning import Torching, ablaze_odds, torching_throws
from rulebook.marks import MARKS, Tally
from rulebook.modifiers import morale, rally, save
from rulebook.options import BY_THE_BOOK, Options
from rulebook.siege import piece_of
from rulebook.situations import Casting, Melee, Morale, Rally, Save, Shooting
from rulebook.told import OUTCOME_WORDS, signed


@dataclass(frozen=True, slots=True)
class Tick:
    """Something only the table can see. ``kind`` is the mark it makes, ``roll`` the roll it is for."""

    key: str
    kind: str
    text: str
    roll: str = "attack"


_THEIR_MORALE = (
    Tick("target_king_near", "A", "their King within 8″", "morale"),
    Tick("target_bearer", "+1", "their standard within 8″", "morale"),
)
_OUR_MORALE = (
    Tick("king_near", "A", "own King within 8″", "morale"),
    Tick("bearer", "+1", "own standard within 8″", "morale"),
)
_FLANKS = (Tick("target_flanked", "A", "target flanked"), Tick("flanked", "D", "attackers flanked"))

TICKS: dict[str, tuple[Tick, ...]] = {
    "shoot": (Tick("still", "A", "aiming: they have not moved"), Tick("far", "D", "more than 8″ away"), *_THEIR_MORALE),
    "charge": (*_FLANKS, *_THEIR_MORALE, *_OUR_MORALE),
    "cast": _THEIR_MORALE,
    "rally": _OUR_MORALE,
    "nerve": _OUR_MORALE,
    "torch": (Tick("flanked", "D", "attackers flanked"),),
    "bombard": (Tick("far", "D", "more than 8″ away"), Tick("still", "", "the gun was not moved")),
}
TICKS["strike"] = TICKS["charge"]


@dataclass(frozen=True, slots=True)
class Chip:
    """A mark that holds, named."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class HelperSheet:
    """One situation, ready to draw."""

    hands: tuple[Hand, ...]
    chips: tuple[Chip, ...]
    advantages: int
    disadvantages: int
    step: str
    step_words: str
    save: int | None  # the face the target saves on
    bars: tuple[Bar, ...]
    bars_of: str
    outcomes: tuple[tuple[str, str], ...]
    back: tuple[Bar, ...]
    notes: tuple[str, ...]

    @property
    def dice(self) -> int:
        return sum(hand.dice for hand in self.hands)


_TEXT = {mark.name: mark.text for mark in MARKS}


def _chips(tally: Tally) -> tuple[Chip, ...]:
    return tuple(Chip(kind, name, _TEXT.get(name, "")) for kind, name in marks_of(tally))


def _words(tally: Tally) -> str:
    a, d = tally.advantages, tally.disadvantages
    if a == d:
        return "as many of each" if a else "no marks"
    if a < d:
        return "more [D], however many"
    return "twice as many" if tally.step == 2 and d else "two or more" if tally.step == 2 else "more [A]"


def sheet(found: Situation, options: Options = BY_THE_BOOK) -> HelperSheet:
    """Numbers and odds of one situation. The same situation is asked by every phone at the table, so it is kept."""
    return _sheet(found, options)


@lru_cache(maxsize=512)
def _sheet(found: Situation, options: Options) -> HelperSheet:
    if isinstance(found, Shooting):
        attack = odds.shooting(found, options)
        return _attack(attack, found, options)
    if isinstance(found, Melee):
        if found.target.fleeing:
            note = "A fleeing unit that is charged is destroyed without dice."
            return HelperSheet((), (), 0, 0, "0", "", None, (), "", (("is destroyed", "100 %"),), (), (note,))
        both = odds.exchange(found, options)
        return _attack(both.attack, found, options, lost_bars(both.attacker_lost, found.attacker.models))
    if isinstance(found, Casting):
        return _cast(odds.cast(found, options))
    if isinstance(found, (Rally, Morale)):
        tally = rally(found, options) if isinstance(found, Rally) else morale(found, options)
        return _nerve(
            tally, {str(key): chance for key, chance in odds.morale(found, options).items()}, isinstance(found, Rally)
        )
    if isinstance(found, Torching):
        return _torch(found, options)
    return _bombard(found, options)


def _attack(attack: Any, found: Shooting | Melee, options: Options, back: tuple[Bar, ...] = ()) -> HelperSheet:
    tally = attack.throws[0].tally
    rows = tuple((OUTCOME_WORDS[key], percent(chance)) for key, chance in attack.outcomes.items() if chance)
    needs = save(Save(found.target, found.target_at, found.event), options).needed
    return HelperSheet(
        tuple(hand_of(throw) for throw in attack.throws),
        _chips(tally),
        tally.advantages,
        tally.disadvantages,
        signed(tally.step),
        _words(tally),
        needs,
        lost_bars(attack.models_lost, found.target.models),
        f"Models lost after saves of {needs}+",
        rows,
        back,
        (),
    )


def _cast(found: Any) -> HelperSheet:
    rows = [(row.spell.name + ("" if row.works else ", to no effect"), percent(row.chance)) for row in found.spells]
    rows.append(("a unit loses its activation", percent(found.loses_activation)))
    rows.append(("the target is removed", percent(found.gone)))
    return HelperSheet((), (), 0, 0, "0", "", None, (), "", tuple(rows), (), ("A d10 tells the spell.",))


def _nerve(tally: Tally, chances: Mapping[str, Fraction], rallying: bool) -> HelperSheet:
    words = {
        "stand": "rallies" if rallying else "stands",
        "flee": "flees on" if rallying else "flees",
        "scatter": "scatters",
    }
    shades = {"stand": 1, "flee": 2, "scatter": 4}
    bars = tuple(
        Bar(words[key], round(chance * 100), shades[key], percent(chance)) for key, chance in chances.items() if chance
    )
    hand = Hand("Morale", 1, tally.needed, False, marks_of(tally), sum_of(tally))
    rows = tuple((words[key], percent(chance)) for key, chance in chances.items() if chance)
    return HelperSheet(
        (hand,), _chips(tally), tally.advantages, tally.disadvantages, signed(tally.step), _words(tally), None,
        bars, "What the unit does", rows, (), (),
    )  # fmt: skip


def _torch(found: Torching, options: Options) -> HelperSheet:
    throws = torching_throws(found, options)
    tally = throws[0].tally
    chance = ablaze_odds(found, options)
    bars = (
        Bar("stands", 100 - round(chance * 100), 1, percent(1 - chance)),
        Bar("ablaze", round(chance * 100), 4, percent(chance)),
    )
    return HelperSheet(
        tuple(hand_of(throw) for throw in throws), _chips(tally), tally.advantages, tally.disadvantages,
        signed(tally.step), _words(tally), None, bars, f"{found.building.name} after this attack", (), (),
        (f"{'One hit more sets' if found.building.wounds_left == 1 else 'Two hits set'} it ablaze. Houses do not save.",),
    )  # fmt: skip


def _bombard(found: Bombardment, options: Options) -> HelperSheet:
    kind = piece_of(found.piece).kind
    tally = aim(found, options)
    return HelperSheet(
        (Hand("War machine", 2, tally.needed, False, marks_of(tally), sum_of(tally)),),
        _chips(tally), tally.advantages, tally.disadvantages, signed(tally.step), _words(tally), wall_saves_from(kind),
        (), "", (), (), (f"Then the stone saves on {wall_saves_from(kind)}+.",),
    )  # fmt: skip


def falls(found: Bombardment, damage: int, options: Options = BY_THE_BOOK) -> tuple[Bar, ...]:
    """The chance that the piece comes down with this shot."""
    chance = levelling_odds(found, 1, options, damage=damage)[0]
    return (
        Bar("stands", 100 - round(chance * 100), 1, percent(1 - chance)),
        Bar("falls", round(chance * 100), 4, percent(chance)),
    )
