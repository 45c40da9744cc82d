"""Boiling cheese sauce: when a vat is poured over a charge, and what it does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from rulebook.basics.input_checks import check_d10, check_one_of
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle.casualties import Losses, take_wounds
from rulebook.battle.morale import must_test_morale
from rulebook.battle.unit_in_play import UnitInPlay
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.scenarios import SIDES, SideKey
from rulebook.siege.castle import OUTSIDE, Castle, piece_of

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
