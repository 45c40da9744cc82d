"""Prints as JSON: list the sheets, request one, follow its progress."""

import datetime as dt
from dataclasses import dataclass, field
from typing import Annotated

from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.views import APIView

from dataclass_json import OneOf, Text, stored_as
from jobs.display import JobDisplay, display_job
from jobs.files import file_response
from jobs.models import Job
from jobs.permissions import get_job_with_result
from pages.api.operations import SentAgain, operation
from pages.api_pagination import MAX_ROWS, Page, paginate_rows
from pages.fields.columns_and_rows import take
from people.requester import Who
from printing import orders, sheet_json_and_fingerprint
from printing.models import Edition
from printing.sheet_registry import INKS, PAPERS, SHEETS, PaperSetting, Subject, sheet_of


def _list_papers() -> list[tuple[str, str]]:
    return [(paper.key, paper.name) for paper in PAPERS.values()]


@dataclass(frozen=True)
class OrderPrint:
    api_name = "Order"

    sheet: Annotated[str, Text("The sheet", 40)]
    subject: Annotated[str, Text("The subject", 700, empty=True)] = ""
    paper: Annotated[str, OneOf(_list_papers, "Choose a paper.")] = ""
    ink: Annotated[str, OneOf(INKS.items, "Choose colour or save (black only).")] = ""


@dataclass(frozen=True)
class SheetAnswer:
    api_name = "Sheet"

    key: str
    title: str
    description: str = field(metadata=stored_as("words"))
    papers: tuple[str, ...]


@dataclass(frozen=True)
class PrintAnswer:
    api_name = "Print"

    title: str
    fingerprint: Annotated[str, "Equal fingerprints mean equal content."]
    job: JobDisplay
    page_url: Annotated[str, "Page with previews and settings."]
    file_url: Annotated[str, "The PDF, or a ZIP of pictures, once it is ready."]
    previews: Annotated[list[str], "One PNG per page."]
    file: Annotated[str, "The same file in the API."]
    pages: Annotated[int, "How many previews the API has."]


@dataclass(frozen=True)
class EditionAnswer:
    api_name = "Edition"

    fingerprint: str
    sheet: str
    is_current: bool
    printed_at: dt.datetime


class PrintsView(APIView):
    needs_no_log_in = ("GET", "POST")

    @operation("print_sheets")
    def get(self, request: Request) -> list[SheetAnswer]:
        """List the printable sheets."""
        return [take(SheetAnswer, sheet) for sheet in SHEETS.values()]

    @operation("print_ask")
    def post(self, request: Request, sent: SentAgain[OrderPrint]) -> PrintAnswer:
        """Request a sheet. An existing file with the same content is reused."""
        asked = sent.value
        who = request._request.who
        setting = PaperSetting.read({"paper": asked.paper, "ink": asked.ink}, sheet_of(asked.sheet).papers)
        order = orders.build_order(who, asked.sheet, asked.subject, setting)
        return _answer(order, orders.request_print_by(order, request._request), who)


class PrintView(APIView):
    needs_no_log_in = ("GET",)

    @operation("print_show")
    def get(self, request: Request, ref: str) -> PrintAnswer:
        """A print and its progress."""
        who = request._request.who
        job = get_job_with_result(who, ref, orders.KIND)
        return _answer(orders.order_of_job(job, who), job, who)


class PrintFile(APIView):
    needs_no_log_in = ("GET",)

    @operation("print_file", file="application/pdf")
    def get(self, request: Request, ref: str) -> HttpResponseBase:
        """The finished print: a PDF, or a ZIP of pictures."""
        job = orders.get_finished_job(request._request.who, ref)
        assert job.path is not None
        return file_response(job.path, job.saved_as)


class PrintPreview(APIView):
    needs_no_log_in = ("GET",)

    @operation("print_preview", file="image/png")
    def get(self, request: Request, ref: str, page: int) -> HttpResponseBase:
        """One page of a print as a picture."""
        return orders.preview_response(request._request.who, ref, page)


class SheetSubjects(APIView):
    needs_no_log_in = ("GET",)

    @operation("print_subjects")
    def get(self, request: Request, sheet: str) -> Page[Subject]:
        """What this sheet can be printed of, for you."""
        find = sheet_of(sheet).subjects
        subjects = list(find(request._request.who)) if find is not None else []
        return paginate_rows(request, subjects, lambda subject: subject.key, list, most=MAX_ROWS)


class IsCurrentView(APIView):
    needs_no_log_in = ("GET",)

    @operation("print_is_current")
    def get(self, request: Request, fingerprint: str) -> EditionAnswer:
        """Whether a print with this fingerprint is still current."""
        edition = get_object_or_404(Edition, fingerprint=fingerprint)
        order = orders.order_of_edition(request._request.who, edition)
        return EditionAnswer(
            fingerprint=sheet_json_and_fingerprint.format_fingerprint(edition.fingerprint),
            sheet=edition.sheet,
            is_current=order.fingerprint[:12] == edition.fingerprint,
            printed_at=edition.printed_at,
        )


def _answer(order: orders.Order, job: Job, who: Who) -> PrintAnswer:
    there = job.path is not None
    pages = job.result.get("pages", 0) if there else 0
    fingerprint = job.result.get("fingerprint", order.fingerprint)
    return PrintAnswer(
        title=order.title,
        fingerprint=sheet_json_and_fingerprint.format_fingerprint(fingerprint),
        job=display_job(job, who),
        page_url=reverse("printing:job_result", args=[job.token]),
        file_url=reverse("printing:file", args=[job.token]) if there else "",
        file=f"/api/v1/print/{job.token}/file/" if there else "",
        pages=pages,
        previews=[reverse("printing:preview", args=[job.token, page]) for page in range(1, pages + 1)],
    )
