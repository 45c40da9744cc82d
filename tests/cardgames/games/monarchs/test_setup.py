"""Of Mice and Monarchs: the cards, the set-up, the brisk court."""

from __future__ import annotations

from collections import Counter

import pytest

from cardgames.engine.cards import ZoneView
from cardgames.engine.printed_game import Tap
from cardgames.games import find_companion, find_game, house_deck, new_table, replay
from cardgames.games.monarchs import printed_game
from cardgames.games.monarchs.deck_definition import COLOURS, COLUMNS, GRAY, faces_of, letters, piles_of
from cardgames.games.monarchs.rules import OUT_OF_REACH
from chance import Dice
from refusal import Refusal
from tests.cardgames.engine.game_laws import starts
from tests.cardgames.games.arranged_tables import everywhere, keys, play

DECK = house_deck("monarchs")
FACES = {face.id: face for face in faces_of(DECK)}


def table(seats: int = 2, seed: bytes = b"court", **options: object):
    return replay(new_table("monarchs", seats, seed=seed, options=options))


def test_starting_cards_are_gray_and_court_cards_have_six_colours() -> None:
    """M01"""
    starting, court = piles_of(DECK)
    assert {face.colour for face in starting} == {GRAY}
    assert {face.colour for face in court} == set(COLOURS)
    assert len(court) == 60
    assert all(face.cost >= 1 for face in court)
    assert GRAY not in COLOURS


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_each_seat_takes_the_ten_cards_of_its_letter(seats: int) -> None:
    """M02, M03, MR-1, MI-2"""
    live = table(seats)
    assert letters(DECK) == ("A", "B", "C", "D")
    assert Counter(everywhere(live.table))["peasant-plus"] == 7 * seats
    assert Counter(everywhere(live.table))["peasant-zero"] == 3 * seats
    for key in ("peasant-plus", "peasant-zero"):
        assert (FACES[key].crowns, FACES[key].moves) == (0, 0)
    assert (FACES["peasant-plus"].influence, FACES["peasant-zero"].influence) == (1, 0)
    while live.result is None:
        play(live, keys(live)[0])
    for seat in range(seats):
        zones = (live.table.hands, live.table.draws, live.table.discards, live.table.played)
        own = [card.face.group for zone in zones for card in zone[seat].cards]
        assert own.count("starting") == 10


@pytest.mark.parametrize("seats", [0, 5, -1, "2", True])
def test_one_to_four_players(seats: object) -> None:
    """MR-1"""
    with pytest.raises(Refusal, match="1 to 4 players"):
        new_table("monarchs", seats, seed=b"x")  # type: ignore[arg-type]


def test_seats_start_with_five_cards_in_hand_five_in_the_deck_and_seven_influence() -> None:
    """M04, M05, MI-3"""
    for number in range(40):
        live = table(2, b"first hands %d" % number)
        t = live.table
        waiting = 1 - live.asked_seats[0]
        hand, deck = t.hands[waiting].cards, t.draws[waiting].cards
        assert (len(hand), len(deck), len(t.discards[waiting].cards)) == (5, 5, 0)
        first = sum(FACES[card.face.id].influence for card in hand)
        assert 2 <= first <= 5
        assert first + sum(FACES[card.face.id].influence for card in deck) == 7


def test_eight_court_cards_lie_open_in_two_rows() -> None:
    """M06"""
    live = table(2)
    court = live.view(None).spots("court")
    assert court.counts == [1] * 8
    assert court.names[:4] == ("front-1", "front-2", "front-3", "front-4")
    assert live.view(0).zone("deck") == ZoneView("deck", 52, [])


def test_start_player_is_random_and_stays_marked() -> None:
    """M07"""
    begun = Counter(table(3, b"lot %d" % number).table.start for number in range(60))
    assert set(begun) == {0, 1, 2}
    live = table(3)
    start = live.table.start
    order = []
    while len(order) < 7:
        if not order or live.table.turn > len(order):
            order.append(live.table.active)
        play(live, "done" if "done" in keys(live) else keys(live)[0])
    assert order == [(start + step) % 3 for step in range(7)]
    assert live.table.start == start


def test_brisk_court_removes_three_unseen_cards_of_each_colour() -> None:
    """MI-1"""
    live = table(2, brisk_court=True)
    t = live.table
    assert Counter(FACES[card.face.id].colour for card in t.box.cards) == dict.fromkeys(COLOURS, 3)
    assert len(t.deck.cards) == 42 - 8
    assert all(card.seen == 0 for card in t.box.cards)
    assert live.view(0).zone("box") == ZoneView("box", 18, [])
    turns = []
    for number in range(8):
        live = replay(starts(find_game("monarchs"), DECK, 2, brisk_court=True)(number))
        while live.result is None:
            play(
                live,
                next(
                    (key for key in keys(live) if key.startswith("buy")),
                    "done" if "done" in keys(live) else keys(live)[0],
                ),
            )
        turns.append(live.table.turn)
    assert 16 <= sorted(turns)[4] <= 44


def test_set_up_with_printed_cards() -> None:
    companion = printed_game.MonarchsCompanion()
    steps = companion.set_up(DECK, 3, {"brisk_court": True})
    assert "A, B, C" in steps[0]
    assert any("3 cards of each colour" in step for step in steps)
    assert any("start player" in step for step in steps)
    assert any("black die" in step for step in companion.set_up(DECK, 1, {}))
    with pytest.raises(Refusal, match="1 to 4"):
        companion.set_up(DECK, 5, {})
    taps = [Tap(DECK, Dice(b"%d" % number)) for number in range(60)]
    assert {find_companion("monarchs").first_seat({"seats": 4}, tap) for tap in taps} == {0, 1, 2, 3}


def test_hands_hold_five_and_rows_are_full_between_turns() -> None:
    """MI-3, MI-4, MI-5"""
    for number in range(6):
        live = table(3, b"five %d" % number)
        turn = 0
        while live.result is None:
            t = live.table
            if t.turn != turn:
                turn = t.turn
                assert [len(t.hands[seat].cards) for seat in range(3) if seat != t.active] == [5, 5]
                if t.deck.cards:
                    assert all(t.court.piles)
            assert t.influence >= 0
            play(live, keys(live)[(number + len(live.rows)) % len(keys(live))])


@pytest.mark.parametrize("seats", [1, 3])
def test_prices_at_hand_are_those_of_the_cards_on_top(seats: int) -> None:
    """M13, M14"""
    for number in range(4):
        live = table(seats, b"price %d" % number, after_reveal_continue=bool(number % 2))
        while live.result is None:
            t = live.table
            costs = [pile[-1].face.cost if pile else None for pile in t.court.piles]
            wanted = [None if cost is None else cost + 2 * (spot >= COLUMNS) for spot, cost in enumerate(costs)]
            assert [None if price == OUT_OF_REACH else price for price in t.prices] == wanted
            play(live, keys(live)[(number + len(live.rows)) % len(keys(live))])


def test_everyone_has_equal_turns_and_the_game_always_progresses() -> None:
    """MI-7, MI-10, M46"""
    for number in range(10):
        live = table(4, b"equal %d" % number)
        taken: Counter[int] = Counter()
        turn, measure = 0, None
        while live.result is None:
            t = live.table
            if t.turn != turn:
                turn = t.turn
                taken[t.active] += 1
                assert max(taken.values()) - min(taken[seat] for seat in range(4)) <= 1
                now = 2 * len(t.deck.cards) + sum(map(len, t.court.piles))
                assert measure is None or now < measure or not t.deck.cards
                measure = now
            play(live, keys(live)[(number * 3 + len(live.rows)) % len(keys(live))])
        assert len(set(taken.values())) == 1


def test_game_replays_from_its_seed_and_keys() -> None:
    """MI-9"""
    live = table(2, b"again")
    while live.result is None:
        play(live, keys(live)[len(live.rows) % len(keys(live))])
    again = replay(live.to_record())
    assert again.result is not None
    assert again.result.as_json() == live.result.as_json()
    assert again.view(1) == live.view(1)
