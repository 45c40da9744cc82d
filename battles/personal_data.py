"""A person's standalone battles, for their personal data file."""

from __future__ import annotations

import datetime as dt
from typing import Any, TypedDict

from django.db.models import Q

from battles.models import Battle
from people import privacy


def register() -> None:
    privacy.register_part("battles", export_battles)


class BattleData(TypedDict):
    code: str
    scenario: str
    stage: str
    made_at: dt.datetime
    played_on: dt.date | None
    armies: list[str]
    led_by_me: list[str]
    result: Any  # the body of the report


def export_battles(ids: tuple[int, ...]) -> list[BattleData]:
    rows = Battle.objects.filter(Q(made_by__in=ids) | Q(people__in=ids), campaign=None).distinct().order_by("made_at")
    return [
        {
            "code": battle.code,
            "scenario": battle.scenario,
            "stage": battle.stage,
            "made_at": battle.made_at,
            "played_on": battle.played_on,
            "armies": [side["name"] for side in battle.sides],
            "led_by_me": [side["side"] for side in battle.sides if side["person"] in ids],
            "result": battle.result,
        }
        for battle in rows
    ]
