"""Phones that write during a fault and send again with the same key, as an outbox does; then the log is counted."""

from __future__ import annotations

import json
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field

TOKEN = "c" * 32
SET_UP = """
from django.contrib.auth import get_user_model
from django.test import Client
from campaign.founding.services import found_campaign
from people.accounts.log_ins import get_or_create_person
from people.requester import Who
user = get_user_model().objects.create_user("wren", password="cheese-and-thyme")
war = found_campaign(Who.of(get_or_create_person(user)), key="a-war-of-faults", name="The War of Faults")
client = Client()
client.force_login(user)
print("FAULTS", war.code, client.cookies["companion_session"].value)
"""
COUNT = """
import json
from campaign.models import Campaign
from log.models import Entry
war = Campaign.objects.get(code=%r)
rows = Entry.objects.filter(log_id=war.log_id).order_by("number").values_list("number", "act", "body")
print("FAULTS", json.dumps([[number, body.get("text", "") if act == "note" else ""] for number, act, body in rows]))
"""


@dataclass
class Count:
    """What became of the writes."""

    acknowledged: int
    lost: int
    doubled: int
    holes: int


@dataclass
class Writers:
    url: str
    code: str
    session: str
    phones: int = 4
    acknowledged: list[tuple[float, str]] = field(default_factory=list)
    statuses: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._write, args=[n], daemon=True) for n in range(self.phones)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(60)

    def acknowledged_after(self, moment: float) -> float | None:
        """Seconds from this moment until every phone had a write acknowledged that it sent or repeated since."""
        later = [at - moment for at, _ in list(self.acknowledged) if at > moment]
        return later[self.phones] if len(later) > self.phones else None

    def wait_for_recovery(self, moment: float, seconds: float = 90) -> float:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if (took := self.acknowledged_after(moment)) is not None:
                return took
            time.sleep(0.02)
        return float("inf")

    def send(self, path: str, body: dict | None = None) -> tuple[int, dict]:
        headers = {
            "Content-Type": "application/json",
            "X-CSRFToken": TOKEN,
            "Cookie": f"companion_session={self.session}; companion_csrf={TOKEN}",
        }
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        try:
            with urllib.request.urlopen(request, timeout=15) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            return error.code, {}
        except (OSError, ValueError):
            return 0, {}

    def _write(self, phone: int) -> None:
        number = 0
        while not self._stop.is_set():
            number += 1
            text = f"phone {phone} tap {number}"
            body = {"key": f"fault-{phone}-{number}-of-many", "text": text}
            while True:
                status, _ = self.send(f"/api/v1/campaigns/{self.code}/notes/", body)
                self.statuses.add(status)
                if status in (200, 201):
                    self.acknowledged.append((time.monotonic(), text))
                    break
                if self._stop.is_set():
                    break  # not acknowledged: it may be there or not
                time.sleep(0.1)
            time.sleep(0.02)

    def count(self, shell) -> Count:
        rows = json.loads(_line(shell(COUNT % self.code)))
        texts = [text for _, text in rows if text]
        sent = [text for _, text in self.acknowledged]
        return Count(
            acknowledged=len(sent),
            lost=len(set(sent) - set(texts)),
            doubled=len(texts) - len(set(texts)),
            holes=sum(1 for place, (number, _) in enumerate(rows, 1) if place != number),
        )


def set_up(shell, url: str) -> Writers:
    code, session = _line(shell(SET_UP)).split()
    return Writers(url, code, session)


def _line(output: str) -> str:
    return next(line.removeprefix("FAULTS ") for line in output.splitlines() if line.startswith("FAULTS "))
