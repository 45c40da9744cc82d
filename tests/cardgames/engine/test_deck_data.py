"""Decks are data: the source of each value, copies with other values, warnings about totals, refusals of bad input."""

from __future__ import annotations

import copy
import json

import pytest

from cardgames.engine import edit_deck, make_deck, read_deck
from cardgames.engine.deck_data import SOURCES
from cardgames.games import SHELF, find_game, house_deck, new_table, replay
from refusal import Refusal
from tests.cardgames.games.arranged_tables import TIGER, keys, play
from tests.cardgames.records import replace_rows

GAMES = pytest.mark.parametrize("key", sorted(SHELF))


@GAMES
def test_every_value_names_its_source(key: str) -> None:
    deck = house_deck(key)
    for row in deck.rows:
        assert set(row.sources) == set(row.values)
        assert set(row.sources.values()) <= set(SOURCES)
    assert find_game(key).schema.warnings(deck) == []
    ours = deck.of_source("house")
    assert ours
    # Only the rules of Menagerie name every card.
    assert ("name" in [value for _, value in ours]) is (key != "menagerie")


def test_menagerie_deck_marks_what_the_rules_state_and_omit() -> None:
    deck = house_deck("menagerie")
    assert deck.row("mammoth").sources == {"name": "stated", "factor": "stated", "copies": "inferred", "text": "house"}
    assert {row.sources["copies"] for row in deck.group("actions")} == {"house"}


def test_group_can_copy_a_deck_and_enter_printed_values() -> None:
    schema, house = find_game("menagerie").schema, house_deck("menagerie")
    mine = edit_deck(
        schema, house, {"bazaar": {"copies": 3}, "shoot": {"copies": 3, "name": "Shoot"}}, id="ours", title="Ours"
    )
    assert mine.row("bazaar").copies == 3
    assert mine.row("bazaar").sources["copies"] == "printed"
    # What did not change keeps its source.
    assert mine.row("shoot").sources["name"] == "stated"
    assert schema.warnings(mine) == []
    assert (mine.id, mine.title, house.row("bazaar").copies) == ("ours", "Ours", 2)
    live = replay(new_table("menagerie", 4, seed=b"ours", deck=mine))
    assert sum(card.face.id == "bazaar" for card in live.table.all_cards) == 3


def test_unusual_totals_give_a_warning_only() -> None:
    schema, house = find_game("menagerie").schema, house_deck("menagerie")
    odd = edit_deck(schema, house, {TIGER: {"copies": 6}, "trade": {"copies": 0}})
    assert schema.warnings(odd) == [
        "The rules call for 30 animals; this deck has 31.",
        "The rules call for 16 actions; this deck has 12.",
        "The rules call for 46 cards in the play deck; this deck has 43.",
    ]
    live = replay(new_table("menagerie", 4, seed=b"odd", deck=odd))
    while live.result is None:
        play(live, keys(live)[0])


def test_many_bazaars_and_windfalls_give_a_warning() -> None:
    """With twelve of each, a game takes some 3,000 choices."""
    schema, house = find_game("menagerie").schema, house_deck("menagerie")

    def warned(bazaars: int, windfalls: int) -> str:
        deck = edit_deck(schema, house, {"bazaar": {"copies": bazaars}, "windfall": {"copies": windfalls}})
        return " ".join(line for line in schema.warnings(deck) if "choices" in line)

    assert "thousands of choices" in warned(12, 12)
    assert "hundreds of choices" in warned(8, 8)
    assert warned(3, 3) == ""


def test_brisk_court_with_a_tiny_deck_gives_a_warning() -> None:
    """Three of each colour go back into the box: with no more than that, nobody can buy anything."""
    game, house = find_game("monarchs"), house_deck("monarchs")
    gone = {row.id: {"copies": 0} for row in house.group("court") if not row.id.endswith(("usher", "steward"))}
    tiny = edit_deck(game.schema, house, gone)
    assert any("everybody scores 0" in line for line in game.warnings(tiny, 2, {"brisk_court": True}))
    assert not any("Brisk court" in line for line in game.warnings(tiny, 2, {"brisk_court": False}))
    assert game.warnings(house, 2, {"brisk_court": True}) == []


def test_printed_court_replaces_ours() -> None:
    """MR-1"""
    schema, house = find_game("monarchs").schema, house_deck("monarchs")
    row = {"name": "Mouse", "text": "", "role": "", "cost": 2, "influence": 1, "moves": 0, "slash": False}
    rows = [{"id": f"p{number}", **row, "colour": "purple", "crowns": number % 2, "copies": 2} for number in range(8)]
    mine = replace_rows(schema, house, "court", rows, id="printed")
    assert mine.count(("court",)) == 16
    assert {where for card in mine.group("court") for where in card.sources.values()} == {"printed"}
    assert any("none of yellow" in line for line in schema.warnings(mine))
    live = replay(new_table("monarchs", 2, seed=b"printed", deck=mine))
    while live.result is None:
        play(live, keys(live)[0])
    # One letter more seats one player more.
    five = replace_rows(
        schema, house, "letters", [{"id": letter, "name": f"Letter {letter}"} for letter in "ABCDE"], id="five"
    )
    assert find_game("monarchs").seat_limits(five) == (1, 5)
    assert replay(new_table("monarchs", 5, seed=b"five", deck=five)).table.seats == 5
    with pytest.raises(Refusal, match="1 to 4 players"):
        new_table("monarchs", 5, seed=b"five")


NONSENSE = {
    "another schema": lambda data: data.update(schema="cards/9"),
    "another game": lambda data: data.update(game="whist"),
    "no title": lambda data: data.pop("title"),
    "a title that is a list": lambda data: data.update(title=[]),
    "a title with a line break": lambda data: data.update(title="a\nb"),
    "an extra part": lambda data: data.update(script="rm"),
    "no cards": lambda data: data.update(cards=[]),
    "cards that are no rows": lambda data: data.update(cards=[1, 2]),
    "too many rows": lambda data: data.update(cards=data["cards"] * 40),
    "a card twice": lambda data: data["cards"].append(data["cards"][0]),
    "a card missing": lambda data: data["cards"].pop(0),
    "an unknown card": lambda data: data["cards"][0].update(id="dodo"),
    "an id with a slash": lambda data: data["cards"][0].update(id="../etc"),
    "an unknown group": lambda data: data["cards"][0].update(group="plants"),
    "a value missing": lambda data: data["cards"][0]["values"].pop("copies"),
    "a value too many": lambda data: data["cards"][0]["values"].update(speed=3),
    "a negative count": lambda data: data["cards"][0]["values"].update(copies=-1),
    "a count that is a text": lambda data: data["cards"][0]["values"].update(copies="5"),
    "a count that is yes": lambda data: data["cards"][0]["values"].update(copies=True),
    "a count that is a fraction": lambda data: data["cards"][0]["values"].update(copies=2.5),
    "a count far too large": lambda data: data["cards"][0]["values"].update(copies=10**9),
    "an empty name": lambda data: data["cards"][0]["values"].update(name=" "),
    "an unknown source": lambda data: data["cards"][0].update(sources={"rumour": list(data["cards"][0]["values"])}),
    "a value without a source": lambda data: data["cards"][0].update(sources={}),
    "too few animals": lambda data: [
        row["values"].update(copies=1) for row in data["cards"] if row["group"] == "animals"
    ],
    "too few cards": lambda data: [row["values"].update(copies=1) for row in data["cards"]],
}


@pytest.mark.parametrize("name", NONSENSE)
def test_invalid_values_are_refused_with_a_message(name: str) -> None:
    data = copy.deepcopy(house_deck("menagerie").as_json())
    NONSENSE[name](data)
    with pytest.raises(Refusal) as refused:
        make_deck(find_game("menagerie").schema, data)
    assert refused.value.sentence.endswith(".")


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", "NaN", '{"schema": NaN}', "[" * 100_000, '{"a":' * 5000, "x" * 400_000, '"\\ud800"']
)
def test_file_that_is_not_a_deck_is_refused(text: str) -> None:
    with pytest.raises(Refusal):
        read_deck(find_game("monarchs").schema, text)


def test_court_too_small_for_its_spots_is_refused_and_a_short_one_warned_about() -> None:
    schema, house = find_game("monarchs").schema, house_deck("monarchs")
    row = {"name": "Mouse", "text": "", "role": "", "colour": "red", "cost": 2, "influence": 1, "moves": 0, "crowns": 0}
    small = [{"id": f"r{number}", **row, "slash": False, "copies": 1} for number in range(8)]
    with pytest.raises(Refusal, match="at least 8 cards"):
        replace_rows(schema, house, "court", small[:7], id="small")
    assert len(schema.warnings(replace_rows(schema, house, "court", small, id="short"))) == 3


def test_deck_for_another_game_and_unknown_cards_are_refused() -> None:
    with pytest.raises(Refusal, match="another game"):
        new_table("menagerie", 4, seed=b"x", deck=house_deck("monarchs"))
    with pytest.raises(Refusal, match="no card 'dodo'"):
        edit_deck(find_game("menagerie").schema, house_deck("menagerie"), {"dodo": {"copies": 1}})
    with pytest.raises(Refusal, match="JSON does not allow"):
        make_deck(find_game("menagerie").schema, {"cards": {1, 2}})
    with pytest.raises(Refusal) as refused:
        new_table("whist", 4, seed=b"x")
    assert refused.value.status == 404


def test_decks_with_the_same_text_are_equal() -> None:
    house = house_deck("menagerie")
    again = make_deck(find_game("menagerie").schema, json.loads(house.text))
    assert again == house
    assert hash(again) == hash(house)
    assert again != edit_deck(find_game("menagerie").schema, house, {TIGER: {"copies": 4}})
