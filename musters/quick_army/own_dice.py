"""A one-off army with one's own dice, die by die. Nothing is stored: the address holds what was answered so far."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from musters.quick import QuickCall
from musters.rolls.code import code_of
from musters.sheet import Roster, roster
from musters.wizard import Asked, Fell, Stage, asked, fell, stages
from pages.numbers import whole
from refusal import Refusal
from rulebook.army import Army
from rulebook.muster import Muster, answer, replay
from rulebook.muster_table import REBEL_PRICE, Call

MOST = 200


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """What the page shows: the open question, and the address of every answer."""

    call: QuickCall
    answers: tuple[str, ...]
    muster: Muster
    asked: Asked | None
    stages: tuple[Stage, ...]
    fell: tuple[Fell, ...]
    so_far: Roster
    fields: tuple[tuple[str, str], ...]  # what each form carries along

    @property
    def dice(self) -> str:
        return "typed"

    @property
    def done_count(self) -> int:
        return sum(stage.state not in ("now", "next") for stage in self.stages)

    @property
    def back(self) -> str:
        """The address one answer back."""
        query = QueryDict(mutable=True)
        for name, value in self.fields:
            if name != "a":
                query.appendlist(name, value)
        if self.answers[:-1]:
            query["a"] = " ".join(self.answers[:-1])
        return query.urlencode()


def own_sheet(data: QueryDict) -> OwnSheet:
    """The muster of an address: how it was called, and the answers in order."""
    call = QuickCall.read(data)
    given = tuple(data.get("a", "").split())
    if len(given) > MOST:
        raise Refusal("This address holds more answers than a muster has questions.", status=404)
    muster = replay(
        Call(call.loyalty, call.lost, call.siege, call.rebels * REBEL_PRICE), [_value(one) for one in given]
    )
    fields = [("loyalty", str(call.loyalty)), *(("lost", str(house)) for house in call.lost)]
    if call.siege:
        fields += [("siege", call.siege), ("rebels", str(call.rebels))]
    if given:
        fields.append(("a", " ".join(given)))
    last = muster.steps[-1:]
    return OwnSheet(
        call,
        given,
        muster,
        asked(muster, None, [], ""),
        stages(muster, None, []),
        tuple([fell(step, [], None) for step in last]),
        roster(Army(muster.units, call.loyalty, call.siege)),
        tuple(fields),
    )


def with_answer(sheet: OwnSheet, value: str) -> str:
    """The address after this answer; what cannot be answered is refused, and the question stays."""
    after = answer(sheet.muster, _value(value))
    query = QueryDict(mutable=True)
    for name, kept in sheet.fields:
        if name != "a":
            query.appendlist(name, kept)
    query["a"] = " ".join([*sheet.answers, str(after.answers[-1].value)])
    return query.urlencode()


def code(sheet: OwnSheet) -> str:
    return code_of(sheet.muster)


def _value(given: str) -> int | str:
    number = whole(given, signed=True)
    return given.strip() if number is None else number
