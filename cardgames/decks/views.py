"""The decks of all games with the source of each value; copies to make, edit, share, delete and import."""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cardgames import selectors
from cardgames.decks import services
from cardgames.decks.display import Cell, DeckPart, build_deck_display, deck_page_context, field_name, format_value
from cardgames.drawing import deck_pictures_of
from cardgames.engine import Deck, ValueKind
from cardgames.engine.deck_data import MAX_FILE, NUMBERS
from cardgames.games import SHELF, find_game, house_deck
from cardgames.models import DeckCopy
from log.services import new_key
from pages.number_parsing import parse_int
from people.login_required import person_required
from refusal import Refusal


@require_safe
def deck_list(request: HttpRequest) -> HttpResponse:
    copies = list(DeckCopy.objects.visible_to(request.who).select_related("owner__merged_into"))
    shelf = [
        {
            "game": game,
            "deck": house_deck(game.key),
            "pack": deck_pictures_of(house_deck(game.key)),
            "face": next(iter(deck_pictures_of(house_deck(game.key)).pictures)),
            "copies": [copy for copy in copies if copy.game == game.key],
        }
        for game in SHELF.values()
    ]
    return render(request, "cardgames/decks/index.html", {"shelf": shelf})


@require_safe
def house_deck_page(request: HttpRequest, game: str) -> HttpResponse:
    definition = find_game(game)
    context = deck_page_context(house_deck(game)) | {"game": definition, "key": new_key(), "is_house": True}
    return render(request, "cardgames/decks/deck.html", context)


@require_safe
def house_deck_file(request: HttpRequest, game: str) -> HttpResponse:
    return deck_file_response(house_deck(find_game(game).key))


def deck_file_response(deck: Deck) -> HttpResponse:
    name = f"{slugify(deck.title)[:60] or deck.game}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(deck.text, content_type="application/json", headers=headers)


# ── Copies in which a group enters its printed cards ───────────────────────────────────────────────────


@require_safe
def copy_page(request: HttpRequest, copy: str) -> HttpResponse:
    row = selectors.get_visible_copy(request.who, copy)
    context = deck_page_context(selectors.deck_of(row)) | {
        "game": find_game(row.game),
        "copy": row,
        "is_mine": DeckCopy.objects.owned_by(request.who).filter(pk=row.pk).exists(),
        "uses": DeckCopy.Use.choices,
        "key": new_key(),
    }
    return render(request, "cardgames/decks/deck.html", context)


@person_required
@require_POST
def create_copy(request: HttpRequest, game: str) -> HttpResponse:
    """Copies the house deck, or the copy that the form names."""
    deck = selectors.get_chosen_deck(request.who, find_game(game).key, request.POST.get("deck", ""))
    row = services.create_copy(request.who, deck, key=request.POST.get("key", ""), title=request.POST.get("title", ""))
    return redirect("cardgames:deck_edit", row.code)


@require_http_methods(["GET", "POST"])
def edit_copy(request: HttpRequest, copy: str) -> HttpResponse:
    row = selectors.get_own_copy(request.who, copy)
    game = find_game(row.game)
    context: dict[str, object] = {"copy": row, "game": game, "version": row.version}
    status = 200
    if request.method == "POST":
        seen = request.POST.get("version", "")
        try:
            services.change_values(request.who, row, request.POST, seen=parse_int(seen) or 0)
        except Refusal as refusal:
            status = refusal.status
            context["refusal"] = refusal
        else:
            return redirect(row)
    deck = selectors.deck_of(row)
    context |= {"parts": _form_parts(deck, request.POST), "deck": build_deck_display(game.schema, deck)}
    return render(request, "cardgames/decks/edit.html", context, status=status)


@dataclass(frozen=True, slots=True)
class FormField:
    """A value of a card; without a cell one of a new card, which is ignored while it has no name."""

    kind: ValueKind
    field: str
    value: Any
    cell: Cell | None = None


@dataclass(frozen=True, slots=True)
class FormPart:
    part: DeckPart
    lines: list[tuple[str, list[FormField]]]
    blank: list[FormField]


def _form_parts(deck: Deck, typed: QueryDict) -> list[FormPart]:
    """The values as form fields, with what was typed if the form was refused."""

    def card_field(card: str, cell: Cell) -> FormField:
        name = field_name(card, cell.kind)
        return FormField(cell.kind, name, _typed_value(typed, name, cell), cell)

    def new_field(group: str, kind: ValueKind) -> FormField:
        name = field_name(f"new-{group}", kind)
        first = (1 if kind.key == "copies" else kind.low) if kind.type == "number" else ""
        return FormField(kind, name, typed.get(name, first))

    return [
        FormPart(
            part,
            [(line.name, [card_field(line.id, cell) for cell in line.cells]) for line in part.lines],
            [] if part.group.keys else [new_field(part.group.key, kind) for kind in part.group.kinds],
        )
        for part in build_deck_display(find_game(deck.game).schema, deck).parts
    ]


def _typed_value(typed: QueryDict, name: str, cell: Any) -> Any:
    if not typed:
        return format_value(cell.value) if cell.kind.type == NUMBERS else cell.value
    return typed.get(name) == "on" if cell.kind.type == "flag" else typed.get(name, cell.value)


@require_POST
def share_copy(request: HttpRequest, copy: str) -> HttpResponse:
    row = selectors.get_visible_copy(request.who, copy)
    services.set_use(request.who, row, request.POST.get("use", ""))
    return redirect(row)


@require_POST
def delete_copy(request: HttpRequest, copy: str) -> HttpResponse:
    services.delete_copy(request.who, selectors.get_visible_copy(request.who, copy))
    return redirect("cardgames:decks")


@person_required
@require_http_methods(["GET", "POST"])
def import_deck(request: HttpRequest) -> HttpResponse:
    """Makes a copy from a deck file."""
    key = request.POST.get("key") or new_key()
    context: dict[str, str | Refusal] = {"key": key}
    if request.method == "POST":
        sent = request.FILES.get("file")
        try:
            if sent is None:
                raise Refusal("Choose a file.", field="file")
            deck = services.parse_deck_file(sent.read(MAX_FILE + 1))
            row = services.create_copy(request.who, deck, key=key)
        except Refusal as refusal:
            context["refusal"] = refusal
            return render(request, "cardgames/decks/import.html", context, status=422)
        return redirect(row)
    return render(request, "cardgames/decks/import.html", context)


@require_safe
def copy_file(request: HttpRequest, copy: str) -> HttpResponse:
    return deck_file_response(selectors.deck_of(selectors.get_visible_copy(request.who, copy)))
