"""The course of a muster with the service's or sealed dice: which dice a tap throws, and where it stops for the captain."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chance import Dice, seal
from rulebook.army import Army
from rulebook.muster import Muster, answer, muster_at_once
from rulebook.muster import played as run
from rulebook.muster_questions import Answer, Question
from rulebook.muster_table import Call

Throw = Callable[[], int]


def dice_of(words: Sequence[str], side: str = "") -> Dice:
    """The dice that follow from these words. Each side of a battle has a stream of its own."""
    return Dice(seal(words)).child(side or "army")


def thrown(muster: Muster) -> int:
    """Dice thrown so far, those thrown again for VP among them."""
    return sum(len(given.thrown) for given in muster.answers)


def next_throw(words: Sequence[str], side: str, muster: Muster) -> Throw:
    """The stream of sealed dice, from where this muster stands."""
    dice = dice_of(words, side)
    dice.d10s(thrown(muster))
    return dice.d10


def go_on(muster: Muster, throw: Throw) -> Muster:
    """Throw the die that is asked for, and those that follow from it for the same unit without the captain."""
    slot = muster.question.slot if muster.question else None
    while muster.question is not None and muster.question.die and muster.question.slot == slot:
        muster = answer(muster, throw())
        if _worth_paying(muster):
            break
    return muster


def _worth_paying(muster: Muster) -> bool:
    """Whether the captain may want the last die again for a VP before the next falls. A hero who comes is never unwanted."""
    if not muster.can_reroll:
        return False
    last = muster.steps[-1]
    if last.kind != "hero_chance":
        return True
    question = muster.question
    return question is None or question.kind != "hero"


def army_at_once(call: Call, words: Sequence[str], side: str = "", rebels: int = 0) -> Army:
    """A whole army from its words, every unit and hero taken as it falls."""
    throw = dice_of(words, side).d10
    return muster_at_once(call, throw, _buys(rebels) if rebels else None)


def played(call: Call, throw: Throw, choose: Callable[[Question], str | None] | None = None) -> Muster:
    """The same, question by question, so that the answers can be kept. What ``choose`` leaves open is as usual."""

    def give(question: Question) -> Answer:
        if question.die:
            face = throw()
            return Answer(face, (face,))
        return Answer((choose(question) if choose else None) or str(question.default))

    return run(call, give)


def _buys(rebels: int) -> Callable[[Question], str]:
    def choose(question: Question) -> str:
        if question.kind == "rebel" and question.slot.number <= rebels:
            return "buy"
        return question.default or ""

    return choose


def quick(call: Call, words: Sequence[str], rebels: int = 0) -> Muster:
    """A quick army with its answers."""
    return played(call, dice_of(words).d10, _buys(rebels))
