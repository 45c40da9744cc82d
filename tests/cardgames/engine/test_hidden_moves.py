"""Hidden moves: who still knows what after a blind pick, a hidden swap, a card put under a pile or a new order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgames.engine import FastRng, ForcedSource, HandQuestion, Question, Record, Result, RunningTable
from tests.cardgames.engine.toy_games import SEATS, ToyTable, over, toy, toy_deck

COPIES = {"joyous": 1, "brooding": 1, "lamenting": 1, "passionate": 1, "operatic": 1}


def table(order: list[str] | None = None) -> ToyTable:
    """Three seats with nothing in hand; the last of the order is on top of the middle."""
    return ToyTable(toy_deck("hidden", COPIES), SEATS, {}, ForcedSource([order or list(COPIES)]))


def known(t: ToyTable, zone, seat: int) -> list[str]:
    return [card.key for card in zone.cards if card.seen & 1 << seat]


def test_note_is_stale_once_its_card_has_moved_and_the_card_is_known_where_it_lies() -> None:
    """After a one-card Royal Tantrum nobody "knows" that the seat still holds the card (DR-17)."""
    t = table()
    t.draw(t.middle, t.hands[0])
    king = t.zone("king", "none")
    t.draw(t.middle, king)
    t.look(1, t.hands[0], t.hands[0].cards, "keyhole", of=0)
    (note,) = t.notes
    assert not note.is_stale()
    t.swap_unseen(t.hands[0], 0, king, 0)
    assert note.is_stale()
    assert note.faces == ("operatic",)
    # With a single card everybody could follow it: seat 1 now knows the King's card, seat 2 nothing.
    assert known(t, king, 1) == ["operatic"]
    assert known(t, t.hands[0], 1) == []
    assert known(t, king, 2) == []
    assert known(t, t.hands[0], 0) == ["passionate"]


def test_swap_out_of_two_cards_hides_which_one_went_but_not_what_came() -> None:
    """DE-13"""
    t = table()
    t.draw(t.middle, t.hands[0])
    t.draw(t.middle, t.hands[0])
    king = t.zone("king", "none")
    t.draw(t.middle, king)
    t.look(1, t.hands[0], t.hands[0].cards[:1], "keyhole", of=0)
    t.look(2, king, king.cards, "crown")
    t.swap_unseen(t.hands[0], 1, king, 0)
    assert [note.is_stale() for note in t.notes] == [True, True]
    # Seat 1 cannot tell whether its card went; seat 2 saw the crown's card and knows whose hand it is in.
    assert (known(t, t.hands[0], 1), known(t, king, 1)) == ([], [])
    assert known(t, t.hands[0], 2) == ["lamenting"]
    # The owner forgets nothing: both own cards, and the one that was put down.
    assert sorted(known(t, t.hands[0], 0) + known(t, king, 0)) == ["lamenting", "operatic", "passionate"]


def test_blind_pick_leaves_the_hand_and_its_owners_knowledge_alone() -> None:
    """DR-22"""
    t = table()
    for _ in range(3):
        t.draw(t.middle, t.hands[0])
    before = list(t.hands[0].cards)
    card = t.pick_blindly(t.hands[0], "keyhole")
    assert card in before
    assert t.hands[0].cards == before
    assert known(t, t.hands[0], 0) == [card.key for card in before]
    assert t.mixes[1:] == []


def test_new_order_of_the_top_cards_is_known_to_whoever_made_it() -> None:
    t = table()
    top = t.middle.cards[-3:]
    t.look(0, t.middle, top, "prompter")
    t.show_to(top[2], 1 << 1)
    t.reorder(0, t.middle, [top[2], top[0], top[1]])
    assert [card.key for card in t.middle.cards[-3:]] == ["operatic", "lamenting", "passionate"]
    assert known(t, t.middle, 0) == ["operatic", "lamenting", "passionate"]
    assert known(t, t.middle, 1) == []
    with pytest.raises(ValueError, match="top cards"):
        t.reorder(0, t.middle, [t.middle.cards[0]])


def test_mixing_a_single_card_tells_and_hides_nothing() -> None:
    t = table()
    t.draw(t.middle, t.hands[0])
    t.mix(t.hands[0].cards)
    assert known(t, t.hands[0], 0) == ["operatic"]


def running(play, **changes) -> RunningTable:
    game, deck = toy("hidden", play, COPIES)
    game = replace(game, **changes)
    return RunningTable(game, Record(game.key, 1, deck, SEATS, {}, b"hidden"))


def test_question_about_a_hand_can_be_asked_alone() -> None:
    def play(t: ToyTable):
        for seat in range(SEATS):
            t.draw(t.middle, t.hands[seat])
        for seat in range(SEATS):
            hand = t.hands[seat]
            card = yield HandQuestion(seat, "drop", lambda hand=hand: {card.key: card for card in hand.cards})
            t.give(hand, card, t.discard)
            t.log_event("dropped", seat=seat)
        return over(t)

    live = running(play)
    world = live.determinize(2, FastRng(3))
    # In an imagined table another seat's question offers the cards it holds there.
    assert list(world.single.options) == [card.key for card in world.table.hands[0].cards]
    while live.result is None:
        live.choose(live.asked_seats[0], next(iter(live.single.options)))
    assert len(live.table.discard.cards) == SEATS
    again = RunningTable(live.game, live.to_record())
    assert again.view(None) == live.view(None)


def test_game_that_can_end_at_any_moment_ends_in_the_middle_of_a_rule() -> None:
    """20 prestige at any moment: the score would fall again before the next question, and still the game is over."""

    def play(t: ToyTable):
        while True:
            seat = yield Question(0, "score", {"up": 1, "down": 0})
            t.score[seat] += 20
            t.log_event("told", seat=seat)
            t.score[seat] -= 20
            t.log_event("passed", seat=seat)

    def ends(t: ToyTable) -> Result | None:
        if max(t.score) < 20:
            return None
        # What the ending itself logs does not look again.
        t.log_event("came", seat=1)
        return Result("over", (t.score.index(max(t.score)),), tuple(t.score), lambda: [() for _ in t.score], {})

    live = running(play, ends_at_once=ends)
    live.choose(0, "up")
    assert live.result is not None
    assert live.result.winners == (1,)
    assert live.result.scores == (0, 20, 0)
    assert [key for key, _, _ in live.table.events] == ["told", "came"]
    again = RunningTable(live.game, live.to_record())
    assert again.result.scores == (0, 20, 0)
    assert live.determinize(0, FastRng(1)).result is not None
