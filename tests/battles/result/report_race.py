"""Run as a program on a database of its own: one battle reported from eight phones in the same moment, then what stands, as JSON."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection

from battles import forms, opening, reporting, slips
from battles.models import REPORT, Battle, Slip
from battles.standing import settled
from campaign import reading
from campaign.models import Petition
from log.models import Entry
from people.models import Pass, Person
from people.who import Who
from refusal import Refusal
from tests.battles.worlds import a_campaign, declare, fresh

PHONES = 8


def at_once(act: Callable[[int], Any]) -> list[str]:
    """Every phone at the same moment; gives what was refused, and anything that broke."""
    barrier = threading.Barrier(PHONES)
    said: list[str] = []

    def phone(number: int) -> None:
        barrier.wait()
        try:
            act(number)
        except Refusal as refusal:
            said.append(f"{refusal.status}: {refusal.sentence}")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    threads = [threading.Thread(target=phone, args=(number,)) for number in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return said


def run() -> dict[str, Any]:
    master, tam, oda = (Person.objects.create(name=name) for name in ("Wren", "Tam", "Oda"))
    campaign = a_campaign(master, [tam, oda], confirm="both")
    battle = declare(campaign, Who.of(tam), "k1", "k2.border_1", scenario="pitched_battle")
    made = at_once(lambda number: slips.slip_of(battle, Who.of(tam)))

    def report(number: int) -> None:
        who = Who.of((tam, oda)[number % 2])
        seen = Battle.objects.select_related("campaign__log").get(pk=battle.pk)
        values = {**forms.empty_values(), "ending": "yielded-B", "removed": {"B": ("house-1",)}}
        told = forms.report_from(seen, reading.state_of(fresh(campaign)), values)
        reporting.lay(seen, who, told, key=f"report-of-phone-{number}")

    told = at_once(report)
    alone = opening.alone(Who.of(tam), key="one-evening", scenario="pitched_battle", names=("Red", "Blue"))

    def finish(number: int) -> None:
        seen = Battle.objects.get(pk=alone.pk)
        values = {**forms.empty_values(), "ending": f"yielded-{'AB'[number % 2]}"}
        reporting.lay(seen, Who.of(tam), forms.report_from(seen, None, values), key=f"finish-of-phone-{number}")

    finished = at_once(finish)
    return {
        "made": made,
        "told": told,
        "finished": finished,
        "slips": Slip.objects.filter(battle=battle).count(),
        "passes": Pass.objects.open().filter(kind=REPORT, target=battle.pk).count(),
        "results": Entry.objects.filter(log=campaign.log_id, act="result").count(),
        "petitions": list(Petition.objects.values_list("stage", flat=True)),
        "stage": settled(Battle.objects.get(pk=battle.pk)).stage,
        "alone": Entry.objects.filter(log=alone.log_id, act="result").count(),
    }


if __name__ == "__main__":
    print(json.dumps(run()))
