"""What is stored of a muster: its call, its army, and the entries of its log with the state they add up to.

Armies and calls are checked when they are read: they can come from a file.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, assert_never, get_args

import dataclass_json
from dataclass_json import STORED, Keyed, enum_of, keyed, stored_as
from refusal import Refusal
from rulebook.data.heroes import HERO, hero_of
from rulebook.data.house_rules import Options, Value
from rulebook.data.muster_table import MusterCall
from rulebook.data.units import UNIT, WEAPON_NAMES, unit_of
from rulebook.input_checks import check_count, check_d10, check_one_of, check_whole_number
from rulebook.muster.army import Army, MusteredUnit, Origin, Siege, Slot, mustered_unit
from rulebook.muster.questions import CHOICE_KINDS, MusterAnswer
from rulebook.muster.roll_muster import Muster, replay_muster

Stored = Mapping[str, Any]
Json = dict[str, object]
ORIGINS: tuple[str, ...] = get_args(Origin)
MAX_UNITS = 60


@dataclass(frozen=True, slots=True)
class UnitShape:
    """One unit of an army in JSON. ``slot``: where it comes from, and the number there."""

    writes_defaults: ClassVar[bool] = True

    slot: tuple[Origin, int]
    unit: Annotated[str, enum_of(UNIT)]
    hero: Annotated[str, enum_of(HERO)] | None = None
    weapon: Annotated[str, enum_of(WEAPON_NAMES)] | None = None


@dataclass(frozen=True, slots=True)
class ArmyShape:
    """An army in JSON, for the API's schema."""

    writes_defaults: ClassVar[bool] = True

    units: tuple[UnitShape, ...]
    loyalty: int = 0
    siege: Siege | None = None
    silent: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    regained: tuple[int, ...] = ()
    vp_spent: int = 0
    dice: tuple[int, ...] = ()


def call_to_json(call: MusterCall) -> Json:
    return {
        "loyalty": call.loyalty,
        "lost": list(call.lost),
        "siege": call.siege,
        "vp": call.vp,
        "options": call.options.differences(),
    }


def call_from_json(kept: Mapping[str, Any]) -> MusterCall:
    return MusterCall(
        kept.get("loyalty", 0),
        tuple(kept.get("lost", ())),
        kept.get("siege"),
        kept.get("vp", 0),
        Options.from_differences(kept.get("options", {})),
    )


def army_to_json(army: Army) -> Json:
    units = tuple([UnitShape((u.slot.origin, u.slot.number), u.unit, u.hero, u.weapon) for u in army.units])
    rest = (army.loyalty, army.siege, army.silent, army.lost, army.regained, army.vp_spent, army.dice)
    written: Json = dataclass_json.write(ArmyShape(units, *rest))
    return written


def army_from_json(kept: Mapping[str, Any]) -> Army:
    try:
        units = tuple([_unit_from_json(row) for row in kept["units"]])
        siege = kept.get("siege")
        if siege is not None:
            check_one_of(siege, ("attacker", "defender"), "side in the siege")
        if len(units) > MAX_UNITS:
            raise Refusal(f"An army of {len(units)} units is too large. The limit is {MAX_UNITS}.")
        return Army(
            units,
            check_whole_number(kept.get("loyalty", 0), "loyalty"),
            siege,
            tuple(kept.get("silent", ())),
            tuple(kept.get("lost", ())),
            tuple(kept.get("regained", ())),
            check_count(kept.get("vp_spent", 0), "VP spent"),
            tuple([check_d10(face, "die") for face in kept.get("dice", ())]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise Refusal(f"This army is incomplete: {error}.", field="army") from error


def _unit_from_json(row: Mapping[str, Any]) -> MusteredUnit:
    origin, number = row["slot"]
    check_one_of(origin, ORIGINS, "place in the army")
    hero, weapon = row.get("hero"), row.get("weapon")
    if hero is not None:
        hero_of(hero)
    if weapon is not None:
        check_one_of(weapon, WEAPON_NAMES, "weapon")
    return mustered_unit(
        Slot(origin, check_count(number, "place in the army", least=1)), unit_of(row["unit"]).key, hero, weapon
    )


# --- entries of the log ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _StoredAnswers:
    answers: tuple[Any, ...]  # each is read by the rulebook
    dice: str = field(metadata=stored_as("from"), default="")
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class _StoredFacts:
    loyalty: int = 0
    lost: tuple[int, ...] = ()
    siege: Literal["attacker", "defender"] | None = None
    options: Mapping[str, Value] = field(default_factory=dict)


def load_entry(act: str, body: Stored) -> "MusterEntry":
    """A stored entry. Keys of other releases are ignored."""
    match act:
        case MusterBegun.key:
            return MusterBegun(call_from_json(body["call"]), body.get("dice", ""))
        case MusterRestarted.key:
            return MusterRestarted(call_from_json(body["call"]))
        case QuestionAnswered.key:
            stored = dataclass_json.read(_StoredAnswers, body, STORED)
            answers = tuple(map(MusterAnswer.read, stored.answers))
            return QuestionAnswered(answers, stored.dice, stored.entry)
        case DieRerolled.key:
            return dataclass_json.read(DieRerolled, body, STORED)
        case RollKept.key:
            return dataclass_json.read(RollKept, body, STORED)
        case AnswersUndone.key:
            return dataclass_json.read(AnswersUndone, body, STORED)
        case ChangesAccepted.key:
            facts = dataclass_json.read(_StoredFacts, body["facts"], STORED)
            options = Options.from_differences(dict(facts.options))
            return ChangesAccepted(CampaignFacts(facts.loyalty, facts.lost, facts.siege, options))
    raise Refusal(f"A muster has no entry called {act!r}.", status=409)


def write_entry(entry: "MusterEntry") -> Stored:
    match entry:
        case MusterBegun():
            return {"call": call_to_json(entry.call), "dice": entry.dice}
        case MusterRestarted():
            return {"call": call_to_json(entry.call)}
        case QuestionAnswered():
            paid = {"entry": entry.entry} if entry.entry is not None else {}
            return {"answers": [answer.plain() for answer in entry.answers], "from": entry.dice, **paid}
        case DieRerolled() | RollKept() | AnswersUndone():
            body: Stored = dataclass_json.write(entry)
            return body
        case ChangesAccepted():
            return {"facts": facts_to_json(entry.facts)}
        case _:
            assert_never(entry)


def facts_to_json(facts: "CampaignFacts") -> Stored:
    return {
        "loyalty": facts.loyalty,
        "lost": list(facts.lost),
        "siege": facts.siege,
        "options": facts.options.differences(),
    }


# ── The entries, and the state they add up to ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CampaignFacts:
    """What a muster was begun with, except VP: those are checked against the chronicle when they are spent."""

    loyalty: int
    lost: tuple[int, ...]
    siege: Siege | None
    options: Options

    @classmethod
    def of(cls, call: MusterCall, regained: tuple[int, ...] = ()) -> "CampaignFacts":
        lost = tuple([house for house in call.lost if house not in regained])
        return cls(call.loyalty, lost, call.siege, call.options)


@keyed("begun")
class MusterBegun(Keyed):
    """The call is fixed."""

    call: MusterCall
    dice: str = ""


@keyed("begun_anew")
class MusterRestarted(Keyed):
    """The campaign has changed, and the muster begins again with its new values."""

    call: MusterCall


@keyed("answered")
class QuestionAnswered(Keyed):
    """One tap: a choice or a die, and the dice that follow it."""

    answers: tuple[MusterAnswer, ...]
    dice: str = ""  # how they were rolled
    entry: int | None = None  # of the chronicle, if it cost VP


@keyed("thrown_again")
class DieRerolled(Keyed):
    """The last die again, for VP."""

    roll: int
    entry: int | None = None


@keyed("kept")
class RollKept(Keyed):
    """Which roll of a re-rolled die counts."""

    value: int


@keyed("taken_back")
class AnswersUndone(Keyed):
    """Only the first answers stay."""

    to: int


@keyed("agreed")
class ChangesAccepted(Keyed):
    """The campaign has changed, and the muster continues with its old values."""

    facts: CampaignFacts


MusterEntry = (
    MusterBegun | MusterRestarted | QuestionAnswered | DieRerolled | RollKept | AnswersUndone | ChangesAccepted
)


@dataclass(slots=True)
class MusterState:
    call: MusterCall
    answers: list[MusterAnswer] = field(default_factory=list)
    accepted: CampaignFacts | None = None
    runs: int = 1
    fresh: int = 0  # answers of the last tap, which the page animates

    def muster(self) -> Muster:
        return replay_muster(self.call, self.answers)


def fold_entries(entries: Iterable[MusterEntry]) -> MusterState:
    """Fold the entries in order. The first fixes the call."""
    state: MusterState | None = None
    for entry in entries:
        if isinstance(entry, MusterBegun | MusterRestarted):
            state = MusterState(entry.call, runs=state.runs + 1 if state else 1)
        elif state is not None:
            _apply(state, entry)
    if state is None:
        raise Refusal("This muster's log is empty. Begin the muster again.", status=409)
    return state


def _apply(
    state: MusterState, entry: QuestionAnswered | DieRerolled | RollKept | AnswersUndone | ChangesAccepted
) -> None:
    state.fresh = 0
    match entry:
        case QuestionAnswered(answers=answers):
            state.answers += answers
            state.fresh = len(answers)
        case DieRerolled(roll=roll):
            state.answers[-1] = MusterAnswer(roll, (*state.answers[-1].thrown, roll))
            state.fresh = 1
        case RollKept(value=value):
            state.answers[-1] = MusterAnswer(value, state.answers[-1].thrown)
        case AnswersUndone(to=to):
            del state.answers[to:]
        case ChangesAccepted(facts=facts):
            state.accepted = facts


def answers_after_undo(muster: Muster, typed: bool) -> int | None:
    """How many answers stay after an undo, or None if it is impossible.

    A typed die can be corrected until the next one, with the choices after it. A die rolled by the site stays; the
    choices after it can be undone. Nothing that cost VP can be undone.
    """
    to = len(muster.steps)
    while to:
        step = muster.steps[to - 1]
        if step.answer.rerolls or step.answer.value in ("buy", "regain"):
            return None if to == len(muster.steps) else to
        if step.kind not in CHOICE_KINDS:
            return to - 1 if typed else to if to < len(muster.steps) else None
        to -= 1
    return 0 if muster.steps else None
