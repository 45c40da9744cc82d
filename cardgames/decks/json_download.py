"""A deck as a file to download."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.text import slugify

from cardgames.engine import Deck


def deck_file_response(deck: Deck) -> HttpResponse:
    name = f"{slugify(deck.title)[:60] or deck.game}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(deck.text, content_type="application/json", headers=headers)
