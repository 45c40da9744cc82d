"""Set-up, turns and the show of Moods of the Mad King."""

from __future__ import annotations

import pytest

from cardgames.engine import FastRng, ForcedSource, Record, RunningTable, SeededSource, complete_options, edit_deck
from cardgames.games import find_game, house_deck, new_table
from cardgames.games.moods.deck_definition import ACTIONS_DEALT, GENRES, MOODS, MUSES, SCHEMA
from cardgames.games.moods.rules import show, turns
from cardgames.games.moods.scoring import judge, result
from cardgames.games.moods.table_state import cut, draw_step
from refusal import Refusal
from tests.cardgames.engine import game_laws
from tests.cardgames.games.moods.stage_scene import Theatre
from tests.cardgames.records import replace_rows

DRAMA, TRAGEDY, ROMANCE, COMEDY, MUSICAL = range(5)


def table(seats: int, orders=(), rolls=(), deck=None, **options) -> RunningTable:
    game = find_game("moods")
    record = Record(
        "moods", 1, deck or house_deck("moods"), seats, complete_options(game.options, options, seats), b"moods"
    )
    return RunningTable(game, record, source=lambda: ForcedSource(orders, rolls, then=SeededSource(b"moods")))


EVERY_NUMBER = pytest.mark.parametrize("seats", [2, 3, 4])


@EVERY_NUMBER
def test_action_cards_are_dealt_by_the_number_of_players(seats: int) -> None:
    """D01, D10, DI-6"""
    t = table(seats).table
    assert [len(hand.cards) for hand in t.hands] == [ACTIONS_DEALT[seats]] * seats
    assert len(t.box.cards) == 14 - seats * ACTIONS_DEALT[seats]


@EVERY_NUMBER
def test_everybody_gets_a_muse_and_the_rest_stay_unseen(seats: int) -> None:
    """D11, DR-3, DI-5"""
    t = table(seats).table
    assert [len(zone.cards) for zone in t.muses] == [1] * seats
    assert sorted(card.key for zone in (t.unused_muses, *t.muses) for card in zone.cards) == sorted(MUSES)
    assert not any(card.seen for zone in (t.box, t.unused_muses) for card in zone.cards)


@EVERY_NUMBER
def test_one_mood_is_the_kings_and_the_others_are_in_hands(seats: int) -> None:
    """D12, D13, DR-2, DI-4"""
    t = table(seats).table
    assert [len(zone.cards) for zone in t.moods] == [2 if seats == 2 else 1] * seats
    assert len(t.spare_moods.cards) == (1 if seats == 3 else 0)
    moods = [card.key for zone in (t.king, t.spare_moods, *t.moods) for card in zone.cards]
    assert sorted(moods) == sorted(MOODS)
    assert not any(card.seen for zone in (t.king, t.spare_moods) for card in zone.cards)


def test_deck_is_the_shuffled_play_cards() -> None:
    """D15, DI-1, DI-2"""
    t = table(3).table
    cards = [card.key for zone in (t.deck, *t.drawn) for card in zone.cards]
    assert sorted(cards) == sorted(f"play-{genre}" for genre in GENRES for _ in range(3))
    assert not any(card.seen for card in t.deck.cards)


def test_genres_and_moods_match() -> None:
    """D02, D03, D04, DR-1"""
    deck = house_deck("moods")
    assert {row.values["name"]: row.values["genre"] for row in deck.group("mood")} == {
        "Joyous": "comedy",
        "Brooding": "drama",
        "Lamenting": "tragedy",
        "Passionate": "romance",
        "Operatic": "musical",
    }
    assert {row.id: row.copies for row in deck.group("play")} == {f"play-{genre}": 3 for genre in GENRES}
    assert sorted(str(row.values["genre"]) for row in deck.group("muse")) == sorted(GENRES)
    assert SCHEMA.warnings(deck) == []


def test_card_is_kept_or_given_never_given_to_oneself() -> None:
    """D20, D21, D22, DE-10"""
    live = table(3, rolls=(1,))
    assert list(live.single.options) == ["keep", "give:1", "give:2"]
    about = live.single.about
    # The others see only that a card is held.
    assert live.view(1).zones_each("drawn").faces(0) == []
    assert live.view(1).zones_each("drawn").counts == [1, 0, 0]
    with pytest.raises(Refusal):
        live.choose(0, "give:0")
    live.choose(0, "keep")
    assert live.view(None).zones_each("play").faces(0) == [about]


def test_whoever_keeps_the_card_has_no_action() -> None:
    """DE-8, DI-7"""
    live = table(3, rolls=(1,))
    live.choose(0, "keep")
    assert (live.single.seat, live.single.kind) == (1, "draw")
    with pytest.raises(Refusal):
        live.choose(0, live.table.hands[0].cards[0].key)


def test_reconnect_between_draw_and_choice_shows_the_same_card() -> None:
    """DE-15"""
    live = table(3, rolls=(1,))
    again = RunningTable(live.game, live.to_record(), source=live._source)
    assert again.view(0) == live.view(0)
    assert again.single.about == live.single.about


def test_giver_may_use_one_action_and_is_not_asked_without_cards() -> None:
    """D24, DE-9, DR-23"""
    live = table(2, rolls=(1,))
    live.choose(0, "give:1")
    assert (live.single.seat, live.single.kind) == (0, "action")
    live.choose(0, "skip")
    assert live.single.seat == 1
    scene = Theatre(("", "", ""), deck="dt", hands=([], [], []), first_player=0)
    scene.start(turns(scene.table)).choose("give:1")
    assert (scene.ask.seat, scene.ask.kind) == (1, "draw")


def test_receiver_with_three_chooses_and_may_drop_the_gift() -> None:
    """D23, DE-1, DR-4, DR-6"""
    scene = Theatre(("", "drc", ""), deck="m", hands=(["encore"], [], []), first_player=0)
    scene.start(turns(scene.table)).choose("give:1")
    assert (scene.ask.seat, scene.ask.kind) == (1, "cut")
    assert scene.keys == ["play-drama", "play-romance", "play-comedy", "play-musical"]
    scene.choose("play-musical")
    assert (scene.play(1), scene.pile("discard")) == ("drc", "m")
    # Only then the giver's action card.
    assert (scene.ask.seat, scene.ask.kind) == (0, "action")


def test_last_giver_may_still_act_and_encore_adds_a_draw() -> None:
    """DR-7, DE-2, D30, DI-10"""
    scene = Theatre(("", "", ""), deck="m", discard="d", hands=(["encore"], [], []), first_player=0)
    scene.start(turns(scene.table)).choose("give:1", "encore", "play-drama")
    assert (scene.ask.seat, scene.ask.about) == (1, "play-drama")
    scene.choose("keep")
    assert scene.over
    assert scene.table.draws == 2


def test_deck_emptied_in_a_turn_ends_the_game_at_the_next() -> None:
    """DE-3, D30"""
    scene = Theatre(("", "", ""), deck="mt", hands=(["burnt-script"], [], []), first_player=0)
    scene.start(turns(scene.table)).choose("give:1", "burnt-script", "burn")
    assert scene.over
    assert scene.value.outcome in ("won", "nobody")


def test_first_player_by_chance_by_word_or_by_seat() -> None:
    """D16, DR-8"""
    assert table(3, rolls=(2,)).single.seat == 1
    assert table(3, first_player=2).single.seat == 2
    live = table(3, first_player="ask")
    assert (live.single.seat, list(live.single.options)) == (0, ["0", "1", "2"])
    live.choose(0, "2")
    assert live.single.seat == 2
    with pytest.raises(Refusal, match="only for 3 or 4 players"):
        new_table("moods", 2, seed=b"x", options={"first_player": 2})


def test_show_opens_the_king_and_the_muses_only() -> None:
    """D14, D31, DR-23"""
    scene = Theatre(("d", "c", ""), hands=(["encore"], [], []), moods=("t", "r", "m"), king="c", muses="dcm")
    t = scene.table
    ended = show(t)
    assert t.king.cards[0].seen == t.everybody
    assert all(zone.cards[0].seen == t.everybody for zone in t.muses)
    assert [zone.cards[0].seen for zone in (*t.moods, t.hands[0])] == [1, 2, 4, 1]
    assert ended.winners == (1,)
    assert scene.event_keys()[-2:] == ["beheaded", "lost-both"]


@pytest.mark.parametrize(
    ("play", "king", "muse", "two", "head", "patron"),
    [
        ([COMEDY, DRAMA], COMEDY, DRAMA, False, True, True),
        ([DRAMA], COMEDY, DRAMA, False, False, True),
        ([COMEDY], COMEDY, DRAMA, False, True, False),
        ([], COMEDY, DRAMA, False, False, False),
        ([COMEDY], COMEDY, COMEDY, False, True, True),
        ([COMEDY], COMEDY, COMEDY, True, True, False),
        ([COMEDY, COMEDY], COMEDY, COMEDY, True, True, True),
        ([DRAMA], COMEDY, COMEDY, True, False, False),
        ([COMEDY, DRAMA], COMEDY, DRAMA, True, True, True),
    ],
)
def test_king_and_muse_are_two_tests(play, king, muse, two, head, patron) -> None:
    """D40, D41, DR-5, DR-14"""
    verdict = judge(play, king, muse, two)
    assert (verdict.keeps_head, verdict.keeps_patron, verdict.wins) == (head, patron, head and patron)


def test_empty_play_fails_both_tests_and_one_card_may_pass_both() -> None:
    """DE-5, DE-6, DR-12"""
    assert judge([COMEDY], COMEDY, COMEDY).wins
    scene = Theatre(("", "c", "c"), king="c", moods=("t", "r", "m"), muses="dcm")
    ended = show(scene.table)
    assert (0 in ended.facts["beheaded"], 0 in ended.facts["without_patron"]) == (True, True)
    assert scene.events("lost-both") == [{"seat": 0}]


def test_several_win_or_nobody() -> None:
    """D42, DE-7, DI-8: three cards of a genre, so at most three plays please the King."""
    plays = [[COMEDY, DRAMA], [COMEDY, TRAGEDY], [COMEDY, ROMANCE], [MUSICAL]]
    ended = result(plays, COMEDY, [DRAMA, TRAGEDY, ROMANCE, MUSICAL], "Joyous")
    assert (ended.outcome, ended.winners, ended.scores) == ("won", (0, 1, 2), (1, 1, 1, 0))
    assert ended.facts["beheaded"] == [3]
    nobody = result([[DRAMA], []], COMEDY, [DRAMA, TRAGEDY], "Joyous")
    assert (nobody.outcome, nobody.winners) == ("nobody", ())
    assert nobody.facts["without_patron"] == [1]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_games_keep_the_invariants(seats: int) -> None:
    """DI-3, DI-8, DI-10, DR-20"""
    game = find_game("moods")
    for live, rng in game_laws.games(game, game_laws.starts(game, house_deck("moods"), seats), 12):
        while live.result is None:
            t = live.table
            cutting = live.kind == "cut"
            assert all(len(zone.cards) <= 3 + cutting for zone in t.plays)
            cards = [card.face.index for zone in (t.deck, t.discard, *t.plays, *t.drawn) for card in zone.cards]
            assert sorted(cards) == sorted([*range(5)] * 3)
            held = {card.key for zone in t.moods for card in zone.cards}
            assert t.king.cards[0].key not in held
            actions = [card for zone in (t.box, t.used, t.in_use, *t.hands) for card in zone.cards]
            assert len(actions) == 14
            game_laws.step(live, rng)
        assert len(live.result.winners) <= 3
        assert 14 <= live.table.draws <= 16
        assert 13 <= live.table.turn <= 16


def test_custom_deck_may_leave_out_and_repeat_action_cards() -> None:
    house = house_deck("moods")
    deck = edit_deck(SCHEMA, house, {"encore": {"copies": 3}, "recast": {"copies": 0}})
    assert SCHEMA.warnings(deck) == ["The rules call for 14 action cards; this deck has 15."]
    few = replace_rows(
        SCHEMA, house, "action", [{"id": "own-1", "name": "Rain", "text": "It rains.", "copies": 4}], id="few"
    )
    assert "“Rain” has no effect here. It is used and discarded." in SCHEMA.warnings(few)
    assert find_game("moods").warnings(few, 3, {})[-1].endswith("Each gets 1, not 4.")
    live = table(3, deck=few, rolls=(1,))
    live.choose(0, "give:1")
    live.choose(0, "own-1")
    assert [event[0] for event in live.table.events][-3:-1] == ["used", "fizzle"]
    rng = FastRng(1)
    while live.result is None:
        game_laws.step(live, rng)
    with pytest.raises(Refusal, match="from 1 to 1"):
        edit_deck(SCHEMA, house, {"mood-joyous": {"copies": 2}})


def test_hidden_cards_are_never_shown_to_others_and_talk_is_free() -> None:
    """DR-9, DI-9: the site shows nobody else's cards; what players say is theirs."""
    live = table(3, rolls=(1,))
    view = live.view(1)
    for zone in ("hand", "mood", "role"):
        assert [bool(faces) for faces in view.zones_each(zone).all_faces] == [False, True, False]
    assert view.zone("king").faces == view.zone("deck").faces == []


def test_cut_and_draw_leave_nothing_half_done() -> None:
    """DI-3"""
    scene = Theatre(("drcm", "", ""))
    scene.start(cut(scene.table, 0)).choose("play-drama")
    assert scene.over
    other = Theatre(("", "", ""), deck="d")
    other.start(draw_step(other.table, 0)).choose("keep")
    assert (other.over, other.value, other.table.drawn[0].cards) == (True, False, [])
