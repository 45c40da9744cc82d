"""Of Mice and Monarchs: buying, Move and Cover, the reveal, the end of a turn and of the game."""

from __future__ import annotations

import pytest

from cardgames.engine import RunningTable
from cardgames.games import house_deck, new_table, replay
from cardgames.games.monarchs import printed_game
from cardgames.games.monarchs.deck_definition import SPOTS, faces_of
from cardgames.games.monarchs.rules import draw_hand, refill, reveal, solo_dice, take_turn, turns
from refusal import Refusal
from tests.cardgames.games.arranged_tables import NAMES, Hall, everywhere

PLUS, ZERO = "peasant-plus", "peasant-zero"
# Costs: usher 1, decorator 2 (move), squire 2, steward 3, intriguer 3 (move), herald 4 (move), chancellor 5, heir 6.
ROWS = {
    "front-1": "purple-usher",
    "front-2": "red-steward",
    "front-3": "blue-heir",
    "front-4": "green-decorator",
    "back-1": "orange-usher",
    "back-2": "yellow-squire",
    "back-3": "purple-chancellor",
    "back-4": "blue-herald",
}


def at(hand: list[str], court: dict | None = None, **more: object) -> Hall:
    """A solo player has played this hand at this court."""
    more.setdefault("deck", ["red-usher"] * 1)
    hall = Hall(court=ROWS if court is None else court, hands=[hand], **more)
    return hall.start(take_turn(hall.table, 0))


def test_all_five_cards_are_played_and_their_influence_counts() -> None:
    """M10, M11, M22"""
    hall = at([PLUS, PLUS, ZERO, "red-steward", "green-decorator"])
    assert hall.pile("hands") == []
    assert hall.pile("played") == [PLUS, PLUS, ZERO, "red-steward", "green-decorator"]
    assert (hall.table.influence, hall.table.moves) == (4, 1)
    assert all(card.seen == hall.table.everybody for card in hall.table.played[0].cards)


def test_any_number_of_cards_can_be_bought_while_influence_lasts() -> None:
    """M12, M13, M16, MI-4"""
    # 6 pays for 3 and 2, and the 1 left does not pay for another 2.
    court = {"front-1": "red-steward", "front-2": "green-decorator", "front-3": "yellow-squire", "back-1": "blue-heir"}
    hall = at(["purple-chancellor", "red-steward", PLUS, ZERO, ZERO], court)
    assert hall.keys == ["buy:front-1", "buy:front-2", "buy:front-3", "done"]
    hall.choose("buy:front-1", "buy:front-2")
    assert hall.table.influence == 1
    assert hall.keys == ["done"]
    hall.choose("done")
    assert hall.table.influence == 0
    assert hall.over


@pytest.mark.parametrize(
    ("influence", "front", "back"), [(2, False, False), (3, True, False), (4, True, False), (5, True, True)]
)
def test_back_row_costs_two_more(influence: int, front: bool, back: bool) -> None:
    """M13, M14"""
    hall = at([PLUS] * influence + [ZERO] * (5 - influence), {"front-1": "red-steward", "back-2": "blue-steward"})
    assert ("buy:front-1" in hall.keys) is front
    assert ("buy:back-2" in hall.keys) is back


def test_bought_card_goes_to_the_discards_and_does_nothing_yet() -> None:
    """M15, M40"""
    hall = at([PLUS, PLUS, PLUS, ZERO, ZERO], discards=[[ZERO]]).choose("buy:front-4")
    assert (hall.table.influence, hall.table.moves) == (1, 0)
    assert hall.pile("discards") == [ZERO, "green-decorator"]
    hall.choose("done")
    # The five laid out and the purchase are all in the own pile, which was then shuffled for the next hand.
    assert sorted(hall.pile("hands") + hall.pile("draws")) == sorted([ZERO] * 3 + [PLUS] * 3 + ["green-decorator"])


def test_each_icon_allows_one_move_to_any_other_spot() -> None:
    """M20, M21, ME-15, ME-16"""
    hall = at(["green-decorator", "red-intriguer", ZERO, ZERO, ZERO])
    assert hall.table.moves == 2
    hall.choose("move:front-3")
    assert hall.keys == [f"to:{spot}" for spot in SPOTS if spot != "front-3"]
    hall.choose("to:back-4")
    assert hall.spots()["back-4"] == ["blue-herald", "blue-heir"]
    hall.choose("move:back-4", "to:back-1")
    assert hall.spots()["back-1"] == ["orange-usher", "blue-heir"]
    # No icon, no move; and moving is never a duty.
    assert not any(key.startswith("move") for key in hall.keys)
    assert at(["green-decorator", ZERO, ZERO, ZERO, ZERO]).keys[-1] == "done"


def test_slash_card_uses_its_left_icon_and_its_crown_only_scores() -> None:
    """M48, ME-12, M22"""
    hall = at(["red-knight", "blue-herald", "green-heir", ZERO, ZERO])
    assert (hall.table.influence, hall.table.moves) == (1, 1)
    faces = {face.id: face for face in faces_of(house_deck("monarchs"))}
    assert faces["red-knight"].values["slash"] is True
    assert (faces["red-knight"].crowns, faces["blue-herald"].crowns, faces["green-heir"].crowns) == (1, 1, 2)


def test_only_the_top_of_a_stack_can_be_bought_or_moved() -> None:
    """M23, M24"""
    court = {"front-1": ["red-usher", "blue-heir"], "back-1": ["green-usher", "purple-usher"]}
    hall = at([PLUS] * 3 + ["green-decorator", ZERO], court)
    # The usher under the heir would be cheap, and cannot be had.
    assert hall.keys == ["buy:back-1", "move:front-1", "move:back-1", "done"]
    hall.choose("move:back-1", "to:front-1")
    assert hall.spots() == {"front-1": ["red-usher", "blue-heir", "purple-usher"], "back-1": ["green-usher"]}


def test_covered_card_is_available_as_soon_as_the_top_card_leaves() -> None:
    """M25, M26, ME-3"""
    court = {"front-1": ["red-usher", "blue-usher"], "front-2": ["red-steward"]}
    hall = at([PLUS] * 4 + ["green-decorator"], court).choose("buy:front-1")
    assert "buy:front-1" in hall.keys
    hall.choose("move:front-1", "to:front-2", "buy:front-2")
    assert hall.table.owned == [("blue-usher", "red-usher")]
    # Purchases and moves in any order, and the steward lies open again.
    assert hall.spots() == {"front-2": ["red-steward"]}


def test_move_can_go_to_an_empty_spot_and_change_the_cost() -> None:
    """MR-2, ME-4, ME-5"""
    court = {"front-1": "red-usher", "back-1": "blue-steward", "front-4": "green-squire"}
    hall = at([PLUS] * 3 + ["green-decorator", ZERO], court)
    assert "buy:back-1" not in hall.keys
    hall.choose("move:back-1", "to:front-2")
    assert "buy:front-2" in hall.keys
    hall = at([PLUS] * 3 + ["green-decorator", ZERO], court)
    assert "buy:front-4" in hall.keys
    hall.choose("move:front-4", "to:back-3")
    assert "buy:back-3" not in hall.keys


def test_player_who_buys_nothing_reveals_the_top_card() -> None:
    """M30, M31, MR-3, ME-6"""
    hall = at([PLUS] * 3 + ["green-decorator", ZERO], deck=["blue-steward", "red-usher"])
    # A move is no purchase.
    hall.choose("move:front-1", "to:front-2", "done")
    assert hall.pile("revealed") == ["blue-steward"]
    # Printed cost, no surcharge.
    assert hall.keys[0] == "buy"
    hall.choose("buy")
    assert hall.over
    assert hall.table.owned == [("blue-steward",)]
    assert hall.events("bought-revealed") == [{"seat": 0, "card": "blue-steward", "price": 3}]


def test_revealed_card_not_bought_covers_a_front_row_card() -> None:
    """M32"""
    hall = at([PLUS, ZERO, ZERO, ZERO, ZERO], deck=["blue-chancellor", "red-usher"]).choose("done")
    assert hall.keys == ["cover:front-1", "cover:front-2", "cover:front-3", "cover:front-4"]
    hall.choose("cover:front-3")
    assert hall.spots()["front-3"] == ["blue-heir", "blue-chancellor"]
    assert hall.table.owned == [()]
    # Affordable and still not wanted.
    hall = at([PLUS] * 5, deck=["blue-usher", "red-usher"]).choose("done", "cover:front-1")
    assert hall.spots()["front-1"] == ["purple-usher", "blue-usher"]


def test_revealed_card_covers_an_occupied_spot_if_there_is_one() -> None:
    """MR-5"""
    hall = Hall(court={"front-2": "red-usher", "back-1": "blue-usher"}, hands=[[]], deck=["blue-heir"])
    hall.start(reveal(hall.table, 0))
    assert hall.keys == ["cover:front-2"]
    hall = Hall(court={"back-1": "blue-usher"}, hands=[[]], deck=["blue-heir"])
    hall.start(reveal(hall.table, 0))
    assert hall.keys == ["cover:front-1", "cover:front-2", "cover:front-3", "cover:front-4"]
    # Whoever has bought owes no reveal.
    assert at([PLUS] * 5, deck=["red-heir"] * 1).choose("buy:front-1", "done").over


def test_reveal_ends_the_turn_by_default() -> None:
    """MR-4"""
    hall = at([PLUS] * 5, deck=["blue-usher", "red-usher"]).choose("done", "buy")
    assert hall.over
    hall = at([PLUS] * 5, deck=["blue-usher", "red-usher"], after_reveal_continue=True).choose("done", "buy")
    assert not hall.over
    assert hall.table.influence == 4
    hall.choose("buy:front-1", "done")
    assert hall.over
    assert hall.table.owned == [("blue-usher", "purple-usher")]
    # A second time nothing is turned up.
    hall = at([PLUS] * 5, deck=["blue-heir", "red-usher"], after_reveal_continue=True).choose(
        "done", "cover:front-1", "done"
    )
    assert hall.over


def test_nothing_is_revealed_if_the_deck_is_empty() -> None:
    """MR-10, ME-1"""
    hall = at([ZERO] * 5, deck=[])
    assert hall.keys == ["done"]
    hall.choose("done")
    assert hall.over
    assert "revealed" not in hall.event_keys()


def test_stacks_slide_straight_forward_then_the_deck_fills_from_the_left() -> None:
    """M41, M42, MR-6, ME-7"""
    court = {"front-2": "red-usher", "back-1": ["blue-usher", "blue-squire", "blue-heir"], "back-2": "green-usher"}
    hall = Hall(
        court=court,
        hands=[[]],
        deck=["red-squire", "red-knight", "red-herald", "red-heir", "red-steward", "red-chancellor"],
    )
    refill(hall.table)
    assert hall.spots() == {
        "front-1": ["blue-usher", "blue-squire", "blue-heir"],
        "front-2": ["red-usher"],
        "front-3": ["red-squire"],
        "front-4": ["red-knight"],
        "back-1": ["red-herald"],
        "back-2": ["green-usher"],
        "back-3": ["red-heir"],
        "back-4": ["red-steward"],
    }
    assert hall.pile("deck") == ["red-chancellor"]


def test_both_spots_of_a_bought_column_are_refilled() -> None:
    """ME-2, ME-10"""
    court = {**ROWS, "front-1": "purple-usher", "back-1": "orange-usher"}
    hall = at([PLUS] * 5, court, deck=["red-squire", "red-knight", "red-heir"])
    hall.choose("buy:front-1", "buy:back-1", "done")
    assert (hall.spots()["front-1"], hall.spots()["back-1"]) == (["red-squire"], ["red-knight"])
    # A deck that is too short leaves the later spots empty.
    hall = at([PLUS] * 5, court, deck=["red-squire"]).choose("buy:front-1", "buy:back-1", "done")
    assert hall.spots()["front-1"] == ["red-squire"]
    assert "back-1" not in hall.spots()
    assert hall.table.last_round


@pytest.mark.parametrize(("held", "shuffled"), [(0, True), (4, True), (5, False), (6, False)])
def test_five_cards_are_drawn_and_discards_shuffled_beneath_a_short_deck(held: int, shuffled: bool) -> None:
    """M43, M44, ME-11"""
    hall = Hall(hands=[[]], draws=[["red-heir"] * held], discards=[[PLUS] * 6])
    draw_hand(hall.table, 0)
    hand = hall.pile("hands")
    assert len(hand) == 5
    # The old cards come first.
    assert hand.count("red-heir") == min(held, 5)
    assert ("reshuffled" in hall.event_keys()) is shuffled
    assert len(hall.pile("discards")) == (0 if shuffled else 6)


def test_cards_just_played_and_bought_are_part_of_that_shuffle() -> None:
    """MR-14"""
    hall = at([PLUS] * 5).choose("buy:front-1", "done")
    assert sorted(hall.pile("hands") + hall.pile("draws")) == sorted([PLUS] * 5 + ["purple-usher"])
    assert hall.pile("discards") == []


def last_turn(live: RunningTable) -> int:
    """Plays on, buying what can be bought. Returns the seat that had the last turn."""
    seat = -1
    while live.result is None:
        seat = live.table.active
        options = list(live.question_for(seat).options)
        live.choose(
            seat, next((key for key in options if key.startswith("buy")), "done" if "done" in options else options[0])
        )
    return seat


@pytest.mark.parametrize("start", [0, 1, 2])
@pytest.mark.parametrize("cause", ["refill", "revealed and bought", "revealed and laid"])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_round_is_completed_however_the_deck_ran_out(start: int, cause: str, turn: int) -> None:
    """M45, MR-7, ME-8, ME-9"""
    rich, seats = [PLUS] * 5, 3
    hall = Hall(court=ROWS, hands=[rich] * 3, draws=[rich * 4] * 3, deck=["blue-usher"] * (turn + 1), start=start)
    hall.start(turns(hall.table))
    for number in range(seats):
        assert hall.ask is not None
        assert hall.table.active == (start + number) % seats
        if hall.table.last_round:
            hall.choose("done")
        elif number < turn or cause == "refill":
            hall.choose("buy:front-1", "done")
        else:
            hall.choose("done", "buy" if cause == "revealed and bought" else "cover:front-2")
    # Everybody has had one turn: the game is over, also when the last seat's own turn emptied the deck.
    assert hall.over
    assert hall.table.turn == 3
    assert hall.events("last-round") == [{"seat": (start - 1) % seats}]


def test_last_turn_belongs_to_the_seat_before_the_start_player() -> None:
    """M46, MR-8"""
    for start in range(3):
        assert printed_game.last_seat(start, 3) == (start - 1) % 3
        assert [printed_game.turns_left(start, 3, (start + step) % 3) for step in range(3)] == [2, 1, 0]
    for number in range(6):
        live = replay(new_table("monarchs", 3, seed=b"last %d" % number))
        start = live.table.start
        assert last_turn(live) == (start - 1) % 3
        assert live.table.turn % 3 == 0
    with pytest.raises(Refusal):
        printed_game.last_seat(3, 3)


def test_covered_cards_are_public_but_can_be_hidden_on_screen() -> None:
    """MR-11"""
    court = {"front-1": ["red-usher", "blue-heir"]}
    shown, hidden = Hall(court=court, hands=[[]]), Hall(court=court, hands=[[]], stacks_browsable=False)
    assert shown.table.court.view_for(1).spots[0] == ["red-usher", "blue-heir"]
    assert hidden.table.court.view_for(1).spots[0] == ["blue-heir"]
    assert hidden.table.court.view_for(1).counts[0] == 2
    assert all(card.seen == hidden.table.everybody for card in hidden.table.court.piles[0])


def test_solo_dice_take_a_card_from_each_row() -> None:
    """M70, M71, M73"""
    hall = Hall(
        court={**ROWS, "front-3": ["red-usher", "blue-heir"]}, hands=[[]], deck=["red-heir", "red-squire"], rolls=[3, 1]
    )
    hall.start(solo_dice(hall.table, 0))
    assert hall.over
    # Only the top of a stack goes; the back spot is filled again.
    assert hall.pile("removed") == ["blue-heir", "orange-usher"]
    assert hall.spots()["front-3"] == ["red-usher"]
    assert hall.spots()["back-1"] == ["red-heir"]
    assert hall.events("dice") == [{"white": 3, "black": 1}]


@pytest.mark.parametrize("die", [5, 6])
def test_solo_five_or_six_lets_the_player_choose(die: int) -> None:
    """M72"""
    hall = Hall(court=ROWS, hands=[[]], deck=["red-heir"] * 1 + ["red-squire", "red-knight"], rolls=[die, die])
    hall.start(solo_dice(hall.table, 0))
    assert hall.keys == [f"remove:front-{number}" for number in (1, 2, 3, 4)]
    hall.choose("remove:front-4")
    assert hall.keys == [f"remove:back-{number}" for number in (1, 2, 3, 4)]
    hall.choose("remove:back-4")
    assert hall.pile("removed") == ["green-decorator", "blue-herald"]


def test_solo_die_on_an_empty_spot_takes_nothing() -> None:
    """MR-15"""
    hall = Hall(court={"front-1": "red-usher"}, hands=[[]], rolls=[2, 6])
    hall.start(solo_dice(hall.table, 0))
    assert hall.over
    assert hall.pile("removed") == []


def test_solo_both_dice_apply_before_one_refill() -> None:
    """MR-12, M73"""
    hall = Hall(court=ROWS, hands=[[]], deck=["red-squire", "red-heir"], rolls=[1, 1])
    hall.start(solo_dice(hall.table, 0))
    # Both of the first column are gone before anything slides.
    assert hall.pile("removed") == ["purple-usher", "orange-usher"]
    assert (hall.spots()["front-1"], hall.spots()["back-1"]) == (["red-squire"], ["red-heir"])


def test_solo_game_ends_with_an_empty_deck() -> None:
    """M74, MR-12, ME-8"""
    # The turn itself empties the deck: no dice any more.
    hall = Hall(court=ROWS, hands=[[PLUS] * 5], draws=[[PLUS] * 5], deck=["red-usher"], rolls=[1, 1])
    hall.start(turns(hall.table)).choose("buy:front-1", "done")
    assert hall.over
    assert "dice" not in hall.event_keys()
    assert (hall.value.outcome, hall.value.winners) == ("solo", (0,))
    # The dice empty it.
    hall = Hall(
        court=ROWS, hands=[[PLUS] * 5], draws=[[PLUS] * 5], deck=["red-usher", "red-squire", "red-heir"], rolls=[1, 1]
    )
    hall.start(turns(hall.table)).choose("buy:front-1", "done")
    assert hall.event_keys().count("dice") == 1
    assert hall.over
    live = replay(new_table("monarchs", 1, seed=b"alone"))
    assert live.asked_seats == (0,)


def test_solo_dice_with_printed_cards() -> None:
    assert printed_game.dice_spots(3, 6) == [
        printed_game.DieSpot("front", 3, "front-3"),
        printed_game.DieSpot("back", 6, None),
    ]
    for wrong in (0, 7, True):
        with pytest.raises(Refusal):
            printed_game.dice_spots(1, wrong)


def test_undo_reverts_buys_and_moves_until_something_is_revealed() -> None:
    live = replay(new_table("monarchs", 2, seed=b"undo"))
    seat = live.asked_seats[0]
    before = live.view(seat).zones
    buys = [key for key in live.question_for(seat).options if key.startswith("buy")]
    assert not live.can_undo(seat)
    live.choose(seat, buys[0])
    assert live.can_undo(seat)
    assert not live.can_undo(1 - seat)
    live.undo(seat)
    assert live.view(seat).zones == before
    live.choose(seat, buys[-1])
    live.choose(seat, "done")
    # The court was filled: that is new to everybody.
    assert not live.can_undo(seat)
    with pytest.raises(Refusal, match="no longer"):
        live.undo(seat)
    assert [key for _, key in live.rows] == [buys[0], "undo", buys[-1], "done"]
    assert replay(live.to_record()).view(0) == live.view(0)


def test_closed_options_give_their_reason() -> None:
    hall = at([PLUS, ZERO, ZERO, ZERO, ZERO], {"front-1": ["red-usher", "blue-heir"], "back-1": "green-usher"})
    live = _ask_sheet(hall)
    reasons = {cannot.label: cannot.why for cannot in live.blocked}
    assert reasons["Buy Prince Azuro"] == "It costs 6 here, and 1 influence is left."
    assert "two more than printed" in reasons["Buy Mossfoot"]
    assert "none is left" in reasons["Move and Cover"]
    assert "covered card" in reasons["Bramble Quickpaw"]
    assert live.choices[-1].label == "Buy nothing and turn up the deck's top card"


def _ask_sheet(hall: Hall):
    """The sheet of the open ask, from the table's own view."""
    from cardgames.games import find_game

    game = find_game("monarchs")
    live = object.__new__(RunningTable)
    live.game, live.table, live.single, live.group = game, hall.table, hall.ask, None
    live.rows, live.events_before, live.barrier, live.result, live._chance_needed = [], [], 0, None, None
    live.record = new_table("monarchs", 1, seed=b"x")
    sheet = live.question_display(0, NAMES)
    assert sheet is not None
    return sheet


def test_no_card_is_lost_in_a_turn_that_uses_everything() -> None:
    """MI-1"""
    hall = Hall(court=ROWS, hands=[[PLUS] * 3 + ["green-decorator", "red-intriguer"]], deck=["red-heir", "red-squire"])
    whole = everywhere(hall.table)
    hall.start(take_turn(hall.table, 0)).choose(
        "move:front-1", "to:back-1", "buy:front-2", "move:back-4", "to:front-2", "done"
    )
    assert everywhere(hall.table) == whole
