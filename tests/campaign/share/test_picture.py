"""The picture of a campaign: the right size, land in the colours of its holders, names in any script, soon made."""

from __future__ import annotations

import time

import pytest

from art.link_preview import HEIGHT
from campaign.chronicle.seasons.standings import rank_kingdoms
from campaign.chronicle.state import State
from campaign.map.display import build_map_display
from campaign.map.geometry import is_inside
from campaign.map.kingdom_colours import BY_KEY
from campaign.map.map_layout import SIZE, build_geometry
from campaign.map_link_preview import draw_share_card
from tests.art.test_picture import PAPER, near, opened, rgb
from tests.campaign.map.sample_realms import a_realm


def card(state: State, title: str = "The War of the Four Hedges", under: str = "Spring season") -> bytes:
    return draw_share_card(title, under, build_map_display(state, seed="test"), rank_kingdoms(state, ()))


def on_card(x: float, y: float) -> tuple[int, int]:
    """A point of the map as a pixel of the card."""
    return int(x * HEIGHT / SIZE), int(y * HEIGHT / SIZE)


@pytest.mark.parametrize("count", [1, 2, 4, 12, 100])
def test_a_card_is_1200_by_630_and_small_enough_for_a_chat(count):
    data = card(a_realm(count))
    assert opened(data)
    assert len(data) < 300_000, "messengers drop previews above this"


def test_a_card_takes_less_than_a_second_of_work():
    card(a_realm(4))  # the typesetter loads once
    spent = []
    for _ in range(3):
        before = time.process_time()
        card(a_realm(12))
        spent.append(time.process_time() - before)
    assert min(spent) < 1


def test_territories_are_painted_for_their_holders():
    state = a_realm(4)
    display = build_map_display(state, seed="test")
    image = opened(card(state))
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
    assert near(image.getpixel((4, 4)), rgb(PAPER), 3)


def test_hatching_is_drawn_on_the_wash():
    image = opened(card(a_realm(2, at_war=False)))
    land = build_geometry(("k1", "k2"), "test")
    x, y = land.plot("k1.border_1").label.centre
    row = [image.getpixel(on_card(px, y + 40)) for px in range(int(x) - 40, int(x) + 40)]
    reds = sum(not near(pixel, rgb(BY_KEY["gules"].wash), 10) for pixel in row)
    assert 8 <= reds <= 40, "upright lines cross a level row about every ten pixels"


NAMES = (
    "Château d’Écureuil",
    "Мышь",
    "漢字の国",
    "מלך העכברים",
    "\U0001f42d\U0001f9c0",
    "#set page(fill: red)",
    "$x$ \\ @ <a> var(--ink)",
    "\u0301" * 40,
    "W" * 200,
    "\x00\x07\u202e",
    "   ",
)


def test_any_name_can_be_drawn(caplog):
    state = a_realm(len(NAMES))
    for kingdom, name in zip(state.kingdoms.values(), NAMES, strict=True):
        kingdom.name = name
        kingdom.places = dict.fromkeys(kingdom.places, name)
    drawn = opened(card(state, NAMES[5], NAMES[8]))
    # A name that reads like the typesetter's own language is only a name: the paper stays as it is.
    assert near(drawn.getpixel((1190, 620)), rgb(PAPER), 3)
    assert not caplog.records, "drawn at the first try"
