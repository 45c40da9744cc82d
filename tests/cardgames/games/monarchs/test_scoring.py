"""Of Mice and Monarchs: scoring, ties, family scoring, and the score sheet for printed cards."""

from __future__ import annotations

import pytest

from cardgames.games import house_deck, new_table, replay
from cardgames.games.monarchs import printed_game
from cardgames.games.monarchs.deck_definition import COLOURS, faces_of
from cardgames.games.monarchs.rules import discards, family
from cardgames.games.monarchs.scoring import (
    best_discards,
    check_counts,
    count_by_colour,
    family_left,
    result,
    score_colours,
    winners,
)
from refusal import Refusal
from tests.cardgames.games.arranged_tables import Hall, keys, play

DECK = house_deck("monarchs")
FACES = {face.id: face for face in faces_of(DECK)}


def mice(*names: str) -> list:
    return [FACES[name] for name in names]


def test_cards_times_crowns_in_each_colour() -> None:
    """M50, M51, MI-8"""
    own = mice(
        "green-heir",
        "green-squire",
        "green-usher",
        "green-steward",
        "red-usher",
        "red-chancellor",
        "blue-heir",
        "peasant-plus",
    )
    assert count_by_colour(own) == {"green": (4, 3), "red": (2, 0), "blue": (1, 2)}
    lines = score_colours(count_by_colour(own))
    assert [line.key for line in lines] == list(COLOURS)
    assert {line.key: line.points for line in lines if line.points} == {"green": 12, "blue": 2}
    assert next(line.detail for line in lines if line.key == "green") == "4 cards × 3 crowns"
    # Ten peasants are worth nothing.
    assert sum(line.points for line in score_colours(count_by_colour(mice(*["peasant-plus"] * 10)))) == 0


def test_example_from_the_rules_scores_28() -> None:
    """M50, M52"""
    counts = {"orange": (3, 2), "green": (4, 3), "blue": (2, 1), "red": (2, 0), "purple": (1, 2), "yellow": (2, 3)}
    assert sum(line.points for line in score_colours(counts)) == 28
    assert result([counts, {"red": (3, 9)}]).winners == (0,)


def test_extra_card_never_lowers_the_score() -> None:
    """MI-8"""
    own: list = []
    last = 0
    for face in faces_of(DECK):
        own.append(face)
        now = sum(line.points for line in score_colours(count_by_colour(own)))
        assert now >= last
        last = now
    assert last == 6 * 10 * 5


def test_hand_draw_deck_and_discards_all_count() -> None:
    """M47, M52"""
    live = replay(new_table("monarchs", 2, seed=b"count"))
    while live.result is None:
        play(live, next((key for key in keys(live) if key.startswith("buy")), keys(live)[-1]))
    t = live.table
    for seat in range(2):
        own = [FACES[card.face.id] for zone in (t.hands, t.draws, t.discards) for card in zone[seat].cards]
        assert len(own) == 10 + len(t.owned[seat])
        assert live.result.scores[seat] == sum(line.points for line in score_colours(count_by_colour(own)))
    best = max(live.result.scores)
    assert live.result.winners == tuple(seat for seat in range(2) if live.result.scores[seat] == best)
    # All cards lie open at the end.
    assert all(card.seen == t.everybody for zone in (*t.hands, *t.draws) for card in zone.cards)


# scores, crowns, cards, tiebreak, outcome, winners
TIES = [
    ((9, 9, 4), (1, 2, 9), (5, 4, 9), "share", "shared", (0, 1)),
    ((9, 9, 4), (1, 2, 9), (5, 4, 9), "crowns", "tiebreak", (1,)),
    ((9, 9, 4), (1, 2, 9), (5, 6, 2), "cards", "tiebreak", (0,)),
    ((9, 9, 4), (2, 2, 9), (5, 5, 2), "crowns", "shared", (0, 1)),
    ((7, 7, 7, 7), (1,) * 4, (3,) * 4, "share", "shared", (0, 1, 2, 3)),
    ((0, 0), (0, 0), (0, 0), "cards", "shared", (0, 1)),
    ((3, 8), (5, 1), (1, 9), "crowns", "highest", (1,)),
    ((5,), (1,), (5,), "share", "solo", (0,)),
]


@pytest.mark.parametrize(("scores", "crowns", "cards", "tiebreak", "outcome", "seats"), TIES)
def test_equal_totals_share_the_win_by_default(scores, crowns, cards, tiebreak, outcome, seats) -> None:
    """MR-9, ME-14, M52"""
    assert winners(scores, crowns, cards, tiebreak) == (outcome, seats)


@pytest.mark.parametrize(
    ("own", "left"),
    [
        ([], 0),
        (["red-heir"], 0),
        (["red-heir", "red-squire"], 0),
        (["red-heir", "red-squire", "red-usher"], 2),
        (["red-heir", "red-squire", "red-usher", "red-steward"], 3),
    ],
)
def test_family_scoring_counts_the_crowns_left_after_two_discards(own: list[str], left: int) -> None:
    """M60, M61, ME-13"""
    assert family_left(mice(*own)) == left
    assert len(best_discards(mice(*own))) == min(2, len(own))
    assert left <= sum(FACES[name].crowns for name in own)


def test_family_discards_are_a_choice_with_the_best_first() -> None:
    """MR-13"""
    heap = mice("red-heir", "red-squire", "red-usher", "red-steward")
    pairs = discards(heap)
    assert next(iter(pairs)) == "red-steward+red-usher"
    assert len(pairs) == 6
    hall = Hall(hands=[[], []])
    hall.start(family(hall.table, [heap, mice("red-heir", "blue-heir", "blue-squire", "blue-usher")]))
    # Blue first, by the order of the colours: only seat 1 has more than two.
    assert list(hall.ask.asks) == [1]
    hall.answer({1: "blue-usher+blue-heir"})
    assert list(hall.ask.asks) == [0]
    hall.answer({0: "red-steward+red-usher"})
    assert hall.over
    assert [sum(each.values()) for each in hall.value] == [3, 1]


def test_family_scoring_asks_everyone_at_once() -> None:
    """M60, MR-13, MI-8"""
    live = replay(new_table("monarchs", 3, seed=b"family", options={"family_scoring": True}))
    sealed = 0
    while live.result is None:
        seat = live.unanswered_seats[0]
        options = list(live.question_for(seat).options)
        if live.kind == "family":
            sealed += len(live.asked_seats) > 1
            assert "set aside" in live.question_display(seat, ("a", "b", "c")).prompt
            live.choose(seat, options[0])
        else:
            live.choose(seat, next((key for key in options if key.startswith("buy")), options[-1]))
    assert sealed
    assert live.result.facts["family"] is True
    assert all(score <= crowns for score, crowns in zip(live.result.scores, live.result.facts["crowns"], strict=True))
    assert live.result.scores == tuple(sum(line.points for line in lines) for lines in live.result.lines)


def test_score_sheet_uses_the_same_functions() -> None:
    live = replay(new_table("monarchs", 2, seed=b"sheet"))
    while live.result is None:
        play(live, next((key for key in keys(live) if key.startswith("buy")), keys(live)[-1]))
    counts = [count_by_colour([FACES[key] for key in owned]) for owned in live.table.owned]
    sheet = printed_game.score_sheet(counts, DECK)
    assert sheet.scores == live.result.scores
    assert sheet.lines == live.result.lines
    assert sheet.winners == live.result.winners
    assert sheet.warnings == ()


def test_family_score_sheet_takes_remaining_crowns() -> None:
    sheet = printed_game.score_sheet([{"red": (4, 3)}, {"blue": (2, 2)}], DECK, left=[{"red": 3}, {"blue": 0}])
    assert (sheet.scores, sheet.winners) == ((3, 0), (0,))
    with pytest.raises(Refusal, match="all of them go"):
        printed_game.score_sheet([{"red": (2, 2)}], DECK, left=[{"red": 1}])
    with pytest.raises(Refusal, match="more crowns left"):
        printed_game.score_sheet([{"red": (4, 2)}], DECK, left=[{"red": 3}])
    with pytest.raises(Refusal, match="Each player"):
        printed_game.score_sheet([{"red": (4, 2)}], DECK, left=[])


@pytest.mark.parametrize(
    "wrong", [{"gray": (1, 0)}, {"red": (0, 1)}, {"red": (-1, 0)}, {"red": (1, "2")}, {"red": (1,)}]
)
def test_invalid_score_sheet_values_are_refused(wrong: dict) -> None:
    """M51"""
    with pytest.raises(Refusal):
        check_counts(wrong)
    with pytest.raises(Refusal):
        printed_game.score_sheet([wrong], DECK)


def test_more_cards_than_the_deck_has_give_a_warning_only() -> None:
    sheet = printed_game.score_sheet([{"red": (9, 5)}, {"red": (4, 1)}], DECK)
    assert sheet.warnings == ("Red: 13 cards and 6 crowns are entered; this deck has 10 cards and 5 crowns.",)
    with pytest.raises(Refusal):
        printed_game.score_sheet([], DECK)
