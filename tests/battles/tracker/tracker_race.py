"""Run as a program on a database of its own: twelve phones at one battle in the same moment, then what the log holds, as JSON."""

from __future__ import annotations

import json
import os
import threading
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection

from battles import laying, table_door
from battles.models import Battle
from battles.table_reading import kept, problems, steps_of
from people.models import Person
from people.who import Who
from refusal import Refusal
from tests.battles.fields import make_battle
from tests.battles.tables import house

PHONES, TAPS = 12, 4


def run() -> dict[str, Any]:
    person = Person.objects.create(name="Wren")
    who = Who.of(person)
    units = [house(at, "bow_mice") for at in range(1, PHONES // 2 + 1)]
    battle = make_battle(person, a=units, b=units)
    found = table_door.seen_by(who).get(pk=battle.pk)
    table_door.do(found, who, key="the-armies-stand", kind="laid", body={"sides": laying.marching(found)})
    table_door.do(found, who, key="the-battle-begins", kind="begin", body={"rolls": {"A": 8, "B": 3}})
    barrier = threading.Barrier(PHONES)
    refused: list[str] = []

    def phone(number: int) -> None:
        """Each phone moves its own unit; all see the table as it was before anybody tapped."""
        mine = f"{'AB'[number % 2]}{number // 2 + 1}"
        target = f"{'BA'[number % 2]}{number // 2 + 1}"
        seen = table_door.seen_by(Who.of(person)).get(pk=battle.pk)
        barrier.wait()
        taps = [
            ("moved", {"unit": mine}),
            ("stands_at", {"unit": mine, "to": {"terrain": "mound"}}),
            ("fight", {"unit": mine, "target": target, "how": "shoot"}),
            ("dice", {"fight": mine, "faces": [1, 1, 1, 1], "at": 0}),
        ]
        try:
            for at, (kind, body) in enumerate(taps[:TAPS]):
                table_door.do(seen, who, key=f"phone-{number:02}-tap-{at}", kind=kind, body=body)
        except Refusal as refusal:
            refused.append(f"{mine}: {refusal.sentence}")
        except Exception as error:
            refused.append(f"{mine}: {type(error).__name__} {error}")
        finally:
            connection.close()

    threads = [threading.Thread(target=phone, args=(number,)) for number in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    fresh = Battle.objects.select_related("log").get(pk=battle.pk)
    table = kept(fresh).table
    return {
        "refused": refused,
        "steps": len(steps_of(fresh)),
        "acted": sum(unit.acted for unit in table.units()),
        "mounds": sum(unit.at["terrain"] == "mound" for unit in table.units()),
        "problems": problems(fresh),
    }


if __name__ == "__main__":
    print(json.dumps(run()))
