"""Mustering the troops: the call goes out, four houses answer, and every die is an input.

One course of questions serves two callers. ``begin`` and ``answer`` ask one question at a time, for a phone;
``muster_at_once`` runs the same course with a cup of dice, for a quick army.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from refusal import Refusal
from rulebook.army import HOUSE_SLOTS, KING_SLOT, Army, MusteredUnit, Slot, mustered
from rulebook.heroes import HEROES, bearer_rolled
from rulebook.muster_questions import CHOICE_KINDS, Answer, Ask, Question, Step, Tally, checked, question_of, step_of
from rulebook.muster_table import REBEL_PRICE, REGAIN_PRICE, REROLL_PRICE, ROW_OF, Call, rebel_bonus, rebel_row
from rulebook.options import Options
from rulebook.rolls import d10, dice, one_of
from rulebook.units import UNIT, weapon_of

SIEGE_EXTRAS = 2


@dataclass(frozen=True, slots=True)
class Muster:
    """A muster under way: what was answered, what stands so far, what is asked next."""

    call: Call
    answers: tuple[Answer, ...]
    steps: tuple[Step, ...]
    units: tuple[MusteredUnit, ...]
    question: Question | None
    vp_spent: int
    army: Army | None  # once nothing is left to ask

    @property
    def done(self) -> bool:
        return self.army is not None

    @property
    def vp_left(self) -> int:
        return self.call.vp - self.vp_spent

    @property
    def can_reroll(self) -> bool:
        """Whether the die just thrown may be thrown again for a VP (R-12)."""
        return bool(self.answers) and bool(self.answers[-1].thrown) and self.vp_left >= REROLL_PRICE


# Answers come in as Any: the driver has checked each of them against its question.
_Course = Generator[Ask, Any, None]


def _course(call: Call, tally: Tally, quick: bool) -> _Course:
    """All the questions of a muster, in the order of the book. ``quick`` asks dice only and takes every default."""
    options = call.options
    if (yield ("hero_chance", KING_SLOT, 0, "king")) >= 8:
        hero = yield from _hero(KING_SLOT, "king", tally, options, quick)
        tally.units.append(mustered(KING_SLOT, "king", hero, None))
    else:
        tally.units.append(mustered(KING_SLOT, "king", None, None))
    loyalty = call.counted
    for house, slot in HOUSE_SLOTS.items():
        loyal = house not in call.lost
        if not loyal:
            loyal = yield from _regain(slot, tally, options, quick)
            if not loyal:
                tally.silent.append(house)
        while loyal:
            roll = yield ("muster", slot, loyalty, "")
            total = roll + loyalty
            if total > 0:
                rolled = ROW_OF[total if total < 11 else 10].key
                yield from _unit(slot, rolled, tally, options, quick)
                break
            if house in tally.regained:
                tally.regained.remove(house)
            tally.lost.append(house)
            loyal = yield from _regain(slot, tally, options, quick)
    if call.siege == "defender":
        for number in range(1, SIEGE_EXTRAS + 1):
            tally.units.append(mustered(Slot("garrison", number), "ballista", None, None))
    elif call.siege == "attacker":
        for number in range(1, SIEGE_EXTRAS + 1):
            tally.units.append(mustered(Slot("train", number), "cat_non", None, None))
        yield from _rebels(call, tally, quick)


def _regain(slot: Slot, tally: Tally, options: Options, quick: bool) -> Generator[Ask, Any, bool]:
    """A lost house rolls today only where the house rule says so (R-02)."""
    if quick or options.fealty_regain != "roll_at_once" or tally.vp < REGAIN_PRICE:
        return False
    if (yield ("regain", slot, 0, "")) != "regain":
        return False
    tally.vp -= REGAIN_PRICE
    if slot.number in tally.lost:
        tally.lost.remove(slot.number)
    else:
        tally.regained.append(slot.number)
    return True


def _unit(slot: Slot, rolled: str, tally: Tally, options: Options, quick: bool) -> _Course:
    """The unit taken, then its hero, then its weapon."""
    taken = rolled
    if not quick and rolled != "hoppers":
        taken = yield ("lesser", slot, 0, rolled)
    row = UNIT[taken]
    hero = None
    needed = row.hero_on
    if needed is not None and (needed == 1 or (yield ("hero_chance", slot, 0, taken)) >= needed):
        hero = yield from _hero(slot, taken, tally, options, quick)
    weapon = None
    if row.mounted:
        weapon = weapon_of(row, (yield ("weapon", slot, 0, taken)))
    tally.units.append(mustered(slot, taken, hero, weapon))


def _hero(slot: Slot, unit: str, tally: Tally, options: Options, quick: bool) -> Generator[Ask, Any, str]:
    while True:
        roll: int = yield ("hero", slot, 0, unit)
        key = HEROES[roll - 1].key
        if roll not in tally.results:
            break
        if options.unique_heroes == "forced":
            # Ten bought rebels could bring all ten heroes; then there is no new one to wait for.
            if len(tally.results) == len(HEROES):
                break
        elif quick or (yield ("repeat", slot, 0, key)) == "keep":
            break
    tally.results.add(roll)
    if key == "standard_bearer":
        key = bearer_rolled((yield ("musician", slot, 0, unit))).key
    return key


def _rebels(call: Call, tally: Tally, quick: bool) -> _Course:
    number = 0
    while not quick and tally.vp >= REBEL_PRICE:
        number += 1
        slot = Slot("rebel", number)
        if (yield ("rebel", slot, rebel_bonus(number, call.counted, call.options), "")) != "buy":
            return
        tally.vp -= REBEL_PRICE
        bonus = rebel_bonus(number, call.counted, call.options)
        unit = rebel_row((yield ("muster", slot, bonus, "")), bonus, call.options)
        if unit is not None:
            yield from _unit(slot, unit, tally, call.options, quick)


def begin(call: Call | None = None) -> Muster:
    """A muster with its first question."""
    return _replay(Call() if call is None else call, ())


def answer(muster: Muster, value: int | str) -> Muster:
    """The muster after this answer to its question: a d10, or the key of a choice."""
    if muster.question is None:
        raise Refusal("The muster is over; there is nothing left to answer.", field="answer")
    return _replay(muster.call, (*muster.answers, checked(muster.question, value)))


def reroll(muster: Muster, roll: int, keep: Literal["new", "old"] = "new") -> Muster:
    """The die just answered, thrown again for 1 VP; either may be kept (R-12, R-57)."""
    d10(roll, "re-roll")
    one_of(keep, ("new", "old"), "die to keep")
    if not muster.answers or not muster.answers[-1].thrown:
        raise Refusal("There is no die to throw again; the last answer was a choice.", field="reroll")
    if muster.vp_left < REROLL_PRICE:
        raise Refusal(f"A re-roll costs 1 VP, and there are {muster.vp_left} in hand.", field="vp")
    last = muster.answers[-1]
    again = Answer(roll if keep == "new" else last.value, (*last.thrown, roll))
    return _replay(muster.call, (*muster.answers[:-1], again))


def replay(call: Call, answers: Iterable[object]) -> Muster:
    """A muster from its stored answers, each as ``Answer.plain`` gave it."""
    return _replay(call, tuple([plain if isinstance(plain, Answer) else Answer.read(plain) for plain in answers]))


def _replay(call: Call, answers: tuple[Answer, ...]) -> Muster:
    left = iter(answers)
    muster = played(call, lambda question: next(left, None))
    if len(muster.answers) < len(answers):
        raise Refusal(
            f"The muster was over after {len(muster.answers)} answers; there are {len(answers)}.", field="answer"
        )
    return muster


def played(call: Call, give: Callable[[Question], Answer | None]) -> Muster:
    """The course run once from its beginning: ``give`` answers each question as it comes, or None to stop at it."""
    tally = Tally(call.vp)
    course = _course(call, tally, quick=False)
    steps: list[Step] = []
    asked: Question | None = None
    ask = _next(course)
    while ask is not None:
        asked = question_of(ask, call, tally, len(steps) + 1)
        given = give(asked)
        if given is None:
            break
        sure = checked(asked, given)
        tally.vp -= sure.rerolls * REROLL_PRICE
        if tally.vp < 0:
            raise Refusal(f"The re-rolls cost more than the {call.vp} VP in hand.", field="vp")
        steps.append(step_of(ask, sure, call, len(steps) + 1))
        ask = _next(course, sure.value)
    return Muster(
        call,
        tuple([step.answer for step in steps]),
        tuple(steps),
        tuple(tally.units),
        asked if ask else None,
        call.vp - tally.vp,
        None if ask else _army(call, tally, tuple([die for step in steps for die in step.answer.thrown])),
    )


def _next(course: _Course, value: int | str | None = None) -> Ask | None:
    """What the course asks after this answer, or None when it is over."""
    try:
        return course.send(value)
    except StopIteration:
        return None


def _army(call: Call, tally: Tally, thrown: tuple[int, ...]) -> Army:
    return Army(
        tuple(tally.units),
        call.loyalty,
        call.siege,
        tuple(tally.silent),
        tuple(tally.lost),
        tuple(tally.regained),
        call.vp - tally.vp,
        thrown,
    )


def muster_at_once(
    call: Call | None = None,
    roll: Callable[[], int] | Iterable[int] = (),
    choose: Callable[[Question], str] | None = None,
) -> Army:
    """A whole army from a cup of dice. Without ``choose`` every unit and hero is taken as it falls and no VP is spent."""
    call = Call() if call is None else call
    throw = roll if callable(roll) else _cup(roll)
    tally = Tally(call.vp)
    course = _course(call, tally, quick=choose is None)
    thrown: list[int] = []
    asked = 1
    ask = _next(course)
    while ask is not None:
        if choose is not None and ask[0] in CHOICE_KINDS:
            question = question_of(ask, call, tally, asked)
            ask = _next(course, checked(question, choose(question)).value)
        else:
            face = throw()
            if type(face) is not int or not 1 <= face <= 10:
                d10(face, "die")
            thrown.append(face)
            ask = _next(course, face)
        asked += 1
    return _army(call, tally, tuple(thrown))


def _cup(faces: Iterable[int]) -> Callable[[], int]:
    left = iter(faces)
    used = 0

    def throw() -> int:
        nonlocal used
        for face in left:
            used += 1
            return face
        raise Refusal(f"The muster takes more than {dice(used)}; give it more.", field="dice")

    return throw
