"""Laws that hold at every decision of every game, the toys included."""

from __future__ import annotations

import json

import pytest

from cardgames.engine import FastRng, RunningTable
from tests.cardgames.engine import game_laws
from tests.cardgames.games.every_setup import EVERY

GAMES = pytest.mark.parametrize("name", EVERY)


@GAMES
def test_cards_are_conserved_and_asks_are_well_formed(name: str) -> None:
    """GI-1, MI-1"""
    game, start = EVERY[name]
    for live, rng in game_laws.games(game, start, 3):
        while live.result is None:
            game_laws.cards_are_conserved(live)
            game_laws.seats_see_what_they_should(live)
            game_laws.asks_are_well_formed(live)
            game_laws.step(live, rng)
            assert live.choice_count < game_laws.MAX_CHOICES
        game_laws.cards_are_conserved(live)
        game_laws.everything_can_be_said(live)
        assert live.asked_seats == ()
        assert 0 <= len(live.result.winners) <= live.table.seats
        json.dumps(live.result.as_json())


@GAMES
def test_choice_not_offered_is_refused_and_changes_nothing(name: str) -> None:
    """ME-15, ME-16"""
    game, start = EVERY[name]
    for live, rng in game_laws.games(game, start, 1):
        while live.result is None:
            if live.choice_count % 7 == 0:
                game_laws.strangers_are_refused(live)
            game_laws.step(live, rng)
        game_laws.strangers_are_refused(live)


@GAMES
def test_every_option_is_accepted(name: str) -> None:
    game, start = EVERY[name]
    for live, rng in game_laws.games(game, start, 1):
        while live.result is None:
            if live.choice_count % 11 == 0:
                for seat in live.asked_seats:
                    ask = live.question_for(seat)
                    for key in list(ask.options) if ask else ():
                        again = RunningTable(game, live.to_record())
                        again.choose(seat, key)
                        assert again.rows[-1] == (seat, key)
            game_laws.step(live, rng)


@GAMES
def test_replay_of_every_prefix_is_the_same(name: str) -> None:
    """GI-11, MI-9"""
    game, start = EVERY[name]
    for live, rng in game_laws.games(game, start, 1):
        due = 0  # at every few choices, further apart the longer a replay takes
        while live.result is None:
            if live.choice_count >= due:
                game_laws.replay_is_the_same(live)
                due = live.choice_count + 5 + live.choice_count // 8
            game_laws.step(live, rng)
        game_laws.replay_is_the_same(live)
        steps = live.steps()
        assert [(step.seat, step.key) for step in steps[1:]] == live.line
        assert sum(len(step.events) for step in steps) == len(live.table.events)


@GAMES
def test_undo_is_exact_if_offered_and_refused_otherwise(name: str) -> None:
    game, start = EVERY[name]
    allowed = 0
    for live, rng in game_laws.games(game, start, 2):
        while live.result is None and live.choice_count < 60:
            allowed += game_laws.undo_is_exact(live, rng)
    # Only games with choices that reveal nothing have anything to undo.
    if name.startswith(("monarchs", "parcel", "siege", "salon", "strict")):
        assert allowed > 0


@GAMES
def test_imagined_table_looks_the_same_to_its_seat_and_can_be_finished(name: str) -> None:
    game, start = EVERY[name]
    imagined = 0
    for live, rng in game_laws.games(game, start, 1):
        while live.result is None:
            seat = live.asked_seats[0]
            if live.choice_count % 9 == 0 and live.question_for(seat) is not None:
                world = live.determinize(seat, FastRng(imagined))
                mine, made = live.view(seat).as_json(), world.view(seat).as_json()
                for key in ("fields", "own", "zones", "ask", "kind", "seats", "game"):
                    assert json.dumps(made[key]) == json.dumps(mine[key]), key
                assert world.record.seed == b""
                assert (world.rows, world.line, world.answered_seats, world.table.events) == ([], [], (), [])
                while world.result is None:
                    game_laws.step(world, rng)
                imagined += 1
            game_laws.step(live, rng)
    assert imagined
