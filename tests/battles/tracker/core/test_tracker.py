"""The tracker without a database: steps, undo, fixes and scores."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from battles.tracker.core import live_score, logged_steps
from battles.tracker.core.fight_progress import meanings_of, progress_of, sides_of_rolls
from battles.tracker.core.logged_steps import UNDO, find_dependent_steps, judge_step, measure_luck, read_feats
from battles.tracker.core.state import TrackerState
from battles.tracker.core.steps import rounds, solo_turn
from battles.tracker.core.steps.sauce_and_castle_damage import can_pour_sauce
from refusal import Refusal
from rulebook.campaign.battle_scoring import score_report
from tests.battles.tracker.core.memory_tracker import KING, Play, house


@pytest.fixture
def play() -> Play:
    play = Play()
    play.begin()
    return play


def test_initiative_decides_who_begins_and_ties_roll_again():
    """ROUND-01, R-68."""
    play = Play()
    with pytest.raises(Refusal, match="Roll again"):
        play.begin(5, 5)
    with pytest.raises(Refusal, match="not begun"):
        play.do("token", unit="A1", token="acted", on=True)
    play.begin(4, 9)
    assert play.tracker.round == 1
    assert rounds.side_to_act(play.tracker) == "B"


def test_sides_alternate_and_the_larger_side_finishes_alone(play):
    """ROUND-02, ROUND-03."""
    assert rounds.side_to_act(play.tracker) == "A"
    play.do("did", unit="A1", did="move")
    assert rounds.side_to_act(play.tracker) == "B"
    for unit in ("B1", "B2", "B3", "B4", "B5"):
        play.do("did", unit=unit, did="nothing")
    assert rounds.side_to_act(play.tracker) == "A"
    with pytest.raises(Refusal, match="already acted"):
        play.do("did", unit="A1", did="nothing")
    play.do("round_over")
    assert play.tracker.round == 2
    assert not any(unit.acted or unit.moved for unit in play.tracker.units())


def test_shooting_asks_for_each_roll_and_applies_the_outcome(play):
    """SHOOT-05, SAVE-01, SAVE-02, MORALE-02."""
    play.do("fight", unit="A4", target="B5", how="shoot")
    fight = play.tracker.fights()["A4"]
    ask = progress_of(play.tracker, play.terms, fight).ask
    assert ask.count == 4
    play.do("dice", fight="A4", faces=[10, 10, 1, 1])
    done = progress_of(play.tracker, play.terms, play.tracker.fights()["A4"])
    assert (done.ask.what, sides_of_rolls(play.tracker, fight, done)[-1]) == ("save", "B")
    play.do("dice", fight="A4", faces=[1, 1])
    assert progress_of(play.tracker, play.terms, play.tracker.fights()["A4"]).ask.what == "morale"
    play.do("dice", fight="A4", faces=[8])
    hoppers = play.tracker.unit("B5")
    assert (hoppers.now.models, hoppers.fleeing) == (1, True)
    assert play.tracker.unit("A4").acted
    assert not play.tracker.fights()
    assert any("flee." in sentence for sentence in play.steps[-1].sentences)


def test_morale_ticks_are_set_when_morale_is_tested(play):
    """The King and a standard within 8" help; nobody sees before the dice whether it comes to that."""

    def asked() -> Any:
        return progress_of(play.tracker, play.terms, play.tracker.fights()["A4"]).ask

    play.do("fight", unit="A4", target="B5", how="shoot")
    with pytest.raises(Refusal, match="No morale test is due now"):
        play.do("morale_holds", fight="A4", ticks={"king_near": True})
    play.do("dice", fight="A4", faces=[10, 10, 1, 1])
    play.do("dice", fight="A4", faces=[1, 1])
    alone = asked().dice[0].needed
    meanings = meanings_of(play.tracker, play.terms, play.tracker.fights()["A4"])
    assert [one.split(": ")[1] for one in meanings] == ["scatters", "flees", "stands"]
    assert meanings[-1].startswith(f"{alone}")
    play.do("morale_holds", fight="A4", ticks={"king_near": True, "bearer": True})
    assert (asked().what, asked().dice[0].needed < alone) == ("morale", True)
    play.do("morale_holds", fight="A4", ticks={})
    assert asked().dice[0].needed == alone
    play.do("morale_holds", fight="A4", ticks={"king_near": True, "bearer": True})
    helped = asked().dice[0].needed
    assert helped < alone
    play.do("dice", fight="A4", faces=[helped])
    assert not play.tracker.unit("B5").fleeing
    with pytest.raises(Refusal, match="This fight is over"):
        play.do("morale_holds", fight="A4", ticks={})


def test_target_battles_back_and_both_units_stay_in_melee(play):
    """MELEE-06, MELEE-07, MELEE-03."""
    play.fight("A3", "B3", "charge", [10, 1, 1, 1, 1, 1], [10])
    assert play.tracker.contacts("A3") == ("B3",)
    waiting = progress_of(play.tracker, play.terms, play.tracker.fights()["A3"])
    assert waiting.ask.what == "hit"
    assert sides_of_rolls(play.tracker, play.tracker.fights()["A3"], waiting)[-1] == "B"
    play.do("dice", fight="A3", faces=[1, 1, 1, 1])
    assert play.tracker.contacts("B3") == ("A3",)
    with pytest.raises(Refusal, match="melee"):
        play.do("fight", unit="B3", target="A4", how="shoot")
    play.do("token", unit="B3", token="flees", on=True)
    assert play.tracker.contacts("A3") == ()


def test_a_charged_fleeing_unit_is_removed_without_dice(play):
    """MELEE-09, FLEE-06."""
    play.do("token", unit="B5", token="flees", on=True)
    play.do("fight", unit="A3", target="B5", how="charge")
    assert play.tracker.unit("B5").gone.how == "removed"
    assert live_score.vp_earned(play.tracker, play.terms, "A") == 1


def test_hero_powers_work_once_a_round():
    """HERO-09, HERO-11, HERO-17, HERO-19."""
    play = Play(set_up=False)
    play.set_up(
        [KING, house(1, "mice_at_arms", "cleric"), house(2, "bow_mice", "princess")],
        [KING, house(1, "bow_mice", "wizard")],
    )
    play.begin()
    play.do("blessed", unit="A2", target="A3", inches=7)
    play.do("kissed", unit="A3", target="A2")
    assert play.tracker.unit("A3").now.blessed
    assert play.tracker.unit("A2").now.kissed == 1
    for step in ({"kind": "blessed", "unit": "A2", "target": "A1"}, {"kind": "kissed", "unit": "A3", "target": "A1"}):
        with pytest.raises(Refusal, match="already used this power this round"):
            play.do(**step)
    play.fight("B2", "A2", "cast", [1])
    spell = progress_of(play.tracker, play.terms, play.tracker.fights()["B2"])
    assert spell.ask is not None
    play.do("dice", fight="B2", faces=[9] * spell.ask.count)
    while play.tracker.fights():
        ask = progress_of(play.tracker, play.terms, play.tracker.fights()["B2"]).ask
        play.do("dice", fight="B2", faces=[9] * ask.count)
    with pytest.raises(Refusal, match="The Wizard has already used this power this round"):
        play.do("fight", unit="B2", target="A1", how="cast")
    play.do("round_over")
    assert not play.tracker.unit("A3").now.blessed
    assert not play.tracker.unit("B2").power_used


def test_same_tap_from_two_phones_counts_once(play):
    play.do("losses", unit="B3", models=3)
    before = len(play.steps)
    assert play.do("losses", unit="B3", models=3).changes_nothing
    play.do("token", unit="A1", token="acted", on=True)
    assert play.do("token", unit="A1", token="acted", on=True).changes_nothing
    assert len(play.steps) == before + 1


def test_dice_entered_on_another_phone_are_not_entered_twice(play):
    play.do("fight", unit="A4", target="B5", how="shoot")
    play.do("dice", fight="A4", faces=[10, 1, 1, 1], at=0)
    with pytest.raises(Refusal, match="Another phone already entered these dice") as refused:
        play.do("dice", fight="A4", faces=[10, 10, 10, 10], at=0)
    assert refused.value.status == 409


def test_undo_removes_only_dependent_steps(play):
    play.do("losses", unit="B3", models=3)  # 3
    play.do("losses", unit="A5", models=2)  # 4
    play.fight("A4", "B3", "shoot", [10, 1, 1, 1], [1], [10])  # 5 to 8, looks at B3
    play.do("did", unit="A1", did="move")  # 9
    assert find_dependent_steps(play.steps, 3) == (3, 5, 6, 7, 8)
    play.undo(3)
    assert play.tracker.unit("B3").now.models == 4
    assert not play.tracker.unit("A4").acted
    assert play.tracker.unit("A5").now.models == 2
    assert play.tracker.unit("A1").acted
    with pytest.raises(Refusal, match="This step is already undone"):
        play.undo(5)


def test_attack_does_not_depend_on_what_its_target_did(play):
    """The move of B3 can go without the shot at it, and a loss without the token pushed after it."""
    play.do("did", unit="B3", did="move")  # 3
    play.fight("A4", "B3", "shoot", [10, 1, 1, 1], [1], [10])  # 4 to 7
    play.do("losses", unit="A5", models=3)  # 8
    play.do("token", unit="A5", token="acted", on=True)  # 9
    assert play.undo(3) == (3,)
    assert play.undo(8) == (8,)
    assert (play.tracker.unit("B3").now.models, play.tracker.unit("B3").acted) == (3, False)
    assert play.tracker.unit("A5").acted


def test_undoing_the_setup_undoes_everything(play):
    play.do("did", unit="A1", did="move")
    assert play.undo(1) == (1, 2, 3)
    assert play.tracker.cells == {}
    play.set_up()
    assert play.tracker.round == 0


def test_undoing_an_undo_restores_the_steps(play):
    play.do("losses", unit="B3", models=3)
    before = play.tracker.cells
    play.undo(3)
    assert play.tracker.cells != before
    play.steps.append(
        logged_steps.read_entry(len(play.steps) + 1, UNDO, logged_steps.write_undo([len(play.steps)]), [])
    )
    assert play.tracker.cells == before


def test_fixing_the_tracker_does_not_depend_on_earlier_steps(play):
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
    tracker = play.tracker
    assert tracker.round == 4
    assert (tracker.unit("B3").now.models, tracker.unit("B3").acted) == (2, True)
    assert tracker.unit("A5").fleeing
    assert tracker.unit("B5").gone.how == "removed"
    assert (tracker.unit("B2").now.wounds, tracker.unit("A1").now.wounds) == (3, 1)
    # The loss before it can go; what was set stays.
    assert play.undo(3) == (3,)
    assert play.tracker.unit("B3").now.models == 2


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
def test_impossible_fixes_are_refused(play, body, sentence):
    with pytest.raises(Refusal, match=sentence):
        play.do("set", **body)


def test_reroll_costs_one_vp_including_vp_earned_in_the_battle():
    """VP-05, R-57: VP to spend are the balance, plus kills so far, less what was spent."""
    play = Play(set_up=False)
    play.set_up(vp_a=0, vp_b=1)
    play.begin()
    assert live_score.vp_available(play.tracker, play.terms, "A") == 0
    play.do("losses", unit="B5", models=0)
    assert live_score.vp_available(play.tracker, play.terms, "A") == 1
    play.do("fight", unit="A4", target="B3", how="shoot")
    play.do("dice", fight="A4", faces=[10, 1, 1, 1])
    play.do("rerolled", fight="A4", die=1, face=9)
    assert play.tracker.fights()["A4"].faces == (10, 9, 1, 1)
    assert live_score.vp_available(play.tracker, play.terms, "A") == 0
    with pytest.raises(Refusal, match="costs 1 VP"):
        play.do("rerolled", fight="A4", die=2, face=9)
    play.do("dice", fight="A4", faces=[9, 1])
    with pytest.raises(Refusal, match=r"Unfinished attack: .* Finish rolling or cancel the attack"):
        play.do("round_over")
    play.do("dice", fight="A4", faces=[2])
    # All is rolled and counts. The defender can still pay to re-roll the morale die.
    assert not play.tracker.fights()
    assert not play.tracker.unit("B3").here
    play.do("rerolled", fight="A4", die=0, face=10)
    assert not play.tracker.fights()
    assert (play.tracker.unit("B3").now.models, play.tracker.unit("B3").here) == (3, True)
    assert (play.tracker.vp_spent("A"), play.tracker.vp_spent("B")) == (1, 1)


def scattered_bows(**options: Any) -> Play:
    """A shot after which B's bow-mice scatter; B has VP to re-roll the morale die."""
    play = Play(set_up=False, **options)
    play.set_up(vp_b=3)
    play.begin()
    play.fight("A4", "B3", "shoot", [10, 9, 1, 1], [9, 1], [2])
    assert not play.tracker.unit("B3").here
    return play


def test_reroll_on_offer_lapses_with_the_next_step():
    play = scattered_bows()
    after = play.tracker.cells
    play.do("did", unit="B4", did="move")
    assert "offer" not in play.tracker.cells
    with pytest.raises(Refusal, match="This fight is over"):
        play.do("rerolled", fight="A4", die=0, face=10)
    play.undo(len(play.steps))  # with the move taken back, the re-roll is on offer again
    assert play.tracker.cells == after
    play.do("rerolled", fight="A4", die=0, face=10)
    assert play.tracker.unit("B3").here


def test_bought_reroll_is_undone_alone_and_with_its_fight():
    play = scattered_bows()
    after = play.tracker.cells
    play.do("rerolled", fight="A4", die=0, face=10)
    assert play.undo(len(play.steps)) == (len(play.steps) - 1,)
    assert play.tracker.cells == after
    play = scattered_bows()
    started = next(step.number for step in play.steps if step.kind == "fight")
    play.do("rerolled", fight="A4", die=0, face=10)
    assert len(play.undo(started)) == 5
    assert play.tracker.unit("B3").now.models == 4
    assert play.tracker.vp_spent("B") == 0


def test_last_vp_buys_one_reroll_and_no_other_is_on_offer():
    play = Play(set_up=False)
    play.set_up(vp_b=1)
    play.begin()
    play.fight("A4", "B3", "shoot", [10, 9, 1, 1], [9, 1], [2])
    assert "offer" in play.tracker.cells
    play.do("rerolled", fight="A4", die=0, face=3)
    assert "offer" not in play.tracker.cells


def test_kills_follow_a_bought_reroll():
    play = scattered_bows()
    assert [kill.victim.name for kill in read_feats(play.steps).kills] == ["Bow-Mice"]
    play.do("rerolled", fight="A4", die=0, face=3)  # and scatter again
    assert [kill.victim.name for kill in read_feats(play.steps).kills] == ["Bow-Mice"]
    play.do("rerolled", fight="A4", die=0, face=10)
    assert not read_feats(play.steps).kills


def test_rerolled_die_can_ask_for_more_dice():
    """Missed shots are over at once; if one hits after all, the save is due."""
    play = Play(set_up=False)
    play.set_up(vp_a=1)
    play.begin()
    play.fight("A4", "B3", "shoot", [1, 1, 1, 1])
    assert (play.tracker.unit("A4").acted, play.tracker.fights()) == (True, {})
    play.do("rerolled", fight="A4", die=0, face=10)
    assert play.tracker.fights()["A4"].faces == (10, 1, 1, 1)
    assert not play.tracker.unit("A4").acted
    play.do("dice", fight="A4", faces=[10])
    assert play.tracker.unit("A4").acted


def test_fight_of_an_older_release_that_waits_for_its_roll_is_settled():
    play = scattered_bows()
    before = play.tracker.cells["offer"]["before"]
    waiting = play.tracker.rewound({**before, "offer": None})
    assert progress_of(waiting, play.terms, waiting.fights()["A4"]).ask is None
    done = judge_step(waiting.cells, play.terms, logged_steps.read_sent("settled", {"fight": "A4"}))
    assert done.writes["B3/gone"]["how"] == "removed"
    play.do("settled", fight="A4")  # today it only ends the offer
    assert "offer" not in play.tracker.cells


def test_battle_end_is_detected_and_a_rout_only_at_the_end_of_a_round(play):
    """R-59."""
    for unit in ("B1", "B3", "B4", "B5"):
        play.do("losses", unit=unit, models=0)
    assert not live_score.battle_verdict(play.tracker, play.terms).over
    play.do("losses", unit="B2", models=0)
    found = live_score.battle_verdict(play.tracker, play.terms)
    assert (found.over, found.winner) == (True, "A")
    score = score_report(live_score.build_report(play.tracker, play.terms), play.terms.options)
    assert (score.winner, score.vp("A"), score.vp("B")) == ("A", 7, 0)
    rout = Play()
    rout.begin()
    for unit in ("B1", "B3", "B4", "B5"):
        rout.do("token", unit=unit, token="flees", on=True)
    rout.do("losses", unit="B2", models=0)
    assert not live_score.battle_verdict(rout.tracker, rout.terms).over
    assert live_score.battle_verdict(rout.tracker, rout.terms, round_over=True).winner == "A"


def test_goals_are_only_accepted_in_their_scenario():
    hills = Play("hold_the_hills")
    hills.begin()
    hills.do("round_over", held={"A": 2, "B": 1})
    hills.do("round_over", held={"A": 1})
    assert (
        live_score.vp_earned(hills.tracker, hills.terms, "A"),
        live_score.vp_earned(hills.tracker, hills.terms, "B"),
    ) == (
        3,
        1,
    )
    with pytest.raises(Refusal, match="no crossings"):
        hills.do("crossings", held={"A": 1})
    with pytest.raises(Refusal, match="There are only 3 mounds"):
        hills.do("round_over", held={"A": 2, "B": 2})
    free = Play("break_free")
    free.begin()
    free.do("gone", unit="A2", how="escaped")
    free.do("token", unit="A5", token="flees", on=True)
    free.do("gone", unit="A5", how="edge")
    assert live_score.vp_earned(free.tracker, free.terms, "A") == 2
    fire = Play("chevauchee")
    fire.begin()
    fire.fight("A2", None, "torch", [10, 10, 1, 1, 1], building=1)
    assert live_score.build_report(fire.tracker, fire.terms).ablaze == 1
    ford = Play("secure_the_crossing")
    ford.begin()
    for _ in range(6):
        ford.do("round_over")
    ford.do("crossings", held={"A": 2, "B": 1})
    assert live_score.battle_verdict(ford.tracker, ford.terms).winner == "A"
    ambush = Play("ambush")
    ambush.do("begin")
    assert rounds.side_to_act(ambush.tracker) == "B"


def test_random_events_are_rolled_and_known_to_every_fight():
    """EVENT-02, EVENT-06, EVENT-10."""
    play = Play(random_events=True)
    play.begin()
    play.do("event", roll=9, second=4)
    assert play.tracker.event == "storm"
    play.do("fight", unit="A4", target="B5", how="shoot")
    assert play.tracker.fights()["A4"].situation.event == "storm"
    play.do("broken_off", fight="A4")
    play.do("round_over")
    assert play.tracker.event is None
    play.do("event", roll=8, second=9)
    play.do("fight", unit="A4", target="B5", how="shoot")
    assert play.tracker.fights()["A4"].situation.attacker.first_activated, "the Messenger came to the first to act"
    play.do("broken_off", fight="A4")
    play.do("round_over")
    play.do("event", roll=8, second=10)
    play.do("losses", unit="A5", models=2)
    play.do("reinforced", unit="A5", roll=10)
    assert play.tracker.unit("A5").now.models == 3
    with pytest.raises(Refusal, match="already"):
        play.do("reinforced", unit="A5", roll=10)


# --- sieges --------------------------------------------------------------------------------------------------------


@pytest.fixture
def siege() -> Play:
    play = Play("siege", set_up=False)
    play.set_up(
        [KING, house(1, "mice_at_arms", "champion"), {"unit": "cat_non", "origin": "train", "number": 1}],
        [KING, house(1, "bow_mice"), house(2, "field_mice")],
    )
    play.do("stands_at", unit="B2", to={"castle": "battlement_n"})
    play.begin()
    return play


def test_defenders_start_inside_the_walls(siege):
    """SIEGE-13: no King waits before his own gate."""
    assert [siege.tracker.unit(one).at.castle for one in ("B1", "B3")] == ["courtyard", "courtyard"]
    assert siege.tracker.unit("A1").at.castle is None


def test_garrison_cannot_leave_its_towers(siege):
    """SIEGE-10, SIEGE-13."""
    tracker = siege.tracker
    assert [unit.at.castle for unit in tracker.units("B") if unit.fixed] == ["tower_nw", "tower_ne"]
    assert tracker.castle()["gatehouse"].vat
    with pytest.raises(Refusal, match="cannot leave its tower"):
        siege.do("did", unit="B4", did="move")
    with pytest.raises(Refusal, match="walls are still intact"):
        siege.do("stands_at", unit="A2", to={"castle": "courtyard"})


def test_falling_tower_buries_the_units_on_it(siege):
    """SIEGE-05, SIEGE-06, SIEGE-07, R-86."""
    siege.fight("A3", None, "bombard", [10, 10], [1, 1], piece="tower_nw")
    tracker = siege.tracker
    assert tracker.castle()["tower_nw"].levelled
    assert tracker.castle().breached
    assert tracker.unit("B4").gone.why == "buried in rubble"
    assert live_score.vp_earned(tracker, siege.terms, "A") == 1
    siege.do("stands_at", unit="A2", to={"castle": "courtyard"})
    going = siege.undo(next(step.number for step in siege.steps if step.kind == "fight"))
    assert going == (4, 5, 6, 7)  # the step into the courtyard rests on the breach
    assert siege.tracker.unit("B4").here


def test_two_guns_at_one_wall_in_the_same_moment_add_up():
    """SIEGE-05."""
    guns = [{"unit": "cat_non", "origin": "train", "number": number} for number in (1, 2, 3)]
    play = Play("siege", set_up=False)
    play.set_up([KING, *guns], [KING])
    play.begin()
    for gun in ("A2", "A3", "A4"):
        play.do("fight", unit=gun, how="bombard", piece="tower_nw")
    for gun in ("A2", "A3"):
        play.do("dice", fight=gun, faces=[10, 1])
        play.do("dice", fight=gun, faces=[1])
    assert play.tracker.castle()["tower_nw"].levelled
    assert not play.tracker.unit("B2").here
    play.do("dice", fight="A4", faces=[10, 10])
    play.do("dice", fight="A4", faces=[1, 1])
    assert play.tracker.castle()["tower_nw"].damage == 2


def test_sauce_is_poured_once_a_melee_and_tests_morale(siege):
    """SIEGE-11, SIEGE-12, R-82."""
    waits = can_pour_sauce(siege.tracker, siege.tracker.unit("A2"), siege.tracker.unit("B2"))
    assert waits
    meanings = "1–7: misses; 8–10: kills a model, and the unit tests morale."
    assert waits.reason == f"{siege.tracker.full_name('B2')} pours the vat: roll a d10. {meanings}"
    siege.do("poured", unit="A2", piece="battlement_n", roll=9)
    assert siege.tracker.unit("A2").now.models == 4
    assert siege.tracker.fights()["A2"].how == "nerve"
    siege.do("dice", fight="A2", faces=[10])
    with pytest.raises(Refusal, match=f"over {siege.tracker.full_name('A2')} in this melee"):
        siege.do("poured", unit="A2", piece="battlement_n", roll=9)
    siege.fight("A2", "B2", "charge", [1, 1, 1, 1], [1, 1, 1, 1])
    assert siege.tracker.contacts("A2") == ("B2",)
    siege.do("contact", unit="A2", other="B2", on=False)


def test_siege_can_be_paused_and_continued(siege):
    siege.do("put_away")
    kept = json.loads(json.dumps(siege.tracker.cells))
    assert TrackerState(kept).castle() == siege.tracker.castle()
    siege.do("put_away", away=False)
    assert siege.tracker.get("away", False) is False


# --- solo ----------------------------------------------------------------------------------------------------------


def test_solo_opponent_says_who_does_what_and_why():
    """SOLO-02, SOLO-03, SOLO-04, SOLO-05, SOLO-08."""
    play = Play(set_up=False)
    play.set_up(solo="B")
    play.begin(3, 8)
    assert {unit.id for unit in solo_turn.units_needing_distances(play.tracker)} == {
        "B1",
        "B2",
        "B3",
        "B4",
        "B5",
    }
    play.do("solo", roll=2, seen={"B3": {"enemy": "A2", "inches": 7}, "B4": {"enemy": "A1", "inches": 14}})
    decision = solo_turn.pending_decision(play.tracker)
    assert (decision.unit, decision.does, decision.target) == ("B3", "shoot", "A2")
    assert decision.hero.hero == "wizard"
    assert decision.reasons
    play.fight("B3", "A2", "shoot", [1, 1, 1, 1])
    assert solo_turn.pending_decision(play.tracker) is None
    play.do("solo", roll=5, seen={"B2": {"enemy": "A2", "inches": 6}})
    assert (
        solo_turn.pending_decision(play.tracker).unit,
        solo_turn.pending_decision(play.tracker).does,
    ) == ("B2", "charge")
    play.fight("B2", "A2", "charge", [1, 1, 1, 1], [1, 1, 1, 1, 1])
    play.do("solo", roll=10)
    tied = solo_turn.pending_decision(play.tracker)
    assert tied.tie == "units"
    play.do("solo", roll=10, unit=tied.tied[0])
    assert solo_turn.pending_decision(play.tracker).unit == tied.tied[0]


def test_luck_counts_only_dice_that_can_fail(play):
    play.fight("A4", "B5", "shoot", [10, 10, 10, 10], [1, 1, 1, 1])
    luck = measure_luck(play.steps)
    assert (luck["A"].dice, luck["A"].successes) == (4, 4)
    assert luck["A"].over > 0
    assert luck["B"].over < 0


# --- any legal sequence --------------------------------------------------------------------------------------------

SCENARIOS = ("pitched_battle", "hold_the_hills", "break_free", "chevauchee", "take_the_fortress", "siege", "last_stand")


def any_step(draw: Any, play: Play) -> tuple[str, dict[str, Any]]:
    """A random step; not every one is legal."""
    tracker = play.tracker
    pick = lambda values: draw(st.sampled_from(list(values)))  # noqa: E731
    if tracker.fights() and draw(st.booleans()):
        key = pick(tracker.fights())
        ask = progress_of(tracker, play.terms, tracker.fights()[key]).ask
        if ask is None:
            return "settled", {"fight": key}
        if ask.what == "morale" and draw(st.booleans()):
            return "morale_holds", {"fight": key, "ticks": {"king_near": draw(st.booleans()), "bearer": True}}
        return "dice", {"fight": key, "faces": [draw(st.integers(1, 10)) for _ in range(ask.count)]}
    if (offer := tracker.cells.get("offer")) and draw(st.booleans()):
        return "rerolled", {"fight": offer["fight"], "die": 0, "face": draw(st.integers(1, 10))}
    mine = pick(tracker.unit_ids("A"))
    theirs = pick(tracker.unit_ids("B"))
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
def test_undoing_all_steps_restores_the_start_and_scores_match_the_rulebook(data):
    any_sequence(data)


@pytest.mark.soak
@settings(max_examples=1500)
@given(st.data())
def test_many_random_sequences(data):
    any_sequence(data)


def any_sequence(data: Any) -> None:
    """VP by tracker and by rulebook.campaign.battle_scoring agree after every step; the snapshot is plain JSON."""
    play = Play(data.draw(st.sampled_from(SCENARIOS)))
    start = play.tracker.cells
    play.begin()
    for _ in range(data.draw(st.integers(1, 14))):
        kind, body = any_step(data.draw, play)
        before = play.tracker.cells
        try:
            play.do(kind, **body)
        except Refusal:
            assert play.tracker.cells == before
        tracker = play.tracker
        assert json.loads(json.dumps(tracker.cells)) == tracker.cells
        report = live_score.build_report(tracker, play.terms, stopped=True)
        scored = score_report(report, play.terms.options)
        for side, other in (("A", "B"), ("B", "A")):
            earned = live_score.vp_earned(tracker, play.terms, side)
            assert earned + (scored.winner == side) * play.terms.row.pays("win", side) == scored.vp(side)
            kills = sum(unit.gone is not None and unit.gone.how == "removed" for unit in tracker.units(other))
            assert report.side(other).removed == kills
        rounds.side_to_act(tracker)
        for fight in tracker.fights().values():
            asks = progress_of(tracker, play.terms, fight).ask is not None
            assert bool(meanings_of(tracker, play.terms, fight)) == asks
        live_score.battle_verdict(tracker, play.terms)
    live = [step.number for step in play.steps if step.number > 1]
    while live:
        number = data.draw(st.sampled_from(live))
        gone = set(play.undo(number))
        assert min(gone) == number
        live = [one for one in live if one not in gone]
    assert play.tracker.cells == start
