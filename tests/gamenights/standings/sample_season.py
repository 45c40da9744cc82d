"""Many plays at random but always the same, for standings and ratings."""

from __future__ import annotations

import datetime as dt
import random
from decimal import Decimal

from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, Variant, complete_play

SCORINGS = (Scoring.HIGH, Scoring.LOW, Scoring.NONE, Scoring.COOPERATIVE)


def make_season(plays: int, people: int = 12, games: int = 4, days: int = 365, seed: int = 5) -> list[PlayFacts]:
    """Plays in order: contests, teams, ties, solo and cooperative plays, and variants."""
    dice = random.Random(seed)
    first = dt.date(2025, 1, 1)
    found = []
    for number in range(plays):
        game = dice.randrange(games)
        scoring = SCORINGS[game % 4] if games > 1 else Scoring.HIGH
        size = dice.choice((1, 2, 3, 4, 4, 5))
        teams = size == 4 and dice.random() < 0.3
        players = []
        for at, person in enumerate(dice.sample(range(people), min(size, people))):
            score = dice.randrange(60) if scoring is not Scoring.NONE else None
            players.append(
                PlayerResult(
                    person=f"p{person:03}",
                    name=f"Player {person}",
                    score=Decimal(score) if score is not None else None,
                    team="ab"[at % 2] if teams else "",
                    role=dice.choice(("", "Fox", "Hen")),
                    won=scoring in (Scoring.NONE, Scoring.COOPERATIVE) and dice.random() < 0.4,
                    started=at == 0,
                )
            )
        found.append(
            complete_play(
                PlayFacts(
                    uuid=f"{number:08}",
                    game=f"g{game}",
                    game_name=f"Game {game}",
                    day=first + dt.timedelta(days=number * days // plays),
                    players=tuple(players),
                    scoring=scoring,
                    variant=Variant(solo=size == 1, brisk=dice.random() < 0.2),
                    minutes=dice.choice((None, 30, 75)),
                    counted=dice.random() > 0.02,
                )
            )
        )
    return sorted(found, key=lambda play: play.order)
