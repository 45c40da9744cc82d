"""Run as a program on its own site: run the given steps in order and print their results as JSON.

python -m tests.ops.site_steps '[["fill"], ["backup", "one.zip"]]'
"""

# ruff: noqa: E402  Django has to be set up before its models can be imported.

from __future__ import annotations

import io
import json
import resource
import sys
import threading
from pathlib import Path
from typing import Any

import django

django.setup()

from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, reset_queries
from django.test import Client
from django.utils import timezone

from jobs import timers
from jobs.models import Job, State
from log import services as log_services
from log.models import Entry, Log
from people.models import Pass, Person

ODD_NAMES = ("Łucja 🧀", "מלך העכברים", "O'Brien; DROP TABLE", "e\u0301\u200d" * 60, "𝕸ice")


def fill() -> None:
    """The demo world, made by its services, and beside it data that is awkward to back up."""
    call_command("migrate", interactive=False, verbosity=0)
    call_command("demo", verbosity=0)
    people = [Person.objects.create(name=name) for name in ODD_NAMES]
    Person.objects.filter(pk=people[0].pk).update(merged_into=people[4], joined_to=people[4])  # points at a later row
    Person.objects.filter(pk=people[1].pk).delete()  # a gap in the numbers
    log = log_services.create_log("odd")
    for number in range(30):
        body = {
            "z": 1,
            "a": [None, True, 0.1, 1e-7, 10**15],
            "n": number,
            "text": "ü\n\t\"' 🧀",
            "deep": {"b": {}, "a": []},
        }
        log_services.write(
            log.pk,
            who="person:1",
            key=f"odd-key-{number}",
            body=body,
            act=lambda writer, body=body: _line(writer, people, body),
        )
    owner = get_user_model().objects.filter(is_superuser=True).first()
    group = Group.objects.create(name="Helpers")
    group.permissions.set(Permission.objects.order_by("pk")[:5])
    owner.groups.add(group)
    LogEntry.objects.create(user=owner, action_flag=1, object_repr="x", change_message="y")
    Session.objects.create(session_key="k" * 32, session_data="x", expire_date=timezone.now())
    timers.set_timer("unheard-of", "7", timezone.now())
    folder = Path(settings.MEDIA_ROOT) / "jobs" / "1-abc"
    folder.mkdir(parents=True)
    (folder / "Größe 🧀.pdf").write_bytes(bytes(range(256)) * 1000)
    Job.objects.create(
        kind="print", state=State.DONE, file="jobs/1-abc/Größe 🧀.pdf", owner=people[4], result={"pages": 3}
    )
    Job.objects.create(kind="backup", state=State.RUNNING, lease_token="x", lease_until=timezone.now())


NASTY = (
    "\x01\x08\x1f\x7f\x85",
    "\u2028\u2029\ufeff\ufffe\uffff",
    "\U0010ffff 🧀",
    "\0",
    "\ud800",
    "\\u0000 \\ud800",
    "'\"; DROP TABLE log_entry; --",
    "%00 %s {} {{ }}",
    "e\u0301\u200d" * 60,
    "long " * 50,
    "9" * 30,
)


def type_nasty_text() -> dict[str, int]:
    """Send awkward text to everything that stores text. How many were accepted and refused; none may fail."""
    call_command("migrate", interactive=False, verbosity=0)
    user = get_user_model().objects.create_user("wren", password="cheese-and-thyme")
    Person.objects.create(name="Wren", account=user)
    client = Client()
    client.force_login(user)
    tally: dict[str, int] = {}

    def send(address: str, body: dict[str, Any], *, form: bool = False) -> Any:
        kind = {} if form else {"content_type": "application/json"}
        body = body | {"key": log_services.new_key()}
        answer = client.post(address, body if form else json.dumps(body), **kind)
        assert answer.status_code < 500, (address, body, answer.content)
        said = "accepted" if answer.status_code < 400 else "refused"
        tally[said] = tally.get(said, 0) + 1
        return answer

    code = send("/api/v1/campaigns/", {"name": "The War"}).json()["code"]
    acts = f"/api/v1/campaigns/{code}/acts/"
    for text in NASTY:
        send("/api/v1/campaigns/", {"name": text})
        send("/api/v1/people/", {"name": text})
        send(f"/api/v1/campaigns/{code}/notes/", {"text": text})
        send(f"/campaigns/{code}/note/", {"text": text.encode(errors="replace").decode()}, form=True)
        send(acts, {"act": "note", "body": {"text": text, text: text}})
        send(acts, {"act": "renamed", "body": {"to": text}})
        send(acts, {"act": "house_rules", "body": {"terms": {"house_rules": text}}})
        send(acts, {"act": "season_opened", "body": {"name": text}})
        send(acts, {"act": "season_closed", "body": {text: text}})
        send(acts, {"act": text, "body": {}})
        client.get("/", {"q": text.encode(errors="replace").decode()})
    client.post("/login/", {"username": NASTY[0], "password": NASTY[0]})
    return tally


def read_stored_shapes(path: str) -> dict[str, Any]:
    """The entries of an older release in a log of this database, as the site reads them."""
    from campaign import selectors
    from campaign.chronicle.sentences import Names, describe_entry
    from campaign.models import Campaign

    call_command("migrate", interactive=False, verbosity=0)
    people = {Person.objects.create(pk=number, name=name).pk: name for number, name in enumerate(SHAPE_NAMES, 1)}
    rows = json.loads(Path(path).read_text())["entries"]
    log = Log.objects.create(kind="campaign", version=1, length=len(rows))
    Entry.objects.bulk_create(
        Entry(log=log, actor_id=row.pop("actor"), on_behalf_of_id=row.pop("on_behalf_of"), **row) for row in rows
    )
    campaign = Campaign.objects.create(code="shapes", name="The Long War", log=log, founding_key="shapes")
    state = selectors.refold(campaign)
    names = Names(state, people)
    return {
        "vendor": connection.vendor,
        "state": state.to_json(),
        "sentences": [describe_entry(entry, names) for entry in selectors.entries_of(campaign)],
        "problems": selectors.find_problems(campaign),
    }


def read_stored_musters(path: str) -> dict[str, Any]:
    """The entries of musters of an older release in logs of this database, as the site reads them."""
    from musters.services import load_muster_state
    from tests.musters.core.test_stored_shapes import as_json

    call_command("migrate", interactive=False, verbosity=0)
    result = []
    for rows in json.loads(Path(path).read_text()):
        log = Log.objects.create(kind="muster", version=1, length=len(rows["entries"]))
        Entry.objects.bulk_create(
            Entry(log=log, number=number, act=act, body=body, played_on="2026-01-01")
            for number, (act, body) in enumerate(rows["entries"], 1)
        )
        result.append(as_json(load_muster_state(log.pk)))
    return {"vendor": connection.vendor, "musters": result}


def read_stored_steps(path: str) -> dict[str, Any]:
    """The trackers of an older release in logs of this database, as the site reads them."""
    from battles.tracker.selectors import load_snapshot, steps_of
    from tests.battles.battle_rows import make_battle, store_steps

    call_command("migrate", interactive=False, verbosity=0)
    maker = Person.objects.create(name="Wren")
    values = {}
    for name, log in json.loads(Path(path).read_text())["logs"].items():
        battle = store_steps(make_battle(maker, log["scenario"]), log["steps"])
        sentences = [list(step.sentences_or_dice) for step in steps_of(battle)]
        values[name] = {"cells": load_snapshot(battle).cells, "sentences": sentences}
    return {"vendor": connection.vendor, "logs": values}


SHAPE_NAMES = ("Wren", "Tam", "Oda", "Pim")


def _line(writer: log_services.LogWriter, people: list[Person], body: dict[str, Any]) -> dict[str, Any]:
    return {"entry": writer.append("note", actor=people[2].pk, body=body, effects=[{"k": "loyalty", "by": -1}]).number}


def backup(path: str) -> str:
    return _command("backup", path)


def restore(path: str) -> str:
    return _command("restore", path)


def _command(*words: str) -> str:
    out = io.StringIO()
    try:
        call_command(*words, stdout=out)
    except CommandError as error:
        return f"refused: {error}"
    return out.getvalue()


def backup_while_writing(path: str) -> dict[str, Any]:
    """Four threads write as fast as they can, each to a log of its own, while the backup is made."""
    stop = threading.Event()
    counts = []

    def write() -> None:
        log = log_services.create_log("busy")
        count = 0
        while not stop.is_set() and count < 5000:
            key = f"busy-key-{count}"
            log_services.write(
                log.pk,
                who="person:1",
                key=key,
                body={},
                act=lambda writer: {"n": writer.append("tap", actor=None).number},
            )
            count += 1
        counts.append(count)
        connection.close()

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    while Entry.objects.filter(log__kind="busy").count() < 20:
        pass
    before = Entry.objects.filter(log__kind="busy").count()
    answer = backup(path)
    after = Entry.objects.filter(log__kind="busy").count()
    stop.set()
    for thread in threads:
        thread.join()
    return {"answer": answer, "before": before, "after": after}


def look() -> dict[str, Any]:
    """What only a site that really works again can answer."""
    owner = get_user_model().objects.filter(is_superuser=True).first()
    merged = Person.objects.get(name=ODD_NAMES[0])
    new = Person.objects.create(name="Somebody new")
    log = Log.objects.create(kind="new")
    facts = {
        "vendor": connection.vendor,
        "password": owner.password,
        "groups": [group.name for group in owner.groups.all()],
        "may": sorted(owner.groups.get().permissions.values_list("content_type__app_label", "codename")),
        "merged": merged.merged_into.name,
        "pass": Pass.objects.first().token,
        "key": (Path(settings.VAR) / "secret_key").read_text(),
        "file": (Path(settings.MEDIA_ROOT) / "jobs" / "1-abc" / "Größe 🧀.pdf").read_bytes()
        == bytes(range(256)) * 1000,
        "half_done": list(Job.objects.filter(kind="backup").values_list("state", flat=True)),
        "sessions": Session.objects.count(),
        "new_ids_are_new": new.pk > merged.merged_into_id and log.pk > Entry.objects.order_by("pk").last().log_id,
    }
    new.delete()
    log.delete()
    return facts


def many(entries: int) -> None:
    call_command("migrate", interactive=False, verbosity=0)
    log = log_services.create_log("long")
    body = {"text": "The mice of Oakhold marched through the reeds. " * 20}
    for start in range(1, entries + 1, 1000):
        today = timezone.localdate()
        Entry.objects.bulk_create(
            Entry(log=log, number=number, act="note", body=body, played_on=today)
            for number in range(start, start + 1000)
        )
        reset_queries()
    Log.objects.filter(pk=log.pk).update(length=entries, version=entries)


def peak() -> int:
    """The most memory this process has ever held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def pages() -> list[Any]:
    """A column only the release after this one has; see later_migrations."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pages FROM jobs_job WHERE pages IS NOT NULL")
        return cursor.fetchall()


if __name__ == "__main__":
    for name, *words in json.loads(sys.argv[1]):
        print(json.dumps([name, globals()[name](*words)]), flush=True)
