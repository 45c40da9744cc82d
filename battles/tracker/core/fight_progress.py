"""How far a fight has come: its situation stored and read back, the dice so far, the question that waits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from battles.tracker.facing import Situation
from battles.tracker.table import Table, Terms
from refusal import Refusal
from rulebook.bombardment import Bombarded, Bombardment, bombard
from rulebook.burning import Building, Torched, Torching, torch
from rulebook.combat import AttackResult, Exchange, exchange, shoot
from rulebook.flight import Tested, morale_test, rally_test
from rulebook.inplay import Place
from rulebook.options import Options
from rulebook.plain import place_from, plain, unit_from
from rulebook.script import Ask, Script
from rulebook.situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.spells import Cast, cast

Result = AttackResult | Exchange | Cast | Tested | Torched | Bombarded


def stored(situation: Situation) -> dict[str, Any]:
    return dict(plain(situation))


def read_back(how: str, told: Mapping[str, Any]) -> Situation:
    def unit(name: str) -> Any:
        return unit_from(told[name], name)

    def place(name: str) -> Place:
        return place_from(told.get(name), name)

    if how == "shoot":
        return Shooting(unit("attacker"), unit("target"), told["inches"], place("at"), place("target_at"), told["moved"], told["adjacent"], told["event"])  # fmt: skip
    if how in ("charge", "strike"):
        return Melee(unit("attacker"), unit("target"), place("at"), place("target_at"), told["charged"], told["battling_back"], told["adjacent"], told["event"])  # fmt: skip
    if how == "cast":
        return Casting(unit("attacker"), unit("target"), place("at"), place("target_at"), told["engaged"], told["target_engaged"], told["target_activated"], told["event"])  # fmt: skip
    if how == "rally":
        return Rally(unit("unit"), place("at"), told["event"])
    if how == "nerve":
        return Morale(unit("unit"), None, place("at"), 0, told["event"])
    if how == "torch":
        return Torching(unit("unit"), Building(**told["building"]), place("at"), told["adjacent"], told["event"])
    return Bombardment(unit("gun"), told["piece"], told["inches"], place("at"), told["moved"], told["engaged"], told["event"])  # fmt: skip


def script_of(how: str, found: Situation, table: Table, options: Options, damage: int | None = None) -> Script[Any]:
    """``damage``: what the wall had taken when the gun was aimed; another gun may have hit it since."""
    if isinstance(found, Shooting):
        return shoot(found, options)
    if isinstance(found, Melee):
        return exchange(found, options)
    if isinstance(found, Casting):
        return cast(found, options)
    if isinstance(found, Rally):
        return rally_test(found, options)
    if isinstance(found, Morale):
        return morale_test(found, options)
    if isinstance(found, Torching):
        return torch(found, options)
    castle = table.castle()
    if damage is not None:
        castle = castle.with_piece(replace(castle[found.piece], damage=damage))
    return bombard(castle, found, options)


@dataclass(frozen=True, slots=True)
class Course:
    """How far a script has come: the questions answered with their dice, the one that waits, or the result."""

    rolled: tuple[tuple[Ask, tuple[int, ...]], ...]
    ask: Ask | None
    result: Result | None


def course(script: Script[Any], faces: Sequence[int]) -> Course:
    """Feed a script the dice there are."""
    rolled: list[tuple[Ask, tuple[int, ...]]] = []
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
            raise Refusal(f"{len(faces) - at} dice more came than were asked for.", field="faces") from None
        return Course(tuple(rolled), None, end.value)
    if at < len(faces):
        raise Refusal(f"{ask.text} {len(faces) - at} came.", field="faces")
    return Course(tuple(rolled), ask, None)


def course_of(table: Table, terms: Terms, fight: Mapping[str, Any]) -> Course:
    found = read_back(fight["how"], fight["situation"])
    return course(script_of(fight["how"], found, table, terms.options, fight.get("damage")), fight["faces"])


def side_rolling(table: Table, fight: Mapping[str, Any], ask: Ask) -> str:
    """Whose dice these are. In a battle back the roles of the rulebook turn round; the fight says how often it asked."""
    attacker = str(table.cells[fight["attacker"]]["side"])
    other = _other_side(table, fight, attacker)
    if fight["how"] in ("rally", "nerve"):
        return attacker
    return attacker if ask.side == "attacker" else other


def _other_side(table: Table, fight: Mapping[str, Any], attacker: str) -> str:
    if fight.get("target"):
        return str(table.cells[fight["target"]]["side"])
    return next(side for side in table.sides if side != attacker)


def sides_of_rolls(table: Table, fight: Mapping[str, Any], done: Course) -> list[str]:
    """The side that threw each group of dice, the waiting one last; after the target's saves and morale comes its answer."""
    asks = [ask for ask, _ in done.rolled] + ([done.ask] if done.ask else [])
    sides, back = [], False
    for at, ask in enumerate(asks):
        if ask.what == "hit" and at and fight["how"] in ("charge", "strike"):
            back = True
        plainly = side_rolling(table, fight, ask)
        attacker = str(table.cells[fight["attacker"]]["side"])
        if back and fight["how"] in ("charge", "strike"):
            other = _other_side(table, fight, attacker)
            plainly = other if ask.side == "attacker" else attacker
        sides.append(plainly)
    return sides
