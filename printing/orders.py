"""Ordering a print: find the subject, collect the content, and start a job unless the file exists."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers

from jobs import services as jobs_services
from jobs.models import Job, State
from jobs.permissions import get_job_with_result, require_file_scope
from pages.site_address_for_guests import base_url
from people.models import Pass, Person
from people.rate_limits import Limit, Rate
from people.requester import Who
from printing import sheet_json_and_fingerprint, typst_compiler
from printing.models import Edition
from printing.sheet_registry import Content, PaperSetting, Sheet, sheet_of
from refusal import Refusal

KIND = "print"
# Prints of people who are not logged in: how many may wait at once, and how many are made.
MAX_OPEN_OF_STRANGERS = 10
PRINT_LIMIT = Limit("prints", "prints", target=Rate(100, 10), browser=Rate(20, 10), address=Rate(100, 10))


@dataclass(frozen=True)
class Order:
    """One sheet about one subject, on one paper."""

    sheet: Sheet
    subject: str
    thing: Any
    setting: PaperSetting

    @cached_property
    def data(self) -> Content:
        return self.sheet.gather(self.thing)

    @cached_property
    def fingerprint(self) -> str:
        return sheet_json_and_fingerprint.fingerprint_of(self.sheet.key, self.data)

    @property
    def key(self) -> str:
        """Identifies the file: content, title, templates, paper and the site's URL in the QR code."""
        parts = (
            self.fingerprint,
            self.title,
            typst_compiler.compiler_version(),
            self.setting.paper,
            self.setting.ink,
            base_url(),
        )
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @property
    def title(self) -> str:
        return self.sheet.title_of(self.thing)

    @property
    def url(self) -> str:
        return sheet_url(self.sheet.key, self.subject)

    def args(self, who: Who) -> dict[str, object]:
        """The job's arguments. The job checks permission again when it runs."""
        return {
            "sheet": self.sheet.key,
            "subject": self.subject,
            "paper": self.setting.paper,
            "ink": self.setting.ink,
            "title": self.title[:200],
            "person": who.person.pk if who.person else None,
            "passes": [held.pk for held in who.passes],
        }


def sheet_url(sheet: str, subject: str = "") -> str:
    if subject:
        return reverse("printing:sheet_about", args=[sheet, subject])
    return reverse("printing:sheet", args=[sheet])


def build_order(who: Who, sheet: str, subject: str, setting: PaperSetting) -> Order:
    """Build an order; the look-up checks permission."""
    kind = sheet_of(sheet)
    return Order(kind, subject, kind.find(who, subject), setting)


def order_of_edition(who: Who, edition: Edition) -> Order:
    """What the edition would be today; its fingerprint does not depend on the paper."""
    return build_order(who, edition.sheet, edition.subject, PaperSetting(sheet_of(edition.sheet).papers[0]))


def find_finished_job(order: Order) -> Job | None:
    """The newest file with this content, whoever requested it."""
    for job in Job.objects.filter(kind=KIND, key=order.key, state=State.DONE).order_by("-pk")[:10]:
        if job.path is not None:
            return job
    return None


def find_unfinished_job(order: Order, who: Who) -> Job | None:
    """The person's newest job for this content, if unfinished or failed."""
    owner = who.person
    jobs = Job.objects.filter(kind=KIND, key=order.key, owner=owner).order_by("-pk")
    newest = jobs.first()
    return newest if newest is not None and newest.state != State.DONE else None


def request_print_by(order: Order, request: HttpRequest) -> Job:
    """Whoever is not logged in can print too, but not so much that others wait."""
    if request.who.person is None and find_finished_job(order) is None:
        PRINT_LIMIT.count_use(request)
        if Job.objects.open().filter(kind=KIND, owner=None).count() >= MAX_OPEN_OF_STRANGERS:
            raise Refusal("Too many prints are waiting. Try again in a minute, or log in.", status=429)
    return request_print(order, request.who)


def request_print(order: Order, who: Who) -> Job:
    return jobs_services.request_job(KIND, order.args(who), who.person, key=order.key)


def would_make_the_same(job: Job, who: Who) -> bool:
    """Whether the same order, placed by this viewer now, would make the same bytes."""
    try:
        return order_of_job(job, who).key == job.key
    except (Http404, Refusal):
        return False


def whoever_ordered(args: Mapping[str, Any]) -> Who:
    """The person and the passes an order was placed with, as far as they are still valid."""
    person = Person.objects.filter(pk=args["person"]).first() if args["person"] else None
    held = args.get("passes") or []
    return Who.of(person, tuple(Pass.objects.valid().filter(pk__in=held)) if held else ())


def order_of_job(job: Job, who: Who) -> Order:
    """The order behind a job, as this viewer would place it now: what it shows is what they can see."""
    # The permission check and the answer both ask, and building it reads the campaign's state.
    viewer, order = job.__dict__.get("order_of_viewer", (None, None))
    if viewer is not who:
        sheet = sheet_of(job.args["sheet"])
        order = build_order(who, sheet.key, job.args["subject"], PaperSetting.read(job.args, sheet.papers))
        job.__dict__["order_of_viewer"] = (who, order)
    return order


# ── Finished prints ────────────────────────────────────────────────────────────────────────────────────────


def get_finished_job(who: Who, ref: str) -> Job:
    """A finished print that this viewer ordered, or whose content they could order just the same."""
    job = get_job_with_result(who, ref, KIND)
    if job.path is None:
        raise Http404("This file was deleted. Make the sheet again.")
    require_file_scope(who, job)
    return job


def preview_response(who: Who, ref: str, page: int) -> HttpResponse:
    """One page as a picture."""
    job = get_finished_job(who, ref)
    assert job.path is not None
    picture = job.path.parent / f"{page}.png"
    if not picture.is_file():
        raise Http404
    response = HttpResponse(picture.read_bytes(), content_type="image/png")
    # A job's content never changes, but the next person at this browser asks again.
    response["Cache-Control"] = "private, max-age=86400, immutable"
    patch_vary_headers(response, ["Cookie"])
    return response
