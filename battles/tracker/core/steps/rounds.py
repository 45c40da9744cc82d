"""Steps for rounds and the whole battle: initiative, random events, end of a round, goals, yielding."""

from collections.abc import Mapping
from dataclasses import field
from typing import Annotated

from battles.tracker.core import live_score
from battles.tracker.core.state import BattleTerms, TrackerState
from battles.tracker.core.steps.tracker_step import (
    CountBySide,
    Number,
    RollsBySide,
    SideId,
    StepDraft,
    TrackerStep,
    UnitId,
    register_step,
)
from dataclass_json import Text
from refusal import Refusal
from rulebook.battle.actions import decide_first_side, decide_initiative, next_side
from rulebook.battle.combat import BUILDING_WOUNDS
from rulebook.data.battlefield import EVENT, MUD_NEEDS, REINFORCEMENTS, apply_reinforcement_roll, has_event, round_event
from rulebook.data.scenario_goals import HeldAtEnd, HeldEachRound, Holds, SetAblaze, Track
from rulebook.input_checks import check_count, check_d10, check_one_of


@register_step("begin")
class BeginBattle(TrackerStep):
    """Start the first round with a die for each side, unless the scenario decides (ROUND-01, SCEN-07)."""

    rolls: RollsBySide = field(default_factory=dict)

    def judge(self, draft: StepDraft) -> None:
        if draft.round:
            raise Refusal("The battle has already begun.", status=409)
        sides = draft.before.sides
        first = draft.terms.row.first_turn
        if first is not None:
            draft.write("begins", first)
            draft.say(f"{draft.before.side_name(first)} goes first, by the scenario.")
        else:
            rolled = decide_initiative(
                {side: check_d10(self.rolls.get(side), f"initiative roll of side {side}") for side in sides}
            )
            if rolled.side is None:
                raise Refusal(
                    f"{' and '.join(draft.before.side_name(side) for side in rolled.roll_again)} tie. Roll again.",
                    field="rolls",
                )
            results = ", ".join(f"{draft.before.side_name(side)} {self.rolls[side]}" for side in sides)
            draft.write("begins", rolled.side)
            draft.say(f"Initiative: {results}. {draft.before.side_name(rolled.side)} goes first.")
        draft.write("round", 1)


@register_step("event")
class RollEvent(TrackerStep):
    """Roll for the random event, with a second die on 8 or more (EVENT-02)."""

    roll: Number
    second: Number | None = None

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        roll = check_d10(self.roll, "event roll")
        rolled = round_event(roll, self.second if has_event(roll) else None, draft.terms.options)
        draft.write("event", [draft.round, rolled.key if rolled else None])
        draft.say(f"Event roll {roll}: {f'{rolled.name}. {rolled.text}' if rolled else 'no event this round.'}")


@register_step("event_is")
class SetEvent(TrackerStep):
    """Set the event that was rolled on the table."""

    event: Annotated[str, Text("The event", 40, empty=True)] = ""

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        key = check_one_of(self.event, EVENT, "event") if self.event else None
        draft.write("event", [draft.round, key])
        draft.say(f"This round: {EVENT[key].name}." if key else "No event this round.")


@register_step("reinforced")
class RollReinforcements(TrackerStep):
    """A d10 for a unit with losses; on a 10 one model returns (EVENT-10, R-92)."""

    unit: UnitId
    roll: Number

    def judge(self, draft: StepDraft) -> None:
        if draft.before.event != REINFORCEMENTS:
            raise Refusal("There are no reinforcements this round.", status=409)
        unit = draft.unit(self.unit, noted=("left",))
        last_round = draft.read(f"{unit.id}/reinforced")
        if last_round == draft.round:
            raise Refusal(draft.with_verb(unit, "has", "have") + " already rolled for reinforcements.", status=409)
        if unit.lost == 0:
            raise Refusal(draft.with_verb(unit, "has", "have") + " not lost any models.", status=409)
        came = apply_reinforcement_roll(unit.row, unit.now.models, self.roll)
        draft.write(f"{unit.id}/reinforced", draft.round)
        if came.models_after > came.models_before:
            draft.write(f"{unit.id}/left", {**draft.read(f"{unit.id}/left"), "models": came.models_after})
            draft.say(f"{draft.full_name(unit.id)}: a {self.roll}, one model returns.")
        else:
            draft.say(f"{draft.full_name(unit.id)}: {self.roll}, no model returns.")


@register_step("mud")
class RollMud(TrackerStep):
    """Roll before a unit moves in mud (EVENT-04)."""

    unit: UnitId
    roll: Number

    def judge(self, draft: StepDraft) -> None:
        unit = draft.unit(self.unit, noted=())
        roll = check_d10(self.roll, "mud roll")
        draft.write(f"{unit.id}/mud", [draft.round, roll])
        draft.say(f"{draft.full_name(unit.id)} in the mud: {roll}, {'stuck' if roll < MUD_NEEDS else 'can move'}.")


@register_step("round_over")
class EndRound(TrackerStep):
    """End the round and clear the tokens. ``held``: objectives held now, where they score."""

    of: Number | None = None
    held: CountBySide = field(default_factory=dict)
    rolls: RollsBySide | None = None

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        number = draft.round
        if self.of not in (None, number):
            raise Refusal(f"Round {self.of} is already over.", status=409)
        if fights := draft.before.fights():
            names = " and ".join(draft.full_name(key) for key in fights)
            raise Refusal(f"Unfinished attack: {names}. Finish rolling or cancel the attack.", status=409)
        if draft.terms.row.track(HeldEachRound):
            SetHeldInRound(number, self.held).judge(draft)
        most = draft.terms.row.rounds
        if most is not None and number >= most:
            draft.write("over", number)
            draft.say(f"Round {number} was the last. The battle is over.")
            return
        begins = decide_first_side(
            number + 1, draft.before.sides, draft.before.cells["begins"], draft.terms.options, self.rolls or None
        )
        draft.write("round", number + 1)
        draft.write("begins_now", [number + 1, begins.side] if begins.side else None)
        first = draft.before.side_name(begins.side) if begins.side else ""
        opens = f"{first} goes first in round {number + 1}." if first else begins.reason
        draft.say(f"Round {number} is over. {opens}")


@register_step("held")
class SetHeldInRound(TrackerStep):
    """Set the objectives held at the end of a round (SCEN-09, R-62)."""

    round: Number
    held: CountBySide = field(default_factory=dict)

    def judge(self, draft: StepDraft) -> None:
        track = draft.terms.row.track(HeldEachRound)
        if track is None:
            raise Refusal(f"There are no tall mounds to hold in {draft.terms.row.name}.", field="held")
        number = check_count(self.round, "round", least=1, most=999)
        held = _read_held(draft, self.held, track)
        draft.write(f"held/{number}", held)
        draft.say(f"{track.noun.capitalize()} held in round {number}: {_held_text(draft, held)}.")


@register_step("crossings")
class SetHeldAtEnd(TrackerStep):
    """Set the objectives that each side holds, where those held at the end count (SCEN-03, R-63)."""

    held: CountBySide = field(default_factory=dict)

    def judge(self, draft: StepDraft) -> None:
        track = draft.terms.row.track(HeldAtEnd)
        if track is None:
            raise Refusal(HeldAtEnd.absent.format(name=draft.terms.row.name), field="held")
        held = _read_held(draft, self.held, track)
        draft.write("crossings", held)
        draft.say(f"{track.noun.capitalize()} held: {_held_text(draft, held)}.")


@register_step("holder")
class SetHolder(TrackerStep):
    """Set who holds the fortress or the castle; nobody without a side."""

    side: Annotated[str, Text("The side", 40, empty=True)] = ""

    def judge(self, draft: StepDraft) -> None:
        track = draft.terms.row.track(Holds)
        if track is None:
            raise Refusal(Holds.absent.format(name=draft.terms.row.name), field="side")
        side = check_one_of(self.side, draft.before.sides, "side") if self.side else ""
        draft.write("holder", side)
        draft.say(f"{draft.before.side_name(side) if side else 'Nobody'} holds the {track.place}.")


@register_step("building")
class SetBuildingWounds(TrackerStep):
    """Set a building's wounds; at two it is ablaze (SCEN-10)."""

    building: Number
    wounds: Number

    def judge(self, draft: StepDraft) -> None:
        track = draft.terms.row.track(SetAblaze)
        if track is None:
            raise Refusal(f"There are no buildings to burn in {draft.terms.row.name}.", field="building")
        number = check_count(self.building, "building", least=1, most=track.most)
        wounds = check_count(self.wounds, "wounds of the building", most=BUILDING_WOUNDS)
        draft.write(f"building/{number}", wounds)
        now = "is ablaze" if wounds == BUILDING_WOUNDS else f"has {wounds} of {BUILDING_WOUNDS} wounds"
        draft.say(f"Building {number} {now}.")


@register_step("yielded")
class YieldBattle(TrackerStep):
    side: SideId

    def judge(self, draft: StepDraft) -> None:
        side = check_one_of(self.side, draft.before.sides, "side")
        draft.write(f"yielded/{side}", True)
        draft.say(f"{draft.before.side_name(side)} yields.")


@register_step("stopped")
class StopBattle(TrackerStep):
    """Stop the battle, which is a draw unless somebody has already won; or continue it."""

    stopped: bool = True

    def judge(self, draft: StepDraft) -> None:
        draft.write("stopped", self.stopped)
        winner = live_score.verdict_if_stopped(draft.before, draft.terms).winner if self.stopped else None
        ends = f"The battle ends. {draft.before.side_name(winner)} had already won." if winner else ""
        draft.say(ends or ("The battle ends as a draw." if self.stopped else "The battle continues."))


@register_step("put_away")
class PauseBattle(TrackerStep):
    """Pause the battle, or continue it."""

    away: bool = True

    def judge(self, draft: StepDraft) -> None:
        draft.write("away", self.away)
        draft.say(f"Paused in round {draft.round}." if self.away else f"Round {draft.round} continues.")


@register_step("spent")
class SetVpSpent(TrackerStep):
    """Set the total VP a side has spent in this battle."""

    side: SideId
    vp: Number

    def judge(self, draft: StepDraft) -> None:
        side = check_one_of(self.side, draft.before.sides, "side")
        vp = check_count(self.vp, "VP spent", most=999)
        draft.write(f"spent/{side}", vp)
        draft.say(f"{draft.before.side_name(side)} has spent {vp} VP in this battle.")


def _read_held(draft: StepDraft, given: Mapping[str, int], track: Track) -> dict[str, int]:
    held = {
        side: check_count(given.get(side, 0), f"{track.noun} of side {side}", most=track.most)
        for side in draft.before.sides
    }
    if sum(held.values()) > track.most:
        raise Refusal(f"There are only {track.most} {track.noun}, but you entered {sum(held.values())}.", field="held")
    return held


def _held_text(draft: StepDraft, held: Mapping[str, int]) -> str:
    return ", ".join(f"{draft.before.side_name(side)} {number}" for side, number in held.items())


# --- whose turn it is: worked out from the tokens, never stored ----------------------------------------------------


def side_order(tracker: TrackerState) -> tuple[str, ...]:
    """The sides in turn order for this round."""
    sides = tracker.sides
    now = tracker.cells.get("begins_now")
    begins = now[1] if now and now[0] == tracker.round else tracker.cells.get("begins")
    if begins not in sides:
        return sides
    at = sides.index(begins)
    return sides[at:] + sides[:at]


def side_to_act(tracker: TrackerState) -> str | None:
    """The side to act next; None if every unit has acted."""
    if not tracker.round:
        return None
    last = tracker.cells.get("last")
    waiting = {side: sum(not unit.acted for unit in tracker.units_here(side)) for side in tracker.sides}
    return next_side(side_order(tracker), last[1] if last and last[0] == tracker.round else None, waiting)


def rolls_initiative_each_round(tracker: TrackerState, terms: BattleTerms) -> bool:
    """House rule: roll initiative every round (R-48)."""
    return terms.options.initiative == "each_round"
