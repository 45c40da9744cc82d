"""Roll-offs: the highest of all, ties rolled again by the tied, re-rolls for VP, and the sides of a scenario."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusal import Refusal
from rulebook.options import Options
from rulebook.rolloff import RollOff, sides

FACES = st.integers(1, 10)


@pytest.mark.parametrize(
    ("oak", "fen", "attacks"),
    [(7, 3, "oak"), (2, 9, "fen"), (10, 9, "oak"), (1, 2, "fen")],
    ids=lambda value: f"ATTACKER-01:{value}",
)
def test_both_sides_roll_and_the_higher_attacks(oak: int, fen: int, attacks: str) -> None:
    """ATTACKER-01"""
    start = RollOff.start(["oak", "fen"])
    assert start.waiting == ("oak", "fen")
    assert start.winner is None
    after_one = start.rolled("oak", oak)
    assert after_one.waiting == ("fen",)
    done = after_one.rolled("fen", fen)
    assert done.waiting == ()
    assert done.winner == attacks


def test_a_tie_is_rolled_again_by_the_tied_only() -> None:
    """R-68: a three-way tie at the top only; the fourth player waits."""
    tied = RollOff.start(["a", "b", "c", "d"]).rolled_all({"a": 8, "b": 8, "c": 8, "d": 3})
    assert tied.winner is None
    assert tied.waiting == ("a", "b", "c")
    with pytest.raises(Refusal, match="d has nothing to roll now"):
        tied.rolled("d", 10)
    still = tied.rolled_all({"a": 2, "b": 5, "c": 5})
    assert still.waiting == ("b", "c")
    done = still.rolled_all({"c": 4, "b": 6})
    assert done.winner == "b"
    assert [step.kind for step in tied.steps()][-1] == "tie"
    assert tied.steps()[-1].players == ("a", "b", "c")
    assert (
        tied.steps()[-1].text({"a": "Oak", "b": "Fen", "c": "Moor"})
        == "Oak, Fen and Moor are level on 8 and roll again."
    )


def test_a_tie_below_the_top_needs_no_roll() -> None:
    """R-68"""
    done = RollOff.start(["a", "b", "c"]).rolled_all({"a": 9, "b": 4, "c": 4})
    assert done.waiting == ()
    assert done.winner == "a"


def test_where_the_whole_order_matters_every_tie_is_rolled_off() -> None:
    """SCEN-01, SCEN-11: more than two players choose their zones from highest to lowest."""
    tied = RollOff.start(["a", "b", "c", "d", "e"], whole_order=True).rolled_all(
        {"a": 9, "b": 4, "c": 4, "d": 1, "e": 1}
    )
    assert tied.waiting == ("b", "c", "d", "e")
    assert tied.order == ()
    assert [step.players for step in tied.steps() if step.kind == "tie"] == [("b", "c"), ("d", "e")]
    done = tied.rolled_all({"b": 2, "c": 3, "d": 8, "e": 7})
    assert done.order == ("a", "c", "b", "d", "e")
    with pytest.raises(Refusal, match="first place only"):
        _ = RollOff.start(["a", "b"]).order


def test_one_vp_rolls_the_die_again_and_either_may_be_kept() -> None:
    """ATTACKER-02, R-57"""
    fell = RollOff.start(["oak", "fen"], vp={"oak": 2}).rolled_all({"oak": 3, "fen": 6})
    bought = fell.buy("oak", 9)
    assert bought.winner is None
    assert bought.waiting == ()
    assert bought.offer is not None
    assert (bought.offer.old, bought.offer.new) == (3, 9)
    assert bought.keep("new").winner == "oak"
    assert bought.keep("old").winner == "fen"
    # Any number of times while VP last, one VP each.
    again = bought.keep("old").buy("oak", 7).keep("new")
    assert again.winner == "oak"
    assert again.vp_left("oak") == 0
    assert again.spent() == {"oak": 2}
    with pytest.raises(Refusal, match="costs 1 VP, and oak has 0"):
        again.buy("oak", 10)


def test_a_player_without_vp_buys_nothing() -> None:
    """ATTACKER-02: the player with 0 VP."""
    fell = RollOff.start(["oak", "fen"]).rolled_all({"oak": 3, "fen": 6})
    with pytest.raises(Refusal, match="fen has 0"):
        fell.buy("fen", 2)
    assert fell.why_no_reroll("oak") == "A re-roll costs 1 VP, and oak has 0."


def test_a_bought_re_roll_may_make_a_tie_and_the_tied_roll_again() -> None:
    """ATTACKER-02, R-68: tie after a bought re-roll, also by one who was out of it."""
    fell = RollOff.start(["a", "b", "c"], vp={"c": 1}).rolled_all({"a": 7, "b": 7, "c": 2})
    assert fell.waiting == ("a", "b")
    halfway = fell.rolled("a", 5)
    joined = halfway.buy("c", 7).keep("new")
    assert joined.waiting == ("b", "c")
    assert joined.rolled_all({"b": 5, "c": 4}).waiting == ("a", "b")
    overtaken = halfway.buy("c", 8).keep("new")
    assert overtaken.winner == "c"


def test_the_dice_of_others_stay_unless_the_house_rule_says_otherwise() -> None:
    """R-57 with reroll_enemy_dice on and off"""
    fell = RollOff.start(["oak", "fen"], vp={"oak": 1}).rolled_all({"oak": 5, "fen": 9})
    with pytest.raises(Refusal, match="one's own"):
        fell.buy("oak", 1, "fen")
    bought = fell.buy("oak", 1, "fen", Options(reroll_enemy_dice=True))
    assert bought.keep("new").winner == "oak"
    assert bought.spent() == {"oak": 1}


def test_the_highest_without_a_target_passes_to_the_next() -> None:
    """R-74"""
    fell = RollOff.start(["a", "b", "c"], passing=["a"]).rolled_all({"a": 10, "b": 4, "c": 6})
    assert fell.winner == "c"
    assert [(step.kind, step.players) for step in fell.steps()][-2:] == [("passes", ("a",)), ("wins", ("c",))]
    # A tie with one who passes anyway is no tie.
    level = RollOff.start(["a", "b", "c"], passing=["a"]).rolled_all({"a": 6, "b": 4, "c": 6})
    assert level.winner == "c"
    # One who passes on a low roll was not ahead, and nothing is said of it.
    low = RollOff.start(["a", "b", "c"], passing=["a"]).rolled_all({"a": 1, "b": 4, "c": 6})
    assert [step.kind for step in low.steps()] == ["rolled", "rolled", "rolled", "wins"]


@pytest.mark.parametrize("attacker_wins", [True, False])
@pytest.mark.parametrize("side", ["A", "B"])
def test_sides_of_a_scenario_come_from_its_own_roll_off(attacker_wins: bool, side: str) -> None:
    """ATTACKER-04, R-66"""
    winner, other = ("oak", "fen") if attacker_wins else ("fen", "oak")
    answer = sides("oak", "fen", winner, side)
    assert (answer.a, answer.b) == ((winner, other) if side == "A" else (other, winner))


def test_a_house_rule_makes_the_attacker_side_a() -> None:
    """R-66 with attacker_is_side_a on"""
    rules = Options(attacker_is_side_a=True)
    assert (sides("oak", "fen", options=rules).a, sides("oak", "fen", options=rules).b) == ("oak", "fen")
    with pytest.raises(Refusal, match="nothing to roll off"):
        sides("oak", "fen", "fen", "A", rules)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: RollOff.start(["a"]), "two or more"),
        (lambda: RollOff.start(["a", "a"]), "named twice"),
        (lambda: RollOff.start(["a", "b"], vp={"c": 1}), "“c”"),
        (lambda: RollOff.start(["a", "b"], vp={"a": -1}), "VP of a is -1"),
        (lambda: RollOff.start(["a", "b"], passing=["a", "b"]), "Nobody"),
        (lambda: RollOff.start(["a", "b"]).rolled("a", 11), "is 11; a d10 shows 1 to 10"),
        (lambda: RollOff.start(["a", "b"]).rolled("c", 1), "“c” is not in this roll-off"),
        (lambda: RollOff.start(["a", "b"]).rolled("a", 1).rolled("a", 2), "a has nothing to roll now"),
        (lambda: RollOff.start(["a", "b"], vp={"a": 1}).buy("a", 5), "has not rolled yet"),
        (lambda: RollOff.start(["a", "b"]).keep("new"), "No re-roll waits"),
        (lambda: RollOff.start(["a", "b"], vp={"a": 1}).rolled("a", 1).buy("a", 5).rolled("b", 5), "still has to keep"),
        (lambda: RollOff.start(["a", "b"], vp={"a": 1}).rolled("a", 1).buy("a", 5).keep("best"), "old and new"),
        (lambda: sides("a", "a", "a", "A"), "cannot fight itself"),
        (lambda: sides("a", "b", "c", "A"), "“c”"),
        (lambda: sides("a", "b", "a", "c"), "“c”"),
    ],
)
def test_what_cannot_be_is_refused_by_name(act: object, says: str) -> None:
    with pytest.raises(Refusal, match=says):
        act()  # type: ignore[operator]


@given(st.integers(2, 8), st.lists(FACES, min_size=200, max_size=200), st.booleans())
def test_a_roll_off_asks_only_the_tied_and_ends_with_the_highest(players: int, dice: list[int], whole: bool) -> None:
    """R-68, R-73: with any number of players."""
    names = [f"k{i}" for i in range(players)]
    state = RollOff.start(names, whole_order=whole)
    stream = iter(dice)
    while state.waiting:
        face = next(stream, None)
        if face is None:
            return  # ties without end; the dice ran out
        state = state.rolled(state.waiting[0], face)
    best = max(state.hands)
    assert state.winner == names[state.hands.index(best)]
    assert state.hands.count(best) == 1
    if whole:
        assert [state.hands[names.index(name)] for name in state.order] == sorted(state.hands, reverse=True)
