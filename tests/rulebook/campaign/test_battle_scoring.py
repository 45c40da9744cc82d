"""Victory points earned: every scenario scored from what happened at the table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.campaign.battle_scoring import Report, Score, SideReport, score_report
from rulebook.data.house_rules import Options
from rulebook.data.scenarios import SCENARIOS

GENERAL = ["pitched_battle", "surrounded", "ambush", "aftermath"]


def battle(key: str, a: dict[str, Any] | None = None, b: dict[str, Any] | None = None, **details: Any) -> Report:
    """A report in which both sides fielded five units unless said otherwise."""
    return Report(key, SideReport(**{"fielded": 5, **(a or {})}), SideReport(**{"fielded": 5, **(b or {})}), **details)


def summary(found: Score) -> tuple[str | None, str, int, int]:
    return found.winner, found.how, found.vp("A"), found.vp("B")


# --- left undecided, and both at once -----------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [None, 3, 6])
def test_a_battle_of_six_rounds_left_undecided_is_a_draw(rounds: int | None) -> None:
    """R-94, R-56, SCEN-02, SCEN-03"""
    stood = battle("last_stand", {"removed": 1}, {"removed": 2}, rounds=rounds, stopped=True)
    assert summary(score_report(stood)) == (None, "stopped", 2, 1)
    held = battle("secure_the_crossing", b={"removed": 1}, rounds=rounds, crossings={"A": 3}, stopped=True)
    assert summary(score_report(held)) == (None, "stopped", 1, 0), "crossings are counted only at the end"


def test_what_was_scored_before_a_battle_was_left_stays() -> None:
    """R-94"""
    away = score_report(battle("break_free", {"escaped": 2, "removed": 1}, stopped=True))
    assert summary(away) == (None, "stopped", 2, 1)
    mounds = score_report(battle("hold_the_hills", mounds=({"A": 2, "B": 1},), stopped=True))
    assert summary(mounds) == (None, "stopped", 2, 1)
    fires = score_report(battle("chevauchee", {"removed": 1}, ablaze=3, stopped=True))
    assert summary(fires) == (None, "stopped", 3, 1)


def test_crossings_count_when_an_army_fell_early() -> None:
    """R-63, R-94"""
    report = score_report(battle("secure_the_crossing", b={"removed": 5}, rounds=3, crossings={"A": 2}))
    assert summary(report) == ("A", "destroyed", 5 + 2 + 2, 0)


def test_both_armies_routed_is_a_draw_but_not_in_last_stand() -> None:
    """R-98"""
    fleeing = {"removed": 2, "fleeing": 3}
    assert summary(score_report(battle("pitched_battle", fleeing, fleeing))) == (None, "drawn", 2, 2)
    assert summary(score_report(battle("last_stand", fleeing, fleeing, rounds=6))) == ("B", "routed", 2, 2 + 2)


def test_last_stand_ends_after_six_rounds_although_a_rout_does_not() -> None:
    """R-59, SCEN-02"""
    fled = battle("last_stand", {"removed": 2, "fleeing": 3}, rounds=6)
    assert summary(score_report(fled, Options(rout_ends_battle=False))) == ("B", "goal", 0, 2 + 2)


# --- points in general ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", GENERAL)
def test_each_enemy_unit_removed_is_one_vp_and_the_win_is_two(key: str) -> None:
    """VP-01, VP-03, SCEN-05, SCEN-07"""
    report = score_report(battle(key, a={"removed": 2}, b={"removed": 5}))
    assert summary(report) == ("A", "destroyed", 5 + 2, 2)
    assert [(line.side, line.key, line.vp) for line in report.lines] == [
        ("A", "kill", 5),
        ("A", "win", 2),
        ("B", "kill", 2),
    ]


def test_a_pitched_battle_and_the_aftermath_are_won_by_destroying_the_enemy() -> None:
    """SCEN-01, SCEN-08"""
    for key in ("pitched_battle", "aftermath"):
        assert summary(score_report(battle(key, a={"removed": 5}))) == ("B", "destroyed", 0, 7)


def test_how_a_unit_left_does_not_matter() -> None:
    """R-54"""
    # Scattered, fled off the table, charged while fleeing: the report counts them alike.
    assert score_report(battle("pitched_battle", b={"removed": 5})).vp("A") == 7


def test_yielding_is_defeat_and_units_still_on_the_table_give_nothing() -> None:
    """VP-03, VP-07, R-55"""
    report = score_report(battle("pitched_battle", a={"yielded": True}))
    assert summary(report) == ("B", "yielded", 0, 2)
    assert any("not scored" in note for note in report.notes)
    assert summary(score_report(battle("pitched_battle", a={"yielded": True, "removed": 3}))) == ("B", "yielded", 0, 5)


def test_the_loser_keeps_the_points_of_his_kills() -> None:
    """VP-08"""
    assert score_report(battle("pitched_battle", a={"removed": 5}, b={"removed": 4})).vp("A") == 4


def test_army_is_routed_when_every_unit_flees_and_scores_no_kills() -> None:
    """R-59"""
    fled = battle("pitched_battle", b={"removed": 2, "fleeing": 3})
    assert summary(score_report(fled)) == ("A", "routed", 2 + 2, 0)
    with pytest.raises(Refusal, match="Pitched Battle is not decided"):
        score_report(fled, Options(rout_ends_battle=False))
    # One unit that stands is enough.
    with pytest.raises(Refusal, match="not decided"):
        score_report(battle("pitched_battle", b={"removed": 2, "fleeing": 2}))


def test_draw_gives_no_win_points_and_changes_no_loyalty() -> None:
    """R-56"""
    report = score_report(battle("pitched_battle", a={"removed": 1}, b={"removed": 2}, stopped=True))
    assert summary(report) == (None, "stopped", 2, 1)
    assert report.loyalty("A", 3).change == report.loyalty("B", -1).change == 0
    both = score_report(battle("pitched_battle", a={"removed": 5}, b={"removed": 5}))
    assert summary(both) == (None, "drawn", 5, 5)


def test_the_winner_gains_a_loyalty_and_the_loser_loses_one() -> None:
    """MUSTER-04"""
    report = score_report(battle("pitched_battle", b={"removed": 5}))
    assert (report.loyalty("A", 0).after, report.loyalty("B", 0).after) == (1, -1)


# --- the scenarios, in the order of the book -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "details", "expected"),
    [
        ({"removed": 4}, {"removed": 1}, {"rounds": 6}, ("A", "held out", 1 + 2, 4)),
        ({"removed": 4}, {"removed": 1}, {}, ("A", "held out", 1 + 2, 4)),
        ({"removed": 5}, {"removed": 1}, {"rounds": 3}, ("B", "destroyed", 1, 5 + 2)),
        ({"removed": 3, "fleeing": 2}, {}, {"rounds": 6}, ("B", "routed", 0, 3 + 2)),
        ({}, {"removed": 5}, {"rounds": 2}, ("A", "destroyed", 5 + 2, 0)),
        ({"yielded": True}, {}, {"rounds": 2}, ("B", "yielded", 0, 2)),
    ],
)
def test_last_stand_is_won_by_one_unit_left_after_six_rounds(a, b, details, expected) -> None:
    """SCEN-02"""
    assert summary(score_report(battle("last_stand", a, b, **details))) == expected


def test_fleeing_units_never_hold_out_in_a_last_stand() -> None:
    """SCEN-02"""
    fled = battle("last_stand", {"removed": 3, "fleeing": 2}, rounds=6)
    assert summary(score_report(fled, Options(rout_ends_battle=False))) == ("B", "goal", 0, 5)


def test_unfinished_last_stand_is_undecided() -> None:
    with pytest.raises(Refusal, match="Last Stand is not decided"):
        score_report(battle("last_stand", rounds=4))
    assert score_report(battle("last_stand", rounds=4, stopped=True)).winner is None
    with pytest.raises(Refusal, match=r"rounds played is 7\. Give a whole number, 1 to 6"):
        battle("last_stand", rounds=7)


@pytest.mark.parametrize(
    ("a", "b", "crossings", "expected"),
    [
        ({}, {"removed": 1}, {"A": 2, "B": 1}, ("A", "points", 1 + 2 + 2, 1)),
        ({}, {}, {"A": 1, "B": 1}, (None, "drawn", 1, 1)),
        ({}, {}, {}, (None, "drawn", 0, 0)),
        ({}, {}, {"B": 3}, ("B", "points", 0, 3 + 2)),
        ({"yielded": True}, {}, {"A": 3}, ("B", "yielded", 3, 2)),
        ({"removed": 5}, {}, {"B": 1}, ("B", "destroyed", 0, 5 + 1 + 2)),
    ],
)
def test_whoever_holds_more_crossings_wins(a, b, crossings, expected) -> None:
    """SCEN-03, R-63"""
    assert summary(score_report(battle("secure_the_crossing", a, b, rounds=6, crossings=crossings))) == expected


def test_a_fleeing_unit_holds_no_objective() -> None:
    """R-67"""
    with pytest.raises(Refusal, match="Side A cannot hold 2 crossings with 1 units that are not fleeing"):
        battle("secure_the_crossing", {"removed": 2, "fleeing": 2}, crossings={"A": 2})
    with pytest.raises(Refusal, match="A fleeing unit holds nothing"):
        battle("take_the_fortress", {"removed": 4, "fleeing": 1}, holder="A")


@pytest.mark.parametrize(
    ("a", "b", "expected", "by_majority"),
    [
        ({"escaped": 1, "removed": 4}, {}, ("A", "goal", 1, 4), ("B", "points", 1, 4)),
        ({"escaped": 2, "removed": 3}, {"removed": 2}, ("A", "goal", 2, 3), ("B", "points", 2, 3)),
        ({"escaped": 3, "removed": 2}, {}, ("A", "goal", 3, 2), ("A", "points", 3, 2)),
        ({"removed": 5}, {}, ("B", "goal", 0, 5), ("B", "points", 0, 5)),
        ({"fielded": 4, "escaped": 2, "removed": 2}, {}, ("A", "goal", 2, 2), (None, "drawn", 2, 2)),
    ],
)
def test_side_a_breaks_free_with_a_single_unit(a, b, expected, by_majority) -> None:
    """SCEN-04, R-60"""
    report = battle("break_free", a, b)
    assert summary(score_report(report)) == expected
    assert summary(score_report(report, Options(break_free_winner="majority"))) == by_majority


def test_when_side_b_yields_everyone_still_on_the_table_has_escaped() -> None:
    """R-61"""
    assert summary(score_report(battle("break_free", {"removed": 2, "escaped": 1}, {"yielded": True}))) == (
        "A",
        "goal",
        3,
        2,
    )


def test_break_free_continues_while_side_a_has_units_on_the_table() -> None:
    """R-61"""
    with pytest.raises(Refusal, match="Break Free is not decided"):
        score_report(battle("break_free", {"escaped": 2}))
    # Even if all of them flee: they flee towards the edge they want.
    with pytest.raises(Refusal, match="Break Free is not decided"):
        score_report(battle("break_free", {"removed": 2, "fleeing": 3}))
    assert summary(score_report(battle("break_free", {"escaped": 2, "yielded": True}))) == ("B", "yielded", 2, 0)


@pytest.mark.parametrize(
    ("a", "b", "holder", "expected"),
    [
        ({"removed": 1}, {"removed": 3}, "A", ("A", "goal", 3 + 3, 1)),
        ({"removed": 3}, {"removed": 3}, "B", ("B", "goal", 3, 3 + 3)),
        ({}, {"fielded": 2, "removed": 2}, "A", ("A", "goal", 2 + 3, 0)),
        ({}, {"removed": 5}, None, ("A", "destroyed", 5 + 3, 0)),
        ({}, {"yielded": True, "removed": 1}, None, ("A", "yielded", 1 + 3, 0)),
    ],
)
def test_fortress_needs_three_kills_and_an_occupant_and_gives_three_vp(a, b, holder, expected) -> None:
    """SCEN-06, R-64"""
    assert summary(score_report(battle("take_the_fortress", a, b, holder=holder))) == expected


@pytest.mark.parametrize(
    ("b_removed", "holder"), [(2, "A"), (3, None), (3, "B")], ids=["two kills", "not occupied", "the enemy inside"]
)
def test_kills_alone_or_the_fortress_alone_do_not_decide(b_removed: int, holder: str | None) -> None:
    """SCEN-06"""
    with pytest.raises(Refusal, match="Take the Fortress is not decided"):
        score_report(battle("take_the_fortress", b={"removed": b_removed}, holder=holder))


def test_only_tall_mounds_are_scored_at_the_end_of_every_round() -> None:
    """SCEN-09, R-62"""
    held = ({"A": 2}, {"A": 1, "B": 2}, {"A": 1})
    report = score_report(battle("hold_the_hills", {"removed": 1}, {"removed": 5}, mounds=held, rounds=3))
    assert summary(report) == ("A", "destroyed", 4, 2)
    nothing = score_report(battle("hold_the_hills", {"removed": 5}, mounds=({}, {}), rounds=2))
    assert summary(nothing) == ("B", "destroyed", 0, 0)


@pytest.mark.parametrize(
    ("a", "b", "ablaze", "expected"),
    [
        ({"removed": 2}, {"removed": 1}, 4, ("A", "goal", 4 + 2, 2)),
        ({"removed": 5}, {}, 3, ("B", "destroyed", 3, 5 + 2)),
        ({"removed": 2, "fleeing": 3}, {}, 0, ("B", "routed", 0, 2 + 2)),
        ({}, {"removed": 5}, 1, ("A", "destroyed", 1 + 2, 0)),
        ({"removed": 5}, {}, 4, ("A", "goal", 4 + 2, 5)),
    ],
)
def test_a_chevauchee_is_won_by_four_fires_or_by_stopping_the_raiders(a, b, ablaze, expected) -> None:
    """SCEN-10"""
    assert summary(score_report(battle("chevauchee", a, b, ablaze=ablaze))) == expected


def test_a_siege_is_scored_like_a_battle_and_every_unit_counts() -> None:
    """SIEGE-15, R-85"""
    report = score_report(battle("siege", {"fielded": 8, "removed": 2}, {"fielded": 7, "removed": 7}))
    assert summary(report) == ("A", "destroyed", 7 + 2, 2)
    held = score_report(battle("siege", {"fielded": 8, "removed": 8}, {"fielded": 7, "removed": 3}))
    assert summary(held) == ("B", "destroyed", 3, 8 + 2)


def test_sole_occupation_takes_the_castle_only_by_house_rule() -> None:
    """R-79"""
    inside = battle("siege", {"removed": 1}, {"removed": 3}, holder="A")
    with pytest.raises(Refusal, match="The Siege is not decided"):
        score_report(inside)
    assert summary(score_report(inside, Options(siege_win="sole_occupant"))) == ("A", "goal", 3 + 2, 1)


# --- which list counts ---------------------------------------------------------------------------------------


SILENT = [
    # scenario, report, by the list, with the general points added
    ("break_free", {"a": {"escaped": 1, "removed": 4}, "b": {"removed": 2}}, (1, 4), (1 + 2 + 2, 4)),
    ("hold_the_hills", {"a": {"removed": 1}, "b": {"removed": 5}, "mounds": ({"A": 1},)}, (1, 0), (1 + 5 + 2, 1)),
    ("chevauchee", {"a": {"removed": 1}, "b": {"removed": 3}, "ablaze": 4}, (4 + 2, 1), (4 + 2 + 3, 1)),
    ("take_the_fortress", {"b": {"removed": 5}}, (5 + 3, 0), (5 + 3, 0)),
    ("pitched_battle", {"b": {"removed": 5}}, (5 + 2, 0), (5 + 2, 0)),
]


@pytest.mark.parametrize(("key", "details", "by_list", "with_general"), SILENT)
def test_the_scenarios_own_list_replaces_the_general_one(key, details, by_list, with_general) -> None:
    """VP-02, SCEN-12, R-53"""
    report = battle(key, **details)
    plain, filled = score_report(report), score_report(report, Options(base_vp_when_silent=True))
    assert (plain.vp("A"), plain.vp("B")) == by_list
    assert (filled.vp("A"), filled.vp("B")) == with_general
    assert plain.winner == filled.winner


# --- what cannot have happened -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "details", "sentence"),
    [
        ("pitched_battle", {"a": {"fielded": 0}}, "units side A fielded is 0"),
        ("pitched_battle", {"a": {"removed": 6}}, "units of side A removed is 6. Give a whole number, 0 to 5"),
        ("pitched_battle", {"b": {"removed": -1}}, "units of side B removed is -1"),
        ("pitched_battle", {"b": {"removed": 3, "fleeing": 3}}, "fleeing units of side B is 3"),
        ("pitched_battle", {"a": {"escaped": 1}}, "Units escape only on side A of Break Free"),
        ("break_free", {"b": {"escaped": 1}}, "Units escape only on side A of Break Free"),
        ("break_free", {"a": {"removed": 3, "escaped": 3}}, "units of side A that escaped is 3"),
        ("pitched_battle", {"a": {"yielded": "yes"}}, "Use true or false"),
        ("pitched_battle", {"crossings": {"A": 1}}, "There are no crossings in Pitched Battle"),
        ("secure_the_crossing", {"crossings": {"A": 2, "B": 2}}, "There are only 3 crossings, not 4"),
        ("secure_the_crossing", {"crossings": {"C": 1}}, "Choose one of A and B"),
        ("pitched_battle", {"mounds": ({"A": 1},)}, "no tall mounds to score in Pitched Battle"),
        ("hold_the_hills", {"mounds": ({"A": 4},)}, "mounds of side A is 4"),
        ("hold_the_hills", {"mounds": ({"A": 1},), "rounds": 2}, "You entered mounds for 1 rounds, but 2 were played"),
        ("pitched_battle", {"ablaze": 1}, "No buildings burn in Pitched Battle"),
        ("chevauchee", {"ablaze": 5}, "buildings ablaze is 5. Give a whole number, 0 to 4"),
        ("pitched_battle", {"holder": "A"}, "There is no fortress to hold in Pitched Battle"),
        ("picnic", {}, "There is no scenario “picnic”"),
        ("pitched_battle", {"rounds": 0}, "rounds played is 0"),
    ],
)
def test_impossible_report_is_refused(key: str, details: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        battle(key, **details)
    assert sentence in refused.value.sentence


sides = st.integers(1, 7).flatmap(
    lambda fielded: st.integers(0, fielded).flatmap(
        lambda removed: st.builds(
            SideReport,
            fielded=st.just(fielded),
            removed=st.just(removed),
            fleeing=st.integers(0, fielded - removed),
            yielded=st.booleans(),
        )
    )
)


@given(st.sampled_from([scenario.key for scenario in SCENARIOS]), sides, sides, st.booleans())
def test_every_report_has_at_most_one_winner_and_no_kill_scores_twice(key, a, b, flip: bool) -> None:
    report = score_report(Report(key, a, b, stopped=True), Options(base_vp_when_silent=flip))
    assert report.winner in ("A", "B", None)
    for side, enemy in (("A", b), ("B", a)):
        kills = [line for line in report.lines if line.side == side and line.key == "kill"]
        assert sum(line.vp for line in kills) <= enemy.removed
        assert len(kills) <= 1
        assert (side == report.winner) >= any(line.key == "win" and line.side == side for line in report.lines)
    assert report.reason


def test_stopping_a_decided_battle_changes_nothing_and_the_score_says_so() -> None:
    """R-94, R-54"""
    played = score_report(battle("pitched_battle", b={"removed": 5}))
    stopped = score_report(battle("pitched_battle", b={"removed": 5}, stopped=True))
    assert summary(stopped) == summary(played)
    assert stopped.notes == ("The battle was decided before it was stopped, so that changes nothing.",)
    assert played.notes == ()
