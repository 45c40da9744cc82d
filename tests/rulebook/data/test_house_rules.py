"""House rules: the ledger's fourth section, each with its default."""

from __future__ import annotations

from dataclasses import fields

import pytest
from hypothesis import given, strategies as st

from refusal import Refusal
from rulebook.data.house_rules import BY_THE_BOOK, OPTION, OPTIONS, Options

# The ledger's list, default first.
LEDGER = """
fealty_regain next_muster|roll_at_once
lesser_unit any_lower|next_lower
loyalty_cap none|n
unique_heroes choice|forced
double_rule min_two|literal|difference
bad_goings_all on|off
natural_one_morale table|scatter
outnumber_by models|wounds
flank_stacks off|on
machines_aim off|on
champion_scope unit|model
barbarian plus_one|double|melee_only
bearers_stack off|on
castle_within all|adjacent
torch_in_melee off|on
initiative once|each_round|alternate
base_vp_when_silent off|on
reroll_enemy_dice off|on
rout_ends_battle on|off
break_free_winner any_escape|majority
attacker_is_side_a off|on
third_party_attacks off|on
kingdoms_to_hold 2|n
attacker_choice all_roll|agreed_pair
siege_win destroy|sole_occupant
sauce_morale on|off
sauce_kills_multiwound off|on
rebel_zero hoppers|none
rebel_loyalty off|on
ai_spends_vp off|on
random_events off|on
"""
PRINTED = [line.split() for line in LEDGER.strip().splitlines()]


@pytest.mark.parametrize(("key", "values"), PRINTED)
def test_every_option_of_the_ledger_has_its_choices_and_its_default(key: str, values: str) -> None:
    row = OPTION[key]
    words = {True: "on", False: "off", None: "none"}
    default = words.get(row.default, str(row.default)) if not isinstance(row.default, str) else row.default
    assert default == values.split("|")[0]
    assert getattr(BY_THE_BOOK, key) == row.default
    if row.kind != "number":
        assert [words.get(c.value, c.value) for c in row.choices] == values.split("|")
    assert row.text
    assert all(choice.text and choice.title for choice in row.choices)


def test_the_rows_and_the_fields_are_the_same_list() -> None:
    assert [field.name for field in fields(Options)] == [row.key for row in OPTIONS] == [key for key, _ in PRINTED]


def test_printed_rules_have_no_differences() -> None:
    assert BY_THE_BOOK.differences() == {}
    assert Options.from_differences({}) == BY_THE_BOOK


@st.composite
def house_rules(draw: st.DrawFn) -> dict[str, object]:
    chosen = draw(st.lists(st.sampled_from(OPTIONS), unique=True))
    return {
        row.key: draw(st.integers(row.least or 0, row.most or 0))
        if row.kind == "number"
        else draw(st.sampled_from([choice.value for choice in row.choices]))
        for row in chosen
    }


@given(house_rules())
def test_differences_survive_a_round_trip(differences: dict[str, object]) -> None:
    options = Options.from_differences(differences)
    assert Options.from_differences(options.differences()) == options
    assert all(OPTION[key].default != value for key, value in options.differences().items())
    for key in differences:
        assert OPTION[key].format_value(getattr(options, key))
        assert OPTION[key].meaning(getattr(options, key)).endswith(".")


def test_switch_accepts_on_and_off() -> None:
    assert Options.from_differences({"flank_stacks": "on"}).flank_stacks is True
    assert Options.from_differences({"sauce_morale": "off"}).sauce_morale is False


def test_limit_accepts_a_number_or_none() -> None:
    assert Options.from_differences({"loyalty_cap": "5"}).loyalty_cap == 5
    assert Options.from_differences({"loyalty_cap": "none"}).loyalty_cap is None
    assert OPTION["loyalty_cap"].meaning(5) == "Loyalty stays between −5 and +5."


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("cheese", "on", "There is no house rule “cheese”"),
        ("flank_stacks", "perhaps", "flank_stacks cannot be “perhaps”. Choose on or off."),
        ("flank_stacks", 1, "flank_stacks cannot be 1. Choose on or off."),
        ("barbarian", "triple", "Choose plus_one, double or melee_only."),
        ("loyalty_cap", 0, "Choose none or a number from 1 to 20."),
        ("loyalty_cap", "-3", "Choose none or a number from 1 to 20."),
        ("kingdoms_to_hold", 1, "Choose a number from 2 to 100."),
        ("kingdoms_to_hold", None, "Choose a number from 2 to 100."),
        ("kingdoms_to_hold", True, "Choose a number from 2 to 100."),
    ],
)
def test_a_wrong_house_rule_is_refused_with_what_is_allowed(key: str, value: object, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        Options.from_differences({key: value})
    assert sentence in refused.value.sentence
    assert refused.value.field == key


def test_options_built_by_hand_are_checked_too() -> None:
    with pytest.raises(Refusal, match="initiative"):
        Options(initiative="sometimes")  # type: ignore[arg-type]
    with pytest.raises(Refusal, match="sauce_morale"):
        Options(sauce_morale="on")  # type: ignore[arg-type]
