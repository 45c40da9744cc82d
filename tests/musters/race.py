"""Run as a program on a database of its own: eight phones at one muster, at every moment that counts, as JSON.

python -m tests.musters.race
"""

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

from campaign import chronicle, reading
from campaign import door as campaign_door
from campaign.models import Campaign
from log.door import new_key
from log.models import Entry
from musters import door, may, paying
from musters.models import Muster
from people.models import Person
from people.who import Who
from refusal import Refusal
from tests.campaign.wars import joining

PHONES = 8


def at_once(act: Callable[[], Any]) -> list[str]:
    """What each phone was told: done, or the status of the refusal, or what broke."""
    barrier = threading.Barrier(PHONES)
    outcomes: list[str] = []

    def tap() -> None:
        barrier.wait()
        try:
            act()
            outcomes.append("done")
        except Refusal as refusal:
            outcomes.append(str(refusal.status))
        except Exception as error:
            outcomes.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    threads = [threading.Thread(target=tap) for _ in range(PHONES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(outcomes)


def told() -> dict[str, Any]:
    person = Person.objects.create(name="Tam")
    who = Who.of(person)
    campaign = chronicle.found(who, key="a-war-of-phones", name="The War of the Phones")

    def do(act: str, **body: Any) -> dict[str, Any]:
        return campaign_door.do(campaign, who, key=new_key(), act=act, body=body)

    for name in ("Oakhold", "Fenwick"):
        do("kingdom_joins", **joining(name, ruler=person.pk))
    do("agreed_change", vp={"k1": 5}, why="spoils")
    battle = do("battle_declared", attacker="k1", target="k2.border_1")["body"]["battle"]

    def fresh() -> Campaign:
        return Campaign.objects.select_related("log", "snapshot").get(pk=campaign.pk)

    def found() -> Muster:
        return may.found(Who.of(Person.objects.get(pk=person.pk)), Muster.objects.get().code)

    def seen() -> str:
        return door.token(door.course_of(found().log_id).muster())

    def vp() -> int:
        return reading.state_of(fresh()).kingdoms["k1"].vp

    found_out: dict[str, Any] = {"begin": at_once(lambda: door.begin(who, fresh(), battle, "k1"))}
    found_out["musters"] = Muster.objects.count()
    token = seen()
    found_out["step"] = at_once(lambda: door.step(found(), who, key=new_key(), question=token, value=2))
    found_out["answers"] = len(door.course_of(found().log_id).answers)
    paid = seen()
    found_out["pay"] = at_once(lambda: paying.again(found(), who, key=new_key(), question=paid, roll=9))
    found_out["vp"] = vp()
    found_out["thrown"] = list(door.course_of(found().log_id).muster().answers[-1].thrown)
    while (question := door.course_of(found().log_id).muster().question) is not None:
        door.step(found(), who, key=new_key(), question=seen(), value=6 if question.die else question.default)
    found_out["take"] = at_once(lambda: paying.take(found(), who, key=new_key()))
    found_out["lines"] = Entry.objects.filter(log=campaign.log_id, act="muster_taken").count()
    found_out["problems"] = reading.problems(fresh())
    return found_out


if __name__ == "__main__":
    print(json.dumps(told()))
