"""How to play: the worked examples are real tables, and their captions say what happened."""

from __future__ import annotations

import json

import pytest

from cardgames.engine.how_to_play import example_table
from cardgames.games import HOWTO, SHELF, find_game, house_deck

GAMES = pytest.mark.parametrize("key", sorted(SHELF))


@GAMES
def test_every_game_has_instructions_with_an_example_that_renders(key: str) -> None:
    howto = HOWTO[key]
    example = howto.example
    assert len(example.steps) >= 8
    drawn = []
    for step in example.steps:
        table = example_table(find_game(key), house_deck(key), example, step.after)
        display = table.seat_display(step.seat, example.names)
        drawn.append(display.as_json())
        assert step.caption.endswith(".")
        # Where a seat is shown that is asked, its choices are drawn too.
        assert (display.question is not None) is (step.seat is not None)
    for section in howto.sections:
        assert section.title
        assert all(line.endswith(".") for line in section.lines)
    assert all(line.endswith(".") for line in (howto.aim, *howto.glance))
    assert "!" not in json.dumps(drawn) + str(howto)


def happened(key: str, start: int, end: int) -> list[str]:
    """The keys of what happened between two steps; what the captions are checked against."""
    game, deck, example = find_game(key), house_deck(key), HOWTO[key].example
    before = len(example_table(game, deck, example, start).events(None))
    return [event.key for event in example_table(game, deck, example, end).events(None, before)]


def test_menagerie_captions_match_the_example() -> None:
    example = HOWTO["menagerie"].example
    game, deck = find_game("menagerie"), house_deck("menagerie")

    def points(after: int) -> list[int]:
        live = example_table(game, deck, example, after)
        return [score.points for score in game.current_scores(live.view(None), deck)]

    def pens(after: int, seat: int) -> list[int]:
        counts: list[int] = example_table(game, deck, example, after).view(None).spots_each("menagerie").counts[seat]
        return counts

    start = example_table(game, deck, example, 0)
    assert (start.table.vizier, start.asked_seats) == (0, (1,))
    assert len(start.view(1).asked.keys) == 4
    assert happened("menagerie", 1, 2) == ["gift", "drew"]
    assert (points(1)[2], points(2)[2]) == (3, 0)
    assert happened("menagerie", 2, 3) == ["played", "bazaar"]
    assert happened("menagerie", 3, 5) == ["took", "gift"]
    assert pens(5, 0)[5] == 2
    assert happened("menagerie", 5, 6) == ["took", "drew"]
    assert points(7)[0] - points(8)[0] == 4
    assert happened("menagerie", 8, 10) == ["gift"]
    assert example_table(game, deck, example, 10).asked_seats == (0,)
    assert happened("menagerie", 10, 13) == ["took", "traded"]
    assert pens(13, 2)[1] == 2
    assert happened("menagerie", 13, 15) == ["took", "gift", "drew"]
    end = example_table(game, deck, example)
    assert (end.asked_seats, end.table.active) == ((3,), 3)


def test_monarchs_captions_match_the_example() -> None:
    example = HOWTO["monarchs"].example
    game, deck = find_game("monarchs"), house_deck("monarchs")

    def at(after: int):
        return example_table(game, deck, example, after)

    def court(after: int) -> list[list[str]]:
        spots: list[list[str]] = at(after).view(None).spots("court").spots
        return spots

    assert (at(0).asked_seats, at(0).table.influence) == ((0,), 4)
    assert at(2).table.influence == 0
    assert happened("monarchs", 0, 2) == ["bought", "bought"]
    assert court(3)[:2] == court(2)[4:6]
    assert (at(3).asked_seats, at(4).table.influence) == ((1,), 1)
    assert happened("monarchs", 5, 6) == ["revealed"]
    assert "buy" not in at(6).view(0).asked.keys
    assert court(7)[2] == ["blue-heir", "red-chancellor"]
    assert "reshuffled" in happened("monarchs", 8, 9)
    assert at(11).table.moves == 1
    assert "buy:back-1" not in at(11).view(1).asked.keys
    assert court(13)[3] == ["blue-usher", "blue-squire"]
    assert court(15)[3] == ["blue-usher"]
    assert at(15).table.owned[1][-1] == "blue-squire"


def test_moods_captions_match_the_example() -> None:
    assert happened("moods", 0, 1) == ["gave"]
    assert happened("moods", 1, 3) == ["used", "keyhole", "drew"]
    assert happened("moods", 3, 5) == ["gave", "used", "tantrum", "drew"]
    assert happened("moods", 5, 8) == ["kept", "drew", "kept", "drew", "kept", "drew"]
    end = example_table(find_game("moods"), house_deck("moods"), HOWTO["moods"].example)
    assert end.table.king.cards[0].key == "mood-lamenting"
    assert [card.key for card in end.table.plays[0].cards] == ["play-comedy", "play-tragedy"]


def test_majesty_captions_match_the_example() -> None:
    example = HOWTO["majesty"].example
    game, deck = find_game("majesty"), house_deck("majesty")

    def points(after: int) -> list[int]:
        view = example_table(game, deck, example, after).view(None)
        return [score.points for score in game.current_scores(view, deck)]

    assert happened("majesty", 0, 3) == ["paid", "claimed"]
    assert happened("majesty", 3, 5) == ["paid", "arrived"]
    assert points(5) == [1, 0]
    assert points(7) == [1, 2]
    # Virginia is a slave colony.
    assert points(10) == [1, 1]
    assert happened("majesty", 10, 14) == ["played", "tour", "paid", "declared"]
    assert happened("majesty", 14, 16) == ["invited", "lent"]
    assert happened("majesty", 16, 17) == ["salon-won"]
    end = example_table(game, deck, example)
    assert [card.key for card in end.table.philosophes[1].cards] == ["ph-thomas-jefferson"]
    assert points(17) == [2, 1]
