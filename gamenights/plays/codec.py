"""A play as JSON and back, for the log and the API. Missing fields have their usual value."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from gamenights.plays.values import PlayerResult, PlayFacts, Scoring, Variant

# A play as JSON, in the log and over the API.
PlayJson = dict[str, Any]


def play_to_json(play: PlayFacts) -> PlayJson:
    """Only what is not as usual in a player, so that a log holds many plays."""
    return {
        "uuid": play.uuid,
        "game": play.game,
        "game_name": play.game_name,
        "day": play.day.isoformat(),
        "scoring": play.scoring.value,
        "variant": play.variant.key,
        "started_at": play.started_at.isoformat() if play.started_at else None,
        "logged_at": play.logged_at.isoformat() if play.logged_at else None,
        "minutes": play.minutes,
        "rated": play.rated,
        "counted": play.counted,
        "location": play.location,
        "board": play.board,
        "notes": play.notes,
        "players": [_player_to_json(player) for player in play.players],
    }


def _player_to_json(player: PlayerResult) -> dict[str, object]:
    more = {
        "score": None if player.score is None else str(player.score),
        "score_text": player.score_text,
        "team": player.team,
        "role": player.role,
        "place": player.place,
        "won": player.won,
        "started": player.started,
        "new": player.new,
        "bot": player.bot,
    }
    return {"person": player.person, "name": player.name, **{name: value for name, value in more.items() if value}}


def play_from_json(body: Mapping[str, Any]) -> PlayFacts:
    return PlayFacts(
        uuid=body["uuid"],
        game=body["game"],
        game_name=body["game_name"],
        day=dt.date.fromisoformat(body["day"]),
        scoring=Scoring(body.get("scoring", Scoring.HIGH)),
        variant=Variant.from_key(body.get("variant", "")),
        started_at=_moment(body.get("started_at")),
        logged_at=_moment(body.get("logged_at")),
        minutes=body.get("minutes"),
        rated=body.get("rated", True),
        counted=body.get("counted", True),
        location=body.get("location", ""),
        board=body.get("board", ""),
        notes=body.get("notes", ""),
        players=tuple(
            PlayerResult(
                person=player["person"],
                name=player["name"],
                score=None if player.get("score") is None else Decimal(player["score"]),
                score_text=player.get("score_text", ""),
                team=player.get("team", ""),
                role=player.get("role", ""),
                place=player.get("place"),
                won=player.get("won", False),
                started=player.get("started", False),
                new=player.get("new", False),
                bot=player.get("bot", False),
            )
            for player in body["players"]
        ),
    )


def _moment(text: str | None) -> dt.datetime | None:
    return dt.datetime.fromisoformat(text) if text else None
