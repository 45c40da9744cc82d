"""The log of a muster as JSON and back: the only place that knows these shapes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, assert_never

import dataclass_json
from campaign.chronicle.acts.administration import OptionValue
from dataclass_json import STORED, stored_as
from musters.core.army_json import call_from_json, call_to_json
from musters.core.muster_log_entries import (
    AnswersUndone,
    CampaignFacts,
    ChangesAccepted,
    DieRerolled,
    MusterBegun,
    MusterEntry,
    MusterRestarted,
    QuestionAnswered,
    RollKept,
)
from refusal import Refusal
from rulebook.data.house_rules import Options
from rulebook.muster.questions import MusterAnswer

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
