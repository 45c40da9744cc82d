"""Card pictures: everything on a card is drawn and readable, in small and large sizes."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template import engines

from cardgames.drawing import SIZES, card_svg, deck_pictures_of
from cardgames.drawing.card_svg import HIGH, WIDE, fit_text, text_width
from cardgames.engine.deck_data import edit_deck
from cardgames.games import SHELF, find_game, house_deck
from heraldry import svg as heraldry_svg
from printing import typst_compiler

GAMES = pytest.mark.parametrize("game", sorted(SHELF))


def words(svg: str) -> str:
    return " ".join("".join(node.itertext()) for node in ElementTree.fromstring(svg).iter("text"))


@GAMES
@pytest.mark.parametrize("size", SIZES)
def test_every_face_is_drawn_inside_its_card_without_style_or_id(game: str, size: str) -> None:
    pack = deck_pictures_of(house_deck(game))
    assert set(pack.pictures) == {face.id for face in find_game(game).faces(house_deck(game))}
    for card in pack.pictures.values():
        svg = card_svg(card, size)
        root = ElementTree.fromstring(svg)
        assert root.get("viewBox") == f"0 0 {WIDE} {HIGH}"
        assert root.get("aria-label") == card.label
        assert not re.search(r'\s(style|id|on\w+)="', svg)
        for use in root.iter("use"):
            assert use.get("href", "")[1:] in heraldry_svg.read_symbols()
        for text in root.iter("text"):
            held = float(text.get("textLength") or text_width(text.text or "", float(text.get("font-size", 0))))
            middle = float(text.get("x", 0))
            assert middle - held / 2 >= 1, text.text
            assert middle + held / 2 <= WIDE - 1, text.text
            assert float(text.get("y", 0)) < HIGH - 3


@GAMES
def test_large_card_shows_its_name_and_text(game: str) -> None:
    for card in deck_pictures_of(house_deck(game)).pictures.values():
        text = words(card_svg(card, "l"))
        assert card.name in text
        assert card.text in text
        assert card.name in card.label


def test_names_on_small_cards_are_legible_at_64_pixels() -> None:
    for card in deck_pictures_of(house_deck("menagerie")).pictures.values():
        root = ElementTree.fromstring(card_svg(card, "s"))
        assert card.name in words(card_svg(card, "s"))
        assert all(float(text.get("font-size", 0)) * 64 / WIDE >= 8.3 for text in root.iter("text"))


def test_animal_card_shows_points_from_the_score_function() -> None:
    """G50, G51"""
    pack = deck_pictures_of(house_deck("menagerie"))
    assert pack.picture("white-tiger").strip == (("one", "1"), ("two", "3"), ("three", "0"))
    assert pack.picture("mammoth").strip == (("one", "2"), ("two", "6"), ("three", "0"))
    assert "×2" in words(pack.svg("mammoth", "s"))


def test_court_card_shows_cost_figures_and_a_slash_before_the_crown() -> None:
    """M13, M20, M48"""
    pack = deck_pictures_of(house_deck("monarchs"))
    knight = pack.picture("red-knight")
    assert knight.label == "Sir Rowan, red court, knight. Cost 3. Influence 1, one crown in scoring only."
    assert [(mark.charge, mark.after_slash) for mark in knight.marks] == [("hand", False), ("crown", True)]
    assert words(pack.svg("red-knight", "s")).split() == ["3", "+1", "/"]
    assert [mark.charge for mark in pack.picture("red-heir").marks] == ["crown", "crown"]
    assert pack.picture("peasant-zero").corner == ""
    assert [mark.figure for mark in pack.picture("peasant-zero").marks] == ["0"]


def test_no_two_colours_share_a_hatching_or_a_shape() -> None:
    pack = deck_pictures_of(house_deck("monarchs"))
    seen = {(card.tincture, card.shape) for card in pack.pictures.values()}
    assert len({tincture for tincture, _ in seen}) == len({shape for _, shape in seen}) == len(seen) == 7


def test_custom_deck_is_drawn_with_its_values_and_its_text_is_escaped() -> None:
    game = find_game("monarchs")
    deck = edit_deck(
        game.schema,
        house_deck("monarchs"),
        {"red-knight": {"name": '<b onload="x">Rex & "Co"', "role": "juggler", "cost": 15, "crowns": 5, "moves": 2}},
        id="ours",
    )
    svg = deck_pictures_of(deck).svg("red-knight", "l")
    ElementTree.fromstring(svg)
    assert "<b" not in svg
    assert "15" in words(svg)
    assert "×5" in words(svg)
    assert "×2" in words(svg)


def test_long_name_is_shrunk_or_cut_to_fit() -> None:
    size, lines = fit_text("Donaudampfschifffahrtsgesellschaftskapitänsmütze", 50, 2, (11, 9, 7))
    assert size == 7
    assert all(text_width(line, size) <= 50 for line in lines)
    assert lines[-1].endswith("…")
    assert fit_text("one two three four five six seven", 20, 2, (5,))[1][-1].endswith("…")


def test_template_functions_draw_faces_and_backs() -> None:
    pack = deck_pictures_of(house_deck("menagerie"))
    make = engines["jinja2"].from_string
    html = make('{{ card(pack, "mammoth") }}{{ card_back(pack, "role") }}{{ pack|card_name("shoot") }}').render(
        {"pack": pack}
    )
    assert html.count("<svg class=") == 2
    assert "Royal Menagerie, face down" in html
    assert html.endswith("Shoot")
    assert 'aria-hidden="true"' in make('{{ card(pack, "mammoth", "l", decorative=true) }}').render({"pack": pack})


def test_steal_has_the_same_drawing_on_screen_and_on_paper() -> None:
    """A sack: the screen once had a key."""
    numbers = re.compile(r"[0-9.]+")
    paper = (Path(typst_compiler.__file__).parent / "typst" / "charges.typ").read_text(encoding="utf-8")
    outlines = re.findall(r'\("[bl]", "([^"]+)"\)', paper[paper.index("  steal: (") :].split("\n  ),")[0])
    assert len(outlines) >= 3
    screen = [float(number) for number in numbers.findall(heraldry_svg.read_symbols()["c-steal"])]
    for outline in (outlines[0], outlines[1]):
        # The same points, in a box of 64 instead of 100.
        for number in numbers.findall(outline):
            assert any(abs(float(number) * 0.64 - other) < 0.02 for other in screen)
