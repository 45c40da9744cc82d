"""The map as an image: the right size, the right colours, names in any script, and never long in the making."""

from __future__ import annotations

import io
import time
from dataclasses import replace

import pytest
from PIL import Image

from campaign.map import png_text
from campaign.map.display import MapDisplay, build_map_display
from campaign.map.kingdom_colours import BY_KEY
from campaign.map.map_layout import SIZE, build_geometry
from campaign.map.png import CARD, PAPER, ShareCard, ShareCardRow, draw_share_card
from campaign.map.png_shields import draw_shield, draw_symbol
from campaign.map.png_text import ImageText, draw_texts
from campaign.map.points_and_svg_paths import is_inside
from heraldry import TINCTURE, TINCTURES, Arms
from tests.campaign.map.sample_realms import a_realm, signed_area


def opened(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    assert image.format == "PNG"
    return image.convert("RGB")


def rgb(colour: str) -> tuple[int, int, int]:
    return tuple(int(colour[at : at + 2], 16) for at in (1, 3, 5))  # type: ignore[return-value]


def near(one, other, by: int = 14) -> bool:
    return all(abs(a - b) <= by for a, b in zip(one, other, strict=True))


def a_card(count: int, display: MapDisplay | None = None) -> ShareCard:
    state = a_realm(count)
    rows = tuple(ShareCardRow(k.id, k.loyalty, k.vp, "Wren, 4 houses") for k in state.kingdoms.values())
    return ShareCard(
        "The War of the Four Hedges", "Spring season", display or build_map_display(state, seed="test"), rows
    )


def on_card(x: float, y: float) -> tuple[int, int]:
    """A point of the map as a pixel of the card."""
    return int(x * CARD[1] / SIZE), int(y * CARD[1] / SIZE)


@pytest.mark.parametrize("count", [1, 2, 4, 12, 100])
def test_a_card_is_1200_by_630_and_small_enough_for_a_chat(count):
    data = draw_share_card(a_card(count))
    assert opened(data).size == CARD == (1200, 630)
    assert len(data) < 300_000, "messengers drop previews above this"


def test_a_card_takes_less_than_a_second_of_work():
    draw_share_card(a_card(4))  # the typesetter loads once
    spent = []
    for _ in range(3):
        before = time.process_time()
        draw_share_card(a_card(12))
        spent.append(time.process_time() - before)
    assert min(spent) < 1


def test_territories_are_painted_for_their_holders():
    state = a_realm(4)
    display = build_map_display(state, seed="test")
    image = opened(draw_share_card(a_card(len(display.kingdoms), display)))
    land = build_geometry(tuple(state.kingdoms), "test")
    painted = {kingdom.id: kingdom.livery.tincture for kingdom in display.kingdoms}
    for territory in display.territories:
        outline = land.plot(territory.key).outline
        xs, ys = [x for x, _ in outline], [y for _, y in outline]
        seen = [
            image.getpixel(on_card(x, y))
            for x in range(int(min(xs)), int(max(xs)), 5)
            for y in range(int(min(ys)), int(max(ys)), 5)
            if is_inside((x, y), outline)
        ]
        wash = rgb(BY_KEY[painted[territory.holder]].wash)
        share = sum(near(pixel, wash) for pixel in seen) / len(seen)
        wrong = [
            other
            for other in set(painted.values()) - {painted[territory.holder]}
            if sum(near(pixel, rgb(BY_KEY[other].wash), 6) for pixel in seen) / len(seen) > 0.15
        ]
        assert share > (0.12 if territory.place == "castle" else 0.3), territory.key
        assert not wrong, territory.key
    assert near(image.getpixel((4, 4)), rgb(PAPER))
    assert signed_area(land.coast) < SIZE * SIZE


def test_hatching_is_drawn_on_the_wash():
    display = build_map_display(a_realm(2, at_war=False), seed="test")
    image = opened(draw_share_card(a_card(len(display.kingdoms), display)))
    land = build_geometry(("k1", "k2"), "test")
    x, y = land.plot("k1.border_1").label.centre
    row = [image.getpixel(on_card(px, y + 40)) for px in range(int(x) - 40, int(x) + 40)]
    reds = sum(not near(pixel, rgb(BY_KEY["gules"].wash), 10) for pixel in row)
    assert 8 <= reds <= 40, "upright lines cross a level row about every ten pixels"


# ── Names ────────────────────────────────────────────────────────────────────────────────────────────────


NAMES = (
    "Château d’Écureuil",
    "Мышь",
    "漢字の国",
    "מלך העכברים",
    "\U0001f42d\U0001f9c0",
    "#set page(fill: red)",
    "$x$ \\ @ <a>",
    "\u0301" * 40,
    "W" * 200,
    "\x00\x07\u202e",
    "   ",
)


def test_any_name_can_be_drawn():
    state = a_realm(len(NAMES))
    for kingdom, name in zip(state.kingdoms.values(), NAMES, strict=True):
        kingdom.name = name
        kingdom.places = dict.fromkeys(kingdom.places, name)
    share = replace(a_card(len(NAMES), build_map_display(state, seed="test")), title=NAMES[5], subtitle=NAMES[8])
    plain = opened(draw_share_card(a_card(len(NAMES))))
    drawn = opened(draw_share_card(share))
    assert drawn.size == CARD
    # A name that reads like the typesetter's own language is only a name: the paper stays as it is.
    assert drawn.getpixel((1190, 620)) == plain.getpixel((1190, 620))


def test_accents_are_drawn_and_signs_without_a_letter_become_their_code_point():
    assert png_text._replace_undrawable("é") == "é"
    assert png_text._replace_undrawable("漢") == "[6F22]"
    assert png_text._replace_undrawable("\u202e") == ""
    plain, accented = (draw_texts([ImageText(text, 4, 20, 24, 100)], 60, 40) for text in ("e", "é"))
    assert accented.getbbox()[1] < plain.getbbox()[1], "the accent stands above the letter"


def test_a_long_name_is_shrunk_to_its_room():
    long = draw_texts([ImageText("Thistledown and Burdock", 10, 20, 30, 60)], 400, 40)
    assert long.getbbox()[2] <= 10 + 60 + 2


def test_if_typst_fails_pillow_draws_the_text(monkeypatch):
    class Panic(BaseException):
        """A crash inside the library, which is not an Exception."""

    def fail(*_):
        raise Panic

    monkeypatch.setattr(png_text, "_typeset", fail)
    drawn = draw_texts([ImageText("Oakhold é", 10, 20, 24, 200, halo="#ffffff")], 240, 40)
    assert drawn.getbbox() is not None


def test_an_interrupt_is_not_swallowed(monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(png_text, "_typeset", stop)
    with pytest.raises(KeyboardInterrupt):
        draw_texts([ImageText("x", 0, 0, 10, 10)], 10, 10)


# ── Shields ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("tincture", [row.key for row in TINCTURES])
def test_a_plain_field_has_its_colour(tincture):
    drawn = draw_shield(Arms(tincture), 50)
    assert drawn.size == (50, 60)
    assert near(drawn.getpixel((25, 28))[:3], rgb(TINCTURE[tincture].paint), 3)
    assert drawn.getpixel((0, 59))[3] == 0, "outside the outline there is nothing"


def test_counterchanging_swaps_the_tinctures():
    halves = draw_shield(Arms("gules", "per_pale", "argent", "fess", "counterchanged"), 100)
    gules, argent = rgb(TINCTURE["gules"].paint), rgb(TINCTURE["argent"].paint)
    assert near(halves.getpixel((30, 14))[:3], gules)
    assert near(halves.getpixel((70, 14))[:3], argent)
    assert near(halves.getpixel((30, 55))[:3], argent)
    assert near(halves.getpixel((70, 55))[:3], gules)


def test_every_coat_of_arms_can_be_drawn():
    for number in range(60):
        assert draw_shield(Arms.from_seed(f"house {number}"), 24).getbbox() is not None


def test_symbols_have_their_holes():
    mouse = draw_symbol("c-mouse", 64)
    assert mouse.getpixel((40, 40)) > 200, "the body"
    assert mouse.getpixel((13, 40)) < 90, "the eye"
