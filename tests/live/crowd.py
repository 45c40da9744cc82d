"""A crowd at a real site: accounts with sessions, all members of one campaign."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from tests.services import Site


def within(seconds: float) -> float:
    """This many seconds; more only on a machine whose load is several times its number of cores."""
    return seconds * max(1.0, os.getloadavg()[0] / (2 * (os.cpu_count() or 1)))


MAKE = """
import json
from django.contrib.auth import get_user_model
from django.db import transaction
from django.test import Client
from campaign.founding import services as founding_services
from campaign.models import Campaign, Member
from log.services import new_key
from people.models import Person
from people.requester import Who

cookies, campaign = [], None
with transaction.atomic():
    for number in range({people}):
        user = get_user_model().objects.create(username=f"mouse-{{new_key()}}", password="!")
        person = Person.objects.create(name=f"Mouse {{number}}", account=user)
        if campaign is None:
            campaign = founding_services.found_campaign(Who.of(person), key=new_key(), name="The war of the cheese")
        else:
            Member.objects.create(campaign=campaign, person=person)
        client = Client()
        client.force_login(user)
        cookies.append(client.cookies["companion_session"].value)
print(json.dumps({{"code": campaign.code, "log": campaign.log_id, "cookies": cookies}}))
"""


@dataclass
class Table:
    site: Site
    code: str
    log: int
    cookies: list[str]

    @classmethod
    def at(cls, site: Site, people: int) -> Table:
        made = json.loads(site.shell(MAKE.format(people=people)))
        return cls(site, made["code"], made["log"], made["cookies"])

    @property
    def port(self) -> int:
        return self.site.port

    @property
    def page(self) -> str:
        return f"/campaigns/{self.code}/"

    def cookie(self, number: int = 0) -> str:
        return f"companion_session={self.cookies[number]}"

    def status(self, name: str) -> int:
        """A figure of the server process as the kernel reports it: Threads, VmRSS (in kB)."""
        text = Path(f"/proc/{self.site.process.pid}/status").read_text()
        return int(next(line for line in text.splitlines() if line.startswith(f"{name}:")).split()[1])
