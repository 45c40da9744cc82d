"""After any sequence of acts, late entries, strikes, amends and restores, the chronicle still adds up."""

from __future__ import annotations

import json
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from campaign.chronicle import codec, corrections
from campaign.chronicle.effects import apply_effects
from campaign.chronicle.entries_and_fold import ChronicleEntry, effective_entries, fold
from campaign.chronicle.scores import list_score_steps
from campaign.chronicle.sentences import Names, describe_entry
from campaign.chronicle.state import State
from refusal import Refusal
from tests.campaign import random_acts
from tests.campaign.chronicle.sample_wars import War

PEOPLE = (1, 2, 3)


def day_of(number: int) -> str:
    return f"2026-03-{number:02d}"


def agreed(flags: Iterable[corrections.AffectedEntry]) -> set[str]:
    """Who is shown as standing below 0 by an entry that is kept."""
    return {key for flag in flags if flag.choice == corrections.KEEP for key in flag.owing}


class AnySequence(RuleBasedStateMachine):
    """A chronicle kept as the services keep it: the newest state carried forward, folded anew only where necessary."""

    def __init__(self) -> None:
        super().__init__()
        self.war = War(3)
        self.kept = self.war.state
        self.day = 1
        self.known: dict[int, State] = {len(self.war.lines): self.kept.copy()}

    @initialize(kingdoms=st.integers(0, 3))
    def a_purse_to_begin_with(self, kingdoms: int) -> None:
        for number in range(1, kingdoms + 1):
            self.write("agreed_change", {"vp": {f"k{number}": 6}, "why": "to begin with"}, self.day)

    # --- what the table does ---------------------------------------------------------------------------------------

    @rule(data=st.data(), days=st.integers(0, 1))
    def act(self, data: st.DataObject, days: int) -> None:
        self.day = min(self.day + days, 28)
        act, body = random_acts.any_act(self.kept, self.pick(data), PEOPLE)
        self.write(act, body, self.day)

    @precondition(lambda self: self.day > 1)
    @rule(data=st.data())
    def late(self, data: st.DataObject) -> None:
        act, body = random_acts.any_act(self.kept, self.pick(data), PEOPLE)
        self.write(act, body, data.draw(st.integers(1, self.day - 1), label="day"))

    @rule(data=st.data())
    def strike(self, data: st.DataObject) -> None:
        target = data.draw(st.integers(1, len(self.war.lines)), label="entry")
        self.correct(data, target, lambda choices: corrections.preview_strike(self.war.lines, target, choices))

    @rule(data=st.data())
    def amend(self, data: st.DataObject) -> None:
        result = random_acts.amended(self.war.lines, self.pick(data))
        if result:
            target, body = result
            self.correct(data, target, lambda choices: corrections.preview_amend(self.war.lines, target, body, choices))

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        wrong = [entry.number for entry in self.war.lines if entry.act in ("strike", "amend")]
        if not wrong:
            return
        target = data.draw(st.sampled_from(wrong), label="correction")
        try:
            preview = corrections.preview_restore(self.war.lines, target)
        except Refusal:
            return
        before = self.kept
        self.war.restore(target)
        self.folded()
        assert corrections.diff_states(before, self.kept) == preview.changes
        self.check_debts(before, shown=agreed(preview.flags))

    # --- as the door does it ---------------------------------------------------------------------------------------

    def pick(self, data: st.DataObject) -> random_acts.Pick:
        return lambda limit: data.draw(st.integers(0, limit - 1))

    def write(self, act: str, body: dict, number: int) -> None:
        entries, day = self.war.lines, day_of(number)
        late = number < self.day
        at = (day, len(entries) + 1)
        state = corrections.state_before(entries, at) if late else self.kept
        before = self.kept.copy()
        try:
            decided = codec.read_sent(act, body).numbered(self.kept, at[1])
            effects = decided.decide(state, state.rules())
        except Refusal:
            assert self.kept == before, "a refused act has changed something"
            return
        body = codec.write_body(decided, options=state.options, entry=at[1])
        entry = ChronicleEntry(at[1], act, body, effects, day, 1)
        flags = corrections.preview_late_entry(entries, entry).flags if late else ()
        entries.append(entry)
        if late:
            self.folded()
        else:
            apply_effects(self.kept, effects)
            self.known[entry.number] = self.kept.copy()
        self.check_debts(before, shown=agreed(flags))

    def correct(self, data: st.DataObject, target: int, preview) -> None:
        try:
            seen = preview({})
            chosen = preview(random_acts.any_choices(seen, self.pick(data)))
        except Refusal:
            return
        before = self.kept
        self.war.confirm(chosen)
        self.folded()
        assert corrections.diff_states(before, self.kept) == chosen.changes, "the preview said something else"
        self.check_debts(before, shown=agreed(chosen.flags))
        if data.draw(st.booleans(), label="restored at once"):
            self.war.restore(len(self.war.lines))
            self.folded()
            assert self.kept == before, "restoring is exact"

    def folded(self) -> None:
        self.kept = self.war.state
        self.known[len(self.war.lines)] = self.kept.copy()

    def check_debts(self, before: State, *, shown: set[str]) -> None:
        """VP fall below 0, or further below, only where the table is shown by which entry and agrees to keep it."""
        for key, kingdom in self.kept.kingdoms.items():
            was = before.kingdoms[key].vp if key in before.kingdoms else 0
            if kingdom.vp < min(0, was):
                assert key in shown, f"{kingdom.name} fell from {was} to {kingdom.vp} VP unasked"

    # --- what must always hold -------------------------------------------------------------------------------------

    @invariant()
    def the_carried_state_is_the_fold(self) -> None:
        assert self.kept == self.war.state

    @invariant()
    def a_state_survives_being_kept(self) -> None:
        assert State.from_json(json.loads(json.dumps(self.kept.to_json()))) == self.kept

    @invariant()
    def every_point_has_its_reason(self) -> None:
        order, names = effective_entries(self.war.lines), Names(self.kept)
        for kingdom in self.kept.in_play():
            for what in ("loyalty", "vp"):
                assert sum(step.by for step in list_score_steps(order, kingdom.id, what, names)) == getattr(
                    kingdom, what
                )

    @invariant()
    def every_territory_has_a_holder_who_is_there(self) -> None:
        there = {kingdom.id for kingdom in self.kept.in_play()}
        for key in self.kept.holders:
            assert key.partition(".")[0] in there
        self.kept.campaign_map()

    def teardown(self) -> None:
        names = Names(self.kept)
        for entry in self.war.lines:
            assert describe_entry(entry, names).strip()
        for number, state in self.known.items():
            assert self.war.state_known_at(number) == state
        order = effective_entries(self.war.lines)
        middle = len(order) // 2
        assert fold(order[middle:], fold(order[:middle])) == self.kept


CALM = {"deadline": None, "suppress_health_check": list(HealthCheck)}


def test_any_sequence_adds_up():
    run_state_machine_as_test(AnySequence, settings=settings(max_examples=60, stateful_step_count=40, **CALM))


@pytest.mark.soak
def test_any_long_sequence_adds_up():
    run_state_machine_as_test(AnySequence, settings=settings(max_examples=300, stateful_step_count=80, **CALM))
