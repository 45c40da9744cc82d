"""Files of plays to test with, as other programs write them."""

from __future__ import annotations

import datetime as dt
import json
import random
import uuid
from typing import Any

TODAY = dt.date(2026, 11, 17)


def make_export(**lists: list[dict[str, Any]]) -> dict[str, Any]:
    """A small BG Stats export: one game, two players, one play. Lists given replace its own."""
    body: dict[str, Any] = {
        "games": [{"id": 1, "uuid": key(1), "name": "Catan", "bggId": 13, "highestWins": True, "unknown": {"a": []}}],
        "players": [
            {"id": 1, "uuid": key(11), "name": "Oda", "bggUsername": "oda_g"},
            {"id": 2, "uuid": key(12), "name": "Wren"},
        ],
        "locations": [{"id": 7, "uuid": key(21), "name": "Burdock"}],
        "plays": [make_play_row()],
        "userInfo": {"meRefId": 1},
    }
    return body | lists


def make_play_row(*scores: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "uuid": key(31),
        "gameRefId": 1,
        "locationRefId": 7,
        "playDate": "2026-03-05 20:15:00",
        "durationMin": 75,
        "comments": "Cheese on the board.",
        "playerScores": list(scores)
        or [
            {"playerRefId": 1, "score": "12+30", "winner": True, "startPlayer": True, "rank": 1},
            {"playerRefId": 2, "score": "-3.5", "winner": False, "newPlayer": True, "role": "Farmer"},
        ],
    } | fields


def key(number: int) -> str:
    return str(uuid.UUID(int=number))


def to_bytes(body: Any) -> bytes:
    return json.dumps(body).encode()


def make_large_export(plays: int = 600, people: int = 70) -> dict[str, Any]:
    """Plays of four years as people keep them: teams, roles, no points, odd scores, missing fields."""
    dice = random.Random(7)
    games = [
        {
            "id": n,
            "uuid": key(1000 + n),
            "name": f"Game {n}",
            "bggId": n * 10,
            "highestWins": n % 7 != 0,
            "noPoints": n % 5 == 0,
            "cooperative": n % 6 == 0,
        }
        for n in range(1, 31)
    ]
    players = [{"id": n, "uuid": key(2000 + n), "name": f"Player {n}"} for n in range(1, people + 1)]
    rows = []
    for n in range(plays):
        day = dt.date(2023, 1, 1) + dt.timedelta(days=dice.randrange(1400))
        row: dict[str, Any] = {
            "uuid": key(5000 + n),
            "gameRefId": dice.randint(1, 30),
            "playDate": f"{day} {dice.randint(18, 23)}:{dice.randrange(60):02}:00",
            "usesTeams": dice.random() < 0.2,
            "playerScores": [],
        }
        for ref in dice.sample(range(1, people + 1), dice.randint(1, 7)):
            score: dict[str, Any] = {"playerRefId": ref, "score": dice.choice(["", "7", "-2", "3.5", "12+30", "40"])}
            if dice.random() < 0.3:
                score |= {"winner": True, "role": "Fox"}
            if row["usesTeams"]:
                score["team"] = dice.choice(["1", "2"])
            row["playerScores"].append(score)
        rows.append(row)
    return {"games": games, "players": players, "plays": rows}
