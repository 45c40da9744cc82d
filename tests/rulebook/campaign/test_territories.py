"""The campaign map: territories, their neighbours and holders, and when the campaign is won."""

from __future__ import annotations

import pickle

import pytest

from refusal import Refusal
from rulebook.campaign.campaign_map import TERRITORY_KINDS, CampaignMap, are_adjacent, find_victory, parse_territory
from rulebook.data.house_rules import Options
from tests.rulebook.sample_maps import THREE, TWO


def test_a_kingdom_has_a_castle_lands_and_two_borderlands() -> None:
    """CAMP-01"""
    assert [place.key for place in TERRITORY_KINDS] == ["castle", "lands", "border_1", "border_2"]
    assert all(place.text and place.rules for place in TERRITORY_KINDS)
    assert TWO.holdings("oak") == ("oak.castle", "oak.lands", "oak.border_1", "oak.border_2")
    assert TWO.map_of("fen") == dict.fromkeys(["castle", "lands", "border_1", "border_2"], "fen")


TOUCHING = [
    ("oak.castle", "oak.lands", True),
    ("oak.castle", "oak.border_1", False),
    ("oak.castle", "oak.border_2", False),
    ("oak.lands", "oak.border_1", True),
    ("oak.lands", "oak.border_2", True),
    ("oak.border_1", "oak.border_2", True),
    ("oak.border_1", "fen.border_1", True),
    ("oak.border_1", "fen.border_2", True),
    ("oak.border_2", "moor.border_1", True),
    ("oak.lands", "fen.border_1", False),
    ("oak.lands", "fen.lands", False),
    ("oak.castle", "fen.castle", False),
    ("oak.castle", "fen.lands", False),
    ("oak.lands", "oak.lands", False),
]


@pytest.mark.parametrize(("one", "other", "touch"), TOUCHING)
def test_neighbours_of_each_territory(one: str, other: str, touch: bool) -> None:
    """R-69, MAP-06"""
    assert are_adjacent(one, other) is touch
    assert are_adjacent(other, one) is touch


def test_a_borderland_touches_every_other_borderland_and_its_lands() -> None:
    """MAP-06: also with more than two players."""
    assert set(THREE.neighbours("fen.border_2")) == {
        "fen.lands",
        "fen.border_1",
        "oak.border_1",
        "oak.border_2",
        "moor.border_1",
        "moor.border_2",
    }
    assert THREE.neighbours("fen.castle") == ("fen.lands",)
    assert len(CampaignMap.start(f"k{i}" for i in range(100)).neighbours("k7.border_1")) == 200


def test_the_map_records_who_holds_each_taken_territory() -> None:
    """MAP-10"""
    campaign_map = THREE.with_holder("fen.border_1", "oak").with_holder("fen.border_2", "moor")
    assert campaign_map.taken() == {"fen.border_1": "oak", "fen.border_2": "moor"}
    assert campaign_map.losses("fen") == campaign_map.taken()
    assert campaign_map.gains("oak") == ("fen.border_1",)
    assert campaign_map.holder("fen.border_2") == "moor"
    assert campaign_map.map_of("fen") == {"castle": "fen", "lands": "fen", "border_1": "oak", "border_2": "moor"}


def test_territory_has_fallen_when_its_own_kingdom_does_not_hold_it() -> None:
    """R-75"""
    campaign_map = THREE.with_holder("fen.border_1", "oak")
    assert campaign_map.is_fallen("fen.border_1")
    assert not campaign_map.is_fallen("fen.border_2")
    assert not campaign_map.is_fallen("oak.border_1")
    assert not campaign_map.with_holder("fen.border_1", "fen").is_fallen("fen.border_1")


def test_a_king_without_a_castle_is_out() -> None:
    """R-72"""
    campaign_map = THREE.with_holder("fen.castle", "moor")
    assert campaign_map.is_out("fen")
    assert campaign_map.out == ("fen",)
    assert campaign_map.living == ("oak", "moor")
    assert campaign_map.castles("moor") == 2


def test_with_two_players_taking_the_enemy_castle_wins() -> None:
    """CAMP-02: whatever number of kingdoms the house rules ask for."""
    assert find_victory(TWO) is None
    nearly = TWO.with_holder("fen.border_1", "oak").with_holder("fen.border_2", "oak").with_holder("fen.lands", "oak")
    assert find_victory(nearly) is None
    for options in (Options(), Options(kingdoms_to_hold=5)):
        won = find_victory(nearly.with_holder("fen.castle", "oak"), options)
        assert won is not None
        assert (won.kingdom, won.rules) == ("oak", ("CAMP-02",))


def test_with_more_players_the_first_to_hold_two_kingdoms_wins() -> None:
    """CAMP-03, R-71: his own and one taken, so the first siege that succeeds wins."""
    won = find_victory(THREE.with_holder("fen.castle", "moor"))
    assert won is not None
    assert (won.kingdom, won.castles, won.rules) == ("moor", 2, ("CAMP-03", "R-71"))


def test_house_rule_can_require_more_kingdoms() -> None:
    """R-71 with kingdoms_to_hold 3"""
    four = CampaignMap.start(["oak", "fen", "moor", "ash"])
    two_held = four.with_holder("fen.castle", "moor")
    assert find_victory(two_held, Options(kingdoms_to_hold=3)) is None
    won = find_victory(two_held.with_holder("ash.castle", "moor"), Options(kingdoms_to_hold=3))
    assert won is not None
    assert won.castles == 3
    # Nobody can hold more kingdoms than there are: the last King standing has won.
    last = THREE.with_holder("fen.castle", "oak").with_holder("moor.castle", "oak")
    won = find_victory(last, Options(kingdoms_to_hold=50))
    assert won is not None
    assert (won.kingdom, won.text) == ("oak", "No other King is left.")


def test_map_survives_pickling_and_names_what_was_taken() -> None:
    campaign_map = THREE.with_holder("fen.border_1", "oak").with_holder("fen.castle", "oak")
    assert campaign_map.taken() == {"fen.castle": "oak", "fen.border_1": "oak"}
    assert pickle.loads(pickle.dumps(campaign_map)) == campaign_map
    assert campaign_map.with_holder("fen.border_1", "fen").with_holder("fen.castle", "fen") == THREE


def test_kingdoms_join_one_by_one() -> None:
    campaign_map = CampaignMap()
    for name in ("oak", "fen", "moor"):
        campaign_map = campaign_map.with_kingdom(name)
    assert campaign_map == THREE
    assert find_victory(CampaignMap().with_kingdom("oak")) is None


def test_map_edited_by_hand_lists_what_no_battle_leads_to() -> None:
    assert THREE.problems() == ()
    assert THREE.with_holder("fen.lands", "oak").problems() == ("The lands of fen fell before both borderlands.",)
    assert THREE.with_holder("fen.castle", "oak").problems() == (
        "The castle of fen fell before its lands.",
        "fen is out but still holds fen.lands.",
        "fen is out but still holds fen.border_1.",
        "fen is out but still holds fen.border_2.",
    )


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: CampaignMap.start(["oak"]), "2 to 100 kingdoms, not 1"),
        (lambda: CampaignMap.start(f"k{i}" for i in range(101)), "2 to 100 kingdoms, not 101"),
        (lambda: CampaignMap.start(["oak", "oak"]), "the same name: oak"),
        (lambda: CampaignMap.start(["oak", " "]), "“ ” is not a valid kingdom name"),
        (lambda: CampaignMap(("oak", "fen"), (("oak",) * 4, ("ash",) * 4)), "is on this map"),
        (lambda: CampaignMap(("oak", "fen"), (("oak",) * 4,)), "needs a holder"),
        (lambda: TWO.with_kingdom("oak"), "the same name: oak"),
        (lambda: TWO.with_holder("oak.moat", "fen"), "“oak.moat” is not a territory"),
        (lambda: TWO.with_holder("ash.lands", "fen"), "no kingdom “ash”. Choose one of oak and fen"),
        (lambda: TWO.with_holder("oak.lands", "ash"), "no kingdom “ash”"),
        (lambda: TWO.castles("ash"), "no kingdom “ash”"),
        (lambda: parse_territory("castle"), "kingdom.place"),
        (lambda: parse_territory(7), "7 is not a territory"),  # type: ignore[arg-type]
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


def test_kingdom_name_can_contain_a_dot() -> None:
    campaign_map = CampaignMap.start(["st. oak", "fen"])
    assert campaign_map.with_holder("st. oak.lands", "fen").holder("st. oak.lands") == "fen"
