"""Deck data beyond single values: numbers per copy, cards without an effect, options for some numbers of seats."""

from __future__ import annotations

import pytest

from cardgames.engine import (
    CardGroup,
    DeckSchema,
    Option,
    ValueKind,
    complete_options,
    distinct_labels,
    make_deck,
    switch,
)
from refusal import Refusal

SCHEMA = DeckSchema(
    "court",
    (
        CardGroup(
            "action",
            "Actions",
            (
                ValueKind("name", "Name", "text", 1, 40),
                ValueKind("copies", "Copies", "number", 0, 9),
                ValueKind("randomizers", "Randomizers", "numbers", 1, 6, per_copy=True),
            ),
            effects=frozenset({"campaign"}),
        ),
    ),
)


def deck(id: str = "campaign", copies: int = 2, randomizers: object = (1, 4)):
    values = {"name": "Campaign", "copies": copies, "randomizers": randomizers}
    rows = [{"id": id, "group": "action", "values": values, "sources": {"house": sorted(values)}}]
    data = {"schema": "mice-at-arms.deck/1", "game": "court", "id": "d", "title": "d", "note": "", "cards": rows}
    return make_deck(SCHEMA, data)


def test_numbers_per_copy_are_read_and_checked_like_other_values() -> None:
    row = deck().row("campaign")
    assert row.values["randomizers"] == (1, 4)
    assert deck(randomizers=()).row("campaign").values["randomizers"] == ()
    for bad, why in (((1,), "one number for each copy"), ((0, 9), "from 1 to 6"), ("1, 4", "whole numbers")):
        with pytest.raises(Refusal, match=why):
            deck(randomizers=bad)


def test_deck_says_which_cards_have_no_effect_here() -> None:
    assert SCHEMA.warnings(deck()) == []
    assert SCHEMA.warnings(deck("own-action-1")) == ["“Campaign” has no effect here. It is used and discarded."]
    assert SCHEMA.warnings(deck("own-action-1", copies=0, randomizers=())) == []


def test_labels_of_like_cards_are_distinct() -> None:
    assert distinct_labels(["Drama", "Comedy", "Drama"]) == ["Drama (1 of 2)", "Comedy", "Drama (2 of 2)"]


def test_option_can_depend_on_the_number_of_seats() -> None:
    options = (
        switch("two", "Two-player rules", "", "Y", seats=(2,)),
        Option("first", "First player", "", (("random", "random"), (2, "seat 3")), "D", choice_seats={2: (3, 4)}),
    )
    assert complete_options(options, {"two": True}, 2) == {"two": True, "first": "random"}
    assert complete_options(options, {"first": 2}, 4) == {"two": False, "first": 2}
    with pytest.raises(Refusal, match="only be changed with 2 players"):
        complete_options(options, {"two": True}, 3)
    with pytest.raises(Refusal, match="only for 3 or 4 players"):
        complete_options(options, {"first": 2}, 2)
