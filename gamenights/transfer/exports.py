"""The plays of a group as a file to download."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpResponse, HttpResponseBase
from django.utils import timezone
from django.utils.text import slugify

from gamenights.transfer.core import write_bg_stats, write_bgg_xml, write_csv
from gamenights.transfer.photo_archive import write_archive
from gamenights.transfer.selectors import load_as_file
from groups.models import Group

FORMS = {
    "bgstats": (write_bg_stats, "application/json", "json"),
    "bgg": (write_bgg_xml, "application/xml", "xml"),
    "csv": (write_csv, "text/csv; charset=utf-8", "csv"),
}


def export_response(group: Group, form: str) -> HttpResponseBase:
    if form == "photos":
        return FileResponse(write_archive(group), content_type="application/zip", headers=_download(group, "zip"))
    if form not in FORMS:
        raise Http404
    write, content_type, ending = FORMS[form]
    content = write(load_as_file(group), group.tzinfo)
    return HttpResponse(content, content_type=content_type, headers=_download(group, ending))


def _download(group: Group, ending: str) -> dict[str, str]:
    name = f"plays-{slugify(group.name)[:60] or group.code}-{timezone.localdate():%Y-%m-%d}.{ending}"
    return {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
