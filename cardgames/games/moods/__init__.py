"""Moods of the Mad King: two to four playwrights please a King whose Mood nobody knows, and a Muse only they know."""

from cardgames.engine import Deck, Game, Option, SeatScore, View, switch
from cardgames.games.moods import board, bot_evaluation, printed_game, prompts_and_sentences, scoring
from cardgames.games.moods.card_drawings import DRAWINGS
from cardgames.games.moods.deck_definition import FEWEST_SEATS, MAX_SEATS, SCHEMA, faces_of, setup_warnings
from cardgames.games.moods.rules import ASK, RANDOM, play
from cardgames.games.moods.table_state import Stage

OPTIONS = (
    switch(
        "two_cards_when_same",
        "Two cards for one genre",
        "Normally one card satisfies both if your Muse wants the same genre as the King. If on, it takes two cards; "
        "with only one the patron is lost.",
        "DR-5",
    ),
    Option(
        "first_player",
        "First player",
        "At a real table, whoever saw a play most recently begins.",
        (
            (RANDOM, "by chance"),
            (ASK, "seat 1 says who saw a play last"),
            *((seat, f"seat {seat + 1}") for seat in range(MAX_SEATS)),
        ),
        "DR-8",
        choice_seats={2: (3, 4), 3: (4,)},
    ),
)


def current_scores(view: View, deck: Deck) -> list[SeatScore]:
    """There are no points in this game."""
    return [SeatScore(seat, 0, ()) for seat in range(view.seats)]


GAME = Game(
    key="moods",
    title="Moods of the Mad King",
    version=1,
    blurb="Write a play of three acts for a King whose Mood nobody knows and a Muse only you know. Keep your head.",
    schema=SCHEMA,
    options=OPTIONS,
    seat_limits=lambda deck: (FEWEST_SEATS, MAX_SEATS),
    faces=faces_of,
    open_table=Stage,
    play=play,
    event_sentences=prompts_and_sentences.LINES,
    waiting_sentences=prompts_and_sentences.WAITING,
    outcome_sentences=scoring.OUTCOMES,
    describe_question=prompts_and_sentences.describe,
    current_scores=current_scores,
    rate_choices=bot_evaluation.rate_choices,
    value_of_result=bot_evaluation.value_of_result,
    labels=prompts_and_sentences.LABELS,
    choose_quickly=bot_evaluation.choose_quickly,
    lay_out=board.lay_out,
    follow_ups=board.FOLLOW_UPS,
    explain_ending=scoring.explain_ending,
    setup_warnings=setup_warnings,
    note_sentences=prompts_and_sentences.NOTES,
    has_points=False,
    value_of_position=bot_evaluation.value_of_position,
    drawings=DRAWINGS,
    companion=printed_game.MoodsCompanion(),
    score_pad=printed_game.score_pad,
)
