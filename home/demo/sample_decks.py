"""The demo's decks and sheets: a copy with the cards somebody owns, and a score sheet beside printed cards."""

from __future__ import annotations

from collections.abc import Sequence

from cardgames import deck_copies, role_dealing, sheets
from cardgames.deck_sheet import deck_sheet
from cardgames.games import find_game, house_deck
from cardgames.models import DeckCopy, Result, Sheet
from people.who import Who

COUNTS = (
    {"mammoth": 2, "white-tiger": 1},
    {"giant-ibis": 2, "komodo-dragon": 1, "mammoth": 1},
    {"white-tiger": 3, "hiroa-antelope": 2},
    {"galapagos-tortoise": 1, "komodo-dragon": 2},
)


def fill(people: dict[str, Who]) -> None:
    wren = people["Wren"]
    copy = deck_copies.make(wren, house_deck("menagerie"), key="demo-deck", title="The deck in Oda's cellar")
    if copy.version == 1:
        schema, deck = find_game(copy.game).schema, deck_copies.deck_of(copy)
        form = {
            f"{line.id}.{cell.kind.key}": str(cell.value)
            for part in deck_sheet(schema, deck).parts
            for line in part.lines
            for cell in line.cells
        }
        deck_copies.change(wren, copy, form | {"shoot.copies": "3", "bazaar.copies": "3"}, seen=1)
        deck_copies.share(wren, copy, DeckCopy.Use.CIRCLE)
    names = ("Wren", "Tam", "Oda", "Pim")
    sheet = sheets.begin(wren, key="demo-sheet", deck=house_deck("menagerie"), seats=4, names=names)
    if not sheet.state.get("dealt"):
        role_dealing.deal(sheet, wren, key="demo-sheet-roles", seen=sheet.state.get("step", 0))
        for seat, counts in enumerate(COUNTS):
            sheets.enter(sheet, wren, seat, counts)


def remove(ids: Sequence[int]) -> None:
    for sheet in Sheet.objects.filter(keeper__in=ids).select_related("log"):
        sheet.delete()
        sheet.log.delete()
    DeckCopy.objects.filter(owner__in=ids).delete()
    Result.objects.filter(keeper__in=ids).delete()
