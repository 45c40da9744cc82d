"""Arms: always lawful, always the same for a seed, with a blazon and a drawing that match."""

from __future__ import annotations

import itertools
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from heraldry import (
    CHOICES,
    COLOURS,
    METALS,
    TINCTURE,
    Arms,
    allowed_counts,
    draw_arms,
    draw_arms_at,
    draw_standalone,
    fill_gaps,
    legal_choices,
    svg as heraldry_svg,
)
from heraldry.coat_of_arms import ALIKE
from heraldry.parts import BARE, CHARGES, COUNTERCHANGED, DIVISION, DIVISIONS, ORDINARIES, PARTED
from refusal import Refusal

KEPT = json.loads(Path(__file__).with_name("kept_arms.json").read_text())

seeds = st.text(max_size=40)
# Anything a form could send, lawful or not.
any_choices = st.fixed_dictionaries({part: st.sampled_from(values) for part, values in CHOICES.items()})


def is_metal(tincture: str) -> bool:
    return tincture in METALS


def keeps_the_rule(arms: Arms) -> bool:
    """The rule of tincture, implemented a second time in another way: layer by layer from the drawing."""
    grounds = {arms.field, arms.field2} - {""}
    mixed = len({is_metal(ground) for ground in grounds}) == 2
    for tincture, upon_ordinary in ((arms.ordinary_tincture, False), (arms.charge_tincture, arms.placing == "upon")):
        if not tincture:
            continue
        below = {arms.ordinary_tincture} if upon_ordinary else grounds
        if tincture == COUNTERCHANGED:
            if upon_ordinary or not mixed or DIVISION[arms.division].is_varied:
                return False
        elif mixed and not upon_ordinary:
            # Only a field of many small pieces is neutral, and only for a tincture it does not have.
            if not DIVISION[arms.division].is_varied or tincture in grounds:
                return False
        elif any(is_metal(tincture) == is_metal(ground) for ground in below):
            return False
    return True


# ── From a seed ──


@given(seeds)
def test_arms_from_a_seed_keep_the_rule(seed):
    assert keeps_the_rule(Arms.from_seed(seed))


@given(seeds)
def test_seed_always_gives_the_same_arms(seed):
    assert Arms.from_seed(seed) == Arms.from_seed(seed)


def test_seeds_give_the_arms_of_the_first_release():
    """Printed arms must not change when the code does."""
    assert {seed: Arms.from_seed(seed).blazon() for seed in KEPT} == KEPT


@given(seeds, st.sampled_from(list(TINCTURE)))
def test_livery_becomes_the_field(seed, livery):
    arms = Arms.from_seed(seed, livery=livery)
    assert arms.field == livery
    assert keeps_the_rule(arms)


@given(seeds)
def test_the_livery_is_a_tincture_of_the_field(seed):
    arms = Arms.from_seed(seed)
    assert arms.livery in (arms.field, arms.field2)


def test_two_seeds_rarely_look_alike():
    """Six hundred seeds, 180 thousand pairs: measured 1 alike in 200, none the same in 50 thousand."""
    arms = [Arms.from_seed(f"seed {n}") for n in range(600)]
    pairs = list(itertools.combinations(arms, 2))
    same = sum(one == other for one, other in pairs)
    alike = sum(one.likeness(other) >= ALIKE for one, other in pairs)
    assert same / len(pairs) < 1 / 10_000
    assert alike / len(pairs) < 1 / 100
    assert len(set(arms)) > 590


def test_every_shape_and_tincture_comes_up():
    arms = [Arms.from_seed(f"seed {n}") for n in range(1500)]
    assert {arm.division for arm in arms} == {row.key for row in DIVISIONS}
    assert {arm.ordinary for arm in arms} == {row.key for row in ORDINARIES}
    assert {arm.charge for arm in arms} == {"none"} | {row.key for row in CHARGES}
    assert {arm.field for arm in arms} == set(TINCTURE)


def test_houses_of_one_campaign_can_be_told_apart():
    houses: list[Arms] = []
    for n in range(24):
        houses.append(Arms.from_seed(f"house {n}", unlike=houses))
    assert all(one.likeness(other) < ALIKE for one, other in itertools.combinations(houses, 2))


def test_there_are_enough_choices():
    assert len(TINCTURE) == 7
    assert len(METALS) == 2
    assert len(COLOURS) == 5
    assert len(DIVISIONS) - 1 >= 8
    assert len(ORDINARIES) - 1 >= 10
    assert len(CHARGES) >= 12


# ── By choice ──


def tried(make: Callable[[], Arms]) -> Arms | Refusal:
    try:
        return make()
    except Refusal as refusal:
        return refusal


@settings(max_examples=300)
@given(any_choices)
def test_any_choice_is_legal_or_refused_with_a_sentence(choices):
    answer = tried(lambda: Arms.from_choices(**choices))
    if isinstance(answer, Arms):
        assert keeps_the_rule(answer)
    else:
        assert answer.sentence[0].isupper()
        assert answer.sentence.endswith(".")
        assert "!" not in answer.sentence
        assert answer.field in CHOICES


@given(any_choices)
def test_offered_choices_are_exactly_the_legal_ones(choices):
    """For each part: what is offered makes lawful arms, and what is not offered does not."""
    kept = fill_gaps(choices)
    for part in ("field", "ordinary_tincture", "charge_tincture"):
        offered = legal_choices(kept, part)
        for value in CHOICES[part]:
            answer = tried(lambda part=part, value=value: Arms.from_choices(**{**kept, part: value}))
            assert isinstance(answer, Arms) == (value in offered)


def choose(field: str, division: str = "plain", field2: str = "", **more: object) -> dict[str, object]:
    return {"field": field, "division": division, "field2": field2, **more}


def with_ordinary(key: str, tincture: str) -> dict[str, object]:
    return {"ordinary": key, "ordinary_tincture": tincture}


def with_bells(tincture: str, count: int = 1, placing: str = "beside") -> dict[str, object]:
    return {"charge": "bell", "charge_tincture": tincture, "charges_count": count, "placing": placing}


REFUSED = [
    # choices, about, word in the sentence
    (choose("gules", **with_ordinary("chevron", "azure")), "ordinary_tincture", "colour on colour"),
    (choose("or", **with_ordinary("fess", "argent")), "ordinary_tincture", "metal on metal"),
    (choose("or", **with_ordinary("fess", "or")), "ordinary_tincture", "vanish"),
    (choose("vert", **with_bells("sable")), "charge_tincture", "colour on colour"),
    (choose("gules", "per_pale", "argent", **with_bells("or")), "charge_tincture", "counterchanged"),
    (choose("gules", **with_bells("counterchanged")), "charge_tincture", "Counterchanging"),
    (
        choose("gules", **with_ordinary("fess", "or"), **with_bells("argent", 3, "upon")),
        "charge_tincture",
        "metal on metal",
    ),
    (choose("gules", "barry", "azure"), "field2", "run together"),
    (choose("gules", "per_pale", "gules"), "field2", "different"),
    (choose("gules", "per_pale"), "field2", "second"),
    (choose("gules", **with_ordinary("chevron", "or"), **with_bells("sable", 1, "upon")), "placing", "narrow"),
    (choose("or", "chequy", "sable", **with_bells("gules")), "placing", "busy"),
    (choose("gules", **with_bells("or", 4)), "charges_count", "no room"),
    (choose("tartan"), "field", "tartan"),
]


@pytest.mark.parametrize(("choices", "field", "word"), REFUSED)
def test_refusal_names_the_part_and_the_reason(choices, field, word):
    with pytest.raises(Refusal) as caught:
        Arms.from_choices(**choices)
    assert caught.value.field == field
    assert word in caught.value.sentence


@pytest.mark.parametrize(("choices", "field", "word"), [row for row in REFUSED if row[1].endswith("tincture")])
def test_refusal_offers_a_way_out(choices, field, word):
    ways = legal_choices(choices, field)
    assert ways
    for way in ways:
        assert keeps_the_rule(Arms.from_choices(**{**choices, field: way}))


def test_gaps_are_filled_and_choices_are_not_changed():
    assert (
        Arms.from_choices(**fill_gaps({"field": "gules", "ordinary": "fess", "charge": "bell"})).blazon()
        == "Gules, a fess between two bells or"
    )
    kept = fill_gaps({"field": "gules", "ordinary": "fess", "ordinary_tincture": "azure"})
    assert kept["ordinary_tincture"] == "azure"


# ── Stored and sent ──


@given(seeds)
def test_arms_survive_being_stored(seed):
    arms = Arms.from_seed(seed)
    assert Arms.from_dict(json.loads(json.dumps(arms.to_dict()))) == arms


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=6,
)


@given(json_values | st.dictionaries(st.sampled_from([*CHOICES, "nonsense"]), json_values))
def test_anything_sent_as_arms_is_legal_or_refused(data):
    answer = tried(lambda: Arms.from_dict(data))
    assert keeps_the_rule(answer) if isinstance(answer, Arms) else answer.sentence.endswith(".")


# ── Blazon ──

BLAZONS = [
    ("Gules", Arms("gules")),
    (
        "Gules, a chevron between three acorns or",
        Arms(
            "gules", ordinary="chevron", ordinary_tincture="or", charge="acorn", charge_tincture="or", charges_count=3
        ),
    ),
    (
        "Purpure, a bend argent between two crowns or",
        Arms(
            "purpure",
            ordinary="bend",
            ordinary_tincture="argent",
            charge="crown",
            charge_tincture="or",
            charges_count=2,
        ),
    ),
    (
        "Azure, on a pale or an ear of wheat azure",
        Arms(
            "azure",
            ordinary="pale",
            ordinary_tincture="or",
            charge="wheat",
            charge_tincture="azure",
            charges_count=1,
            placing="upon",
        ),
    ),
    (
        "Argent, a sprig of thorn and a bordure vert",
        Arms(
            "argent",
            ordinary="bordure",
            ordinary_tincture="vert",
            charge="thorn",
            charge_tincture="vert",
            charges_count=1,
        ),
    ),
    (
        "Or, an acorn sable, a chief gules",
        Arms(
            "or", ordinary="chief", ordinary_tincture="gules", charge="acorn", charge_tincture="sable", charges_count=1
        ),
    ),
    (
        "Per bend vert and or, two sprigs of thorn in bend sinister counterchanged",
        Arms("vert", "per_bend", "or", charge="thorn", charge_tincture="counterchanged", charges_count=2),
    ),
    (
        "Per pale gules and argent, two swords in fess counterchanged",
        Arms("gules", "per_pale", "argent", charge="sword", charge_tincture="counterchanged", charges_count=2),
    ),
    (
        "Azure, two bars wavy and in chief a mouse statant argent",
        Arms(
            "azure",
            ordinary="bars_wavy",
            ordinary_tincture="argent",
            charge="mouse",
            charge_tincture="argent",
            charges_count=1,
        ),
    ),
    ("Vert, five mullets in saltire or", Arms("vert", charge="mullet", charge_tincture="or", charges_count=5)),
    (
        "Sable, a bell within an orle or",
        Arms("sable", ordinary="orle", ordinary_tincture="or", charge="bell", charge_tincture="or", charges_count=1),
    ),
    ("Chequy or and azure, a fess gules", Arms("or", "chequy", "azure", ordinary="fess", ordinary_tincture="gules")),
]


@pytest.mark.parametrize(("words", "arms"), BLAZONS, ids=[row[0] for row in BLAZONS])
def test_blazon_describes_the_arms(words, arms):
    assert arms.blazon() == words


def test_different_arms_have_different_blazons():
    blazons: dict[str, Arms] = {}
    for n in range(3000):
        arms = Arms.from_seed(f"seed {n}")
        assert blazons.setdefault(arms.blazon(), arms) == arms


# ── Drawn ──

IN_THE_PAGE = {row.get("id") for row in ET.fromstring(heraldry_svg.read_sprite()).iter()} - {None}


@given(seeds)
def test_small_drawing_is_well_formed_and_uses_only_symbols_of_the_page(seed):
    arms = Arms.from_seed(seed)
    drawing = ET.fromstring(draw_arms(arms))
    assert drawing.get("aria-label") == arms.blazon()
    for part in drawing.iter():
        for value in part.attrib.values():
            if value.startswith("url(#"):
                assert value[5:-1] in IN_THE_PAGE
        if part.tag.endswith("use"):
            assert part.get("href")[1:] in IN_THE_PAGE
            assert part.get("color", "").startswith("var(--")
        assert "style" not in part.attrib
    assert sum(part.tag.endswith("use") for part in drawing.iter()) in (arms.charges_count, 2 * arms.charges_count)


@given(seeds, st.booleans())
def test_full_drawing_is_self_contained(seed, ink):
    text = draw_standalone(Arms.from_seed(seed), ink=ink)
    drawing = ET.fromstring(text)
    inside = {part.get("id") for part in drawing.iter()} - {None}
    for part in drawing.iter():
        for name, value in part.attrib.items():
            if value.startswith("url(#"):
                assert value[5:-1] in inside
            if name == "href":
                assert value[1:] in inside
    assert "var(" not in text
    assert "class=" not in text
    if ink:
        colours = {
            value
            for part in drawing.iter()
            for name, value in part.attrib.items()
            if value.startswith("#") and name != "href"
        }
        assert colours <= {"#fff", "#000"}


def test_counterchanging_gives_each_half_the_other_tincture():
    drawing = ET.fromstring(
        draw_arms(Arms("vert", "per_bend", "or", charge="thorn", charge_tincture=COUNTERCHANGED, charges_count=2))
    )
    cut = next(part for part in drawing.iter() if part.get("clip-path") == "url(#part-per_bend)")
    inside = [part.get("color") for part in cut.iter() if part.tag.endswith("use")]
    all_of_it = [part.get("color") for part in drawing.iter() if part.tag.endswith("use")]
    assert inside == ["var(--vert)"] * 2
    assert all_of_it == ["var(--or)"] * 2 + inside


def test_a_shield_in_a_map_keeps_its_place():
    drawing = ET.fromstring(draw_arms_at(Arms.from_seed("Oakhold"), 117, 106.5, 50, label="Oakhold"))
    assert [drawing.get(name) for name in ("x", "y", "width", "height")] == ["117", "106.5", "50", "60"]
    assert drawing.get("aria-label") == "Oakhold"


def test_labels_are_escaped():
    assert '"Fen &amp; &lt;Sons&gt;"' in draw_arms(Arms("gules"), label="Fen & <Sons>")


def test_every_charge_is_inside_the_shield():
    """Centres and most of the body: the widest parts may touch the rim, never leave it."""
    for spots in [*BARE.values(), *(s for counts in PARTED.values() for s in counts.values())]:
        assert all(_inside(x, y) for x, y, _ in spots)
    for row in ORDINARIES:
        for counts in (row.beside, row.upon):
            for number, spots in counts.items():
                assert len(spots) == number
                for x, y, size in spots:
                    assert _inside(x, y)
                    assert _inside(x, y + size * 0.42), (row.key, x, y)
                    assert x - size / 2 >= 4
                    assert x + size / 2 <= 96


def _inside(x: float, y: float) -> bool:
    """Within the outline: straight to 56, then the curve, taken as the chord of its control points."""
    if not 5 <= y <= 116:
        return False
    if y <= 56:
        return 6 <= x <= 94
    # The two Bézier halves, walked in small steps.
    for step in range(101):
        t = step / 100
        cx = 94 * (1 - t) ** 3 + 3 * 94 * (1 - t) ** 2 * t + 3 * 72 * (1 - t) * t**2 + 50 * t**3
        cy = 56 * (1 - t) ** 3 + 3 * 86 * (1 - t) ** 2 * t + 3 * 105 * (1 - t) * t**2 + 116 * t**3
        if cy >= y:
            return 100 - cx <= x <= cx
    return False


def test_counts_fit_the_drawing():
    assert allowed_counts("plain", "none", "beside") == (1, 2, 3, 5, 6)
    assert allowed_counts("plain", "fess", "upon") == (1, 3)
