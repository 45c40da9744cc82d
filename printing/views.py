"""Print pages: the list of sheets, one sheet with previews, and the check whether a print is current."""

from dataclasses import dataclass
from itertools import groupby

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from jobs.display import display_job
from jobs.files import file_response
from jobs.models import Job
from jobs.permissions import get_job_with_result
from printing import orders, sheet_json_and_fingerprint
from printing.models import Edition
from printing.sheet_registry import (
    BATTLE,
    CAMPAIGN,
    CARDS,
    INKS,
    NIGHTS,
    PAPERS,
    RULES,
    SHEETS,
    PaperSetting,
    Sheet,
    Subject,
    sheet_of,
)

GROUPS = {
    RULES: "Rules and scenarios",
    CAMPAIGN: "Campaigns",
    BATTLE: "For the table",
    CARDS: "Cards",
    NIGHTS: "Game nights",
}
# Sheets that are printed from their subject's page.
PRINTED_ELSEWHERE = {BATTLE: "Print rosters from the army’s page and slips from the battle’s page."}
# Previews per page.
PREVIEWS_PER_PAGE = 8


@dataclass(frozen=True, slots=True)
class SheetRow:
    sheet: Sheet
    subjects: tuple[tuple[Subject, str], ...]
    url: str


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All sheets this person can print."""
    rows = []
    for sheet in SHEETS.values():
        subjects: tuple[tuple[Subject, str], ...] = ()
        if sheet.from_its_page:
            continue
        if sheet.subjects is not None:
            subjects = tuple(
                (subject, orders.sheet_url(sheet.key, subject.key)) for subject in sheet.subjects(request.who)
            )
            if not subjects:
                continue
        rows.append(SheetRow(sheet, subjects, "" if subjects else orders.sheet_url(sheet.key)))
    order_of = list(GROUPS)
    rows.sort(key=lambda row: order_of.index(row.sheet.group))
    groups = [
        (GROUPS[key], list(sheets), PRINTED_ELSEWHERE.get(key, ""))
        for key, sheets in groupby(rows, key=lambda row: row.sheet.group)
    ]
    return render(request, "printing/index.html", {"groups": groups})


@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, sheet: str, subject: str = "") -> HttpResponse:
    """One sheet: choose paper and ink, make it, preview it, download it."""
    chosen = PaperSetting.read(request.POST if request.method == "POST" else request.GET, sheet_of(sheet).papers)
    order = orders.build_order(request.who, sheet, subject, chosen)
    here = f"{order.url}?{chosen.query}"
    if request.method == "POST":
        orders.request_print_by(order, request)
        return redirect(here)
    made = orders.find_finished_job(order)
    open_job = None if made else orders.find_unfinished_job(order, request.who)
    back = order.sheet.back(order.thing) if order.sheet.back else (reverse("printing:index"), "Print")
    context = {
        "order": order,
        "made": made,
        "pages": _pages(request, made),
        "page_word": "picture" if order.sheet.package else "page",
        "job": display_job(open_job, request.who) if open_job else None,
        "papers": [PAPERS[key] for key in order.sheet.papers],
        "inks": INKS.items(),
        "fingerprint": sheet_json_and_fingerprint.format_fingerprint(order.fingerprint),
        "here": here,
        "back": back,
        "origin": order.sheet.origin(order.thing) if order.sheet.origin else "",
    }
    return render(request, "printing/sheet.html", context)


def _pages(request: HttpRequest, made: Job | None) -> dict[str, object]:
    if made is None:
        return {}
    total = made.result.get("pages", 0)
    raw = request.GET.get("from", "1")
    first = min(max(int(raw), 1), total) if raw.isascii() and raw.isdigit() and len(raw) < 6 else 1
    last = min(first + PREVIEWS_PER_PAGE - 1, total)
    return {
        "total": total,
        "first": first,
        "last": last,
        "shown": range(first, last + 1),
        "before": max(1, first - PREVIEWS_PER_PAGE) if first > 1 else None,
        "after": last + 1 if last < total else None,
    }


# ── Finished prints ────────────────────────────────────────────────────────────────────────────────────────


@require_safe
def job_result(request: HttpRequest, ref: str) -> HttpResponse:
    """Redirect from a job to its sheet."""
    job = get_job_with_result(request.who, ref, orders.KIND)
    setting = PaperSetting.read(job.args, sheet_of(job.args["sheet"]).papers)
    return redirect(f"{orders.sheet_url(job.args['sheet'], job.args['subject'])}?{setting.query}")


@require_safe
def file(request: HttpRequest, ref: str) -> HttpResponseBase:
    job = orders.get_finished_job(request.who, ref)
    assert job.path is not None
    return file_response(job.path, job.saved_as)


@require_safe
def preview(request: HttpRequest, ref: str, page: int) -> HttpResponseBase:
    return orders.preview_response(request.who, ref, page)


# ── Still current? ───────────────────────────────────────────────────────────────────────────────────────


@require_safe
def is_current(request: HttpRequest, fingerprint: str) -> HttpResponse:
    """The page behind the QR code in a print's footer."""
    edition = get_object_or_404(Edition, fingerprint=fingerprint)
    order = orders.order_of_edition(request.who, edition)
    context = {
        "edition": edition,
        "order": order,
        "still": order.fingerprint[:12] == edition.fingerprint,
        "printed": sheet_json_and_fingerprint.format_fingerprint(edition.fingerprint),
        "now": sheet_json_and_fingerprint.format_fingerprint(order.fingerprint),
    }
    return render(request, "printing/is_current.html", context)
