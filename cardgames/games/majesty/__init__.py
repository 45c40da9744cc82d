"""Your Majesty: two to six kingdoms compete for philosophes, colonies and reforms."""

from cardgames.engine import Deck, Game, Option, SeatScore, View, switch
from cardgames.games.majesty import board, bot_evaluation, printed_game, prompts_and_sentences, scoring
from cardgames.games.majesty.card_drawings import DRAWINGS
from cardgames.games.majesty.deck_definition import (
    AS_THREE,
    FEWEST_PLAYERS,
    FULL,
    PATTERN,
    SCHEMA,
    cautions,
    faces_by_id,
    faces_of,
    most_players,
)
from cardgames.games.majesty.rules import play
from cardgames.games.majesty.table_state import Kingdoms, ends_at_once
from cardgames.games.majesty.view_reading import courts_of

OPTIONS = (
    Option(
        "paycheck",
        "Unpaid philosophes",
        "Two rules against winning with philosophes alone. With the second, 16 prestige wins.",
        (
            (scoring.NO_PAYCHECK, "all count"),
            (scoring.NEEDS_REFORM, "a win needs a reform of level 3 or 5"),
            (scoring.BY_WEALTH, "no more count than your wealth"),
        ),
        "Y91, Y92",
    ),
    switch("faux_pas", "Faux pas", "A salon always fails when the card shows a 6. Games take longer.", "Y90"),
    Option(
        "round_limit",
        "Round limit",
        "Some games never end by themselves. After the last round the highest prestige wins.",
        ((40, "40 rounds"), (20, "20 rounds"), (0, "no limit")),
        "YR-20",
    ),
    Option(
        "two_player_setup",
        "Cards for two",
        "The rules do not say which cards two players leave in the box.",
        ((PATTERN, "every second colony, four per muse"), (AS_THREE, "as for three"), (FULL, "none")),
        "YR-1",
        seats=(2,),
    ),
    switch(
        "negotiate_first",
        "Ask before paying",
        "The host invites guests before discarding a card, and may still call the salon off.",
        "YR-6, YR-25",
    ),
    switch(
        "muse_must_attend",
        "The muse must attend",
        "Normally the host's philosophe of the reform's muse may stay away. If on, one of them must attend.",
        "YR-5",
    ),
    switch(
        "allow_empty_plays",
        "Plays without effect",
        "Normally an event or refill without any effect is not offered. If on, it can be played.",
        "YR-4",
    ),
    switch(
        "philosophe_autoreshuffle",
        "Refill the philosophe deck",
        "Normally an empty philosophe deck waits for the Reshuffle card. If on, its discards return at once.",
        "YR-10",
    ),
    switch(
        "gaming_debts_edge",
        "Gaming Debts on the rich",
        "Normally a court of wealth 6 cannot get Gaming Debts. If on, it can, and keeps them until its wealth has "
        "fallen and risen to 6 again.",
        "YR-27",
    ),
)


def current_scores(view: View, deck: Deck) -> list[SeatScore]:
    """The prestige of each court now."""
    rows = []
    paycheck, abolished = view.fields["paycheck"], view.fields["abolished"]
    for court in courts_of(view, faces_by_id(deck)):
        lines = scoring.prestige_lines(court.count, abolished=abolished, paycheck=paycheck)
        rows.append(SeatScore(court.seat, sum(line.points for line in lines), lines))
    return rows


GAME = Game(
    key="majesty",
    title="Your Majesty",
    version=1,
    blurb="Two to six crowns collect philosophes and colonies, and borrow each other's guests to pass reforms.",
    schema=SCHEMA,
    options=OPTIONS,
    seat_limits=lambda deck: (FEWEST_PLAYERS, most_players(deck)),
    faces=faces_of,
    open_table=Kingdoms,
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
    setup_warnings=cautions,
    ends_at_once=ends_at_once,
    note_sentences=prompts_and_sentences.NOTES,
    value_of_position=bot_evaluation.value_of_position,
    imagined_steps=bot_evaluation.IMAGINED_STEPS,
    settled_by_rating=bot_evaluation.SETTLED_BY_RATING,
    drawings=DRAWINGS,
    companion=printed_game.MajestyCompanion(),
    score_pad=printed_game.score_pad,
)
