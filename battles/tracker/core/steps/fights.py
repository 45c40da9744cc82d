"""The steps of a fight: started by one phone, rolled by any, resolved by the rules.

While it lasts, a fight is a cell ("fight/A1") with the situation at its start and the dice so far. It is resolved with
its last die. If somebody could pay for a re-roll, the cell "offer" keeps what that roll changed until the next step.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from battles.tracker.core import live_score
from battles.tracker.core.fight_progress import (
    NO_TICKS,
    FightProgress,
    Ticks,
    attack_verb,
    attacked_object,
    build_situation,
    king_whereabouts,
    progress_of,
    sides_of_rolls,
)
from battles.tracker.core.state import AttackKind, BattleTerms, Fight, TrackedUnit, TrackerState, melee_cell
from battles.tracker.core.steps.tracker_step import (
    OFFER,
    Number,
    PieceKey,
    RolledGroup,
    SideId,
    StepDraft,
    TrackerStep,
    UnitId,
    register_step,
)
from battles.tracker.core.steps.units import (
    REMOVAL_REASONS,
    RemovalReason,
    require_can_move,
    require_choice,
    require_power_first,
)
from dataclass_json import Count
from refusal import Refusal
from rulebook.battle.assault import Bombardment, BombardmentResult
from rulebook.battle.combat import BUILDING_WOUNDS, AttackResult, BuildingAttackResult, Exchange
from rulebook.battle.dice import ScriptStep
from rulebook.battle.hero_powers import CastResult, can_cast
from rulebook.battle.morale import MoraleTestResult, flight_direction
from rulebook.campaign.vp_spending import buy_reroll
from rulebook.data.battlefield import MESSENGER
from rulebook.input_checks import check_count, check_d10s, check_one_of

# The cells of its target an attack depends on.
TARGET_CELLS = ("left", "flees", "at", "blessed", "kissed")


Faces = Annotated[tuple[Number, ...], Count("Dice", 60)]


@register_step("fight")
class StartFight(TrackerStep):
    """A unit attacks, casts or rallies: fix the situation and ask for dice."""

    unit: UnitId
    how: AttackKind
    target: UnitId | None = None
    ticks: Ticks = NO_TICKS
    building: Number | None = None
    piece: PieceKey | None = None

    def judge(self, draft: StepDraft) -> None:
        how = self.how
        draft.require_begun()
        attacker = draft.unit(self.unit)
        noted = (*TARGET_CELLS, "first") if draft.before.event == MESSENGER else TARGET_CELLS
        target = draft.unit(self.target, "target", noted) if self.target else None
        if draft.read(f"fight/{attacker.id}"):
            raise Refusal(
                f"{draft.full_name(attacker.id)} is already fighting. Finish or cancel that attack first.", status=409
            )
        _require_can_attack(draft, attacker, how)
        situation = build_situation(
            draft.before, draft.terms, how, attacker, target, self.ticks, building=self.building, piece=self.piece
        )
        damage = draft.read(f"castle/{situation.piece}")["damage"] if isinstance(situation, Bombardment) else None
        fight = Fight(how, attacker.id, situation, (), self.target or None, self.building, self.piece or None, damage)
        whom = draft.full_name(target.id) if target else attacked_object(fight.piece, fight.building)
        draft.say(f"{draft.full_name(attacker.id)} {attack_verb(how, attacker.now)}{f' {whom}' if whom else ''}.")
        if how in ("charge", "strike") and target is not None and not target.fleeing:
            draft.write(melee_cell(attacker.id, target.id), True)
        _advance_fight(draft, attacker.id, fight)


def _require_can_attack(draft: StepDraft, attacker: TrackedUnit, how: AttackKind) -> None:
    if how == "cast":
        answer = can_cast(attacker.now, in_sight=True, used=attacker.power_used)
        if not answer:
            raise Refusal(answer.reason, status=409)
        require_power_first(draft, attacker)
    elif how != "nerve":
        draft.require_not_acted(attacker)
    if how == "charge":
        require_choice(draft, attacker, "charge")
        require_can_move(draft, attacker, charging=True)


@register_step("dice")
class AddDice(TrackerStep):
    """Add the dice the fight asked for. ``at``: the number of dice it had before, so that no roll counts twice."""

    fight: UnitId
    faces: Faces
    at: Number | None = None
    here: bool = False

    def judge(self, draft: StepDraft) -> None:
        fight = _current_fight(draft, self.fight, self.at)
        before = progress_of(draft.before, draft.terms, fight)
        if before.ask is None:
            raise Refusal("All dice are rolled. Keep this roll or re-roll a die.", status=409)  # in older battles
        faces = check_d10s(self.faces, f"{before.ask.what} roll", before.ask.count)
        side = sides_of_rolls(draft.before, fight, before)[-1]
        needed = tuple(die.needed for die in before.ask.dice)
        draft.dice.append(RolledGroup(before.ask.what, side, needed, faces))
        _advance_fight(draft, self.fight, replace(fight, faces=fight.faces + faces, here=self.here))


@dataclass(frozen=True, slots=True)
class MoraleTicks:
    king_near: bool = False
    bearer: bool = False
    bearer_2: bool = False
    bearer_3: bool = False

    @property
    def bearers(self) -> int:
        return self.bearer + self.bearer_2 + self.bearer_3


NOBODY_NEAR = MoraleTicks()


@register_step("morale_holds")
class SetMoraleTicks(TrackerStep):
    """Set who is near for a morale test, before its die is rolled."""

    fight: UnitId
    ticks: MoraleTicks = NOBODY_NEAR
    at: Number | None = None

    def judge(self, draft: StepDraft) -> None:
        fight = _current_fight(draft, self.fight, self.at)
        place = morale_test_place(draft.before, draft.terms, fight)
        if place is None:
            raise Refusal("No morale test is due now.", status=409)
        unit = draft.tracker.unit(fight.attacker if place == "at" else fight.target, ("gone",))
        there = replace(
            getattr(fight.situation, place),
            king=king_whereabouts(draft.before, unit, self.ticks.king_near),
            bearers=self.ticks.bearers,
        )
        fight = replace(fight, situation=replace(fight.situation, **{place: there}))
        progress_of(draft.before, draft.terms, fight)
        standards = {0: "", 1: "a standard"}.get(self.ticks.bearers, f"{self.ticks.bearers} standards")
        near = [word for word in ("their King" if self.ticks.king_near else "", standards) if word]
        whom = " and ".join(near) or "nobody"
        draft.say(f"{draft.full_name(unit.id)} test{'' if unit.row.many else 's'} morale with {whom} within 8″.")
        draft.write(f"fight/{self.fight}", fight.to_cell())


def morale_test_place(tracker: TrackerState, terms: BattleTerms, fight: Fight) -> Literal["at", "target_at"] | None:
    """Where the unit testing morale now stands: "at" (attacker), "target_at" (target), or None."""
    done = progress_of(tracker, terms, fight)
    if done.ask is None or done.ask.what != "morale":
        return None
    sides = sides_of_rolls(tracker, fight, done)
    tested = [side for (ask, _), side in zip(done.rolled, sides, strict=False) if ask.what == "morale"]
    if sides[-1] in tested:
        return None  # the second test of a side keeps the ticks of its first
    if sides[-1] == tracker.cells[fight.attacker]["side"]:
        return "at"
    return "target_at" if fight.target else None


@register_step("rerolled")
class RerollDie(TrackerStep):
    """Re-roll one die of the last roll for 1 VP and keep either roll (VP-05, R-57)."""

    fight: UnitId
    die: Number
    face: Number
    side: SideId | None = None
    keep: Literal["first", "second"] | None = None
    at: Number | None = None

    def judge(self, draft: StepDraft) -> None:
        take_up_offer(draft, self.fight)
        fight = _current_fight(draft, self.fight, self.at)
        done = progress_of(draft.before, draft.terms, fight)
        if not done.rolled:
            raise Refusal("No die has been rolled yet.", status=409)
        ask, faces = done.rolled[-1]
        at = check_count(self.die, "die", most=len(faces) - 1)
        owner = sides_of_rolls(draft.before, fight, done)[len(done.rolled) - 1]
        side = check_one_of(self.side or owner, draft.before.sides, "side")
        purse = live_score.vp_available(draft.before, draft.terms, side)
        second = check_d10s([self.face], "second throw", 1)[0]
        keep = self.keep or ("second" if second > faces[at] else "first")
        bought = buy_reroll(purse, faces[at], second, keep, own_die=side == owner, options=draft.terms.options)
        draft.write(f"spent/{side}", int(draft.read(f"spent/{side}") or 0) + 1)
        changed = list(fight.faces)
        changed[len(fight.faces) - len(faces) + at] = bought.kept
        draft.dice.append(RolledGroup(ask.what, owner, (ask.dice[at].needed,), (second,), again=True))
        draft.say(f"{draft.before.side_name(side)}: {bought.text}")
        _advance_fight(draft, self.fight, replace(fight, faces=tuple(changed)))


@register_step("settled")
class KeepRoll(TrackerStep):
    """Keep the roll. Whoever takes another step keeps it too."""

    fight: UnitId
    at: Number | None = None

    def judge(self, draft: StepDraft) -> None:
        if not draft.read(f"fight/{self.fight}") and offer_of(draft.read(OFFER), self.fight):
            draft.write(OFFER, None)
            return
        fight = _current_fight(draft, self.fight, self.at)
        done = progress_of(draft.before, draft.terms, fight)
        if done.result is None:
            raise Refusal(f"{done.ask.text if done.ask else 'Dice are missing.'}", status=409)
        write_outcome(draft, self.fight, fight, done)


@register_step("broken_off")
class CancelFight(TrackerStep):
    """Cancel the fight; its dice do not count."""

    fight: UnitId
    at: Number | None = None

    def judge(self, draft: StepDraft) -> None:
        fight = _current_fight(draft, self.fight, self.at)
        draft.write(f"fight/{self.fight}", None)
        if fight.how == "charge" and fight.target:
            draft.write(melee_cell(fight.attacker, fight.target), None)  # it never got there
        draft.say(f"{draft.full_name(fight.attacker)}: attack cancelled.")


def _current_fight(draft: StepDraft, key: str, at: int | None) -> Fight:
    cell = draft.read(f"fight/{key}")
    if not cell:
        raise Refusal("This fight is over.", status=409)
    fight = Fight.from_cell(cell)
    if at is not None and at != len(fight.faces):
        raise Refusal("Another phone already entered these dice. Here is the next roll.", status=409)
    return fight


def _advance_fight(draft: StepDraft, key: str, fight: Fight) -> None:
    """Ask for the next roll, or resolve the fight; if a side can buy a re-roll of the last die, remember how it was."""
    done = progress_of(draft.before, draft.terms, fight)
    if done.ask is not None:
        draft.write(f"fight/{key}", fight.to_cell())
        return
    paid = {cell: now for cell, now in draft.writes.items() if cell.startswith("spent/")}
    able = sides_able_to_reroll(draft.before.rewound(paid), draft.terms, fight, done)
    write_outcome(draft, key, fight, done)
    if able:
        changed = {cell for cell in draft.writes if cell != OFFER and not cell.startswith("spent/")}
        before = {cell: draft.before.cells.get(cell) for cell in changed} | {f"fight/{key}": fight.to_cell()}
        draft.write(OFFER, {"fight": key, "before": before})


def offer_of(cell: Mapping[str, Any] | None, key: str | None = None) -> Mapping[str, Any] | None:
    """The cells as they were before the last roll of a fight was resolved, while a re-roll is on offer."""
    return cell["before"] if cell and key in (None, cell["fight"]) else None


def take_up_offer(draft: StepDraft, key: str) -> None:
    """Take the outcome of the last roll back, if a re-roll of this fight is on offer."""
    if before := offer_of(draft.read(OFFER), key):
        draft.rewind(before)
        draft.write(OFFER, None)


def sides_able_to_reroll(
    tracker: TrackerState, terms: BattleTerms, fight: Fight, done: FightProgress
) -> tuple[str, ...]:
    """The sides that can pay to re-roll a die of the last roll."""
    if not done.rolled:
        return ()
    owner = sides_of_rolls(tracker, fight, done)[len(done.rolled) - 1]
    ask, faces = done.rolled[-1]
    failed = any(face < die.needed for die, face in zip(ask.dice, faces, strict=True))
    if not failed and not terms.options.reroll_enemy_dice:
        return ()  # no failed die to re-roll
    able = tracker.sides if terms.options.reroll_enemy_dice else (owner,)
    if tracker.solo and not terms.options.ai_spends_vp:
        able = tuple(side for side in able if side != tracker.solo)
    return tuple(side for side in able if live_score.vp_available(tracker, terms, side) > 0)


# ── The outcome: losses, flight, damage to walls and buildings ───────────────────────────────────────────


def write_outcome(draft: StepDraft, key: str, fight: Fight, done: FightProgress) -> None:
    draft.write(f"fight/{key}", None)
    how, result = fight.how, done.result
    # The situation was fixed when the fight began, so the outcome depends on the fight alone.
    attacker = draft.tracker.unit(fight.attacker, ())
    target = draft.tracker.unit(fight.target, ()) if fight.target else None
    if how not in ("cast", "nerve"):
        draft.mark_acted(attacker)
    if isinstance(result, AttackResult) and target is not None:
        _say_dice_steps(draft, result.steps, attacker, target)
        _write_attack(draft, target, result)
    elif isinstance(result, Exchange) and target is not None:
        _say_dice_steps(draft, result.attack.steps, attacker, target)
        _write_attack(draft, target, result.attack)
        if result.battle_back is not None:
            draft.say(draft.with_verb(target, "battles", "battle") + " back.")
            _say_dice_steps(draft, result.battle_back.steps, target, attacker)
            _write_attack(draft, attacker, result.battle_back)
    elif isinstance(result, CastResult) and target is not None:
        _write_spell(draft, attacker, target, result)
    elif isinstance(result, MoraleTestResult):
        _say_dice_steps(draft, result.steps, attacker, attacker)
        _write_morale(draft, attacker, result)
    elif isinstance(result, BuildingAttackResult):
        _say_dice_steps(draft, result.steps, attacker, attacker)
        draft.write(f"building/{fight.building}", result.building.wounds)
        state = "is ablaze" if result.ablaze else f"has {result.building.wounds} of {BUILDING_WOUNDS} wounds"
        draft.say(f"Building {fight.building} {state}.")
    elif isinstance(result, BombardmentResult):
        _write_bombardment(draft, attacker, result)


def _say_dice_steps(draft: StepDraft, steps: Sequence[ScriptStep], attacker: TrackedUnit, target: TrackedUnit) -> None:
    names = {"attacker": draft.full_name(attacker.id), "target": draft.full_name(target.id)}
    for step in steps:
        draft.say(step.text(names[step.side]))


def _write_attack(draft: StepDraft, unit: TrackedUnit, result: AttackResult) -> None:
    if result.target is None:
        why: RemovalReason = "lost"
        if result.outcome == "scatter":
            why = "scattered"
        elif not result.throws:
            why = "charged down"
        draft.remove(unit, "removed", REMOVAL_REASONS[why])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS[why]}.")
        return
    draft.write_strength(unit, result.target)
    if result.target.fleeing and not unit.fleeing:
        _say_flight(draft, unit)
    elif result.rallied:
        # The flee token becomes an activation mark (FLEE-03, R-51).
        draft.write(f"{unit.id}/acted", draft.round)
        draft.say(f"{draft.full_name(unit.id)}: rallied; can act next round.")


def _say_flight(draft: StepDraft, unit: TrackedUnit) -> None:
    direction = flight_direction(draft.terms.scenario, unit.side)
    draft.say(draft.with_verb(unit, "flees", "flee") + f". {direction.text}")


def _write_morale(draft: StepDraft, unit: TrackedUnit, result: MoraleTestResult) -> None:
    if result.after is None:
        draft.remove(unit, "removed", REMOVAL_REASONS["scattered"])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS['scattered']}.")
        return
    draft.write_strength(unit, result.after)
    if result.outcome == "flee":
        _say_flight(draft, unit)
    elif unit.fleeing:
        draft.say(f"{draft.full_name(unit.id)}: rallied; can act next round.")


def _write_spell(draft: StepDraft, wizard: TrackedUnit, target: TrackedUnit, result: CastResult) -> None:
    draft.write(f"{wizard.id}/power", draft.round)
    draft.say(f"The spell is {result.spell.name}.")
    _say_dice_steps(draft, result.steps, wizard, target)
    if not result.works:
        draft.say(result.works.reason)
    if result.loses_activation:
        draft.write(f"{target.id}/acted", draft.round)
        draft.say(f"{draft.full_name(target.id)}: loses its activation this round.")
    if result.attack is not None:
        _write_attack(draft, target, result.attack)


def _write_bombardment(draft: StepDraft, gun: TrackedUnit, result: BombardmentResult) -> None:
    """Add the hits to the wall's damage. If the wall falls, its occupants are buried."""
    state = draft.before.castle()[result.piece]
    wall, hits = state.piece, state.piece.kind.hits or 0
    for step in result.steps:
        draft.say(step.text(draft.full_name(gun.id) if step.side == "attacker" else f"The {wall.name}"))
    had = draft.read(f"castle/{wall.key}")
    damage = min(hits, had["damage"] + result.damage)
    if damage == had["damage"]:
        return
    levelled = damage == hits
    draft.write(f"castle/{wall.key}", {"damage": damage, "vat": had["vat"] and not levelled})
    if not levelled:
        draft.say(f"The {wall.name} has taken {damage} of {hits} hits.")
        return
    draft.say(f"The {wall.name} is levelled. The wall is breached.")
    for occupant in state.occupants:
        unit = draft.tracker.unit(occupant.name, ("at", "gone"))
        draft.remove(unit, "removed", REMOVAL_REASONS["buried"])
        draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS['buried']}.")
