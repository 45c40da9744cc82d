"""After the game one can ask why a bot made a move."""

from __future__ import annotations

import pytest

from cardgames.bots import GreedyBot, choose_for_bot
from cardgames.engine import FastRng
from cardgames.results.replays import bot_of_step, explain_step
from cardgames.tables import choice_services, load_from_log
from log.services import new_key
from tests.cardgames.tables.sample_tables import begin_sample_game, reload, seat_url

pytestmark = pytest.mark.django_db


def test_bot_moves_are_distinguished_from_human_moves_and_explained(master):
    table, phones = begin_sample_game(master, people=2, bots="greedy")
    made = []
    for _ in range(8):
        running = load_from_log.load_running_table(reload(table))
        seat = running.asked_seats[0]
        key = choose_for_bot(GreedyBot(), running, seat, FastRng(1))
        made.append(seat >= 2)
        if seat < 2:
            body = {"key": new_key(), "choice": key, "stamp": running.stamp}
            assert phones[seat].post(seat_url(table, seat, "choose/"), body).status_code in (200, 302)
        else:
            choice_services.write_timer_moves(
                table, key=new_key(), change=lambda now, _, seat=seat, key=key: now.choose(seat, key)
            )
    table = reload(table)
    assert any(made)
    assert not all(made)
    names = load_from_log.get_seat_names(load_from_log.seats_of(table))
    for step, by_bot in enumerate(made, 1):
        move = bot_of_step(table, step)
        assert (move is not None) is by_bot
        assert bool(explain_step(table, step, names)) is by_bot
        if move is not None:
            assert move.level == "greedy"
    assert bot_of_step(table, 0) is bot_of_step(table, 99) is None


def test_no_bot_has_the_name_of_a_person_at_the_table():
    assert load_from_log.get_bot_name(0) == "Bramble"
    taken = ["bramble", "Oda"]
    assert len({load_from_log.get_bot_name(number, taken) for number in range(4)}) == 4
    assert "Bramble" not in {load_from_log.get_bot_name(number, taken) for number in range(4)}
