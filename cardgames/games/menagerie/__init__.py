"""Royal Menagerie: four seats, hidden roles, gifts that are not always kind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from cardgames.engine import Deck, Game, Option, View, read_deck, switch
from cardgames.engine.seat_view import find_zone
from cardgames.games.menagerie import board, bot_evaluation, scoring, sentences
from cardgames.games.menagerie.card_faces import SCHEMA, SEATS, faces_of
from cardgames.games.menagerie.ending import tell_ending
from cardgames.games.menagerie.rules import open_table, play

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


@lru_cache(maxsize=1)
def house_deck() -> Deck:
    return read_deck(SCHEMA, (Path(__file__).parent / "deck.json").read_text(encoding="utf-8"))


def current_scores(view: View, deck: Deck) -> list[dict[str, Any]]:
    """The points each menagerie shows now."""
    rows = []
    for seat, counts in enumerate(find_zone(view, "menagerie")["counts"]):
        lines = scoring.score_menagerie(counts, deck)
        rows.append(
            {"seat": seat, "points": sum(line.points for line in lines), "lines": [line._asdict() for line in lines]}
        )
    return rows


GAME = Game(
    key="menagerie",
    title="Royal Menagerie",
    version=1,
    blurb="Four court members give each other exotic animals. One is the Grand Vizier, one is loyal, two conspire.",
    schema=SCHEMA,
    options=OPTIONS,
    seating=lambda deck: (SEATS, SEATS),
    faces=faces_of,
    open=open_table,
    play=play,
    lines=sentences.LINES,
    waiting=sentences.WAITING,
    outcomes=scoring.OUTCOMES,
    describe=sentences.describe,
    standing=current_scores,
    opinion=bot_evaluation.rate_choices,
    worth=bot_evaluation.value_of_result,
    labels=sentences.LABELS,
    hunch=bot_evaluation.choose_quickly,
    layout=board.lay_out,
    follow_ups=board.FOLLOW_UPS,
    ending=tell_ending,
    outcome_text=scoring.outcome_text,
)
