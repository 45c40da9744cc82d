"""Scenarios: ten and the siege, with the ground they are fought on."""

from __future__ import annotations

from itertools import combinations
from math import dist, hypot

import pytest

from refusal import Refusal
from rulebook.battle.morale import flight_direction
from rulebook.campaign.roll_off import RollOff
from rulebook.data.battlefield import TERRAIN
from rulebook.data.scenarios import (
    CENTRE,
    SCENARIO,
    SCENARIO_RULES,
    SCENARIOS,
    TABLE,
    Scenario,
    Shape,
    aftermath_spot,
    allows_many_armies,
    is_siege,
    scenario_for_roll,
    scenario_of,
)

RULE = {rule.key: rule for rule in SCENARIO_RULES}

# fmt: off
PRINTED = [
    # roll key                   equal  rounds first  A: VP lines                             B: VP lines
    (1,    "pitched_battle",     True,  None, None, {"kill": 1, "win": 2},                 {"kill": 1, "win": 2}),
    (2,    "last_stand",         False, 6,    None, {"kill": 1, "win": 2},                 {"kill": 1, "win": 2}),
    (3,    "secure_the_crossing", True, 6,    None, {"kill": 1, "crossing": 1, "win": 2},
     {"kill": 1, "crossing": 1, "win": 2}),
    (4,    "break_free",         False, None, None, {"escape": 1},                         {"kill": 1}),
    (5,    "surrounded",         False, None, None, {"kill": 1, "win": 2},                 {"kill": 1, "win": 2}),
    (6,    "take_the_fortress",  True,  None, None, {"kill": 1, "win": 3},                 {"kill": 1, "win": 3}),
    (7,    "ambush",             False, None, "B",  {"kill": 1, "win": 2},                 {"kill": 1, "win": 2}),
    (8,    "aftermath",          True,  None, None, {"kill": 1, "win": 2},                 {"kill": 1, "win": 2}),
    (9,    "hold_the_hills",     True,  None, None, {"mound": 1},                          {"mound": 1}),
    (10,   "chevauchee",         False, None, None, {"building": 1, "win": 2},             {"kill": 1, "win": 2}),
    (None, "siege",              False, None, None, {"kill": 1, "win": 2},                 {"kill": 1, "win": 2}),
]
# fmt: on


@pytest.mark.parametrize(("roll", "key", "equal", "rounds", "first", "a", "b"), PRINTED)
def test_each_scenario_has_its_length_sides_and_vp_lines(roll, key, equal, rounds, first, a, b) -> None:
    """SCEN-12, VP-02"""
    scenario = SCENARIO[key]
    assert (scenario.roll, scenario.equal, scenario.rounds, scenario.first_turn) == (roll, equal, rounds, first)
    for side, lines in (("A", a), ("B", b)):
        paid = {line.key: line.vp for line in scenario.vp if line.side in (side, "both")}
        assert paid == lines
        assert all(scenario.pays(line, side) == vp for line, vp in lines.items())


def test_scenarios_are_in_the_order_of_the_table() -> None:
    """CAMP-07"""
    assert [scenario.key for scenario in SCENARIOS] == [row[1] for row in PRINTED]
    assert [scenario_for_roll(face).key for face in range(1, 11)] == [row[1] for row in PRINTED[:10]]
    assert "one of the ten by d10 or choice" in RULE["which"].text


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
def test_whatever_pays_beside_kills_and_the_win_is_counted(scenario) -> None:
    """VP-02"""
    assert {track.key for track in scenario.tracks if track.key} == {line.key for line in scenario.vp} - {"kill", "win"}
    for track in scenario.tracks:
        assert track.most in (0, len(scenario.objectives))
        if track.key:
            assert {line.side for line in scenario.vp if line.key == track.key} == {track.side}


def test_only_one_scenario_is_the_siege_and_one_takes_many_armies() -> None:
    """SIEGE-01, SCEN-01"""
    assert [scenario.key for scenario in SCENARIOS if scenario.is_siege] == ["siege"]
    assert [scenario.key for scenario in SCENARIOS if scenario.many_armies] == ["pitched_battle"]
    assert (is_siege("siege"), is_siege("ambush"), is_siege(""), is_siege(None)) == (True, False, False, False)
    assert (allows_many_armies("pitched_battle"), allows_many_armies("")) == (True, False)


# fmt: off
PLACED = [
    # key                  by      number allowed                                forbidden
    ("pitched_battle",     "both", 4, (),                                        ()),
    ("last_stand",         "B",    4, (),                                        ("fortress",)),
    ("secure_the_crossing", "both", 3, (),                                       ()),
    ("break_free",         "B",    6, (),                                        ("fortress",)),
    ("surrounded",         "both", 4, (),                                        ()),
    ("take_the_fortress",  "both", 4, (),                                        ("fortress",)),
    ("ambush",             "B",    6, ("tall_patch", "mound", "obstacle"),       ()),
    ("aftermath",          "both", 4, (),                                        ()),
    ("hold_the_hills",     "both", 4, ("mound", "tall_patch", "bad_goings"),     ()),
    ("chevauchee",         "both", 4, (),                                        ("building", "fortress")),
    ("siege",              "B",    6, (),                                        ("fortress",)),
]
# fmt: on


@pytest.mark.parametrize(("key", "by", "number", "allowed", "forbidden"), PLACED)
def test_each_scenario_says_who_places_how_much_of_what(key, by, number, allowed, forbidden) -> None:
    placement = SCENARIO[key].placements[0]
    assert (placement.by, placement.number, placement.allowed, placement.forbidden) == (by, number, allowed, forbidden)


def test_in_a_pitched_battle_more_armies_choose_their_edge_in_order_of_the_dice() -> None:
    """SCEN-01, SCEN-11"""
    rolling = RollOff.start(("oak", "fen", "moor"), whole_order=True)
    assert rolling.with_rolls({"oak": 3, "fen": 9, "moor": 5}).order == ("fen", "moor", "oak")
    assert rolling.with_rolls({"oak": 7, "fen": 7, "moor": 5}).waiting == ("oak", "fen")


def test_a_last_stand_is_a_homestead_in_a_ring_of_six_barriers() -> None:
    """SCEN-02"""
    pieces = SCENARIO["last_stand"].pieces
    assert [piece.terrain for piece in pieces] == ["building"] + ["barrier"] * 6
    for barrier in pieces[1:]:
        assert dist((barrier.shape.x, barrier.shape.y), (CENTRE, CENTRE)) == pytest.approx(4, abs=0.01)
    assert SCENARIO["last_stand"].zone("A").flees == "nearest edge"
    assert SCENARIO["last_stand"].zone("B").shape.kind == "frame"


def test_a_bridge_and_two_fords_cross_the_stream() -> None:
    """SCEN-03, TERRAIN-15"""
    crossings = SCENARIO["secure_the_crossing"].objectives
    assert [(piece.terrain, piece.shape.x, piece.shape.y) for piece in crossings] == [
        ("bad_goings", 4, 12),
        ("clear", 12, 12),
        ("bad_goings", 20, 12),
    ]


def test_side_that_breaks_free_flees_to_the_far_edge() -> None:
    """SCEN-04, FLEE-08"""
    free = SCENARIO["break_free"]
    assert free.zone("A").flees == "far edge"
    assert free.zone("B").shape == Shape("rect", 0, 16, 24, 8)


def test_surrounded_side_starts_within_four_inches_of_the_centre() -> None:
    """SCEN-05"""
    assert SCENARIO["surrounded"].zone("A").shape == Shape("circle", 12, 12, radius=4)


def test_the_fortress_stands_in_the_centre() -> None:
    """SCEN-06"""
    (fortress,) = SCENARIO["take_the_fortress"].pieces
    assert (fortress.terrain, fortress.shape.x, fortress.shape.y, fortress.objective) == ("fortress", 12, 12, True)


def test_the_ambushers_hide_on_both_slopes_and_begin() -> None:
    """SCEN-07"""
    ambush = SCENARIO["ambush"]
    assert ambush.first_turn == "B"
    assert ambush.placements[0].areas == (Shape("rect", 0, 0, 8, 24), Shape("rect", 16, 0, 8, 24))
    assert ambush.pieces[0].shape == ambush.zone("A").shape == Shape("rect", 10.5, 0, 3, 24)


@pytest.mark.parametrize(
    ("side", "up", "right", "spot"),
    [
        ("A", (1, 1), (1, 1), (3, 3)),
        ("A", (10, 10), (10, 10), (21, 21)),
        ("A", (2, 3), (9, 8), (18, 6)),
        ("B", (1, 1), (1, 1), (21, 21)),
        ("B", (2, 3), (9, 8), (6, 18)),
    ],
)
def test_the_aftermath_scatters_units_three_to_twenty_one_inches_up_and_across(side, up, right, spot) -> None:
    """SCEN-08"""
    result = aftermath_spot(side, up, right)
    assert (result.x, result.y) == spot


def test_aftermath_units_start_at_least_four_inches_from_enemies() -> None:
    """SCEN-08"""
    spot = aftermath_spot("A", (2, 3), (2, 3), enemies=[(6, 9), (6, 10), (20, 20)])
    assert spot.too_close == ((6, 9),)
    assert (spot.x, spot.y, spot.stands) == (6, 6, (6, 5))
    assert (
        spot.text == '6" up and 6" to the right. But an enemy is closer than 4": '
        'the nearest free spot is 5" up and 6" to the right.'
    )
    assert '3½" up' in aftermath_spot("A", (2, 3), (2, 3), enemies=[(5, 7)]).text
    beside = aftermath_spot("B", (2, 3), (2, 3), enemies=[(3, 3)], friends=[(18, 18)])
    assert not beside.too_close
    assert hypot(beside.stands[0] - 18, beside.stands[1] - 18) == 2
    assert "a friend is in the way" in beside.text
    assert not aftermath_spot("A", (2, 3), (2, 3), enemies=[(6, 10)], friends=[(6, 8)]).moved
    with pytest.raises(Refusal, match="to go up, not 1"):
        aftermath_spot("A", (2,), (2, 3))
    with pytest.raises(Refusal, match="die going right is 0"):
        aftermath_spot("A", (2, 2), (2, 0))
    with pytest.raises(Refusal, match="There is no side C"):
        aftermath_spot("C", (2, 2), (2, 2))  # type: ignore[arg-type]


def test_three_tall_mounds_stand_eight_inches_apart() -> None:
    """SCEN-09"""
    mounds = SCENARIO["hold_the_hills"].objectives
    assert [(piece.terrain, piece.shape.x, piece.shape.y) for piece in mounds] == [
        ("mound", 4, 12),
        ("mound", 12, 12),
        ("mound", 20, 12),
    ]


def test_four_buildings_stand_in_a_circle_of_eight_inches() -> None:
    """SCEN-10"""
    buildings = SCENARIO["chevauchee"].objectives
    assert len(buildings) == 4
    for building in buildings:
        assert building.terrain == "building"
        assert dist((building.shape.x, building.shape.y), (CENTRE, CENTRE)) == pytest.approx(8, abs=0.01)
    assert len(SCENARIO["chevauchee"].roll_offs) == 2


def test_every_roll_off_is_a_d10_and_the_higher_chooses() -> None:
    """SCEN-11"""
    assert "rolls a d10. The higher chooses" in RULE["roll_offs"].text
    for scenario in SCENARIOS:
        assert all("the winner chooses" in text for text in scenario.roll_offs)
        assert scenario.roll_offs or scenario.key == "siege"


def test_the_castle_is_nine_squares_with_a_courtyard_in_the_middle() -> None:
    """SIEGE-01, SIEGE-04"""
    castle = {piece.key: piece.shape for piece in SCENARIO["siege"].pieces}
    assert castle["courtyard"] == Shape("rect", 10.5, 10.5, 3, 3)
    assert (
        sorted(key.split("_")[0] for key in castle) == ["battlement"] * 3 + ["courtyard", "gatehouse"] + ["tower"] * 4
    )
    assert castle["gatehouse"] == Shape("rect", 10.5, 7.5, 3, 3)
    assert len({(shape.x, shape.y) for shape in castle.values()}) == 9
    assert SCENARIO["siege"].zone("A").shape == Shape("frame", width=4)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
def test_everything_a_scenario_places_is_on_the_table_and_of_a_known_kind(scenario: Scenario) -> None:
    assert scenario.text
    assert scenario.setup
    assert [zone.side for zone in scenario.zones] == ["A", "B"]
    assert [side.key for side in scenario.sides] == ["A", "B"]
    for piece in scenario.pieces:
        assert piece.terrain in TERRAIN
    for placement in scenario.placements:
        assert set(placement.allowed) | set(placement.forbidden) <= set(TERRAIN)
    shapes = [piece.shape for piece in scenario.pieces] + [zone.shape for zone in scenario.zones]
    for shape in shapes:
        reach = shape.radius
        assert shape.x - reach >= 0
        assert shape.y - reach >= 0
        assert shape.x + max(shape.width, reach) <= TABLE
        assert shape.y + max(shape.height, reach) <= TABLE
    keys = [piece.key for piece in scenario.pieces]
    assert len(set(keys)) == len(keys)


def test_round_pieces_do_not_overlap() -> None:
    for scenario in SCENARIOS:
        rounds = [p for p in scenario.pieces if p.shape.kind == "circle"]
        for one, other in combinations(rounds, 2):
            apart = dist((one.shape.x, one.shape.y), (other.shape.x, other.shape.y))
            assert apart >= one.shape.radius + other.shape.radius


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(Refusal, match="There is no scenario “tea_party”"):
        scenario_of("tea_party")
    with pytest.raises(Refusal, match="The scenario roll is 11"):
        scenario_for_roll(11)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.key)
def test_a_side_flees_where_its_deployment_zone_says(scenario: Scenario) -> None:
    """R-50, FLEE-08"""
    for zone in scenario.zones:
        assert flight_direction(scenario.key, zone.side).key == zone.flees.replace(" ", "_")
