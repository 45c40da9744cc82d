"""The map on a page: every territory labelled, no policy violation, twelve kingdoms distinct without colour."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from django.template import engines
from django.template.loader import render_to_string
from PIL import Image, ImageChops

from art.link_preview import draw_png
from campaign.chronicle.state import GONE
from campaign.map.display import MapDisplay, build_map_display, describe_map, describe_territory, list_map_kingdoms
from campaign.map.kingdom_colours import TWELVE, Livery, assign_liveries
from campaign.map.svg import (
    draw_map,
    draw_map_key,
    draw_map_with_key,
    draw_patterns,
    draw_swatch,
    pattern_ids,
    shows_border_names,
)
from heraldry import svg as heraldry_svg
from tests.campaign.map.sample_realms import a_realm

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = '<b onload="x">\u202eRex & "Söhne"</b> \U0001f42d ' + "W" * 60


def tree(drawn: str) -> ET.Element:
    return ET.fromstring(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def a_sheet(count: int, **wishes) -> MapDisplay:
    return build_map_display(a_realm(count), seed="test", **wishes)


def by_class(drawn: ET.Element, name: str) -> list[ET.Element]:
    return [node for node in drawn.iter() if name in node.get("class", "").split()]


# ── What is drawn ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 12, 13, 40, 100])
def test_a_map_is_whole_well_formed_and_keeps_to_the_policy(count):
    drawn = draw_map(a_sheet(count, attacker="k1", url=lambda key: f"/go/{key}"))
    root = tree(drawn)
    ids = Counter(node.get("id") for node in root.iter() if node.get("id"))
    assert [name for name, times in ids.items() if times > 1] == []
    for node in root.iter():
        assert node.get("style") is None
        assert not [name for name in node.attrib if name.startswith("on")]
        assert node.tag != f"{SVG}script"
    # Whatever is pointed at is in this drawing or in the sprite.
    there = set(ids) | set(re.findall(r'id="([^"]+)"', heraldry_svg.read_sprite()))
    pointed = set(re.findall(r'href="#([^"]+)"', drawn)) | set(re.findall(r"url\(#([^)]+)\)", drawn))
    assert pointed - there == set()


def test_every_territory_is_painted_for_its_holder_in_colour_and_hatching():
    display = a_sheet(4)
    painted = {kingdom.id: kingdom.livery.tincture for kingdom in display.kingdoms}
    root = tree(draw_map(display))
    washes = {node.get("href"): node.get("class") for node in by_class(root, "wash")}
    hatches = {node.get("href"): node.get("fill") for node in by_class(root, "hatch")}
    for territory in display.territories:
        name = "#map-" + territory.key.replace(".", "-")
        assert f"fills-{painted[territory.holder]}" in washes[name]
        assert hatches[name] == f"url(#m-{painted[territory.holder]})"
    assert painted["k1"] == "gules"
    assert "fills-gules" in washes["#map-k2-border_1"], "taken by the first kingdom, so painted red"


def test_a_taken_territory_also_carries_the_holders_shield():
    display = a_sheet(4)
    shields = Counter(
        node.get("href") for node in tree(draw_map(display)).iter(f"{SVG}use") if "-arms-" in node.get("href", "")
    )
    taken = Counter(territory.holder for territory in display.territories if territory.taken)
    for kingdom in display.kingdoms:  # one at the castle, and one for everything taken
        assert shields[f"#map-arms-{kingdom.id}"] == 1 + taken[kingdom.id]


def test_legal_targets_are_dashed_and_the_chosen_one_solid():
    display = a_sheet(4, attacker="k1", chosen="k2.lands")
    root = tree(draw_map(display))
    dashed = {node.get("href") for node in by_class(root, "legal")}
    assert dashed == {"#map-" + g.key.replace(".", "-") for g in display.targets if not g.chosen}
    assert [node.get("href") for node in by_class(root, "chosen")] == ["#map-k2-lands"]
    assert len(by_class(root, "road")) == 1, "the way from the borderland he holds"
    assert not by_class(tree(draw_map(a_sheet(4))), "legal"), "nobody is choosing"


def test_a_contested_territory_shows_crossed_swords_and_cannot_be_chosen():
    display = a_sheet(4, attacker="k1")
    (fought,) = [territory for territory in display.territories if territory.contested]
    assert fought.key == "k4.border_2"
    assert fought.legal is False
    assert len(by_class(tree(draw_map(display)), "boss-fought")) == 1


def test_what_changed_hands_since_the_last_visit_is_marked():
    state = a_realm(4)
    display = build_map_display(state, before={**state.holders, "k2.border_1": "k2", "k9.lands": "k9"})
    assert [(territory.key, territory.was) for territory in display.changed] == [("k2.border_1", "k2")]
    assert len(by_class(tree(draw_map(display)), "boss-changed")) == 1
    assert "changed hands" in draw_map_key(display)


# ── For those who do not see it ──────────────────────────────────────────────────────────────────────────


def test_with_links_the_map_is_a_group_of_links_with_the_rules_sentence():
    display = a_sheet(4, attacker="k1", url=lambda key: f"/go/{key}?a=1&b=2")
    root = tree(draw_map(display))
    assert root.get("role") == "group"
    links = list(root.iter(f"{SVG}a"))
    assert len(links) == len(display.territories) == 16
    words = {link.get("href"): link.find(f"{SVG}title").text for link in links}
    assert words["/go/k2.lands?a=1&b=2"] == (
        "The Levels, lands of Fenwick, held by Fenwick. Can be attacked:"
        " Both borderlands have fallen, at least one to you, so the lands are open."
    )
    assert "Cannot be attacked: You already hold it." in words["/go/k1.lands?a=1&b=2"]
    # A castle lies on top of the lands it stands in.
    order = [link.get("href") for link in links]
    assert order.index("/go/k1.castle?a=1&b=2") > order.index("/go/k1.lands?a=1&b=2")


def test_without_links_it_is_a_picture_with_its_summary():
    display = a_sheet(4)
    root = tree(draw_map(display))
    assert root.get("role") == "img"
    assert root.find(f"{SVG}desc").text == describe_map(display)
    assert "Oakhold 5, Fenwick 2" in describe_map(display)
    assert not list(root.iter(f"{SVG}a"))


def test_names_are_text_and_never_markup():
    state = a_realm(3)
    state.kingdoms["k1"].name = HOSTILE
    state.kingdoms["k1"].places["lands"] = HOSTILE
    display = build_map_display(state, url=lambda key: f'javascript:"{key}', title=HOSTILE)
    root = tree(draw_map(display))
    assert {node.tag.removeprefix(SVG) for node in root.iter()} <= {
        "svg",
        "title",
        "desc",
        "defs",
        "path",
        "pattern",
        "clipPath",
        "symbol",
        "g",
        "use",
        "circle",
        "text",
        "tspan",
        "a",
        "rect",
    }
    assert "<b" not in draw_map_key(display).replace("<bdi", "")
    assert HOSTILE in describe_territory(display, display.territories[1])


def test_right_to_left_name_does_not_reorder_the_sentence():
    state = a_realm(2)
    state.kingdoms["k1"].name = "מלך"
    display = build_map_display(state)
    assert "of \u2068מלך\u2069, held by \u2068מלך\u2069." in describe_territory(display, display.territories[0])


def test_the_list_names_every_territory_with_its_number():
    shown = render_to_string("campaign/home/_map.html", {"map": draw_map_with_key(a_sheet(12, attacker="k1"))})
    for territory in a_sheet(12).territories:
        assert territory.name in shown
    assert "12a" in shown
    assert "held by <bdi>Oakhold</bdi>" in shown
    assert "<details" in shown
    assert " open>" in shown, "twelve kingdoms show numbers on a phone, so the list lies open"
    assert " open>" not in render_to_string("campaign/home/_map.html", {"map": draw_map_with_key(a_sheet(3))})


def test_numbers_in_the_map_are_those_of_the_list():
    display = a_sheet(12)
    assert not shows_border_names(display, "s")
    texts = [
        "".join(node.itertext())
        for node in by_class(tree(draw_map(display)), "lbl")
        if "at-s" in node.get("class", "") or "at-" not in node.get("class", "")
    ]
    wanted = {f"{number}{letter}" for number in range(1, 13) for letter in "ab"}
    assert wanted <= set(texts)


def test_markup_is_printed_as_markup_and_a_plain_word_is_not():
    source = engines["jinja2"].from_string("{{ drawn }}{{ word }}")
    shown = source.render({"drawn": draw_swatch(Livery("gules")), "word": "<i>"})
    assert shown.startswith("<svg")
    assert shown.endswith("&lt;i&gt;")


# ── Liveries ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_sprite_and_the_table_agree_on_the_seven_hatchings():
    for row in TWELVE:
        if not row.in_sprite or row.tile is None:
            continue
        match = re.search(rf'<pattern id="m-{row.key}" ([^>]*)>(.*?)</pattern>', heraldry_svg.read_sprite())
        size = dict(re.findall(r'(width|height)="(\d+)"', match[1]))
        assert (row.tile.width, row.tile.height) == (float(size["width"]), float(size["height"]))
        turned = re.search(r"rotate\((-?\d+)\)", match[1])
        assert row.tile.turned == (int(turned[1]) if turned else 0)
        drawn = re.search(r' d="([^"]+)"', match[2])
        assert row.tile.lines == (drawn[1] if drawn else "")
        dots = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', match[2])
        assert row.tile.dots == tuple(tuple(map(float, dot)) for dot in dots)


@pytest.fixture(scope="module")
def engraved() -> dict[str, Image.Image]:
    """The hatchings in black and white about as a phone shows them: 390 px wide, two dots to a pixel."""
    liveries = [Livery(row.key) for row in TWELVE]
    drawing = f"<style>.ml{{stroke:#000;opacity:1}}.md{{fill:#000;opacity:1}}</style>{draw_patterns(liveries, 't')}"
    for at, livery in enumerate(liveries):
        for paint in ("#fff", *(f"url(#{name})" for name in pattern_ids(livery, "t"))):
            drawing += f'<rect x="{at % 6 * 120}" y="{at // 6 * 120}" width="120" height="120" fill="{paint}"/>'
    drawn = ImageChops.invert(Image.open(io.BytesIO(draw_png(drawing, ()))).convert("L"))
    corners = [(at % 6 * 120, at // 6 * 120) for at in range(12)]
    return {row.key: drawn.crop((x, y, x + 120, y + 120)) for row, (x, y) in zip(TWELVE, corners, strict=True)}


def unlikeness(one: Image.Image, other: Image.Image) -> float:
    """The share of ink by which two hatchings differ, even when one is shifted to match the other best."""
    piece = other.crop((0, 0, 72, 72))
    return min(
        sum(
            at * times
            for at, times in enumerate(ImageChops.difference(one.crop((x, y, x + 72, y + 72)), piece).histogram())
        )
        / (255 * 72 * 72)
        for x in range(21)
        for y in range(21)
    )


def test_twelve_kingdoms_differ_in_black_and_white(engraved):
    twelve = assign_liveries(["gules"] * 12)
    assert len(set(twelve)) == 12
    assert len({livery.tincture for livery in twelve}) == 12
    for one, other in combinations(engraved, 2):
        assert unlikeness(engraved[one], engraved[other]) > 0.06, f"{one} looks like {other}"


def test_the_measure_of_likeness_knows_the_same_hatching_shifted(engraved):
    lines = engraved["gules"]
    shifted = ImageChops.offset(lines, 3, 5)
    assert unlikeness(lines, shifted) < 0.03


def test_a_kingdom_gets_the_tincture_of_its_arms_if_nobody_has_it_before():
    assert [livery.tincture for livery in assign_liveries(["vert", "gules", "vert"])] == ["vert", "gules", "azure"]


def test_kingdom_that_joins_later_changes_nobodys_livery():
    wishes = ["vert", "vert", "gules", "or", "or", "sable", "vert"] * 15
    whole = assign_liveries(wishes)
    for count in range(1, len(wishes)):
        assert assign_liveries(wishes[:count]) == whole[:count]
    assert len(set(whole[:48])) == 48


def test_a_kingdom_that_leaves_keeps_the_others_in_their_colours():
    state = a_realm(5)
    before = {kingdom.id: kingdom.livery for kingdom in list_map_kingdoms(state)}
    state.kingdoms["k2"].status = GONE
    after = {kingdom.id: kingdom.livery for kingdom in list_map_kingdoms(state)}
    assert after == {kingdom: livery for kingdom, livery in before.items() if kingdom != "k2"}
    assert len(tree(draw_map(build_map_display(state))).findall(f".//{SVG}symbol")) == 4


def test_the_thirteenth_kingdom_is_differenced():
    thirteen = assign_liveries(["gules"] * 13)
    assert thirteen[12] == Livery("gules", 1)
    assert len(thirteen[12].tiles) == 2
    drawn = draw_map(a_sheet(13))
    assert 'id="map-d-1"' in drawn


def test_the_words_of_a_livery_name_colour_and_hatching():
    assert Livery("gules").words == "red, upright lines"
    assert Livery("azure", 2).words == "blue, level lines, with rings"


def test_a_map_display_is_frozen():
    display = a_sheet(2)
    with pytest.raises(AttributeError):
        display.title = "x"  # type: ignore[misc]
    assert replace(display, title="Another").title == "Another"


def test_a_realm_of_one_has_nobody_to_attack():
    assert build_map_display(a_realm(1), attacker="k1").attacker == ""


@pytest.mark.parametrize("count", [2, 3, 4])
@pytest.mark.parametrize("name", ["Thistledown", "Flintstead", "Acornwick", "Heatherbury"])
def test_names_of_kingdoms_are_not_cut_at_eight_letters(name, count):
    """On the narrowest phone the letters become narrower instead."""
    state = a_realm(count)
    for kingdom in state.kingdoms.values():
        kingdom.name = name
    labels = by_class(tree(draw_map(build_map_display(state, seed="test"))), "realm")
    assert {"".join(label.itertext()) for label in labels} == {name}
