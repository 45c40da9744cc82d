"""Sample deck and score sheet: a changed copy of a deck, and a sheet for printed cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardgames.companion import hidden_roles
from cardgames.companion import services as companion_services
from cardgames.companion.sheet_acts import SeatFigures
from cardgames.decks import selectors as decks_selectors
from cardgames.decks import services as decks_services
from cardgames.decks.display import build_deck_display
from cardgames.games import find_game, house_deck
from cardgames.models import DeckCopy, Result, Sheet
from people.requester import Who

COUNTS = (
    {"mammoth": 2, "white-tiger": 1},
    {"giant-ibis": 2, "komodo-dragon": 1, "mammoth": 1},
    {"white-tiger": 3, "hiroa-antelope": 2},
    {"galapagos-tortoise": 1, "komodo-dragon": 2},
)


def add_decks(people: dict[str, Who]) -> None:
    wren = people["Wren"]
    copy = decks_services.create_copy(wren, house_deck("menagerie"), key="demo-deck", title="The deck in Oda's cellar")
    if copy.version == 1:
        schema, deck = find_game(copy.game).schema, decks_selectors.deck_of(copy)
        form = {
            f"{line.id}.{cell.kind.key}": str(cell.value)
            for part in build_deck_display(schema, deck).parts
            for line in part.lines
            for cell in line.cells
        }
        decks_services.change_values(wren, copy, form | {"shoot.copies": "3", "bazaar.copies": "3"}, seen=1)
        decks_services.set_use(wren, copy, DeckCopy.Use.CIRCLE)
    names = ("Wren", "Tam", "Oda", "Pim")
    sheet = companion_services.create_sheet(wren, key="demo-sheet", deck=house_deck("menagerie"), seats=4, names=names)
    if not sheet.state.get("dealt"):
        hidden_roles.deal_roles(sheet, wren, key="demo-sheet-roles", seen=sheet.state.get("step", 0))
        for seat, counts in enumerate(COUNTS):
            companion_services.enter_figures(sheet, wren, seat, SeatFigures(counts))


def remove_decks(ids: Sequence[int]) -> None:
    for sheet in Sheet.objects.filter(keeper__in=ids).select_related("log"):
        sheet.delete()
        sheet.log.delete()
    DeckCopy.objects.filter(owner__in=ids).delete()
    Result.objects.filter(keeper__in=ids).delete()
