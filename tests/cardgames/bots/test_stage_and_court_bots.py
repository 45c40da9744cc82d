"""Bots of Moods of the Mad King and Your Majesty: legal, stronger by level, sensible when asked, and done in time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench import _card_bots
from cardgames.bots import (
    LEVEL,
    LEVELS,
    GreedyBot,
    MonteCarloBot,
    bot_context_of,
    choose_for_bot,
    explanation,
    monte_carlo,
)
from cardgames.bots.bot_context import Bot
from cardgames.engine import CLOCK, FastRng, Question, RunningTable
from cardgames.games import house_deck, new_table, replay
from cardgames.games.majesty.bot_evaluation import rate_choices
from tests.cardgames.engine import game_laws
from tests.cardgames.games.every_setup import REAL
from tests.cardgames.games.majesty.arranged_courts import (
    FILLER,
    HUME,
    JAMAICA,
    JEFFERSON,
    KANT,
    LAW,
    PERU,
    WOLLSTONECRAFT,
    Throne,
)

QUICK = MonteCarloBot(rollouts=4, breadth=2)
PLACE, OTHER_PLACE = "ev-a-place-at-court.3", "ev-a-place-at-court.5"
HIGH = ("re-schooling-for-all", "re-museum-of-the-nation", "re-end-of-torture")


def next_choice(running: RunningTable, bot: Bot, rng: FastRng) -> None:
    """One choice of whoever is asked, or of the timer of a reaction window."""
    if not running.unanswered_seats:
        running.choose(CLOCK, running.pending_timer_keys()[0])
        return
    seat = running.unanswered_seats[0]
    running.choose(seat, choose_for_bot(bot, running, seat, rng))


@pytest.mark.parametrize("level", [level.key for level in LEVELS])
@pytest.mark.parametrize(("game", "seats"), [("moods", 3), ("majesty", 4)])
def test_every_level_makes_legal_choices_and_explains_them(game: str, seats: int, level: str, monkeypatch) -> None:
    monkeypatch.setattr(explanation, "ROLLOUTS", 2)
    bot = LEVEL[level].bot if level != "thinker" else QUICK
    running, rng = replay(new_table(game, seats, seed=b"levels")), FastRng(4)
    for number in range(40):
        if running.result is not None:
            break
        if running.unanswered_seats and number % 4 == 0:
            seat = running.unanswered_seats[0]
            key = choose_for_bot(bot, running, seat, FastRng(7))
            assert key in running.question_for(seat).options
            assert choose_for_bot(bot, running, seat, FastRng(7)) == key
            lines = explanation.explain_move(running, seat, key, level, game_laws.NAMES[:seats])
            assert lines
            assert all(line.endswith(".") for line in lines)
        next_choice(running, LEVEL["random"].bot, rng)


@pytest.mark.parametrize("name", ["moods, three, somebody says who begins", "majesty, four"])
def test_hard_bot_makes_the_same_move_in_worlds_it_cannot_tell_apart(name: str) -> None:
    game, start = REAL[name]
    running, rng, tried = RunningTable(game, start(3)), FastRng(3), 0
    while running.result is None and tried < 8:
        seat = running.asked_seats[0]
        ask = running.question_for(seat)
        if ask is not None and len(ask.options) > 1 and running.choice_count % 9 == 0:
            other = game_laws.elsewhere(running, seat, rng)
            assert choose_for_bot(QUICK, running, seat, FastRng(1)) == choose_for_bot(QUICK, other, seat, FastRng(1))
            tried += 1
        game_laws.step(running, rng)
    assert tried


@pytest.mark.parametrize(("game", "seats", "games", "points"), [("moods", 3, 90, 8), ("majesty", 4, 12, 15)])
def test_careful_bot_wins_more_often_than_easy_ones_at_its_table(game: str, seats: int, games: int, points) -> None:
    """The short form: a Medium bot among Easy ones, with seats rotated. The long form is below and in the bench."""
    margin = _card_bots.margin_of(
        [_card_bots.one_game(game, seats, number, LEVEL["greedy"].bot) for number in range(games)]
    )
    assert margin.bound * 100 > points, margin.note


@pytest.mark.soak
@pytest.mark.parametrize(("game", "seats", "points"), [("moods", 3, 8), ("majesty", 4, 15)])
def test_hard_wins_more_often_than_easy_in_a_thousand_games(game: str, seats: int, points: int) -> None:
    margin = _card_bots.hard_minus_easy(game, seats, workers=1)
    assert margin.bound * 100 >= points, margin.note


@pytest.mark.parametrize(("game", "seats"), [("moods", 4), ("majesty", 6)])
def test_imagined_game_that_is_not_finished_has_a_value(game: str, seats: int, monkeypatch) -> None:
    monkeypatch.setattr(monte_carlo, "MAX_STEPS", 5)
    running, rng = replay(new_table(game, seats, seed=b"value")), FastRng(1)
    for _ in range(20):
        game_laws.step(running, rng)
    values = []
    for seat in range(seats):
        world = running.determinize(seat, FastRng(1))
        values.append(monte_carlo.play_to_end(world, seat, FastRng(2)))
        assert world.result is None
    assert all(0.0 <= value <= 1.0 for value in values)
    assert len(set(values)) > 1


def test_hard_bot_settles_by_its_rating_what_is_not_worth_imagining() -> None:
    """Which card to discard, for one: no table is imagined for it, and the reason it gives says so."""
    running = replay(new_table("majesty", 4, seed=b"pay"))
    seat = running.asked_seats[0]
    running.choose(seat, "colony")
    context = bot_context_of(running, seat)

    def imagine(rng):
        raise AssertionError("not worth imagining")

    key = QUICK.choose(running.view(seat), replace(context, imagine=imagine), FastRng(1))
    lines = explanation.explain_move(running, seat, key, "thinker", game_laws.NAMES[:4])
    assert not any("imagined" in line for line in lines)


def test_games_of_six_bots_end() -> None:
    """YI-12, YR-20: nearly always by their own means; the round limit ends the others."""
    ended = []
    for number in range(5):
        running, rng = replay(new_table("majesty", 6, seed=b"six %d" % number)), FastRng(number)
        while running.result is None:
            next_choice(running, GreedyBot(), rng)
        ended.append(running.result.outcome)
        assert running.table.round <= 40
    assert ended.count("reached") >= 3


@pytest.mark.soak
@pytest.mark.clock
def test_games_of_six_hard_bots_end_and_each_decision_is_made_in_time() -> None:
    p95, note = _card_bots.decision_times("majesty", 6, games=2)
    assert p95 <= 150, note


def test_decision_keeps_its_time_in_the_longest_game() -> None:
    """Six seats after thirty rounds: the clock is looked at between any two imagined games."""
    running, rng = replay(new_table("majesty", 6, seed=b"long")), FastRng(2)
    while running.table.round < 30:
        game_laws.step(running, rng)
    while running.kind != "act":
        game_laws.step(running, rng)
    assert running.choice_count > 800
    now, imagined = 0.0, 0

    def clock() -> float:
        return now

    seat = running.asked_seats[0]
    context = bot_context_of(running, seat)

    def imagine(rng):
        nonlocal now, imagined
        now, imagined = now + 0.04, imagined + 1
        return context.imagine(rng)

    bot = MonteCarloBot(rollouts=400, seconds=0.1, clock=clock)
    key = bot.choose(running.view(seat), replace(context, imagine=imagine), FastRng(1))
    assert key in running.question_for(seat).options
    assert imagined <= 3


# Sensible when asked by others


def best(yard: Throne, seat: int) -> str:
    """What a Medium bot on this seat answers to what it is asked."""
    running = replay(new_table("majesty", yard.table.seats, seed=b"around an arranged table"))
    running.table = yard.table
    is_one = isinstance(yard.ask, Question)
    running.single, running.group = (yard.ask, None) if is_one else (None, yard.ask)
    weights = rate_choices(running.view(seat), house_deck("majesty"))
    return max(weights, key=weights.__getitem__)


def invitation(host_reforms: tuple[str, ...], guest_reforms: tuple[str, ...] = ()) -> Throne:
    """Seat 0 asks seat 1 for Jefferson."""
    yard = Throne(
        hands=[FILLER[:2]],
        philosophes=[(WOLLSTONECRAFT, KANT), (JEFFERSON, HUME)],
        colonies=[[PERU]],
        reforms=[host_reforms, guest_reforms],
    )
    yard.turn().choose("salon", f"pay:{FILLER[0]}", LAW, f"ask:{JEFFERSON}")
    return yard


def test_bot_lends_to_a_court_that_is_behind_and_never_to_one_about_to_win() -> None:
    assert best(invitation((), HIGH[:1]), 1) == "lend"
    assert best(invitation(HIGH, HIGH[:1]), 1) == "refuse"
    # One point short of the target, with the reform it would have it.
    assert best(invitation((*HIGH, "re-meritocracy"), HIGH), 1) == "refuse"


def test_bot_answers_a_campaign_for_a_colony_worth_a_card() -> None:
    def attacked(colony: str, hand: tuple[str, ...]) -> Throne:
        yard = Throne(hands=[FILLER[:1], hand], colonies=[(), [colony]], philosophes=[(), (KANT, HUME)]).turn()
        yard.choose(f"campaign:{FILLER[0]}", colony)
        return yard

    assert best(attacked(PERU, FILLER[1:2]), 1) == FILLER[1]
    assert best(attacked(PERU, ("ev-grand-tour.6",)), 1) == "pass"
    # Its last point comes with the loss of a slave colony, so it lets it go.
    yard = Throne(
        hands=[FILLER[:1], FILLER[1:2]], colonies=[(), [JAMAICA]], reforms=[(), (*HIGH, "re-equality-of-estates")]
    )
    yard.turn().choose(f"campaign:{FILLER[0]}", JAMAICA)
    assert best(yard, 1) == "pass"


def test_bot_keeps_a_philosophe_with_its_own_place_at_court() -> None:
    yard = Throne(hands=[[PLACE], [OTHER_PLACE]], philosophes=[(), (JEFFERSON,)]).turn()
    yard.choose(f"event:{PLACE}", JEFFERSON)
    assert best(yard, 1) == OTHER_PLACE


def test_bot_loses_what_it_needs_least() -> None:
    yard = Throne(hands=[["ev-wounded-vanity.5"]], philosophes=[(), (JEFFERSON, WOLLSTONECRAFT)]).turn()
    yard.choose("event:ev-wounded-vanity.5", "seat-1")
    assert best(yard, 1) == WOLLSTONECRAFT
