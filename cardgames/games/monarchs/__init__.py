"""Of Mice and Monarchs: one to four seats build their decks from one court."""

from cardgames.engine import Deck, Game, Option, SeatScore, View, switch
from cardgames.games.monarchs import board, bot_evaluation, printed_game, prompts_and_sentences, scoring
from cardgames.games.monarchs.card_drawings import DRAWINGS
from cardgames.games.monarchs.deck_definition import SCHEMA, cautions, faces_by_id, faces_of, letters
from cardgames.games.monarchs.rules import Court, play

OPTIONS = (
    switch(
        "brisk_court",
        "Brisk court",
        "Three cards of each colour go back into the box unseen. Two players then need about fifteen turns each "
        "instead of twenty-four.",
        "MO brisk_court",
    ),
    switch(
        "family_scoring",
        "Family scoring",
        "Nothing is multiplied. Everybody sets aside two cards of each colour and counts the crowns that are left.",
        "M60",
    ),
    switch(
        "after_reveal_continue",
        "Continue after a reveal",
        "Normally, turning up the deck's top card ends the turn. If on, the player can go on buying and moving.",
        "MR-4",
    ),
    Option(
        "tiebreak",
        "Tied totals",
        "Normally a tie is a shared win.",
        (("share", "the win is shared"), ("crowns", "most crowns wins"), ("cards", "fewest cards wins")),
        "MR-9",
    ),
    Option(
        "stacks_browsable",
        "Covered cards",
        "Everybody has seen the cards underneath. If hidden, only the top of each stack is shown, as at a real table.",
        ((True, "shown"), (False, "hidden")),
        "MR-11",
    ),
)


def current_scores(view: View, deck: Deck) -> list[SeatScore]:
    """What each seat's bought cards would score now; they were all bought in the open."""
    faces = faces_by_id(deck)
    rows = []
    for seat, owned in enumerate(view.fields["owned"]):
        counts = scoring.count_by_colour([faces[key] for key in owned])
        lines = scoring.score_colours(counts)
        rows.append(SeatScore(seat, sum(line.points for line in lines), lines))
    return rows


GAME = Game(
    key="monarchs",
    title="Of Mice and Monarchs",
    version=1,
    blurb="Ten peasant mice each, one court in two rows. Buy influence early and crowns in time.",
    schema=SCHEMA,
    options=OPTIONS,
    seat_limits=lambda deck: (1, len(letters(deck))),
    faces=faces_of,
    open_table=Court,
    play=play,
    event_sentences=prompts_and_sentences.LINES,
    waiting_sentences=prompts_and_sentences.WAITING,
    outcome_sentences=scoring.OUTCOMES,
    describe_question=prompts_and_sentences.describe,
    current_scores=current_scores,
    rate_choices=bot_evaluation.rate_choices,
    value_of_result=bot_evaluation.value_of_result,
    value_of_position=bot_evaluation.value_of_position,
    labels=prompts_and_sentences.LABELS,
    choose_quickly=bot_evaluation.choose_quickly,
    lay_out=board.lay_out,
    follow_ups=board.FOLLOW_UPS,
    explain_ending=scoring.explain_ending,
    setup_warnings=cautions,
    drawings=DRAWINGS,
    companion=printed_game.MonarchsCompanion(),
    score_pad=printed_game.score_pad,
)
