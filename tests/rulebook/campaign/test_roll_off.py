"""Roll-offs: the highest of all, ties rolled again by the tied, re-rolls for VP, and the sides of a scenario."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.campaign.roll_off import RollOff, assign_sides
from rulebook.data.house_rules import Options

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
    after_one = start.with_roll("oak", oak)
    assert after_one.waiting == ("fen",)
    done = after_one.with_roll("fen", fen)
    assert done.waiting == ()
    assert done.winner == attacks


def test_only_the_tied_players_roll_again() -> None:
    """R-68: a three-way tie at the top only; the fourth player waits."""
    tied = RollOff.start(["a", "b", "c", "d"]).with_rolls({"a": 8, "b": 8, "c": 8, "d": 3})
    assert tied.winner is None
    assert tied.waiting == ("a", "b", "c")
    with pytest.raises(Refusal, match="d does not have to roll now"):
        tied.with_roll("d", 10)
    still = tied.with_rolls({"a": 2, "b": 5, "c": 5})
    assert still.waiting == ("b", "c")
    done = still.with_rolls({"c": 4, "b": 6})
    assert done.winner == "b"
    assert [step.kind for step in tied.steps()][-1] == "tie"
    assert tied.steps()[-1].players == ("a", "b", "c")
    assert tied.steps()[-1].text({"a": "Oak", "b": "Fen", "c": "Moor"}) == "Oak, Fen and Moor tie on 8 and roll again."


def test_a_tie_below_the_top_needs_no_roll() -> None:
    """R-68"""
    done = RollOff.start(["a", "b", "c"]).with_rolls({"a": 9, "b": 4, "c": 4})
    assert done.waiting == ()
    assert done.winner == "a"


def test_every_tie_is_rolled_off_when_the_whole_order_matters() -> None:
    """SCEN-01, SCEN-11: more than two players choose their zones from highest to lowest."""
    tied = RollOff.start(["a", "b", "c", "d", "e"], whole_order=True).with_rolls(
        {"a": 9, "b": 4, "c": 4, "d": 1, "e": 1}
    )
    assert tied.waiting == ("b", "c", "d", "e")
    assert tied.order == ()
    assert [step.players for step in tied.steps() if step.kind == "tie"] == [("b", "c"), ("d", "e")]
    done = tied.with_rolls({"b": 2, "c": 3, "d": 8, "e": 7})
    assert done.order == ("a", "c", "b", "d", "e")
    with pytest.raises(Refusal, match="only decides first place"):
        _ = RollOff.start(["a", "b"]).order


def test_one_vp_buys_a_re_roll_and_either_roll_counts() -> None:
    """ATTACKER-02, R-57"""
    fell = RollOff.start(["oak", "fen"], vp={"oak": 2}).with_rolls({"oak": 3, "fen": 6})
    bought = fell.buy_reroll("oak", 9)
    assert bought.winner is None
    assert bought.waiting == ()
    assert bought.offer is not None
    assert (bought.offer.old, bought.offer.new) == (3, 9)
    assert bought.keep_die("new").winner == "oak"
    assert bought.keep_die("old").winner == "fen"
    # Any number of times while VP last, one VP each.
    again = bought.keep_die("old").buy_reroll("oak", 7).keep_die("new")
    assert again.winner == "oak"
    assert again.vp_left("oak") == 0
    assert again.spent() == {"oak": 2}
    with pytest.raises(Refusal, match="costs 1 VP; oak has 0"):
        again.buy_reroll("oak", 10)


def test_player_without_vp_cannot_buy_a_re_roll() -> None:
    """ATTACKER-02: the player with 0 VP."""
    fell = RollOff.start(["oak", "fen"]).with_rolls({"oak": 3, "fen": 6})
    with pytest.raises(Refusal, match="fen has 0"):
        fell.buy_reroll("fen", 2)
    assert fell.why_no_reroll("oak") == "A re-roll costs 1 VP; oak has 0."


def test_bought_re_roll_can_cause_a_tie_that_is_rolled_off() -> None:
    """ATTACKER-02, R-68: tie after a bought re-roll, even by a player who was not tied before."""
    fell = RollOff.start(["a", "b", "c"], vp={"c": 1}).with_rolls({"a": 7, "b": 7, "c": 2})
    assert fell.waiting == ("a", "b")
    halfway = fell.with_roll("a", 5)
    joined = halfway.buy_reroll("c", 7).keep_die("new")
    assert joined.waiting == ("b", "c")
    assert joined.with_rolls({"b": 5, "c": 4}).waiting == ("a", "b")
    overtaken = halfway.buy_reroll("c", 8).keep_die("new")
    assert overtaken.winner == "c"


def test_the_dice_of_others_stay_unless_the_house_rule_says_otherwise() -> None:
    """R-57 with reroll_enemy_dice on and off"""
    fell = RollOff.start(["oak", "fen"], vp={"oak": 1}).with_rolls({"oak": 5, "fen": 9})
    with pytest.raises(Refusal, match="your own"):
        fell.buy_reroll("oak", 1, "fen")
    bought = fell.buy_reroll("oak", 1, "fen", Options(reroll_enemy_dice=True))
    assert bought.keep_die("new").winner == "oak"
    assert bought.spent() == {"oak": 1}


def test_highest_roller_without_a_target_passes_to_the_next() -> None:
    """R-74"""
    fell = RollOff.start(["a", "b", "c"], passing=["a"]).with_rolls({"a": 10, "b": 4, "c": 6})
    assert fell.winner == "c"
    assert [(step.kind, step.players) for step in fell.steps()][-2:] == [("passes", ("a",)), ("wins", ("c",))]
    # A tie with a player who passes does not count.
    level = RollOff.start(["a", "b", "c"], passing=["a"]).with_rolls({"a": 6, "b": 4, "c": 6})
    assert level.winner == "c"
    # A player who passes on a low roll was not ahead, so nothing is reported.
    low = RollOff.start(["a", "b", "c"], passing=["a"]).with_rolls({"a": 1, "b": 4, "c": 6})
    assert [step.kind for step in low.steps()] == ["rolled", "rolled", "rolled", "wins"]


@pytest.mark.parametrize("attacker_wins", [True, False])
@pytest.mark.parametrize("side", ["A", "B"])
def test_sides_of_a_scenario_come_from_its_own_roll_off(attacker_wins: bool, side: str) -> None:
    """ATTACKER-04, R-66"""
    winner, other = ("oak", "fen") if attacker_wins else ("fen", "oak")
    answer = assign_sides("oak", "fen", winner, side)
    assert (answer.a, answer.b) == ((winner, other) if side == "A" else (other, winner))


def test_a_house_rule_makes_the_attacker_side_a() -> None:
    """R-66 with attacker_is_side_a on"""
    rules = Options(attacker_is_side_a=True)
    assert (assign_sides("oak", "fen", options=rules).a, assign_sides("oak", "fen", options=rules).b) == ("oak", "fen")
    with pytest.raises(Refusal, match="no roll-off"):
        assign_sides("oak", "fen", "fen", "A", rules)


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: RollOff.start(["a"]), "at least two"),
        (lambda: RollOff.start(["a", "a"]), "listed twice"),
        (lambda: RollOff.start(["a", "b"], vp={"c": 1}), "“c”"),
        (lambda: RollOff.start(["a", "b"], vp={"a": -1}), "VP of a is -1"),
        (lambda: RollOff.start(["a", "b"], passing=["a", "b"]), "Nobody"),
        (lambda: RollOff.start(["a", "b"]).with_roll("a", 11), "is 11. A d10 shows 1 to 10"),
        (lambda: RollOff.start(["a", "b"]).with_roll("c", 1), "“c” is not in this roll-off"),
        (lambda: RollOff.start(["a", "b"]).with_roll("a", 1).with_roll("a", 2), "a does not have to roll now"),
        (lambda: RollOff.start(["a", "b"], vp={"a": 1}).buy_reroll("a", 5), "has not rolled yet"),
        (lambda: RollOff.start(["a", "b"]).keep_die("new"), "There is no re-roll"),
        (
            lambda: RollOff.start(["a", "b"], vp={"a": 1}).with_roll("a", 1).buy_reroll("a", 5).with_roll("b", 5),
            "still has to choose",
        ),
        (
            lambda: RollOff.start(["a", "b"], vp={"a": 1}).with_roll("a", 1).buy_reroll("a", 5).keep_die("best"),
            "old and new",
        ),
        (lambda: assign_sides("a", "a", "a", "A"), "cannot fight itself"),
        (lambda: assign_sides("a", "b", "c", "A"), "“c”"),
        (lambda: assign_sides("a", "b", "a", "c"), "“c”"),
    ],
)
def test_impossible_values_are_refused_by_name(act: object, says: str) -> None:
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
            return  # endless ties; the dice ran out
        state = state.with_roll(state.waiting[0], face)
    best = max(state.hands)
    assert state.winner == names[state.hands.index(best)]
    assert state.hands.count(best) == 1
    if whole:
        assert [state.hands[names.index(name)] for name in state.order] == sorted(state.hands, reverse=True)


def test_whoever_trails_decides_first_about_a_reroll() -> None:
    """R-103, ATTACKER-02"""
    rolled = RollOff.start(["oak", "fen", "moor"], vp={"oak": 2, "fen": 1}).with_rolls({"oak": 9, "fen": 3, "moor": 1})
    assert rolled.may_buy() == ("fen", "oak"), "moor has no VP"
    ahead = rolled.buy_reroll("fen", 10).keep_die("new")
    assert ahead.may_buy() == ("oak",), "fen has spent its VP"
    assert RollOff.start(["oak", "fen"], vp={"oak": 1}).may_buy() == (), "nobody has rolled yet"
