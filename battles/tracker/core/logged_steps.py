"""Steps and the log: judging one, storing and reading it, folding all into a state, finding which depend on which."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import dataclass_json
from battles.tracker.core.state import BattleTerms, Cells, TrackerState
from battles.tracker.core.steps import fights, rounds, sauce_and_castle_damage, set_up, solo_turn, units
from battles.tracker.core.steps.tracker_step import OFFER, RolledGroup, StepDraft, TrackerStep, get_step
from refusal import Refusal
from rulebook.odds.distribution import chance_to_roll

UNDO = "taken_back"
SET_UP = "laid"  # every other step depends on it


@dataclass(frozen=True, slots=True)
class LoggedStep:
    """One entry of the log: the cells it wrote, and the cells it read when it was judged."""

    number: int
    kind: str
    writes: Mapping[str, Any]
    reads: frozenset[str] = frozenset()
    sentences: tuple[str, ...] = ()
    dice: tuple[RolledGroup, ...] = ()
    round: int = 0
    undoes: tuple[int, ...] = ()  # numbers of the steps that an undo takes back
    tap: int = 0  # number of the first step of the tap it belongs to: itself, or the one that rolled it too

    @property
    def sentences_or_dice(self) -> tuple[str, ...]:
        """Its sentences, or its dice if it has none."""
        if self.sentences:
            return self.sentences
        return tuple(f"Dice ({group.what}): {', '.join(map(str, group.faces))}." for group in self.dice)


def undone_numbers(steps: Iterable[LoggedStep]) -> set[int]:
    """Numbers of the undone steps. An undo that was itself undone has no effect."""
    gone: set[int] = set()
    for step in reversed(list(steps)):
        if step.kind == UNDO and step.number not in gone:
            gone |= set(step.undoes)
    return gone


def active_steps(steps: Sequence[LoggedStep]) -> list[LoggedStep]:
    gone = undone_numbers(steps)
    return [step for step in steps if step.number not in gone and step.kind != UNDO]


def fold_steps(steps: Iterable[LoggedStep], cells: Cells | None = None) -> Cells:
    """The state after these steps."""
    state: Cells = dict(cells or {})
    for step in steps:
        apply_writes(state, step.writes)
    return state


def apply_writes(cells: Cells, writes: Mapping[str, Any]) -> None:
    for cell, now in writes.items():
        if now is None:
            cells.pop(cell, None)
        else:
            cells[cell] = now


def find_dependent_steps(steps: Sequence[LoggedStep], number: int) -> tuple[int, ...]:
    """The step and every later one that depends on it because it read a cell that would change.

    A step that wrote a cell without reading it, such as "Fix the tracker", does not depend on earlier steps. What the
    tap of the step rolled or did too goes with it.
    """
    live = active_steps(steps)
    chosen = next((step for step in live if step.number == number), None)
    if chosen is None:
        raise Refusal("This step is already undone.", status=409)
    if chosen.kind == SET_UP:
        return tuple(step.number for step in live if step.number >= number)
    doubtful = set(chosen.writes)
    going = [number]
    for step in live:
        if step.number <= number:
            continue
        if step.tap == number or doubtful & step.reads:
            going.append(step.number)
            doubtful |= set(step.writes)
        else:
            doubtful -= set(step.writes)
    return tuple(going)


def find_last_undo(steps: Sequence[LoggedStep]) -> LoggedStep | None:
    """The undo that can be redone: only the latest step."""
    last = steps[-1] if steps else None
    return last if last is not None and last.kind == UNDO else None


# ── As JSON and back: nothing else knows what a tracker's entries look like in the log ───────────────────
# An entry's body is the fields of its step, and beside them what we add: the sentences, the cells it read, its dice and
# the round. Its effects are the cells it wrote. Nothing but these is ever read again, so older fields do no harm.


Body = dict[str, Any]  # an entry's body, or what somebody sent

SENTENCES, READS, DICE, ROUND, UNDONE = "said", "reads", "dice", "round", "steps"
TAP = "tap"  # the entry that began the tap this step belongs to
TAKEN_IN = "taken_in"  # the round of a step that has a field "round" itself


def read_sent(kind: object, body: object) -> TrackerStep:
    """The step somebody sent, or a refusal: a field is missing, unknown, too long or of the wrong kind."""
    step = get_step(kind)
    if not isinstance(body, Mapping):
        raise Refusal("The body of a step must be an object.", field="body")
    return dataclass_json.read(step, body)


def write_sent(step: TrackerStep) -> Body:
    """The body that reads as this step."""
    return dict(dataclass_json.write(step))


def write_entry(judged: "JudgedStep", tap: int | None = None) -> tuple[Body, list[Body]]:
    """The body and the effects of a judged step. ``tap``: the entry whose tap rolled this too."""
    body = write_sent(judged.step)
    own_round = ROUND in dataclass_json.json_keys(type(judged.step)).values()
    body |= {
        SENTENCES: list(judged.sentences),
        READS: list(judged.reads),
        TAKEN_IN if own_round else ROUND: judged.round,
    }
    if judged.dice:
        body[DICE] = [dataclass_json.write(group) for group in judged.dice]
    if tap is not None:
        body[TAP] = tap
    return body, [{"cell": cell, "now": now} for cell, now in judged.writes.items()]


def write_undo(numbers: Sequence[int]) -> Body:
    return {UNDONE: list(numbers)}


def read_entry(number: int, kind: str, body: Mapping[str, Any], effects: Sequence[Mapping[str, Any]]) -> LoggedStep:
    return LoggedStep(
        number,
        kind,
        {str(effect["cell"]): effect["now"] for effect in effects},
        frozenset(body.get(READS, ())),
        tuple(body.get(SENTENCES, ())),
        tuple(read_group(group) for group in body.get(DICE, ())),
        body.get(TAKEN_IN, body.get(ROUND, 0)),
        tuple(body[UNDONE]) if kind == UNDO else (),
        body.get(TAP) or number,
    )


def read_group(group: Mapping[str, Any]) -> RolledGroup:
    return RolledGroup(
        group["what"], group["side"], tuple(group["needed"]), tuple(group["faces"]), bool(group.get("again"))
    )


def step_schema(kind: str) -> Body:
    """The JSON Schema of a step's body."""
    return dataclass_json.schema(get_step(kind))


# ── Judging ──────────────────────────────────────────────────────────────────────────────────────────────


# Importing them registers every kind of step.
STEP_MODULES = (set_up, rounds, units, fights, sauce_and_castle_damage, solo_turn)


@dataclass(frozen=True, slots=True)
class JudgedStep:
    """A judged step, ready for the log: the cells it writes, those it read, and what is said about it."""

    step: TrackerStep
    writes: Cells
    reads: tuple[str, ...]
    sentences: tuple[str, ...]
    dice: tuple[RolledGroup, ...]
    round: int
    changes_nothing: bool

    @property
    def kind(self) -> str:
        return self.step.kind


def judge_step(cells: Cells, terms: BattleTerms, step: TrackerStep) -> JudgedStep:
    """Judge a step against the state and return what it writes. Raises Refusal if the step is impossible."""
    tracker = TrackerState(cells)
    if not tracker.is_set_up and not step.before_set_up:
        raise Refusal("The tracker is not set up yet. Set it up first.", status=409)
    if tracker.is_set_up and step.before_set_up:
        raise Refusal("The tracker is already set up.", status=409)
    draft = StepDraft(tracker, terms)
    step.judge(draft)
    changes = any(now != cells.get(cell) and (now or cells.get(cell)) for cell, now in draft.writes.items())
    if changes and cells.get(OFFER) and OFFER not in draft.writes:
        draft.write(OFFER, None)  # a re-roll is on offer until the next step
    return JudgedStep(
        step,
        draft.writes,
        tuple(sorted(draft.reads)),
        tuple(draft.sentences),
        tuple(draft.dice),
        int(cells.get("round", 0)),
        changes_nothing=not changes,
    )


def judge_solo_turn(cells: Cells, terms: BattleTerms, step: solo_turn.DecideSoloTurn) -> solo_turn.SoloDecision:
    """What its unit would do."""
    return solo_turn.SoloDecision.from_cell(judge_step(cells, terms, step).writes["solo_now"])


# ── Who removed whom, and how lucky each side's dice and each unit's attacks were ────────────────────────


GONE = "/gone"
FIGHT = "fight/"


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit of a battle: its side, its place in the army and what it is called."""

    side: str
    origin: str
    number: int
    name: str

    @property
    def house(self) -> int | None:
        return self.number if self.origin == "house" else None


@dataclass(frozen=True, slots=True)
class Kill:
    slayer: UnitName
    victim: UnitName


@dataclass(slots=True)
class Luck:
    """Successes with dice that could fail, and how many were to be expected."""

    dice: int = 0
    successes: int = 0
    expected: Fraction = Fraction(0)

    @property
    def over(self) -> Fraction:
        return self.successes - self.expected

    def count(self, group: RolledGroup) -> None:
        for needed, face in zip(group.needed, group.faces, strict=True):
            if needed > 1:  # a roll that cannot fail is not luck
                self.dice += 1
                self.successes += face >= needed
                self.expected += chance_to_roll(needed)


@dataclass(slots=True)
class Feats:
    kills: list[Kill] = field(default_factory=list)
    luck: dict[UnitName, Luck] = field(default_factory=dict)


def measure_luck(steps: Iterable[LoggedStep]) -> dict[str, Luck]:
    """The luck of each side over all dice of these steps, also those of no attack."""
    sides: dict[str, Luck] = {}
    for step in steps:
        for group in step.dice:
            sides.setdefault(group.side, Luck()).count(group)
    return {side: sides[side] for side in sorted(sides) if sides[side].dice}


def read_feats(steps: Iterable[LoggedStep]) -> Feats:
    """From the steps in force, in order. A unit that falls in an attack was slain by the other unit in it."""
    cells: Cells = {}
    feats = Feats()
    for step in steps:
        fight = _fight_of(step, cells)
        apply_writes(cells, step.writes)
        changed = {_unit(cells, cell.removesuffix(GONE)) for cell in step.writes if cell.endswith(GONE)}
        feats.kills = [kill for kill in feats.kills if kill.victim not in changed]  # it is back, or fell anew
        if fight is None:
            continue
        attacker, target = fight
        slayer = _unit(cells, attacker)
        if slayer is None:
            continue
        for group in step.dice:
            if group.side == slayer.side:
                feats.luck.setdefault(slayer, Luck()).count(group)
        for cell, value in step.writes.items():
            if not cell.endswith(GONE) or not value or value.get("how") != "removed":
                continue
            victim = _unit(cells, cell.removesuffix(GONE))
            by = slayer if victim != slayer else _unit(cells, target)
            if victim and by and victim.side != by.side:
                feats.kills.append(Kill(by, victim))
    return feats


def _fight_of(step: LoggedStep, before: Cells) -> tuple[str, str] | None:
    """Attacker and target of the attack this step belongs to: the one it starts, continues or ends."""
    for cell, value in step.writes.items():
        if cell.startswith(FIGHT):
            offered = (before.get(OFFER) or {}).get("before", {})  # by a bought re-roll
            fight = value or before.get(cell) or offered.get(cell) or {"attacker": cell.removeprefix(FIGHT)}
            return fight["attacker"], fight.get("target") or ""
    return None


def _unit(cells: Cells, key: str) -> UnitName | None:
    cell = cells.get(key)
    if not isinstance(cell, dict) or "side" not in cell or "origin" not in cell:
        return None
    return UnitName(cell["side"], cell["origin"], int(cell["number"]), cell["name"])
