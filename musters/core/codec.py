"""A muster's own log: its entries, the state they add up to, and their JSON, which nothing else knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, assert_never

import dataclass_json
from campaign.chronicle.acts.administration import OptionValue
from dataclass_json import STORED, stored_as
from musters.core.army_json import call_from_json, call_to_json
from refusal import Refusal
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.muster.army import Siege
from rulebook.muster.muster import Muster, replay_muster
from rulebook.muster.questions import CHOICE_KINDS, MusterAnswer

Stored = Mapping[str, Any]


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
    options: Mapping[str, OptionValue] = field(default_factory=dict)


def load_entry(act: str, body: Stored) -> MusterEntry:
    """A stored entry. Keys of other releases are ignored."""
    match act:
        case MusterBegun.key:
            return MusterBegun(call_from_json(body["call"]), body.get("dice", ""))
        case MusterRestarted.key:
            return MusterRestarted(call_from_json(body["call"]))
        case QuestionAnswered.key:
            found = dataclass_json.read(_StoredAnswers, body, STORED)
            return QuestionAnswered(tuple([MusterAnswer.read(one) for one in found.answers]), found.dice, found.entry)
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


def write_entry(entry: MusterEntry) -> Stored:
    """The body of an entry."""
    match entry:
        case MusterBegun():
            return {"call": call_to_json(entry.call), "dice": entry.dice}
        case MusterRestarted():
            return {"call": call_to_json(entry.call)}
        case QuestionAnswered():
            paid = {"entry": entry.entry} if entry.entry is not None else {}
            return {"answers": [one.plain() for one in entry.answers], "from": entry.dice, **paid}
        case DieRerolled() | RollKept() | AnswersUndone():
            body: Stored = dataclass_json.write(entry)
            return body
        case ChangesAccepted():
            return {"facts": facts_to_json(entry.facts)}
        case _:
            assert_never(entry)


def facts_to_json(facts: CampaignFacts) -> Stored:
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
    def of(cls, call: MusterCall, regained: tuple[int, ...] = ()) -> CampaignFacts:
        lost = tuple([house for house in call.lost if house not in regained])
        return cls(call.loyalty, lost, call.siege, call.options)


@dataclass(frozen=True, slots=True)
class MusterBegun:
    """The call is fixed."""

    key: ClassVar[str] = "begun"

    call: MusterCall
    dice: str = ""


@dataclass(frozen=True, slots=True)
class MusterRestarted:
    """The campaign has changed, and the muster begins again with its new values."""

    key: ClassVar[str] = "begun_anew"

    call: MusterCall


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """One tap: a choice or a die, and the dice that follow it."""

    key: ClassVar[str] = "answered"

    answers: tuple[MusterAnswer, ...]
    dice: str = ""  # how they were rolled
    entry: int | None = None  # of the chronicle, if it cost VP


@dataclass(frozen=True, slots=True)
class DieRerolled:
    """The last die again, for VP."""

    key: ClassVar[str] = "thrown_again"

    roll: int
    entry: int | None = None


@dataclass(frozen=True, slots=True)
class RollKept:
    """Which roll of a re-rolled die counts."""

    key: ClassVar[str] = "kept"

    value: int


@dataclass(frozen=True, slots=True)
class AnswersUndone:
    """Only the first answers stay."""

    key: ClassVar[str] = "taken_back"

    to: int


@dataclass(frozen=True, slots=True)
class ChangesAccepted:
    """The campaign has changed, and the muster continues with its old values."""

    key: ClassVar[str] = "agreed"

    facts: CampaignFacts


MusterEntry = (
    MusterBegun | MusterRestarted | QuestionAnswered | DieRerolled | RollKept | AnswersUndone | ChangesAccepted
)


@dataclass(slots=True)
class MusterState:
    """What the entries add up to."""

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
