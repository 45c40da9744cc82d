"""Sources of chance: seeded, sealed, forced, or entered by players with printed cards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardgames.engine import FastRng, ForcedSource, ImaginedSource, Record, RunningTable, SeededSource
from cardgames.games import find_game, house_deck, new_table, replay
from chance import Dice
from refusal import Refusal
from tests.cardgames.engine.game_laws import NAMES
from tests.cardgames.games.arranged_tables import keys, play
from tests.cardgames.records import read_record, write_record


def test_streams_do_not_shift_each_other() -> None:
    plain, more = SeededSource(b"x"), SeededSource(b"x")
    more.roll(6, "another")
    cards = list(range(20))
    assert plain.shuffled(cards, "deck") == more.shuffled(cards, "deck")  # type: ignore[arg-type]
    assert plain.shuffled(cards, "deck") != plain.shuffled(cards, "deck")  # type: ignore[arg-type]


def test_same_seed_always_deals_the_same() -> None:
    live = replay(new_table("menagerie", 4, seed=b"for ever"))
    assert live.view(live.asked_seats[0]).spots_each("menagerie").counts == FOR_EVER
    assert [card.face.id for card in live.table.hands[live.asked_seats[0]].cards] == HAND_FOR_EVER


FOR_EVER = [[1, 0, 0, 0, 0, 1], [0, 0, 1, 0, 1, 0], [1, 0, 0, 1, 0, 0], [0, 0, 0, 1, 1, 0]]
HAND_FOR_EVER = ["steal", "galapagos-tortoise", "white-tiger", "komodo-dragon"]


def test_fast_generator_is_uniform_and_repeatable() -> None:
    one, two = FastRng(3), FastRng(3)
    rolled = [one.below(6) for _ in range(6000)]
    assert rolled == [two.below(6) for _ in range(6000)]
    assert all(880 < rolled.count(face) < 1120 for face in range(6))
    source = ImaginedSource(FastRng(1))
    assert {source.roll(3, "x") for _ in range(50)} == {1, 2, 3}
    assert sorted(source.shuffled([3, 1, 2], "x")) == [1, 2, 3]  # type: ignore[list-item, type-var]


def test_forced_order_is_followed_and_impossible_orders_fail() -> None:
    game, deck = find_game("menagerie"), house_deck("menagerie")
    record = new_table("menagerie", 4, seed=b"x")
    live = RunningTable(
        game, record, source=lambda: ForcedSource([["loyalist", "vizier", "conspirator", "conspirator"]])
    )
    assert live.table.vizier == 1
    with pytest.raises(ValueError, match="no dodo left"):
        RunningTable(game, record, source=lambda: ForcedSource([None, ["dodo"]]))
    assert deck.count(("animals", "actions")) == 46
    assert ForcedSource((), [4, 2]).roll(6, "x") == 4


def test_players_enter_the_outcome_with_printed_cards() -> None:
    live = replay(new_table("menagerie", 4, seed=b"", manual=True))
    named = 0
    # Roles first: each looks at the own card and nobody else's.
    assert live.kind == "face"
    assert live.asked_seats == (0,)
    assert list(live.question_for(0).options) == ["face:conspirator", "face:loyalist", "face:vizier"]
    sheet = live.question_display(0, NAMES)
    assert sheet is not None
    assert (sheet.prompt, sheet.choices[2].label) == ("Which card came up?", "Grand Vizier")
    for seat, role in enumerate(("vizier", "loyalist", "conspirator", "conspirator")):
        assert live.asked_seats == (seat,)
        with pytest.raises(Refusal):
            live.choose((seat + 1) % 4, f"face:{role}")
        with pytest.raises(Refusal):
            live.choose(seat, "face:emperor")
        live.choose(seat, f"face:{role}")
    assert live.table.vizier == 0
    # What everybody sees, anybody may name.
    assert live.asked_seats == (0, 1, 2, 3)
    rng = Dice(b"printed")
    while live.result is None:
        seat = live.asked_seats[rng.below(len(live.asked_seats))]
        options = list(live.question_for(seat).options)
        key = options[rng.below(len(options))]
        named += key.startswith("face:")
        live.choose(seat, key)
    # Every card of the deck was seen by somebody in the end.
    assert named >= 46
    again = replay(live.to_record())
    assert again.view(2) == live.view(2)
    assert again.result is not None
    assert sum(card.face.id == "mammoth" for card in live.table.all_cards) == 5
    assert len(again.steps()) == live.choice_count + 1


def test_players_enter_dice_too() -> None:
    live = replay(new_table("monarchs", 2, seed=b"", manual=True))
    assert live.kind == "die"
    assert list(live.question_for(1).options) == ["die:1", "die:2"]
    sheet = live.question_display(1, NAMES)
    assert sheet is not None
    assert [choice.label for choice in sheet.choices] == ["1", "2"]
    live.choose(1, "die:2")
    assert live.table.start == 1
    assert live.kind == "face"
    with pytest.raises(Refusal, match="not possible any more"):
        replay(replace(live.to_record(), rows=((1, "die:9"),)))


def test_table_dealt_by_the_site_needs_a_seed() -> None:
    with pytest.raises(ValueError, match="seed"):
        new_table("menagerie", 4, seed=b"")


def test_stored_form_survives_json() -> None:
    import json

    live = replay(new_table("monarchs", 3, seed=b"kept", options={"family_scoring": True}))
    for _ in range(20):
        play(live, keys(live)[0])
    data = json.loads(json.dumps(write_record(live.to_record())))
    record = read_record(data)
    assert isinstance(record, Record)
    assert record == live.to_record()
    assert replay(record).view(1) == live.view(1)
    with pytest.raises(Refusal) as refused:
        read_record({**data, "version": 99})
    assert refused.value.status == 404
    with pytest.raises(Refusal):
        read_record({**data, "options": {"fast": True}})
