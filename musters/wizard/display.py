"""A muster under way, ready to draw: what is asked now, what just fell, and the roster so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from campaign.annals.state import Kingdom, State
from heraldry import Arms
from musters import may, sealing
from musters.door import course_of, moved, token
from musters.models import Muster
from musters.reading import houses_of, roster_for
from musters.rolls.code import DICE, Source, code_of
from musters.rolls.lines import back_to
from musters.rolls.plain import army_of, call_of
from musters.sheet import House, Roster, UnitLine, roster
from people.who import Who
from rulebook.army import HOUSE_SLOTS, KING_SLOT, Army, Slot
from rulebook.muster import Muster as Mustering
from rulebook.muster_questions import Choice, Step
from rulebook.muster_table import MUSTER, REROLL_PRICE, Call
from rulebook.options import OPTION
from rulebook.rolls import listed
from rulebook.units import UNIT, Unit

DICE_SAID = {
    "typed": "Our own dice, typed in.",
    "service": "Dice rolled by the service.",
    "sealed": "Sealed dice, drawn from a word of each captain.",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """One of those who are called: the King, then each house, then what a siege adds."""

    name: str
    arms: Arms | None
    state: str  # done, now, next, silent, lost
    unit: UnitLine | None
    total: int | None  # of its muster roll
    said: str


@dataclass(frozen=True, slots=True)
class Fell:
    """A step of the last tap: the die with what came of it, or the choice."""

    die: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Key:
    """One face on the pad, with what it would bring."""

    face: int
    brings: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the muster table as the strip shows it: the faces of the die that bring it at this loyalty."""

    unit: str
    name: str
    low: int
    high: int
    totals: str
    is_now: bool

    @property
    def width(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True, slots=True)
class Asked:
    """The one question of this screen."""

    token: str
    kind: str
    who: str  # House Bramble
    arms: Arms | None
    title: str
    text: str
    die: bool
    button: str
    keys: tuple[Key, ...]
    choices: tuple[Choice, ...]
    unit: Unit | None  # the unit in question, where one is
    strip: tuple[TableRow, ...]
    sum: tuple[int, int, int] | None  # die, loyalty, total of the roll this question follows from


@dataclass(frozen=True, slots=True)
class WizardSheet:
    code: str
    campaign_code: str
    campaign_name: str
    version: int
    log_id: int
    kingdom: str
    name: str
    arms: Arms | None
    against: str
    battle: int
    loyalty: int
    dice: str
    dice_said: str
    stages: tuple[Stage, ...]
    asked: Asked | None
    fell: tuple[Fell, ...]
    changed: tuple[str, ...]
    agreed: bool
    seal: sealing.Seal | None
    token: str
    vp: int
    again: int | None  # the die that may be thrown again for a VP
    other_throws: tuple[int, ...]  # of a die thrown again, those not kept
    may_back: str  # what is taken back, in words; empty where nothing may
    may_act: bool
    is_open: bool
    taken: bool
    roster: Roster | None  # once nothing is left to ask
    so_far: Roster

    @property
    def done_count(self) -> int:
        return sum(stage.state not in ("now", "next") for stage in self.stages)


def wizard_sheet(muster: Muster, who: Who, state: State) -> WizardSheet:
    """Everything the page shows: the same few queries for every army."""
    course = course_of(muster.log_id)
    now = course.muster()
    realm = state.kingdoms.get(muster.kingdom)
    houses = houses_of(realm) if realm else []
    battle = state.battles.get(muster.battle)
    taken = muster.entry is not None
    acts = may.acts_for(state, muster.kingdom, who) and not muster.campaign.archived_at
    is_open = battle is not None and not taken
    sealed = muster.dice == Muster.Dice.SEALED and (is_open or taken)
    seal = sealing.seal_of(muster, state) if sealed else None
    other = ""
    if battle:
        other = battle.defender if battle.attacker == muster.kingdom else battle.attacker
    against = state.kingdoms[other].name if other in state.kingdoms else ""
    last = now.answers[-1] if now.answers else None
    vp = max(realm.vp, 0) if realm else 0
    may_again = (
        is_open and last is not None and bool(last.thrown) and vp >= REROLL_PRICE and now.vp_left >= REROLL_PRICE
    )
    back = back_to(now, muster.dice == Muster.Dice.TYPED) if is_open else None
    changed = moved(course, state, muster) if is_open else None
    under = f"Battle {muster.battle}" + (f", against {against}" if against else "")
    return WizardSheet(
        code=muster.code,
        campaign_code=muster.campaign.code,
        campaign_name=muster.campaign.name,
        version=muster.log.version,
        log_id=muster.log_id,
        kingdom=muster.kingdom,
        name=realm.name if realm else "A kingdom that never joined",
        arms=Arms.from_dict(realm.arms) if realm else None,
        against=against,
        battle=muster.battle,
        loyalty=course.call.loyalty,
        dice=muster.dice,
        dice_said=DICE_SAID[muster.dice],
        stages=stages(now, realm, houses),
        asked=asked(now, realm, houses, token(now)) if is_open else None,
        fell=tuple(fell(step, houses, realm) for step in now.steps[len(now.steps) - course.fresh :]),
        changed=told_changes(course.call, changed, houses) if changed else (),
        agreed=course.agreed is not None,
        seal=seal,
        token=token(now),
        vp=vp,
        again=int(last.value) if may_again and last else None,
        other_throws=tuple(dict.fromkeys(f for f in last.thrown if f != last.value)) if last and last.rerolls else (),
        may_back=_back_said(now, back) if back is not None else "",
        may_act=acts,
        is_open=is_open,
        taken=taken,
        roster=_roster(muster, now, state, seal, under),
        so_far=roster_for(_so_far(now), state, muster.kingdom, under=under, options=course.call.options),
    )


def _so_far(now: Mustering) -> Army:
    return now.army or Army(now.units, now.call.loyalty, now.call.siege)


def _roster(muster: Muster, now: Mustering, state: State, seal: sealing.Seal | None, under: str) -> Roster | None:
    """The finished army: as kept once it is in the chronicle, else as it stands."""
    options = call_of(muster.call).options
    said = " ".join(filter(None, [DICE_SAID[muster.dice], seal.said if seal else ""]))
    if muster.army is not None:
        code = muster.army_code
        return roster_for(army_of(muster.army), state, muster.kingdom, under=under, options=options, code=code, dice_from=said)  # fmt: skip
    if now.army is None:
        return None
    source = Source(seal.words, seal.side) if seal else DICE
    code = code_of(now, source)
    return roster_for(now.army, state, muster.kingdom, under=under, options=options, code=code, dice_from=said)


# --- who is called ------------------------------------------------------------------------------------------------------


def stages(now: Mustering, realm: Kingdom | None, houses: list[House]) -> tuple[Stage, ...]:
    lines = {line.key: line for line in roster(Army(now.units, siege=now.call.siege), houses=houses).units}
    asked_slot = now.question.slot if now.question else None
    slots: list[Slot] = [KING_SLOT, *HOUSE_SLOTS.values()]
    slots += [one.slot for one in now.units if one.slot.origin in ("garrison", "train", "rebel")]
    if asked_slot and asked_slot not in slots:
        slots.append(asked_slot)
    rolled = {step.slot.key: step.total for step in now.steps if step.kind == "muster"}
    found = []
    for slot in slots:
        name, arms = slot_name(slot, realm, houses)
        line = lines.get(slot.key)
        state, said = _stage_state(slot, now, line, asked_slot, rolled)
        found.append(Stage(name, arms, state, line, rolled.get(slot.key), said))
    return tuple(found)


def _stage_state(
    slot: Slot, now: Mustering, line: UnitLine | None, asked_slot: Slot | None, rolled: Mapping[str, int | None]
) -> tuple[str, str]:
    if line is not None:
        return "done", ""
    if slot == asked_slot:
        return "now", "is called"
    if slot.origin == "house" and slot.number in now.call.lost and (asked_slot is None or _before(slot, asked_slot)):
        return "silent", "skipped: its fealty was lost before"
    if slot.key in rolled:
        return "lost", "sent nobody; its fealty is lost"
    return "next", "waits for its roll"


def _before(slot: Slot, asked_slot: Slot) -> bool:
    return asked_slot.origin != "king" and (asked_slot.origin != "house" or slot.number < asked_slot.number)


def slot_name(slot: Slot, realm: Kingdom | None, houses: list[House]) -> tuple[str, Arms | None]:
    if slot.origin == "house" and 1 <= slot.number <= len(houses):
        house = houses[slot.number - 1]
        return house.name, house.arms
    arms = Arms.from_dict(realm.arms) if realm else None
    if slot.origin == "king":
        return (f"King of {realm.name}" if realm else "The King"), arms
    return slot.name, arms


# --- the question ---------------------------------------------------------------------------------------------------------


def asked(now: Mustering, realm: Kingdom | None, houses: list[House], seen: str) -> Asked | None:
    question = now.question
    if question is None:
        return None
    name, arms = slot_name(question.slot, realm, houses)
    muster = next((step for step in reversed(now.steps) if step.kind == "muster" and step.slot == question.slot), None)
    unit = _unit_asked(question.kind, question.choices, question.slot, now)
    total = muster.total if muster and muster.total is not None else None
    shows_table = question.kind in ("muster", "lesser")
    return Asked(
        token=seen,
        kind=question.kind,
        who=name,
        arms=arms,
        title=_title(question.title),
        text=question.text,
        die=bool(question.die),
        button=_button(question.kind, name),
        keys=tuple(
            Key(face, next((f.title for f in question.faces if f.low <= face <= f.high), "")) for face in range(1, 11)
        )
        if question.die
        else (),
        choices=question.choices,
        unit=unit,
        strip=strip(question.bonus if question.kind == "muster" else _bonus(muster), total, question.kind == "lesser")
        if shows_table
        else (),
        sum=(int(muster.answer.value), total - int(muster.answer.value), total)
        if muster and total is not None
        else None,
    )


def _title(title: str) -> str:
    """The rulebook names the house by its number; the page has its name above."""
    said = title.partition(": ")[2] or title
    return said[:1].upper() + said[1:]


def _bonus(muster: Step | None) -> int:
    return (muster.total or 0) - int(muster.answer.value) if muster else 0


def _unit_asked(kind: str, choices: tuple[Choice, ...], slot: Slot, now: Mustering) -> Unit | None:
    """The unit this question is about: the one rolled or, once taken, that one."""
    if slot.origin == "king":
        return UNIT["king"]
    if kind == "lesser":
        return UNIT[choices[0].key]
    taken = next((step for step in reversed(now.steps) if step.kind == "lesser" and step.slot == slot), None)
    if taken and kind in ("hero_chance", "hero", "repeat", "musician", "weapon"):
        return UNIT[str(taken.answer.value)]
    return None


_BUTTONS = {
    "hero_chance": "Roll for a hero",
    "hero": "Roll for the hero",
    "musician": "Roll: bearer or musician",
    "weapon": "Roll for the weapons",
}


def _button(kind: str, name: str) -> str:
    return _BUTTONS.get(kind) or f"Roll for {name}"


def strip(bonus: int, total: int | None, marked: bool) -> tuple[TableRow, ...]:
    """The muster table by the faces of the die: which bring what at this loyalty. Rows no face brings are left out."""
    rows = []
    for row in MUSTER:
        low = max(1, (row.low if row.low is not None else -99) - bonus)
        high = min(10, (row.high if row.high is not None else 99) - bonus)
        if low > high:
            continue
        is_now = bool(marked and total is not None and low <= total - bonus <= high)
        rows.append(TableRow(row.key, row.name, low, high, str(low) if low == high else f"{low}–{high}", is_now))
    return tuple(rows)


# --- small words ------------------------------------------------------------------------------------------------------------


def fell(step: Step, houses: list[House], realm: Kingdom | None) -> Fell:
    said = step.text.partition(": ")[2] or step.text
    name = slot_name(step.slot, realm, houses)[0]
    return Fell(int(step.answer.value) if step.answer.thrown else None, f"{name}: {said}")


def _back_said(now: Mustering, to: int) -> str:
    step = now.steps[to] if to < len(now.steps) else now.steps[-1]
    return f"Correct the {step.answer.value}" if step.answer.thrown else "Choose again"


def told_changes(call: Call, fresh: Mapping[str, Any], houses: list[House]) -> tuple[str, ...]:
    """What is otherwise now, each in a sentence."""

    def named(numbers: list[int]) -> str:
        return (
            listed([houses[n - 1].name if n <= len(houses) else f"House {n}" for n in numbers]) if numbers else "none"
        )

    def signed(number: int) -> str:
        return f"{number:+d}".replace("-", "−") if number else "0"

    said = []
    if fresh["loyalty"] != call.loyalty:
        said.append(f"Loyalty was {signed(call.loyalty)} when this muster began; it is {signed(fresh['loyalty'])} now.")
    if fresh["lost"] != list(call.lost):
        said.append(f"Houses without fealty were {named(list(call.lost))}; they are {named(fresh['lost'])} now.")
    if fresh["siege"] != call.siege:
        said.append("Whether this is a siege has changed.")
    if fresh["options"] != call.options.differences():
        keys = {*fresh["options"], *call.options.differences()}
        titles = [OPTION[key].title for key in keys if fresh["options"].get(key) != call.options.differences().get(key)]
        said.append(f"House rules have changed: {listed(sorted(titles))}.")
    return tuple(said)
