"""Run as a program on a database of its own: many phones at one petition at the same moment, then what came of it, as JSON."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection
from django.utils import timezone

from campaign import chronicle, door, petitions, reading
from campaign.models import Campaign, Petition
from jobs.models import Due
from log.models import Entry
from people.models import Person
from people.who import Who
from refusal import Refusal
from tests.campaign.wars import joining

THREADS = 6
BODY = {"attacker": "k1", "target": "k2.border_1", "outcome": "attacker", "points": {"k1": 5}}


class Table:
    def __init__(self, name: str) -> None:
        self.name = name
        people = [Person.objects.create(name=one) for one in ("Wren", "Tam", "Oda")]
        self.wren, self.tam, self.oda = map(Who.of, people)
        self.campaign = chronicle.found(self.wren, key=f"{name}-campaign", name=name)
        for number, ruler in enumerate(people[1:]):
            self.do("kingdom_joins", joining(f"Realm {number}", ruler=ruler.pk), f"join-{number}")
        self.do("house_rules", {"terms": {"confirm": "both"}}, "terms")

    def do(self, act: str, body: dict, key: str) -> dict:
        return door.do(self.campaign, self.wren, key=f"{self.name}-{key}", act=act, body=body)

    def lay(self, who: Who, key: str, body: dict = BODY) -> dict:
        return petitions.lay(self.campaign, who, key=key, act="result", body=body, subject="one battle")

    def outcome(self, said: list[str]) -> dict:
        fresh = Campaign.objects.select_related("log").get(pk=self.campaign.pk)
        rows = Petition.objects.filter(campaign=fresh)
        return {
            "said": said,
            "results": Entry.objects.filter(log=fresh.log_id, act="result").count(),
            "stages": sorted(rows.values_list("stage", flat=True)),
            "versions": [len(row.versions) for row in rows],
            "problems": reading.problems(fresh),
        }


def at_once(acts: list[Callable[[], object]]) -> list[str]:
    barrier = threading.Barrier(len(acts))
    said: list[str] = []

    def run(act: Callable[[], object]) -> None:
        barrier.wait()
        try:
            done = act()
            said.append("written" if isinstance(done, dict) and done.get("entry") else "kept")
        except Refusal as refusal:
            said.append(f"refused {refusal.status}")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(said)


def both_report() -> dict:
    """Both captains report the same at once, each several times."""
    table = Table("both")
    acts = [lambda n=n: table.lay((table.tam, table.oda)[n % 2], f"report-of-phone-{n}") for n in range(THREADS)]
    return table.outcome(at_once(acts))


def same_tap() -> dict:
    table = Table("tap")
    return table.outcome(at_once([lambda: table.lay(table.tam, "one-and-the-same") for _ in range(THREADS)]))


def yes_and_clock() -> dict:
    """The other side says yes, the master decides, and the seven days are over, all at the same moment."""
    table = Table("clock")
    row = Petition.objects.select_related("campaign").get(pk=table.lay(table.tam, "the-report")["petition"])
    due = Due.objects.get(kind=petitions.STANDS, ref=str(row.pk))
    due.due_at = timezone.now()
    acts = [lambda n=n: petitions.consent(row, table.oda, key=f"yes-of-phone-{n}") for n in range(2)]
    acts += [lambda: petitions.decide(row, table.wren, key="the-decision", version=0), lambda: petitions.stand(due)]
    acts += [lambda: petitions.object_to(row, table.oda, key="an-objection", reason="No.")]
    acts += [lambda: petitions.withdraw(row, table.tam, key="taken-back")]
    return table.outcome(at_once(acts))


def told_differently() -> dict:
    table = Table("other")
    bodies = [BODY, BODY | {"outcome": "draw"}]
    acts = [lambda n=n: table.lay((table.tam, table.oda)[n % 2], f"report-{n}-here", bodies[n % 2]) for n in range(4)]
    return table.outcome(at_once(acts))


if __name__ == "__main__":
    races = (both_report, same_tap, yes_and_clock, told_differently)
    print(json.dumps({race.__name__: race() for race in races}))
