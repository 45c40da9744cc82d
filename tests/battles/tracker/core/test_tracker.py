"""The table-side tracker without a database: steps, taking back, setting as it stands, what it scores."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.tracker import goals, rounds, solo
from battles.tracker.course import course_of, sides_of_rolls
from battles.tracker.lines import resting_on
from battles.tracker.luck import luck
from battles.tracker.siege import sauce
from battles.tracker.table import Table
from refusal import Refusal
from rulebook.scoring import score
from tests.battles.tables import KING, Play, house


@pytest.fixture
def play() -> Play:
    play = Play()
    play.begin()
    return play


def test_a_battle_begins_with_a_die_of_each_side_and_ties_roll_again():
    """ROUND-01, R-68."""
    play = Play()
    with pytest.raises(Refusal, match="Roll again"):
        play.begin(5, 5)
    with pytest.raises(Refusal, match="not begun"):
        play.do("token", unit="A1", token="acted", on=True)
    play.begin(4, 9)
    assert play.table.round == 1
    assert rounds.turn(play.table) == "B"


def test_sides_act_by_turns_and_the_rest_follow_in_a_row(play):
    """ROUND-02, ROUND-03."""
    assert rounds.turn(play.table) == "A"
    play.do("did", unit="A1", did="move")
    assert rounds.turn(play.table) == "B"
    for unit in ("B1", "B2", "B3", "B4", "B5"):
        play.do("did", unit=unit, did="nothing")
    assert rounds.turn(play.table) == "A"
    with pytest.raises(Refusal, match="acted already"):
        play.do("did", unit="A1", did="nothing")
    play.do("round_over")
    assert play.table.round == 2
    assert not any(unit.acted or unit.moved for unit in play.table.units())


def test_shooting_is_rolled_die_by_die_and_leaves_its_mark(play):
    """SHOOT-05, SAVE-01, SAVE-02, MORALE-02."""
    play.do("fight", unit="A4", target="B5", how="shoot")
    fight = play.table.fights()["A4"]
    ask = course_of(play.table, play.terms, fight).ask
    assert ask.count == 4
    play.do("dice", fight="A4", faces=[10, 10, 1, 1])
    done = course_of(play.table, play.terms, play.table.fights()["A4"])
    assert (done.ask.what, sides_of_rolls(play.table, fight, done)[-1]) == ("save", "B")
    play.do("dice", fight="A4", faces=[1, 1])
    assert course_of(play.table, play.terms, play.table.fights()["A4"]).ask.what == "morale"
    play.do("dice", fight="A4", faces=[8])
    hoppers = play.table.unit("B5")
    assert (hoppers.now.models, hoppers.fleeing) == (1, True)
    assert play.table.unit("A4").acted
    assert not play.table.fights()
    assert any("flee." in sentence for sentence in play.steps[-1].said)


def test_who_is_near_is_told_when_morale_is_tested(play):
    """The King and a standard within 8" help; nobody sees before the dice whether it comes to that."""

    def asked() -> Any:
        return course_of(play.table, play.terms, play.table.fights()["A4"]).ask

    play.do("fight", unit="A4", target="B5", how="shoot")
    with pytest.raises(Refusal, match="No morale is tested now"):
        play.do("morale_holds", fight="A4", ticks={"king_near": True})
    play.do("dice", fight="A4", faces=[10, 10, 1, 1])
    play.do("dice", fight="A4", faces=[1, 1])
    alone = asked().dice[0].needed
    play.do("morale_holds", fight="A4", ticks={"king_near": True, "bearer": True})
    assert (asked().what, asked().dice[0].needed < alone) == ("morale", True)
    play.do("morale_holds", fight="A4", ticks={})
    assert asked().dice[0].needed == alone
    play.do("morale_holds", fight="A4", ticks={"king_near": True, "bearer": True})
    helped = asked().dice[0].needed
    assert helped < alone
    play.do("dice", fight="A4", faces=[helped])
    assert not play.table.unit("B5").fleeing
    with pytest.raises(Refusal, match="This fight is over"):
        play.do("morale_holds", fight="A4", ticks={})


def test_a_charge_is_answered_and_the_two_stay_in_melee(play):
    """MELEE-06, MELEE-07, MELEE-03."""
    play.fight("A3", "B3", "charge", [10, 1, 1, 1, 1, 1], [10])
    assert play.table.contacts("A3") == ("B3",)
    waiting = course_of(play.table, play.terms, play.table.fights()["A3"])
    assert waiting.ask.what == "hit"
    assert sides_of_rolls(play.table, play.table.fights()["A3"], waiting)[-1] == "B"
    play.do("dice", fight="A3", faces=[1, 1, 1, 1])
    assert play.table.contacts("B3") == ("A3",)
    with pytest.raises(Refusal, match="melee"):
        play.do("fight", unit="B3", target="A4", how="shoot")
    play.do("token", unit="B3", token="flees", on=True)
    assert play.table.contacts("A3") == ()


def test_a_charged_fleeing_unit_is_removed_without_dice(play):
    """MELEE-09, FLEE-06."""
    play.do("token", unit="B5", token="flees", on=True)
    play.do("fight", unit="A3", target="B5", how="charge")
    assert play.table.unit("B5").gone["how"] == "removed"
    assert goals.earned(play.table, play.terms, "A") == 1


def test_a_spell_a_blessing_and_a_kiss_count_once_a_round():
    """HERO-09, HERO-11, HERO-17, HERO-19."""
    play = Play(lay=False)
    play.lay(
        [KING, house(1, "mice_at_arms", "cleric"), house(2, "bow_mice", "princess")],
        [KING, house(1, "bow_mice", "wizard")],
    )
    play.begin()
    play.do("blessed", unit="A2", target="A3", inches=7)
    play.do("kissed", unit="A3", target="A2")
    assert play.table.unit("A3").now.blessed
    assert play.table.unit("A2").now.kissed == 1
    for step in ({"kind": "blessed", "unit": "A2", "target": "A1"}, {"kind": "kissed", "unit": "A3", "target": "A1"}):
        with pytest.raises(Refusal, match="already this round"):
            play.do(**step)
    play.fight("B2", "A2", "cast", [1])
    spell = course_of(play.table, play.terms, play.table.fights()["B2"])
    assert spell.ask is not None
    play.do("dice", fight="B2", faces=[9] * spell.ask.count)
    while play.table.fights():
        ask = course_of(play.table, play.terms, play.table.fights()["B2"]).ask
        play.do("dice", fight="B2", faces=[9] * ask.count)
    with pytest.raises(Refusal, match="cast already"):
        play.do("fight", unit="B2", target="A1", how="cast")
    play.do("round_over")
    assert not play.table.unit("A3").now.blessed
    assert not play.table.unit("B2").power_used


def test_the_same_tap_from_two_phones_is_one_tap(play):
    play.do("losses", unit="B3", models=3)
    before = len(play.steps)
    assert play.do("losses", unit="B3", models=3).idle
    play.do("token", unit="A1", token="acted", on=True)
    assert play.do("token", unit="A1", token="acted", on=True).idle
    assert len(play.steps) == before + 1


def test_dice_rolled_on_another_phone_are_not_rolled_twice(play):
    play.do("fight", unit="A4", target="B5", how="shoot")
    play.do("dice", fight="A4", faces=[10, 1, 1, 1], at=0)
    with pytest.raises(Refusal, match="another phone") as refused:
        play.do("dice", fight="A4", faces=[10, 10, 10, 10], at=0)
    assert refused.value.status == 409


def test_a_step_is_taken_back_with_what_rested_on_it_and_nothing_else(play):
    play.do("losses", unit="B3", models=3)  # 3
    play.do("losses", unit="A5", models=2)  # 4
    play.fight("A4", "B3", "shoot", [10, 1, 1, 1], [1], [10])  # 5 to 8, looks at B3
    play.do("did", unit="A1", did="move")  # 9
    assert resting_on(play.steps, 3) == (3, 5, 6, 7, 8)
    play.take_back(3)
    assert play.table.unit("B3").now.models == 4
    assert not play.table.unit("A4").acted
    assert play.table.unit("A5").now.models == 2
    assert play.table.unit("A1").acted
    with pytest.raises(Refusal, match="does not count"):
        play.take_back(5)


def test_what_a_unit_did_of_its_own_is_no_reason_for_what_befell_it(play):
    """The move of B3 can go without the shot at it, and a loss without the token pushed after it."""
    play.do("did", unit="B3", did="move")  # 3
    play.fight("A4", "B3", "shoot", [10, 1, 1, 1], [1], [10])  # 4 to 7
    play.do("losses", unit="A5", models=3)  # 8
    play.do("token", unit="A5", token="acted", on=True)  # 9
    assert play.take_back(3) == (3,)
    assert play.take_back(8) == (8,)
    assert (play.table.unit("B3").now.models, play.table.unit("B3").acted) == (3, False)
    assert play.table.unit("A5").acted


def test_without_its_armies_there_is_no_table(play):
    play.do("did", unit="A1", did="move")
    assert play.take_back(1) == (1, 2, 3)
    assert play.table.cells == {}
    play.lay()
    assert play.table.round == 0


def test_taking_back_a_taking_back_puts_everything_back(play):
    play.do("losses", unit="B3", models=3)
    before = play.table.cells
    play.take_back(3)
    assert play.table.cells != before
    from battles.tracker.lines import TAKE_BACK, Step

    play.steps.append(Step(len(play.steps) + 1, TAKE_BACK, {"steps": [len(play.steps)]}, {}))
    assert play.table.cells == before


def test_set_as_it_stands_needs_no_replay_and_stands_by_itself(play):
    play.do("losses", unit="B3", models=1)
    play.do(
        "set",
        round=4,
        units={
            "B3": {"models": 2, "acted": True},
            "A5": {"flees": True, "models": 1},
            "B5": {"gone": True},
            "B2": {"wounds": 3},
            "A1": {"models": 2, "wounds": 1},
        },
    )
    table = play.table
    assert table.round == 4
    assert (table.unit("B3").now.models, table.unit("B3").acted) == (2, True)
    assert table.unit("A5").fleeing
    assert table.unit("B5").gone["how"] == "removed"
    assert (table.unit("B2").now.wounds, table.unit("A1").now.wounds) == (3, 1)
    # The loss before it can go; what was set stays.
    assert play.take_back(3) == (3,)
    assert play.table.unit("B3").now.models == 2


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"units": {"B3": {"models": 9}}}, "models of Bow-Mice is 9"),
        ({"units": {"B2": {"wounds": 4}}}, "wounds"),
        ({"units": {"B2": {"flees": True}}}, "never tests morale"),
        ({"units": {"Z9": {"models": 1}}}, "no unit"),
        ({"units": {"A3": {"gone": "escaped"}}}, "Break Free"),
        ({"round": -1}, "round is -1"),
    ],
)
def test_what_cannot_stand_on_a_table_is_refused(play, body, sentence):
    with pytest.raises(Refusal, match=sentence):
        play.do("set", **body)


def test_a_re_roll_costs_a_point_of_what_was_earned_here_too():
    """VP-05, R-57: the purse is the balance, plus kills so far, less what was spent."""
    play = Play(lay=False)
    play.lay(vp_a=0, vp_b=1)
    play.begin()
    assert goals.purse(play.table, play.terms, "A") == 0
    play.do("losses", unit="B5", models=0)
    assert goals.purse(play.table, play.terms, "A") == 1
    play.do("fight", unit="A4", target="B3", how="shoot")
    play.do("dice", fight="A4", faces=[10, 1, 1, 1])
    play.do("rerolled", fight="A4", die=1, face=9)
    assert play.table.fights()["A4"]["faces"] == [10, 9, 1, 1]
    assert goals.purse(play.table, play.terms, "A") == 0
    with pytest.raises(Refusal, match="costs 1 VP"):
        play.do("rerolled", fight="A4", die=2, face=9)
    play.do("dice", fight="A4", faces=[9, 1])
    play.do("dice", fight="A4", faces=[2])
    # Nothing more is asked, but the defender could pay for the morale die: it waits until somebody says it stands.
    assert "A4" in play.table.fights()
    with pytest.raises(Refusal, match="A fight is under way"):
        play.do("round_over")
    play.do("rerolled", fight="A4", die=0, face=10)
    assert not play.table.fights()
    assert (play.table.unit("B3").now.models, play.table.unit("B3").here) == (3, True)
    assert (play.table.spent("A"), play.table.spent("B")) == (1, 1)


def test_a_natural_end_is_seen_and_a_rout_only_when_the_round_is_over(play):
    """R-59."""
    for unit in ("B1", "B3", "B4", "B5"):
        play.do("losses", unit=unit, models=0)
    assert not goals.verdict(play.table, play.terms).over
    play.do("losses", unit="B2", models=0)
    found = goals.verdict(play.table, play.terms)
    assert (found.over, found.winner) == (True, "A")
    told = score(goals.report(play.table, play.terms), play.terms.options)
    assert (told.winner, told.vp("A"), told.vp("B")) == ("A", 7, 0)
    rout = Play()
    rout.begin()
    for unit in ("B1", "B3", "B4", "B5"):
        rout.do("token", unit=unit, token="flees", on=True)
    rout.do("losses", unit="B2", models=0)
    assert not goals.verdict(rout.table, rout.terms).over
    assert goals.verdict(rout.table, rout.terms, round_over=True).winner == "A"


def test_goals_of_each_scenario_are_asked_only_where_they_belong():
    hills = Play("hold_the_hills")
    hills.begin()
    hills.do("round_over", held={"A": 2, "B": 1})
    hills.do("round_over", held={"A": 1})
    assert (goals.earned(hills.table, hills.terms, "A"), goals.earned(hills.table, hills.terms, "B")) == (3, 1)
    with pytest.raises(Refusal, match="no crossings"):
        hills.do("crossings", held={"A": 1})
    with pytest.raises(Refusal, match="There are 3 mounds"):
        hills.do("round_over", held={"A": 2, "B": 2})
    free = Play("break_free")
    free.begin()
    free.do("gone", unit="A2", how="escaped")
    free.do("token", unit="A5", token="flees", on=True)
    free.do("gone", unit="A5", how="edge")
    assert goals.earned(free.table, free.terms, "A") == 2
    fire = Play("chevauchee")
    fire.begin()
    fire.fight("A2", None, "torch", [10, 10, 1, 1, 1], building=1)
    assert goals.ablaze(fire.table) == 1
    ford = Play("secure_the_crossing")
    ford.begin()
    for _ in range(6):
        ford.do("round_over")
    ford.do("crossings", held={"A": 2, "B": 1})
    assert goals.verdict(ford.table, ford.terms).winner == "A"
    ambush = Play("ambush")
    ambush.do("begin")
    assert rounds.turn(ambush.table) == "B"


def test_random_events_are_rolled_and_known_to_every_fight():
    """EVENT-02, EVENT-06, EVENT-10."""
    play = Play(random_events=True)
    play.begin()
    play.do("event", roll=9, second=4)
    assert play.table.event == "storm"
    play.do("fight", unit="A4", target="B5", how="shoot")
    assert play.table.fights()["A4"]["situation"]["event"] == "storm"
    play.do("broken_off", fight="A4")
    play.do("round_over")
    assert play.table.event is None
    play.do("event", roll=8, second=9)
    play.do("fight", unit="A4", target="B5", how="shoot")
    assert play.table.fights()["A4"]["situation"]["attacker"]["first_activated"], (
        "the Messenger came to the first to act"
    )
    play.do("broken_off", fight="A4")
    play.do("round_over")
    play.do("event", roll=8, second=10)
    play.do("losses", unit="A5", models=2)
    play.do("reinforced", unit="A5", roll=10)
    assert play.table.unit("A5").now.models == 3
    with pytest.raises(Refusal, match="already"):
        play.do("reinforced", unit="A5", roll=10)


# --- sieges --------------------------------------------------------------------------------------------------------


@pytest.fixture
def siege() -> Play:
    play = Play("siege", lay=False)
    play.lay(
        [KING, house(1, "mice_at_arms", "champion"), {"unit": "cat_non", "origin": "train", "number": 1}],
        [KING, house(1, "bow_mice"), house(2, "field_mice")],
    )
    play.do("stands_at", unit="B2", to={"castle": "battlement_n"})
    play.do("stands_at", unit="B1", to={"castle": "courtyard"})
    play.begin()
    return play


def test_the_garrison_stands_on_its_towers_and_never_moves(siege):
    """SIEGE-10, SIEGE-13."""
    table = siege.table
    assert [unit.at["castle"] for unit in table.units("B") if unit.fixed] == ["tower_nw", "tower_ne"]
    assert table.castle()["gatehouse"].vat
    with pytest.raises(Refusal, match="cannot move"):
        siege.do("did", unit="B4", did="move")
    with pytest.raises(Refusal, match="must be levelled"):
        siege.do("stands_at", unit="A2", to={"castle": "courtyard"})


def test_a_tower_falls_and_buries_who_stands_there(siege):
    """SIEGE-05, SIEGE-06, SIEGE-07, R-86."""
    siege.fight("A3", None, "bombard", [10, 10], [1, 1], piece="tower_nw")
    table = siege.table
    assert table.castle()["tower_nw"].levelled
    assert table.castle().breached
    assert table.unit("B4").gone["why"] == "buried in rubble"
    assert goals.earned(table, siege.terms, "A") == 1
    siege.do("stands_at", unit="A2", to={"castle": "courtyard"})
    going = siege.take_back(next(step.number for step in siege.steps if step.kind == "fight"))
    assert going == (5, 6, 7, 8)  # the step into the courtyard rests on the breach
    assert siege.table.unit("B4").here


def test_two_guns_at_one_wall_in_the_same_moment_add_up():
    """SIEGE-05."""
    guns = [{"unit": "cat_non", "origin": "train", "number": number} for number in (1, 2, 3)]
    play = Play("siege", lay=False)
    play.lay([KING, *guns], [KING])
    play.begin()
    for gun in ("A2", "A3", "A4"):
        play.do("fight", unit=gun, how="bombard", piece="tower_nw")
    for gun in ("A2", "A3"):
        play.do("dice", fight=gun, faces=[10, 1])
        play.do("dice", fight=gun, faces=[1])
    assert play.table.castle()["tower_nw"].levelled
    assert not play.table.unit("B2").here
    play.do("dice", fight="A4", faces=[10, 10])
    play.do("dice", fight="A4", faces=[1, 1])
    assert play.table.castle()["tower_nw"].damage == 2


def test_sauce_is_poured_once_in_a_melee_and_shakes_morale(siege):
    """SIEGE-11, SIEGE-12, R-82."""
    waits = sauce(siege.table, siege.table.unit("A2"), siege.table.unit("B2"))
    assert waits
    assert waits.reason == f"The vat is manned by {siege.table.called('B2')}: roll a d10."
    siege.do("poured", unit="A2", piece="battlement_n", roll=9)
    assert siege.table.unit("A2").now.models == 4
    assert siege.table.fights()["A2"]["how"] == "nerve"
    siege.do("dice", fight="A2", faces=[10])
    with pytest.raises(Refusal, match=f"over {siege.table.called('A2')} in this melee already"):
        siege.do("poured", unit="A2", piece="battlement_n", roll=9)
    siege.fight("A2", "B2", "charge", [1, 1, 1, 1], [1, 1, 1, 1])
    assert siege.table.contacts("A2") == ("B2",)
    siege.do("contact", unit="A2", other="B2", on=False)


def test_a_siege_is_put_away_and_goes_on_another_night(siege):
    siege.do("put_away")
    kept = json.loads(json.dumps(siege.table.cells))
    assert Table(kept).castle() == siege.table.castle()
    siege.do("put_away", away=False)
    assert siege.table.get("away", False) is False


# --- solo ----------------------------------------------------------------------------------------------------------


def test_the_other_army_says_who_does_what_and_why():
    """SOLO-02, SOLO-03, SOLO-04, SOLO-05, SOLO-08."""
    play = Play(lay=False)
    play.lay(solo="B")
    play.begin(3, 8)
    assert {unit.id for unit in solo.asks(play.table)} == {"B1", "B2", "B3", "B4", "B5"}
    play.do("solo", roll=2, seen={"B3": {"enemy": "A2", "inches": 7}, "B4": {"enemy": "A1", "inches": 14}})
    told = solo.now(play.table)
    assert (told["unit"], told["does"], told["target"]) == ("B3", "shoot", "A2")
    assert told["hero"]["hero"] == "wizard"
    assert told["reasons"]
    play.fight("B3", "A2", "shoot", [1, 1, 1, 1])
    assert solo.now(play.table) is None
    play.do("solo", roll=5, seen={"B2": {"enemy": "A2", "inches": 6}})
    assert (solo.now(play.table)["unit"], solo.now(play.table)["does"]) == ("B2", "charge")
    play.fight("B2", "A2", "charge", [1, 1, 1, 1], [1, 1, 1, 1, 1])
    play.do("solo", roll=10)
    tied = solo.now(play.table)
    assert tied["tie"] == "units"
    play.do("solo", roll=10, unit=tied["tied"][0])
    assert solo.now(play.table)["unit"] == tied["tied"][0]


def test_luck_is_counted_for_dice_that_can_fail(play):
    play.fight("A4", "B5", "shoot", [10, 10, 10, 10], [1, 1, 1, 1])
    told = {one.side: one for one in luck(play.steps)}
    assert (told["A"].dice, told["A"].successes) == (4, 4)
    assert told["A"].over > 0
    assert told["B"].over < 0


# --- any legal sequence --------------------------------------------------------------------------------------------

SCENARIOS = ("pitched_battle", "hold_the_hills", "break_free", "chevauchee", "take_the_fortress", "siege", "last_stand")


def any_step(draw: Any, play: Play) -> tuple[str, dict[str, Any]]:
    """Something a table could tap now; not all of it is legal."""
    table = play.table
    pick = lambda values: draw(st.sampled_from(list(values)))  # noqa: E731
    if table.fights() and draw(st.booleans()):
        key = pick(table.fights())
        ask = course_of(table, play.terms, table.fights()[key]).ask
        if ask is None:
            return "settled", {"fight": key}
        if ask.what == "morale" and draw(st.booleans()):
            return "morale_holds", {"fight": key, "ticks": {"king_near": draw(st.booleans()), "bearer": True}}
        return "dice", {"fight": key, "faces": [draw(st.integers(1, 10)) for _ in range(ask.count)]}
    mine = pick(table.ids("A"))
    theirs = pick(table.ids("B"))
    if draw(st.booleans()):
        mine, theirs = theirs, mine
    kind = pick(
        ("token", "did", "losses", "fight", "fight", "fight", "set", "round_over", "gone", "stands_at", "held", "spent")
    )
    if kind == "token":
        return kind, {"unit": mine, "token": pick(("acted", "flees")), "on": draw(st.booleans())}
    if kind == "did":
        return kind, {"unit": mine, "did": pick(("nothing", "move"))}
    if kind == "losses":
        return kind, {"unit": mine, "models": draw(st.integers(0, 5))}
    if kind == "fight":
        how = pick(("shoot", "charge", "strike", "rally", "cast", "torch", "bombard"))
        more = {"building": draw(st.integers(1, 4)), "piece": "tower_nw"}
        return kind, {
            "unit": mine,
            "target": theirs if how in ("shoot", "charge", "strike", "cast") else None,
            "how": how,
            **more,
        }
    if kind == "set":
        unit = {"models": draw(st.integers(1, 3)), "flees": draw(st.booleans()), "gone": draw(st.booleans())}
        return kind, {"round": draw(st.integers(1, 6)), "units": {mine: unit}}
    if kind == "gone":
        return kind, {"unit": mine, "how": pick(("removed", "escaped", "edge"))}
    if kind == "stands_at":
        return kind, {"unit": mine, "to": {"terrain": pick(("clear", "mound", "bad_goings"))}}
    if kind == "held":
        return kind, {
            "round": draw(st.integers(1, 6)),
            "held": {"A": draw(st.integers(0, 2)), "B": draw(st.integers(0, 1))},
        }
    if kind == "spent":
        return kind, {"side": mine[0], "vp": draw(st.integers(0, 3))}
    return kind, {"held": {"A": draw(st.integers(0, 1)), "B": draw(st.integers(0, 2))}}


@settings(max_examples=40)
@given(st.data())
def test_any_steps_taken_back_in_full_give_the_start_and_the_points_are_the_rulebooks(data):
    any_sequence(data)


@pytest.mark.soak
@settings(max_examples=1500)
@given(st.data())
def test_very_many_such_sequences(data):
    any_sequence(data)


def any_sequence(data: Any) -> None:
    """VP by tracker and by rulebook.scoring agree after every step; the snapshot is plain JSON."""
    play = Play(data.draw(st.sampled_from(SCENARIOS)))
    start = play.table.cells
    play.begin()
    for _ in range(data.draw(st.integers(1, 14))):
        kind, body = any_step(data.draw, play)
        before = play.table.cells
        try:
            play.do(kind, **body)
        except Refusal:
            assert play.table.cells == before
        table = play.table
        assert json.loads(json.dumps(table.cells)) == table.cells
        told = goals.report(table, play.terms, stopped=True)
        scored = score(told, play.terms.options)
        for side, other in (("A", "B"), ("B", "A")):
            earned = goals.earned(table, play.terms, side)
            assert earned + (scored.winner == side) * play.terms.row.pays("win", side) == scored.vp(side)
            kills = sum(unit.gone is not None and unit.gone["how"] == "removed" for unit in table.units(other))
            assert told.side(other).removed == kills
        rounds.turn(table)
        goals.verdict(table, play.terms)
    live = [step.number for step in play.steps if step.number > 1]
    while live:
        number = data.draw(st.sampled_from(live))
        gone = set(play.take_back(number))
        assert min(gone) == number
        live = [one for one in live if one not in gone]
    assert play.table.cells == start
