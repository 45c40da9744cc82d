"""The siege: the castle and its pieces, who may stand where, when it is taken."""

from __future__ import annotations

import pytest

from refusal import Refusal
from rulebook.battle.castle import (
    GARRISON_BALLISTAE,
    PIECE,
    PIECE_KINDS,
    PIECES,
    RING,
    SIEGE_ENDS,
    SIEGE_RULES,
    TRAIN_CAT_NON,
    Castle,
    Occupant,
    RemainingForce,
    TerrainPiece,
    adjacent_pieces,
    crossings_needed,
    find_setup_problems,
    find_siege_end,
    sides_in_castle,
)
from rulebook.campaign.battle_scoring import Report, SideReport, score_report
from rulebook.data.battlefield import TERRAIN
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIO
from rulebook.muster.roll_muster import muster_army

CASTLE = Castle.start(vats=("battlement_n", "gatehouse"), ballistae=("tower_nw", "tower_se"))
BOWS = Occupant("Thorn bows", "B", "bow_mice")
GUARD = Occupant("Thorn guard", "B", "mice_at_arms")
STORMERS = Occupant("Fen stormers", "A", "mice_at_arms")
RIDERS = Occupant("Fen riders", "A", "rat_riders")
CAT = Occupant("Thorn cat", "B", "battle_cat")


def six(*special: TerrainPiece) -> tuple[TerrainPiece, ...]:
    return (*special, *(TerrainPiece("barrier", 5),) * (6 - len(special)))


def test_defender_places_six_pieces_without_fortresses_and_not_too_near() -> None:
    """SIEGE-01"""
    assert find_setup_problems(six()) == ()
    assert find_setup_problems(six(TerrainPiece("mound", 4))) == ()
    assert find_setup_problems(six()[:5]) == ("The defender places 6 pieces, not 5.",)
    assert find_setup_problems(six(TerrainPiece("fortress", 9))) == (
        "Piece 1 is a fortress. Only the castle may be one.",
    )
    assert find_setup_problems(six(TerrainPiece("mound", 3.5))) == (
        'Piece 1 is 3.5" from the castle. It must be at least 4" away.',
    )
    with pytest.raises(Refusal, match="lava"):
        find_setup_problems(six(TerrainPiece("lava", 5)))


@pytest.mark.parametrize(("pieces", "needed"), [(0, 0), (1, 0), (2, 0), (3, 1), (4, 1), (5, 1), (6, 2)])
def test_every_third_piece_of_a_river_needs_a_crossing(pieces: int, needed: int) -> None:
    """SIEGE-02"""
    assert crossings_needed(pieces) == needed
    dry = six(*[TerrainPiece("impassable", 6, river=True)] * pieces)
    assert bool(find_setup_problems(dry)) is (needed > 0)
    forded = six(
        *[TerrainPiece("bad_goings", 6, river=True, crossing=True)] * needed,
        *[TerrainPiece("impassable", 6, river=True)] * (pieces - needed),
    )
    assert find_setup_problems(forded) == ()


def test_the_defender_deploys_anywhere_and_the_attacker_by_the_edges() -> None:
    """SIEGE-03"""
    castle = CASTLE.with_deployed(BOWS, "battlement_n")
    assert castle.find("Thorn bows") == ("battlement_n", BOWS)
    with pytest.raises(Refusal, match="not in the castle"):
        CASTLE.with_deployed(STORMERS, "battlement_n")


# fmt: off
PRINTED = [
    # kind         number AC    save  hits
    ("tower",      4,     9,    3,    2),
    ("battlement", 3,     9,    3,    2),
    ("gatehouse",  1,     9,    3,    1),
    ("courtyard",  1,     None, None, None),
]
# fmt: on


@pytest.mark.parametrize(("row", "printed"), list(zip(PIECE_KINDS, PRINTED, strict=True)), ids=[p[0] for p in PRINTED])
def test_the_castle_is_four_towers_four_battlements_and_a_courtyard(row: object, printed: tuple[object, ...]) -> None:
    """SIEGE-04, SIEGE-05, R-80: the gatehouse is as hard as the rest and falls to one hit."""
    kind, number = printed[:2]
    assert (row.key, row.number, row.ac, row.save_bonus, row.hits) == printed  # type: ignore[attr-defined]
    assert sum(piece.kind.key == kind for piece in PIECES) == number
    assert row.text  # type: ignore[attr-defined]


def test_the_pieces_lie_in_a_ring_around_the_courtyard() -> None:
    """SIEGE-04: towers at the corners, a battlement between any two."""
    assert len(RING) == 8
    for at, key in enumerate(RING):
        assert (PIECE[key].kind.key == "tower") is (at % 2 == 0)
        left, right, inside = adjacent_pieces(key)
        assert {left, right} == {RING[at - 1], RING[(at + 1) % 8]}
        assert inside == "courtyard"
        assert key in adjacent_pieces(left)
        assert key in adjacent_pieces(right)
    assert adjacent_pieces("courtyard") == RING
    # The drawing of the scenario and the rules of the siege speak of the same nine pieces.
    assert {p.key: p.name for p in SCENARIO["siege"].pieces} == {p.key: p.name for p in PIECES}


def test_a_levelled_piece_is_bad_goings() -> None:
    """SIEGE-07"""
    state = CASTLE["gatehouse"]
    assert (state.terrain, state.levelled) == ("fortress", False)
    fallen = CASTLE.with_piece(type(state)("gatehouse", damage=1))
    assert fallen["gatehouse"].terrain == "bad_goings"
    assert fallen["gatehouse"].levelled
    assert TERRAIN["bad_goings"].hinders
    assert CASTLE["courtyard"].terrain == "clear"
    # Riders may enter rubble, where no wall is left to climb.
    assert fallen.can_stand(RIDERS, "gatehouse", "outside")


def test_a_breach_opens_the_courtyard_to_several_units() -> None:
    """SIEGE-08"""
    with pytest.raises(Refusal, match="walls are still intact"):
        CASTLE.with_entered(STORMERS, "courtyard")
    breached = CASTLE.with_piece(type(CASTLE["tower_ne"])("tower_ne", damage=2))
    assert breached.breached
    inside = (
        breached.with_entered(STORMERS, "courtyard").with_entered(RIDERS, "courtyard").with_deployed(CAT, "courtyard")
    )
    assert [o.name for o in inside["courtyard"].occupants] == ["Fen stormers", "Fen riders", "Thorn cat"]
    # The defender's own units need no breach.
    assert CASTLE.with_entered(GUARD, "courtyard").find("Thorn guard")


def test_unit_on_the_wall_can_step_down_into_the_castle() -> None:
    """SIEGE-08, TERRAIN-16"""
    up = CASTLE.with_entered(STORMERS, "battlement_e")
    down = up.with_entered(STORMERS, "courtyard", coming_from="battlement_e")
    assert down.find("Fen stormers") == ("courtyard", STORMERS)
    assert down["battlement_e"].occupants == ()


def test_a_vacant_piece_can_be_climbed_and_an_occupied_one_cannot() -> None:
    """SIEGE-09, TERRAIN-04"""
    manned = CASTLE.with_deployed(GUARD, "battlement_e")
    assert CASTLE.can_stand(STORMERS, "battlement_e", "outside")
    assert (
        manned.can_stand(STORMERS, "battlement_e", "outside").reason
        == "Thorn guard is already there. Charge it instead."
    )
    assert (
        manned.can_stand(BOWS, "battlement_e").reason == "Thorn guard is already there. A piece has room for one unit."
    )
    with pytest.raises(Refusal, match="does not touch"):
        manned.with_entered(GUARD, "battlement_w", coming_from="battlement_e")


@pytest.mark.parametrize("key", RING)
def test_mounted_units_cannot_climb_walls(key: str) -> None:
    """TERRAIN-14: neither onto a tower nor onto a battlement; into the courtyard they may."""
    for rider in (RIDERS, CAT):
        with pytest.raises(Refusal, match=r"mounted|already"):
            CASTLE.with_entered(rider, key)
        if not CASTLE[key].occupants:
            words = "it is mounted" if rider is CAT else "they are mounted"
            assert words in CASTLE.can_stand(rider, key, "outside").reason
    assert CASTLE.can_stand(CAT, "courtyard")


def test_units_on_neighbouring_pieces_are_in_contact_and_flank() -> None:
    """SIEGE-09, R-24: attacking to the left while flanked from the right."""
    castle = (
        CASTLE.with_deployed(GUARD, "battlement_n")
        .with_deployed(BOWS, "battlement_e")
        .with_entered(STORMERS, "tower_ne")
    )
    assert [o.name for o in castle.enemies_beside("Fen stormers")] == ["Thorn guard", "Thorn bows"]
    assert castle.place_of("Fen stormers", fighting="Thorn guard").flanked == 1
    assert castle.place_of("Thorn guard", fighting="Fen stormers").flanked == 0
    assert castle.place_of("Fen stormers").piece == "tower"
    # A fleeing unit flanks nobody, and a unit across the castle is too far away.
    assert castle.with_fleeing("Thorn bows").place_of("Fen stormers", fighting="Thorn guard").flanked == 0
    # The courtyard is not a piece of terrain: a unit there is in contact only where bases touch.
    below = CASTLE.with_deployed(GUARD, "courtyard").with_entered(STORMERS, "tower_ne")
    assert below.enemies_beside("Thorn guard") == below.enemies_beside("Fen stormers") == ()
    far = CASTLE.with_deployed(BOWS, "battlement_w").with_entered(STORMERS, "tower_ne")
    assert far.enemies_beside("Fen stormers") == ()


def test_the_place_of_a_unit_follows_its_piece() -> None:
    """SIEGE-07, TERRAIN-16"""
    rubble = CASTLE.with_piece(type(CASTLE["tower_ne"])("tower_ne", damage=2)).with_entered(STORMERS, "tower_ne")
    assert (rubble.place_of("Fen stormers").terrain, rubble.place_of("Fen stormers").piece) == ("bad_goings", None)
    court = CASTLE.with_deployed(GUARD, "courtyard").place_of("Thorn guard")
    assert (court.terrain, court.piece) == ("clear", "courtyard")


def test_defender_puts_two_vats_on_battlements() -> None:
    """SIEGE-10: the gatehouse may be one."""
    assert [p.key for p in CASTLE.pieces if p.vat] == ["battlement_n", "gatehouse"]
    towers = ("tower_nw", "tower_ne")
    for vats in (
        ("battlement_n",),
        ("battlement_n", "battlement_n"),
        ("battlement_n", "tower_nw"),
        ("battlement_n", "courtyard"),
    ):
        with pytest.raises(Refusal, match=r"battlement"):
            Castle.start(vats, towers)


def test_two_garrison_ballistae_are_on_towers_and_never_move() -> None:
    """SIEGE-13, R-84"""
    garrison = [o for p in CASTLE.pieces for o in p.occupants]
    assert len(garrison) == GARRISON_BALLISTAE == 2
    assert {o.key for o in garrison} == {"ballista"}
    with pytest.raises(Refusal, match="never leaves its tower"):
        CASTLE.with_entered(garrison[0], "battlement_n", coming_from="tower_nw")
    # A mustered Ballista is free to move.
    mustered = Occupant("Thorn ballista", "B", "ballista")
    moved = CASTLE.with_deployed(mustered, "tower_ne").with_entered(mustered, "battlement_n", coming_from="tower_ne")
    assert moved.find("Thorn ballista") == ("battlement_n", mustered)
    for towers in (("tower_nw",), ("tower_nw", "tower_nw"), ("tower_nw", "gatehouse")):
        with pytest.raises(Refusal, match="tower"):
            Castle.start(("battlement_n", "gatehouse"), towers)


def test_attacker_brings_two_extra_cat_non() -> None:
    """SIEGE-14"""
    army = muster_army(MusterCall(siege="attacker"), [1] * 5)
    assert [unit.unit for unit in army.units].count("cat_non") == TRAIN_CAT_NON == 2
    assert "cat_non" not in [unit.unit for unit in muster_army(MusterCall(siege="defender"), [1] * 5).units]


ENDS = [
    # attackers, defenders, yields, round over, end, winner
    (RemainingForce(5), RemainingForce(5), None, False, "goes_on", None),
    (RemainingForce(5), RemainingForce(5), None, True, "goes_on", None),
    (RemainingForce(5), RemainingForce(0), None, False, "defenders_gone", "A"),
    (RemainingForce(0), RemainingForce(2), None, False, "attackers_gone", "B"),
    (RemainingForce(5), RemainingForce(3, 3), None, False, "goes_on", None),
    (RemainingForce(5), RemainingForce(3, 3), None, True, "defenders_routed", "A"),
    (RemainingForce(5), RemainingForce(3, 2), None, True, "goes_on", None),
    (RemainingForce(4, 4), RemainingForce(3), None, True, "attackers_routed", "B"),
    (RemainingForce(4, 4), RemainingForce(3, 3), None, True, "both_beaten", "draw"),
    (RemainingForce(0), RemainingForce(0), None, True, "both_beaten", "draw"),
    (RemainingForce(5), RemainingForce(5), "B", False, "defenders_yield", "A"),
    (RemainingForce(5), RemainingForce(5), "A", False, "attackers_yield", "B"),
]


@pytest.mark.parametrize(("attackers", "defenders", "yields", "round_over", "end", "winner"), ENDS)
def test_the_castle_is_taken_when_the_defenders_are_gone_routed_or_yield(
    attackers: RemainingForce,
    defenders: RemainingForce,
    yields: str | None,
    round_over: bool,
    end: str,
    winner: str | None,
) -> None:
    """R-79, SIEGE-15, R-59"""
    answer = find_siege_end(attackers, defenders, yields=yields, round_over=round_over)
    assert (answer.key, answer.winning_side) == (end, None if winner == "draw" else winner)
    assert (answer.winner is None) is (winner is None)


@pytest.mark.parametrize(("attackers", "defenders", "yields", "round_over", "end", "winner"), ENDS)
def test_the_score_of_a_siege_names_the_same_winner(
    attackers: RemainingForce,
    defenders: RemainingForce,
    yields: str | None,
    round_over: bool,
    end: str,
    winner: str | None,
) -> None:
    """SIEGE-15, R-85: 1 VP a unit, garrison, train and rebels included, and 2 VP for the win."""
    if winner is None:
        return
    # Nine attackers took the field, five mustered, two Cat-non and two rebels; seven defenders with the garrison.
    a = SideReport(9, removed=9 - attackers.units, fleeing=attackers.fleeing, yielded=yields == "A")
    b = SideReport(7, removed=7 - defenders.units, fleeing=defenders.fleeing, yielded=yields == "B")
    paid = score_report(Report("siege", a, b))
    assert paid.winner == (None if winner == "draw" else winner)
    assert paid.vp("A") == b.removed + 2 * (winner == "A")
    assert paid.vp("B") == a.removed + 2 * (winner == "B")


def test_rout_does_not_end_the_siege_by_house_rule() -> None:
    """R-59 with rout_ends_battle off"""
    assert (
        find_siege_end(
            RemainingForce(5), RemainingForce(3, 3), round_over=True, options=Options(rout_ends_battle=False)
        ).winner
        is None
    )


def test_by_house_rule_sole_possession_takes_the_castle() -> None:
    """R-79 with siege_win sole_occupant, R-67"""
    rules = Options(siege_win="sole_occupant")
    empty = CASTLE.without_unit("Garrison Ballista 1").without_unit("Garrison Ballista 2")
    inside = empty.with_entered(STORMERS, "battlement_e")
    assert (
        find_siege_end(RemainingForce(5), RemainingForce(3), round_over=True, castle=inside, options=rules).key
        == "sole_occupant"
    )
    assert find_siege_end(RemainingForce(5), RemainingForce(3), round_over=True, castle=inside).winner is None
    assert (
        find_siege_end(RemainingForce(5), RemainingForce(3), round_over=False, castle=inside, options=rules).winner
        is None
    )
    contested = inside.with_deployed(GUARD, "courtyard")
    assert (
        find_siege_end(RemainingForce(5), RemainingForce(3), round_over=True, castle=contested, options=rules).winner
        is None
    )
    # A fleeing unit holds nothing, on either side.
    assert find_siege_end(
        RemainingForce(5),
        RemainingForce(3, 1),
        round_over=True,
        castle=contested.with_fleeing("Thorn guard"),
        options=rules,
    ).winner
    assert sides_in_castle(inside.with_fleeing("Fen stormers")) == set()
    assert sides_in_castle(empty) == set()
    with pytest.raises(Refusal, match="there is no castle"):
        find_siege_end(RemainingForce(5), RemainingForce(3), round_over=True, options=rules)


def test_every_siege_rule_and_end_has_its_text() -> None:
    assert all(rule.text.endswith(".") and rule.rules for rule in SIEGE_RULES)
    assert all(end.text.endswith(".") and end.rules for end in SIEGE_ENDS)
    named = {rule for row in SIEGE_RULES for rule in row.rules}
    assert {f"SIEGE-{n:02}" for n in range(1, 16)} <= named


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: CASTLE["moat"], "no castle piece “moat”"),
        (lambda: Occupant("", "A", "hoppers"), "needs a name"),
        (lambda: Occupant("x", "besieger", "hoppers"), "“besieger”"),  # type: ignore[arg-type]
        (lambda: Occupant("x", "A", "dragon"), "no unit “dragon”"),
        (lambda: CASTLE.without_unit("nobody"), "“nobody” is not in the castle"),
        (
            lambda: CASTLE.with_deployed(GUARD, "courtyard").with_deployed(GUARD, "battlement_e"),
            "already in the castle",
        ),
        (lambda: CASTLE.with_entered(GUARD, "courtyard", coming_from="battlement_n"), "is outside the castle"),
        (lambda: find_siege_end(RemainingForce(1), RemainingForce(1), yields="king"), "“king”"),
        (lambda: RemainingForce(2, 3), "number of fleeing units is 3"),
        (lambda: RemainingForce(-1), "-1"),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


@pytest.mark.parametrize(("unit", "why"), [("battle_cat", "it is mounted"), ("rat_riders", "they are mounted")])
def test_mounted_units_are_refused_in_good_english(unit: str, why: str) -> None:
    """TERRAIN-14"""
    rider = Occupant("Riders", "B", unit)
    castle = Castle.start(vats=("battlement_n", "gatehouse"), ballistae=("tower_nw", "tower_se"))
    assert why in castle.can_stand(rider, "battlement_n").reason
