"""The print job: gather, draw the maps, set in type, store. Runs in a process of its own that may be killed."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from campaign.annals.wording import day
from jobs.kinds import Errand, Kind, Outcome, register
from jobs.models import Job
from pages.address import guest_url
from people.models import Person
from people.who import Who
from printing import content, order, press, sheets
from printing.codes import matrix
from printing.models import Edition
from printing.setting import Setting
from printing.sheet import sheet_of
from refusal import Refusal

logger = logging.getLogger(__name__)

# A long book is looked through in smaller pictures.
LONG = 24


def work(errand: Errand) -> Outcome:
    args = errand.args
    errand.progress("Gathering")
    person = Person.objects.filter(pk=args["person"]).first() if args["person"] else None
    try:
        sheet = sheet_of(args["sheet"])
        asked = order.place(Who.of(person), sheet.key, args["subject"], Setting.read(args, sheet.papers))
    except Http404 as error:
        raise Refusal("What this sheet is about is gone, or you may no longer see it.", status=404) from error
    text = content.drawn(asked.data, saves_ink=asked.setting.saves_ink, progress=errand.progress)
    errand.progress("Waiting for the press")
    with press.turn():
        errand.progress("Setting in type")
        try:
            called = {"title": named(asked.title), "stamp": json.dumps(stamp(asked.fingerprint))}
            printer = press.Press(sheet.template, text, asked.setting, **called)
            pdf = printer.pdf()
            errand.progress("Drawing previews")
            pages = press.pages_in(pdf)
            for number, picture in enumerate(printer.pages(press.PREVIEW if pages <= LONG else press.SMALL), 1):
                (errand.folder / f"{number}.png").write_bytes(picture)
        except press.Spoiled as spoiled:
            logger.error("%s %s could not be set: %s", sheet.key, args["subject"], spoiled.cause)
            raise
    errand.progress("Storing")
    path = errand.folder / "sheet.pdf"
    path.write_bytes(pdf)
    facts = {"fingerprint": asked.fingerprint[:12], "key": asked.key, "pages": pages}
    return Outcome(facts, path, file_name(asked.title, asked.setting))


def stamp(fingerprint: str) -> dict[str, Any]:
    """What stands in the foot: the fingerprint, the day, and a code for phones where they can reach the site."""
    check = guest_url(reverse("printing:current", args=[fingerprint[:12]]))
    return {
        "fingerprint": content.shown(fingerprint),
        "printed": day(timezone.localdate().isoformat()),
        "qr": [] if check.why_no_qr else matrix(check.url),
    }


def named(title: str) -> str:
    """The name of the document, as readers of PDF show it: without signs that only steer."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in title).split()) or "A sheet"


def file_name(title: str, setting: Setting) -> str:
    words = re.sub(r"[^\w\s-]", "", title, flags=re.UNICODE).strip()[:80].strip() or "sheet"
    return f"{words} {setting.paper}{' ink-saving' if setting.saves_ink else ''}.pdf"


def landed(job: Job) -> None:
    """Remember the edition, and file the job under what it says now: it may have changed since it was asked for."""
    facts = job.result
    Job.objects.filter(pk=job.pk).update(key=facts["key"])
    Edition.objects.get_or_create(
        fingerprint=facts["fingerprint"], defaults={"sheet": job.args["sheet"], "subject": job.args["subject"]}
    )


def title_of(args: Mapping[str, Any]) -> str:
    return f"Print: {args.get('title') or 'a sheet'}"


sheets.load()
register(
    Kind(
        order.KIND,
        title_of,
        work="printing.job_kinds:work",
        landed=landed,
        seconds=300,
        megabytes=1200,
        page="printing:outcome",
    )
)
