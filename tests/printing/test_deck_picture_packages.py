"""Decks for elsewhere: sheets for virtual tables and single cards for print shops, opened and counted."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from PIL import Image

from cardgames.games import SHELF, house_deck
from printing import sheet_json_and_fingerprint, typst_compiler
from printing.sheet_registry import PaperSetting, sheet_of
from printing.sheets.card_decks import BLEED_MM, COLUMNS, PRINT_DPI, ROWS, gather_cards, pack_sheets, pack_singles

SIZE = (8, 11)


def picture_of_a_card(colour: str | tuple[int, int, int]) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", SIZE, colour).save(made, "PNG")
    return made.getvalue()


def colour(number: int) -> tuple[int, int, int]:
    """A colour of its own for each card, to find it again in a grid."""
    return (number + 1, 255 - number, 7)


def pictures(content) -> list[bytes]:
    return [picture_of_a_card(colour(number)) for number in range(len(content["cards"]) + len(content["backs"]))]


def open_zip(packed: bytes) -> tuple[zipfile.ZipFile, dict]:
    files = zipfile.ZipFile(io.BytesIO(packed))
    return files, json.loads(files.read("manifest.json"))


@pytest.mark.parametrize("game", sorted(SHELF))
def test_sheets_show_every_copy_at_the_place_the_manifest_names(game) -> None:
    content = gather_cards(house_deck(game), 0)
    pages = pictures(content)
    packed, previews = pack_sheets(content, pages, "abc", lambda *_: None)
    files, manifest = open_zip(packed)
    backs = list(content["backs"])
    copies = 0
    for pile in manifest["piles"]:
        back = colour(len(content["cards"]) + backs.index(pile["pile"]))
        assert files.read(pile["back"]) == pages[len(content["cards"]) + backs.index(pile["pile"])]
        numbers = [n for n, card in enumerate(content["cards"]) if card["back"] == pile["pile"]]
        wanted = [n for n in numbers for _ in range(content["cards"][n]["copies"])]
        shown = []
        for sheet in pile["sheets"]:
            grid = Image.open(io.BytesIO(files.read(sheet["file"])))
            assert sheet["columns"] <= COLUMNS
            assert sheet["rows"] <= ROWS
            assert grid.size == (sheet["columns"] * SIZE[0], sheet["rows"] * SIZE[1])
            assert grid.getpixel((grid.width - 1, grid.height - 1)) == back
            assert sheet["count"] == len(sheet["cards"]) < sheet["columns"] * sheet["rows"]
            for card in sheet["cards"]:
                left = card["place"] % sheet["columns"] * SIZE[0]
                top = card["place"] // sheet["columns"] * SIZE[1]
                number = wanted[len(shown)]
                assert grid.getpixel((left + 1, top + 1)) == colour(number)
                assert content["cards"][number]["name"] == card["name"]
                shown.append(number)
        assert shown == wanted
        copies += len(shown)
    assert copies == sum(card["copies"] for card in content["cards"])
    assert len(previews) == sum(len(pile["sheets"]) for pile in manifest["piles"])
    readme = files.read("README.txt").decode()
    assert all(sheet["file"] in readme for pile in manifest["piles"] for sheet in pile["sheets"])


@pytest.mark.parametrize("game", sorted(SHELF))
def test_print_shop_gets_each_card_once_with_its_copies(game) -> None:
    content = gather_cards(house_deck(game), BLEED_MM)
    packed, previews = pack_singles(content, pictures(content), "abc", lambda *_: None)
    files, manifest = open_zip(packed)
    assert [card["copies"] for card in manifest["cards"]] == [
        card["copies"] for back in content["backs"] for card in content["cards"] if card["back"] == back
    ]
    names = [card["front"] for card in manifest["cards"]] + [f"{back}-back.png" for back in content["backs"]]
    assert sorted(names) == sorted(name for name in files.namelist() if name.endswith(".png"))
    assert len(names) == len(set(names)) == len(previews)
    for name in names:
        picture = Image.open(io.BytesIO(files.read(name)))
        picture.load()
        assert [round(dpi) for dpi in picture.info["dpi"]] == [PRINT_DPI, PRINT_DPI]
    assert {card["back"] for card in manifest["cards"]} <= set(files.namelist())


def test_same_deck_makes_the_same_bytes_and_another_value_other_ones() -> None:
    content = gather_cards(house_deck("menagerie"), 0)
    pages = pictures(content)
    assert pack_sheets(content, pages, "a", lambda *_: None) == pack_sheets(content, pages, "a", lambda *_: None)
    other = gather_cards(house_deck("monarchs"), 0)
    assert sheet_json_and_fingerprint.fingerprint_of("x", content) != sheet_json_and_fingerprint.fingerprint_of(
        "x", other
    )


@pytest.mark.parametrize("ink", ["colour", "save"])
def test_drawn_cards_have_bleed_and_resolution(ink) -> None:
    """Real pages: 69 × 94 mm at 300 dpi, only ground in the bleed, and a frame within the cut."""
    content = gather_cards(house_deck("menagerie"), BLEED_MM)
    content["cards"] = content["cards"][:1]
    content["backs"] = {"play": content["backs"]["play"]}
    sheet, setting = sheet_of("deck-print-shop"), PaperSetting("cards", ink)
    text = sheet_json_and_fingerprint.render_json(content, saves_ink=setting.saves_ink, progress=lambda *_: None)
    pages = typst_compiler.SheetCompiler(sheet.template, text, setting, title="A deck", stamp="{}").pages(PRINT_DPI)
    assert len(pages) == 2
    for page in pages:
        picture = Image.open(io.BytesIO(page)).convert("RGB")
        assert picture.size == (815, 1110)
        bleed = round(BLEED_MM / 25.4 * PRINT_DPI)
        wide, high = picture.size
        for strip in ((0, 0, wide, bleed), (0, high - bleed, wide, high), (0, 0, bleed, high)):
            assert len(picture.crop(strip).getcolors() or []) == 1
        assert len(picture.crop((bleed, bleed, wide - bleed, high - bleed)).getcolors(1 << 20) or []) > 10
