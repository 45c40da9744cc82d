"""Laws that hold for every game, with the random players and alternative worlds used to test them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from cardgames.engine import (
    CLOCK,
    Deck,
    FastRng,
    ForcedSource,
    Game,
    Record,
    RunningTable,
    SeededSource,
    Table,
    complete_options,
)
from cardgames.engine.randomness import shuffle_list
from refusal import Refusal

NAMES = ("Wren", "Tam", "Oda", "Pim", "Hazel", "Bryony")
MAX_CHOICES = 2000

Start = Callable[[int], Record]


def starts(game: Game, deck: Deck, seats: int, **options: Any) -> Start:
    """Tables of one game by number."""
    settled = complete_options(game.options, options)
    return lambda number: Record(game.key, game.version, deck, seats, settled, b"law %d" % number)


def someone(live: RunningTable, rng: FastRng) -> int:
    """One of the seats that still have to answer, or the clock if only it is missing."""
    waiting = [seat for seat in live.asked_seats if live.question_for(seat) is not None]
    if not waiting or (live.pending_timer_keys() and rng.below(3) == 0):
        return CLOCK
    return waiting[rng.below(len(waiting))]


def step(live: RunningTable, rng: FastRng) -> tuple[int, str]:
    """One random choice of whoever is asked."""
    seat = someone(live, rng)
    if seat == CLOCK:
        key = live.pending_timer_keys()[0]
    else:
        ask = live.question_for(seat)
        assert ask is not None
        keys = list(ask.options)
        key = keys[rng.below(len(keys))]
    live.choose(seat, key)
    return seat, key


def games(game: Game, start: Start, count: int, first: int = 0) -> Iterator[tuple[RunningTable, FastRng]]:
    for number in range(first, first + count):
        yield RunningTable(game, start(number)), FastRng(number)


def snapshot(live: RunningTable, seat: int | None) -> bytes:
    """Everything a seat is shown, byte for byte."""
    return json.dumps(live.seat_display(seat, NAMES[: live.table.seats]).as_json(), sort_keys=True).encode()


def without_version(live: RunningTable, seat: int | None) -> bytes:
    sheet = live.seat_display(seat, NAMES[: live.table.seats]).as_json()
    del sheet["view"]["version"], sheet["view"]["stamp"]
    if sheet["ask"] is not None:
        del sheet["ask"]["stamp"]
    return json.dumps(sheet, sort_keys=True).encode()


def cards_are_conserved(live: RunningTable) -> None:
    lying = [id(card) for zone in live.table.zones for card in zone.list_cards()]
    assert len(lying) == len(set(lying)), "a card lies in two places"
    assert set(lying) == {id(card) for card in live.table.all_cards}, "a card is lost"


def seats_see_what_they_should(live: RunningTable) -> None:
    """A seat knows every card in a zone it can see."""
    for zone in live.table.zones:
        for place in getattr(zone, "places", [zone]):
            for card in place.list_cards():
                assert card.seen & place.mask == place.mask
                # And what somebody knows in a zone they do not see is marked there, or it would not be drawn.
                assert not card.seen & ~place.mask & ~getattr(place, "peeked", 0)


def asks_are_well_formed(live: RunningTable) -> None:
    for seat in live.asked_seats:
        ask = live.question_for(seat)
        if ask is None:
            continue
        assert ask.options, "an ask without options"
        assert all(isinstance(key, str) and 0 < len(key) <= 120 for key in ask.options)
        sheet = live.question_display(seat, NAMES)
        assert sheet is not None
        assert sorted(choice.key for choice in sheet.choices) == sorted(ask.options)
        assert sheet.prompt[-1] in ".?"
        assert sheet.prompt[0].isupper()
        assert all(choice.label and choice.label[0].isupper() for choice in sheet.choices)
        assert len({choice.label for choice in sheet.choices}) == len(sheet.choices)
        assert all(cannot.label and cannot.why.endswith(".") for cannot in sheet.blocked)
        json.dumps(sheet.as_json())


def strangers_are_refused(live: RunningTable) -> None:
    """A key not offered, another seat, a seat that does not exist: each is refused and changes nothing."""
    seats = range(live.table.seats)
    before = [snapshot(live, seat) for seat in seats]
    rows = list(live.rows)
    asked = [seat for seat in live.asked_seats if live.question_for(seat) is not None]
    tries = [(seat, "no-such-key") for seat in (-9, -1, *seats, live.table.seats)]
    tries += [(seat, "undo") for seat in seats]
    for seat in asked:
        ask = live.question_for(seat)
        assert ask is not None
        key = next(iter(ask.options))
        tries += [(other, key) for other in seats if other not in asked]
        tries += [(seat, key + " "), (seat, f"x{key}"), (seat, "")]
    for seat, key in tries:
        with pytest.raises(Refusal) as refused:
            live.choose(seat, key)
        assert refused.value.status == 409
        assert not key or key not in refused.value.sentence
    assert live.rows == rows
    assert [snapshot(live, seat) for seat in seats] == before


def everything_can_be_said(live: RunningTable) -> None:
    names = NAMES[: live.table.seats]
    for seat in (None, *range(live.table.seats)):
        for sentence in live.sentences(seat, names):
            assert sentence[0].isupper()
            assert sentence.endswith(".")
            assert "{" not in sentence
        waiting = live.waiting(seat, names)
        assert waiting == "" or waiting.endswith(".")


def replay_is_the_same(live: RunningTable) -> None:
    again = RunningTable(live.game, live.to_record())
    for seat in (None, *range(live.table.seats)):
        assert snapshot(again, seat) == snapshot(live, seat)
    assert (again.barrier, again.line, again.version) == (live.barrier, live.line, live.version)


def undo_is_exact(live: RunningTable, rng: FastRng) -> int:
    """Chooses, undoes it if allowed, and chooses again, with no other effect. Returns 1 if undo was allowed."""
    seats = (None, *range(live.table.seats))
    before = RunningTable(live.game, live.to_record())
    seat, key = step(live, rng)
    if seat == CLOCK or live.result is not None:
        return 0
    if not live.can_undo(seat):
        rows = list(live.rows)
        with pytest.raises(Refusal) as refused:
            live.undo(seat)
        assert refused.value.status == 409
        assert live.rows == rows
        return 0
    after = [without_version(live, other) for other in seats]
    live.undo(seat)
    assert [without_version(live, other) for other in seats] == [without_version(before, other) for other in seats]
    assert RunningTable(live.game, live.to_record()).line == live.line
    live.choose(seat, key)
    assert [without_version(live, other) for other in seats] == after
    return 1


def redeal_hidden_zones(table: Table, seat: int, rng: FastRng) -> list[list[str]]:
    """The orders of all shuffles in another world that looks the same to ``seat``, for ``ForcedSource``. Spoils it."""
    orders, bit = [], 1 << seat
    for number, mix in enumerate(table.mixes):
        if not mix.is_shuffle:
            continue
        is_followed = mix.knowing & bit
        hidden = [card for card in mix.cards if not (is_followed or card.seen & bit) and card.since[seat] <= number]
        faces = shuffle_list(rng, [card.face for card in hidden])
        for card, face in zip(hidden, faces, strict=True):
            card.set_face(face)
        orders.append([card.key for card in mix.cards])
    return orders


def elsewhere(live: RunningTable, seat: int, rng: FastRng) -> RunningTable:
    """The same table in another world: everything ``seat`` cannot see differs, but everyone chose the same keys.

    A sealed answer of another seat may not be possible there; then that seat answers differently.
    """
    record = replace(live.record, rows=tuple(live.line))
    spoilt = RunningTable(live.game, record, quiet=True)
    orders = redeal_hidden_zones(spoilt.table, seat, rng)
    settled = live.line[: live.barrier] if live.group is not None else live.line
    start = replace(live.record, rows=tuple(settled))
    other = RunningTable(live.game, start, source=lambda: ForcedSource(orders, then=SeededSource(live.record.seed)))
    for who, key in live.line[len(settled) :]:
        ask = other.question_for(who)
        other.choose(who, key if ask is None or key in ask.options else next(iter(ask.options)))
    if len(live.rows) != live.choice_count:
        # Choices that were undone count for the version.
        other.rows = list(live.rows)
    return other


def differs(live: RunningTable, other: RunningTable) -> bool:
    """Whether the two worlds really differ."""
    pairs = zip(live.table.zones, other.table.zones, strict=True)
    return any(
        [card.face.id for card in one.list_cards()] != [card.face.id for card in two.list_cards()] for one, two in pairs
    )


class LeakCount(NamedTuple):
    """States tried, those where the other world really differed, leaks, and states inside a reaction window."""

    tried: int
    differing: int
    found: int
    in_windows: int


def leaks(game: Game, start: Start, states: int, first: int = 0) -> LeakCount:
    """Looks for leaks over random games; the seats take turns as watcher."""
    tried = other_worlds = result = in_windows = 0
    number = first
    while tried < states:
        live, rng = RunningTable(game, start(number)), FastRng(number)
        number += 1
        while live.result is None and tried < states:
            seats = live.table.seats
            # The spectator is one more watcher; it has the bit after the last seat.
            watcher = tried % (seats + 1)
            other = elsewhere(live, watcher, rng)
            seat = watcher if watcher < seats else None
            tried += 1
            in_windows += live.window is not None
            other_worlds += differs(live, other)
            result += snapshot(live, seat) != snapshot(other, seat)
            step(live, rng)
    return LeakCount(tried, other_worlds, result, in_windows)
