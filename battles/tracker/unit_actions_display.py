"""One unit ready to draw: its possible actions and targets; and one attack with its ticks and numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

from battles.tracker.core import fight_progress
from battles.tracker.core.combat_helper import (
    CombatNumbers,
    Tick,
    combat_numbers,
    is_tick_useful,
    ticks_for,
    wall_fall_bars,
)
from battles.tracker.core.fight_progress import Ticks, dice_script_of
from battles.tracker.core.live_score import building_wounds
from battles.tracker.core.state import BattleTerms, TrackedUnit, TrackerState
from battles.tracker.core.steps.units import can_move_now
from dataclass_json import PageOnly
from refusal import Refusal
from rulebook.battle.actions import activation_choices, can_shoot, can_use_power
from rulebook.battle.assault import Bombardment, can_bombard
from rulebook.battle.castle import PIECES, RING
from rulebook.battle.combat import BUILDING_WOUNDS
from rulebook.battle.dice import follow_script
from rulebook.battle.hero_powers import is_power_ready
from rulebook.battle.morale import fate_off_table
from rulebook.data.battlefield import MUD, REINFORCEMENTS, TERRAINS
from rulebook.data.heroes import HERO
from rulebook.data.scenario_goals import SetAblaze

GROUNDS: tuple[tuple[str, str], ...] = tuple(
    row
    for terrain in TERRAINS
    if terrain.enterable
    for row in ((terrain.key, terrain.name), *((("mound+tall", "Extra tall mound"),) if terrain.key == "mound" else ()))
)


@dataclass(frozen=True, slots=True)
class ActionTarget:
    field: Annotated[str, "target, piece or building: the field of the attack; or empty"]
    value: str
    name: str


@dataclass(frozen=True, slots=True)
class UnitAction:
    """An action of a unit with its possible targets, or why it is not allowed."""

    how: Annotated[str, "as in the steps fight, blessed and kissed"]
    title: str
    allowed: bool
    reason: Annotated[str, "why not, or what it does"]
    targets: tuple[ActionTarget, ...] = ()


@dataclass(frozen=True, slots=True)
class UnitChoice:
    """An activation without dice: to move, or to do nothing."""

    did: Annotated[str, "as in the step did"]
    title: str
    allowed: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Enemy:
    id: str
    name: str
    in_contact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDisplay:
    unit: PageOnly[TrackedUnit]
    side: Annotated[str, "the name of its side"]
    idle_reason: Annotated[str, "why it cannot act at all, or empty"]
    actions: tuple[UnitAction, ...]
    power: Annotated[UnitAction | None, "of its hero"]
    choices: tuple[UnitChoice, ...]
    models: PageOnly[tuple[int, ...]]
    wounds: PageOnly[tuple[int, ...]]  # wounds that can be marked on the last model
    hero_wounds: PageOnly[tuple[int, ...]]
    grounds: PageOnly[tuple[tuple[str, str], ...]]
    ground: PageOnly[str]
    pieces: PageOnly[tuple[tuple[str, str], ...]]
    enemies: tuple[Enemy, ...]
    edge: Annotated[str, "what happens when it leaves the table"]
    mud: Annotated[bool, "it has to roll before it moves this round"]
    mud_roll: Annotated[int, "what it rolled, or 0"]
    reinforcements: Annotated[bool, "it can roll for a model"]


def unit_display(tracker: TrackerState, terms: BattleTerms, key: str) -> UnitDisplay:
    unit = tracker.unit(key)
    engaged = tracker.contacts(key)
    may = activation_choices(unit.now, engaged=bool(engaged), immobile=unit.fixed, options=terms.options)
    enemies = [other for other in tracker.units_here() if other.side != unit.side]
    # Mud can stop what the activation allows.
    for what, way in (("move", can_move_now(tracker, unit)), ("charge", can_move_now(tracker, unit, charging=True))):
        if may[what] and not way:
            may[what] = way
    idle_reason = _why_idle(tracker, unit)
    actions = [] if not unit.here else _actions(tracker, terms, unit, enemies, engaged, may, idle_reason)
    last = unit.now.standing[-1]
    beside = unit.now.hero_beside_king
    ground = unit.at.terrain + ("+tall" if unit.at.extra_tall else "")
    return UnitDisplay(
        unit=unit,
        side=tracker.side_name(unit.side),
        idle_reason=idle_reason,
        actions=tuple(actions),
        power=_hero_power(tracker, unit) if unit.here else None,
        choices=tuple(
            UnitChoice(what, title, bool(may[what]) and not idle_reason, idle_reason or may[what].reason)
            for what, title in (("move", "Move only"), ("nothing", "Do nothing"))
        ),
        models=tuple(range(unit.row.models, -1, -1)),
        wounds=tuple(range(last.wounds)),
        hero_wounds=tuple(range(beside.wounds)) if beside else (),
        grounds=GROUNDS,
        ground=ground,
        pieces=tuple((piece.key, piece.name) for piece in PIECES) if tracker.has_castle else (),
        enemies=tuple(Enemy(enemy.id, enemy.name, enemy.id in engaged) for enemy in enemies),
        edge=fate_off_table(terms.scenario, unit.side),
        mud=tracker.event == MUD,
        mud_roll=_this_round(tracker, tracker.get(f"{key}/mud")),
        reinforcements=tracker.event == REINFORCEMENTS and tracker.get(f"{key}/reinforced", 0) != tracker.round,
    )


def _this_round(tracker: TrackerState, cell: Any) -> int:
    return int(cell[1]) if cell and cell[0] == tracker.round else 0


def _why_idle(tracker: TrackerState, unit: TrackedUnit) -> str:
    """Why a unit cannot act at all."""
    if not unit.here:
        return "The unit is no longer in the battle."
    if tracker.round == 0:
        return "The battle has not begun. Roll for initiative first."
    if unit.acted:
        return "The unit already acted this round."
    if f"fight/{unit.id}" in tracker.cells:
        return "The unit has an unfinished attack."
    return ""


def _actions(
    tracker: TrackerState,
    terms: BattleTerms,
    unit: TrackedUnit,
    enemies: list[TrackedUnit],
    engaged: tuple[str, ...],
    may: Mapping[str, Any],
    idle_reason: str,
) -> list[UnitAction]:
    # With two sides, an enemy's side is clear.
    named = {enemy.id: enemy.name if len(tracker.sides) == 2 else tracker.full_name(enemy.id) for enemy in enemies}
    actions: list[UnitAction] = []

    def add(how: str, title: str, answer: Any, field: str, targets: Iterable[tuple[str, str]]) -> None:
        shown = tuple(ActionTarget(field, value, name) for value, name in targets)
        actions.append(UnitAction(how, title, bool(answer) and not idle_reason, idle_reason or answer.reason, shown))

    if unit.fleeing:
        add("rally", "Try to rally", may["rally"], "", [("", "Test morale")])
        return actions
    if engaged:
        add("strike", "Strike", may["attack"], "target", [(key, named[key]) for key in engaged if key in named])
        return actions
    if not unit.row.siege_only and (unit.row.shoots or unit.now.living_hero == "ranger"):
        free = [enemy for enemy in enemies if not tracker.contacts(enemy.id)]
        answer = can_shoot(unit.now, moved=unit.moved, options=terms.options)
        add("shoot", "Shoot at", answer, "target", [(enemy.id, named[enemy.id]) for enemy in free])
    if unit.row.siege_only and tracker.has_castle:
        castle = tracker.castle()
        answers = {
            piece: can_bombard(castle, Bombardment(unit.now, piece.key, fight_progress.NEAR, moved=unit.moved))
            for piece in PIECES
            if piece.key in RING
        }
        walls = [piece for piece, answer in answers.items() if answer]
        first = next((answer for answer in answers.values() if answer), next(iter(answers.values())))
        add("bombard", "Fire at", first, "piece", [(piece.key, piece.name) for piece in walls])
    add("charge", "Charge", may["charge"], "target", named.items())
    if terms.row.track(SetAblaze) and unit.side == SetAblaze.side:
        houses = [n for n, wounds in building_wounds(tracker, terms) if wounds < BUILDING_WOUNDS]
        add("torch", "Set fire to", may["nothing"], "building", [(str(n), f"Building {n}") for n in houses])
    return actions


def _hero_power(tracker: TrackerState, unit: TrackedUnit) -> UnitAction | None:
    """The hero's power, used at the start of an activation (HERO-06)."""
    hero = unit.now.living_hero
    if hero not in ("cleric", "princess", "wizard"):
        return None
    friend = hero != "wizard"
    targets = [
        ActionTarget(
            "target", other.id, other.name if friend or len(tracker.sides) == 2 else tracker.full_name(other.id)
        )
        for other in tracker.units_here()
        if (other.side == unit.side) == friend
    ]
    kind = {"cleric": "blessed", "princess": "kissed", "wizard": "cast"}[hero]
    title = {
        "cleric": "Bless with the Cleric",
        "princess": "Blow a kiss from the Princess",
        "wizard": "Cast a spell with the Wizard",
    }[hero]
    answer = is_power_ready(hero, unit.now, used=unit.power_used)
    first = can_use_power(has_acted=unit.acted or unit.moved)
    reason = "The battle has not begun." if tracker.round == 0 else "" if answer else answer.reason
    reason = reason or ("" if first else first.reason)
    return UnitAction(kind, title, not reason, reason or HERO[hero].text, tuple(targets))


@dataclass(frozen=True, slots=True)
class FightSetupDisplay:
    """An attack before its first die."""

    how: str
    verb: str
    whom: str
    ticks: tuple[tuple[Tick, bool], ...]
    numbers: CombatNumbers
    grounds: tuple[tuple[str, str], ...]
    at: str
    target_at: str
    shows_ground: bool
    shows_target_ground: bool
    piece: str
    building: str
    dice: int


def fight_setup_display(
    tracker: TrackerState,
    terms: BattleTerms,
    how: str,
    attacker: TrackedUnit,
    target: TrackedUnit | None,
    ticks: Ticks = fight_progress.NO_TICKS,
    *,
    building: int | None = None,
    piece: str | None = None,
) -> FightSetupDisplay:
    situation = fight_progress.build_situation(
        tracker, terms, how, attacker, target, ticks, building=building, piece=piece
    )
    numbers = combat_numbers(situation, terms.options)
    whom = tracker.full_name(target.id) if target else fight_progress.attacked_object(piece, building)
    if isinstance(situation, Bombardment):
        state = tracker.castle()[situation.piece]
        if state.levelled:
            raise Refusal(f"The {state.piece.name} is already rubble.", field="piece", status=409)
        bars = wall_fall_bars(situation, state.damage, terms.options)
        numbers = replace(numbers, bars=bars, bars_of=f"The {state.piece.name} after this shot")
    known = ticks.over(fight_progress.prefill_ticks(tracker, terms, how, attacker, target))
    waiting = follow_script(dice_script_of(situation, tracker, terms.options), ()).ask
    return FightSetupDisplay(
        how,
        fight_progress.attack_verb(how, attacker.now),
        whom,
        tuple(
            (tick, bool(getattr(known, tick.key)))
            for tick in ticks_for(how, several_bearers=terms.options.bearers_stack)
            if is_tick_useful(tracker, tick, target if tick.key.startswith("target") else attacker)
        ),
        numbers,
        GROUNDS,
        (known.at or "clear") + ("+tall" if known.extra_tall else ""),
        (known.target_at or "clear") + ("+tall" if known.target_extra_tall else ""),
        not attacker.at.castle,
        target is not None and not target.at.castle,
        piece or "",
        "" if building is None else str(building),
        waiting.count if waiting else 0,
    )
