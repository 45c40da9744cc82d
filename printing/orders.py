"""Asking for a print: look the thing up, gather what the sheet says, and have it made unless it has been made already."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse

from jobs import desk
from jobs.models import Job, State
from pages.address import base_url
from people.who import Who
from printing import content, press
from printing.setting import Setting
from printing.sheet import Content, Sheet, sheet_of

KIND = "print"


@dataclass(frozen=True)
class Order:
    """One sheet about one thing, on one paper."""

    sheet: Sheet
    subject: str
    thing: Any
    setting: Setting

    @cached_property
    def data(self) -> Content:
        return self.sheet.gather(self.thing)

    @cached_property
    def fingerprint(self) -> str:
        return content.fingerprint(self.sheet.key, self.data)

    @property
    def key(self) -> str:
        """Names the file: the content, the templates, the paper, and the address that stands in its code."""
        parts = (self.fingerprint, press.release(), self.setting.paper, self.setting.ink, base_url())
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @property
    def title(self) -> str:
        return self.sheet.title_of(self.thing)

    @property
    def url(self) -> str:
        return address(self.sheet.key, self.subject)

    def args(self, who: Who) -> dict[str, Any]:
        """What the job is given. Rights are looked up again when it runs, so whoever left gets nothing more."""
        return {
            "sheet": self.sheet.key,
            "subject": self.subject,
            "paper": self.setting.paper,
            "ink": self.setting.ink,
            "title": self.title[:200],
            "person": who.person.pk if who.person else None,
        }


def address(sheet: str, subject: str = "") -> str:
    if subject:
        return reverse("printing:about", args=[sheet, subject])
    return reverse("printing:sheet", args=[sheet])


def place(who: Who, sheet: str, subject: str, setting: Setting) -> Order:
    """The look-up is the permission check."""
    found = sheet_of(sheet)
    return Order(found, subject, found.find(who, subject), setting)


def made(order: Order) -> Job | None:
    """The newest file with exactly this content, whoever asked for it."""
    for job in Job.objects.filter(kind=KIND, key=order.key, state=State.DONE).order_by("-pk")[:10]:
        if job.path is not None:
            return job
    return None


def under_way(order: Order, who: Who) -> Job | None:
    """One's own unfinished or failed job for this very content: the newest, if nothing better came after."""
    owner = who.person
    jobs = Job.objects.filter(kind=KIND, key=order.key, owner=owner).order_by("-pk")
    newest = jobs.first()
    return newest if newest is not None and newest.state != State.DONE else None


def ask(order: Order, who: Who) -> Job:
    return desk.ask(KIND, order.args(who), who.person, key=order.key)


def of_job(job: Job, who: Who) -> Order:
    """The order behind a job, for whoever may see what it is about now."""
    args = job.args
    sheet = sheet_of(args["sheet"])
    return place(who, sheet.key, args["subject"], Setting.read(args, sheet.papers))
