"""Single rules that the tracker must not bend: rallying under fire, powers first, fires, sauce, standards."""

from __future__ import annotations

from fractions import Fraction

import pytest

from battles.tracker.core.combat_helper import combat_numbers, is_tick_useful, ticks_for
from battles.tracker.core.fight_progress import build_situation
from battles.tracker.core.live_score import battle_verdict
from battles.tracker.core.steps import solo_turn
from battles.tracker.core.steps.sauce_and_castle_damage import can_pour_sauce
from battles.tracker.unit_actions_display import UnitAction, unit_display
from refusal import Refusal
from rulebook.battle.modifiers import morale_tally
from rulebook.odds.attack import rally_odds
from rulebook.odds.odds_display import format_percent
from tests.battles.tracker.core.memory_tracker import KING, Play, house


@pytest.fixture
def play() -> Play:
    play = Play()
    play.begin()
    return play


def test_a_fleeing_unit_that_rallies_under_fire_has_acted(play):
    """FLEE-03, R-49, R-51"""
    play.do("token", unit="B5", token="flees", on=True)
    play.fight("A4", "B5", "shoot", [10, 1, 1, 1], [1], [10])
    hoppers = play.tracker.unit("B5")
    assert (hoppers.fleeing, hoppers.acted) == (False, True)
    with pytest.raises(Refusal, match="already acted this round"):
        play.do("did", unit="B5", did="move")


def test_a_unit_that_stood_under_fire_still_acts(play):
    """R-49"""
    play.fight("A4", "B5", "shoot", [10, 1, 1, 1], [1], [10])
    assert not play.tracker.unit("B5").acted


@pytest.mark.parametrize("first", [{"kind": "moved"}, {"kind": "did", "did": "nothing"}])
def test_a_power_comes_before_anything_else_the_unit_does(first):
    """HERO-06, HERO-09, HERO-11, HERO-17"""
    play = Play(set_up=False)
    heroes = [house(1, "mice_at_arms", "cleric"), house(2, "bow_mice", "princess"), house(3, "bow_mice", "wizard")]
    play.set_up([KING, *heroes], [KING])
    play.begin()
    for unit, step in (
        ("A2", {"kind": "blessed", "unit": "A2", "target": "A1"}),
        ("A3", {"kind": "kissed", "unit": "A3", "target": "A2"}),
        ("A4", {"kind": "fight", "how": "cast", "unit": "A4", "target": "B1"}),
    ):
        play.do(**first, unit=unit)
        with pytest.raises(Refusal, match="A hero's power comes first"):
            play.do(**step)


def test_a_unit_in_melee_cannot_torch_a_house():
    """R-93, R-101"""
    play = Play("chevauchee")
    play.begin()
    play.do("contact", unit="A5", other="B5", on=True)
    with pytest.raises(Refusal, match="fight its enemy first"):
        play.do("fight", unit="A5", how="torch", building=1)
    with pytest.raises(Refusal, match="Drive it out first"):
        play.do("fight", unit="A2", how="torch", building=1, ticks={"enemy_inside": True})
    play.do("contact", unit="A5", other="B5", on=False)
    play.fight("A5", None, "torch", [5, 1, 1, 1], building=1)
    assert play.tracker.get("building/1") == 1


def test_sauce_tests_morale_against_whoever_pours_and_misses_a_dead_king():
    """R-96, R-25, MORALE-03"""
    play = Play("siege", set_up=False)
    play.set_up([KING, house(1, "mice_at_arms", "champion")], [KING, house(1, "bow_mice")])
    play.do("stands_at", unit="B2", to={"castle": "battlement_n"})
    play.begin()
    play.do("gone", unit="A1")
    play.do("poured", unit="A2", piece="battlement_n", roll=9)
    test = play.tracker.fights()["A2"].situation
    marks = {entry.modifier.key for entry in morale_tally(test).applied}
    assert test.attacker.key == "bow_mice"
    assert marks == {"morale_king_lost"}, "four of each: nobody outnumbers anybody"
    play.do("dice", fight="A2", faces=[7])
    assert play.tracker.unit("A2").fleeing, "7 + 2 − 1; with a King alive they would stand"


def test_standards_add_up_in_the_tracker_under_the_house_rule():
    """R-37, HERO-12"""
    play = Play(set_up=False, bearers_stack=True)
    bearers = [house(1, "mice_at_arms", "standard_bearer"), house(2, "mice_at_arms", "standard_bearer")]
    play.set_up([KING, *bearers, house(3, "field_mice")], [KING, house(1, "bow_mice")])
    play.begin()
    play.fight("B2", "A4", "shoot", [10, 1, 1, 1], [1])
    play.do("morale_holds", fight="B2", ticks={"bearer": True, "bearer_2": True})
    test = play.tracker.fights()["B2"].situation
    assert test.target_at.bearers == 2
    play.do("dice", fight="B2", faces=[9])
    assert not play.tracker.unit("A4").fleeing, "9 − 1 for Field Mice − 1 outnumbered + 2 for two standards"


def test_only_ticks_that_can_matter_are_offered(play):
    """UNIT-18, HERO-12, R-37"""
    tracker = play.tracker

    def offered(unit: str) -> list[str]:
        ticks = ticks_for("nerve", several_bearers=True)
        return [tick.key for tick in ticks if is_tick_useful(tracker, tick, tracker.unit(unit))]

    assert offered("B2") == [], "a Battle Cat never tests morale"
    assert offered("B5") == ["king_near"], "no army has a bearer"
    assert offered("B1") == [], "the King is always with his own unit"


def test_neighbours_on_a_wall_are_in_melee_only_after_an_attack():
    """R-95, SHOOT-01, SIEGE-09"""
    play = Play("siege", set_up=False)
    play.set_up([KING, house(1, "bow_mice", "wizard"), house(2, "bow_mice")], [KING, house(1, "bow_mice")])
    play.do("stands_at", unit="B2", to={"castle": "battlement_n"})
    play.begin()
    play.do("stands_at", unit="A3", to={"castle": "battlement_e"})
    play.do("stands_at", unit="A2", to={"castle": "gatehouse", "set": True})
    for unit, piece in (("A3", "tower_ne"), ("A2", "battlement_e")):
        play.do("stands_at", unit=unit, to={"castle": piece, "set": True})
    assert play.judge("fight", unit="A3", target="B2", how="shoot").writes, "beside each other, but not in melee"
    cast = play.judge("fight", unit="A2", target="B2", how="cast").writes
    assert cast
    play.do("contact", unit="A3", other="B2", on=True)
    with pytest.raises(Refusal, match="in melee and cannot shoot"):
        play.do("fight", unit="A3", target="B2", how="shoot")
    with pytest.raises(Refusal, match="in melee and cannot be shot at"):
        play.do("fight", unit="A2", target="B2", how="shoot")


def test_the_solo_besieger_fires_its_cat_non_at_the_nearest_wall():
    """SOLO-03, UNIT-26"""
    play = Play("siege", set_up=False)
    guns = [{"unit": "cat_non", "origin": "train", "number": number} for number in (1, 2)]
    play.set_up([KING, *guns], [KING, house(1, "bow_mice")], solo="A")
    play.begin()
    seen = {"A2": {"piece": "gatehouse", "piece_inches": 9}, "A3": {"piece": "tower_nw", "piece_inches": 12}}
    play.do("solo", roll=2, seen=seen)
    found = solo_turn.pending_decision(play.tracker)
    assert (found.unit, found.does, found.piece) == ("A2", "shoot", "gatehouse")
    play.fight("A2", None, "bombard", [10, 10], [1, 1], piece="gatehouse")
    play.do("solo", roll=2, seen={"A3": {"piece": "gatehouse", "piece_inches": 3}})
    assert solo_turn.pending_decision(play.tracker).does != "shoot", "the gatehouse is rubble"


def test_a_gun_that_moved_is_not_offered_a_shot():
    """UNIT-25: a war machine moves or shoots, never both."""
    play = Play("siege", set_up=False)
    gun = {"unit": "cat_non", "origin": "train", "number": 1}
    play.set_up([KING, gun], [KING])
    play.begin()

    def fire() -> UnitAction:
        found = unit_display(play.tracker, play.terms, "A2")
        return next(action for action in found.actions if action.how == "bombard")

    assert fire().allowed
    play.do("moved", unit="A2")
    assert (fire().allowed, fire().targets) == (False, ())
    assert "moves or shoots" in fire().reason


def test_mud_stops_moves_and_charges_but_not_attacks(play):
    """EVENT-04, R-91"""
    play.do("event_is", event="mud")
    for step in ({"kind": "did", "did": "move"}, {"kind": "moved"}, {"kind": "fight", "how": "charge", "target": "B5"}):
        with pytest.raises(Refusal, match="Roll a d10 before the unit moves"):
            play.do(**step, unit="A4")
    play.do("mud", unit="A4", roll=2)
    with pytest.raises(Refusal, match=r"stuck: it needs 3\+ and rolled 2"):
        play.do("did", unit="A4", did="move")
    choices = {choice.did: choice.allowed for choice in unit_display(play.tracker, play.terms, "A4").choices}
    assert choices == {"move": False, "nothing": True}
    play.fight("A4", "B5", "shoot", [1, 1, 1, 1])
    play.do("mud", unit="A5", roll=3)
    play.do("did", unit="A5", did="move")
    assert play.tracker.unit("A5").moved


def test_a_speech_gives_the_first_unit_a_second_move(play):
    """EVENT-07, R-97"""
    play.do("event_is", event="speech")
    play.do("moved", unit="A4")
    assert play.do("moved", unit="A4").sentences == ("Oakhold’s Bow-Mice: moved again after the speech.",)
    play.do("did", unit="A4", did="nothing")
    play.do("moved", unit="A5")
    assert play.do("moved", unit="A5").sentences == ("Oakhold’s Field Mice: moved.",)


def test_a_fleeing_unit_is_in_no_melee(play):
    """MELEE-03"""
    play.do("token", unit="B5", token="flees", on=True)
    for pair in ({"unit": "A5", "other": "B5"}, {"unit": "B5", "other": "A5"}):
        with pytest.raises(Refusal, match="has left the melee"):
            play.do("contact", on=True, **pair)
    play.do("contact", unit="A5", other="B5", on=False)


def test_fleeing_unit_shows_its_rally_odds_over_three_rounds(play):
    """FLEE-02, FLEE-03, FLEE-04"""
    play.do("token", unit="B5", token="flees", on=True)
    found = build_situation(play.tracker, play.terms, "rally", play.tracker.unit("B5"), None)
    (note,) = combat_numbers(found).notes
    last = rally_odds(found, 3)[-1]
    assert note.startswith(f"Within 3 rounds: rallies {format_percent(last.rallied)}, scatters")


def test_sauce_is_offered_with_what_its_faces_do():
    """SIEGE-11, R-82"""
    play = Play("siege", set_up=False)
    play.set_up([KING, house(1, "mice_at_arms", "champion"), house(2, "battle_cat")], [KING, house(1, "bow_mice")])
    play.do("stands_at", unit="B2", to={"castle": "battlement_n"})
    play.begin()
    tracker = play.tracker
    mice = can_pour_sauce(tracker, tracker.unit("A2"), tracker.unit("B2"))
    cat = can_pour_sauce(tracker, tracker.unit("A3"), tracker.unit("B2"))
    assert mice.reason.endswith("1–7: misses; 8–10: kills a model, and the unit tests morale.")
    assert cat.reason.endswith("1–7: misses; 8–10: wounds a model.")


def test_a_stopped_battle_is_a_draw_unless_it_was_decided(play):
    """R-94"""
    assert play.do("stopped").sentences == ("The battle ends as a draw.",)
    assert battle_verdict(play.tracker, play.terms).winner is None
    play.do("stopped", stopped=False)
    for unit in play.tracker.units("B"):
        play.do("gone", unit=unit.id)
    assert play.do("stopped").sentences == ("The battle ends. Oakhold had already won.",)
    assert battle_verdict(play.tracker, play.terms).winner == "A"


def test_a_percentage_never_breaks_over_two_lines():
    shown = [format_percent(Fraction(n, 10_000)) for n in (1420, 1, 9999)]
    assert shown == ["14.2\u00a0%", "<\u00a00.1\u00a0%", ">\u00a099.9\u00a0%"]
