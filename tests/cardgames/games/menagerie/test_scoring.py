"""Royal Menagerie: points, outcomes, and the score sheet for printed cards."""

from __future__ import annotations

import pytest

from cardgames.engine import SentenceBuilder
from cardgames.engine.printed_game import SheetNow, Tap
from cardgames.games import house_deck, new_table, replay
from cardgames.games.menagerie import printed_game
from cardgames.games.menagerie.deck_definition import ANIMALS
from cardgames.games.menagerie.scoring import (
    animal_points,
    outcome,
    outcome_text,
    parse_counts,
    result,
    score_menagerie,
)
from chance import Dice
from refusal import Refusal
from tests.cardgames.games.arranged_tables import MAMMOTH, TIGER, keys, play

DECK = house_deck("menagerie")
ROLES = ("vizier", "loyalist", "conspirator", "conspirator")


@pytest.mark.parametrize(("count", "plain", "mammoth"), [(0, 0, 0), (1, 1, 2), (2, 3, 6), (3, 0, 0)])
def test_points_by_count(count: int, plain: int, mammoth: int) -> None:
    """G50, G51, GE-18"""
    assert animal_points(count) == plain
    lines = score_menagerie(parse_counts({TIGER: count, MAMMOTH: count}), DECK)
    assert [line.points for line in lines] == [0, plain, 0, 0, 0, mammoth]


def test_menagerie_scores_between_zero_and_five_pairs() -> None:
    """GI-8"""
    best = max(
        sum(line.points for line in score_menagerie([2 if kind != gap else 0 for kind in range(6)], DECK))
        for gap in range(6)
    )
    assert best == 18
    assert sum(line.points for line in score_menagerie([3] * 6, DECK)) == 0
    for seed in range(10):
        live = replay(new_table("menagerie", 4, seed=b"score %d" % seed))
        while live.result is None:
            play(live, keys(live)[(seed + len(live.rows)) % len(keys(live))])
        assert all(0 <= score <= 18 for score in live.result.scores)


#    vizier, loyalist, conspirator, conspirator
OUTCOMES = [
    ((7, 3, 6, 6), "conspirators", "solo", (0,), "GR-16: alone, although the sums favour the Conspirators"),
    ((7, 6, 3, 3), "conspirators", "solo", (0,), "G60, G62: alone, and the Loyalist has nothing of it"),
    ((6, 6, 5, 5), "conspirators", "shared", (0, 1), "G61: tied for first is not alone"),
    ((3, 9, 5, 5), "conspirators", "shared", (0, 1), "G61, G62"),
    ((6, 2, 6, 3), "conspirators", "conspirators", (2, 3), "G63: the Conspirators have more together"),
    ((5, 5, 5, 5), "conspirators", "conspirators", (2, 3), "GR-1: equal sums"),
    ((5, 5, 5, 5), "nobody", "nobody", (), "GR-1: equal sums, agreed otherwise"),
    ((0, 0, 0, 0), "conspirators", "conspirators", (2, 3), "GE-17"),
    ((6, 4, 6, 2), "nobody", "shared", (0, 1), "the option matters for equal sums only"),
]


@pytest.mark.parametrize(("scores", "sum_tie", "name", "winners", "why"), OUTCOMES, ids=[row[-1] for row in OUTCOMES])
def test_winner_by_role_totals(
    scores: tuple[int, ...], sum_tie: str, name: str, winners: tuple[int, ...], why: str
) -> None:
    """G60, G61, G62, G63"""
    assert outcome(scores, ROLES, sum_tie)[:2] == (name, winners)


def test_solo_win_needs_a_single_leader() -> None:
    """GR-16, GE-15, GE-16, GE-17"""
    # The sums favour the Conspirators, and the Vizier wins all the same, alone.
    name, winners, sums = outcome((7, 3, 6, 6), ROLES)
    assert (name, winners, sums) == ("solo", (0,), {"crown": 10, "plot": 12})
    # Both sums and solo: one winner.
    assert outcome((7, 6, 3, 3), ROLES)[:2] == ("solo", (0,))
    # Tied for first with a Conspirator.
    assert outcome((7, 0, 7, 1), ROLES)[:2] == ("conspirators", (2, 3))
    assert outcome((0, 0, 0, 0), ROLES)[:2] == ("conspirators", (2, 3))


def test_conspirators_win_ties_by_default() -> None:
    """GR-1"""
    even = [parse_counts({TIGER: 1})] * 4
    assert result(even, ROLES, DECK).outcome == "conspirators"
    nobody = result(even, ROLES, DECK, "nobody")
    assert (nobody.outcome, nobody.winners) == ("nobody", ())
    with pytest.raises(Refusal, match="Tied totals cannot be set"):
        new_table("menagerie", 4, seed=b"x", options={"sum_tie": "vizier"})


def test_tie_is_described_with_its_totals() -> None:
    """GR-1: "14 : 14" needs a reason."""
    even = [parse_counts({TIGER: 1})] * 4
    roles = ("vizier", "conspirator", "loyalist", "conspirator")
    assert printed_game.score_sheet([{TIGER: 1}] * 4, DECK, roles).sentence == outcome_text(result(even, roles, DECK))
    told = SentenceBuilder(("Pim", "Oda", "Wren", "Tam"), {}).fill(
        outcome_text(result(even, roles, DECK)), {"winners": [1, 3], "crown": 2, "plot": 2}
    )
    assert told == "Oda and Tam win the tie, 2 : 2. Equal totals go to the Conspirators."
    clear = [parse_counts({}), parse_counts({TIGER: 2}), parse_counts({}), parse_counts({})]
    assert "held off" in outcome_text(result(clear, roles, DECK))


def test_menagerie_with_all_six_types_does_not_win() -> None:
    six = dict.fromkeys(ANIMALS, 2)
    sheet = printed_game.score_sheet([six, {}, {}, {}], DECK, ROLES)
    assert (sheet.outcome, sheet.winners) == (None, ())
    assert sheet.warnings[0].text == printed_game.STAMPEDE


def test_score_sheet_uses_the_same_functions() -> None:
    live = replay(new_table("menagerie", 4, seed=b"sheet"))
    while live.result is None:
        play(live, keys(live)[0])
    counts = [dict(zip(ANIMALS, map(len, pens.piles), strict=True)) for pens in live.table.pens]
    sheet = printed_game.score_sheet(counts, DECK, live.result.facts["roles"])
    assert sheet.scores == live.result.scores
    assert sheet.lines == live.result.lines
    assert (sheet.outcome, sheet.winners) == (live.result.outcome, live.result.winners)
    assert sheet.warnings == ()
    unknown = printed_game.score_sheet(counts, DECK)
    assert (unknown.outcome, unknown.winners, unknown.scores) == (None, (), sheet.scores)


def test_score_sheet_warns_about_impossible_tables() -> None:
    six = dict.fromkeys(ANIMALS, 1)
    sheet = printed_game.score_sheet([six, {TIGER: 3}, {TIGER: 3}, {}], DECK)
    assert [warning.seat for warning in sheet.warnings] == [0, None]
    assert "stampede" in sheet.warnings[0].text
    assert "7 of White Tiger" in sheet.warnings[1].text


@pytest.mark.parametrize("wrong", [{TIGER: 4}, {TIGER: -1}, {TIGER: True}, {TIGER: "2"}, {"dodo": 1}])
def test_invalid_score_sheet_values_are_refused(wrong: dict) -> None:
    with pytest.raises(Refusal):
        printed_game.score_sheet([wrong, {}, {}, {}], DECK)
    with pytest.raises(Refusal):
        printed_game.score_sheet([{}], DECK)
    with pytest.raises(Refusal, match="roles"):
        printed_game.score_sheet([{}] * 4, DECK, ["vizier"] * 4)


def test_companion_for_printed_cards_gives_roles_turns_and_next_seat() -> None:
    companion = printed_game.MenagerieCompanion()
    names = ("Pim", "Oda", "Wren", "Tam")

    def deal(seed: bytes) -> tuple[str, ...]:
        return tuple(role for (role,) in companion.deal(4, Dice(seed)).hands)

    def turn(seat: int, ends: bool = False) -> str:
        return companion.turn(SheetNow(DECK, {"active": seat, "vizier": 1, "ends": ends}, {}, names, (), ())).sentence

    assert sorted(deal(b"roles")) == sorted(ROLES)
    assert len({deal(b"%d" % number) for number in range(80)}) == 12
    assert companion.first_seat({}, Tap(DECK, Dice(b""), seat=3)) == 0
    assert turn(1) == "Oda: draw 2, play 2."
    assert turn(2) == "Wren: draw 1, play 1."
    assert turn(1, ends=True) == "Oda plays a card."
    assert companion.next_seat({"active": 3, "out": []}, DECK) == 0
    assert companion.next_seat({"active": 3, "out": [0, 1]}, DECK) == 2
    assert companion.next_seat({"active": 3, "out": [0, 1, 2, 3]}, DECK) is None
    assert any("46 cards" in step for step in companion.set_up(DECK, 4, {}))
    with pytest.raises(Refusal):
        companion.first_seat({}, Tap(DECK, Dice(b""), seat=4))
