"""Cat-non against walls: two dice against AC 9, a save of +3, rubble, and the odds of it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from refusal import Refusal
from rulebook.battle.assault import Bombardment, bombard, bombardment_tally, can_bombard
from rulebook.battle.castle import Castle, Occupant, PieceState
from rulebook.battle.dice import run_script
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.data.house_rules import Options
from rulebook.odds.rolls import levelling_odds, through_chance
from tests.rulebook.all_dice_outcomes import resume_script

CASTLE = Castle.start(vats=("battlement_n", "gatehouse"), ballistae=("tower_nw", "tower_se"))
GUN = new_unit("cat_non")
GUARD = Occupant("Thorn guard", "B", "mice_at_arms")
STORMERS = Occupant("Fen stormers", "A", "mice_at_arms")


def shot(piece: str = "battlement_e", inches: float = 8, **more: object) -> Bombardment:
    return Bombardment(GUN, piece, inches, **more)  # type: ignore[arg-type]


SHOTS = [
    # piece, dice, saves, hits saved damage levelled
    ("battlement_e", (6, 6), (5, 5), 2, 0, 2, True),
    ("battlement_e", (6, 5), (5,), 1, 0, 1, False),
    ("battlement_e", (5, 5), (), 0, 0, 0, False),
    ("battlement_e", (6, 6), (6, 5), 2, 1, 1, False),
    ("battlement_e", (10, 1), (1,), 1, 0, 1, False),  # a natural 10 hits, a natural 1 never does
    ("tower_ne", (9, 9), (10, 1), 2, 1, 1, False),
    ("tower_ne", (9, 9), (2, 1), 2, 0, 2, True),
    ("gatehouse", (6, 2), (5,), 1, 0, 1, True),
    ("gatehouse", (6, 7), (5, 4), 2, 0, 1, True),  # the second hit finds nothing left
]


@pytest.mark.parametrize(("piece", "dice", "saves", "hits", "saved", "damage", "levelled"), SHOTS)
def test_a_wall_is_hit_on_ac_9_saves_at_3_and_falls_to_two_hits(
    piece: str, dice: tuple[int, ...], saves: tuple[int, ...], hits: int, saved: int, damage: int, levelled: bool
) -> None:
    """SIEGE-05, R-80, R-81, R-21"""
    done = run_script(bombard(CASTLE, shot(piece)), [*dice, *saves])
    assert (done.hits, done.saved, done.damage, done.levelled) == (hits, saved, damage, levelled)
    assert done.surplus == hits - saved - damage
    assert done.castle[piece].levelled is levelled
    assert done.castle[piece].damage == damage


def test_damage_adds_up_from_shot_to_shot() -> None:
    """SIEGE-05: and a third hit has nothing to fall on."""
    once = run_script(bombard(CASTLE, shot()), [6, 1, 1]).castle
    assert once["battlement_e"].hits_left == 1
    twice = run_script(bombard(once, shot()), [6, 6, 1, 1])
    assert (twice.damage, twice.surplus, twice.levelled) == (1, 1, True)
    with pytest.raises(Refusal, match="is already rubble"):
        run_script(bombard(twice.castle, shot()), [6, 6, 1, 1])


@pytest.mark.parametrize(
    ("situation", "needed"),
    [
        (shot(inches=8), 6),
        (shot(inches=8.1), 7),
        (shot(inches=20), 7),
        (shot(inches=20, event="favourable_wind"), 6),
        (shot(event="windy"), 7),
        (shot(event="storm", inches=20), 7),
        (shot(at=Place("bad_goings")), 7),
        (shot(at=Place("mound")), 6),
    ],
)
def test_long_range_counts_against_a_wall_the_fortress_and_aiming_do_not(situation: Bombardment, needed: int) -> None:
    """R-81, R-27"""
    assert bombardment_tally(situation).needed == needed
    assert not any(entry.modifier.kind == "A" for entry in bombardment_tally(situation).applied)


def test_by_house_rule_machines_aim_at_walls_too() -> None:
    """R-27 with machines_aim on"""
    assert bombardment_tally(shot(), Options(machines_aim=True)).needed == 5


def test_units_in_a_levelled_piece_die_and_the_other_side_scores() -> None:
    """SIEGE-06, R-86"""
    manned = CASTLE.with_deployed(GUARD, "gatehouse")
    done = run_script(bombard(manned, shot("gatehouse")), [9, 1, 3])
    assert done.killed == (GUARD,)
    assert done.vp == {"A": 1}
    assert done.castle.find("Thorn guard") is None
    assert not done.castle["gatehouse"].vat
    # The attacker's own unit in the piece is buried as well.
    climbed = CASTLE.with_entered(STORMERS, "gatehouse")
    own = run_script(bombard(climbed, shot("gatehouse")), [9, 1, 3])
    assert own.killed == (STORMERS,)
    assert own.vp == {"B": 1}


def test_a_garrison_ballista_falls_with_its_tower() -> None:
    """R-85, R-86: garrison units count as units for VP."""
    done = run_script(bombard(CASTLE, shot("tower_nw")), [9, 9, 1, 1])
    assert [o.name for o in done.killed] == ["Garrison Ballista 1"]
    assert done.vp == {"A": 1}


def test_piece_that_is_not_levelled_buries_nobody() -> None:
    """SIEGE-06"""
    manned = CASTLE.with_deployed(GUARD, "battlement_e")
    done = run_script(bombard(manned, shot()), [9, 1, 3])
    assert (done.killed, done.vp) == ((), {})
    assert done.castle.find("Thorn guard") == ("battlement_e", GUARD)


def test_a_phone_is_asked_for_two_dice_then_for_the_saves() -> None:
    ask = resume_script(bombard(CASTLE, shot()), [])
    assert (ask.what, ask.count) == ("hit", 2)  # type: ignore[union-attr]
    ask = resume_script(bombard(CASTLE, shot()), [9, 9])
    assert (ask.what, ask.count) == ("save", 2)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("situation", "says"),
    [
        (Bombardment(new_unit("ballista"), "gatehouse", 5), "Only a Cat-non can"),
        (shot("courtyard"), "courtyard is open ground"),
        (shot(moved=True), "moves or shoots"),
        (shot(engaged=True), "in melee"),
        (shot(between=("unit",)), "blocks the line of sight"),
        (shot(between=("obstacle",)), "blocks the line of sight"),
        (Bombardment(UnitInPlay("cat_non", 1), "gatehouse", 5), "needs 2 crew to shoot and has 1"),
        (Bombardment(UnitInPlay("cat_non", 3, fleeing=True), "gatehouse", 5), "fleeing"),
    ],
)
def test_a_shot_that_is_not_allowed_is_refused(situation: Bombardment, says: str) -> None:
    """R-81, UNIT-24, UNIT-25, UNIT-26"""
    assert not can_bombard(CASTLE, situation)
    with pytest.raises(Refusal, match=says):
        run_script(bombard(CASTLE, situation), [9, 9, 1, 1])


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: shot("moat"), "no castle piece “moat”"),
        (lambda: shot(inches=-1), "-1"),
        (lambda: shot(event="plague"), "no event “plague”"),
        (lambda: run_script(bombard(CASTLE, shot()), [11, 1]), "11"),
        (lambda: levelling_odds(shot("courtyard"), 3), "“courtyard”"),
        (lambda: levelling_odds(shot(), 0), "0"),
        (lambda: levelling_odds(shot(), 3, damage=2), "damage so far is 2"),
        (lambda: levelling_odds(shot("gatehouse"), 3, damage=1), "damage so far is 1"),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


# --- odds against every possible roll ---------------------------------------------------------------------------


def damages_of_one_shot(castle: Castle, situation: Bombardment) -> dict[int, Fraction]:
    """Play out every pair of hit dice and every pair of saves."""
    seen: Counter[int] = Counter()
    for dice in product(range(1, 11), repeat=4):
        seen[run_script(bombard(castle, situation), dice).damage] += 1
    return {damage: Fraction(ways, 10**4) for damage, ways in seen.items()}


@pytest.mark.parametrize("inches", [8, 9])
@pytest.mark.parametrize("piece", ["battlement_e", "gatehouse"])
def test_odds_of_levelling_match_every_possible_roll(piece: str, inches: float) -> None:
    """SIEGE-05: one shot by enumeration, the next ones from state to state."""
    situation = shot(piece, inches)
    hits = 2 if piece == "battlement_e" else 1
    step = {
        done: damages_of_one_shot(CASTLE.with_piece(PieceState(piece, damage=done)), situation) for done in range(hits)
    }
    state = {0: Fraction(1)}
    for chance in levelling_odds(situation, 4):
        after: dict[int, Fraction] = {hits: state.get(hits, Fraction(0))}
        for done, weight in state.items():
            for damage, p in step.get(done, {}).items():
                after[done + damage] = after.get(done + damage, Fraction(0)) + weight * p
        state = after
        assert sum(state.values()) == 1
        assert state[hits] == chance
    assert levelling_odds(situation, 1, damage=hits - 1)[0] == sum(p for d, p in step[hits - 1].items() if d >= 1)


def test_odds_match_a_calculation_by_hand() -> None:
    """SIEGE-05: a die hits on 6, the wall fails on 5 or less, so one die in four does damage."""
    assert through_chance(shot()) == Fraction(1, 4)
    assert through_chance(shot(inches=12)) == Fraction(1, 5)
    assert levelling_odds(shot("gatehouse"), 1) == (Fraction(7, 16),)
    assert levelling_odds(shot("tower_ne"), 2) == (Fraction(1, 16), 1 - Fraction(81 + 108, 256))


def test_more_shots_never_hurt() -> None:
    odds = levelling_odds(shot(), 20)
    assert list(odds) == sorted(odds)
    assert odds[-1] < 1


def test_the_answer_claims_no_sight_that_nobody_asked_about() -> None:
    """R-81, SHOOT-04"""
    assert can_bombard(CASTLE, shot(between=("barrier",))).reason == "The gun can shoot at any wall it sees."
