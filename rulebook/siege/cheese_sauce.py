"""Boiling cheese sauce: when a vat may be poured over a charge, what it does, and how often."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from rulebook.answers import Answer, no, yes
from rulebook.casualties import Losses, take_wounds
from rulebook.flight import must_test
from rulebook.inplay import UnitInPlay
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import d10, one_of
from rulebook.siege import OUTSIDE, SIDES, Castle, piece_of

SCALDS_FROM = 8


@dataclass(frozen=True, slots=True)
class Charge:
    """A unit that has come up to a wall and is about to attack whoever mans it."""

    name: str
    side: str
    unit: UnitInPlay
    wall: str
    coming_from: str = OUTSIDE  # or the piece from which it charges

    def __post_init__(self) -> None:
        one_of(self.side, SIDES, "side")
        piece_of(self.wall)
        if self.coming_from != OUTSIDE:
            piece_of(self.coming_from)


def may_pour(castle: Castle, charge: Charge) -> Answer:
    """Whether the vat is emptied over this charge (R-82)."""
    state = castle[charge.wall]
    if not state.vat:
        return no(f"There is no vat on the {state.piece.name}.", "SIEGE-10")
    if charge.coming_from != OUTSIDE:
        return no(
            "The charge comes from within, and sauce is never poured into the courtyard or along the wall.", "SIEGE-12"
        )
    at_the_vat = [o for o in state.occupants if o.side != charge.side]
    if not at_the_vat:
        return no("Nobody mans the wall against this charge, so nobody pours.", "SIEGE-10")
    if all(o.fleeing for o in at_the_vat):
        return no(f"{at_the_vat[0].name} is fleeing and pours nothing.", "SIEGE-10", "R-82")
    if (charge.wall, charge.name) in castle.poured:
        return no(f"The vat was poured over {charge.name} in this melee already.", "SIEGE-12")
    return yes(f"The vat is manned by {at_the_vat[0].name}: roll a d10.", "SIEGE-11", "SIEGE-12")


@dataclass(frozen=True, slots=True)
class Poured:
    """What the sauce did. ``after`` is None when the last model of the unit is gone."""

    scalded: bool
    losses: Losses | None
    after: UnitInPlay | None
    tests_morale: Answer
    castle: Castle

    @property
    def destroyed(self) -> bool:
        return self.after is None


def pour(castle: Castle, charge: Charge, roll: int, options: Options = BY_THE_BOOK) -> Poured:
    """The vat over a charge: after the chargers have come up, before anybody attacks, with no save."""
    may_pour(castle, charge).insist("sauce")
    spent = replace(castle, poured=(*castle.poured, (charge.wall, charge.name)))
    if d10(roll, "sauce roll") < SCALDS_FROM:
        quiet = no("The sauce missed them all.", "SIEGE-11")
        return Poured(False, None, charge.unit, quiet, spent)
    losses = scald(charge.unit, options)
    if losses.after is None:
        nobody = no("Nobody is left to test.", "MORALE-08")
        return Poured(True, losses, None, nobody, spent)
    test = must_test(losses.after, losses.models_lost)
    if test and not options.sauce_morale:
        test = no("By house rule sauce calls for no morale test.", "R-82")
    return Poured(True, losses, losses.after, test, spent)


def scald(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> Losses:
    """One model gone; a model that takes several wounds is wounded once, unless the house rules kill it (R-82)."""
    first = unit.standing[0]
    if not options.sauce_kills_multiwound or first.wounds == 1:
        return take_wounds(unit, 1)
    already = unit.wounds if len(unit.standing) == 1 else unit.hero_wounds
    return take_wounds(unit, first.wounds - already)


def melee_over(castle: Castle, wall: str, name: str) -> Castle:
    """The melee at a wall has ended, so the same unit may be scalded again when it charges anew."""
    piece_of(wall)
    return replace(castle, poured=tuple(pair for pair in castle.poured if pair != (wall, name)))


# --- odds -------------------------------------------------------------------------------------------------------

SCALD_CHANCE = Fraction(11 - SCALDS_FROM, 10)


@dataclass(frozen=True, slots=True)
class SauceOdds:
    model_lost: Fraction
    wounded_only: Fraction
    unit_gone: Fraction
    morale_test: Fraction


def sauce_odds(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> SauceOdds:
    """The chances of one pouring over this unit."""
    losses = scald(unit, options)
    tests = losses.after is not None and options.sauce_morale and bool(must_test(losses.after, losses.models_lost))
    never = Fraction(0)
    return SauceOdds(
        model_lost=SCALD_CHANCE if losses.fallen else never,
        wounded_only=never if losses.fallen else SCALD_CHANCE,
        unit_gone=SCALD_CHANCE if losses.destroyed else never,
        morale_test=SCALD_CHANCE if tests else never,
    )
