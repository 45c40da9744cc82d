"""Nights and plays in a person's data file."""

from __future__ import annotations

from gamenights.nights.models import Attendance
from gamenights.notices.models import NoticeChoice, PersonalNotice
from gamenights.notices.services import forget_notices
from gamenights.plays.models import PlayPlayer
from people import privacy


def register() -> None:
    privacy.register_part("nights", nights_of)
    privacy.register_part("plays", plays_of)
    privacy.register_part("notices", notices_of)
    privacy.register_hook(forget_notices)


def nights_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = Attendance.objects.filter(person__in=ids).select_related("night").order_by("pk")
    return [
        {"night": row.night.name, "day": row.night.day, "answer": row.answer, "here_at": row.here_at} for row in rows
    ]


def plays_of(ids: tuple[int, ...]) -> list[dict[str, object]]:
    rows = PlayPlayer.objects.filter(person__in=ids).select_related("play__game").order_by("pk")
    return [
        {"game": row.play.game.name, "day": row.play.day, "score": row.score_text, "role": row.role, "won": row.won}
        for row in rows
    ]


def notices_of(ids: tuple[int, ...]) -> dict[str, object]:
    return {
        "chosen": list(NoticeChoice.objects.filter(person__in=ids).values("topics", "by_mail", "url")),
        "sent": list(PersonalNotice.objects.filter(person__in=ids).values("title", "text", "made_at", "state")),
    }
