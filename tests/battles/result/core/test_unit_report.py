"""Each scenario's result form against examples worked out by hand from the book's lists (SCEN-01 to SCEN-12, R-53 to R-65)."""

from __future__ import annotations

import pytest

from battles.telling.asks import asks
from battles.telling.fielded import from_army, unmustered
from battles.telling.many import ManyTold
from battles.telling.story import Frame, told_story
from battles.telling.told import Told, report_json
from campaign.annals.war import report_of
from refusal import Refusal
from rulebook.army import Army, mustered
from rulebook.army import Slot as ArmySlot
from rulebook.options import Options
from rulebook.scenarios import SCENARIOS
from rulebook.scoring import score

FIVE = {"A": unmustered("A"), "B": unmustered("B")}  # the King's unit and one of each of four houses
SEVEN = {"A": unmustered("A", siege=True), "B": unmustered("B", siege=True)}


def told(scenario: str, ending: str, **more) -> Told:
    return Told(scenario, ending, SEVEN if scenario == "siege" else FIVE, **more)


# The example, who wins, VP of A and of B. The sums stand beside each.
EXAMPLES = [
    # Two of A and three of B removed, B yields: A 3 kills + 2 win, B 2 kills; the yielded units pay nothing.
    (told("pitched_battle", "yielded-B", removed={"A": ("house-1", "house-2"), "B": ("house-1", "house-2", "king")}), "A", 5, 2),
    # Nobody decides it: one of each removed, no win, no more.
    (told("pitched_battle", "draw", removed={"A": ("house-1",), "B": ("house-2",)}), None, 1, 1),
    # A holds out with one unit left: A 2 kills + 2 win; B 4 kills.
    (told("last_stand", "held_out", removed={"A": ("king", "house-1", "house-2", "house-3"), "B": ("house-1", "house-4")}), "A", 4, 4),
    # A overrun: all five removed: B 5 kills + 2 win, A 1 kill.
    (told("last_stand", "destroyed-A", removed={"B": ("house-1",)}), "B", 1, 7),
    # Crossings 2 to 1: A 1 kill + 2 crossings + 2 win; B 2 kills + 1 crossing.
    (told("secure_the_crossing", "counted", removed={"A": ("house-1", "house-2"), "B": ("house-3",)}, crossings={"A": 2, "B": 1}), "A", 5, 3),
    # One each: a draw; A 1 kill + 1 crossing, B 0 kills + 1 crossing.
    (told("secure_the_crossing", "counted", removed={"B": ("house-3",)}, crossings={"A": 1, "B": 1}), None, 2, 1),
    # Two of A escape, three are removed: A 2; B 3; no line pays the win.
    (told("break_free", "over", escaped=("king", "house-1")), "A", 2, 3),
    # Nobody escapes: B 5 kills, and still no line for the win.
    (told("break_free", "over"), "B", 0, 5),
    # B yields with three of A on the table: they count as escaped: A 1 + 3, B 1 kill.
    (told("break_free", "yielded-B", escaped=("king",), removed={"A": ("house-4",)}), "A", 4, 1),
    # The ring closes: A routed with two removed; B 2 kills + 2 win; A 3 kills; who flees is no kill.
    (told("surrounded", "routed-A", removed={"A": ("house-1", "house-2"), "B": ("house-1", "house-2", "house-3")}), "B", 3, 4),
    # B removes three and holds the fortress: B 3 kills + 3 win (SCEN-06); A 1 kill.
    (told("take_the_fortress", "fortress-B", removed={"A": ("house-1", "house-2", "house-3"), "B": ("house-1",)}), "B", 1, 6),
    # The marchers are gone: B 5 + 2, A 2.
    (told("ambush", "destroyed-A", removed={"B": ("house-1", "house-2")}), "B", 2, 7),
    # A yields after four losses: B 4 + 2, A 1.
    (told("aftermath", "yielded-A", removed={"A": ("king", "house-1", "house-2", "house-3"), "B": ("house-1",)}), "B", 1, 6),
    # Four rounds of mounds, 0-0, 2-1, 2-1, 3-0: A 7, B 2; kills and the win pay nothing.
    (told("hold_the_hills", "destroyed-B", mounds=((0, 0), (2, 1), (2, 1), (3, 0))), "A", 7, 2),
    # All four ablaze: A 4 buildings + 2 win, no kills for A; B 1 kill (SCEN-10).
    (told("chevauchee", "ablaze", removed={"A": ("house-1",), "B": ("house-1", "house-2")}), "A", 6, 1),
    # Two ablaze, the raiders routed with two removed: A 2; B 2 kills + 2 win.
    (told("chevauchee", "routed-A", removed={"A": ("house-1", "house-2")}, ablaze=2), "B", 2, 4),
    # The siege of seven against seven: the defender yields after four losses: A 4 + 2; B 3 kills.
    (told("siege", "yielded-B", removed={"A": ("train-1", "house-1", "house-2"), "B": ("garrison-1", "garrison-2", "house-1", "house-3")}), "A", 6, 3),
    # Beaten off: all seven of A removed: B 7 + 2, A 0.
    (told("siege", "destroyed-A"), "B", 0, 9),
]  # fmt: skip


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example[0].scenario}-{example[0].ending}")
def test_a_report_scores_as_worked_out_by_hand(example):
    what, winner, vp_a, vp_b = example
    found = score(what.report())
    assert (found.winner, found.vp("A"), found.vp("B")) == (winner, vp_a, vp_b), found.reason


def test_every_scenario_has_an_example():
    assert {what.scenario for what, *_ in EXAMPLES} == {row.key for row in SCENARIOS}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example[0].scenario}-{example[0].ending}")
def test_what_the_chronicle_keeps_reads_back_the_same(example):
    what = example[0]
    assert Told.from_json(what.to_json()) == Told.from_json(Told.from_json(what.to_json()).to_json())
    assert report_of(report_json(what.report(), "k1")) == what.report()


@pytest.mark.parametrize("row", SCENARIOS, ids=lambda row: row.key)
def test_the_form_asks_only_for_the_goals_a_scenario_has(row):
    asked = asks(row.key)
    pays = {line.key for line in row.vp}
    assert bool(asked.crossings) == ("crossing" in pays)
    assert bool(asked.mounds) == ("mound" in pays)
    assert bool(asked.buildings) == ("building" in pays)
    assert asked.escapes == ("escape" in pays)
    assert len({one.key for one in asked.endings}) == len(asked.endings)


def test_a_castle_held_alone_ends_a_siege_only_by_the_house_rule():
    """R-81, option siege_win."""
    alone = Options.from_differences({"siege_win": "sole_occupant"})
    assert asks("siege").ending("castle") is None
    assert asks("siege", alone).ending("castle") is not None
    assert score(told("siege", "castle").report(alone), alone).winner == "A"


WRONG = [
    (told("pitched_battle", ""), "Say how it ended."),
    (told("pitched_battle", "ablaze"), "does not end like this"),
    (told("pitched_battle", "draw", removed={"A": ("house-9",)}), "did not take the field"),
    (told("pitched_battle", "draw", removed={"A": ("a", "b", "c", "d", "e", "f")}), "had 5 units, and 6 are said to be removed"),
    (told("pitched_battle", "draw", crossings={"A": 1}), "no crossings in Pitched Battle"),
    (told("pitched_battle", "draw", mounds=((1, 0),)), "no tall mounds"),
    (told("pitched_battle", "draw", ablaze=1), "No buildings burn"),
    (told("pitched_battle", "draw", escaped=("king",)), "No unit escapes"),
    (told("break_free", "over", escaped=("king",), removed={"A": ("king",)}), "not both"),
    (told("hold_the_hills", "destroyed-B", mounds=((2, 2),)), "There are 3 mounds"),
    (told("chevauchee", "routed-A", ablaze=5), "buildings ablaze"),
    (told("pitched_battle", "routed-A", removed={"A": tuple(u.key for u in FIVE["A"])}), "left to flee"),
    (told("take_the_fortress", "fortress-A", removed={"B": ("house-1",)}), "not decided"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "sentence"), WRONG, ids=lambda one: one if isinstance(one, str) else one.scenario)
def test_what_cannot_have_happened_is_refused_with_a_sentence(what, sentence):
    with pytest.raises(Refusal, match=sentence):
        score(what.report())


def test_units_come_from_the_muster_where_there_is_one():
    army = Army((mustered(ArmySlot("king", 1), "king"), mustered(ArmySlot("house", 2), "rat_riders", "wizard")))
    units = from_army(army)
    assert [(unit.key, unit.unit, unit.hero) for unit in units] == [
        ("king", "king", None),
        ("house-2", "rat_riders", "wizard"),
    ]
    assert [unit.key for unit in unmustered("A", silent=(2, 3))] == ["king", "house-1", "house-4"]


def test_more_than_two_armies_are_scored_by_what_each_removed():
    """SCEN-01 with VP-01 and VP-03: three armies; B wins with two removed, A removed one, C none."""
    what = ManyTold(("A", "B", "C"), "B", removed={"A": 1, "B": 2}, lost={"A": 1, "C": 2})
    assert [sum(vp for _, vp in what.points(side)) for side in "ABC"] == [1, 4, 0]
    assert ManyTold.from_json(what.to_json()) == what
    with pytest.raises(Refusal, match="3 units are said to have been removed by somebody, and 1 lost"):
        ManyTold(("A", "B", "C"), "B", removed={"A": 3}, lost={"C": 1})
    with pytest.raises(Refusal, match="yielded, so it cannot have won"):
        ManyTold(("A", "B", "C"), "B", yielded=("B",))


def test_a_story_tells_what_the_report_says():
    what = EXAMPLES[0][0]
    frame = Frame(
        {"A": "Oakhold", "B": "Fenwick"},
        "pitched_battle",
        "2026-05-03",
        "A",
        "Reedmarch",
        True,
        houses={"A": {1: "House Acorn"}},
    )
    words = " ".join(sentence for paragraph in told_story(frame, what, score(what.report())) for sentence in paragraph)
    assert "On 3 May 2026 Oakhold marched on Reedmarch, and Fenwick came to hold it." in words
    assert "Fenwick yielded. Oakhold won the day. Reedmarch has a new master." in words
    assert "Oakhold lost two of five units: the unit of House Acorn and the unit of House 2." in words
    assert "Fenwick lost three of five units: the King's unit" in words
