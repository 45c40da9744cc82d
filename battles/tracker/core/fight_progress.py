"""The progress of a fight: its situation as JSON, the dice so far, and the dice needed next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from battles.tracker.core.fight_situation import Situation
from battles.tracker.core.state import BattleTerms, TrackerState
from refusal import Refusal
from rulebook.battle.attacking_buildings import Building, BuildingAttack, BuildingAttackResult, attack_building
from rulebook.battle.combat import AttackResult, Exchange, fight_exchange, shoot
from rulebook.battle.dice_script import DiceRequest, Script
from rulebook.battle.morale import MoraleTestResult, take_morale_test, take_rally_test
from rulebook.battle.situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.battle.spells import CastResult, cast_spell
from rulebook.battle.unit_in_play import Place
from rulebook.data.house_rules import Options
from rulebook.siege.bombardment import Bombardment, BombardmentResult, bombard
from rulebook.text.as_json import read_place, read_unit, to_json

FightResult = AttackResult | Exchange | CastResult | MoraleTestResult | BuildingAttackResult | BombardmentResult


def situation_to_json(situation: Situation) -> dict[str, Any]:
    return dict(to_json(situation))


def situation_from_json(how: str, stored: Mapping[str, Any]) -> Situation:
    def unit(name: str) -> Any:
        return read_unit(stored[name], name)

    def place(name: str) -> Place:
        return read_place(stored.get(name), name)

    def rest(*names: str) -> Any:
        return [stored[name] for name in names]

    if how == "shoot":
        here, there, more = place("at"), place("target_at"), rest("moved", "adjacent", "event")
        return Shooting(unit("attacker"), unit("target"), stored["inches"], here, there, *more)
    if how in ("charge", "strike"):
        more = rest("charged", "battling_back", "adjacent", "event")
        return Melee(unit("attacker"), unit("target"), place("at"), place("target_at"), *more)
    if how == "cast":
        more = rest("engaged", "target_engaged", "target_activated", "event")
        return Casting(unit("attacker"), unit("target"), place("at"), place("target_at"), *more)
    if how == "rally":
        return Rally(unit("unit"), place("at"), stored["event"])
    if how == "nerve":
        return Morale(unit("unit"), None, place("at"), 0, stored["event"])
    if how == "torch":
        return BuildingAttack(
            unit("unit"), Building(**stored["building"]), place("at"), stored["adjacent"], stored["event"]
        )
    more = rest("moved", "engaged", "event")
    return Bombardment(unit("gun"), stored["piece"], stored["inches"], place("at"), *more)


def dice_script_of(
    how: str, found: Situation, tracker: TrackerState, options: Options, damage: int | None = None
) -> Script[Any]:
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


@dataclass(frozen=True, slots=True)
class FightProgress:
    """The rolls made so far, and either the next roll or the result."""

    rolled: tuple[tuple[DiceRequest, tuple[int, ...]], ...]
    ask: DiceRequest | None
    result: FightResult | None


def feed_dice(script: Script[Any], faces: Sequence[int]) -> FightProgress:
    """Run a script with the dice rolled so far."""
    rolled: list[tuple[DiceRequest, tuple[int, ...]]] = []
    at = 0
    try:
        ask = next(script)
        while at + ask.count <= len(faces):
            given = tuple(faces[at : at + ask.count])
            at += ask.count
            rolled.append((ask, given))
            ask = script.send(given)
    except StopIteration as end:
        if at < len(faces):
            raise Refusal(f"You entered {len(faces) - at} dice too many.", field="faces") from None
        return FightProgress(tuple(rolled), None, end.value)
    if at < len(faces):
        raise Refusal(f"{ask.text} You entered {len(faces) - at}.", field="faces")
    return FightProgress(tuple(rolled), ask, None)


def progress_of(tracker: TrackerState, terms: BattleTerms, fight: Mapping[str, Any]) -> FightProgress:
    found = situation_from_json(fight["how"], fight["situation"])
    return feed_dice(dice_script_of(fight["how"], found, tracker, terms.options, fight.get("damage")), fight["faces"])


def _side_rolling(tracker: TrackerState, fight: Mapping[str, Any], ask: DiceRequest) -> str:
    """The side that rolls. When the target battles back, attacker and target swap roles."""
    attacker = str(tracker.cells[fight["attacker"]]["side"])
    other = _other_side(tracker, fight, attacker)
    if fight["how"] in ("rally", "nerve"):
        return attacker
    return attacker if ask.side == "attacker" else other


def _other_side(tracker: TrackerState, fight: Mapping[str, Any], attacker: str) -> str:
    if fight.get("target"):
        return str(tracker.cells[fight["target"]]["side"])
    return next(side for side in tracker.sides if side != attacker)


def sides_of_rolls(tracker: TrackerState, fight: Mapping[str, Any], done: FightProgress) -> list[str]:
    """The side that makes each roll, the next roll last."""
    asks = [ask for ask, _ in done.rolled] + ([done.ask] if done.ask else [])
    sides, back = [], False
    for at, ask in enumerate(asks):
        if ask.what == "hit" and at and fight["how"] in ("charge", "strike"):
            back = True
        plainly = _side_rolling(tracker, fight, ask)
        attacker = str(tracker.cells[fight["attacker"]]["side"])
        if back and fight["how"] in ("charge", "strike"):
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
    done = feed_dice(start(), faces)
    if done.ask is not None and done.ask.what == "blessed morale":
        done = feed_dice(start(), [*faces, 1])
    result: Any = done.result
    if isinstance(result, Exchange):
        back = result.battle_back
        result = back if back is not None and back.morale_roll is not None else result.attack
    elif isinstance(result, CastResult):
        result = result.attack
    # More dice follow only if the unit stands and battles back.
    return TEST_WORDS[result.outcome] if result is not None else "stands"


def meanings_of(tracker: TrackerState, terms: BattleTerms, fight: Mapping[str, Any]) -> tuple[str, ...]:
    def start() -> Script[Any]:
        found = situation_from_json(fight["how"], fight["situation"])
        return dice_script_of(fight["how"], found, tracker, terms.options, fight.get("damage"))

    return face_meanings(start, fight["faces"], feed_dice(start(), fight["faces"]))
