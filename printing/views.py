"""Pages of prints: what there is to print, one sheet with its papers and previews, and whether a print is still current."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from jobs.handing import hand_over
from jobs.models import Job
from jobs.sheet import job_sheet
from printing import content, order
from printing.models import Edition
from printing.setting import INKS, PAPERS, Setting
from printing.sheet import BATTLE, CAMPAIGN, CARDS, RULES, SHEETS, Sheet, Subject, nothing, sheet_of

GROUPS = {
    RULES: "Rules and scenarios",
    CAMPAIGN: "Campaigns",
    BATTLE: "For the table",
    CARDS: "Cards",
}
# What stands on no list, because it is printed from the page of what it is about.
ELSEWHERE = {BATTLE: "A roster is printed from the page of its army, a slip from the page of its battle."}
# Pictures of so many pages stand on the page at once; the rest are a tap away.
AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Row:
    sheet: Sheet
    subjects: tuple[tuple[Subject, str], ...]
    url: str


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Everything this viewer could print."""
    rows = []
    for sheet in SHEETS.values():
        subjects: tuple[tuple[Subject, str], ...] = ()
        if sheet.subjects is not None:
            subjects = tuple((one, order.address(sheet.key, one.key)) for one in sheet.subjects(request.who))
            if not subjects:
                continue
        elif sheet.find is not nothing:
            continue  # it is printed from the page of what it is about
        rows.append(Row(sheet, subjects, "" if subjects else order.address(sheet.key)))
    order_of = list(GROUPS)
    rows.sort(key=lambda row: order_of.index(row.sheet.group))
    groups = [
        (GROUPS[key], list(found), ELSEWHERE.get(key, ""))
        for key, found in groupby(rows, key=lambda row: row.sheet.group)
    ]
    return render(request, "printing/index.html", {"groups": groups})


@require_http_methods(["GET", "HEAD", "POST"])
def sheet(request: HttpRequest, sheet: str, subject: str = "") -> HttpResponse:
    """One sheet: choose paper and ink, have it made, look at it, take it along."""
    chosen = Setting.read(request.POST if request.method == "POST" else request.GET, sheet_of(sheet).papers)
    asked = order.place(request.who, sheet, subject, chosen)
    here = f"{asked.url}?{chosen.query}"
    if request.method == "POST":
        order.ask(asked, request.who)
        return redirect(here)
    made = order.made(asked)
    open_job = None if made else order.under_way(asked, request.who)
    back = asked.sheet.back(asked.thing) if asked.sheet.back else (reverse("printing:index"), "Print")
    context = {
        "order": asked,
        "made": made,
        "pages": _pages(request, made),
        "job": job_sheet(open_job) if open_job else None,
        "papers": [PAPERS[key] for key in asked.sheet.papers],
        "inks": INKS.items(),
        "fingerprint": content.shown(asked.fingerprint),
        "here": here,
        "back": back,
        "origin": asked.sheet.origin(asked.thing) if asked.sheet.origin else "",
    }
    return render(request, "printing/sheet.html", context)


def _pages(request: HttpRequest, made: Job | None) -> dict[str, object]:
    if made is None:
        return {}
    total = made.result.get("pages", 0)
    raw = request.GET.get("from", "1")
    first = min(max(int(raw), 1), total) if raw.isascii() and raw.isdigit() and len(raw) < 6 else 1
    last = min(first + AT_ONCE - 1, total)
    return {
        "total": total, "first": first, "last": last, "shown": range(first, last + 1),
        "before": max(1, first - AT_ONCE) if first > 1 else None, "after": last + 1 if last < total else None,
    }  # fmt: skip


# ── What was made ────────────────────────────────────────────────────────────────────────────────────────


def _made(request: HttpRequest, pk: int) -> Job:
    """A print that is kept, for whoever may see what it is about, now and not when it was made."""
    job = get_object_or_404(Job, pk=pk, kind=order.KIND)
    order.of_job(job, request.who)
    if job.path is None:
        raise Http404("The file is no longer kept.")
    return job


@require_safe
def outcome(request: HttpRequest, pk: int) -> HttpResponse:
    """From a job to its sheet's page."""
    job = get_object_or_404(Job, pk=pk, kind=order.KIND)
    asked = order.of_job(job, request.who)
    return redirect(f"{asked.url}?{asked.setting.query}")


@require_safe
def file(request: HttpRequest, pk: int) -> HttpResponseBase:
    job = _made(request, pk)
    assert job.path is not None
    return hand_over(job.path, job.saved_as)


@require_safe
def preview(request: HttpRequest, pk: int, page: int) -> HttpResponseBase:
    job = _made(request, pk)
    assert job.path is not None
    picture = job.path.parent / f"{page}.png"
    if not picture.is_file():
        raise Http404
    response = HttpResponse(picture.read_bytes(), content_type="image/png")
    # The number of a job names one content for ever.
    response["Cache-Control"] = "private, max-age=86400, immutable"
    return response


# ── Still current? ───────────────────────────────────────────────────────────────────────────────────────


@require_safe
def current(request: HttpRequest, fingerprint: str) -> HttpResponse:
    """What the code in the foot of a print opens."""
    edition = get_object_or_404(Edition, fingerprint=fingerprint)
    asked = order.place(request.who, edition.sheet, edition.subject, Setting(sheet_of(edition.sheet).papers[0]))
    context = {
        "edition": edition,
        "order": asked,
        "still": asked.fingerprint[:12] == edition.fingerprint,
        "printed": content.shown(edition.fingerprint),
        "now": content.shown(asked.fingerprint),
    }
    return render(request, "printing/current.html", context)
