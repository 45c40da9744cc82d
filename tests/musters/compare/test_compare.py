"""Two musters compared: exact, the same figures as the rulebook's odds, each distinct pair reckoned once."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape

import pytest
from django.test import Client

from musters.compare import INCHES_MOST, Setting, blow, compare
from musters.rolls.code import Source, code_of
from musters.rolls.course import dice_of, played
from refusal import Refusal
from rulebook import odds
from rulebook.army import KING_SLOT, Army, MusteredUnit, Slot
from rulebook.inplay import Place, fresh
from rulebook.muster_table import Call
from rulebook.options import Options
from rulebook.situations import Melee, Shooting
from rulebook.terrain import TERRAINS
from rulebook.units import UNITS

PAGE, API = "/musters/compare/", "/api/v1/musters/compare/"


def army(*units: str, heroes: dict[int, str] | None = None) -> Army:
    """The King and these units, sent by house after house."""
    sent = [
        MusteredUnit(Slot("house", number), unit, (heroes or {}).get(number)) for number, unit in enumerate(units, 1)
    ]
    return Army((MusteredUnit(KING_SLOT, "king"), *sent))


def code(word: str, call: Call | None = None, rebels: bool = False) -> str:
    muster = played(
        call or Call(0), dice_of((word,)).d10, lambda question: "buy" if rebels and question.kind == "rebel" else None
    )
    return code_of(muster, Source((word,)))


OTTER, FINCH = code("otter"), code("finch")
HOPPERS, CAT = army("hoppers"), army("battle_cat", "bow_mice")


# ── Exact ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_charge_is_what_the_rulebook_says_it_is() -> None:
    found = compare(CAT, HOPPERS).there.rows[1].cells[1]
    attack = odds.melee(Melee(fresh("battle_cat"), fresh("hoppers"), charged=True))
    assert found.blow is not None
    assert found.blow.breaks == attack.gone + attack.chance("flee")
    assert found.blow.destroys == attack.chance("destroyed")
    assert found.blow.models == attack.models_lost.mean
    assert found.blow.damage == found.blow.models  # each Hopper has one wound
    back = odds.exchange(Melee(fresh("battle_cat"), fresh("hoppers"), charged=True)).attacker_lost
    assert found.blow.back == back.mean


def test_damage_beyond_the_last_model_does_not_count() -> None:
    """A unit cannot take more wounds than it has, however hard it is struck."""
    for row in compare(CAT, HOPPERS).there.rows:
        for cell in row.cells:
            assert cell.blow is not None
            assert 0 <= cell.blow.damage <= cell.target.wounds


def test_a_cat_is_hurt_long_before_it_falls() -> None:
    found = compare(army("mice_at_arms", heroes={1: "champion"}), army("battle_cat")).there.rows[1].cells[1]
    assert found.blow is not None
    assert found.blow.damage > found.blow.models
    assert found.blow.breaks == found.blow.destroys  # it never tests morale


def test_each_part_of_the_situation_tells() -> None:
    """Charge, cover, range, movement, flank, King near, event: each as the modifiers have it."""

    def struck(setting: Setting, target: int = 1) -> Fraction:
        row = compare(CAT, HOPPERS, setting).there.rows[2]
        found = row.cells[target].blow
        assert found is not None
        return found.breaks

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
    assert compare(CAT, HOPPERS, shot).there.rows[2].cells[1].blow.back is None  # type: ignore[union-attr]


def test_shooting_is_what_the_rulebook_says_it_is() -> None:
    setting = Setting("shooting", inches=9, target_at="tall_patch")
    found = compare(CAT, HOPPERS, setting).there.rows[2].cells[1].blow
    attack = odds.shooting(Shooting(fresh("bow_mice"), fresh("hoppers"), 9.0, target_at=Place("tall_patch")))
    assert found is not None
    assert (found.breaks, found.models) == (attack.gone + attack.chance("flee"), attack.models_lost.mean)


def test_house_rules_are_heeded() -> None:
    """R-32: by house rule only the Champion's own dice have the [A] of his charge."""
    one, two = army("mice_at_arms", heroes={1: "champion"}), army("mice_at_arms")
    by_book = compare(one, two).there.rows[1].cells[1].blow
    by_house_rule = compare(one, two, options=Options.from_differences({"champion_scope": "model"})).there
    other = by_house_rule.rows[1].cells[1].blow
    assert by_book is not None
    assert other is not None
    assert other.damage < by_book.damage


def test_who_cannot_attack_is_told_so_once() -> None:
    table = compare(army("field_mice", "bow_mice"), HOPPERS, Setting("shooting")).there
    assert table.rows[1].why_never == "Field Mice: no shooting attack, and no Ranger among them."
    assert table.rows[2].why_never == ""
    nobody = compare(army("field_mice"), HOPPERS, Setting("shooting")).there
    assert (nobody.strongest, nobody.damage, nobody.breaks) == (None, None, None)


def test_nobody_in_a_building_is_shot_at() -> None:
    table = compare(CAT, HOPPERS, Setting("shooting", target_at="building")).there
    assert all(cell.blow is None for row in table.rows for cell in row.cells)


@pytest.mark.parametrize("kind", ["melee", "shooting"])
@pytest.mark.parametrize("ground", [terrain.key for terrain in TERRAINS if terrain.enterable])
def test_every_unit_can_be_asked_about_on_every_ground(kind, ground: str) -> None:
    every = Army(tuple(MusteredUnit(Slot("house", number), unit.key) for number, unit in enumerate(UNITS)))
    found = compare(every, every, Setting(kind, at=ground, target_at=ground))
    for row in found.there.rows:
        for cell in row.cells:
            assert (cell.blow is None) == bool(cell.why_not)
            if cell.blow:
                assert 0 <= cell.blow.destroys <= cell.blow.breaks <= 1
    assert found.there == found.back


def test_the_best_target_of_each_unit_is_marked() -> None:
    for row in compare(CAT, army("hoppers", "mice_at_arms")).there.rows:
        best = max(cell.blow.breaks for cell in row.cells if cell.blow)
        assert [cell.best for cell in row.cells] == [bool(cell.blow and cell.blow.breaks == best) for cell in row.cells]


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "siege"}, {"at": "obstacle"}, {"event": "rain"}, {"inches": INCHES_MOST + 1}, {"inches": float("nan")}],
)
def test_a_situation_that_cannot_be_is_refused(wrong: dict) -> None:
    with pytest.raises(Refusal):
        Setting(**wrong)


def test_each_distinct_pair_is_reckoned_once() -> None:
    blow.cache_clear()
    many = army("hoppers", "hoppers", "hoppers", "hoppers")
    compare(many, many)
    assert blow.cache_info().misses == 4  # King and Hoppers, against King and Hoppers
    compare(many, many)
    assert blow.cache_info().misses == 4


# ── The page ─────────────────────────────────────────────────────────────────────────────────────────────


def get(**query: object):
    return Client().get(PAGE, query)


def test_two_codes_are_compared_for_anybody_without_a_query(db, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        page = get(a=OTTER, b=FINCH, one="Oakhold", two="Fenwick")
    told = unescape(page.content.decode())
    sheet = page.context["sheet"]
    assert page.status_code == 200
    assert "Oakhold attacks" in re.sub(r"</?bdi>", "", told)
    assert "The attackers charge." in told
    assert told.count("<table") == 3
    cells = sum(len(row.cells) for strikes in sheet.strikes for row in strikes.table.rows)
    assert told.count("/rules/odds/?kind=melee") == cells
    assert sheet.one.totals.units + sheet.two.totals.units == told.count('scope="rowgroup"')


def test_a_cell_leads_to_the_same_figures_in_the_rulebook(db) -> None:
    setting = {"kind": "shooting", "inches": "9", "target_at": "barrier", "moved": "on"}
    page = get(a=OTTER, b=FINCH, **setting)
    assert page.status_code == 200
    for strikes in page.context["sheet"].strikes:
        for row in strikes.table.rows:
            for cell in row.cells:
                if cell.blow:
                    odds_page = Client().get(f"/rules/odds/?{cell.question}")
                    assert odds_page.status_code == 200
                    assert odds_page.context["sheet"].average == f"{float(cell.blow.models):.1f}"


def test_the_usual_situations_are_one_tap_away(db) -> None:
    for words, query, _ in get(a=OTTER, b=FINCH).context["usual"]:
        page = Client().get(f"{PAGE}?{query}")
        assert [name for name, _, chosen in page.context["usual"] if chosen] == [words]
        assert page.context["sheet"].one.code == OTTER


def test_a_link_with_one_code_asks_for_the_other(db) -> None:
    page = get(a=OTTER)
    assert page.status_code == 200
    assert f'value="{OTTER}"' in page.content.decode()
    assert "missing" not in page.content.decode()


def test_two_fresh_armies_come_with_one_tap(db) -> None:
    answer = Client().get(f"{PAGE}fresh/")
    assert answer.status_code == 302
    assert Client().get(answer["Location"]).context["sheet"].strikes


def test_armies_of_a_siege_are_compared_too(db) -> None:
    attacker = code("otter", Call(2, siege="attacker", vp=30), rebels=True)
    page = get(a=attacker, b=code("finch", Call(2, siege="defender")), kind="shooting", inches=6)
    assert page.status_code == 200
    assert "A Cat-non shoots at castle pieces only, never at a unit." in page.content.decode()


def test_different_house_rules_are_told(db) -> None:
    other = code("finch", Call(0, options=Options.from_differences({"champion_scope": "model"})))
    assert "different house rules" in get(a=OTTER, b=other).content.decode()
    assert "different house rules" not in get(a=OTTER, b=FINCH).content.decode()


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"a": OTTER, "b": ""}, "The code of the second army is missing."),
        ({"a": " ", "b": OTTER}, "The code of the first army is missing."),
        ({"a": OTTER, "b": "nonsense!"}, "The second army:"),
        ({"a": OTTER[:-1] + ("2" if OTTER[-1] != "2" else "3"), "b": FINCH}, "The first army:"),
        ({"a": OTTER, "b": FINCH, "one": "Oak", "two": "OAK"}, "same name"),
        ({"a": OTTER, "b": FINCH, "kind": "siege"}, "Some of these values cannot be taken."),
        ({"a": OTTER, "b": FINCH, "kind": "shooting", "inches": "99"}, "Some of these values cannot be taken."),
        ({"a": OTTER, "b": FINCH, "kind": "shooting", "inches": "nan"}, "Some of these values cannot be taken."),
        ({"a": OTTER, "b": FINCH, "kind": "melee", "target_at": "moon"}, "Some of these values cannot be taken."),
    ],
)
def test_what_makes_no_sense_is_a_sentence_with_the_form_again(query: dict, sentence: str, db) -> None:
    page = get(**query)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert 'name="target_at"' in page.content.decode()
    assert Client().get(API, query).status_code in (400, 422)


def test_names_are_shown_as_text_and_never_as_markup(db) -> None:
    page = get(a=OTTER, b=FINCH, one="<script>alert(1)</script>").content.decode()
    assert "<script>alert" not in page


def test_json_draws_the_same_sheet_exactly(db, django_assert_num_queries) -> None:
    query = {"a": OTTER, "b": FINCH, "kind": "melee", "target_at": "barrier"}
    with django_assert_num_queries(0):
        told = Client().get(API, query).json()
    sheet = get(**query, charged="on").context["sheet"]
    assert told["setting"]["charged"] is True
    for strikes, drawn in zip(told["strikes"], sheet.strikes, strict=True):
        assert Fraction(strikes["breaks"]["exact"]) == drawn.table.breaks
        for unit, row in zip(strikes["units"], drawn.table.rows, strict=True):
            for one, cell in zip(unit["against"], row.cells, strict=True):
                assert one["target"] == cell.target.slot.key
                assert Fraction(one["damage"]["exact"]) == cell.blow.damage
