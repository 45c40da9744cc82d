"""Steps for one unit: tokens, losses, position, hero powers; and fixing the whole tracker.

Each step sets a value instead of changing it by some amount, so the same tap from two phones counts once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Literal

from battles.tracker.core.state import (
    Departure,
    Position,
    Strength,
    TrackedUnit,
    TrackerState,
    is_first_to_act,
    melee_cell,
)
from battles.tracker.core.steps.tracker_step import (
    CountBySide,
    Inches,
    Number,
    PieceKey,
    SideId,
    StepDraft,
    TrackerStep,
    UnitId,
    register_step,
)
from dataclass_json import Check, Count, Shape, Text, stored_as
from refusal import Refusal
from rulebook.battle.actions import (
    activation_choices,
    can_charge,
    can_move,
    can_move_again,
    can_occupy,
    can_use_power,
    is_in_melee,
)
from rulebook.battle.castle import OUTSIDE, piece_of
from rulebook.battle.hero_powers import (
    attach_ladybug,
    can_bless,
    can_kiss,
    give_blessing,
    give_kiss,
    ladybug_destinations,
)
from rulebook.battle.morale import fate_off_table
from rulebook.battle.unit_in_play import Place, Role
from rulebook.data.battlefield import MUD, terrain_of
from rulebook.data.scenario_goals import Escapes
from rulebook.data.scenarios import scenarios_with
from rulebook.input_checks import Answer, check_count, check_one_of

RemovalReason = Literal["lost", "scattered", "edge", "buried", "charged down", "told"]
REMOVAL_REASONS: dict[RemovalReason, str] = {
    "lost": "the last model fell",
    "scattered": "scattered",
    "edge": "fled off the table",
    "buried": "buried in rubble",
    "charged down": "caught in flight",
    "told": "by hand",
}


@dataclass(frozen=True, slots=True)
class NewPosition:
    """Where a unit goes. ``placed``: it is set there by hand, so the way is not judged."""

    terrain: Annotated[str, Text("The terrain", 40)] = "clear"
    extra_tall: bool = False
    castle: PieceKey | None = None
    placed: bool = field(default=False, metadata=stored_as("set"))


@register_step("token")
class SetToken(TrackerStep):
    """Put on or take off the "acted" or "flees" token."""

    unit: UnitId
    token: Literal["acted", "flees"]
    on: bool = False

    def judge(self, draft: StepDraft) -> None:
        unit = draft.unit(self.unit, noted=())
        if self.token == "acted":
            draft.require_begun()
            if self.on:
                draft.mark_acted(unit)
            else:
                draft.write(f"{unit.id}/acted", 0)
                draft.write(f"{unit.id}/moved", 0)
            draft.say(f"{draft.full_name(unit.id)}: {'acted' if self.on else 'not acted yet'}.")
            return
        if self.on and not unit.row.tests_morale:
            raise Refusal(f"A {unit.row.name} never tests morale, so it cannot flee.", field="token")
        draft.write(f"{unit.id}/flees", self.on)
        if self.on:
            draft.end_melees(unit.id)
        now = draft.with_verb(unit, "flees", "flee") if self.on else f"{draft.full_name(unit.id)}: no longer fleeing"
        draft.say(f"{now}.")


@register_step("did")
class ActivateWithoutDice(TrackerStep):
    """An activation without dice: a move, or nothing."""

    unit: UnitId
    did: Literal["nothing", "move"]
    to: NewPosition | None = None

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        unit = draft.unit(self.unit, noted=("acted", "flees"))
        draft.require_not_acted(unit)
        require_choice(draft, unit, self.did)
        if self.did == "move":
            require_can_move(draft, unit)
            draft.write(f"{unit.id}/moved", draft.round)
            if self.to:
                _write_position(draft, unit, self.to)
        draft.mark_acted(unit)
        draft.say(f"{draft.full_name(unit.id)}: {'moved' if self.did == 'move' else 'did nothing'}.")


def require_choice(draft: StepDraft, unit: TrackedUnit, choice: str) -> None:
    """Refuse what the unit cannot do with its activation."""
    engaged = bool(draft.before.contacts(unit.id))
    answer = activation_choices(unit.now, engaged=engaged, immobile=unit.fixed, options=draft.terms.options)[choice]
    if not answer:
        raise Refusal(answer.reason, status=409)


def can_move_now(tracker: TrackerState, unit: TrackedUnit, *, charging: bool = False) -> Answer:
    """Whether melee, flight or mud keep the unit from moving. How far, the players measure."""
    mud = tracker.get(f"{unit.id}/mud")
    ask = can_charge if charging else can_move
    return ask(
        unit.now,
        0,
        engaged=bool(tracker.contacts(unit.id)),
        event=tracker.event,
        mud_roll=mud[1] if mud and mud[0] == tracker.round else None,
    )


def require_can_move(draft: StepDraft, unit: TrackedUnit, *, charging: bool = False) -> None:
    if draft.before.event == MUD:
        draft.read(f"{unit.id}/mud")
    answer = can_move_now(draft.before, unit, charging=charging)
    if not answer:
        raise Refusal(answer.reason, status=409)


@register_step("moved")
class MarkMoved(TrackerStep):
    """The unit has moved and can still attack."""

    unit: UnitId
    on: bool = True
    to: NewPosition | None = None

    def judge(self, draft: StepDraft) -> None:
        draft.require_begun()
        unit = draft.unit(self.unit, noted=())
        if self.on:
            require_can_move(draft, unit)
        draft.write(f"{unit.id}/moved", draft.round if self.on else 0)
        if self.to:
            _write_position(draft, unit, self.to)
        first = replace(unit.now, first_activated=is_first_to_act(draft.before, unit.side))
        again = unit.moved and can_move_again(first, 1, draft.before.event)
        moved = "moved again after the speech" if again else "moved"
        draft.say(f"{draft.full_name(unit.id)}: {moved if self.on else 'not moved'}.")


@register_step("losses")
class SetLosses(TrackerStep):
    """Set the models and wounds of one unit; 0 models removes it."""

    unit: UnitId
    models: Number | None = None
    wounds: Number = 0
    hero_wounds: Number = 0
    shield: bool | None = None
    ladybug: bool | None = None
    why: RemovalReason = "lost"

    def judge(self, draft: StepDraft) -> None:
        unit = draft.unit(self.unit, noted=())
        now = unit.now
        given = now.models if self.models is None else self.models
        models = check_count(given, f"models of {unit.row.name}", most=unit.row.models)
        if models == 0:
            draft.remove(unit, "removed", REMOVAL_REASONS[self.why])
            draft.say(f"{draft.full_name(unit.id)}: removed, {REMOVAL_REASONS[self.why]}.")
            return
        left = Strength(
            models,
            self.wounds,
            self.hero_wounds,
            now.shield if self.shield is None else self.shield,
            now.ladybug if self.ladybug is None else self.ladybug,
        )
        left.check(now)
        draft.write(f"{unit.id}/left", left.to_cell())
        wounds = left.wounds + left.hero_wounds
        marked = f", {wounds} wounds marked" if wounds else ""
        draft.say(f"{draft.full_name(unit.id)}: {models} of {unit.row.models} models{marked}.")


@register_step("gone")
class RemoveUnit(TrackerStep):
    """Remove a unit, or let it escape over the far edge in Break Free (FLEE-07, FLEE-08)."""

    unit: UnitId
    how: Literal["removed", "escaped", "edge"] = "removed"

    def judge(self, draft: StepDraft) -> None:
        unit = draft.unit(self.unit, noted=())
        how, why = self.how, REMOVAL_REASONS["told"]
        if how == "edge":
            how, why = fate_off_table(draft.terms.scenario, unit.side), REMOVAL_REASONS["edge"]
        elif how == "escaped":
            why = "got away"
            _require_escape(draft, unit, "how")
        draft.remove(unit, how, why)
        draft.say(f"{draft.full_name(unit.id)}: {'escaped' if how == 'escaped' else f'removed, {why}'}.")


def _require_escape(draft: StepDraft, unit: TrackedUnit, field: str) -> None:
    if fate_off_table(draft.terms.scenario, unit.side) != "escaped":
        raise Refusal(f"Only units of side A in {scenarios_with(Escapes)} can escape.", field=field)


# A unit is "on a mound" or "behind a barrier", but "in clear terrain" or "in bad goings".
TERRAIN_PREPOSITIONS = {
    "mound": "on a",
    "tall patch": "in a",
    "barrier": "behind a",
    "fortress": "in a",
    "building": "in a",
}


@register_step("stands_at")
class SetPosition(TrackerStep):
    """Set where a unit is: a kind of terrain, or a piece of the castle."""

    unit: UnitId
    to: NewPosition = field(default_factory=NewPosition)

    def judge(self, draft: StepDraft) -> None:
        unit = draft.unit(self.unit, noted=("at",))
        where = _write_position(draft, unit, self.to)
        if where.castle:
            name = piece_of(where.castle).name.lower()
            position = f"{'on' if 'battlement' in name else 'in'} the {name}"
        else:
            name = terrain_of(where.terrain).name.lower()
            position = f"{TERRAIN_PREPOSITIONS.get(name, 'in')} {name}"
        draft.say(f"{draft.full_name(unit.id)}: now {position}.")


def _write_position(draft: StepDraft, unit: TrackedUnit, to: NewPosition) -> Position:
    """In the castle this is judged as a move; elsewhere the players know best."""
    piece = to.castle or None
    if piece is None:
        terrain = terrain_of(to.terrain)
        can_occupy(unit.now, Place(terrain.key, extra_tall=to.extra_tall)).require("terrain")
        where = Position(terrain.key, to.extra_tall)
    else:
        if not draft.before.has_castle:
            raise Refusal("There is no castle in this battle.", field="castle")
        piece = piece_of(piece).key
        # The move depends on the walls and the units on this piece, not on every unit in the castle.
        castle = draft.before.castle()
        for state in castle.pieces:
            draft.read(f"castle/{state.key}")
        for occupant in castle[piece].occupants:
            draft.read(f"{occupant.name}/at")
            draft.read(f"{occupant.name}/gone")
        me = unit.as_occupant()
        if piece != unit.at.castle and not to.placed:
            placing = draft.round == 0 and unit.side == "B"
            castle.can_stand(me, piece, None if placing else unit.at.castle or OUTSIDE).require("castle")
        where = Position(castle[piece].terrain, castle=piece)
    draft.write(f"{unit.id}/at", where.to_cell())
    return where


@register_step("contact")
class SetContact(TrackerStep):
    """Set whether two units are in melee."""

    unit: UnitId
    other: UnitId
    on: bool = False

    def judge(self, draft: StepDraft) -> None:
        noted = ("flees",) if self.on else ()
        one, two = draft.unit(self.unit, noted=noted), draft.unit(self.other, "other", noted)
        if one.side == two.side:
            raise Refusal("Units of the same side cannot fight each other.", field="other")
        if self.on:
            is_in_melee(in_contact=True, fleeing=one.fleeing).require("unit")
            is_in_melee(in_contact=True, fleeing=two.fleeing).require("other")
        draft.write(melee_cell(one.id, two.id), self.on or None)
        if not self.on:
            for key in (one.id, two.id):
                if draft.before.contacts(key) in ((one.id,), (two.id,)):
                    draft.end_melees(key)  # its melee is over, so sauce can be poured over it again
        now = "in melee" if self.on else "no longer in melee"
        draft.say(f"{draft.full_name(one.id)} and {draft.full_name(two.id)} are {now}.")


# --- heroes --------------------------------------------------------------------------------------------------------


@register_step("blessed")
class BlessUnit(TrackerStep):
    """A Cleric blesses a unit within 8″ (HERO-09). Players measure on the table; no distance means in reach."""

    unit: UnitId
    target: UnitId
    inches: Inches = 0.0

    def judge(self, draft: StepDraft) -> None:
        cleric, unit = _hero_and_target(draft, self.unit, self.target)
        can_bless(cleric.now, self.inches, used=cleric.power_used).require("unit")
        give_blessing(unit.now)
        draft.write(f"{unit.id}/blessed", draft.round)
        draft.write(f"{cleric.id}/power", draft.round)
        draft.say(f"The Cleric of {draft.full_name(cleric.id)} blesses {draft.full_name(unit.id)}.")


@register_step("kissed")
class KissUnit(TrackerStep):
    """A Princess blows a kiss to a friendly model within 8″ (HERO-11)."""

    unit: UnitId
    target: UnitId
    inches: Inches = 0.0

    def judge(self, draft: StepDraft) -> None:
        princess, unit = _hero_and_target(draft, self.unit, self.target)
        free = [model.role for model in unit.now.standing if model.role not in ("king", "hero")]
        role: Role = free[0] if free else "plain"
        can_kiss(
            princess.now, unit.now, role, self.inches, friend=unit.side == princess.side, used=princess.power_used
        ).require("target")
        now = give_kiss(unit.now)
        draft.write(f"{unit.id}/kissed", [draft.round, now.kissed])
        draft.write(f"{princess.id}/power", draft.round)
        draft.say(f"The Princess of {draft.full_name(princess.id)} blows a kiss to {draft.full_name(unit.id)}.")


def _hero_and_target(draft: StepDraft, unit: str, target: str) -> tuple[TrackedUnit, TrackedUnit]:
    draft.require_begun()
    owner = draft.unit(unit, noted=("left", "flees", "power", "acted", "moved"))
    require_power_first(draft, owner)
    return owner, draft.unit(target, "target", ("left", "kissed"))


def require_power_first(draft: StepDraft, owner: TrackedUnit) -> None:
    """A hero's power opens the activation (HERO-06)."""
    acted = owner.acted or owner.moved or bool(draft.read(f"fight/{owner.id}"))
    can_use_power(has_acted=acted).require("unit")


@register_step("ladybug")
class MoveLadybug(TrackerStep):
    """The Ladybug flies to a friend within 8″, or is lost (HERO-07)."""

    side: SideId
    unit: UnitId | None = None
    inches: Inches = 0.0

    def judge(self, draft: StepDraft) -> None:
        side = check_one_of(self.side, draft.before.sides, "side")
        if not draft.read(f"ladybug/{side}"):
            raise Refusal("No Ladybug needs a new unit.", status=409)
        if self.unit:
            unit = draft.unit(self.unit)
            if unit.side != side:
                raise Refusal("The Ladybug flies to a friendly unit.", field="unit")
            if not ladybug_destinations({unit.id: self.inches}):
                raise Refusal("The unit is more than 8″ away.", field="unit")
            draft.write_strength(unit, attach_ladybug(unit.now))
            draft.say(f"The Ladybug flies to {draft.full_name(unit.id)}.")
        else:
            draft.say(f"{draft.before.side_name(side)}’s Ladybug is lost.")
        draft.write(f"ladybug/{side}", None)


# --- fixing the tracker ---------------------------------------------------------------------------------------------


def _check_fate(gone: str | bool) -> None:
    if isinstance(gone, str):
        check_one_of(gone, ("removed", "escaped"), "gone")


@dataclass(frozen=True, slots=True)
class FixedUnit:
    """What is true of a unit on the table. What is not given stays as it is."""

    gone: Annotated[str | bool, Check(_check_fate), Shape(Literal["removed", "escaped"] | bool)] = False
    models: Number | None = None
    wounds: Number | None = None
    hero_wounds: Number | None = None
    shield: bool | None = None
    ladybug: bool | None = None
    flees: bool | None = None
    acted: bool | None = None


@register_step("set")
class FixTracker(TrackerStep):
    """Make the tracker match the table: the round, and models, wounds and tokens of each unit. Only impossible values
    are refused."""

    round: Number | None = None
    units: Annotated[Mapping[UnitId, FixedUnit], Count("Units", 240)] = field(default_factory=dict)
    spent: CountBySide = field(default_factory=dict)

    def judge(self, draft: StepDraft) -> None:
        if self.round is not None:
            draft.write("round", check_count(self.round, "round", most=draft.terms.row.rounds or 999))
        for key, fixed in self.units.items():
            _fix_unit(draft, draft.before.unit(key), fixed)
        for side, vp in self.spent.items():
            check_one_of(side, draft.before.sides, "side")
            draft.write(f"spent/{side}", check_count(vp, "VP spent", most=999))
        # Unfinished fights of changed units no longer match them.
        for key, fight in draft.before.fights().items():
            if {fight.attacker, fight.target} & set(self.units):
                draft.write(f"fight/{key}", None)
        draft.say("The tracker was fixed by hand.")


def _fix_unit(draft: StepDraft, unit: TrackedUnit, fixed: FixedUnit) -> None:
    key, now = unit.id, unit.now
    if fixed.gone:
        how: Literal["removed", "escaped"] = "escaped" if fixed.gone == "escaped" else "removed"
        if how == "escaped":
            _require_escape(draft, unit, "gone")
        draft.write(f"{key}/gone", Departure(how, REMOVAL_REASONS["told"], draft.round).to_cell())
        draft.end_melees(key)
        return
    draft.write(f"{key}/gone", None)
    models = now.models if fixed.models is None else fixed.models
    left = Strength(
        check_count(models, f"models of {unit.name}", least=1, most=unit.row.models),
        now.wounds if fixed.wounds is None else fixed.wounds,
        now.hero_wounds if fixed.hero_wounds is None else fixed.hero_wounds,
        now.shield if fixed.shield is None else fixed.shield,
        now.ladybug if fixed.ladybug is None else fixed.ladybug,
    )
    flees = unit.fleeing if fixed.flees is None else fixed.flees
    left.check(now, fleeing=flees)
    draft.write(f"{key}/left", left.to_cell())
    draft.write(f"{key}/flees", flees)
    acted = unit.acted if fixed.acted is None else fixed.acted
    draft.write(f"{key}/acted", draft.round if acted else 0)
    if flees:
        draft.end_melees(key)
