"""Royal Menagerie: four seats, hidden roles, gifts that are not always kind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from cardgames.engine import Deck, Game, Option, View, read_deck, switch
from cardgames.engine.view import find_zone
from cardgames.games.menagerie import score, wits, words
from cardgames.games.menagerie.faces import SCHEMA, SEATS, faces_of
from cardgames.games.menagerie.rules import open_table, play

OPTIONS = (
    Option(
        "sum_tie",
        "Equal sums",
        "When nobody wins alone and both sides have the same sum, the Conspirators win, because the others fell short. "
        "It happens in about one game of sixteen, so agree beforehand.",
        (("conspirators", "the Conspirators win"), ("nobody", "nobody wins")),
        "GR-1",
    ),
    switch(
        "endstage_immediate",
        "End-stage at once",
        "As a rule the stage is fixed at the start of a turn. Switched on, the end-stage begins the moment the deck is empty, "
        "so a Vizier who drew its last card plays only one.",
        "GR-2",
    ),
)


@lru_cache(maxsize=1)
def house_deck() -> Deck:
    return read_deck(SCHEMA, (Path(__file__).parent / "deck.json").read_text(encoding="utf-8"))


def standing(view: View, deck: Deck) -> list[dict[str, Any]]:
    """The points each menagerie shows now."""
    rows = []
    for seat, counts in enumerate(find_zone(view, "menagerie")["counts"]):
        lines = score.score_menagerie(counts, deck)
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
    lines=words.LINES,
    waiting=words.WAITING,
    outcomes=score.OUTCOMES,
    describe=words.describe,
    standing=standing,
    opinion=wits.opinion,
    worth=wits.worth,
    labels=words.LABELS,
    hunch=wits.hunch,
)
