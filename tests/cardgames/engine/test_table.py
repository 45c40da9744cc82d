"""The engine: declared fields, zones and who knows what, asks, undo, sealed answers."""

from __future__ import annotations

import pytest

from cardgames.engine import (
    ALL,
    NONE,
    OPEN,
    OWNER,
    PASS,
    Face,
    Question,
    QuestionGroup,
    ReactionWindow,
    RunningTable,
    SeededSource,
    Table,
    public,
    secret,
)
from cardgames.engine.seat_view import NoteView
from cardgames.engine.stored_record import without_undone
from refusal import Refusal
from tests.cardgames.engine.toy_games import ATTIC, KEYHOLE, PARCEL, SALON, ToyTable, table_of

FACES = [Face(key, "cards") for key in ("one", "two", "three", "four")]


def bare_table(seats: int = 2) -> Table:
    return Table(KEYHOLE[1], seats, {}, SeededSource(b"x"))


def test_fields_must_be_declared_with_the_class() -> None:
    with pytest.raises(TypeError, match=r"Loose\.pocket must be declared"):

        class Loose(Table):
            pocket = 3

    with pytest.raises(TypeError, match=r"Looser\.pocket must be declared"):

        class Looser(Table):
            pocket: int

    class Tidy(Table):
        LIMIT = 3
        turn: int = public(0)
        whim: list[int] = secret(7)

        def three(self) -> int:
            return self.LIMIT

    table = Tidy(KEYHOLE[1], 2, {}, SeededSource(b"x"))
    assert (table.turn, table.whim, table.three()) == (0, [7, 7], 3)
    with pytest.raises(AttributeError):
        table.pocket = 1  # type: ignore[attr-defined]


def test_secret_field_is_shown_to_its_seat_only() -> None:
    live = RunningTable(KEYHOLE[0], table_of(KEYHOLE, b"x"))
    table = live.table
    assert isinstance(table, ToyTable)
    table.whim = [4, 5, 6]
    assert [live.view(seat).own for seat in (0, 1, 2, None)] == [
        {"whim": 4},
        {"whim": 5},
        {"whim": 6},
        {"whim": None},
    ]


def test_seats_that_see_a_zone_know_the_cards_put_there() -> None:
    table = bare_table()
    hidden, mine, open_ = table.zone("deck", NONE), table.zones_each("hand", OWNER), table.zone("pile", ALL)
    card, *rest = table.make_cards(FACES)
    table.put(hidden, card)
    assert card.seen == 0
    table.give(hidden, card, mine[1])
    assert card.seen == 0b10
    table.give(mine[1], card, open_)
    assert card.seen == table.everybody == 0b111
    # What everybody has seen stays known when it goes into a hand before their eyes, until it is shuffled.
    table.give(open_, card, mine[0])
    assert card.seen == table.everybody
    table.shuffle(mine[0].cards, "hand")
    assert card.seen == 0
    assert card.since == (0, 0, 0)
    with pytest.raises(ValueError, match="seen by all, its owner or none"):
        table.zone("lap", OWNER)
    assert len(rest) == 3


def test_new_knowledge_and_chance_are_noticed() -> None:
    table = bare_table()
    deck, pile = table.zone("deck", NONE), table.zone("pile")
    for card in table.make_cards(FACES):
        table.put(deck, card)
    assert not table.blocks_undo
    table.draw(deck, pile)
    assert table.blocks_undo
    for act in (
        lambda: table.shuffle(deck.cards, "deck"),
        lambda: table.roll(6, "die"),
        lambda: table.log_event("look", {0: {"card": "one"}}, seat=0),
        lambda: table.look(0, deck, deck.cards[:1], "peek"),
        lambda: table.reveal(deck),
    ):
        table.blocks_undo = False
        act()
        assert table.blocks_undo
    table.blocks_undo = False
    table.log_event("nothing new", seat=0)
    table.reveal(pile)
    assert table.blocks_undo  # Shown again counts as shown: better one undo too few.


def test_look_is_noted_and_goes_stale_when_the_card_may_have_changed() -> None:
    live = RunningTable(KEYHOLE[0], table_of(KEYHOLE, b"stale"))
    live.choose(0, "look:1:0")
    seen = live.table.hands[1].cards[0].face.id
    note = NoteView("keyhole", {"of": 1}, (seen,), is_stale=False)
    assert live.view(0).notes == (note,)
    assert live.view(1).notes == live.view(None).notes == ()
    assert live.view(0).zones_each("hand").each[1] == [seen, None]
    assert live.view(2).zones_each("hand").each[1] == []
    peeks = [event for event in live.events(0) if event.key == "peeked"]
    assert peeks[0].values["cards"] == [seen]
    assert "cards" not in next(event for event in live.events(2) if event.key == "peeked").values
    # Seat 1 secretly changes one of two cards: seat 0 no longer knows, and its note says so.
    live.choose(1, "swap:1")
    assert live.view(0).notes == (note._replace(is_stale=True),)
    assert live.view(0).zones_each("hand").each[1] == []
    # The one who changed it knows what lies in the middle now.
    assert len(live.view(1).zone("king").cards) == 1
    assert live.view(0).zone("king").cards == []


def test_simultaneous_answers_are_sealed_until_the_last_is_in() -> None:
    live = RunningTable(PARCEL[0], table_of(PARCEL, b"seal"))
    stamp = live.stamp
    assert live.asked_seats == (0, 1, 2)
    before = live.view(0).zones
    live.choose(2, "slot-1", stamp=stamp)
    live.choose(0, "slot-0", stamp=stamp)
    assert live.view(1).zones == RunningTable(PARCEL[0], table_of(PARCEL, b"seal")).view(1).zones
    assert live.view(0).zones == before
    assert (live.asked_seats, live.unanswered_seats, live.answered_seats) == ((1,), (1,), (2, 0))
    assert live.question_for(0) is None
    with pytest.raises(Refusal, match="not your turn"):
        live.choose(0, "slot-1")
    # Until the last is in, anybody may think again.
    assert live.can_undo(2)
    live.undo(2, stamp=stamp)
    assert live.rows[-1] == (2, "undo")
    assert live.line == [(0, "slot-0")]
    live.choose(2, "slot-2", stamp=stamp)
    live.choose(1, "slot-0", stamp=stamp)
    assert live.table.round == 2
    assert not any(live.can_undo(seat) for seat in range(3))
    again = RunningTable(PARCEL[0], live.to_record())
    assert (again.line, again.version) == ([(0, "slot-0"), (2, "slot-2"), (1, "slot-0")], 5)
    assert again.view(1) == live.view(1)


def test_order_of_sealed_answers_does_not_matter() -> None:
    views = []
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        live = RunningTable(PARCEL[0], table_of(PARCEL, b"order"))
        for seat in order:
            live.choose(seat, f"slot-{seat}")
        views.append([live.view(seat) for seat in range(3)])
    assert views[0] == views[1] == views[2]


def test_another_seat_can_be_asked_during_a_turn() -> None:
    live = RunningTable(ATTIC[0], table_of(ATTIC, b"attic"))
    for _ in range(3):
        live.choose(live.asked_seats[0], "give:1" if live.asked_seats[0] != 1 else "keep")
    # Seat 2 gave the third card; seat 1 has to choose what to drop, and it is still seat 2's turn.
    assert live.asked_seats == (1,)
    assert live.kind == "drop"
    assert "{seats}" not in live.waiting(0, ("a", "b", "c"))
    live.choose(1, next(iter(live.question_for(1).options)))
    assert (live.asked_seats, live.kind) == ((0,), "keep-or-give")


def test_card_drawn_in_secret_is_shown_to_nobody_else() -> None:
    live = RunningTable(ATTIC[0], table_of(ATTIC, b"attic"))
    hand = live.view(0).zones_each("hand")
    assert (hand.counts, len(hand.each[0])) == ([1, 0, 0], 1)
    assert live.view(1).zones_each("hand").each == live.view(None).zones_each("hand").each == [[], [], []]
    # Away and back: the same card.
    assert RunningTable(ATTIC[0], live.to_record()).view(0) == live.view(0)


def test_invitations_are_answered_by_their_owners_and_the_host_decides() -> None:
    live = RunningTable(SALON[0], table_of(SALON, b"salon"))
    first = next(key for key in live.question_for(0).options if key != "nobody")
    live.choose(0, first)
    assert live.can_undo(0)
    live.choose(0, next(iter(live.question_for(0).options)))
    assert live.asked_seats == (1, 2)
    assert live.question_for(1).about == {"host": 0, "card": first}
    offers = [key for key in live.question_for(1).options if key.startswith("offer:")]
    live.choose(2, "refuse")
    live.choose(1, offers[0] if offers else "lend")
    assert (live.asked_seats, live.kind) == ((0,), "attend")
    assert list(live.question_for(0).options) == [(offers[0] if offers else first).removeprefix("offer:"), "enough"]


def test_invalid_asks_raise_programming_errors() -> None:
    with pytest.raises(ValueError, match="one question each"):
        QuestionGroup([])
    with pytest.raises(ValueError, match="one question each"):
        QuestionGroup([Question(0, "x", {"a": 1}), Question(0, "x", {"a": 1})])
    with pytest.raises(ValueError, match="able to pass"):
        QuestionGroup([Question(0, "x", {"a": 1})], ReactionWindow())
    QuestionGroup([Question(0, "x", {PASS: None})], ReactionWindow())


def test_undo_row_reverts_the_last_choice_of_its_seat() -> None:
    assert without_undone([(0, "a"), (1, "b"), (0, "c"), (0, "undo"), (0, "d")]) == [(0, "a"), (1, "b"), (0, "d")]
    assert without_undone([(0, "a"), (0, "undo")]) == []
    with pytest.raises(Refusal, match="never made"):
        without_undone([(0, "a"), (1, "undo")])


def test_log_that_breaks_the_rules_is_refused() -> None:
    from dataclasses import replace

    record = table_of(ATTIC, b"attic")
    for rows in ([(0, "fly")], [(1, "keep")], [(0, "keep"), (0, "keep")], [(-1, "hold")]):
        with pytest.raises(Refusal, match="does not fit"):
            RunningTable(ATTIC[0], replace(record, rows=tuple(rows)))
    with pytest.raises(Refusal, match="not for this table"):
        RunningTable(ATTIC[0], replace(record, version=2))
    with pytest.raises(Refusal, match="not for this table"):
        RunningTable(SALON[0], record)


def test_choice_for_an_earlier_ask_is_refused() -> None:
    """ME-17"""
    live = RunningTable(ATTIC[0], table_of(ATTIC, b"attic"))
    stamp = live.view(0).stamp
    live.choose(0, "keep", stamp=stamp)
    rows = list(live.rows)
    for seat in range(3):
        with pytest.raises(Refusal, match="moved on"):
            live.choose(seat, "keep", stamp=stamp)
    assert live.rows == rows
    with pytest.raises(Refusal, match="moved on"):
        live.undo(0, stamp=stamp)


def test_everything_is_revealed_only_when_the_game_is_over() -> None:
    live = RunningTable(ATTIC[0], table_of(ATTIC, b"attic"))
    with pytest.raises(Refusal) as refused:
        live.view(OPEN)
    assert refused.value.status == 403
    with pytest.raises(Refusal):
        live.steps()
    while live.result is None:
        seat = live.asked_seats[0]
        live.choose(seat, next(iter(live.question_for(seat).options)))
    assert live.view(OPEN).seat == OPEN
    assert live.seat_display(OPEN, ("a", "b", "c")).outcome.startswith("Over.")
    assert len(live.steps()) == live.choice_count + 1
