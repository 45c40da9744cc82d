"""The progress of a fight: the dice so far, the dice needed next, and what their faces mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from battles.tracker.core.fight import Fight, Situation
from battles.tracker.core.state import BattleTerms, TrackerState
from rulebook.battle.combat import (
    AttackResult,
    BuildingAttack,
    BuildingAttackResult,
    Exchange,
    attack_building,
    fight_exchange,
    shoot,
)
from rulebook.battle.dice import DiceRequest, Script, ScriptProgress, follow_script
from rulebook.battle.hero_powers import CastResult, cast_spell
from rulebook.battle.morale import MoraleTestResult, take_morale_test, take_rally_test
from rulebook.battle.situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.data.house_rules import Options
from rulebook.siege.assault import BombardmentResult, bombard

FightResult = AttackResult | Exchange | CastResult | MoraleTestResult | BuildingAttackResult | BombardmentResult


def dice_script_of(found: Situation, tracker: TrackerState, options: Options, damage: int | None = None) -> Script[Any]:
    """``damage``: of the wall when the gun was aimed; another gun may have hit it since."""
    if isinstance(found, Shooting):
        return shoot(found, options)
    if isinstance(found, Melee):
        return fight_exchange(found, options)
    if isinstance(found, Casting):
        return cast_spell(found, options)
    if isinstance(found, Rally):
        return take_rally_test(found, options)
    if isinstance(found, Morale):
        return take_morale_test(found, options)
    if isinstance(found, BuildingAttack):
        return attack_building(found, options)
    castle = tracker.castle()
    if damage is not None:
        castle = castle.with_piece(replace(castle[found.piece], damage=damage))
    return bombard(castle, found, options)


FightProgress = ScriptProgress[FightResult]


def progress_of(tracker: TrackerState, terms: BattleTerms, fight: Fight) -> FightProgress:
    return follow_script(dice_script_of(fight.situation, tracker, terms.options, fight.damage), fight.faces)


def _side_rolling(tracker: TrackerState, fight: Fight, ask: DiceRequest) -> str:
    """The side that rolls. When the target battles back, attacker and target swap roles."""
    attacker = str(tracker.cells[fight.attacker]["side"])
    other = _other_side(tracker, fight, attacker)
    if fight.how in ("rally", "nerve"):
        return attacker
    return attacker if ask.side == "attacker" else other


def _other_side(tracker: TrackerState, fight: Fight, attacker: str) -> str:
    if fight.target:
        return str(tracker.cells[fight.target]["side"])
    return next(side for side in tracker.sides if side != attacker)


def sides_of_rolls(tracker: TrackerState, fight: Fight, done: FightProgress) -> list[str]:
    """The side that makes each roll, the next roll last."""
    asks = [ask for ask, _ in done.rolled] + ([done.ask] if done.ask else [])
    sides, back = [], False
    for at, ask in enumerate(asks):
        if ask.what == "hit" and at and fight.how in ("charge", "strike"):
            back = True
        plainly = _side_rolling(tracker, fight, ask)
        attacker = str(tracker.cells[fight.attacker]["side"])
        if back and fight.how in ("charge", "strike"):
            other = _other_side(tracker, fight, attacker)
            plainly = other if ask.side == "attacker" else attacker
        sides.append(plainly)
    return sides


SUCCESS = {"save": "saves", "blessed save": "saves", "blessed morale": "stands", "phantasm": "works"}
TEST_WORDS = {"stand": "stands", "flee": "flees", "scatter": "scatters"}


def face_meanings(start: Callable[[], Script[Any]], faces: Sequence[int], progress: FightProgress) -> tuple[str, ...]:
    """What each face of the next roll means, such as "6–8: flees"."""
    ask = progress.ask
    if ask is None:
        return ()
    if ask.what not in ("morale", "rally"):
        good = SUCCESS.get(ask.what, "hits")
        needed = sorted({die.needed for die in ask.dice})
        if needed == [1]:
            return ("Any face counts",)
        return tuple(f"{sum(die.needed == one for die in ask.dice)} × {one}+: {good}" for one in needed)
    words = [_test_word(start, [*faces, face]) for face in range(1, 11)]
    if ask.what == "rally":
        words = [{"stands": "rallies", "flees": "keeps fleeing"}.get(word, word) for word in words]
    runs = [(word, words.index(word) + 1, 10 - words[::-1].index(word)) for word in dict.fromkeys(words)]
    return tuple(f"{low}–{high}: {word}" if low < high else f"{low}: {word}" for word, low, high in runs)


def _test_word(start: Callable[[], Script[Any]], faces: list[int]) -> str:
    done = follow_script(start(), faces)
    if done.ask is not None and done.ask.what == "blessed morale":
        done = follow_script(start(), [*faces, 1])
    result: Any = done.result
    if isinstance(result, Exchange):
        back = result.battle_back
        result = back if back is not None and back.morale_roll is not None else result.attack
    elif isinstance(result, CastResult):
        result = result.attack
    # More dice follow only if the unit stands and battles back.
    return TEST_WORDS[result.outcome] if result is not None else "stands"


def meanings_of(tracker: TrackerState, terms: BattleTerms, fight: Fight) -> tuple[str, ...]:
    def start() -> Script[Any]:
        return dice_script_of(fight.situation, tracker, terms.options, fight.damage)

    return face_meanings(start, fight.faces, follow_script(start(), fight.faces))
