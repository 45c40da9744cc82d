"""A photo, its small version, and what you can do with it. Adding one is a view of the app it belongs to."""

from pathlib import Path

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from photos import services
from photos.display import build_photos
from photos.models import Photo
from photos.permissions import get_visible_photo, subject_of
from refusal import Refusal


@require_safe
def photo(request: HttpRequest, code: str) -> HttpResponse:
    row = get_visible_photo(request.who, code)
    return _picture(request, row.path)


@require_safe
def small_photo(request: HttpRequest, code: str) -> HttpResponse:
    row = get_visible_photo(request.who, code)
    return _picture(request, row.small_path)


def _picture(request: HttpRequest, path: Path) -> HttpResponse:
    """The file never changes, but who may see it does: a browser asks each time."""
    etag = f'"{path.stem}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    if request.headers.get("If-None-Match") == etag:
        return HttpResponseNotModified(headers=headers)
    try:
        return FileResponse(path.open("rb"), content_type="image/jpeg", headers=headers)
    except FileNotFoundError:
        raise Http404 from None


@require_safe
def photo_status(request: HttpRequest, code: str) -> HttpResponse:
    """A photo among the others: one that is being prepared asks for this until it is drawn."""
    row = get_visible_photo(request.who, code)
    kind, subject = subject_of(row)
    assert kind is not None
    rows = build_photos(subject, request.who).rows
    number, row = next((number, row) for number, row in enumerate(rows, 1) if row.code == code)
    return render(request, "photos/_photo.html", {"photo": row, "number": number, "title": kind.describe(subject)})


@require_POST
def manage_photo(request: HttpRequest, code: str) -> HttpResponse:
    """Remove it, report it, or keep it after a report."""
    row = get_visible_photo(request.who, code)
    act = request.POST.get("act", "")
    if act == "remove":
        services.remove_photo(row, request.who)
        messages.success(request, "The photo is deleted.")
    elif act == "report":
        services.report_photo(row, request.who, reason=request.POST.get("reason", ""))
        messages.success(request, "Thank you. The photo is hidden until a host has looked at it.")
    elif act == "keep":
        services.keep_photo(row, request.who)
    else:
        raise Refusal("Choose what to do with this photo.", field="act")
    return redirect(_subject_url(row))


def _subject_url(row: Photo) -> str:
    kind, subject = subject_of(row)
    return f"{kind.url(subject)}#photos" if kind and subject else "/"
