"""Mustering an army. Every die is an input.

The same questions serve two callers. ``begin_muster`` and ``answer_question`` ask one at a time, for a phone;
``muster_army`` answers all of them from a list of dice, for a quick army.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from refusal import Refusal
from rulebook.data.heroes import HEROES, bearer_for_roll, hero_for_roll
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import (
    REBEL_PRICE,
    REGAIN_PRICE,
    REROLL_PRICE,
    ROW_BY_TOTAL,
    MusterCall,
    rebel_bonus,
    rebel_unit,
)
from rulebook.data.units import UNIT, brings_hero, weapon_for_roll
from rulebook.input_checks import check_d10, check_one_of, format_dice
from rulebook.muster.army import HOUSE_SLOTS, KING_SLOT, Army, MusteredUnit, Slot, mustered_unit
from rulebook.muster.questions import (
    CHOICE_KINDS,
    MusterAnswer,
    MusterProgress,
    MusterStep,
    Question,
    RawQuestion,
    build_question,
    build_step,
    check_answer,
)

SIEGE_EXTRAS = 2


@dataclass(frozen=True, slots=True)
class Muster:
    """A muster under way: what was answered, what stands so far, what is asked next."""

    call: MusterCall
    answers: tuple[MusterAnswer, ...]
    steps: tuple[MusterStep, ...]
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
_Course = Generator[RawQuestion, Any, None]


def _questions(call: MusterCall, tally: MusterProgress, quick: bool) -> _Course:
    """All the questions of a muster, in the order of the book. ``quick`` asks dice only and takes every default."""
    options = call.options
    if (yield ("hero_chance", KING_SLOT, 0, "king")) >= 8:
        hero = yield from _ask_hero(KING_SLOT, "king", tally, options, quick)
        tally.units.append(mustered_unit(KING_SLOT, "king", hero, None))
    else:
        tally.units.append(mustered_unit(KING_SLOT, "king", None, None))
    loyalty = call.effective_loyalty
    for house, slot in HOUSE_SLOTS.items():
        loyal = house not in call.lost
        if not loyal:
            loyal = yield from _ask_regain(slot, tally, options, quick)
            if not loyal:
                tally.silent.append(house)
        while loyal:
            roll = yield ("muster", slot, loyalty, "")
            total = roll + loyalty
            if total > 0:
                rolled = ROW_BY_TOTAL[total if total < 11 else 10].key
                yield from _ask_unit(slot, rolled, tally, options, quick)
                break
            if house in tally.regained:
                tally.regained.remove(house)
            tally.lost.append(house)
            loyal = yield from _ask_regain(slot, tally, options, quick)
    if call.siege == "defender":
        for number in range(1, SIEGE_EXTRAS + 1):
            tally.units.append(mustered_unit(Slot("garrison", number), "ballista", None, None))
    elif call.siege == "attacker":
        for number in range(1, SIEGE_EXTRAS + 1):
            tally.units.append(mustered_unit(Slot("train", number), "cat_non", None, None))
        yield from _ask_rebels(call, tally, quick)


def _ask_regain(slot: Slot, tally: MusterProgress, options: Options, quick: bool) -> Generator[RawQuestion, Any, bool]:
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


def _ask_unit(slot: Slot, rolled: str, tally: MusterProgress, options: Options, quick: bool) -> _Course:
    """The unit taken, then its hero, then its weapon."""
    taken = rolled
    if not quick and rolled != "hoppers":
        taken = yield ("lesser", slot, 0, rolled)
    row = UNIT[taken]
    hero = None
    if row.always_hero or (not row.never_hero and brings_hero(row, (yield ("hero_chance", slot, 0, taken)))):
        hero = yield from _ask_hero(slot, taken, tally, options, quick)
    weapon = None
    if row.mounted:
        weapon = weapon_for_roll(row, (yield ("weapon", slot, 0, taken)))
    tally.units.append(mustered_unit(slot, taken, hero, weapon))


def _ask_hero(
    slot: Slot, unit: str, tally: MusterProgress, options: Options, quick: bool
) -> Generator[RawQuestion, Any, str]:
    while True:
        roll: int = yield ("hero", slot, 0, unit)
        key = hero_for_roll(roll).key
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
        key = bearer_for_roll((yield ("musician", slot, 0, unit))).key
    return key


def _ask_rebels(call: MusterCall, tally: MusterProgress, quick: bool) -> _Course:
    number = 0
    while not quick and tally.vp >= REBEL_PRICE:
        number += 1
        slot = Slot("rebel", number)
        if (yield ("rebel", slot, rebel_bonus(number, call.effective_loyalty, call.options), "")) != "buy":
            return
        tally.vp -= REBEL_PRICE
        bonus = rebel_bonus(number, call.effective_loyalty, call.options)
        unit = rebel_unit((yield ("muster", slot, bonus, "")), bonus, call.options)
        if unit is not None:
            yield from _ask_unit(slot, unit, tally, call.options, quick)


def begin_muster(call: MusterCall | None = None) -> Muster:
    return _replay(MusterCall() if call is None else call, ())


def answer_question(muster: Muster, value: int | str) -> Muster:
    """The muster after this answer to its question: a d10, or the key of a choice."""
    if muster.question is None:
        raise Refusal("The muster is over.", field="answer")
    return _replay(muster.call, (*muster.answers, check_answer(muster.question, value)))


def reroll_last_die(muster: Muster, roll: int, keep: Literal["new", "old"] = "new") -> Muster:
    """The die just answered, thrown again for 1 VP; either may be kept (R-12, R-57)."""
    check_d10(roll, "re-roll")
    check_one_of(keep, ("new", "old"), "die to keep")
    if not muster.answers or not muster.answers[-1].thrown:
        raise Refusal("There is no die to re-roll. The last answer was a choice.", field="reroll")
    if muster.vp_left < REROLL_PRICE:
        raise Refusal(f"A re-roll costs 1 VP; you have {muster.vp_left}.", field="vp")
    last = muster.answers[-1]
    again = MusterAnswer(roll if keep == "new" else last.value, (*last.thrown, roll))
    return _replay(muster.call, (*muster.answers[:-1], again))


def replay_muster(call: MusterCall, answers: Iterable[object]) -> Muster:
    """A muster from its stored answers, each as ``MusterAnswer.plain`` gave it."""
    return _replay(
        call, tuple([plain if isinstance(plain, MusterAnswer) else MusterAnswer.read(plain) for plain in answers])
    )


def _replay(call: MusterCall, answers: tuple[MusterAnswer, ...]) -> Muster:
    left = iter(answers)
    muster = run_muster(call, lambda question: next(left, None))
    if len(muster.answers) < len(answers):
        raise Refusal(
            f"The muster ended after {len(muster.answers)} answers, but {len(answers)} were given.", field="answer"
        )
    return muster


def run_muster(call: MusterCall, give: Callable[[Question], MusterAnswer | None]) -> Muster:
    """The course run once from its beginning: ``give`` answers each question as it comes, or None to stop at it."""
    tally = MusterProgress(call.vp)
    course = _questions(call, tally, quick=False)
    steps: list[MusterStep] = []
    asked: Question | None = None
    ask = _next_question(course)
    while ask is not None:
        asked = build_question(ask, call, tally, len(steps) + 1)
        given = give(asked)
        if given is None:
            break
        sure = check_answer(asked, given)
        tally.vp -= sure.rerolls * REROLL_PRICE
        if tally.vp < 0:
            raise Refusal(f"The re-rolls cost more than your {call.vp} VP.", field="vp")
        steps.append(build_step(ask, sure, call, len(steps) + 1))
        ask = _next_question(course, sure.value)
    return Muster(
        call,
        tuple([step.answer for step in steps]),
        tuple(steps),
        tuple(tally.units),
        asked if ask else None,
        call.vp - tally.vp,
        None if ask else _build_army(call, tally, tuple([die for step in steps for die in step.answer.thrown])),
    )


def _next_question(course: _Course, value: int | str | None = None) -> RawQuestion | None:
    """What the course asks after this answer, or None when it is over."""
    try:
        return course.send(value)
    except StopIteration:
        return None


def _build_army(call: MusterCall, tally: MusterProgress, thrown: tuple[int, ...]) -> Army:
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


def muster_army(
    call: MusterCall | None = None,
    roll: Callable[[], int] | Iterable[int] = (),
    choose: Callable[[Question], str] | None = None,
) -> Army:
    """A whole army from a list of dice. Without ``choose`` everything is taken as rolled and no VP is spent."""
    call = MusterCall() if call is None else call
    throw = roll if callable(roll) else _dice_supply(roll)
    tally = MusterProgress(call.vp)
    course = _questions(call, tally, quick=choose is None)
    thrown: list[int] = []
    asked = 1
    ask = _next_question(course)
    while ask is not None:
        if choose is not None and ask[0] in CHOICE_KINDS:
            question = build_question(ask, call, tally, asked)
            ask = _next_question(course, check_answer(question, choose(question)).value)
        else:
            face = throw()
            if type(face) is not int or not 1 <= face <= 10:
                check_d10(face, "die")
            thrown.append(face)
            ask = _next_question(course, face)
        asked += 1
    return _build_army(call, tally, tuple(thrown))


def _dice_supply(faces: Iterable[int]) -> Callable[[], int]:
    left = iter(faces)
    used = 0

    def throw() -> int:
        nonlocal used
        for face in left:
            used += 1
            return face
        raise Refusal(f"The muster needs more than {format_dice(used)}.", field="dice")

    return throw
