"""Royal Menagerie: set-up, turns and the end-stage."""

from __future__ import annotations

import pytest

from cardgames.engine import OPEN, ForcedSource, Question
from cardgames.engine.cards import ZoneView
from cardgames.games import find_game, house_deck, new_table, replay
from cardgames.games.menagerie.deck_definition import ANIMALS, faces_of
from cardgames.games.menagerie.rules import turns
from refusal import Refusal
from tests.cardgames.games.arranged_tables import (
    ANTELOPE,
    DRAGON,
    IBIS,
    MAMMOTH,
    TIGER,
    TORTOISE,
    Yard,
    deal,
    everywhere,
    keys,
    play,
)

PAIRS = ((TORTOISE, TIGER), (IBIS, IBIS), (DRAGON, MAMMOTH), (ANTELOPE, TIGER))
HANDS = (
    (TORTOISE, TORTOISE, "shoot"),
    (TIGER, "steal", IBIS),
    ("trade", MAMMOTH, DRAGON),
    (ANTELOPE, ANTELOPE, "windfall"),
)


@pytest.mark.parametrize("seats", [1, 2, 3, 5, 0, -4, True, "4"])
def test_game_needs_exactly_four_players(seats: object) -> None:
    """G01"""
    with pytest.raises(Refusal, match="exactly 4"):
        new_table("menagerie", seats, seed=b"x")  # type: ignore[arg-type]
    assert replay(new_table("menagerie", 4, seed=b"x")).table.seats == 4


def test_play_deck_has_thirty_animals_of_six_types_and_sixteen_actions() -> None:
    """G02, GR-15, GR-18"""
    deck = house_deck("menagerie")
    assert [row.copies for row in deck.group("animals")] == [5] * 6
    assert {row.id: row.copies for row in deck.group("actions")} == {
        "shoot": 4,
        "steal": 4,
        "trade": 4,
        "bazaar": 2,
        "windfall": 2,
    }
    assert deck.row("hiroa-antelope").values["name"] == "Hiroa Antelope"
    live = replay(new_table("menagerie", 4, seed=b"x"))
    cards = everywhere(live.table)
    assert len(cards) == 46 + 4
    assert cards.count("conspirator") == 2


def test_roles_are_dealt_and_only_the_vizier_is_revealed() -> None:
    """G03, G04, GI-10"""
    live = deal(roles=("conspirator", "loyalist", "vizier", "conspirator"))
    shown = [[], [], ["vizier"], []]
    assert live.view(None).zones_each("role").each == shown
    for seat, role in enumerate(("conspirator", "loyalist", "vizier", "conspirator")):
        mine = [list(each) for each in shown]
        mine[seat] = [role]
        assert live.view(seat).zones_each("role").each == mine
    assert live.view(0).fields["vizier"] == 2
    with pytest.raises(Refusal, match="when the game is over"):
        live.view(OPEN)


def test_cards_are_turned_up_until_each_seat_has_two_animals() -> None:
    """G05, GE-1, GE-2"""
    turned = [
        "shoot",
        "steal",
        "bazaar",
        TORTOISE,
        TIGER,
        "trade",
        IBIS,
        DRAGON,
        TORTOISE,
        ANTELOPE,
        "shoot",
        MAMMOTH,
        IBIS,
    ]
    live = deal(turned=turned)
    event = live.events(None)[1]
    # Seats 1, 2, 3, 0 in turn, and again.
    assert event.values["animals"] == [[DRAGON, IBIS], [TORTOISE, TORTOISE], [TIGER, ANTELOPE], [IBIS, MAMMOTH]]
    assert event.values["aside"] == ["shoot", "steal", "bazaar", "trade", "shoot"]
    assert live.view(None).spots_each("menagerie").counts[1] == [2, 0, 0, 0, 0, 0]


def test_cards_set_aside_are_shuffled_back() -> None:
    """G06"""
    orders: list[list[str] | None] = [None, [TORTOISE, "shoot"] * 4 + [TIGER] * 4, None]
    game = find_game("menagerie")
    table = game.open_table(
        house_deck("menagerie"),
        4,
        {"endstage_immediate": False, "sum_tie": "conspirators"},
        ForcedSource(orders),
        False,
    )
    next(game.play(table))
    assert len(table.mixes) == 3
    again, _, by_shuffle, _ = table.mixes[2]
    assert by_shuffle
    assert len(again) == 46 - 8
    assert sum(card.face.id == "shoot" for card in again) == 4
    assert all(zone.label != "set-aside" for zone in table.zones)


def test_each_seat_gets_three_cards_only_it_can_see() -> None:
    """G07"""
    live = deal(animals=PAIRS, hands=HANDS, draws=[TIGER])
    for seat in range(4):
        zone = live.view(seat).zones_each("hand")
        assert zone.counts == [3, 4, 3, 3]
        assert zone.each[seat][:3] == list(HANDS[seat])
        assert [each for other, each in enumerate(zone.each) if other != seat] == [[], [], []]
    assert live.view(None).zones_each("hand").each == [[], [], [], []]
    assert live.view(None).zone("deck") == ZoneView("deck", 25, [])


@pytest.mark.parametrize("vizier", [0, 1, 2, 3])
def test_seat_left_of_the_vizier_starts_and_play_goes_clockwise(vizier: int) -> None:
    """G10"""
    roles = ["conspirator"] * 4
    roles[vizier], roles[vizier - 1] = "vizier", "loyalist"
    live = deal(roles=roles)
    order = []
    while live.table.turn <= 8 and live.result is None:
        active = live.table.active
        if not order or order[-1] != active:
            order.append(active)
        play(live, keys(live)[0])
    assert order[:8] == [(vizier + step) % 4 for step in range(1, 9)]


def test_players_draw_and_play_one_card_and_the_vizier_two() -> None:
    """G11, G12, GR-3"""
    live = deal(animals=PAIRS, hands=HANDS, draws=[TIGER, IBIS, DRAGON, "shoot", "shoot", TORTOISE])
    assert live.asked_seats == (1,)
    assert live.view(1).zones_each("hand").each[1] == [*HANDS[1], TIGER]
    play(live, TIGER, "0")
    play(live, MAMMOTH, "0")
    play(live, ANTELOPE, "0")
    assert live.asked_seats == (0,)
    # Both cards are drawn before the first is played.
    assert live.view(0).zones_each("hand").each[0] == [*HANDS[0], "shoot", "shoot"]
    assert live.table.plays_left == 2
    play(live, TORTOISE, "1")
    assert (live.asked_seats, live.table.plays_left) == ((0,), 1)
    play(live, TORTOISE, "2")
    assert live.asked_seats == (1,)
    drew = [event.values["n"] for event in live.events(None) if event.key == "drew"]
    assert drew == [1, 1, 1, 2, 1]


@pytest.mark.parametrize(("left", "drawn", "stage"), [(1, 1, "end"), (2, 2, "end"), (3, 2, "main")])
def test_stage_is_fixed_when_a_turn_begins(left: int, drawn: int, stage: str) -> None:
    """GR-2, GE-11, G40"""
    yard = Yard(hands=[[TIGER] * 3, [IBIS], [IBIS], [IBIS]], deck=[DRAGON] * left, vizier=0)
    yard.start(turns(yard.table, 0))
    assert yard.events("drew") == [{"seat": 0, "n": drawn}]
    # Two plays even when the last card was drawn: the end-stage begins with the next turn.
    yard.choose(TIGER, "1")
    assert yard.table.stage == "main"
    yard.choose(TIGER, "2")
    assert yard.table.active == 1
    assert yard.table.stage == stage


def test_option_starts_the_end_stage_at_once() -> None:
    """GR-2"""
    yard = Yard(hands=[[TIGER] * 3, [IBIS], [IBIS], [IBIS]], deck=[DRAGON], vizier=0, endstage_immediate=True)
    yard.start(turns(yard.table, 0)).choose(TIGER, "1")
    assert (yard.table.stage, yard.table.active) == ("end", 1)


def test_bazaar_can_empty_the_deck_during_a_turn() -> None:
    """GE-10, G40"""
    yard = Yard(
        hands=[["bazaar", TIGER], [IBIS], [IBIS], [IBIS]], deck=[DRAGON, DRAGON, IBIS, IBIS, TIGER, TIGER], vizier=0
    )
    yard.start(turns(yard.table, 0)).choose("bazaar")
    for to in ("1", "0", "0", "0"):
        assert isinstance(yard.ask, Question)
        yard.choose(yard.keys[0], to)
    assert (yard.table.active, yard.table.stage, yard.table.plays_left) == (0, "main", 1)
    yard.choose(TIGER, "1")
    assert (yard.table.active, yard.table.stage) == (1, "end")


def test_nobody_draws_and_the_vizier_plays_one_in_the_end_stage() -> None:
    """G41, G42, GR-14, GE-12"""
    yard = Yard(hands=[[TIGER, TIGER], [IBIS], [], [DRAGON, DRAGON, DRAGON]], vizier=0)
    yard.start(turns(yard.table, 0))
    order = []
    while not yard.over:
        assert isinstance(yard.ask, Question)
        order.append(yard.ask.seat)
        yard.choose(yard.keys[0], "2")
    assert order == [0, 1, 3, 0, 3, 3]
    assert yard.events("drew") == []
    assert yard.event_keys().count("end-stage") == 1


def test_game_ends_with_empty_hands_and_roles_revealed() -> None:
    """G43, GI-9"""
    live = deal()
    while live.result is None:
        play(live, keys(live)[-1])
    view = live.view(None)
    assert view.zones_each("hand").counts == [0, 0, 0, 0]
    assert view.zones_each("role").each == [["vizier"], ["conspirator"], ["loyalist"], ["conspirator"]]
    assert live.result.outcome in ("solo", "shared", "conspirators")
    assert view.result.winners == live.result.winners
    with pytest.raises(Refusal, match="over"):
        live.choose(0, TIGER)


def test_windfall_as_the_last_card_of_the_end_stage() -> None:
    """GE-13, GR-12"""
    yard = Yard(hands=[["windfall"], [], [], []], discard=[TIGER, IBIS, DRAGON], vizier=1)
    yard.start(turns(yard.table, 0)).choose("windfall")
    assert yard.events("from-discard") == [{"seat": 0, "n": 2}]
    first = yard.keys
    assert len(first) == 2
    yard.choose(first[0], "1", first[1], "2")
    # Drawing from the discard pile has not brought the draw phase back, and now all hands are empty.
    assert yard.over
    assert yard.table.stage == "end"
    assert yard.value.scores == (0, 1, 1, 0)


def test_hands_hold_three_between_turns_of_the_normal_stage() -> None:
    """GI-5, GI-6"""
    for seed in range(12):
        live = replay(new_table("menagerie", 4, seed=b"hands %d" % seed))
        turn, total = 0, None
        while live.result is None:
            table = live.table
            if table.turn != turn and not table.at_work.cards:
                turn = table.turn
                held = [len(hand.cards) for hand in table.hands]
                if table.stage == "main" and len(table.deck.cards) > 1:
                    held[table.active] -= 2 if table.active == table.vizier else 1
                    assert held == [3, 3, 3, 3]
                elif table.stage == "end":
                    assert total is None or sum(held) < total
                    total = sum(held)
            play(live, keys(live)[(turn * 7 + seed) % len(keys(live))])


def test_game_replays_from_its_seed_and_keys() -> None:
    """GI-11"""
    live = replay(new_table("menagerie", 4, seed=b"again"))
    while live.result is None:
        play(live, keys(live)[len(live.rows) % len(keys(live))])
    again = replay(live.to_record())
    assert again.result is not None
    assert again.result.as_json() == live.result.as_json()
    assert [again.view(seat) for seat in range(4)] == [live.view(seat) for seat in range(4)]
    assert again.events(2) == live.events(2)
    other = replay(new_table("menagerie", 4, seed=b"other"))
    assert other.view(0) != replay(new_table("menagerie", 4, seed=b"again")).view(0)


def test_every_card_has_a_text_in_our_words() -> None:
    for face in faces_of(house_deck("menagerie")):
        assert face.name[0].isupper()
        assert face.text.endswith(".")
    assert len({face.id for face in faces_of(house_deck("menagerie"))}) == len(ANIMALS) + 5 + 3


def test_no_option_reveals_a_role() -> None:
    """GR-17"""
    live = deal()
    while live.result is None:
        assert not any("role" in key or "vizier" in key for key in keys(live))
        assert live.kind in ("play", "pick", "gift", "shoot", "steal", "trade-first", "trade-second")
        play(live, keys(live)[0])
