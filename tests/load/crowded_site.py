"""A site in production form, and the people, card tables and campaigns that the phones of a load run use."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.faults.sites import PATIENCE, BreakableSite, production_site
from tests.services import free_port, is_answering, wait_for

SEATS = 4

SET_UP = """
import json
from django.contrib.auth import get_user_model
from django.test import Client
from campaign.founding.services import found_campaign
from campaign.models import Campaign
from cardgames.models import Table
from people.accounts.log_ins import get_or_create_person
from people.requester import Who

def phone(name):
    user = get_user_model().objects.create(username=name)
    client = Client(SERVER_NAME="127.0.0.1")
    client.force_login(user)
    return client, get_or_create_person(user)

def cookie(client):
    return client.cookies["companion_session"].value

tables, campaigns = [], []
for number in range(TABLES):
    phones = [phone(f"table-{number}-seat-{seat}") for seat in range(SEATS)]
    host = phones[0][0]
    opened = host.post("/tables/host/menagerie/", {"key": f"load-table-{number}", "deck": "house"})
    here = opened.headers["Location"]
    for seat, (client, _) in enumerate(phones[1:], 1):
        client.post(f"{here}sit/", {"key": f"load-seat-{number}-{seat}", "seat": seat})
    host.post(f"{here}run/", {"key": f"load-start-{number}", "act": "start"})
    table = Table.objects.get(code=here.split("/")[2])
    assert table.state == Table.State.PLAY, table.state
    tables.append({"code": table.code, "log": table.log_id, "phones": [cookie(client) for client, _ in phones]})
for number in range(CAMPAIGNS):
    client, person = phone(f"master-{number}")
    war = found_campaign(Who.of(person), key=f"load-campaign-{number}", name=f"War {number}")
    client.post(f"/campaigns/{war.code}/join/2/", {})
    campaigns.append({"code": war.code, "log": war.log_id, "phones": [cookie(client)] * VIEWERS})
print("LOAD", json.dumps([tables, campaigns]))
"""


@dataclass(frozen=True)
class Gathering:
    """One card table or campaign, and the session of each phone that follows it."""

    code: str
    log: int
    phones: tuple[str, ...]


@contextlib.contextmanager
def crowded_site(folder: Path, database_url: str) -> Iterator[BreakableSite]:
    """Two processes for pages, one for streams, one worker, Redis; PostgreSQL is somebody else's."""
    with production_site(folder, database_url) as site:
        site.live_port = free_port()
        site.commands["live"] = [
            *(sys.executable, "-m", "uvicorn", "config.asgi:application", "--log-level", "error"),
            *("--port", str(site.live_port)),
        ]
        site.start("live")
        wait_for(lambda: is_answering(site.live_port), PATIENCE, "the streams")
        yield site


def gather(
    site: BreakableSite, *, tables: int, campaigns: int, viewers: int
) -> tuple[list[Gathering], list[Gathering]]:
    code = SET_UP.replace("TABLES", str(tables)).replace("CAMPAIGNS", str(campaigns))
    code = code.replace("VIEWERS", str(viewers)).replace("SEATS", str(SEATS))
    line = next(line for line in site.shell(code).splitlines() if line.startswith("LOAD "))
    made = json.loads(line.removeprefix("LOAD "))
    at_tables, at_campaigns = (
        [Gathering(row["code"], row["log"], tuple(row["phones"])) for row in rows] for rows in made
    )
    return at_tables, at_campaigns


@dataclass(frozen=True)
class Processes:
    """All that work during a run, by what they are: their first process."""

    pids: dict[str, int]

    @classmethod
    def of(cls, site: BreakableSite, postgres: str) -> Processes:
        """Those of the site, the server at ``postgres``, and this one, which is all the phones."""
        with psycopg.connect(postgres) as connection:
            [(folder,)] = connection.execute("SELECT current_setting('data_directory')").fetchall()
        server = int((Path(folder) / "postmaster.pid").read_text().splitlines()[0])
        own = {name: process.pid for name, process in site.processes.items()}
        return cls({**own, "postgres": server, "phones": os.getpid()})

    def seconds(self) -> dict[str, float]:
        """Of processor, by each of them and its children, so far."""
        return {name: sum(map(_seconds, self._family(name))) for name in self.pids}

    def megabytes(self) -> dict[str, float]:
        return {name: sum(map(_megabytes, self._family(name))) for name in self.pids}

    def _family(self, name: str) -> list[int]:
        # The site and PostgreSQL were started by this process: they are not the phones.
        return [self.pids[name]] if name == "phones" else _family(self.pids[name])


def _family(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [pid, *(row for child in children for row in _family(int(child)))]
    return []


def _seconds(pid: int) -> float:
    """Its own, and those of children that have ended, such as PostgreSQL's for a connection."""
    with contextlib.suppress(OSError, IndexError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _megabytes(pid: int) -> float:
    with contextlib.suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
    return 0.0
