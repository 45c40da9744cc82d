"""Card decks with backs to cut out, and their pictures for virtual tables and print shops."""

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.text import slugify
from PIL import Image

from cardgames.drawing import CardContent, deck_pictures_of
from cardgames.engine import Deck
from cardgames.games import SHELF, house_deck
from cardgames.models import DeckCopy
from cardgames.selectors import deck_of
from heraldry.svg import read_symbols as sprite
from jobs.registry import Progress
from people.requester import Who
from prepared_queries import prepared_query
from printing.sheet_registry import (
    CARDS,
    CARDS_ALONE,
    Content,
    PicturePackage,
    Sheet,
    Subject,
    pick,
    register_sheets,
    typeset,
)

# Line drawings that replace these screen icons in print.
PRINT_SIGNS = {
    "cards": "movecover",
    "mouse-head": "mouse",
    "palette": "arts",
    "scales": "politics",
    "lyre": "music",
    "flask": "science",
    "quill": "literature",
}


def card_content(picture: CardContent, back: str, *, kind: str) -> Content:
    return {
        "name": picture.name.replace("'", "’"),
        "kind": kind,
        "sign": PRINT_SIGNS.get(picture.charge, picture.charge),
        **pick(picture, "tincture", "shape", "corner", "corner_means", "role"),
        "text": typeset(picture.text),
        "marks": [[PRINT_SIGNS.get(mark.charge, mark.charge), mark.figure, mark.after_slash] for mark in picture.marks],
        "strip": [list(pair) for pair in picture.strip],
        "back": back,
    }


def sign_drawings(cards: Iterable[Content], more: Iterable[str] = ()) -> dict[str, str]:
    """Screen icons for signs without a line drawing."""
    wanted = {card["sign"] for card in cards} | {mark[0] for card in cards for mark in card["marks"]} | set(more)
    known = sprite()
    return {sign: known[f"c-{sign}"] for sign in sorted(wanted) if f"c-{sign}" in known}


def deck_cards(deck: Deck) -> Iterator[Content]:
    """One row per card to cut out."""
    for picture, kind, pile in deck_pictures_of(deck).to_print():
        yield card_content(picture, pile, kind=kind)


def gather(deck: Deck) -> Content:
    cards = list(deck_cards(deck))
    pictures = deck_pictures_of(deck)
    backs, game = pictures.drawings.backs, pictures.title
    return {
        "title": deck.title,
        "game": game,
        "note": deck.note,
        "cards": cards,
        "backs": {
            key: {"sign": PRINT_SIGNS.get(sign, sign), "tincture": tincture, "label": game}
            for key, (sign, tincture) in backs.items()
        },
        "signs": sign_drawings(cards, (sign for sign, _ in backs.values())),
    }


def find(who: Who, key: str) -> Deck:
    """A built-in deck by its game, or a group's own deck by its code."""
    if key in SHELF:
        return house_deck(key)
    return deck_of(get_object_or_404(DeckCopy.objects.visible_to(who), code=key))


def origin(deck: Deck) -> str:
    """Where the values come from."""
    return deck.note


def subjects(who: Who) -> Iterator[Subject]:
    for key, game in SHELF.items():
        yield Subject(key, game.title)
    if "deck copies" not in who.read_once:
        who.read_once["deck copies"] = _visible_copies(who)
    for copy in who.read_once["deck copies"]:
        yield Subject(copy.code, copy.title)


@prepared_query
def _visible_copies(who: Who) -> QuerySet[DeckCopy]:
    return DeckCopy.objects.visible_to(who).defer("text")[:12]


CUTTING_HINT = "Print double-sided at 100 %, flipped on the long edge. Cut at the marks: cards are 63 by 88 mm."

register_sheets(
    Sheet(
        "deck",
        "Card deck",
        "Every card of a game to cut out, nine per page, with matching backs for double-sided printing.",
        CARDS,
        "cards.typ",
        gather,
        find=find,
        name=lambda deck: deck.title,
        subjects=subjects,
        hint=CUTTING_HINT,
        origin=origin,
    )
)


# ── Decks for elsewhere: sheets of cards for virtual tables, and single cards for print shops ────────────


CARD_MM = (63, 88)
BLEED_MM = 3
PRINT_DPI = 300
# Tabletop Simulator takes at most ten columns and seven rows, and shows the last place for cards that are hidden.
COLUMNS, ROWS = 10, 7
# Ten columns stay within 4,096 pixels, which tablets can still draw.
SHEET_PPI = 165
PREVIEW_WIDTH = 700
# Files in a ZIP carry a day. With the real one the same deck would never make the same bytes twice.
NO_DAY = (1980, 1, 1, 0, 0, 0)

HOW_TO_SHEETS = """{title}
Sheets of cards for Tabletop Simulator, screentop and other virtual tables.

Each pile has one picture per sheet of cards and one picture of its back. For each sheet, manifest.json lists
its columns, rows and number of cards, and the place of every card, from left to right and top to bottom.
The last place of each sheet shows the back.

Tabletop Simulator: Objects, Components, Cards, Custom Deck. Choose the sheet as Face and the back as Back,
then enter Width (columns), Height (rows) and Number (cards) as below.
Elsewhere: cut each sheet into the same columns and rows.

{rows}
"""
HOW_TO_SINGLES = """{title}
Single cards for a print shop: 63 × 88 mm with 3 mm of bleed on each side, 300 dpi.

Order as many of each card as "copies" says, with the back of its pile. manifest.json has the same list.

{rows}
"""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card of the deck with its picture."""

    card: Content
    picture: bytes


def gather_cards(deck: Deck, bleed: int) -> Content:
    """The deck with each different card once and its number of copies."""
    content = gather(deck)
    copies: dict[str, Content] = {}
    for card in content["cards"]:
        known = copies.setdefault(json.dumps(card, sort_keys=True), {**card, "copies": 0})
        known["copies"] += 1
    used = {card["back"] for card in copies.values()}
    backs = {key: back for key, back in content["backs"].items() if key in used}
    return {**content, "cards": list(copies.values()), "backs": backs, "bleed": bleed}


def pile_pictures(content: Content, pages: Sequence[bytes]) -> Iterator[tuple[str, list[Drawn], bytes]]:
    """Each pile: its key, its different cards and its back. The template draws all cards, then the backs."""
    cards, backs = content["cards"], list(content["backs"])
    fronts = [Drawn(card, page) for card, page in zip(cards, pages[: len(cards)], strict=True)]
    for back, picture in zip(backs, pages[len(cards) :], strict=True):
        yield back, [drawn for drawn in fronts if drawn.card["back"] == back], picture


def pack_sheets(
    content: Content, pages: Sequence[bytes], fingerprint: str, progress: Progress
) -> tuple[bytes, list[bytes]]:
    """Grids of cards with a manifest; each copy has a place of its own, because a virtual table deals places."""
    files: dict[str, bytes] = {}
    previews: list[bytes] = []
    piles: list[Content] = []
    rows: list[str] = []
    size = Image.open(io.BytesIO(pages[0])).size
    for pile, drawn, back in pile_pictures(content, pages):
        every = [card for card in drawn for _ in range(card.card["copies"])]
        at_once = COLUMNS * ROWS - 1
        sheets = [every[start : start + at_once] for start in range(0, len(every), at_once)]
        files[f"{pile}-back.png"] = back
        listed: list[Content] = []
        for number, cards in enumerate(sheets, 1):
            progress(f"Laying out {pile} cards", number, len(sheets))
            columns = min(COLUMNS, max(2, len(cards) + 1))
            lines = max(2, -(-(len(cards) + 1) // columns))
            grid = make_grid([card.picture for card in cards], back, columns, lines, size)
            name = f"{pile}-{number}.png"
            files[name] = to_png(grid)
            previews.append(to_png(grid.reduce(max(1, grid.width // PREVIEW_WIDTH))))
            listed.append(
                {
                    "file": name,
                    "columns": columns,
                    "rows": lines,
                    "count": len(cards),
                    "cards": [
                        {"place": place, "name": one.card["name"], "kind": one.card["kind"]}
                        for place, one in enumerate(cards)
                    ],
                }
            )
            rows.append(f"{name}: width {columns}, height {lines}, number {len(cards)}; back {pile}-back.png")
        piles.append({"pile": pile, "back": f"{pile}-back.png", "sheets": listed})
    manifest = _manifest(content, fingerprint) | {"card_px": list(size), "piles": piles}
    return _zip(files, manifest, HOW_TO_SHEETS.format(title=content["title"], rows="\n".join(rows))), previews


def pack_singles(
    content: Content, pages: Sequence[bytes], fingerprint: str, progress: Progress
) -> tuple[bytes, list[bytes]]:
    """One picture per different card and per back, with the resolution written into the file."""
    files: dict[str, bytes] = {}
    previews: list[bytes] = []
    listed: list[Content] = []
    rows: list[str] = []

    def save(name: str, picture: bytes) -> None:
        progress("Saving pictures", len(files) + 1, len(pages))
        files[name] = with_resolution(picture, PRINT_DPI)
        previews.append(picture)

    for pile, drawn, back in pile_pictures(content, pages):
        for number, one in enumerate(drawn, 1):
            name = f"{pile}-{number:02}-{slugify(one.card['name']) or 'card'}.png"
            save(name, one.picture)
            copies = one.card["copies"]
            listed.append(
                {
                    "front": name,
                    "back": f"{pile}-back.png",
                    "copies": copies,
                    "name": one.card["name"],
                    "kind": one.card["kind"],
                }
            )
            rows.append(f"{name}: copies {copies}; back {pile}-back.png")
        save(f"{pile}-back.png", back)
    manifest = _manifest(content, fingerprint) | {"bleed_mm": BLEED_MM, "dpi": PRINT_DPI, "cards": listed}
    return _zip(files, manifest, HOW_TO_SINGLES.format(title=content["title"], rows="\n".join(rows))), previews


def make_grid(pictures: Sequence[bytes], last: bytes, columns: int, rows: int, size: tuple[int, int]) -> Image.Image:
    """Cards from left to right and top to bottom, and this picture in the last place."""
    wide, high = size
    grid = Image.new("RGB", (columns * wide, rows * high), "white")
    opened: dict[bytes, Image.Image] = {}
    places = [*enumerate(pictures), (columns * rows - 1, last)]
    for place, picture in places:
        if picture not in opened:
            opened[picture] = Image.open(io.BytesIO(picture)).convert("RGB")
        grid.paste(opened[picture], (place % columns * wide, place // columns * high))
    return grid


def to_png(picture: Image.Image) -> bytes:
    made = io.BytesIO()
    picture.save(made, "PNG", compress_level=3)
    return made.getvalue()


def with_resolution(png: bytes, dpi: int) -> bytes:
    """The same PNG with its dots per inch. Only a chunk is added; packing a hundred pictures again takes a minute."""
    after_header = 8 + 25  # the signature, and the first chunk, which has a fixed size
    body = b"pHYs" + struct.pack(">IIB", round(dpi / 0.0254), round(dpi / 0.0254), 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return png[:after_header] + chunk + png[after_header:]


def _manifest(content: Content, fingerprint: str) -> Content:
    return {
        "title": content["title"],
        "game": content["game"],
        "note": content["note"],
        "fingerprint": fingerprint,
        "card_mm": list(CARD_MM),
    }


def _zip(files: dict[str, bytes], manifest: Content, how_to: str) -> bytes:
    texts = {
        "manifest.json": json.dumps(manifest, ensure_ascii=False, indent=1).encode(),
        "README.txt": how_to.encode(),
    }
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for name, content in (texts | files).items():
            # A PNG is packed already.
            method = zipfile.ZIP_DEFLATED if name in texts else zipfile.ZIP_STORED
            packed.writestr(zipfile.ZipInfo(name, NO_DAY), content, method)
    return made.getvalue()


register_sheets(
    Sheet(
        "deck-tabletop",
        "Deck for virtual tables",
        "The cards as picture sheets for Tabletop Simulator or screentop, with their backs and a manifest.",
        CARDS,
        "card-images.typ",
        lambda deck: gather_cards(deck, 0),
        find=find,
        name=lambda deck: deck.title,
        subjects=subjects,
        papers=CARDS_ALONE,
        hint="You get a ZIP file. Its README.txt lists the width, height and number to enter for each sheet.",
        origin=origin,
        package=PicturePackage(SHEET_PPI, pack_sheets),
    ),
    Sheet(
        "deck-print-shop",
        "Deck for a print shop",
        "Every card as a picture of its own, with 3 mm of bleed at 300 dpi, to upload to a print shop.",
        CARDS,
        "card-images.typ",
        lambda deck: gather_cards(deck, BLEED_MM),
        find=find,
        name=lambda deck: deck.title,
        subjects=subjects,
        papers=CARDS_ALONE,
        hint="You get a ZIP file. Its README.txt lists how many copies of each card to order, and which back.",
        origin=origin,
        package=PicturePackage(PRINT_DPI, pack_singles),
    ),
)
