"""Comparing two armies: exact odds, equal to the rulebook's, each distinct pair calculated once."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import pytest
from django.test import Client

import dataclass_json
from musters.army_comparison import MAX_INCHES, Setting, attack_odds, compare
from musters.core.army_code import DiceSource, code_of
from musters.core.auto_roll import dice_from_words, play_muster
from refusal import Refusal
from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.unit_in_play import Place, new_unit
from rulebook.data.battlefield import TERRAINS
from rulebook.data.house_rules import Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.units import UNITS
from rulebook.muster.army import KING_SLOT, Army, MusteredUnit, Slot
from rulebook.odds.attack import melee_odds, shooting_odds
from rulebook.odds.melee import exchange_odds

PAGE, API = "/musters/compare/", "/api/v1/musters/compare/"


def army(*units: str, heroes: dict[int, str] | None = None) -> Army:
    """The King and these units, one from each house in turn."""
    sent = [
        MusteredUnit(Slot("house", number), unit, (heroes or {}).get(number)) for number, unit in enumerate(units, 1)
    ]
    return Army((MusteredUnit(KING_SLOT, "king"), *sent))


def code(word: str, call: MusterCall | None = None, rebels: bool = False) -> str:
    muster = play_muster(
        call or MusterCall(0),
        dice_from_words((word,)).d10,
        lambda question: "buy" if rebels and question.kind == "rebel" else None,
    )
    return code_of(muster, DiceSource((word,)))


OTTER, FINCH = code("otter"), code("finch")
HOPPERS, CAT = army("hoppers"), army("battle_cat", "bow_mice")


# ── Exact ────────────────────────────────────────────────────────────────────────────────────────────────


def test_charge_matches_the_rulebook() -> None:
    result = compare(CAT, HOPPERS).there.rows[1].cells[1]
    attack = melee_odds(Melee(new_unit("battle_cat"), new_unit("hoppers"), charged=True))
    assert result.odds is not None
    assert result.odds.breaks == attack.gone + attack.chance("flee")
    assert result.odds.destroys == attack.chance("destroyed")
    assert result.odds.models == attack.models_lost.mean
    assert result.odds.damage == result.odds.models  # each Hopper has one wound
    back = exchange_odds(Melee(new_unit("battle_cat"), new_unit("hoppers"), charged=True)).attacker_lost
    assert result.odds.back == back.mean


def test_damage_beyond_the_last_model_does_not_count() -> None:
    """A unit cannot take more wounds than it has."""
    for row in compare(CAT, HOPPERS).there.rows:
        for cell in row.cells:
            assert cell.odds is not None
            assert 0 <= cell.odds.damage <= cell.target.wounds


def test_battle_cat_takes_wounds_before_it_is_removed() -> None:
    result = compare(army("mice_at_arms", heroes={1: "champion"}), army("battle_cat")).there.rows[1].cells[1]
    assert result.odds is not None
    assert result.odds.damage > result.odds.models
    assert result.odds.breaks == result.odds.destroys  # it never tests morale


def test_each_part_of_the_situation_changes_the_odds() -> None:
    """Charge, cover, range, movement, flank, King near, event: each changes the odds as its modifier says."""

    def struck(setting: Setting, target: int = 1) -> Fraction:
        row = compare(CAT, HOPPERS, setting).there.rows[2]
        result = row.cells[target].odds
        assert result is not None
        return result.breaks

    assert struck(Setting(charged=True)) > struck(Setting(charged=False))
    assert struck(Setting(target_at="barrier")) < struck(Setting())
    assert struck(Setting(at="bad_goings")) < struck(Setting())
    assert struck(Setting(flanked=True)) > struck(Setting())
    assert struck(Setting(king=True), 0) == struck(Setting(), 0)  # the King is always with his own unit
    near, far = (compare(HOPPERS, army("mice_at_arms"), Setting(king=king)).there.breaks for king in (True, False))
    assert near is not None
    assert far is not None
    assert near < far
    assert struck(Setting(event="storm")) < struck(Setting())
    shot = Setting("shooting")
    assert struck(Setting("shooting", inches=9)) < struck(shot)
    assert struck(Setting("shooting", moved=True)) < struck(shot)
    assert compare(CAT, HOPPERS, shot).there.rows[2].cells[1].odds.back is None  # type: ignore[union-attr]


def test_shooting_matches_the_rulebook() -> None:
    setting = Setting("shooting", inches=9, target_at="tall_patch")
    result = compare(CAT, HOPPERS, setting).there.rows[2].cells[1].odds
    attack = shooting_odds(Shooting(new_unit("bow_mice"), new_unit("hoppers"), 9.0, target_at=Place("tall_patch")))
    assert result is not None
    assert (result.breaks, result.models) == (attack.gone + attack.chance("flee"), attack.models_lost.mean)


def test_house_rules_apply() -> None:
    """R-32: by house rule only the Champion's own dice have the [A] of his charge."""
    one, two = army("mice_at_arms", heroes={1: "champion"}), army("mice_at_arms")
    by_book = compare(one, two).there.rows[1].cells[1].odds
    by_house_rule = compare(one, two, options=Options.from_differences({"champion_scope": "model"})).there
    other = by_house_rule.rows[1].cells[1].odds
    assert by_book is not None
    assert other is not None
    assert other.damage < by_book.damage


def test_unit_that_cannot_attack_gets_one_reason() -> None:
    table = compare(army("field_mice", "bow_mice"), HOPPERS, Setting("shooting")).there
    assert table.rows[1].why_never == "Field Mice: no shooting attack and no Ranger."
    assert table.rows[2].why_never == ""
    nobody = compare(army("field_mice"), HOPPERS, Setting("shooting")).there
    assert (nobody.strongest, nobody.damage, nobody.breaks) == (None, None, None)


def test_units_in_buildings_cannot_be_shot() -> None:
    table = compare(CAT, HOPPERS, Setting("shooting", target_at="building")).there
    assert all(cell.odds is None for row in table.rows for cell in row.cells)


@pytest.mark.parametrize("kind", ["melee", "shooting"])
@pytest.mark.parametrize("ground", [terrain.key for terrain in TERRAINS if terrain.enterable])
def test_every_unit_can_be_compared_on_every_terrain(kind, ground: str) -> None:
    every = Army(tuple(MusteredUnit(Slot("house", number), unit.key) for number, unit in enumerate(UNITS)))
    result = compare(every, every, Setting(kind, at=ground, target_at=ground))
    for row in result.there.rows:
        for cell in row.cells:
            assert (cell.odds is None) == bool(cell.why_not)
            if cell.odds:
                assert 0 <= cell.odds.destroys <= cell.odds.breaks <= 1
    assert result.there == result.back


def test_best_target_of_each_unit_is_marked() -> None:
    for row in compare(CAT, army("hoppers", "mice_at_arms")).there.rows:
        best = max(cell.odds.breaks for cell in row.cells if cell.odds)
        assert [cell.best for cell in row.cells] == [bool(cell.odds and cell.odds.breaks == best) for cell in row.cells]


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "siege"}, {"at": "obstacle"}, {"event": "rain"}, {"inches": MAX_INCHES + 1}, {"inches": float("nan")}],
)
def test_impossible_situation_is_refused(wrong: dict) -> None:
    with pytest.raises(Refusal):
        dataclass_json.read(Setting, wrong)


def test_each_distinct_pair_is_calculated_once() -> None:
    attack_odds.cache_clear()
    many = army("hoppers", "hoppers", "hoppers", "hoppers")
    compare(many, many)
    assert attack_odds.cache_info().misses == 4  # King and Hoppers, against King and Hoppers
    compare(many, many)
    assert attack_odds.cache_info().misses == 4


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────


def get(**query: object):
    return Client().get(PAGE, query)


def test_comparing_codes_needs_no_query(db, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        page = get(a=OTTER, b=FINCH, one="Oakhold", two="Fenwick")
    text = unescape(page.content.decode())
    sheet = page.context["comparison"]
    assert page.status_code == 200
    assert "Oakhold attacks" in re.sub(r"</?bdi>", "", text)
    assert "The attackers charge." in text
    assert text.count("<table") == 3
    cells = sum(len(row.cells) for strikes in sheet.attacks for row in strikes.table.rows)
    assert text.count("/rules/odds/?kind=melee") == cells
    assert sheet.one.totals.units + sheet.two.totals.units == text.count('scope="rowgroup"')


def test_cell_links_to_the_same_odds(db) -> None:
    setting = {"kind": "shooting", "inches": "9", "target_at": "barrier", "moved": "on"}
    page = get(a=OTTER, b=FINCH, **setting)
    assert page.status_code == 200
    for strikes in page.context["comparison"].attacks:
        for row in strikes.table.rows:
            for cell in row.cells:
                if cell.odds:
                    odds_page = Client().get(f"/rules/odds/?{cell.question}")
                    assert odds_page.status_code == 200
                    assert odds_page.context["sheet"].average == f"{float(cell.odds.models):.1f}"


def test_common_situations_are_one_tap_away(db) -> None:
    for words, query, _ in get(a=OTTER, b=FINCH).context["situation_tabs"]:
        page = Client().get(f"{PAGE}?{query}")
        assert [name for name, _, chosen in page.context["situation_tabs"] if chosen] == [words]
        assert page.context["comparison"].one.code == OTTER


def test_link_with_one_code_shows_the_form(db) -> None:
    page = get(a=OTTER)
    assert page.status_code == 200
    assert f'value="{OTTER}"' in page.content.decode()
    assert "Enter the code of" not in page.content.decode()


def test_two_new_armies_are_rolled_with_one_tap(db) -> None:
    answer = Client().get(f"{PAGE}fresh/")
    assert answer.status_code == 302
    assert Client().get(answer["Location"]).context["comparison"].attacks


def test_siege_armies_can_be_compared(db) -> None:
    attacker = code("otter", MusterCall(2, siege="attacker", vp=30), rebels=True)
    page = get(a=attacker, b=code("finch", MusterCall(2, siege="defender")), kind="shooting", inches=6)
    assert page.status_code == 200
    assert "A Cat-non only shoots at castle pieces, never at units." in page.content.decode()


def test_different_house_rules_are_noted(db) -> None:
    other = code("finch", MusterCall(0, options=Options.from_differences({"champion_scope": "model"})))
    assert "different house rules" in get(a=OTTER, b=other).content.decode()
    assert "different house rules" not in get(a=OTTER, b=FINCH).content.decode()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"a": OTTER, "b": ""}, "Enter the code of the second army."),
        ({"a": " ", "b": OTTER}, "Enter the code of the first army."),
        ({"a": OTTER, "b": "nonsense!"}, "The second army:"),
        ({"a": OTTER[:-1] + ("2" if OTTER[-1] != "2" else "3"), "b": FINCH}, "The first army:"),
        ({"a": OTTER, "b": FINCH, "one": "Oak", "two": "OAK"}, "same name"),
        ({"a": OTTER, "b": FINCH, "kind": "siege"}, "Some of these values are not valid."),
        ({"a": OTTER, "b": FINCH, "kind": "shooting", "inches": "99"}, "Some of these values are not valid."),
        ({"a": OTTER, "b": FINCH, "kind": "shooting", "inches": "nan"}, "Some of these values are not valid."),
        ({"a": OTTER, "b": FINCH, "kind": "melee", "target_at": "moon"}, "Some of these values are not valid."),
    ],
)
def test_invalid_query_shows_the_form_with_a_refusal(query: dict, sentence: str, db) -> None:
    page = get(**query)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert 'name="target_at"' in page.content.decode()
    assert Client().get(API, query).status_code in (400, 422)


def test_names_are_shown_as_text_and_never_as_markup(db) -> None:
    page = get(a=OTTER, b=FINCH, one="<script>alert(1)</script>").content.decode()
    assert "<script>alert" not in page


def test_json_matches_the_page_exactly(db, django_assert_num_queries) -> None:
    query = {"a": OTTER, "b": FINCH, "kind": "melee", "target_at": "barrier"}
    with django_assert_num_queries(0):
        answer = Client().get(API, query).json()
    sheet = get(**query, charged="on").context["comparison"]
    assert answer["setting"]["charged"] is True
    for strikes, drawn in zip(answer["strikes"], sheet.attacks, strict=True):
        assert Fraction(strikes["breaks"]["exact"]) == drawn.table.breaks
        for unit, row in zip(strikes["units"], drawn.table.rows, strict=True):
            for one, cell in zip(unit["against"], row.cells, strict=True):
                assert one["target"] == cell.target.slot.key
                assert Fraction(one["damage"]["exact"]) == cell.odds.damage
