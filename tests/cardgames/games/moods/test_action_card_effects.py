"""Every action card of the house deck, played."""

from __future__ import annotations

import pytest

from cardgames.engine import QuestionGroup
from cardgames.games import house_deck
from cardgames.games.moods.deck_definition import ACTIONS
from cardgames.games.moods.rules import EFFECTS, action_step
from tests.cardgames.games.moods.stage_scene import Theatre


def use(card: str, *args, **kwargs) -> Theatre:
    """Seat 0 uses this card."""
    scene = Theatre(*args, **kwargs)
    scene.start(EFFECTS[card](scene.table, 0))
    return scene


def test_every_card_of_the_house_deck_has_an_effect() -> None:
    assert set(EFFECTS) == set(ACTIONS) == {row.id for row in house_deck("moods").group("action")}


def test_curtain_call_takes_any_discarded_card_and_cuts_to_three() -> None:
    """DR-13"""
    scene = use("curtain-call", ("drt", "", ""), discard="cm")
    assert scene.keys == ["play-comedy", "play-musical"]
    scene.choose("play-musical")
    assert scene.keys == ["play-drama", "play-romance", "play-tragedy", "play-musical"]
    scene.choose("play-tragedy")
    assert scene.over
    assert (scene.plays(), scene.pile("discard")) == (["drm", "", ""], "tc")


@pytest.mark.parametrize(
    ("card", "plays", "deck", "discard"),
    [
        ("curtain-call", ("d", "c", "c"), "r", ""),
        ("borrowed-scene", ("", "c", "c"), "r", ""),
        ("borrowed-scene", ("c", "", ""), "r", ""),
        ("scathing-review", ("d", "", ""), "r", ""),
        ("stage-fright", ("d", "", ""), "r", ""),
        ("the-prompter", ("d", "", ""), "", ""),
        ("recast", ("d", "", ""), "r", ""),
        ("encore", ("d", "", ""), "r", ""),
        ("burnt-script", ("d", "", ""), "", ""),
        ("double-bill", ("d", "", ""), "", ""),
        ("change-of-scenery", ("", "", ""), "r", ""),
    ],
)
def test_card_that_can_do_nothing_is_used_without_effect(card: str, plays, deck: str, discard: str) -> None:
    """DR-11, DE-4"""
    scene = use(card, plays, deck=deck, discard=discard)
    assert scene.over
    assert scene.event_keys() == ["fizzle"]
    assert scene.plays() == list(plays)


def test_borrowed_scene_swaps_two_cards() -> None:
    """DR-15: a card that can do something offers no way out."""
    scene = use("borrowed-scene", ("dd", "ct", ""))
    assert scene.keys == ["play-drama"]
    scene.choose("play-drama")
    assert scene.keys == ["1:play-comedy", "1:play-tragedy"]
    scene.choose("1:play-tragedy")
    assert scene.plays() == ["dt", "cd", ""]


def test_scathing_review_discards_a_card_of_another_play() -> None:
    scene = use("scathing-review", ("d", "ct", "m"))
    assert scene.keys == ["1:play-comedy", "1:play-tragedy", "2:play-musical"]
    scene.choose("2:play-musical")
    assert (scene.plays(), scene.pile("discard")) == (["d", "ct", ""], "m")


def test_stage_fright_lets_its_target_choose() -> None:
    """DR-16"""
    scene = use("stage-fright", ("d", "ct", ""))
    assert scene.keys == ["1"]
    scene.choose("1")
    assert scene.ask.seat == 1
    scene.choose("play-comedy")
    assert (scene.plays(), scene.pile("discard")) == (["d", "t", ""], "c")


def test_keyhole_sees_one_of_two_moods_and_the_owner_does_not_learn_which() -> None:
    """DR-22, DI-9"""
    scene = use("at-the-keyhole", ("d", "c"), moods=("dt", "rm"), rolls=(2,))
    scene.choose("1")
    t = scene.table
    assert scene.knows(0, t.moods[1]) == ["mood-operatic"]
    key, params, private = t.events[-1]
    assert (key, params, list(private)) == ("keyhole", {"seat": 0, "of": 1}, [0])
    assert [(note.key, note.faces, note.is_stale()) for note in t.notes] == [("keyhole", ("mood-operatic",), False)]


def test_maid_shows_a_muse_to_her_friend_only() -> None:
    """DE-16"""
    scene = use("a-word-with-the-maid", ("d", "c", ""), muses="dcm").choose("2")
    t = scene.table
    assert scene.knows(0, t.muses[2]) == ["muse-musical"]
    assert scene.knows(1, t.muses[2]) == []
    assert not t.muses[2].cards[0].seen & 1 << t.seats


def test_prompter_orders_the_top_three_and_only_its_user_knows() -> None:
    """DR-18, DR-24"""
    scene = use("the-prompter", ("", "", ""), deck="dtrcm")
    assert scene.keys == ["slot-1", "slot-2", "slot-3"]
    scene.choose("slot-3")
    assert scene.ask.about == {"cards": ["play-drama", "play-tragedy"], "placed": 1}
    scene.choose("slot-2")
    assert scene.pile("deck") == "rtdcm"
    assert len(scene.knows(0, scene.table.deck)) == 3
    assert scene.knows(1, scene.table.deck) == []


@pytest.mark.parametrize(("deck", "asks"), [("d", 0), ("dt", 1)])
def test_prompter_looks_at_as_many_as_there_are(deck: str, asks: int) -> None:
    """DR-18"""
    scene = use("the-prompter", ("", "", ""), deck=deck)
    for _ in range(asks):
        scene.choose("slot-2")
    assert scene.over
    assert scene.events("prompted") == [{"seat": 0, "n": len(deck)}]


def test_new_patron_exchanged_joins_the_unused_unseen() -> None:
    """DR-21"""
    scene = use("new-patron", ("", "", ""), muses="dcm", rolls=(1,))
    assert scene.ask.about == "muse-tragedy"
    scene.choose("exchange")
    t = scene.table
    assert t.muses[0].cards[0].key == "muse-tragedy"
    assert sorted(card.key for card in t.unused_muses.cards) == ["muse-drama", "muse-romance"]
    assert scene.knows(1, t.unused_muses) == []
    assert scene.event_keys() == ["patron", "exchanged"]


def test_new_patron_declined_tells_nobody_which_muse_it_was() -> None:
    """DE-14, DR-24"""
    scene = use("new-patron", ("", "", ""), muses="dcm", rolls=(2,)).choose("decline")
    t = scene.table
    assert t.muses[0].cards[0].key == "muse-drama"
    assert scene.knows(1, t.unused_muses) == []
    assert scene.events("declined") == [{"seat": 0}]
    assert [note.faces for note in t.notes] == [("muse-romance",)]


def test_tantrum_with_one_mood_moves_it_before_everybodys_eyes() -> None:
    """DR-17: an earlier peek goes stale."""
    scene = Theatre(("", "", ""), king="c", moods=("d", "t", "r"))
    t = scene.table
    t.look(1, t.moods[0], t.moods[0].cards, "keyhole", of=0)
    scene.start(EFFECTS["royal-tantrum"](t, 0))
    assert scene.over
    assert (t.king.cards[0].key, t.moods[0].cards[0].key) == ("mood-brooding", "mood-joyous")
    assert t.notes[0].is_stale()
    assert scene.knows(1, t.king) == ["mood-brooding"]
    assert scene.knows(2, t.king) == []
    assert scene.knows(0, t.king) == ["mood-brooding"]


def test_tantrum_with_two_moods_hides_which_one_went() -> None:
    """DE-13, DR-17"""
    scene = Theatre(("", ""), king="c", moods=("dt", "rm"))
    t = scene.table
    t.look(1, t.moods[0], t.moods[0].cards[:1], "keyhole", of=0)
    scene.start(EFFECTS["royal-tantrum"](t, 0))
    assert scene.keys == ["slot-1", "slot-2"]
    scene.choose("slot-1")
    assert (t.king.cards[0].key, [card.key for card in t.moods[0].cards]) == (
        "mood-brooding",
        ["mood-joyous", "mood-lamenting"],
    )
    assert t.notes[0].is_stale()
    assert (scene.knows(1, t.king), scene.knows(1, t.moods[0])) == ([], [])


def test_recast_moves_a_card_to_a_third_play_which_is_cut() -> None:
    """DR-13"""
    scene = use("recast", ("d", "c", "trm"))
    scene.choose("1:play-comedy")
    assert scene.ask.seat == 2
    scene.choose("play-romance")
    assert (scene.plays(), scene.pile("discard")) == (["d", "", "tmc"], "r")


def test_recast_with_four_players_asks_for_the_play() -> None:
    scene = use("recast", ("d", "c", "", "")).choose("1:play-comedy")
    assert scene.keys == ["2", "3"]
    scene.choose("3")
    assert scene.plays() == ["d", "", "", "c"]


def test_recast_with_two_players_discards() -> None:
    """DE-12"""
    scene = use("recast", ("d", "c"), moods=("dt", "rm")).choose("1:play-comedy")
    assert (scene.plays(), scene.pile("discard")) == (["d", ""], "c")


def test_encore_puts_a_discarded_card_on_the_deck_and_everybody_knows_it() -> None:
    """DE-2"""
    scene = use("encore", ("", "", ""), deck="", discard="dt").choose("play-tragedy")
    assert (scene.pile("deck"), scene.pile("discard")) == ("t", "d")
    assert scene.knows(2, scene.table.deck) == ["play-tragedy"]


@pytest.mark.parametrize(("choice", "deck", "discard"), [("burn", "t", "d"), ("put-back", "dt", "")])
def test_burnt_script_burns_or_puts_back(choice: str, deck: str, discard: str) -> None:
    """DE-3, DR-24"""
    scene = use("burnt-script", ("", "", ""), deck="dt").choose(choice)
    assert (scene.pile("deck"), scene.pile("discard")) == (deck, discard)
    assert scene.knows(1, scene.table.deck) == []


def test_double_bill_draws_another_card_without_another_action() -> None:
    """DR-20"""
    scene = Theatre(("", "", ""), deck="dt", hands=(["double-bill", "encore"], [], []))
    scene.start(action_step(scene.table, 0)).choose("double-bill")
    assert (scene.ask.kind, scene.ask.about) == ("draw", "play-drama")
    scene.choose("give:1")
    assert scene.over
    assert (scene.plays(), scene.table.draws) == (["", "d", ""], 1)


def test_change_of_scenery_passes_to_the_left_at_once() -> None:
    """DE-11, DR-23, DR-24: three stay three, an empty play receives, and a choice is final."""
    scene = use("change-of-scenery", ("drt", "", "ccm"))
    assert isinstance(scene.ask, QuestionGroup)
    assert list(scene.ask.asks) == [0, 2]
    assert scene.ask.is_final
    scene.answer({0: "play-romance", 2: "play-musical"})
    assert scene.over
    assert scene.plays() == ["dtm", "r", "cc"]


def test_action_card_in_use_belongs_to_no_pile_until_it_is_done() -> None:
    """DR-19, DR-10, D25"""
    scene = Theatre(("d", "c", ""), hands=(["scathing-review"], [], []))
    scene.start(action_step(scene.table, 0)).choose("scathing-review")
    t = scene.table
    assert [card.key for card in t.in_use.cards] == ["scathing-review"]
    assert (t.hands[0].cards, t.used.cards) == ([], [])
    scene.choose("1:play-comedy")
    assert (t.in_use.cards, [card.key for card in t.used.cards]) == ([], ["scathing-review"])


def test_action_card_can_be_left_alone() -> None:
    """D24"""
    scene = Theatre(("d", "c", ""), hands=(["encore", "recast"], [], []))
    scene.start(action_step(scene.table, 0))
    assert scene.keys == ["encore", "recast", "skip"]
    assert scene.choose("skip").over
    assert len(scene.table.hands[0].cards) == 2
