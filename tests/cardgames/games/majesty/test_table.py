"""Your Majesty at the table: set-up, hand, decks, turns, colonies, philosophes, campaigns and the end."""

from __future__ import annotations

import pytest

from cardgames.engine import FastRng, QuestionGroup
from cardgames.games import house_deck, new_table, replay
from cardgames.games.majesty import card_moves, printed_game, table_state
from cardgames.games.majesty.deck_definition import KINDS, MUSES, cards_of_group, faces_of
from tests.cardgames.engine import game_laws
from tests.cardgames.games.majesty.arranged_courts import (
    ABOLITION,
    CANADA,
    FILLER,
    HUME,
    JAMAICA,
    JEFFERSON,
    KANT,
    LAW,
    MERIT,
    NEWTON,
    PERU,
    VIRGINIA,
    WOLLSTONECRAFT,
    Throne,
)

TWO_OF_POLITICS = (JEFFERSON, WOLLSTONECRAFT)


@pytest.mark.parametrize("seats", range(2, 7))
def test_setup(seats):
    """Y01, Y02, Y03, Y04"""
    live = replay(new_table("majesty", seats, seed=b"set-up"))
    t = live.table
    assert [len(hand.cards) for hand in t.hands] == [4] * seats
    assert len(t.open_reforms.cards) == 15
    assert len(t.deck.cards) == 78 - 4 * seats
    assert [card.key for card in t.aside.cards] == ["sp-reshuffle"]
    assert t.active == t.first == live.asked_seats[0]
    assert not t.discard.cards
    assert not any(zone.cards for zone in (*t.philosophes, *t.colonies, *t.reforms))


@pytest.mark.parametrize(("seats", "colonies", "guests"), [(6, 24, 40), (5, 20, 35), (3, 16, 25), (2, 12, 20)])
def test_setup_leaves_cards_in_the_box(seats, colonies, guests):
    """Y07"""
    t = replay(new_table("majesty", seats, seed=b"box")).table
    assert (len(t.unclaimed.cards), len(t.salon_deck.cards)) == (colonies, guests)
    for muse in MUSES:
        assert sum(table_state.face(card).muse == muse for card in t.salon_deck.cards) == guests // 5
    assert len([card for card in t.all_cards if card.face.group in ("action", "reform")]) == 79 + 15


def test_action_cards_have_kinds_and_randomizers():
    """Y17, Y44"""
    actions = cards_of_group(house_deck("majesty"), "action")
    assert len(actions) == 78
    assert {face.kind for face in actions} == set(KINDS) - {"reshuffle"}
    assert all(1 <= face.randomizer <= 6 for face in actions)
    assert all(
        face.prestige in (1, 2) and face.muse in MUSES for face in cards_of_group(house_deck("majesty"), "philosophe")
    )
    assert len({face.id for face in faces_of(house_deck("majesty"))}) == len(faces_of(house_deck("majesty")))


def test_refill_draws_to_the_limit_and_is_not_offered_at_it():
    """Y10, Y11, Y38, YR-31"""
    yard = Throne(hands=[FILLER[:2]]).turn()
    assert "refill" in yard.keys
    yard.choose("refill")
    assert len(yard.pile("hands", 0)) == 4
    assert "refill" not in Throne(hands=[FILLER[:4]]).turn().keys
    despot = Throne(hands=[FILLER[:4]], permanent=[["ev-enlightened-despot.1"]]).turn().choose("refill")
    assert len(despot.pile("hands", 0)) == 5


def test_nothing_is_discarded_or_traded_at_will():
    """Y13, Y14, Y15, YR-3"""
    yard = Throne(hands=[FILLER[:4]], unclaimed=[PERU], guests=[KANT]).turn()
    assert set(yard.keys) == {"colony", "philosophe", "end"}
    yard.choose("colony", f"pay:{FILLER[0]}")
    # The cost lies open in the discards, and the colony is chosen among open cards.
    assert yard.pile("discard") == [FILLER[0]]
    assert yard.keys == [PERU]


def test_two_different_actions_and_then_the_turn_ends():
    """Y30, Y31, YI-6, YR-32"""
    yard = Throne(hands=[FILLER[:4]], unclaimed=[PERU, CANADA], guests=[KANT, HUME]).turn()
    yard.choose("colony", f"pay:{FILLER[0]}", PERU)
    assert "colony" not in yard.keys
    yard.choose("philosophe", f"pay:{FILLER[1]}")
    assert yard.over
    assert yard.table.taken == ["colony", "philosophe"]


def test_six_types_of_action_and_none_at_all():
    """Y32"""
    yard = Throne(
        hands=[["ca-marlborough", "ev-grand-tour.6", "ca-edward-hawke"]],
        philosophes=[TWO_OF_POLITICS],
        colonies=[[PERU], [CANADA]],
        unclaimed=[JAMAICA],
        guests=[KANT],
    ).turn()
    assert {key.partition(":")[0] for key in yard.keys} == {*printed_game.ACTIONS, "end"}
    yard.choose("end")
    assert yard.over
    assert yard.event_keys() == ["passed"]


def test_claiming_a_colony():
    """Y40"""
    yard = Throne(hands=[FILLER[:1]], unclaimed=[PERU, CANADA]).turn().choose("colony", f"pay:{FILLER[0]}", PERU)
    assert yard.pile("colonies", 0) == [PERU]
    assert yard.wealth() == 3
    assert yard.pile("unclaimed") == [CANADA]


def test_drawing_a_philosophe():
    """Y42"""
    yard = Throne(hands=[FILLER[:1]], guests=[KANT, HUME]).turn().choose("philosophe", f"pay:{FILLER[0]}")
    assert yard.pile("philosophes", 0) == [KANT]
    assert yard.pile("salon_deck") == [HUME]


def test_empty_philosophe_deck_waits_for_reshuffle():
    """YR-10, YE-19"""
    yard = Throne(hands=[FILLER[:2]])
    yard.put(yard.table.resigned, [KANT])
    assert "philosophe" not in yard.turn().keys
    agreed = Throne(hands=[FILLER[:2]], philosophe_autoreshuffle=True)
    agreed.put(agreed.table.resigned, [KANT])
    assert agreed.turn().choose("philosophe", f"pay:{FILLER[0]}").pile("philosophes", 0) == [KANT]


def test_campaign_seizes_an_undefended_colony():
    """Y65, Y67, Y68"""
    yard = Throne(hands=[FILLER[:1], FILLER[1:2]], colonies=[(), [PERU]]).turn()
    yard.choose(f"campaign:{FILLER[0]}", PERU)
    yard.react()
    assert yard.pile("colonies", 0) == [PERU]
    assert yard.pile("discard") == [FILLER[0]]
    assert yard.pile("hands", 1) == [FILLER[1]]


def test_campaign_is_stopped_by_an_answer():
    """Y34, Y66, YR-19: the defender sees what is attacked, and nobody else is asked."""
    yard = Throne(3, hands=[FILLER[:1], FILLER[1:2], FILLER[2:3]], colonies=[(), [PERU]]).turn()
    yard.choose(f"campaign:{FILLER[0]}", PERU)
    assert isinstance(yard.ask, QuestionGroup)
    assert list(yard.ask.asks) == [1]
    assert yard.ask.asks[1].about == {"by": 0, "card": PERU}
    yard.react(FILLER[1])
    assert yard.pile("colonies", 1) == [PERU]
    assert sorted(yard.pile("discard")) == sorted(FILLER[:2])


def test_answers_continue_until_the_hand_is_empty():
    """Y35, YE-12"""
    yard = Throne(3, hands=[FILLER[:1], FILLER[1:2], FILLER[2:3]], colonies=[(), [PERU], ()])
    yard.turn(0).choose(f"campaign:{FILLER[0]}", PERU)
    yard.react(FILLER[1])
    yard.choose("end")
    yard.turn(2).choose(f"campaign:{FILLER[2]}", PERU)
    # Asked all the same, with nothing left to answer with.
    assert list(yard.ask.asks[1].options) == ["pass"]
    yard.react()
    assert yard.pile("colonies", 2) == [PERU]


def test_reaction_windows_tell_nothing_about_the_hand():
    """YI-10"""
    shown = []
    for held in (FILLER[1], "ev-grand-tour.6"):
        yard = Throne(hands=[FILLER[:1], [held]], colonies=[(), [PERU]]).turn().choose(f"campaign:{FILLER[0]}", PERU)
        assert yard.ask.window is not None
        shown.append((list(yard.ask.asks), yard.ask.window, yard.table.events[-1]))
    assert shown[0] == shown[1]


def test_first_exhaustion_shuffles_the_discards_without_the_last_card():
    """Y20, Y21, YR-9"""
    yard = Throne(hands=[FILLER[:3]], deck=["ca-george-rodney"], discard=[FILLER[4]], rolls=[2])
    yard.put(yard.table.resigned, [KANT])
    yard.turn().choose("refill")
    assert yard.pile("hands", 0) == [*FILLER[:3], "ca-george-rodney"]
    assert yard.pile("deck") == [FILLER[4]]
    assert yard.pile("shuffled_in") == ["sp-reshuffle"]
    assert yard.pile("resigned") == [KANT]


def test_reshuffle_rebuilds_both_decks_and_the_draw_continues():
    """Y22, Y23, Y24, YE-8"""
    yard = Throne(
        hands=[FILLER[:1]], deck=["ca-george-rodney", "ca-edward-hawke"], discard=FILLER[3:5], rolls=[4]
    ).shuffle_in(1)
    yard.put(yard.table.resigned, [KANT])
    yard.turn().choose("refill")
    assert len(yard.pile("hands", 0)) == 4
    assert yard.event_keys() == ["reshuffle", "drew"]
    assert yard.pile("discard") == []
    assert yard.pile("salon_deck") == [KANT]
    assert yard.pile("resigned") == []


def test_without_cards_nothing_is_drawn():
    """YR-12, YR-30"""
    yard = Throne(hands=[()], deck=["ca-george-rodney"]).turn().choose("refill")
    # The last card came; nothing was there for a new deck but the Reshuffle.
    assert yard.pile("hands", 0) == ["ca-george-rodney"]
    assert yard.pile("deck") == []
    assert not card_moves.can_draw(yard.table)
    assert "refill" not in yard.turn(1).keys


def test_played_card_is_not_shuffled_in_by_its_own_effect():
    yard = Throne(hands=[["ev-subscription-list.4"]], deck=["ca-george-rodney"], discard=[FILLER[0]], rolls=[2])
    yard.turn().choose("event:ev-subscription-list.4")
    assert "ev-subscription-list.4" not in yard.pile("deck")
    assert yard.pile("discard") == ["ev-subscription-list.4"]
    assert sorted(yard.pile("hands", 0)) == sorted(["ca-george-rodney", FILLER[0]])


def test_the_game_ends_the_moment_somebody_has_twenty():
    """Y75, YI-9"""
    yard = Throne(
        hands=[FILLER[:2]],
        philosophes=[(JEFFERSON, KANT)],
        reforms=[("re-abolition-of-slavery", "re-schooling-for-all", "re-museum-of-the-nation")],
        guests=[HUME, NEWTON],
    ).turn()
    assert yard.prestige() == 19
    yard.choose("philosophe", f"pay:{FILLER[0]}")
    assert yard.result is not None
    assert (yard.result.outcome, yard.result.winners, yard.result.scores[0]) == ("reached", (0,), 20)


def test_losing_a_slave_colony_wins_on_another_players_turn():
    """YR-13, YE-7"""
    high = ("re-schooling-for-all", "re-museum-of-the-nation", "re-end-of-torture", "re-equality-of-estates")
    yard = Throne(hands=[FILLER[:1]], reforms=[(), high], colonies=[(), [JAMAICA]]).turn()
    assert yard.prestige(1) == 19
    yard.choose(f"campaign:{FILLER[0]}", JAMAICA)
    yard.react()
    assert yard.result is not None
    assert yard.result.winners == (1,)
    assert yard.result.scores == (-1, 20)


def test_abolition_can_lift_two_past_twenty():
    """YE-6"""
    high = ("re-schooling-for-all", "re-museum-of-the-nation", "re-end-of-torture")
    yard = Throne(
        hands=[FILLER[:2]],
        philosophes=[(JEFFERSON, WOLLSTONECRAFT, HUME, KANT, "ph-thomas-paine")],
        colonies=[(PERU, "co-new-spain", JAMAICA), (VIRGINIA, "co-cuba", "co-bahia")],
        reforms=[(LAW, MERIT, "re-national-opera"), (*high, "re-equality-of-estates")],
        open_reforms=[ABOLITION],
        deck=["ca-marlborough"],
        discard=[FILLER[3]],
    ).turn()
    yard.choose("salon", f"pay:{FILLER[0]}", ABOLITION, "hold")
    assert yard.result is not None
    # 7 + 7 + 5 against 20: the highest of those past the target wins.
    assert yard.result.scores == (19, 20)
    assert yard.result.winners == (1,)


def test_prestige_below_the_target_later_changes_nothing():
    """YE-23"""
    live = finished(4)
    before = live.result.as_json()
    assert replay(live.to_record()).result.as_json() == before


def finished(seats: int, number: int = 0):
    live, rng = (
        replay(new_table("majesty", seats, seed=b"end %d" % number, options={"round_limit": 20})),
        FastRng(number),
    )
    while live.result is None:
        game_laws.step(live, rng)
    return live


@pytest.mark.parametrize("seats", range(2, 7))
def test_random_games_end_and_replay_alike(seats):
    """YI-11, YI-12, Y33"""
    live = finished(seats)
    game_laws.replay_is_the_same(live)
    assert live.table.round <= 20


def test_round_limit_and_idle_rounds_end_the_game():
    """YR-20"""
    yard = Throne(philosophes=[(KANT,), (HUME,)], deck=[], round_limit=20).game().choose("end", "end")
    assert yard.value.outcome == "stalled"
    assert yard.value.winners == (0,)


def test_prestige_is_tested_without_the_paycheck_at_the_round_limit():
    yard = Throne(philosophes=[(KANT,), (JEFFERSON,)], deck=[], paycheck="reform").game().choose("end", "end")
    assert yard.value.outcome == "stalled-shared"
    assert yard.value.winners == (0, 1)


def test_invariants_hold_in_random_games():
    """YI-1, YI-2, YI-3, YI-5"""
    for seats in (2, 6):
        live, rng = replay(new_table("majesty", seats, seed=b"law")), FastRng(seats)
        t = live.table
        colonies = len(t.unclaimed.cards)
        for _ in range(150):
            if live.result is not None:
                break
            game_laws.step(live, rng)
            game_laws.cards_are_conserved(live)
            assert len(t.unclaimed.cards) + sum(len(zone.cards) for zone in t.colonies) == colonies
            everybody = [t.salon_deck, t.resigned, t.removed, t.box, *t.philosophes]
            assert sum(card.face.group == "philosophe" for zone in everybody for card in zone.cards) == 40
            assert all(len(hand.cards) <= table_state.hand_limit(t, seat) for seat, hand in enumerate(t.hands))


def test_reforms_never_change_owner():
    """Y18, YI-4"""
    live, rng, owners = replay(new_table("majesty", 4, seed=b"owners")), FastRng(3), {}
    while live.result is None:
        game_laws.step(live, rng)
        for seat, zone in enumerate(live.table.reforms):
            for card in zone.cards:
                assert owners.setdefault(card.key, seat) == seat
    assert owners
