"""Battles for tests: made as rows, with armies as a muster would leave them."""

from __future__ import annotations

from typing import Any

from battles.models import Battle
from battles.tracker.selectors import PREFIX
from log import services as log_services
from log.models import Entry, Log
from tests.battles.tracker.core.memory_tracker import OAKHOLD, THISTLEDOWN


def army(units: list[dict[str, Any]]) -> dict[str, Any]:
    rows = [
        {
            "slot": [one["origin"], one.get("number", 1)],
            "unit": one["unit"],
            "hero": one.get("hero"),
            "weapon": one.get("weapon"),
        }
        for one in units
    ]
    return {
        "units": rows,
        "loyalty": 0,
        "siege": None,
        "silent": [],
        "lost": [],
        "regained": [],
        "vp_spent": 0,
        "dice": [],
    }


def make_battle(maker: Any, scenario: str = "pitched_battle", a: Any = None, b: Any = None, **fields: Any) -> Battle:
    """A battle outside a campaign, made by this person."""
    log = log_services.create_log("battle")
    sides = [
        {"side": "A", "kingdom": None, "name": "Oakhold", "person": None, "army": army(a or OAKHOLD)},
        {"side": "B", "kingdom": None, "name": "Thistledown", "person": None, "army": army(b or THISTLEDOWN)},
    ]
    return Battle.objects.create(
        log=log,
        scenario=scenario,
        siege=scenario == "siege",
        sides=sides,
        made_by=maker,
        founding_key=f"test/{log.pk}",
        stage=Battle.Stage.MUSTERED,
        **fields,
    )


def store_steps(battle: Battle, steps: list[dict[str, Any]]) -> Battle:
    """The battle with these entries in its log, as an older release left them."""
    first = battle.log.length
    for row in steps:
        Entry.objects.create(
            log_id=battle.log_id,
            number=first + row["number"],
            act=f"{PREFIX}{row['kind']}",
            body=row["body"],
            effects=row["effects"],
            played_on="2026-01-01",
        )
    Log.objects.filter(pk=battle.log_id).update(length=first + len(steps))
    return Battle.objects.select_related("log").get(pk=battle.pk)


class Seat:
    """One phone at a battle, without a browser."""

    def __init__(self, client: Any, battle: Battle) -> None:
        self.client, self.battle, self.taps = client, battle, 0

    @property
    def address(self) -> str:
        return f"/battles/{self.battle.code}/table/"

    def get(self, part: str = "", **query: Any) -> Any:
        return self.client.get(self.address + part, query)

    def page(self, part: str = "", **query: Any) -> str:
        return self.get(part, **query).content.decode()

    def step(self, kind: str, **fields: Any) -> Any:
        self.taps += 1
        return self.client.post(f"{self.address}step/", {"kind": kind, "key": f"tap-number-{self.taps:04}", **fields})

    def lay(self, **fields: Any) -> Any:
        return self.client.post(f"{self.address}lay/", {"key": "lay-the-armies", **fields})

    def begin(self) -> None:
        self.lay()
        self.step("begin", roll_A=8, roll_B=3)
