"""A fight without a battle: two units in a tracker of their own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from battles.tracker.core.combat_helper import CombatNumbers, combat_numbers, wall_fall_bars
from battles.tracker.core.fight_progress import (
    NO_TICKS,
    FightProgress,
    Ticks,
    attack_verb,
    attacked_object,
    build_situation,
    dice_script_of,
    face_meanings,
)
from battles.tracker.core.logged_steps import judge_step
from battles.tracker.core.state import BattleTerms, Cells, TrackerState
from battles.tracker.core.steps.set_up import SetUpArmies, StartingSide, StartingUnit
from battles.tracker.core.steps.units import SetLosses
from refusal import Refusal
from rulebook.battle.assault import Bombardment, BombardmentResult
from rulebook.battle.castle import PIECES, piece_of
from rulebook.battle.combat import BUILDING_WOUNDS, AttackResult, BuildingAttackResult, Exchange
from rulebook.battle.dice import Script, ScriptStep, follow_script
from rulebook.battle.hero_powers import CastResult
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.units import UNIT
from rulebook.input_checks import check_count

WITHOUT_TARGET = ("rally", "torch", "bombard")  # attacks without a target unit


@dataclass(frozen=True, slots=True)
class QuickUnit:
    """One of the two units. What is not given is as the unit starts a battle."""

    unit: str
    hero: str | None = None
    weapon: str | None = None
    models: int | None = None
    wounds: int = 0
    hero_wounds: int = 0
    shield: bool | None = None
    ladybug: bool | None = None
    flees: bool = False
    blessed: bool = False


@dataclass(frozen=True, slots=True)
class QuickTarget:
    """The wall of a castle, or a building, with the hits it has taken."""

    piece: str = "gatehouse"
    hits: int = 0


CAT_NON = QuickUnit("cat_non")
UNHURT = QuickTarget()


@dataclass(frozen=True, slots=True)
class QuickFight:
    """The fight so far."""

    tracker: TrackerState
    how: str
    thing: str  # the building or wall, if the target is not a unit
    numbers: CombatNumbers
    progress: FightProgress
    meanings: tuple[str, ...]  # of the faces of the next roll
    story: tuple[str, ...]
    after: tuple[UnitInPlay | None, UnitInPlay | None]  # attacker and target now

    @property
    def verb(self) -> str:
        return attack_verb(self.how, self.tracker.unit("A1").now)

    @property
    def over(self) -> bool:
        return self.progress.ask is None


def tracker_for_two(attacker: QuickUnit, target: QuickUnit, event: str | None = None) -> TrackerState:
    """A tracker with two units in the first round."""
    terms = BattleTerms("pitched_battle", BY_THE_BOOK)
    sides = (
        StartingSide("A", "Attackers", units=(_starting_unit(attacker),)),
        StartingSide("B", "Targets", units=(_starting_unit(target),)),
    )
    cells: Cells = dict(judge_step({}, terms, SetUpArmies(sides)).writes)
    cells["round"] = 1
    if event:
        cells["event"] = [1, event]
    for key, unit in (("A1", attacker), ("B1", target)):
        models = unit.models or UNIT[cells[key]["unit"]].models
        losses = SetLosses(key, models, unit.wounds, unit.hero_wounds, unit.shield, unit.ladybug)
        cells |= judge_step(cells, terms, losses).writes
        if unit.flees:
            cells[f"{key}/flees"] = True
        if unit.blessed:
            cells[f"{key}/blessed"] = 1
    return TrackerState(cells)


def _starting_unit(unit: QuickUnit) -> StartingUnit:
    origin: Literal["train", "house"] = "train" if unit.unit == CAT_NON.unit else "house"
    return StartingUnit(unit.unit, origin, hero=unit.hero, weapon=unit.weapon)


def _object_name(how: str, piece: str | None) -> str:
    return "The building" if how == "torch" else attacked_object(piece, None).replace("the ", "The ", 1)


def _add_object(cells: Cells, how: str, target: QuickTarget) -> str | None:
    """Add a building or castle with the hits it has taken; returns the piece that is attacked."""
    hits = check_count(target.hits, "number of hits taken")
    if how == "torch":
        cells["building/1"] = hits
        return None
    piece = piece_of(target.piece or "gatehouse")
    if hits >= (piece.kind.hits or 0):
        raise Refusal(f"The {piece.name} is already rubble after {hits} hits.", field="hits")
    cells |= {f"castle/{part.key}": {"damage": hits if part == piece else 0, "vat": False} for part in PIECES}
    return piece.key


def resolve_quick_fight(
    attacker: QuickUnit,
    target: QuickUnit,
    how: str,
    ticks: Ticks = NO_TICKS,
    faces: Sequence[int] = (),
    event: str | None = None,
    options: Options = BY_THE_BOOK,
    *,
    at: QuickTarget = UNHURT,
) -> QuickFight:
    """Numbers, odds and dice so far; nothing is stored. ``at``: the wall and its hits, for fire and Cat-non."""
    tracker = tracker_for_two(CAT_NON if how == "bombard" else attacker, target, event)
    at_object = how in ("torch", "bombard")
    piece = _add_object(tracker.cells, how, at) if at_object else None
    mine, theirs = tracker.unit("A1"), tracker.unit("B1")
    situation = build_situation(
        tracker,
        BattleTerms("pitched_battle", options),
        how,
        mine,
        None if how in WITHOUT_TARGET else theirs,
        ticks,
        building=1 if how == "torch" else None,
        piece=piece,
    )
    name = _object_name(how, piece) if at_object else ""
    numbers = combat_numbers(situation, options)
    if isinstance(situation, Bombardment):
        damage = tracker.castle()[situation.piece].damage
        numbers = replace(numbers, bars=wall_fall_bars(situation, damage, options), bars_of=f"{name} after this shot")
    elif at_object:
        numbers = replace(numbers, bars_of=f"{name} after this attack")

    def start() -> Script[Any]:
        return dice_script_of(situation, tracker, options)

    done = follow_script(start(), faces)
    meanings = face_meanings(start, faces, done)
    story = _story(done, mine.now, theirs.now, name)
    return QuickFight(tracker, how, name, numbers, done, meanings, story, _units_after(done, mine.now, theirs.now))


def _story(done: FightProgress, mine: UnitInPlay, theirs: UnitInPlay, thing: str = "") -> tuple[str, ...]:
    names = {"attacker": mine.unit.name, "target": thing or theirs.unit.name}
    result = done.result
    attacks: list[tuple[Sequence[ScriptStep], dict[str, str]]] = []
    if isinstance(result, AttackResult):
        attacks.append((result.steps, names))
    elif isinstance(result, Exchange):
        attacks.append((result.attack.steps, names))
        if result.battle_back is not None:
            attacks.append((result.battle_back.steps, {"attacker": names["target"], "target": names["attacker"]}))
    elif isinstance(result, (CastResult, BombardmentResult, BuildingAttackResult)):
        attacks.append((result.steps, names))
    elif result is not None and hasattr(result, "steps"):
        attacks.append((result.steps, {"attacker": names["attacker"], "target": names["attacker"]}))
    sentences = [step.text(who[step.side]) for steps, who in attacks for step in steps]
    if isinstance(result, CastResult):
        sentences.insert(0, f"The spell is {result.spell.name}. {'' if result.works else result.works.reason}".strip())
    if isinstance(result, BuildingAttackResult):
        sentences.append(
            "It is ablaze." if result.ablaze else f"It has taken {result.building.wounds} of {BUILDING_WOUNDS} hits."
        )
    if isinstance(result, BombardmentResult):
        sentences.append(
            "It is rubble." if result.levelled else f"It takes {result.damage} hit{'' if result.damage == 1 else 's'}."
        )
    return tuple(sentences)


def _units_after(
    done: FightProgress, mine: UnitInPlay, theirs: UnitInPlay
) -> tuple[UnitInPlay | None, UnitInPlay | None]:
    result = done.result
    if isinstance(result, Exchange):
        return result.attacker, result.target
    if isinstance(result, AttackResult):
        return mine, result.target
    if isinstance(result, CastResult):
        return mine, result.attack.target if result.attack else theirs
    after = getattr(result, "after", mine) if result is not None else mine
    return after, theirs
