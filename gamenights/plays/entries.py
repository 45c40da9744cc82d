"""What a group's log records about plays, and what is sent about them, as frozen dataclasses.

A play's ``facts`` hold the ids of people, never their names.
"""

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Literal

from cardgames.models import PRIVATE_CODE
from dataclass_json import Check, Count, Keyed, Text, Whole, keyed
from gamenights.plays.values import MAX_MINUTES, MAX_NAME, MAX_NOTES, MAX_PLAYERS, MAX_SCORE, PlayFacts, Scoring
from groups.entries import Act, Number
from refusal import Refusal

MAX_ANSWERS = 10_000
Uuid = Annotated[str, Text("The play", 80)]
SourceWord = Literal["logged", "result", "battle", "imported"]


@dataclass(frozen=True, slots=True)
class PlayEntry:
    """``key`` is the act's name in the log, ``play`` the play's uuid."""

    key: ClassVar[str]

    play: Uuid


@keyed("play_logged")
class PlayLogged(PlayEntry):
    """``source`` says where it comes from; ``result`` and ``battle`` are the game of this site that it was."""

    night: Number | None
    facts: PlayFacts
    source: SourceWord = "logged"
    result: Number | None = None
    battle: Number | None = None


@keyed("play_changed")
class PlayChanged(PlayEntry):
    """``settles`` is the entry that proposed it, if it waited for consent."""

    facts: PlayFacts
    settles: Number | None = None


@keyed("play_moved")
class PlayMoved(PlayEntry):
    night: Number | None


@keyed("play_removed")
class PlayRemoved(PlayEntry):
    settles: Number | None = None


@keyed("play_restored")
class PlayRestored(PlayEntry):
    settles: Number | None = None


@dataclass(frozen=True, slots=True)
class ProposedChange:
    facts: PlayFacts | None = None


Settleable = PlayChanged | PlayRemoved | PlayRestored


@keyed("play_change_proposed")
class ChangeProposed(PlayEntry):
    """A change that waits for somebody else's consent."""

    proposes: Literal["play_changed", "play_removed", "play_restored"]
    proposed: ProposedChange = field(default_factory=ProposedChange)
    writes_defaults: ClassVar[bool] = True

    @classmethod
    def of(cls, wanted: Settleable) -> "ChangeProposed":
        facts = wanted.facts if isinstance(wanted, PlayChanged) else None
        return cls(wanted.play, wanted.key, ProposedChange(facts))  # type: ignore[arg-type]

    def settled_by(self, entry: int) -> Settleable:
        """What is written once somebody agrees."""
        if self.proposed.facts is not None:
            return PlayChanged(self.play, self.proposed.facts, entry)
        return (PlayRemoved if self.proposes == PlayRemoved.key else PlayRestored)(self.play, entry)


@keyed("play_change_rejected")
class ChangeRejected(PlayEntry):
    settles: Number


ENTRIES = (PlayLogged, PlayChanged, PlayMoved, PlayRemoved, PlayRestored, ChangeProposed, ChangeRejected)

# --- acts that write one of the entries above, or many ----------------------------------------------------------------


@keyed("play_change_settled")
class SettleChange(PlayEntry):
    """Agree to the change that the entry ``proposal`` proposed, or reject it."""

    proposal: Number
    agree: bool


@keyed("plays_imported")
class ImportPlays(Keyed):
    """The plays of a file, by its digest. ``answers`` says who doubtful people in it are."""

    file: Annotated[str, Text("The file", 128)]
    answers: Annotated[Mapping[str, str], Count("Answers", MAX_ANSWERS)]


ACTS: dict[str, Act] = {kind.key: Act(kind) for kind in (*ENTRIES, SettleChange, ImportPlays)}

# --- what the API is sent ---------------------------------------------------------------------------------------------

Name = Annotated[str, Text("The name", MAX_NAME, empty=True)]


@dataclass(frozen=True, slots=True)
class SentPlayer:
    """``person`` is the person's code; ``score`` is 42, -3 or 12+30."""

    person: Annotated[str, Text("The person", 16)]
    score: Annotated[str, Text("The score", MAX_SCORE, empty=True)] = ""
    team: Name = ""
    role: Name = ""
    place: Annotated[int, Whole("The place", 1, MAX_PLAYERS)] | None = None
    won: bool = False
    started: bool = False


def check_uuid(text: str) -> None:
    """It stands in addresses."""
    if not re.fullmatch(r"[-A-Za-z0-9_]+", text):
        raise Refusal("A uuid can only have letters, digits, dashes and underscores.", field="uuid")


@dataclass(frozen=True, slots=True)
class LogPlay:
    """A play to log or the new state of one. The same key or the same uuid logs it once.

    ``game`` is its name; a new game is added to the shelf.
    """

    game: Annotated[str, Text("The game's name", MAX_NAME)]
    players: Annotated[tuple[SentPlayer, ...], Count("Players", MAX_PLAYERS)]
    uuid: Annotated[str, Text("The uuid", 80), Check(check_uuid)] | None = None
    day: dt.date | None = None
    night: Annotated[str, Text("The night", PRIVATE_CODE, empty=True)] = ""
    scoring: Scoring = Scoring.HIGH
    variant: Annotated[str, Text("The variant", 200, empty=True)] = ""
    minutes: Annotated[int, Whole("The minutes", 0, MAX_MINUTES)] | None = None
    rated: bool | None = None
    notes: Annotated[str, Text("The notes", MAX_NOTES, empty=True)] = ""
