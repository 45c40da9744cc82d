"""Royal Menagerie: four seats, hidden roles, gifts that are not always kind."""

from cardgames.engine import Deck, Game, Option, SeatScore, View, switch
from cardgames.games.menagerie import board, bot_evaluation, printed_game, prompts_and_sentences, scoring
from cardgames.games.menagerie.card_drawings import DRAWINGS
from cardgames.games.menagerie.deck_definition import SCHEMA, SEATS, faces_of
from cardgames.games.menagerie.role_inference import RoleInference
from cardgames.games.menagerie.rules import Menagerie, play

OPTIONS = (
    Option(
        "sum_tie",
        "Tied totals",
        "When nobody wins alone and both sides have the same total, the Conspirators win. "
        "That is about one game in sixteen, so agree beforehand.",
        (("conspirators", "the Conspirators win"), ("nobody", "nobody wins")),
        "GR-1",
    ),
    switch(
        "endstage_immediate",
        "End-stage at once",
        "Normally the stage is set at the start of a turn. "
        "If on, the end-stage begins the moment the deck is empty, "
        "so a Vizier who drew its last card plays only one.",
        "GR-2",
    ),
)


def current_scores(view: View, deck: Deck) -> list[SeatScore]:
    """The points each menagerie shows now."""
    rows = []
    for seat, counts in enumerate(view.spots_each("menagerie").counts):
        lines = scoring.score_menagerie(counts, deck)
        rows.append(SeatScore(seat, sum(line.points for line in lines), lines))
    return rows


GAME = Game(
    key="menagerie",
    title="Royal Menagerie",
    version=1,
    blurb="Four court members give each other exotic animals. One is the Grand Vizier, one is loyal, two conspire.",
    schema=SCHEMA,
    options=OPTIONS,
    seat_limits=lambda deck: (SEATS, SEATS),
    faces=faces_of,
    open_table=Menagerie,
    play=play,
    event_sentences=prompts_and_sentences.LINES,
    waiting_sentences=prompts_and_sentences.WAITING,
    outcome_sentences=scoring.OUTCOMES,
    describe_question=prompts_and_sentences.describe,
    current_scores=current_scores,
    rate_choices=bot_evaluation.rate_choices,
    value_of_result=bot_evaluation.value_of_result,
    value_of_position=bot_evaluation.value_of_position,
    read_history=RoleInference,
    labels=prompts_and_sentences.LABELS,
    choose_quickly=bot_evaluation.choose_quickly,
    lay_out=board.lay_out,
    follow_ups=board.FOLLOW_UPS,
    explain_ending=scoring.explain_ending,
    outcome_text=scoring.outcome_text,
    drawings=DRAWINGS,
    companion=printed_game.MenagerieCompanion(),
    score_pad=printed_game.score_pad,
)
