"""Bots: what they are given, that their choices are legal, and that each level beats the one before."""

from __future__ import annotations

import inspect
import math
from dataclasses import replace

import pytest

from bench.cardgames_levels import play_game, share_with_bound
from cardgames.bots import (
    LEVEL,
    LEVELS,
    GreedyBot,
    MonteCarloBot,
    RandomBot,
    bot_context_of,
    choose_for_bot,
    explanation,
    monte_carlo,
)
from cardgames.bots.bot_context import Bot
from cardgames.engine import FastRng, RunningTable
from cardgames.games import new_table, replay


def played(key: str, seats: int, number: int, choose_bots, **options: object) -> RunningTable:
    """Plays a whole game of bots; ``choose_bots(live)`` names the bot of each seat."""
    live = replay(new_table(key, seats, seed=b"bots %d" % number, options=options))
    bots = choose_bots(live)
    rngs = [FastRng(number * 10 + seat) for seat in range(seats)]
    while live.result is None:
        seat = live.unanswered_seats[0]
        live.choose(seat, choose_for_bot(bots[seat], live, seat, rngs[seat]))
    return live


def as_vizier(bot: Bot, games: int, first: int = 0) -> int:
    """How often this bot wins as Vizier, alone or shared, against three random players."""
    won = 0
    for number in range(first, first + games):
        live = played(
            "menagerie",
            4,
            number,
            lambda live: [bot if seat == live.table.vizier else RandomBot() for seat in range(4)],
        )
        assert live.result is not None
        won += live.table.vizier in live.result.winners
    return won


def lower_bound(won: int, games: int, other: int, others: int) -> float:
    """The lower 95 % bound of the difference of two shares."""
    p, q = won / games, other / others
    return p - q - 1.96 * math.sqrt(p * (1 - p) / games + q * (1 - q) / others)


def test_bots_never_get_the_seed() -> None:
    for level in LEVELS:
        assert list(inspect.signature(level.bot.choose).parameters) == ["view", "context", "rng"]
    live = replay(new_table("menagerie", 4, seed=b"the secret seed"))
    seat = live.asked_seats[0]
    context = bot_context_of(live, seat)
    assert not hasattr(live.view(seat), "seed")
    world = context.imagine(FastRng(1))
    assert world.record.seed == b""
    assert world.to_record().rows == ()
    true_hands = [[card.key for card in hand.cards] for hand in live.table.hands]
    made = [[[card.key for card in hand.cards] for hand in context.imagine(FastRng(n)).table.hands] for n in range(6)]
    assert all(hands[seat] == true_hands[seat] for hands in made)
    assert any(hands != true_hands for hands in made)
    # What comes next is imagined as well, not taken from the seed.
    futures = {tuple(card.key for card in context.imagine(FastRng(n)).table.deck.cards[-5:]) for n in range(6)}
    assert len(futures) > 3


@pytest.mark.parametrize("level", [level.key for level in LEVELS])
@pytest.mark.parametrize(("key", "seats"), [("menagerie", 4), ("monarchs", 1), ("monarchs", 2)])
def test_every_level_makes_legal_choices(level: str, key: str, seats: int) -> None:
    bot = LEVEL[level].bot if level != "thinker" else MonteCarloBot(rollouts=4, breadth=2)
    live = replay(new_table(key, seats, seed=b"open"))
    rng = FastRng(1)
    for _ in range(40):
        if live.result is not None:
            break
        seat = live.unanswered_seats[0]
        again = FastRng(7)
        key_chosen = choose_for_bot(bot, live, seat, FastRng(7))
        assert key_chosen in live.question_for(seat).options
        assert choose_for_bot(bot, live, seat, again) == key_chosen
        keys = list(live.question_for(seat).options)
        live.choose(seat, keys[rng.below(len(keys))])


def test_thinker_respects_its_time_limit() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 0.001
        return now

    live = replay(new_table("menagerie", 4, seed=b"time"))
    seat = live.asked_seats[0]
    imagined = 0
    context = bot_context_of(live, seat)

    def counted(rng):
        nonlocal imagined
        imagined += 1
        return context.imagine(rng)

    bot = MonteCarloBot(rollouts=10_000, seconds=0.05, clock=clock)
    key = bot.choose(live.view(seat), replace(context, imagine=counted), FastRng(1))
    assert key in live.question_for(seat).options
    assert 40 <= imagined <= 51


def test_greedy_beats_random_at_both_games() -> None:
    viziers = as_vizier(GreedyBot(), 150), as_vizier(RandomBot(), 300)
    assert lower_bound(viziers[0], 150, viziers[1], 300) > 0.0
    won = 0.0
    for number in range(20):
        live = played(
            "monarchs",
            2,
            number,
            lambda live, first=number % 2: [[GreedyBot(), RandomBot()][seat ^ first] for seat in range(2)],
        )
        assert live.result is not None
        won += (number % 2 in live.result.winners) / len(live.result.winners)
    assert won >= 18


def test_greedy_solo_score_matches_the_house_deck_target() -> None:
    scores = [played("monarchs", 1, number, lambda live: [GreedyBot()]).result.scores[0] for number in range(12)]
    assert sorted(scores)[6] > 15


def test_thinker_is_a_much_better_vizier_than_random() -> None:
    """The short version: few games and few imagined endings. The long version is below and in the benchmarks."""
    games = 30
    thinking, chance = as_vizier(MonteCarloBot(rollouts=14), games), as_vizier(RandomBot(), 600)
    assert lower_bound(thinking, games, chance, 600) > 0.0


@pytest.mark.soak
def test_thinker_beats_random_by_fifteen_points_with_confidence() -> None:
    games = 400
    bot = MonteCarloBot(seconds=0.1)
    thinking, chance = as_vizier(bot, games, first=5000), as_vizier(RandomBot(), games, first=5000)
    assert lower_bound(thinking, games, chance, games) >= 0.15


def events_of(live: RunningTable, *keys: str):
    return [event for event in live.events(None) if event.key in keys]


def test_no_bot_swaps_an_animal_for_one_of_the_same_type() -> None:
    """A Trade that changes nothing is made only where the rules leave nothing else."""
    swaps = 0
    for bot, games in ((GreedyBot(), 25), (MonteCarloBot(rollouts=2), 3)):
        for number in range(games):
            for event in events_of(played("menagerie", 4, number, lambda live, bot=bot: [bot] * 4), "traded"):
                swaps += 1
                assert event.values["first"] != event.values["second"]
    assert swaps > 20


@pytest.mark.parametrize("bot", [GreedyBot(), MonteCarloBot(rollouts=4)], ids=["medium", "hard"])
def test_loyalist_spares_the_vizier_while_a_conspirator_leads(bot: Bot) -> None:
    """A Loyalist wins only beside the Vizier."""
    seen = 0
    for number in range(40 if isinstance(bot, GreedyBot) else 5):
        live = replay(new_table("menagerie", 4, seed=b"spare %d" % number))
        rngs = [FastRng(number * 10 + seat) for seat in range(4)]
        roles = [zone.cards[0].key for zone in live.table.roles]
        loyalist, vizier = roles.index("loyalist"), live.table.vizier
        while live.result is None:
            seat = live.asked_seats[0]
            key = choose_for_bot(bot if seat == loyalist else GreedyBot(), live, seat, rngs[seat])
            is_shot = live.kind == "shoot" and seat == loyalist
            before, others = points_of(live), [key for key in live.single.options if key[0] != str(vizier)]
            live.choose(seat, key)
            leads = max(points for other, points in enumerate(before) if roles[other] == "conspirator")
            if is_shot and leads > before[vizier] and others:
                seen += 1
                assert points_of(live)[vizier] >= before[vizier]
    assert seen > 0


def points_of(live: RunningTable) -> list[int]:
    return [score.points for score in live.game.current_scores(live.view(None), live.record.deck)]


def test_hard_bot_sees_through_a_helper_of_the_vizier() -> None:
    """Whoever feeds the Vizier is taken for the Loyalist."""
    right = 0
    for number in range(12):
        live = played("menagerie", 4, number, lambda live: [GreedyBot()] * 4)
        later = RunningTable(live.game, replace(live.record, rows=tuple(live.line[: live.choice_count * 2 // 3])))
        vizier = later.table.vizier
        chance = live.game.read_history(later.view(vizier), later.record.deck, later.events(vizier)).chance
        assert len(chance) == 3
        assert sum(chance.values()) == pytest.approx(1)
        right += max(chance, key=chance.get) == tuple(zone.cards[0].key for zone in live.table.roles)
    assert right > 6  # a guess is right one time in three


def test_hard_bot_values_a_game_that_does_not_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monte_carlo, "MAX_STEPS", 3)
    for key, seats in (("menagerie", 4), ("monarchs", 2), ("monarchs", 1)):
        world = replay(new_table(key, seats, seed=b"long")).determinize(0, FastRng(1))
        assert 0.0 <= monte_carlo.play_to_end(world, 0, FastRng(2)) <= 1.0
        assert world.result is None


@pytest.mark.parametrize("level", [level.key for level in LEVELS])
@pytest.mark.parametrize(("key", "seats"), [("menagerie", 4), ("monarchs", 2)])
def test_every_level_explains_its_moves(level: str, key: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation, "ROLLOUTS", 4)
    live = replay(new_table(key, seats, seed=b"why"))
    bot = LEVEL[level].bot if level != "thinker" else MonteCarloBot(rollouts=4)
    for _ in range(6):
        seat = live.unanswered_seats[0]
        chosen = choose_for_bot(bot, live, seat, FastRng(3))
        lines = explanation.explain_move(live, seat, chosen, level, ("Ada", "Bo", "Cy", "Di")[:seats])
        assert lines
        assert all(line.endswith(".") for line in lines)
        assert "your" not in " ".join(lines)
        live.choose(seat, chosen)


def test_hard_beats_medium_at_one_table() -> None:
    """The short form: the judgement of what happened alone. The long form is below and in the benchmarks."""
    games = [play_game("menagerie", number, MonteCarloBot(rollouts=1), GreedyBot())[:2] for number in range(24)]
    assert share_with_bound(games)[0] > 0.5


@pytest.mark.soak
def test_hard_takes_sixty_percent_of_the_decided_pairings() -> None:
    games = [play_game("menagerie", number, MonteCarloBot(rollouts=60), GreedyBot())[:2] for number in range(400)]
    share, bound = share_with_bound(games)
    assert share >= 0.6
    assert bound > 0.52
