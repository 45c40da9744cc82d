"""Decks: the house decks with the source of each value, and copies in which a group enters its printed cards."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames import deck_copies
from cardgames.deck_sheet import deck_sheet
from cardgames.drawing import pack_of
from cardgames.engine import Deck, Kind
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy
from log.door import new_key
from pages.numbers import whole
from people.wall import known_only
from refusal import Refusal


def _visible(request: HttpRequest, code: str) -> DeckCopy:
    return get_object_or_404(DeckCopy.objects.visible_to(request.who).select_related("owner__merged_into"), code=code)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    copies = list(DeckCopy.objects.visible_to(request.who).select_related("owner__merged_into"))
    shelf = [
        {
            "game": game,
            "deck": house_deck(game.key),
            "pack": pack_of(house_deck(game.key)),
            "face": next(iter(pack_of(house_deck(game.key)).pictures)),
            "copies": [copy for copy in copies if copy.game == game.key],
        }
        for game in SHELF.values()
    ]
    return render(request, "cardgames/decks.html", {"shelf": shelf})


@require_safe
def deck(request: HttpRequest, game: str) -> HttpResponse:
    found = find_game(game)
    context = _drawn(house_deck(game)) | {"game": found, "key": new_key(), "is_house": True}
    return render(request, "cardgames/deck.html", context)


@require_safe
def copy_page(request: HttpRequest, copy: str) -> HttpResponse:
    row = _visible(request, copy)
    context = _drawn(deck_copies.deck_of(row)) | {
        "game": find_game(row.game),
        "copy": row,
        "is_mine": DeckCopy.objects.owned_by(request.who).filter(pk=row.pk).exists(),
        "uses": DeckCopy.Use.choices,
        "key": new_key(),
    }
    return render(request, "cardgames/deck.html", context)


def _drawn(deck: Deck) -> dict[str, Any]:
    pack = pack_of(deck)
    return {"deck": deck_sheet(find_game(deck.game).schema, deck), "pack": pack, "faces": list(pack.pictures)}


@known_only
@require_POST
def copy(request: HttpRequest, game: str) -> HttpResponse:
    """Of the house deck, or of a copy the form names."""
    deck = deck_copies.chosen(request.who, find_game(game).key, request.POST.get("deck", ""))
    row = deck_copies.make(request.who, deck, key=request.POST.get("key", ""), title=request.POST.get("title", ""))
    return redirect("cardgames:deck_edit", row.code)


@require_http_methods(["GET", "POST"])
def edit(request: HttpRequest, copy: str) -> HttpResponse:
    row = _visible(request, copy)
    if not DeckCopy.objects.owned_by(request.who).filter(pk=row.pk).exists():
        raise Refusal("Only the owner changes this deck. Make a copy of your own.", status=403)
    context: dict[str, Any] = {"copy": row, "game": find_game(row.game), "version": row.version}
    status = 200
    if request.method == "POST":
        seen = request.POST.get("version", "")
        try:
            deck_copies.change(request.who, row, request.POST, seen=whole(seen) or 0)
        except Refusal as refusal:
            status = refusal.status
            context["refusal"] = refusal
        else:
            return redirect(row)
    found = deck_copies.deck_of(row)
    context |= {"parts": _fields(found, request.POST), "deck": deck_sheet(context["game"].schema, found)}
    return render(request, "cardgames/deck_edit.html", context, status=status)


def _fields(deck: Deck, typed: QueryDict) -> list[dict[str, Any]]:
    """The values as fields, with what was typed last where a form came back."""
    parts = []
    for part in deck_sheet(find_game(deck.game).schema, deck).parts:
        lines = [
            {
                "name": line.name,
                "cells": [
                    {"cell": cell, "field": name, "value": _typed(typed, name, cell)}
                    for cell in line.cells
                    for name in (f"{line.id}.{cell.kind.key}",)
                ],
            }
            for line in part.lines
        ]
        blank = [] if part.group.keys else [_blank(part.group.key, kind, typed) for kind in part.group.kinds]
        parts.append({"part": part, "lines": lines, "blank": blank})
    return parts


def _blank(group: str, kind: Kind, typed: QueryDict) -> dict[str, Any]:
    """A field of the card more; without a name the whole row is passed over."""
    field = f"new-{group}.{kind.key}"
    first = (1 if kind.key == "copies" else kind.low) if kind.type == "number" else ""
    return {"kind": kind, "field": field, "value": typed.get(field, first)}


def _typed(typed: QueryDict, name: str, cell: Any) -> Any:
    if not typed:
        return cell.value
    return typed.get(name) == "on" if cell.kind.type == "flag" else typed.get(name, cell.value)


@require_POST
def share(request: HttpRequest, copy: str) -> HttpResponse:
    row = _visible(request, copy)
    deck_copies.share(request.who, row, request.POST.get("use", ""))
    return redirect(row)


@require_POST
def put_away(request: HttpRequest, copy: str) -> HttpResponse:
    deck_copies.put_away(request.who, _visible(request, copy))
    return redirect("cardgames:decks")


@known_only
@require_http_methods(["GET", "POST"])
def take_in(request: HttpRequest) -> HttpResponse:
    """A deck from a file, as this site or another wrote it."""
    context: dict[str, Any] = {"key": request.POST.get("key") or new_key()}
    if request.method == "POST":
        sent = request.FILES.get("file")
        try:
            if sent is None:
                raise Refusal("Choose a file.", field="file")
            found = deck_copies.from_file(sent.read(deck_copies.LONGEST_FILE + 1))
            row = deck_copies.make(request.who, found, key=context["key"])
        except Refusal as refusal:
            context["refusal"] = refusal
            return render(request, "cardgames/deck_take_in.html", context, status=422)
        return redirect(row)
    return render(request, "cardgames/deck_take_in.html", context)


@require_safe
def file(request: HttpRequest, game: str) -> HttpResponse:
    return _file(house_deck(find_game(game).key))


@require_safe
def copy_file(request: HttpRequest, copy: str) -> HttpResponse:
    return _file(deck_copies.deck_of(_visible(request, copy)))


def _file(deck: Deck) -> HttpResponse:
    name = f"{slugify(deck.title)[:60] or deck.game}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(deck.text, content_type="application/json", headers=headers)
