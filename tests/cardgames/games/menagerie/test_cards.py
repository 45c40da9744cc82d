"""Royal Menagerie: animals, actions, stampedes, nesting."""

from __future__ import annotations

import pytest

from cardgames.engine import Question, edit_deck
from cardgames.games import house_deck, new_table, replay
from cardgames.games.menagerie.deck_definition import SCHEMA
from cardgames.games.menagerie.rules import EFFECT, play_from, stampede, supply, turns
from tests.cardgames.games.arranged_tables import ANTELOPE, DRAGON, IBIS, MAMMOTH, TIGER, TORTOISE, Yard, keys, play


def play_card(yard: Yard, seat: int) -> Yard:
    """Lets the seat play a card from its hand."""
    yard.start(play_from(yard.table, seat, yard.table.hands[seat], "play"))
    return yard


def use(yard: Yard, seat: int, action: str) -> Yard:
    """Carries out an action, whoever played it."""
    yard.start(EFFECT[action](yard.table, seat))
    return yard


def test_played_card_is_an_animal_or_an_action() -> None:
    """G20, G21, GI-4"""
    yard = play_card(Yard(hands=[[TIGER, "shoot"], [], [], []]), 0)
    assert yard.keys == [TIGER, "shoot"]
    yard.choose(TIGER)
    # A gift: to one of the other three, never to oneself.
    assert yard.keys == ["1", "2", "3"]
    yard.choose("2")
    assert (yard.over, yard.pens()) == (True, ["", "", "W", ""])
    assert yard.events("gift") == [{"seat": 0, "to": 2, "card": TIGER}]


def test_menagerie_refuses_a_fourth_animal_of_a_type() -> None:
    """G23, G24, GI-2, GR-7"""
    yard = play_card(Yard(pens=["", "WWW", "WW", "I"], hands=[[TIGER, IBIS], [], [], []]), 0)
    yard.choose(TIGER)
    assert yard.keys == ["2", "3"]
    yard.choose("2")
    assert yard.pen(2) == "WWW"
    # One pen for each type, and only that type in it.
    for spots in yard.table.pens:
        for name, pile in zip(spots.names, spots.piles, strict=True):
            assert {card.face.id for card in pile} <= {name}


def test_animal_nobody_has_room_for_is_discarded() -> None:
    """GR-15"""
    yard = play_card(Yard(pens=["", "WWW", "WWW", "WWW"], hands=[[TIGER], [], [], []]), 0)
    yard.choose(TIGER)
    assert yard.over
    assert yard.pile("discard") == [TIGER]
    assert yard.event_keys() == ["no-pen"]


def test_giving_a_sixth_type_causes_a_stampede() -> None:
    """G27, GE-3, GI-3"""
    yard = play_card(Yard(pens=["", "TWIDAA", "", ""], hands=[[MAMMOTH], [], [], []]), 0)
    yard.choose(MAMMOTH, "1")
    assert yard.pen(1) == "A"
    assert sorted(yard.pile("discard")) == sorted([TORTOISE, TIGER, IBIS, DRAGON, ANTELOPE, MAMMOTH])
    assert yard.event_keys() == ["gift", "stampede"]


def test_stampede_repeats_until_it_no_longer_applies() -> None:
    """GR-8"""
    yard = Yard(pens=["TTWWIIDDAAMM", "", "", ""])
    stampede(yard.table, 0)
    assert yard.pen(0) == ""
    assert yard.event_keys() == ["stampede", "stampede"]
    assert len(yard.pile("discard")) == 12


def test_action_takes_effect_at_once_and_is_discarded() -> None:
    """G28, GR-10"""
    yard = play_card(Yard(pens=["", "W", "", ""], hands=[["shoot"], [], [], []]), 0)
    yard.choose("shoot")
    assert yard.pile("at_work") == ["shoot"]
    assert yard.pile("discard") == []
    yard.choose("1:white-tiger")
    assert yard.pile("at_work") == []
    assert yard.pile("discard") == [TIGER, "shoot"]


def test_shoot_can_take_any_animal_including_your_own() -> None:
    """G30"""
    yard = use(Yard(pens=["T", "WW", "", "M"]), 0, "shoot")
    assert yard.keys == ["0:galapagos-tortoise", "1:white-tiger", "3:mammoth"]
    yard.choose("0:galapagos-tortoise")
    assert yard.pens() == ["", "WW", "", "M"]


def test_steal_takes_an_animal_the_thief_has_room_for() -> None:
    """G31, GR-5"""
    yard = use(Yard(pens=["TTTW", "TW", "I", ""]), 0, "steal")
    assert yard.keys == ["1:white-tiger", "2:giant-ibis"]
    yard.choose("2:giant-ibis")
    assert yard.pens() == ["TTTWI", "TW", "", ""]


def test_stampede_caused_by_steal_hits_the_thief() -> None:
    """GE-4"""
    yard = use(Yard(pens=["TTWIDA", "M", "", ""]), 0, "steal").choose("1:mammoth")
    assert yard.pens() == ["T", "", "", ""]
    assert yard.events("stampede") == [{"seat": 0}]


def test_trade_swaps_animals_of_two_different_players() -> None:
    """G32, GR-6"""
    yard = use(Yard(pens=["T", "W", "T", ""]), 3, "trade")
    assert yard.keys == ["0:galapagos-tortoise", "1:white-tiger", "2:galapagos-tortoise"]
    yard.choose("0:galapagos-tortoise")
    # Not two of one player; equal types may be swapped and change nothing.
    assert yard.keys == ["1:white-tiger", "2:galapagos-tortoise"]
    yard.choose("2:galapagos-tortoise")
    assert yard.pens() == ["T", "W", "T", ""]
    yard = use(Yard(pens=["T", "W", "", ""]), 0, "trade").choose("1:white-tiger", "0:galapagos-tortoise")
    assert yard.pens() == ["W", "T", "", ""]


def test_no_pen_holds_four_after_a_trade() -> None:
    """GR-5, GE-6"""
    yard = use(Yard(pens=["TTT", "WWW", "", ""]), 0, "trade").choose("0:galapagos-tortoise")
    assert yard.keys == ["1:white-tiger"]
    yard.choose("1:white-tiger")
    assert yard.pens() == ["TTW", "TWW", "", ""]
    # Each has three of the other's type too: only like for like can move.
    yard = use(Yard(pens=["TTTWWW", "TTTWWW", "", ""]), 2, "trade").choose("0:galapagos-tortoise")
    assert yard.keys == ["1:galapagos-tortoise"]
    # And with three against one type there is no partner at all.
    yard = use(Yard(pens=["TTT", "TTTW", "", ""]), 2, "trade")
    assert yard.keys == ["0:galapagos-tortoise", "1:galapagos-tortoise"]


def test_one_trade_can_cause_two_stampedes() -> None:
    """GE-5, GR-8"""
    yard = use(Yard(pens=["TTWIDA", "TWIDMM", "", ""]), 2, "trade").choose("0:galapagos-tortoise", "1:mammoth")
    assert yard.pens() == ["", "TTWIDM", "", ""]
    assert yard.events("stampede") == [{"seat": 0}]
    yard = use(Yard(pens=["TTWIDA", "TWIDMM", "", ""]), 2, "trade").choose("0:hiroa-antelope", "1:mammoth")
    assert yard.events("stampede") == [{"seat": 1}]
    yard = use(Yard(pens=["TTWIDAA", "TWIDMM", "", ""]), 2, "trade").choose("0:hiroa-antelope", "1:mammoth")
    assert yard.events("stampede") == [{"seat": 0}, {"seat": 1}]
    assert yard.pens() == ["T", "", "", ""]


@pytest.mark.parametrize("action", ["shoot", "steal", "trade"])
def test_action_without_a_target_has_no_effect(action: str) -> None:
    """GR-4, GE-14"""
    yard = play_card(Yard(hands=[[action], [], [], []]), 0)
    yard.choose(action)
    assert yard.over
    assert yard.event_keys() == ["played", "fizzle"]
    assert yard.pile("discard") == [action]


def test_action_with_a_target_must_be_carried_out() -> None:
    """GR-4"""
    yard = play_card(Yard(pens=["MM", "", "", ""], hands=[["shoot"], [], [], []]), 0)
    yard.choose("shoot")
    assert yard.keys == ["0:mammoth"]


def test_windfall_draws_two_and_then_plays_two() -> None:
    """G33"""
    yard = play_card(Yard(hands=[["windfall", TIGER], [], [], []], deck=[IBIS, DRAGON, MAMMOTH]), 0)
    yard.choose("windfall")
    assert yard.keys == [TIGER, IBIS, DRAGON]
    yard.choose(IBIS, "1")
    assert yard.keys == [TIGER, DRAGON]
    yard.choose(TIGER, "1")
    assert yard.over
    assert [card.face.id for card in yard.table.hands[0].cards] == [DRAGON]
    assert yard.pile("discard") == ["windfall"]


def test_windfall_plays_fewer_cards_from_a_short_hand() -> None:
    """GR-11"""
    yard = play_card(Yard(hands=[["windfall"], [], [], []], deck=[IBIS]), 0)
    yard.choose("windfall", IBIS, "1")
    assert yard.over
    yard = play_card(Yard(hands=[["windfall"], [], [], []]), 0).choose("windfall")
    assert yard.over
    assert yard.events("drew") == []


def test_bazaar_goes_clockwise_and_each_seat_plays_at_once() -> None:
    """G34, GR-9, GR-13"""
    yard = Yard(hands=[[TIGER], [TIGER], ["bazaar", TIGER], [TIGER]], deck=[IBIS, "shoot", DRAGON, TORTOISE], vizier=0)
    play_card(yard, 2).choose("bazaar")
    order = []
    row = next(zone for zone in yard.table.zones if zone.label == "bazaar")
    assert row.mask == yard.table.everybody
    assert yard.keys == [IBIS, "shoot", DRAGON, TORTOISE]
    for key in (IBIS, "0", "shoot", "0:giant-ibis", DRAGON, "1", TORTOISE, "2"):
        assert isinstance(yard.ask, Question)
        order.append(yard.ask.seat)
        yard.choose(key)
    # The Ibis was in its pen before the next one took Shoot.
    assert order == [2, 2, 3, 3, 0, 0, 1, 1]
    assert yard.over
    # Nobody's own hand was touched, so nobody's turn is used up.
    assert [len(hand.cards) for hand in yard.table.hands] == [1, 1, 1, 1]
    assert all(zone.label != "bazaar" for zone in yard.table.zones)


def test_nested_bazaar_is_finished_first() -> None:
    """G35, GE-7"""
    deck = ["bazaar", TIGER, TIGER, TIGER, IBIS, IBIS, DRAGON, DRAGON]
    yard = use(Yard(deck=deck), 0, "bazaar").choose("bazaar")
    assert [zone.label for zone in yard.table.zones if zone.label == "bazaar"] == ["bazaar"] * 2
    inner = []
    for _ in range(4):
        assert isinstance(yard.ask, Question)
        inner.append((yard.ask.seat, yard.keys[0]))
        yard.choose(yard.keys[0])
        yard.choose(yard.keys[0])
    assert inner == [(0, IBIS), (1, IBIS), (2, DRAGON), (3, DRAGON)]
    # Only then the outer one goes on with the second player, and its row is whole.
    assert isinstance(yard.ask, Question)
    assert (yard.ask.seat, yard.keys) == (1, [TIGER])
    outer = next(zone for zone in yard.table.zones if zone.label == "bazaar")
    assert len(outer.list_cards()) == 3


def test_windfall_in_a_bazaar_in_a_windfall() -> None:
    """G35, GE-8"""
    yard = Yard(
        hands=[["windfall", DRAGON], [TIGER], [], []],
        deck=["bazaar", IBIS, IBIS, "windfall", TIGER, TIGER, MAMMOTH, MAMMOTH],
    )
    play_card(yard, 0).choose("windfall", "bazaar")
    assert yard.pile("at_work") == ["windfall", "bazaar"]
    yard.choose(IBIS, "1")
    assert isinstance(yard.ask, Question)
    assert yard.ask.seat == 1
    yard.choose("windfall")
    assert yard.pile("at_work") == ["windfall", "bazaar", "windfall"]
    assert yard.keys == [TIGER, MAMMOTH]
    yard.choose(MAMMOTH, "0", MAMMOTH, "0")
    assert yard.pile("discard") == ["windfall"]
    yard.choose(TIGER, "0", TIGER, "0")
    assert yard.pile("discard") == ["windfall", "bazaar"]
    # Now the second card of the outer Windfall.
    assert isinstance(yard.ask, Question)
    assert (yard.ask.seat, yard.keys) == (0, [DRAGON, IBIS])
    yard.choose(DRAGON, "2")
    assert yard.over
    assert yard.pile("discard") == ["windfall", "bazaar", "windfall"]


@pytest.mark.parametrize("deck", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("discard", [0, 1, 2, 3, 4, 5])
def test_bazaar_short_of_cards_uses_the_discard_pile(deck: int, discard: int) -> None:
    """G36, GE-9, GR-11"""
    yard = Yard(deck=[TIGER] * deck, discard=[IBIS] * discard)
    use(yard, 0, "bazaar")
    cards = min(4, deck + discard)
    taken = cards - min(4, deck)
    assert yard.events("from-discard") == ([{"seat": 0, "n": taken}] if taken else [])
    assert len(yard.pile("discard")) == discard - taken
    for _ in range(cards):
        yard.choose(yard.keys[0])
        yard.choose(yard.keys[0])
    assert yard.over
    assert len(yard.events("took")) == cards
    assert (yard.event_keys()[-1] == "fizzle") is (cards == 0)


def test_remaining_discards_are_face_up_again() -> None:
    """G36, GR-10"""
    yard = play_card(Yard(hands=[["windfall"], [], [], []], deck=[TIGER], discard=[IBIS, DRAGON, MAMMOTH]), 0)
    yard.choose("windfall")
    table = yard.table
    assert len(table.discard.cards) == 2
    assert all(card.seen == table.everybody for card in table.discard.cards)
    # The Windfall being carried out was no part of the shuffle.
    assert all(card.face.id != "windfall" for card in table.mixes[-1][0])
    drawn = [card for card in table.hands[0].cards if card.face.id != TIGER]
    assert len(drawn) == 1
    assert drawn[0].seen == 1


def test_only_two_effects_draw_from_the_discard_pile() -> None:
    """GR-12, G41"""
    yard = Yard(hands=[[TIGER], [TIGER], [], []], discard=[IBIS] * 5, vizier=3)
    yard.start(turns(yard.table, 0)).choose(TIGER, "2", TIGER, "3")
    assert yard.over
    assert "from-discard" not in yard.event_keys()
    assert "drew" not in yard.event_keys()
    assert supply(yard.table, 0, 2)


def test_cards_are_conserved_and_nesting_is_bounded() -> None:
    """GI-1, GI-7"""
    from tests.cardgames.games.arranged_tables import everywhere

    deepest = 0
    for seed in range(25):
        live = replay(new_table("menagerie", 4, seed=b"kept %d" % seed))
        whole = everywhere(live.table)
        while live.result is None:
            assert everywhere(live.table) == whole
            depth = sum(card.face.id in ("bazaar", "windfall") for card in live.table.at_work.cards)
            deepest = max(deepest, depth)
            wild = [key for key in keys(live) if key in ("bazaar", "windfall")]
            play(live, (wild or keys(live))[0])
    assert 2 <= deepest <= 4


def test_nested_choice_can_be_resumed_after_a_reload() -> None:
    """GE-19"""
    live = replay(new_table("menagerie", 4, seed=b"3"))
    checked = 0
    while live.result is None:
        if len(live.table.at_work.cards) >= 2:
            picker = live.asked_seats[0]
            back = replay(live.to_record())
            assert back.view(picker) == live.view(picker)
            assert back.question_display(picker, ("a", "b", "c", "d")) == live.question_display(
                picker, ("a", "b", "c", "d")
            )
            checked += 1
        wild = [key for key in keys(live) if key in ("bazaar", "windfall")]
        play(live, (wild or keys(live))[0])
    assert checked > 5


def test_game_with_ten_animals_of_a_type_can_be_finished() -> None:
    """GR-15"""
    crowd = {row.id: {"copies": 12 if row.id == MAMMOTH else 2} for row in house_deck("menagerie").group("animals")}
    deck = edit_deck(SCHEMA, house_deck("menagerie"), crowd, id="crowd")
    assert any("no room" in line for line in SCHEMA.warnings(deck))
    live = replay(new_table("menagerie", 4, seed=b"crowd", deck=deck))
    while live.result is None:
        play(live, keys(live)[-1])
    assert max(max(map(len, pens.piles)) for pens in live.table.pens) <= 3
