"""Sentences from data: names, possessives, numbers, lists, and "you"."""

from __future__ import annotations

import pytest

from cardgames.engine import EventSentence, FastRng, SentenceBuilder
from cardgames.engine.game_definition import complete_options, switch
from cardgames.games import SHELF, find_game, house_deck, new_table, replay
from refusal import Refusal
from tests.cardgames.games.arranged_tables import NAMES, TIGER, deal, play
from text import join_list

CARDS = {"white-tiger": "White Tiger", "mammoth": "Mammoth"}
LINES = {
    "gift": EventSentence("{seat} gives {to} the {card}.", "You give {to} the {card}."),
    "drew": EventSentence("{seat} draws {n|card|cards}.", private="You draw {cards}."),
    "lost": EventSentence("All is lost. {seat's} pen is empty."),
    "spot": EventSentence("On the {spot}."),
}


ASKED = [("menagerie", 4, {}), ("monarchs", 1, {}), ("monarchs", 2, {"brisk_court": True, "family_scoring": True})]


@pytest.mark.parametrize(
    ("reader", "key", "values", "told", "sentence"),
    [
        (None, "gift", {"seat": 0, "to": 1, "card": "white-tiger"}, False, "Wren gives Tam the White Tiger."),
        (0, "gift", {"seat": 0, "to": 1, "card": "white-tiger"}, False, "You give Tam the White Tiger."),
        (1, "gift", {"seat": 0, "to": 1, "card": "white-tiger"}, False, "Wren gives you the White Tiger."),
        (2, "drew", {"seat": 0, "n": 1}, False, "Wren draws 1 card."),
        (2, "drew", {"seat": 0, "n": 2}, False, "Wren draws 2 cards."),
        (
            0,
            "drew",
            {"seat": 0, "n": 2, "cards": ["white-tiger", "mammoth"]},
            True,
            "You draw White Tiger and Mammoth.",
        ),
        (1, "lost", {"seat": 0}, False, "All is lost. Wren's pen is empty."),
        (0, "lost", {"seat": 0}, False, "All is lost. Your pen is empty."),
        (0, "spot", {"spot": "front-1"}, False, "On the first spot."),
    ],
)
def test_event_sentence_for_each_reader(reader, key, values, told, sentence) -> None:
    words = SentenceBuilder(NAMES, CARDS, reader, {"front-1": "first spot"})
    assert words.event(LINES, key, values, told) == sentence


def test_names_are_never_interpreted() -> None:
    words = SentenceBuilder(("{card}", "<b>", "", "Zoë"), CARDS, None)
    assert words.event(LINES, "gift", {"seat": 0, "to": 1, "card": "mammoth"}) == "{card} gives <b> the Mammoth."
    assert words.who(3) == "Zoë"


def test_lists() -> None:
    assert [join_list([]), join_list(["a"]), join_list(["a", "b"]), join_list(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


@pytest.mark.parametrize("key", sorted(SHELF))
def test_texts_follow_the_style_rules(key: str) -> None:
    """Short sentences, no exclamation marks; every kind of ask has a sentence for those who wait."""
    game = find_game(key)
    texts = [line.text for line in game.event_sentences.values()] + [
        line.you for line in game.event_sentences.values() if line.you
    ]
    texts += [*game.waiting_sentences.values(), *game.outcome_sentences.values(), game.blurb]
    texts += [option.text for option in game.options]
    for text in texts:
        assert text.endswith(".")
        assert "!" not in text
        assert "please" not in text.lower()
    for option in game.options:
        assert option.label
        assert len(option.choices) >= 2
        assert option.ledger


def test_options_have_defaults_and_refuse_unknown_values() -> None:
    game = find_game("monarchs")
    assert complete_options(game.options, {}) == {
        "brisk_court": False,
        "family_scoring": False,
        "after_reveal_continue": False,
        "tiebreak": "share",
        "stacks_browsable": True,
    }
    for wrong in ({"brisk_court": 1}, {"brisk_court": "on"}, {"tiebreak": None}, {"tiebreak": "cards "}, {"speed": 1}):
        with pytest.raises(Refusal):
            complete_options(game.options, wrong)
    assert switch("x", "X", "X.", "M01").default is False


def test_menagerie_asks_explain_why_an_option_is_closed() -> None:
    live = deal(
        animals=((TIGER, TIGER), ("mammoth", "mammoth"), (TIGER, TIGER), ("giant-ibis", "giant-ibis")),
        hands=(
            ("steal",) * 3,
            ("white-tiger", "trade", "shoot"),
            ("steal", "giant-ibis", "mammoth"),
            ("mammoth",) * 2 + ("shoot",),
        ),
    )
    sheet = live.question_display(1, NAMES)
    assert sheet is not None
    assert sheet.prompt == "Play a card."
    assert [cannot.label for cannot in sheet.blocked] == ["Play nothing"]
    play(live, TIGER)
    sheet = live.question_display(1, NAMES)
    assert sheet is not None
    assert sheet.prompt == "Who receives the White Tiger?"
    assert [choice.label for choice in sheet.choices] == ["Give it to Wren", "Give it to Oda", "Give it to Pim"]
    assert sheet.blocked[0].why.startswith("An animal is a gift.")
    assert live.waiting(0, NAMES) == "Tam chooses who receives the animal."
    assert live.waiting(1, NAMES) == ""
    play(live, "2", "steal")
    sheet = live.question_display(2, NAMES)
    assert sheet is not None
    reasons = {cannot.label: cannot.why for cannot in sheet.blocked}
    assert reasons == {
        "Steal nothing": "An action with a target must be carried out, even if it hurts you.",
        "Wren's White Tiger": "You already have three of this type.",
        "Your White Tiger": "Steal takes from another menagerie.",
    }


def test_prompt_tells_the_vizier_which_of_two_cards_to_play() -> None:
    live = deal()
    for _ in range(60):
        if live.asked_seats == (0,) and live.kind == "play" and not live.table.at_work.cards:
            break
        seat = live.asked_seats[0]
        live.choose(seat, next(iter(live.question_for(seat).options)))
    assert live.question_display(0, NAMES).prompt == "Play the first of your two cards."


def test_ask_sheet_holds_everything_a_page_needs() -> None:
    live = replay(new_table("menagerie", 4, seed=b"sheet"))
    sheet = live.seat_display(live.asked_seats[0], NAMES).as_json()
    assert set(sheet) == {"view", "ask", "waiting", "events", "standing", "outcome"}
    assert set(sheet["ask"]) == {"seat", "kind", "stamp", "prompt", "choices", "cannot"}
    assert set(sheet["ask"]["choices"][0]) == {"key", "label", "card", "seat", "spot"}
    assert set(sheet["events"][0]) == {"n", "key", "values", "told", "sentence"}
    assert [row["seat"] for row in sheet["standing"]] == [0, 1, 2, 3]
    later = live.seat_display(live.asked_seats[0], NAMES, since=2)
    assert [event.number for event in later.events] == [2, 3]
    assert house_deck("menagerie").title


@pytest.mark.parametrize(("key", "seats", "options"), ASKED)
def test_every_ask_gives_a_reason_for_closed_options(key, seats, options) -> None:
    """In whole games every closed option has its "why can't I?", and no open option has one."""
    kinds = set()
    for number in range(6):
        live, pick = replay(new_table(key, seats, seed=b"why %d" % number, options=options)), FastRng(number)
        while live.result is None:
            seat = live.unanswered_seats[0]
            sheet = live.question_display(seat, NAMES[:seats])
            assert sheet is not None
            kinds.add(live.kind)
            assert sheet.blocked
            assert all(cannot.why.endswith(".") for cannot in sheet.blocked)
            assert not {choice.label for choice in sheet.choices} & {cannot.label for cannot in sheet.blocked}
            keys = [choice.key for choice in sheet.choices]
            assert sorted(keys) == sorted(live.question_for(seat).options)
            live.choose(seat, keys[pick.below(len(keys))])
    assert kinds <= set(find_game(key).waiting_sentences)
    assert len(kinds) >= 3


def test_button_does_not_offer_a_second_reveal() -> None:
    """MR-4 switched on: the top card is revealed once per turn, so the button says Done afterwards."""
    live = replay(new_table("monarchs", 2, seed=b"on and on", options={"after_reveal_continue": True}))
    seat = live.asked_seats[0]
    label = {choice.key: choice.label for choice in live.question_display(seat, NAMES[:2]).choices}
    assert label["done"] == "Buy nothing and turn up the deck's top card"
    live.choose(seat, "done")
    live.choose(seat, "cover:front-1")
    assert live.kind == "court"
    label = {choice.key: choice.label for choice in live.question_display(seat, NAMES[:2]).choices}
    assert label["done"] == "Done"
    live.choose(seat, "done")
    assert live.asked_seats != (seat,)
