"""The army code: the same code always gives the same army; a typing mistake is located."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from chance import Dice
from musters.core.army_code import LETTERS, OPTION_NUMBERS, DiceSource, code_of, decode_army
from musters.core.auto_roll import (
    WORDS,
    clean_word,
    dice_from_words,
    draw_words,
    play_muster,
    play_quick_muster,
    roll_army,
)
from musters.display import build_roster
from refusal import Refusal
from rulebook.data.house_rules import OPTION, Options
from rulebook.data.muster_table import MusterCall
from rulebook.muster.roll_muster import Muster, answer_question, begin_muster, reroll_last_die

options = st.builds(
    Options,
    fealty_regain=st.sampled_from(["next_muster", "roll_at_once"]),
    lesser_unit=st.sampled_from(["any_lower", "next_lower"]),
    loyalty_cap=st.sampled_from([None, 1, 3, 20]),
    unique_heroes=st.sampled_from(["choice", "forced"]),
    rebel_zero=st.sampled_from(["hoppers", "none"]),
    rebel_loyalty=st.booleans(),
    barbarian=st.sampled_from(["plus_one", "double", "melee_only"]),
)
calls = st.builds(
    MusterCall,
    st.integers(-9, 9),
    st.sets(st.integers(1, 4)).map(lambda found: tuple(sorted(found))),
    st.sampled_from([None, "attacker", "defender"]),
    st.integers(0, 30),
    options,
)
words = st.lists(
    st.text(min_size=1, max_size=12).filter(lambda w: w.strip() and w.isprintable()), min_size=1, max_size=3
)


def random_choices(call: MusterCall, throw, whims: Dice) -> Muster:
    """A player with random choices and re-rolls."""
    muster = begin_muster(call)
    while muster.question is not None:
        if muster.can_reroll and whims.below(3) == 0:
            muster = reroll_last_die(muster, throw(), "old" if whims.below(2) else "new")
        elif muster.question.die:
            muster = answer_question(muster, throw())
        else:
            muster = answer_question(muster, whims.choice(muster.question.choices).key)
    return muster


@settings(max_examples=60)
@given(calls, words, st.sampled_from(["", "attacker", "defender"]), st.integers(0, 10**6))
def test_code_round_trips_any_rolls_and_choices(call, given_words, side, whim):
    muster = random_choices(call, dice_from_words(given_words, side).d10, Dice(str(whim)))
    for source in (DiceSource(tuple(given_words), side), DiceSource()):
        code = code_of(muster, source)
        read = decode_army(code.lower().replace("-", " "))
        assert read.muster.army == muster.army
        assert read.code == code
        assert build_roster(read.army, options=read.muster.call.options) == build_roster(
            muster.army, options=muster.call.options
        )


def test_quick_army_matches_step_by_step_muster():
    for number in range(200):
        drawn = draw_words(Dice(f"quick {number}"))
        call = MusterCall(number % 7 - 3)
        assert roll_army(call, drawn) == play_quick_muster(call, drawn).army
    siege = MusterCall(0, (), "attacker", 15)
    assert roll_army(siege, ("moss",), rebels=2) == play_quick_muster(siege, ("moss",), 2).army
    assert play_quick_muster(siege, ("moss",), 2).vp_spent == 10


def test_old_code_still_gives_its_army():
    """If this fails, printed codes no longer work: find another way."""
    muster = play_quick_muster(MusterCall(1), ("flint", "copper", "dogwood"))
    assert code_of(muster, DiceSource(("flint", "copper", "dogwood"))) == "8JWB9-G91FG-B8VW0"
    army = decode_army("8JWB9-G91FG-B8VW0").army
    assert [unit.name for unit in army.units] == [
        "King",
        "Bow-Mice",
        "Mice-at-Arms led by a Champion",
        "Ballista",
        "Battle Cat with spear and shield",
    ]


def test_quick_code_has_fifteen_letters():
    drawn = draw_words(Dice("short"))
    assert len(code_of(play_quick_muster(MusterCall(3), drawn), DiceSource(drawn)).replace("-", "")) == 15
    assert len(WORDS) == len(set(WORDS)) == 256


@pytest.mark.parametrize("at", range(15))
def test_typing_mistake_is_located_by_group(at):
    code = code_of(
        play_quick_muster(MusterCall(), ("flint", "copper", "dogwood")), DiceSource(("flint", "copper", "dogwood"))
    ).replace("-", "")
    group = ("first", "second", "third")[at // 5]
    for letter in LETTERS:
        if letter != code[at]:
            with pytest.raises(Refusal, match=f"typing mistake in the {group} group"):
                decode_army(code[:at] + letter + code[at + 1 :])
    if at % 5 < 3 and code[at] != code[at + 1]:
        swapped = code[:at] + code[at + 1] + code[at] + code[at + 2 :]
        with pytest.raises(Refusal, match=f"typing mistake in the {group} group"):
            decode_army(swapped)


def test_missing_doubled_or_swapped_groups_are_refused():
    code = code_of(
        play_quick_muster(MusterCall(), ("flint", "copper", "dogwood")), DiceSource(("flint", "copper", "dogwood"))
    )
    first, second, third = code.split("-")
    for wrong in (
        f"{second}-{first}-{third}",
        f"{first}-{third}",
        f"{first}-{second}",
        f"{code}-{third}",
        code[:-2],
        "",
    ):
        with pytest.raises(Refusal):
            decode_army(wrong)
    with pytest.raises(Refusal, match="is not used in army codes"):
        decode_army("8HWBé-G91FG")
    assert decode_army(f"https://mice.example.org/musters/a/{code}/?print=1").code == code
    assert decode_army(code.replace("0", "o").replace("1", "l")).code == code, "look-alikes are read as meant"


def test_random_letters_never_crash_the_decoder():
    from musters.core.army_code import encode_bits

    dice = Dice("noise")
    for _ in range(300):
        noise = encode_bits([dice.below(2) for _ in range(20 * (1 + dice.below(6)))])
        with pytest.raises(Refusal):
            decode_army(noise)


def test_words_are_normalised():
    """NFC and casefold: Ёж composed or not, MOSS or moss."""
    assert dice_from_words(("Ёж",)).d10s(9) == dice_from_words(("\u0415\u0308\u0416",)).d10s(9)
    assert clean_word("  Straße ") == "strasse"
    assert clean_word("鼠") == "鼠"
    for wrong in ("", "   ", "a" * 41, "a\u0000b"):
        with pytest.raises(Refusal):
            clean_word(wrong)


def test_every_army_house_rule_has_a_code_number():
    assert set(OPTION_NUMBERS) <= set(OPTION)
    assert sorted(OPTION_NUMBERS.values()) == list(range(len(OPTION_NUMBERS)))


def test_typed_dice_are_kept_in_the_code():
    faces = iter([3, 7, 2, 5, 1, 1, 1, 10, 10, 9, 8])
    muster = play_muster(MusterCall(), lambda: next(faces))
    assert decode_army(code_of(muster)).army.dice == muster.army.dice
