"""Cat-non against walls: what a shot does to a castle piece, and the odds of bringing it down."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

from rulebook import modifiers
from rulebook.answers import Answer, no, yes
from rulebook.events import event_of
from rulebook.inplay import OPEN, Place, UnitInPlay, check_stands
from rulebook.marks import SAVES_FROM, Tally, needed_on_die
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import count, inches, one_of
from rulebook.script import Die, Script, Step, roll
from rulebook.siege import RING, SIDES, Castle, Occupant, PieceKind, Side, piece_of
from rulebook.units import UNIT

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

    def __post_init__(self) -> None:
        piece_of(self.piece)
        inches(self.inches, "range")
        check_stands(self.gun, self.at)
        if self.event is not None:
            event_of(self.event)


def may_bombard(castle: Castle, shot: Bombardment) -> Answer:
    """Whether this shot is allowed at all."""
    name = shot.gun.unit.name
    if shot.gun.key != GUN.key:
        return no(f"{name} cannot harm walls; only a Cat-non can.", "R-81")
    state = castle[shot.piece]
    if not state.piece.kind.wall:
        return no("The courtyard is open ground; a Cat-non shoots at towers, battlements and the gatehouse.", "UNIT-26")
    if state.levelled:
        return no(f"The {state.piece.name} lies in rubble already.", "SIEGE-07")
    if shot.gun.fleeing:
        return no("The crew is fleeing, and a fleeing unit does not shoot.", "FLEE-02")
    if shot.engaged:
        return no("The crew is in melee, so the Cat-non cannot shoot.", "UNIT-25")
    if shot.moved:
        return no("The Cat-non has moved; a war machine moves or shoots, never both.", "UNIT-25")
    if shot.gun.models < GUN.crew_to_shoot:
        return no(f"A Cat-non needs {GUN.crew_to_shoot} crew to shoot and has {shot.gun.models}.", "UNIT-24")
    return yes("The wall is in sight, and the gun may shoot.", "SIEGE-05", "R-81")


def aim(shot: Bombardment, options: Options = BY_THE_BOOK) -> Tally:
    """What the dice need against the wall: long range counts, the fortress does not, and guns do not aim (R-81)."""
    kind = piece_of(shot.piece).kind
    return modifiers.at_castle_piece(shot.gun, shot.inches, kind.ac or 0, shot.at, shot.event, options)


def wall_saves_from(kind: PieceKind) -> int:
    """The lowest face with which a wall shrugs a hit off."""
    return needed_on_die(SAVES_FROM, kind.save_bonus or 0)


@dataclass(frozen=True, slots=True)
class Bombarded:
    """What a shot did."""

    piece: str
    tally: Tally
    steps: tuple[Step, ...]
    hits: int
    saved: int
    damage: int
    surplus: int  # unsaved hits nothing was left for
    levelled: bool
    killed: tuple[Occupant, ...]
    vp: dict[Side, int]  # units buried, scored by the other side
    castle: Castle


def bombard(castle: Castle, shot: Bombardment, options: Options = BY_THE_BOOK) -> Script[Bombarded]:
    """Two dice at the wall, a save for each hit, and rubble where the last hit it could take came through."""
    may_bombard(castle, shot).insist("piece")
    state = castle[shot.piece]
    tally = aim(shot, options)
    story: list[Step] = []
    faces = yield from roll(story, "hit", "attacker", [Die("machine", tally.needed)] * SHOT_DICE)
    hits = sum(tally.succeeds(face) for face in faces)
    saved = 0
    if hits:
        needed = wall_saves_from(state.piece.kind)
        faces = yield from roll(story, "save", "target", [Die("wall", needed)] * hits)
        saved = sum(face >= needed for face in faces)
    damage = min(hits - saved, state.hits_left)
    after = replace(state, damage=state.damage + damage)
    killed: tuple[Occupant, ...] = ()
    if after.levelled:
        # The vat goes down with the wall.
        killed = state.occupants
        after = replace(after, vat=False, occupants=())
    buried = Counter(occupant.side for occupant in killed)
    vp: dict[Side, int] = {side: buried[_other(side)] for side in SIDES if buried[_other(side)]}
    return Bombarded(
        shot.piece, tally, tuple(story), hits, saved, damage, hits - saved - damage, after.levelled, killed, vp,
        castle.with_piece(after),
    )  # fmt: skip


def _other(side: Side) -> Side:
    return "defender" if side == "attacker" else "attacker"


# --- odds -------------------------------------------------------------------------------------------------------


def through_chance(shot: Bombardment, options: Options = BY_THE_BOOK) -> Fraction:
    """The chance that one die hits and is not saved."""
    fails = wall_saves_from(piece_of(shot.piece).kind) - 1
    return Fraction(aim(shot, options).faces * fails, 100)


def damage_odds(dice: int, through: Fraction) -> tuple[Fraction, ...]:
    """The chance of each number of unsaved hits among so many dice."""
    n = count(dice, "number of dice")
    top, bottom = through.numerator, through.denominator
    return tuple(Fraction(comb(n, k) * top**k * (bottom - top) ** (n - k), bottom**n) for k in range(n + 1))


def levelling_odds(
    shot: Bombardment, shots: int, options: Options = BY_THE_BOOK, *, damage: int = 0
) -> tuple[Fraction, ...]:
    """The chance that the piece lies in rubble after 1, 2, ... shots like this one, by one gun or several."""
    kind = piece_of(one_of(shot.piece, RING, "wall")).kind
    hits = kind.hits or 0
    left = hits - count(damage, "damage so far", most=hits - 1)
    through = through_chance(shot, options)
    return tuple(
        1 - sum(damage_odds(SHOT_DICE * number, through)[:left], Fraction(0))
        for number in range(1, count(shots, "number of shots", least=1, most=200) + 1)
    )
