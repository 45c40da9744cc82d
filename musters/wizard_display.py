"""A muster in progress, ready to draw: the open question, the last rolls and the roster so far."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from campaign.chronicle.state import Kingdom, State
from dataclass_json import PageOnly, stored_as
from heraldry import Arms
from musters import permissions, sealed_dice
from musters.core.army_code import LISTED_DICE, DiceSource, code_of
from musters.core.codec import CampaignFacts, answers_after_undo, army_from_json, call_from_json
from musters.display import House, Roster, RosterUnit, build_roster, houses_of, roster_for
from musters.models import Muster
from musters.services import find_changes, load_muster_state, question_token
from musters.vp_payments import find_correctable_answers
from people.requester import Who
from rulebook.data.house_rules import OPTION
from rulebook.data.muster_table import MUSTER_TABLE, REROLL_PRICE, MusterCall
from rulebook.data.units import UNIT, Unit
from rulebook.muster.army import HOUSE_SLOTS, KING_SLOT, Army, Slot
from rulebook.muster.questions import Choice, MusterStep
from rulebook.muster.roll_muster import Muster as Mustering
from text import format_signed, join_list

StageState = Literal["done", "now", "next", "silent", "lost"]
DICE_SENTENCES = {
    "typed": "You roll your own dice.",
    "service": "The site rolls the dice.",
    "sealed": "Sealed dice: one word from each player.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One part of the muster: the King, each house, then what a siege adds."""

    api_name = "MusterStage"

    name: str
    arms: PageOnly[Arms | None]
    state: StageState
    unit: PageOnly[RosterUnit | None]
    unit_title: str | None = field(metadata=stored_as("unit"))
    total: Annotated[int | None, "of its muster roll"]
    note: PageOnly[str]


@dataclass(frozen=True, slots=True)
class RolledStep:
    """One result of the last tap: a die, or a choice."""

    api_name = "MusterRoll"

    die: int | None
    text: str


@dataclass(frozen=True, slots=True)
class PadKey:
    """One number on the pad, with its result."""

    api_name = "MusterFace"

    face: int
    brings: str


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the muster table, with the die results that give it at this loyalty."""

    unit: str
    name: str
    low: int
    high: int
    totals: str
    is_now: bool

    @property
    def width(self) -> int:
        return self.high - self.low + 1


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDisplay:
    """The open question."""

    api_name = "MusterQuestion"

    token: Annotated[str, "names the question in the answer"]
    kind: str
    who: str  # House Bramble
    arms: PageOnly[Arms | None]
    title: str
    text: str
    die: Annotated[bool, "answer with the face of a d10, or null to let the site roll"]
    button: PageOnly[str]
    keys: tuple[PadKey, ...] = field(metadata=stored_as("faces"))
    choices: Annotated[tuple[Choice, ...], "or answer with the key of one of these"]
    unit: PageOnly[Unit | None]  # the unit in question, if any
    strip: PageOnly[tuple[TableRow, ...]]
    sum: PageOnly[tuple[int, int, int] | None]  # die, bonus and total of the muster roll
    sum_of: PageOnly[str] = "loyalty"  # where the bonus comes from


@dataclass(frozen=True, slots=True)
class WordsGiven:
    api_name = "SealedWords"

    mine: bool
    theirs: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class WizardDisplay:
    api_name = "Muster"

    code: str
    campaign_code: str = field(metadata=stored_as("campaign"))
    campaign_name: PageOnly[str]
    version: PageOnly[int]
    log_id: PageOnly[int]
    kingdom: str
    name: PageOnly[str]
    arms: PageOnly[Arms | None]
    against: PageOnly[str]
    battle: int
    loyalty: int
    dice: Annotated[Muster.Dice, "who rolls"]
    dice_sentence: PageOnly[str]
    stages: tuple[Stage, ...]
    question: QuestionDisplay | None
    last_steps: Annotated[tuple[RolledStep, ...], "what the last act rolled"] = field(metadata=stored_as("fell"))
    changes: Annotated[tuple[str, ...], "in the campaign since it began"] = field(metadata=stored_as("changed"))
    agreed: PageOnly[bool]
    sealed_words: PageOnly[sealed_dice.SealedWords | None]
    words_in: WordsGiven | None
    token: Annotated[str, "of the last answer, to undo it"]
    vp: int
    reroll_die: PageOnly[int | None]  # the die that can be re-rolled for 1 VP
    other_rolls: PageOnly[tuple[int, ...]]  # of a re-rolled die, those that do not count
    undo_label: PageOnly[str]  # empty if the last answer cannot be undone
    can_act: PageOnly[bool]
    is_open: PageOnly[bool]
    taken: Annotated[bool, "the army is in the chronicle"]
    roster: Roster | None  # once the muster is finished
    so_far: PageOnly[Roster]

    @property
    def done_count(self) -> int:
        return sum(stage.state not in ("now", "next") for stage in self.stages)


def wizard_display(muster: Muster, who: Who, state: State) -> WizardDisplay:
    progress = load_muster_state(muster.log_id)
    now = progress.muster()
    kingdom = state.kingdoms.get(muster.kingdom)
    houses = houses_of(kingdom) if kingdom else []
    battle = state.battles.get(muster.battle)
    taken = muster.entry is not None
    acts = permissions.can_act_for(state, muster.kingdom, who) and not muster.campaign.archived_at
    is_open = battle is not None and not taken
    sealed = muster.dice == Muster.Dice.SEALED and (is_open or taken)
    sealed_words = sealed_dice.sealed_words_of(muster, state) if sealed else None
    other = battle.opponent_of(muster.kingdom) if battle else ""
    against = state.kingdoms[other].name if other in state.kingdoms else ""
    last = now.answers[-1] if now.answers else None
    vp = max(kingdom.vp, 0) if kingdom else 0
    can_reroll = (
        is_open and last is not None and bool(last.thrown) and vp >= REROLL_PRICE and now.vp_left >= REROLL_PRICE
    )
    if is_open:
        back = answers_after_undo(now, muster.dice == Muster.Dice.TYPED)
    else:
        back = find_correctable_answers(muster, state, now) if acts else None
    changed = find_changes(progress, state, muster) if is_open else None
    under = f"Battle {muster.battle}" + (f", against {against}" if against else "")
    return WizardDisplay(
        code=muster.code,
        campaign_code=muster.campaign.code,
        campaign_name=muster.campaign.name,
        version=muster.log.version,
        log_id=muster.log_id,
        kingdom=muster.kingdom,
        name=kingdom.name if kingdom else "Unknown kingdom",
        arms=Arms.from_dict(kingdom.arms) if kingdom else None,
        against=against,
        battle=muster.battle,
        loyalty=progress.call.loyalty,
        dice=Muster.Dice(muster.dice),
        dice_sentence=DICE_SENTENCES[muster.dice],
        stages=build_stages(now, kingdom, houses),
        question=build_question(now, kingdom, houses, question_token(now)) if is_open else None,
        last_steps=tuple(describe_step(step, houses, kingdom) for step in now.steps[len(now.steps) - progress.fresh :]),
        changes=describe_changes(progress.call, changed, houses) if changed else (),
        agreed=progress.accepted is not None,
        sealed_words=sealed_words,
        words_in=WordsGiven(bool(sealed_words.mine), bool(sealed_words.theirs)) if sealed_words else None,
        token=question_token(now),
        vp=vp,
        reroll_die=int(last.value) if can_reroll and last else None,
        other_rolls=tuple(dict.fromkeys(f for f in last.thrown if f != last.value)) if last and last.rerolls else (),
        undo_label=_undo_label(now, back) if back is not None else "",
        can_act=acts,
        is_open=is_open,
        taken=taken,
        roster=_roster(muster, now, state, sealed_words, under),
        so_far=roster_for(_so_far(now), state, muster.kingdom, under=under, options=progress.call.options),
    )


def _so_far(now: Mustering) -> Army:
    return now.army or Army(now.units, now.call.loyalty, now.call.siege)


def _roster(
    muster: Muster, now: Mustering, state: State, sealed_words: sealed_dice.SealedWords | None, under: str
) -> Roster | None:
    """The finished army: from the chronicle, or from the log."""
    options = call_from_json(muster.call).options
    note = " ".join(filter(None, [DICE_SENTENCES[muster.dice], sealed_words.sentence if sealed_words else ""]))
    if muster.army is not None:
        army, code = army_from_json(muster.army), muster.army_code
    elif now.army is not None:
        source = DiceSource(sealed_words.words, sealed_words.side) if sealed_words else LISTED_DICE
        army, code = now.army, code_of(now, source)
    else:
        return None
    return roster_for(army, state, muster.kingdom, under=under, options=options, code=code, dice_from=note)


# --- stages --------------------------------------------------------------------------------


def build_stages(now: Mustering, kingdom: Kingdom | None, houses: list[House]) -> tuple[Stage, ...]:
    units = {unit.key: unit for unit in build_roster(Army(now.units, siege=now.call.siege), houses=houses).units}
    asked_slot = now.question.slot if now.question else None
    slots: list[Slot] = [KING_SLOT, *HOUSE_SLOTS.values()]
    slots += [unit.slot for unit in now.units if unit.slot.origin in ("garrison", "train", "rebel")]
    if asked_slot and asked_slot not in slots:
        slots.append(asked_slot)
    rolled = {step.slot.key: step.total for step in now.steps if step.kind == "muster"}
    stages = []
    for slot in slots:
        name, arms = slot_name(slot, kingdom, houses)
        unit = units.get(slot.key)
        state, note = _stage_state(slot, now, unit, asked_slot, rolled)
        stages.append(
            Stage(
                name=name,
                arms=arms,
                state=state,
                unit=unit,
                unit_title=unit.title if unit else None,
                total=rolled.get(slot.key),
                note=note,
            )
        )
    return tuple(stages)


def _stage_state(
    slot: Slot, now: Mustering, unit: RosterUnit | None, asked_slot: Slot | None, rolled: Mapping[str, int | None]
) -> tuple[StageState, str]:
    if unit is not None:
        return "done", ""
    if slot == asked_slot:
        return "now", "rolling now"
    if slot.origin == "house" and slot.number in now.call.lost and (asked_slot is None or _before(slot, asked_slot)):
        return "silent", "skipped: fealty already lost"
    if slot.key in rolled:
        return "lost", "sent nobody: fealty lost"
    return "next", "not rolled yet"


def _before(slot: Slot, asked_slot: Slot) -> bool:
    return asked_slot.origin != "king" and (asked_slot.origin != "house" or slot.number < asked_slot.number)


def slot_name(slot: Slot, kingdom: Kingdom | None, houses: list[House]) -> tuple[str, Arms | None]:
    if slot.origin == "house" and 1 <= slot.number <= len(houses):
        house = houses[slot.number - 1]
        return house.name, house.arms
    arms = Arms.from_dict(kingdom.arms) if kingdom else None
    if slot.origin == "king":
        return (f"King of {kingdom.name}" if kingdom else "The King"), arms
    return slot.name, arms


# --- the question ---------------------------------------------------------------------------------


def build_question(now: Mustering, kingdom: Kingdom | None, houses: list[House], seen: str) -> QuestionDisplay | None:
    question = now.question
    if question is None:
        return None
    name, arms = slot_name(question.slot, kingdom, houses)
    muster = next((step for step in reversed(now.steps) if step.kind == "muster" and step.slot == question.slot), None)
    unit = _unit_asked(question.kind, question.choices, question.slot, now)
    total = muster.total if muster and muster.total is not None else None
    shows_table = question.kind in ("muster", "lesser")
    return QuestionDisplay(
        token=seen,
        kind=question.kind,
        who=name,
        arms=arms,
        title=_title(question.title),
        text=question.text,
        die=bool(question.die),
        button=_button(question.kind, name),
        keys=tuple(
            PadKey(face, next((f.title for f in question.faces if f.low <= face <= f.high), ""))
            for face in range(1, 11)
        )
        if question.die
        else (),
        choices=question.choices,
        unit=unit,
        strip=muster_table_strip(
            question.bonus if question.kind == "muster" else _bonus(muster), total, question.kind == "lesser"
        )
        if shows_table
        else (),
        sum=(int(muster.answer.value), total - int(muster.answer.value), total)
        if muster and total is not None
        else None,
        sum_of="rebels" if question.slot.origin == "rebel" else "loyalty",
    )


def _title(title: str) -> str:
    """Drop the house number: the page shows the house's name above."""
    rest = title.partition(": ")[2] or title
    return rest[:1].upper() + rest[1:]


def _bonus(muster: MusterStep | None) -> int:
    return (muster.total or 0) - int(muster.answer.value) if muster else 0


def _unit_asked(kind: str, choices: tuple[Choice, ...], slot: Slot, now: Mustering) -> Unit | None:
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
    "musician": "Roll for bearer or musician",
    "weapon": "Roll for the weapons",
}


def _button(kind: str, name: str) -> str:
    return _BUTTONS.get(kind) or f"Roll for {name}"


def muster_table_strip(bonus: int, total: int | None, marked: bool) -> tuple[TableRow, ...]:
    """The rows of the muster table that a die can give at this loyalty."""
    rows = []
    for row in MUSTER_TABLE:
        low = max(1, (row.low if row.low is not None else -99) - bonus)
        high = min(10, (row.high if row.high is not None else 99) - bonus)
        if low > high:
            continue
        is_now = bool(marked and total is not None and low <= total - bonus <= high)
        rows.append(TableRow(row.key, row.name, low, high, str(low) if low == high else f"{low}–{high}", is_now))
    return tuple(rows)


# --- sentences ----------------------------------------------------------------------------------


def describe_step(step: MusterStep, houses: list[House], kingdom: Kingdom | None) -> RolledStep:
    sentence = step.text.partition(": ")[2] or step.text
    name = slot_name(step.slot, kingdom, houses)[0]
    return RolledStep(int(step.answer.value) if step.answer.thrown else None, f"{name}: {sentence}")


def _undo_label(now: Mustering, to: int) -> str:
    step = now.steps[to] if to < len(now.steps) else now.steps[-1]
    return f"Correct the {step.answer.value}" if step.answer.thrown else "Change your choice"


def describe_changes(call: MusterCall, fresh: CampaignFacts, houses: list[House]) -> tuple[str, ...]:
    def named(numbers: tuple[int, ...]) -> str:
        names = [houses[number - 1].name if number <= len(houses) else f"House {number}" for number in numbers]
        return join_list(names) if names else "none"

    changes = []
    if fresh.loyalty != call.loyalty:
        changes.append(
            f"Loyalty was {format_signed(call.loyalty)} when this muster began;"
            f" now it is {format_signed(fresh.loyalty)}."
        )
    if fresh.lost != call.lost:
        changes.append(f"Houses with lost fealty: {named(call.lost)} before, {named(fresh.lost)} now.")
    if fresh.siege != call.siege:
        changes.append("The siege has changed.")
    was, now = call.options.differences(), fresh.options.differences()
    if was != now:
        titles = [OPTION[key].title for key in {*was, *now} if was.get(key) != now.get(key)]
        changes.append(f"House rules changed: {join_list(sorted(titles))}.")
    return tuple(changes)
