"""Plays to test with: ``make_play("oda 12", "wren 9")``."""

from __future__ import annotations

import datetime as dt
import uuid
from typing import Any

from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, Variant, complete_play

FIRST_DAY = dt.date(2026, 3, 5)


def make_player(words: str, **more: Any) -> PlayerResult:
    """``"oda"``, ``"oda 12"`` or ``"oda 12+30"``; the person's key is the name in lower case."""
    name, _, score = words.partition(" ")
    return PlayerResult(person=name.lower(), name=name.title(), score_text=score, **more)


def make_play(*players: str | PlayerResult, number: int = 1, day: int | dt.date = 0, **more: Any) -> PlayFacts:
    """A completed play. ``day`` counts from 5 March 2026; ``number`` gives a stable uuid."""
    game_name = more.pop("game_name", "Menagerie")
    return complete_play(
        PlayFacts(
            uuid=str(uuid.UUID(int=number)),
            game=more.pop("game", game_name.lower()),
            game_name=game_name,
            day=day if isinstance(day, dt.date) else FIRST_DAY + dt.timedelta(days=day),
            players=tuple(make_player(one) if isinstance(one, str) else one for one in players),
            scoring=more.pop("scoring", Scoring.HIGH),
            variant=more.pop("variant", Variant()),
            **more,
        )
    )


def log_sample_play(
    group: Any, who: Any, scores: list[tuple[Any, str]], key: str = "a-sample-play", **more: Any
) -> Any:
    """A play in the database: ``log_sample_play(group, who, [(master, "31"), (player, "27")])``."""
    from gamenights.plays import services

    name = more.pop("game_name", "Cascadia")
    game = services.find_or_add_game(group, name)
    players = tuple(PlayerResult(str(person.pk), person.name, score_text=score) for person, score in scores)
    day = more.pop("day", group.founded_at.date())
    night = more.pop("night", None)
    facts = PlayFacts(key, str(game.pk), name, day, players, **more)
    return services.log_play(group, who, key=key, facts=facts, night=night)
