"""Nights and plays in a person's data file."""

from __future__ import annotations

from typing import Any

from gamenights.nights.models import Attendance
from gamenights.plays.models import PlayPlayer
from people.privacy import my_data


def register() -> None:
    my_data.register_part("nights", nights_of)
    my_data.register_part("plays", plays_of)


def nights_of(ids: tuple[int, ...]) -> list[dict[str, Any]]:
    rows = Attendance.objects.filter(person__in=ids).select_related("night").order_by("pk")
    return [
        {"night": row.night.name, "day": row.night.day, "answer": row.answer, "here_at": row.here_at} for row in rows
    ]


def plays_of(ids: tuple[int, ...]) -> list[dict[str, Any]]:
    rows = PlayPlayer.objects.filter(person__in=ids).select_related("play__game").order_by("pk")
    return [
        {"game": row.play.game.name, "day": row.play.day, "score": row.score_text, "role": row.role, "won": row.won}
        for row in rows
    ]
