"""An attack: the rulebook's situation at its start, the dice so far, those needed next, and what their faces mean."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Annotated, Any, get_args

from battles.tracker.core.state import (
    AttackKind,
    BattleTerms,
    Fight,
    Situation,
    TrackedUnit,
    TrackerState,
    is_first_to_act,
)
from battles.tracker.core.steps.tracker_step import Inches
from dataclass_json import Text, Whole
from refusal import Refusal
from rulebook.battle.actions import can_shoot
from rulebook.battle.assault import Bombardment, BombardmentResult, bombard
from rulebook.battle.attack_situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.battle.castle import adjacent_pieces, piece_of
from rulebook.battle.combat import (
    AttackResult,
    Building,
    BuildingAttack,
    BuildingAttackResult,
    Exchange,
    attack_building,
    can_attack_building,
    fight_exchange,
    shoot,
)
from rulebook.battle.dice import DiceRequest, Script, ScriptProgress, follow_script
from rulebook.battle.hero_powers import CastResult, cast_spell
from rulebook.battle.morale import MoraleTestResult, take_morale_test
from rulebook.battle.unit_in_play import KingStatus, Place, UnitInPlay, king_status_at
from rulebook.data.battlefield import MESSENGER
from rulebook.data.heroes import HERO_REACH
from rulebook.data.house_rules import Options
from rulebook.data.scenario_goals import SetAblaze
from rulebook.input_checks import check_count, check_one_of

FightResult = AttackResult | Exchange | CastResult | MoraleTestResult | BuildingAttackResult | BombardmentResult


def dice_script_of(
    situation: Situation, tracker: TrackerState, options: Options, damage: int | None = None
) -> Script[Any]:
    """``damage``: of the wall when the gun was aimed; another gun may have hit it since."""
    if isinstance(situation, Shooting):
        return shoot(situation, options)
    if isinstance(situation, Melee):
        return fight_exchange(situation, options)
    if isinstance(situation, Casting):
        return cast_spell(situation, options)
    if isinstance(situation, (Morale, Rally)):
        return take_morale_test(situation, options)
    if isinstance(situation, BuildingAttack):
        return attack_building(situation, options)
    castle = tracker.castle()
    if damage is not None:
        castle = castle.with_piece(replace(castle[situation.piece], damage=damage))
    return bombard(castle, situation, options)


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
        return tuple(f"{sum(die.needed == face for die in ask.dice)} × {face}+: {good}" for face in needed)
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


# ── The situation, from the tracker's state and the ticks of a form ──────────────────────────────────────


ATTACK_KINDS: tuple[str, ...] = get_args(AttackKind)
# Singular and plural.
ATTACK_VERBS = {
    "shoot": ("shoots at", "shoot at"),
    "charge": ("charges", "charge"),
    "strike": ("strikes", "strike"),
    "cast": ("casts a spell at", "cast a spell at"),
    "rally": ("tries to rally", "try to rally"),
    "torch": ("sets fire to", "set fire to"),
    "bombard": ("fires at", "fire at"),
    "nerve": ("tests morale", "test morale"),
}
FAR, NEAR = 12.0, 6.0
MAX_BUILDINGS = 4  # where the scenario has none, as with one attack outside a battle

BEARER_TICKS = ("bearer", "bearer_2", "bearer_3")


def attack_verb(how: str, unit: UnitInPlay) -> str:
    return ATTACK_VERBS[how][unit.unit.many]


Terrain = Annotated[str, Text("The terrain", 40)]
Flankers = Annotated[int, Whole("The number of flanking units", 0, 20)]


@dataclass(frozen=True, slots=True)
class Ticks:
    """What the players see on the table, or nothing where they did not say. The tracker fills in what it knows."""

    still: bool | None = None
    far: bool | None = None
    inches: Inches | None = None
    king_near: bool | None = None
    target_king_near: bool | None = None
    bearer: bool | None = None
    bearer_2: bool | None = None
    bearer_3: bool | None = None
    target_bearer: bool | None = None
    target_bearer_2: bool | None = None
    target_bearer_3: bool | None = None
    enemy_inside: bool | None = None
    flanked: Flankers | None = None
    target_flanked: Flankers | None = None
    at: Terrain | None = None
    extra_tall: bool | None = None
    target_at: Terrain | None = None
    target_extra_tall: bool | None = None
    king: KingStatus | None = None
    target_king: KingStatus | None = None

    def over(self, filled_in: "Ticks") -> "Ticks":
        """These ticks, and where nothing was said those filled in."""
        given = {part.name: value for part in fields(self) if (value := getattr(self, part.name)) is not None}
        return replace(filled_in, **given)


NO_TICKS = Ticks()


def prefill_ticks(
    tracker: TrackerState, terms: BattleTerms, how: str, attacker: TrackedUnit, target: TrackedUnit | None
) -> Ticks:
    """The ticks the tracker can fill in by itself."""
    ticks = Ticks(at=attacker.at.terrain, extra_tall=attacker.at.extra_tall)
    if how in ("shoot", "bombard"):
        ticks = replace(ticks, still=not attacker.moved)
    if target is not None:
        ticks = replace(
            ticks,
            target_at=target.at.terrain,
            target_extra_tall=target.at.extra_tall,
            target_flanked=len([enemy for enemy in tracker.contacts(target.id) if enemy != attacker.id]),
            flanked=len([enemy for enemy in tracker.contacts(attacker.id) if enemy != target.id]),
        )
    return ticks


def king_whereabouts(tracker: TrackerState, unit: TrackedUnit, near: bool) -> KingStatus | None:
    """Where the unit's King is. Only the players know whether he is near."""
    if unit.now.key == "king":
        return None
    king = tracker.king(unit.side)
    if king is None:
        return None
    inches = float(HERO_REACH if near else HERO_REACH + 1)
    status = king_status_at(inches, fleeing=king.fleeing, gone=not king.here)
    return None if status == "far" else status  # far is what nothing said means


@dataclass(frozen=True, slots=True)
class _SeenPlace:
    """The ticks of one of the two units."""

    at: str | None
    extra_tall: bool | None
    flanked: int | None
    king: KingStatus | None
    king_near: bool
    bearers: int


def _seen_places(ticks: Ticks) -> tuple[_SeenPlace, _SeenPlace]:
    # One tick for each standard, so that several can add up under the house rule.
    bearers = (ticks.bearer, ticks.bearer_2, ticks.bearer_3)
    target_bearers = (ticks.target_bearer, ticks.target_bearer_2, ticks.target_bearer_3)
    return (
        _SeenPlace(
            ticks.at, ticks.extra_tall, ticks.flanked, ticks.king, bool(ticks.king_near), sum(map(bool, bearers))
        ),
        _SeenPlace(
            ticks.target_at,
            ticks.target_extra_tall,
            ticks.target_flanked,
            ticks.target_king,
            bool(ticks.target_king_near),
            sum(map(bool, target_bearers)),
        ),
    )


def _place(tracker: TrackerState, unit: TrackedUnit, seen: _SeenPlace, fighting: str | None) -> Place:
    place = tracker.place_of(unit, fighting)
    if place.piece is None and not unit.at.castle:
        terrain = seen.at or place.terrain
        tall = (place.extra_tall if seen.extra_tall is None else seen.extra_tall) and terrain == "mound"
        place = Place(terrain, extra_tall=tall)
    return replace(
        place,
        flanked=place.flanked
        if seen.flanked is None
        else check_count(seen.flanked, "number of flanking units", most=20),
        king=seen.king or king_whereabouts(tracker, unit, seen.king_near),
        bearers=seen.bearers,
    )


def build_situation(
    tracker: TrackerState,
    terms: BattleTerms,
    how: str,
    attacker: TrackedUnit,
    target: TrackedUnit | None,
    given: Ticks = NO_TICKS,
    *,
    building: int | None = None,
    piece: str | None = None,
) -> Situation:
    """The situation as the rulebook sees it. Refuses what is impossible."""
    check_one_of(how, ATTACK_KINDS, "attack")
    if tracker.event == MESSENGER and how != "nerve" and is_first_to_act(tracker, attacker.side):
        # The first unit of its army to act gets the Messenger (EVENT-09).
        attacker = replace(attacker, now=replace(attacker.now, first_activated=True))
    ticks = given.over(prefill_ticks(tracker, terms, how, attacker, target))
    mine, theirs = _seen_places(ticks)
    event = tracker.event
    at = _place(tracker, attacker, mine, target.id if target else None)
    if how == "rally":
        return Rally(attacker.now, replace(at, flanked=0), event)
    if how == "nerve":
        return Morale(attacker.now, None, replace(at, flanked=0), 0, event)
    distance = ticks.inches if ticks.inches is not None else FAR if ticks.far else NEAR
    engaged = bool(tracker.contacts(attacker.id))
    if how == "torch":
        track = terms.row.track(SetAblaze)
        number = check_count(building, "building", least=1, most=track.most if track else MAX_BUILDINGS)
        wounds = int(tracker.get(f"building/{number}", 0))
        house, inside = Building(f"Building {number}", wounds), bool(ticks.enemy_inside)
        fire = BuildingAttack(attacker.now, house, at, True, event, engaged, inside)
        can_attack_building(fire, terms.options).require("building")
        return fire
    if how == "bombard":
        if not tracker.has_castle:
            raise Refusal("There is no castle in this battle.", field="piece")
        wall = piece_of(piece).key
        return Bombardment(attacker.now, wall, distance, replace(at, flanked=0), not ticks.still, engaged, event)
    if target is None:
        raise Refusal("Choose a target.", field="target")
    if target.side == attacker.side:
        raise Refusal("The target is a friendly unit. Choose an enemy.", field="target")
    there = _place(tracker, target, theirs, attacker.id)
    adjacent = at.on_wall and there.on_wall and _are_adjacent(attacker, target)
    target_engaged = bool(tracker.contacts(target.id))
    if how == "shoot":
        can_shoot(
            attacker.now,
            at=at,
            target_at=there,
            engaged=engaged,
            target_engaged=target_engaged,
            moved=not ticks.still,
            options=terms.options,
        ).require("target")
        return Shooting(attacker.now, target.now, distance, at, there, not ticks.still, adjacent, event)
    if how == "cast":
        return Casting(
            attacker.now,
            target.now,
            at,
            there,
            # Enemies on the next piece of a wall flank, but are not in melee until one attacks the other.
            engaged or bool(at.flanked and not at.on_wall),
            target_engaged or bool(there.flanked and not there.on_wall),
            target.acted,
            event,
        )
    return Melee(attacker.now, target.now, at, there, how == "charge", False, adjacent, event)


def _are_adjacent(one: TrackedUnit, two: TrackedUnit) -> bool:
    return one.at.castle is not None and two.at.castle in adjacent_pieces(one.at.castle)


def attacked_object(piece: str | None, building: int | None) -> str:
    if piece:
        return f"the {piece_of(piece).name}"
    return f"building {building}" if building else ""
