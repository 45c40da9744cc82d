"""Add a photo to a battle, or write about it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from battles.photos_and_written_reports.written_reports import add_written_report
from battles.selectors import get_visible_battle
from pages.request_middleware import accept_bodies_up_to
from photos import services as photos_services
from photos.pictures import EMPTY, MAX_BYTES
from refusal import Refusal


@accept_bodies_up_to(MAX_BYTES + 1024 * 1024)
@require_POST
def add_photo(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    sent = request.FILES.get("photo")
    if sent is None:
        raise Refusal(EMPTY, field="photo")
    photos_services.add_photo(battle, request.who, key=request.POST.get("key", ""), file=sent)
    return redirect(f"{battle.get_absolute_url()}#photos")


@require_POST
def write_report(request: HttpRequest, code: str) -> HttpResponse:
    battle, _ = get_visible_battle(request.who, code)
    add_written_report(battle, request.who, key=request.POST.get("key", ""), text=request.POST.get("text", ""))
    return redirect(f"{battle.get_absolute_url()}#written")
