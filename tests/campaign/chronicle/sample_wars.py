"""Small wars for tests: entries written through the acts, without a database."""

from __future__ import annotations

from typing import Any

import campaign.chronicle.acts.administration
import campaign.chronicle.acts.starting_position
import campaign.chronicle.acts.war  # noqa: F401  (registers the acts)
from campaign.chronicle import codec
from campaign.chronicle.corrections import CorrectionPreview
from campaign.chronicle.entries_and_fold import RESTORE, ChronicleEntry, effective_entries, fold
from campaign.chronicle.state import PLACE_KEYS, State
from heraldry import Arms

ARMS = Arms.from_seed("test").to_dict()
NAMES = ("Oakhold", "Fenwick", "Thistledown", "Mole End", "Rennet", "Burdock")


class War:
    """Lines, and the state they lead to, kept the slow and certain way: by folding everything each time."""

    def __init__(self, kingdoms: int = 2) -> None:
        self.lines: list[ChronicleEntry] = []
        self.do("founded", {"name": "The War of the Hedges", "master": 1})
        for number in range(kingdoms):
            self.do("kingdom_joins", joining(NAMES[number], ruler=number + 1))

    @property
    def state(self) -> State:
        return fold(effective_entries(self.lines))

    def state_known_at(self, number: int) -> State:
        """The state right after this entry was written."""
        return fold(effective_entries([entry for entry in self.lines if entry.number <= number]))

    def next(self) -> int:
        return len(self.lines) + 1

    def do(self, act: str, body: dict[str, Any], day: str = "2026-03-01") -> ChronicleEntry:
        state = self.state
        decided = codec.read_sent(act, body).numbered(state, self.next())
        body = codec.write_body(decided, options=state.options, entry=self.next())
        entry = ChronicleEntry(self.next(), act, body, decided.decide(state, state.rules()), day)
        self.lines.append(entry)
        return entry

    def result(self, attacker: str, target: str, outcome: str = "attacker", **more: Any) -> ChronicleEntry:
        day = more.pop("day", "2026-03-01")
        return self.do("result", {"attacker": attacker, "target": target, "outcome": outcome, **more}, day)

    def confirm(self, preview: CorrectionPreview) -> ChronicleEntry:
        entry = ChronicleEntry(
            self.next(), preview.kind, {"target": preview.target, "bundle": preview.bundle}, [], "2026-03-02"
        )
        self.lines.append(entry)
        return entry

    def restore(self, number: int) -> None:
        self.lines.append(ChronicleEntry(self.next(), RESTORE, {"restores": number}, [], "2026-03-02"))


def joining(name: str, ruler: int | None = None, **more: Any) -> dict[str, Any]:
    return {
        "name": name,
        "arms": ARMS,
        "ruler": ruler,
        "houses": [{"name": f"{name} {n}", "arms": ARMS} for n in ("Ash", "Birch", "Cherry", "Dogwood")],
        "places": {place: f"{place} of {name}" for place in PLACE_KEYS},
        **more,
    }
