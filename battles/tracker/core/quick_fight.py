"""A fight without a battle: two units in a tracker of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from battles.tracker.core.all_steps import judge_step
from battles.tracker.core.combat_helper import CombatNumbers, combat_numbers, wall_fall_bars
from battles.tracker.core.fight_progress import (
    FightProgress,
    dice_script_of,
    face_meanings,
    feed_dice,
    situation_from_json,
    situation_to_json,
)
from battles.tracker.core.fight_situation import attack_verb, attacked_object, build_situation
from battles.tracker.core.state import BattleTerms, Cells, TrackerState
from battles.tracker.core.step_draft import StepDraft
from refusal import Refusal
from rulebook.basics.input_checks import check_count
from rulebook.battle.attacking_buildings import BUILDING_WOUNDS, BuildingAttackResult
from rulebook.battle.combat import AttackResult, Exchange
from rulebook.battle.dice_script import Script, ScriptStep
from rulebook.battle.spells import CastResult
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.siege.bombardment import Bombardment, BombardmentResult
from rulebook.siege.castle import PIECES, piece_of

WITHOUT_TARGET = ("rally", "torch", "bombard")  # attacks without a target unit
CAT_NON = {"unit": "cat_non"}


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


def tracker_for_two(attacker: Mapping[str, Any], target: Mapping[str, Any], event: str | None = None) -> TrackerState:
    """A tracker with two units in the first round. Each has a unit, hero, weapon and losses."""
    sides = [
        {"side": "A", "name": "Attackers", "units": [_starting_unit(attacker)]},
        {"side": "B", "name": "Targets", "units": [_starting_unit(target)]},
    ]
    cells: Cells = {}
    terms = BattleTerms("pitched_battle", BY_THE_BOOK)
    for effect in judge_step(cells, terms, "laid", {"sides": sides}).effects:
        cells[effect["cell"]] = effect["now"]
    cells["round"] = 1
    if event:
        cells["event"] = [1, event]
    for key, fields in (("A1", attacker), ("B1", target)):
        draft = StepDraft(TrackerState(cells), terms)
        unit = draft.tracker.unit(key)
        models = fields.get("models") or unit.row.models
        left = {"models": int(models)} | {k: fields[k] for k in ("wounds", "hero_wounds") if fields.get(k)}
        for what in ("shield", "ladybug"):
            if fields.get(what, getattr(unit.now, what)):
                left[what] = True
        body = {"models": left["models"], **{k: v for k, v in left.items() if k != "models"}}
        judge_step(cells, terms, "losses", {"unit": key, **body})  # refuses impossible losses
        cells[f"{key}/left"] = left
        if fields.get("flees"):
            cells[f"{key}/flees"] = True
        if fields.get("blessed"):
            cells[f"{key}/blessed"] = 1
    return TrackerState(cells)


def _starting_unit(fields: Mapping[str, Any]) -> dict[str, Any]:
    origin = "train" if fields.get("unit") == CAT_NON["unit"] else "house"
    return {"unit": fields.get("unit"), "hero": fields.get("hero"), "weapon": fields.get("weapon"), "origin": origin}


def _object_name(thing: Mapping[str, Any]) -> str:
    return "The building" if "building" in thing else attacked_object(thing).replace("the ", "The ", 1)


def _add_object(cells: Cells, how: str, at: Mapping[str, Any]) -> dict[str, Any]:
    """Add a building or castle with the hits it has taken; returns the fields of an attack on it."""
    hits = check_count(at.get("hits") or 0, "number of hits taken")
    if how == "torch":
        cells["building/1"] = hits
        return {"building": 1}
    piece = piece_of(at.get("piece") or "gatehouse")
    if hits >= (piece.kind.hits or 0):
        raise Refusal(f"The {piece.name} is already rubble after {hits} hits.", field="hits")
    cells |= {f"castle/{one.key}": {"damage": hits if one == piece else 0, "vat": False} for one in PIECES}
    return {"piece": piece.key}


def resolve_quick_fight(
    attacker: Mapping[str, Any],
    target: Mapping[str, Any],
    how: str,
    ticks: Mapping[str, Any],
    faces: Sequence[int] = (),
    event: str | None = None,
    options: Options = BY_THE_BOOK,
    *,
    at: Mapping[str, Any] | None = None,
) -> QuickFight:
    """Numbers, odds and dice so far; nothing is stored. ``at``: the wall and its hits, for fire and Cat-non."""
    tracker = tracker_for_two(CAT_NON if how == "bombard" else attacker, target, event)
    thing = _add_object(tracker.cells, how, at or {}) if how in ("torch", "bombard") else {}
    mine, theirs = tracker.unit("A1"), tracker.unit("B1")
    given = {"ticks": ticks, **thing}
    found = build_situation(
        tracker, BattleTerms("pitched_battle", options), how, mine, None if how in WITHOUT_TARGET else theirs, given
    )
    name = _object_name(thing)
    numbers = combat_numbers(found, options)
    if isinstance(found, Bombardment):
        damage = tracker.castle()[found.piece].damage
        numbers = replace(numbers, bars=wall_fall_bars(found, damage, options), bars_of=f"{name} after this shot")
    elif thing:
        numbers = replace(numbers, bars_of=f"{name} after this attack")

    def start() -> Script[Any]:
        return dice_script_of(how, situation_from_json(how, situation_to_json(found)), tracker, options)

    done = feed_dice(start(), faces)
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
