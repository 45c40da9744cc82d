"""The print job: collect content, draw maps, compile the PDF, store it. Runs in a worker."""

import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone

from campaign.chronicle.sentences import format_day
from jobs.models import Job
from jobs.registry import JobContext, JobKind, Outcome, register_kind
from pages.site_address_for_guests import guest_url
from printing import orders, sheet_json_and_fingerprint, sheets, typst_compiler
from printing.models import Edition
from printing.sheet_registry import PaperSetting, qr_matrix, sheet_of
from refusal import Refusal

logger = logging.getLogger(__name__)

# Longer documents get smaller previews.
LONG_BOOK_PAGES = 24


def print_sheet(job: JobContext) -> Outcome:
    args = job.args
    job.progress("Collecting the content")
    try:
        sheet = sheet_of(args["sheet"])
        order = orders.build_order(
            orders.whoever_ordered(args), sheet.key, args["subject"], PaperSetting.read(args, sheet.papers)
        )
    except Http404 as error:
        raise Refusal("The subject of this sheet no longer exists, or you can no longer see it.", status=404) from error
    text = sheet_json_and_fingerprint.render_json(order.data, saves_ink=order.setting.saves_ink, progress=job.progress)
    job.progress("Waiting in the queue")
    with typst_compiler.compile_lock():
        try:
            called = {"title": document_title(order.title), "stamp": json.dumps(footer_stamp(order.fingerprint))}
            printer = typst_compiler.SheetCompiler(sheet.template, text, order.setting, **called)
            path, pages = _pack_pictures(job, order, printer) if sheet.package else _make_pdf(job, printer)
        except typst_compiler.CompileError as spoiled:
            logger.error("%s %s failed to compile: %s", sheet.key, args["subject"], spoiled.cause)
            raise
    facts = {"fingerprint": order.fingerprint[:12], "key": order.key, "pages": pages}
    return Outcome(facts, path, file_name(order.title, order.setting, path.suffix))


def _make_pdf(job: JobContext, printer: typst_compiler.SheetCompiler) -> tuple[Path, int]:
    """The PDF and its number of pages, with a preview of each."""
    job.progress("Making the PDF")
    pdf = printer.pdf()
    job.progress("Drawing previews")
    pages = typst_compiler.count_pages(pdf)
    ppi = typst_compiler.PREVIEW if pages <= LONG_BOOK_PAGES else typst_compiler.SMALL
    _save_previews(job, printer.pages(ppi))
    job.progress("Saving")
    path = job.folder / "sheet.pdf"
    path.write_bytes(pdf)
    return path, pages


def _pack_pictures(job: JobContext, order: orders.Order, printer: typst_compiler.SheetCompiler) -> tuple[Path, int]:
    """The ZIP and how many previews it has."""
    package = order.sheet.package
    assert package is not None
    job.progress("Drawing the pictures")
    packed, previews = package.pack(order.data, printer.pages(package.ppi), order.fingerprint[:12], job.progress)
    _save_previews(job, previews)
    job.progress("Saving")
    path = job.folder / "pictures.zip"
    path.write_bytes(packed)
    return path, len(previews)


def _save_previews(job: JobContext, pictures: list[bytes]) -> None:
    for number, picture in enumerate(pictures, 1):
        (job.folder / f"{number}.png").write_bytes(picture)


def footer_stamp(fingerprint: str) -> dict[str, object]:
    """The footer: fingerprint, day, and a QR code if phones can reach the site."""
    check = guest_url(reverse("printing:is_current", args=[fingerprint[:12]]))
    return {
        "fingerprint": sheet_json_and_fingerprint.format_fingerprint(fingerprint),
        "printed": format_day(timezone.localdate().isoformat()),
        "qr": [] if check.why_no_qr else qr_matrix(check.url),
    }


def document_title(title: str) -> str:
    """The PDF title, without control characters."""
    return " ".join("".join(sign if sign.isprintable() else " " for sign in title).split()) or "A sheet"


def file_name(title: str, setting: PaperSetting, suffix: str = ".pdf") -> str:
    words = re.sub(r"[^\w\s-]", "", title, flags=re.UNICODE).strip()[:80].strip() or "sheet"
    return f"{words} {setting.paper}{' ink-saving' if setting.saves_ink else ''}{suffix}"


def save_edition(job: Job) -> None:
    """Save the edition, and update the job's key: the content can change after the request."""
    facts = job.result
    Job.objects.filter(pk=job.pk).update(key=facts["key"])
    Edition.objects.get_or_create(
        fingerprint=facts["fingerprint"], defaults={"sheet": job.args["sheet"], "subject": job.args["subject"]}
    )


def title_of(args: Mapping[str, Any]) -> str:
    return f"Print: {args.get('title') or 'a sheet'}"


sheets.load_sheets()
register_kind(
    JobKind(
        orders.KIND,
        title_of,
        "printing.render",
        work="printing.job_kinds:print_sheet",
        landed=save_edition,
        seconds=300,
        megabytes=1200,
        page="printing:job_result",
        same_for=orders.would_make_the_same,
        scope=lambda job: sheet_of(job.args["sheet"]).scope,
    )
)
