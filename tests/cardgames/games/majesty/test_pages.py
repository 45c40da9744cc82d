"""Your Majesty on its pages: a seat, a reaction window, bad taps, and the end of a recorded game."""

from __future__ import annotations

import datetime as dt
import re

import pytest

from cardgames.engine import Result as Ended, SentenceBuilder, edit_deck
from cardgames.engine.questions import ReactionWindow
from cardgames.games import find_game, house_deck
from cardgames.games.majesty.scoring import (
    LIMIT_SHARED,
    NEEDS_REFORM,
    REACHED,
    ROUND_LIMIT,
    SHARED,
    STALLED,
    STALLED_SHARED,
    explain_ending,
)
from cardgames.models import Result, Seat, Table
from cardgames.tables import choice_services, load_from_log
from jobs import timers as jobs_timers
from log.services import new_key
from refusal import Refusal
from tests.cardgames.games.majesty.story_bot import CANCELLED, WON, moments
from tests.cardgames.games.record_games import HERE
from tests.cardgames.tables.phones_at_a_question import read_record
from tests.cardgames.tables.sample_tables import begin_sample_game, choose, first_option, reload, seat_url

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def story():
    return read_record(str(HERE / "majesty-story.json"))


def play_to(host, story, row: int):
    """Four people at a table that has come to this row of the recorded game."""
    table, phones = begin_sample_game(host, "majesty", people=4, seats=4, seed=story.seed)

    def recorded(running, table) -> None:
        for seat, key in story.rows[:row]:
            running.choose(seat, key)

    choice_services.write_timer_moves(table, key=new_key(), change=recorded)
    return reload(table), phones


def running_of(table: Table):
    return load_from_log.load_running_table(reload(table))


def close_window(table: Table) -> None:
    """The timer of the reaction window fires."""
    jobs_timers.fire_due_timers(reload(table).asked_at + dt.timedelta(seconds=ReactionWindow().hold))


def test_seat_page_shows_courts_and_takes_a_choice(master):
    table, phones = begin_sample_game(master, "majesty", people=2, seats=2)
    asked = 0 if "Choose an action" in phones[0].get(seat_url(table, 0)).content.decode() else 1
    page = phones[asked].get(seat_url(table, asked)).content.decode()
    assert "Courts: philosophes by muse, and wealth" in page
    before = table.log.version
    assert choose(phones[asked], table, asked, first_option(table, asked)).status_code in (200, 302)
    assert reload(table).log.version > before


def test_bad_taps_in_a_reaction_window_change_nothing_and_the_good_one_counts_once(master, story):
    """YR-18: stale, not offered, another's seat, and the same tap twice."""
    row = moments(story)[CANCELLED]
    table, phones = play_to(master, story, row)
    seat, key = story.rows[row]
    stamp, line = running_of(table).stamp, list(running_of(table).line)
    assert choose(phones[seat], table, seat, key, stamp=stamp - 1).status_code == 409
    assert choose(phones[seat], table, seat, "ev-no-such-card").status_code == 409
    assert choose(phones[(seat + 1) % 4], table, seat, key).status_code in (403, 404)
    assert choose(phones[(seat + 1) % 4], table, (seat + 1) % 4, key).status_code == 409
    assert running_of(table).line == line
    tap = new_key()
    answers = [choose(phones[seat], table, seat, key, stamp=stamp, key=tap) for _ in range(2)]
    assert all(answer.status_code in (200, 302) for answer in answers)
    assert running_of(table).line == [*line, (seat, key)]
    close_window(table)
    assert [event.key for event in running_of(table).events(None)][-1] == "cancelled"


def test_seat_that_leaves_in_a_reaction_window_is_answered_for(master, story):
    """A bot takes the seat and answers when the window closes, so nobody waits for ever."""
    row = moments(story)[CANCELLED]
    table, phones = play_to(master, story, row)
    seat = story.rows[row][0]
    phones[seat].post(seat_url(table, seat, "own/"), {"key": new_key(), "act": "leave", "sure": "yes"})
    assert Seat.objects.get(table=table, number=seat).bot
    assert running_of(table).window is not None
    for _ in range(3):
        close_window(table)
    running = running_of(table)
    assert running.window is None
    assert [event.key for event in running.events(None)][-1] in ("cancelled", "poached")
    # Whoever asked goes on with the turn.
    assert running.single is not None


def test_win_on_anothers_turn_is_told_everywhere(master, story):
    """YR-13, Y74, Y75: the last answer ends the game; pages, TV, replay and results show it."""
    row = moments(story)[WON]
    table, phones = play_to(master, story, row)
    seat, key = story.rows[row]
    assert choose(phones[seat], table, seat, key).status_code in (200, 302)
    close_window(table)
    assert reload(table).state == Table.State.OVER
    result = Result.objects.get()
    scores = result.kept["result"]["scores"]
    assert max(scores) == 20
    pages = [phone.get(f"/tables/{table.code}/").content.decode() for phone in phones]
    for page in pages:
        assert re.search(rf"Guest {seat}\W? won with 20 prestige", page)
        assert "ends the game at once" in page
        assert "Slave colonies" in page
    for address in ("wall/", "replay/", "replay/?step=40"):
        assert phones[0].get(f"/tables/{table.code}/{address}").status_code == 200, address
    assert "Your Majesty" in phones[0].get("/tables/results/").content.decode()


NAMES = ("Wren", "Tam", "Oda")


@pytest.mark.parametrize(
    ("outcome", "winners", "scores", "headline", "reason"),
    [
        (REACHED, (1,), (-2, 20, 3), "Tam won with 20 prestige", "Tam had 20, Oda had 3."),
        (SHARED, (0, 1), (21, 21, 3), "Wren and Tam share the win with 21 prestige each", "Oda had 3."),
        (ROUND_LIMIT, (2,), (1, 2, 9), "Oda won with 9 prestige after the last round", "Oda had 9, Tam had 2."),
        (LIMIT_SHARED, (0, 2), (9, 2, 9), "Wren and Oda share the win with 9 prestige after", "Tam had 2."),
        (STALLED, (0,), (3, -1, 2), "Wren won with 3 prestige", "Wren had 3, Oda had 2."),
        (STALLED_SHARED, (0, 1, 2), (0, 0, 0), "Wren, Tam and Oda share the win", "Everybody had 0."),
    ],
)
def test_every_outcome_is_explained(outcome, winners, scores, headline, reason):
    """Y74, Y76, Y77, YR-20"""
    ended = Ended(outcome, winners, scores, lambda: [], {"target": 20, "rounds": 40})
    told = explain_ending(ended, {})
    words = SentenceBuilder(NAMES, {})
    lines = [words.fill(line.text, line.values) for line in (told.headline, *told.reasons)]
    assert lines[0].startswith(headline)
    assert reason in lines[-1]
    assert sum(line.is_decisive for line in told.reasons) == 1


def test_ending_says_who_lacked_a_reform():
    """Y91"""
    ended = Ended(REACHED, (1,), (24, 20, 3), lambda: [], {"target": 20, "rounds": 9})
    told = explain_ending(ended, {"paycheck": NEEDS_REFORM})
    assert SentenceBuilder(NAMES, {}).fill(told.reasons[-1].text, told.reasons[-1].values) == (
        "Wren had 24, but no reform of level 3 or 5."
    )


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ({"reshuffle"}, "exactly one Reshuffle"),
        ({"event", "permanent", "lingering", "scandal", "campaign"}, "at least 9 action cards"),
        ({"philosophe"}, "reforms, philosophes and colonies"),
    ],
)
def test_deck_that_cannot_be_dealt_is_refused_with_a_sentence(kinds, words):
    deck = house_deck("majesty")
    none = {row.id: {**row.values, "copies": 0} for row in deck.rows if row.values.get("kind", row.group) in kinds}
    none = {id: {**values, **({"randomizers": ()} if "randomizers" in values else {})} for id, values in none.items()}
    with pytest.raises(Refusal, match=words):
        edit_deck(find_game("majesty").schema, deck, none)
