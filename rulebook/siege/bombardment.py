"""Cat-non against walls: what a shot does to a castle piece."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from rulebook.basics.input_checks import check_inches
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle import modifiers
from rulebook.battle.advantages import SAVES_FROM, Tally, needed_on_die
from rulebook.battle.dice_requests import Die, Script, ScriptStep, ask_for_dice
from rulebook.battle.unit_in_play import OPEN, Place, UnitInPlay, check_placement
from rulebook.battle.who_can_be_attacked import can_see
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.random_events import event_of
from rulebook.data.scenarios import SIDES, SideKey, opposite_side
from rulebook.data.units import UNIT
from rulebook.siege.castle import Castle, Occupant, PieceKind, piece_of

GUN = UNIT["cat_non"]
SHOT_DICE = GUN.shooting_dice or 0


@dataclass(frozen=True, slots=True)
class Bombardment:
    """A Cat-non, where it stands and what it aims at."""

    gun: UnitInPlay
    piece: str
    inches: float
    at: Place = OPEN
    moved: bool = False
    engaged: bool = False
    event: str | None = None
    between: tuple[str, ...] = ()  # what the line of sight crosses

    def __post_init__(self) -> None:
        piece_of(self.piece)
        check_inches(self.inches, "range")
        check_placement(self.gun, self.at)
        if self.event is not None:
            event_of(self.event)


def can_bombard(castle: Castle, shot: Bombardment) -> Answer:
    """Whether this shot is allowed at all."""
    name = shot.gun.unit.name
    if shot.gun.key != GUN.key:
        return no(f"{name} cannot damage walls. Only a Cat-non can.", "R-81")
    state = castle[shot.piece]
    if not state.piece.kind.wall:
        return no("The courtyard is open ground. A Cat-non shoots at towers, battlements and the gatehouse.", "UNIT-26")
    if state.levelled:
        return no(f"The {state.piece.name} is already rubble.", "SIEGE-07")
    if shot.gun.fleeing:
        return no("The crew is fleeing and cannot shoot.", "FLEE-02")
    if shot.engaged:
        return no("The crew is in melee and cannot shoot.", "UNIT-25")
    if shot.moved:
        return no("The Cat-non has moved. A war machine moves or shoots, never both.", "UNIT-25")
    if shot.gun.models < GUN.crew_to_shoot:
        return no(f"A Cat-non needs {GUN.crew_to_shoot} crew to shoot and has {shot.gun.models}.", "UNIT-24")
    sight = can_see(shot.at, shot.between)
    if not sight:
        return sight
    return yes("The gun can shoot at any wall it sees.", "SIEGE-05", "R-81")


def bombardment_tally(shot: Bombardment, options: Options = BY_THE_BOOK) -> Tally:
    """What the dice need against the wall: long range counts, the fortress does not, and guns do not aim (R-81)."""
    kind = piece_of(shot.piece).kind
    return modifiers.castle_piece_tally(shot.gun, shot.inches, kind.ac or 0, shot.at, shot.event, options)


def wall_saves_from(kind: PieceKind) -> int:
    """The lowest face with which a wall saves against a hit."""
    return needed_on_die(SAVES_FROM, kind.save_bonus or 0)


@dataclass(frozen=True, slots=True)
class BombardmentResult:
    """What a shot did."""

    piece: str
    tally: Tally
    steps: tuple[ScriptStep, ...]
    hits: int
    saved: int
    damage: int
    surplus: int  # unsaved hits nothing was left for
    levelled: bool
    killed: tuple[Occupant, ...]
    vp: dict[SideKey, int]  # units buried, scored by the other side
    castle: Castle


def bombard(castle: Castle, shot: Bombardment, options: Options = BY_THE_BOOK) -> Script[BombardmentResult]:
    """Two dice at the wall, a save for each hit, and rubble once it has taken its last hit."""
    can_bombard(castle, shot).require("piece")
    state = castle[shot.piece]
    tally = bombardment_tally(shot, options)
    story: list[ScriptStep] = []
    faces = yield from ask_for_dice(story, "hit", "attacker", [Die("machine", tally.needed)] * SHOT_DICE)
    hits = sum(tally.succeeds(face) for face in faces)
    saved = 0
    if hits:
        needed = wall_saves_from(state.piece.kind)
        faces = yield from ask_for_dice(story, "save", "target", [Die("wall", needed)] * hits)
        saved = sum(face >= needed for face in faces)
    damage = min(hits - saved, state.hits_left)
    after = replace(state, damage=state.damage + damage)
    killed: tuple[Occupant, ...] = ()
    if after.levelled:
        # The vat goes down with the wall.
        killed = state.occupants
        after = replace(after, vat=False, occupants=())
    buried = Counter(occupant.side for occupant in killed)
    vp: dict[SideKey, int] = {side: buried[opposite_side(side)] for side in SIDES if buried[opposite_side(side)]}
    return BombardmentResult(
        shot.piece,
        tally,
        tuple(story),
        hits,
        saved,
        damage,
        hits - saved - damage,
        after.levelled,
        killed,
        vp,
        castle.with_piece(after),
    )
