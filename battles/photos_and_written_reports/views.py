"""Add a photo to a battle, or write about it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from battles.selectors import get_visible_battle
from campaign import services as campaign_services
from pages.middleware.request_cleaning import accept_bodies_up_to
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
    """A report in plain words is a note of the chronicle about this battle, so files, prints and privacy know it."""
    battle, _ = get_visible_battle(request.who, code)
    if battle.campaign is None or not battle.number:
        raise Refusal("Only battles of a campaign have a chronicle to write in.", status=409)
    campaign_services.add_note(
        battle.campaign,
        request.who,
        key=request.POST.get("key", ""),
        text=request.POST.get("text", ""),
        battle=battle.number,
    )
    return redirect(f"{battle.get_absolute_url()}#written")
