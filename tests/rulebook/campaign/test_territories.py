"""The campaign map: territories, what touches what, who holds what, when the campaign is won."""

from __future__ import annotations

import pickle

import pytest

from refusal import Refusal
from rulebook.kingdoms import PLACES, Realm, adjacent, territory, victory
from rulebook.options import Options
from tests.rulebook.maps import THREE, TWO


def test_a_kingdom_has_a_castle_lands_and_two_borderlands() -> None:
    """CAMP-01"""
    assert [place.key for place in PLACES] == ["castle", "lands", "border_1", "border_2"]
    assert all(place.text and place.rules for place in PLACES)
    assert TWO.holdings("oak") == ("oak.castle", "oak.lands", "oak.border_1", "oak.border_2")
    assert TWO.map_of("fen") == dict.fromkeys(["castle", "lands", "border_1", "border_2"], "fen")


# fmt: off
TOUCHING = [
    ("oak.castle",   "oak.lands",    True),
    ("oak.castle",   "oak.border_1", False),
    ("oak.castle",   "oak.border_2", False),
    ("oak.lands",    "oak.border_1", True),
    ("oak.lands",    "oak.border_2", True),
    ("oak.border_1", "oak.border_2", True),
    ("oak.border_1", "fen.border_1", True),
    ("oak.border_1", "fen.border_2", True),
    ("oak.border_2", "moor.border_1", True),
    ("oak.lands",    "fen.border_1", False),
    ("oak.lands",    "fen.lands",    False),
    ("oak.castle",   "fen.castle",   False),
    ("oak.castle",   "fen.lands",    False),
    ("oak.lands",    "oak.lands",    False),
]
# fmt: on


@pytest.mark.parametrize(("one", "other", "touch"), TOUCHING)
def test_what_touches_what(one: str, other: str, touch: bool) -> None:
    """R-69, MAP-06"""
    assert adjacent(one, other) is touch
    assert adjacent(other, one) is touch


def test_a_borderland_touches_every_other_borderland_and_its_lands() -> None:
    """MAP-06: also with more than two players."""
    assert set(THREE.neighbours("fen.border_2")) == {
        "fen.lands", "fen.border_1", "oak.border_1", "oak.border_2", "moor.border_1", "moor.border_2",
    }  # fmt: skip
    assert THREE.neighbours("fen.castle") == ("fen.lands",)
    assert len(Realm.start(f"k{i}" for i in range(100)).neighbours("k7.border_1")) == 200


def test_the_map_records_who_holds_each_taken_territory() -> None:
    """MAP-10"""
    realm = THREE.held_by("fen.border_1", "oak").held_by("fen.border_2", "moor")
    assert realm.taken() == {"fen.border_1": "oak", "fen.border_2": "moor"}
    assert realm.losses("fen") == realm.taken()
    assert realm.gains("oak") == ("fen.border_1",)
    assert realm.holder("fen.border_2") == "moor"
    assert realm.map_of("fen") == {"castle": "fen", "lands": "fen", "border_1": "oak", "border_2": "moor"}


def test_fallen_is_what_its_own_kingdom_does_not_hold() -> None:
    """R-75"""
    realm = THREE.held_by("fen.border_1", "oak")
    assert realm.is_fallen("fen.border_1")
    assert not realm.is_fallen("fen.border_2")
    assert not realm.is_fallen("oak.border_1")
    assert not realm.held_by("fen.border_1", "fen").is_fallen("fen.border_1")


def test_a_king_without_a_castle_is_out() -> None:
    """R-72"""
    realm = THREE.held_by("fen.castle", "moor")
    assert realm.is_out("fen")
    assert realm.out == ("fen",)
    assert realm.living == ("oak", "moor")
    assert realm.castles("moor") == 2


def test_of_two_players_the_one_who_takes_the_enemy_castle_wins() -> None:
    """CAMP-02: whatever number of kingdoms the house rules ask for."""
    assert victory(TWO) is None
    nearly = TWO.held_by("fen.border_1", "oak").held_by("fen.border_2", "oak").held_by("fen.lands", "oak")
    assert victory(nearly) is None
    for options in (Options(), Options(kingdoms_to_hold=5)):
        won = victory(nearly.held_by("fen.castle", "oak"), options)
        assert won is not None
        assert (won.kingdom, won.rules) == ("oak", ("CAMP-02",))


def test_of_more_players_the_first_to_hold_two_kingdoms_wins() -> None:
    """CAMP-03, R-71: his own and one taken, so the first siege that succeeds wins."""
    won = victory(THREE.held_by("fen.castle", "moor"))
    assert won is not None
    assert (won.kingdom, won.castles, won.rules) == ("moor", 2, ("CAMP-03", "R-71"))


def test_a_house_rule_may_ask_for_more_kingdoms() -> None:
    """R-71 with kingdoms_to_hold 3"""
    four = Realm.start(["oak", "fen", "moor", "ash"])
    two_held = four.held_by("fen.castle", "moor")
    assert victory(two_held, Options(kingdoms_to_hold=3)) is None
    won = victory(two_held.held_by("ash.castle", "moor"), Options(kingdoms_to_hold=3))
    assert won is not None
    assert won.castles == 3
    # Nobody can hold more kingdoms than there are: the last King standing has won.
    last = THREE.held_by("fen.castle", "oak").held_by("moor.castle", "oak")
    won = victory(last, Options(kingdoms_to_hold=50))
    assert won is not None
    assert (won.kingdom, won.text) == ("oak", "No other King is left.")


def test_a_map_goes_into_json_and_comes_back_the_same() -> None:
    realm = THREE.held_by("fen.border_1", "oak").held_by("fen.castle", "oak")
    stored = realm.as_dict()
    assert stored == {
        "kingdoms": ["oak", "fen", "moor"],
        "taken": {"fen.castle": "oak", "fen.border_1": "oak"},
    }
    assert Realm.from_dict(stored) == realm
    assert hash(Realm.from_dict(stored)) == hash(realm)
    assert pickle.loads(pickle.dumps(realm)) == realm
    assert realm.held_by("fen.border_1", "fen").held_by("fen.castle", "fen") == THREE


def test_kingdoms_join_one_by_one() -> None:
    realm = Realm()
    for name in ("oak", "fen", "moor"):
        realm = realm.joined(name)
    assert realm == THREE
    assert victory(Realm().joined("oak")) is None


def test_a_map_set_by_hand_is_told_what_no_battle_leads_to() -> None:
    assert THREE.problems() == ()
    assert THREE.held_by("fen.lands", "oak").problems() == (
        "The lands of fen have fallen before both its borderlands.",
    )
    assert THREE.held_by("fen.castle", "oak").problems() == (
        "The castle of fen has fallen before its lands.",
        "fen is out and still holds fen.lands.",
        "fen is out and still holds fen.border_1.",
        "fen is out and still holds fen.border_2.",
    )


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: Realm.start(["oak"]), "2 to 100 kingdoms; here there are 1"),
        (lambda: Realm.start(f"k{i}" for i in range(101)), "2 to 100 kingdoms; here there are 101"),
        (lambda: Realm.start(["oak", "oak"]), "named twice: oak"),
        (lambda: Realm.start(["oak", " "]), "“ ” is no name"),
        (lambda: Realm(("oak", "fen"), (("oak",) * 4, ("ash",) * 4)), "must be on this map"),
        (lambda: Realm(("oak", "fen"), (("oak",) * 4,)), "one holder"),
        (lambda: TWO.joined("oak"), "named twice: oak"),
        (lambda: TWO.held_by("oak.moat", "fen"), "“oak.moat” is no territory"),
        (lambda: TWO.held_by("ash.lands", "fen"), "no kingdom “ash”; there are oak and fen"),
        (lambda: TWO.held_by("oak.lands", "ash"), "no kingdom “ash”"),
        (lambda: TWO.castles("ash"), "no kingdom “ash”"),
        (lambda: territory("castle"), "kingdom.place"),
        (lambda: territory(7), "7 is no territory"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_is_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


def test_a_kingdom_may_have_a_dot_in_its_name() -> None:
    realm = Realm.start(["st. oak", "fen"])
    assert realm.held_by("st. oak.lands", "fen").holder("st. oak.lands") == "fen"
