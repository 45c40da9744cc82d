"""Cat-non against walls, and the boiling cheese sauce that is poured from them."""

from collections import Counter
from dataclasses import dataclass, replace

from rulebook.battle import modifiers
from rulebook.battle.actions import can_see
from rulebook.battle.castle import OUTSIDE, Castle, Occupant, PieceKind, piece_of
from rulebook.battle.dice import Die, Script, ScriptStep, ask_for_dice
from rulebook.battle.modifiers import SAVES_FROM, Tally, needed_on_die
from rulebook.battle.morale import must_test_morale
from rulebook.battle.unit_in_play import OPEN, Losses, Place, UnitInPlay, check_placement, take_wounds
from rulebook.data.battlefield import event_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenarios import SIDES, SideKey, opposite_side
from rulebook.data.units import UNIT
from rulebook.input_checks import Answer, check_d10, check_inches, check_one_of, no, yes

GUN = UNIT["cat_non"]
SHOT_DICE = GUN.shooting_dice or 0


@dataclass(frozen=True, slots=True)
class Bombardment:
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


# ── Boiling cheese sauce ─────────────────────────────────────────────────────────────────────────────────


SCALDS_FROM = 8


@dataclass(frozen=True, slots=True)
class WallCharge:
    """A unit that has come up to a wall and is about to attack whoever mans it."""

    name: str
    side: SideKey
    unit: UnitInPlay
    wall: str
    coming_from: str = OUTSIDE  # or the piece from which it charges

    def __post_init__(self) -> None:
        check_one_of(self.side, SIDES, "side")
        piece_of(self.wall)
        if self.coming_from != OUTSIDE:
            piece_of(self.coming_from)


def can_pour(castle: Castle, charge: WallCharge) -> Answer:
    """Whether the vat is emptied over this charge (R-82)."""
    state = castle[charge.wall]
    if not state.vat:
        return no(f"There is no vat on the {state.piece.name}.", "SIEGE-10")
    if charge.coming_from != OUTSIDE:
        return no(
            "The charge comes from inside. Sauce is never poured into the courtyard or along the wall.", "SIEGE-12"
        )
    at_the_vat = [o for o in state.occupants if o.side != charge.side]
    if not at_the_vat:
        return no("The chargers have no enemy on the wall, so nobody pours.", "SIEGE-10")
    if all(o.fleeing for o in at_the_vat):
        return no(f"{at_the_vat[0].name} is fleeing and cannot pour.", "SIEGE-10", "R-82")
    if (charge.wall, charge.name) in castle.poured:
        return no(f"The vat was already poured over {charge.name} in this melee.", "SIEGE-12")
    return yes(f"{at_the_vat[0].name} pours the vat: roll a d10.", "SIEGE-11", "SIEGE-12")


def unit_pouring(castle: Castle, charge: WallCharge) -> str | None:
    """The unit at the vat: the attacker of the morale test that the sauce may cause (R-96)."""
    if not can_pour(castle, charge):
        return None
    return next(o.name for o in castle[charge.wall].occupants if o.side != charge.side and not o.fleeing)


@dataclass(frozen=True, slots=True)
class PourResult:
    """What the sauce did. ``after`` is None when the last model of the unit is gone."""

    scalded: bool
    losses: Losses | None
    after: UnitInPlay | None
    tests_morale: Answer
    castle: Castle

    @property
    def destroyed(self) -> bool:
        return self.after is None


def empty_vat(castle: Castle, charge: WallCharge, roll: int, options: Options = BY_THE_BOOK) -> PourResult:
    """The vat over a charge: after the chargers have come up, before anybody attacks, with no save."""
    can_pour(castle, charge).require("sauce")
    spent = replace(castle, poured=(*castle.poured, (charge.wall, charge.name)))
    if check_d10(roll, "sauce roll") < SCALDS_FROM:
        quiet = no("The sauce missed them all.", "SIEGE-11")
        return PourResult(False, None, charge.unit, quiet, spent)
    losses = scald_unit(charge.unit, options)
    if losses.after is None:
        nobody = no("Nobody is left to test.", "MORALE-08")
        return PourResult(True, losses, None, nobody, spent)
    test = must_test_morale(losses.after, losses.models_lost)
    if test and not options.sauce_morale:
        test = no("House rule: no morale test for sauce.", "R-82")
    return PourResult(True, losses, losses.after, test, spent)


def scald_unit(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> Losses:
    """One model gone; a model that takes several wounds is wounded once, unless the house rules kill it (R-82)."""
    first = unit.standing[0]
    if not options.sauce_kills_multiwound or first.wounds == 1:
        return take_wounds(unit, 1)
    already = unit.wounds if len(unit.standing) == 1 else unit.hero_wounds
    return take_wounds(unit, first.wounds - already)


def end_melee(castle: Castle, name: str) -> Castle:
    """The unit's melee has ended, so it may be scalded again when it charges anew (SIEGE-12)."""
    return replace(castle, poured=tuple(pair for pair in castle.poured if pair[1] != name))
