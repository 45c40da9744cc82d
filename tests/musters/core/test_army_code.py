"""The army code: the same army from the same letters, everywhere and for ever; a typing mistake is named."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chance import Dice
from musters.rolls.bits import LETTERS
from musters.rolls.code import OPTION_NUMBERS, Source, code_of, recipe_of
from musters.rolls.course import army_at_once, dice_of, played, quick
from musters.rolls.words import WORDS, counted_word, drawn_words
from musters.sheet import roster
from refusal import Refusal
from rulebook.muster import Muster, answer, begin, reroll
from rulebook.muster_table import Call
from rulebook.options import OPTION, Options

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
    Call,
    st.integers(-9, 9),
    st.sets(st.integers(1, 4)).map(lambda found: tuple(sorted(found))),
    st.sampled_from([None, "attacker", "defender"]),
    st.integers(0, 30),
    options,
)
words = st.lists(
    st.text(min_size=1, max_size=12).filter(lambda w: w.strip() and w.isprintable()), min_size=1, max_size=3
)


def wilful(call: Call, throw, whims: Dice) -> Muster:
    """A captain who chooses and re-rolls as the whim takes him."""
    muster = begin(call)
    while muster.question is not None:
        if muster.can_reroll and whims.below(3) == 0:
            muster = reroll(muster, throw(), "old" if whims.below(2) else "new")
        elif muster.question.die:
            muster = answer(muster, throw())
        else:
            muster = answer(muster, whims.choice(muster.question.choices).key)
    return muster


@settings(max_examples=60)
@given(calls, words, st.sampled_from(["", "attacker", "defender"]), st.integers(0, 10**6))
def test_whatever_was_rolled_and_chosen_the_code_gives_the_same_army(call, given_words, side, whim):
    muster = wilful(call, dice_of(given_words, side).d10, Dice(str(whim)))
    for source in (Source(tuple(given_words), side), Source()):
        code = code_of(muster, source)
        read = recipe_of(code.lower().replace("-", " "))
        assert read.muster.army == muster.army
        assert read.code == code
        assert roster(read.army, options=read.muster.call.options) == roster(muster.army, options=muster.call.options)


def test_a_quick_army_is_the_same_at_once_and_question_by_question():
    for number in range(200):
        drawn = drawn_words(Dice(f"quick {number}"))
        call = Call(number % 7 - 3)
        assert army_at_once(call, drawn) == quick(call, drawn).army
    siege = Call(0, (), "attacker", 15)
    assert army_at_once(siege, ("moss",), rebels=2) == quick(siege, ("moss",), 2).army
    assert quick(siege, ("moss",), 2).vp_spent == 10


def test_a_code_printed_in_the_first_year_still_gives_its_army():
    """If this fails, printed codes have been broken: find another way."""
    muster = quick(Call(1), ("flint", "copper", "dogwood"))
    assert code_of(muster, Source(("flint", "copper", "dogwood"))) == "8JWB9-G91FG-B8VW0"
    army = recipe_of("8JWB9-G91FG-B8VW0").army
    assert [unit.name for unit in army.units] == [
        "King",
        "Bow-Mice",
        "Mice-at-Arms led by a Champion",
        "Ballista",
        "Battle Cat with spear and shield",
    ]


def test_a_quick_code_is_fifteen_letters():
    drawn = drawn_words(Dice("short"))
    assert len(code_of(quick(Call(3), drawn), Source(drawn)).replace("-", "")) == 15
    assert len(WORDS) == len(set(WORDS)) == 256


@pytest.mark.parametrize("at", range(15))
def test_one_wrong_letter_or_two_swapped_ones_are_told_with_their_group(at):
    code = code_of(quick(Call(), ("flint", "copper", "dogwood")), Source(("flint", "copper", "dogwood"))).replace(
        "-", ""
    )
    group = ("first", "second", "third")[at // 5]
    for letter in LETTERS:
        if letter != code[at]:
            with pytest.raises(Refusal, match=f"typing mistake in the {group} group"):
                recipe_of(code[:at] + letter + code[at + 1 :])
    if at % 5 < 3 and code[at] != code[at + 1]:
        swapped = code[:at] + code[at + 1] + code[at] + code[at + 2 :]
        with pytest.raises(Refusal, match=f"typing mistake in the {group} group"):
            recipe_of(swapped)


def test_groups_left_out_doubled_or_swapped_are_told():
    code = code_of(quick(Call(), ("flint", "copper", "dogwood")), Source(("flint", "copper", "dogwood")))
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
            recipe_of(wrong)
    with pytest.raises(Refusal, match="does not occur in army codes"):
        recipe_of("8HWBé-G91FG")
    assert recipe_of(f"https://mice.example.org/musters/a/{code}/?print=1").code == code
    assert recipe_of(code.replace("0", "o").replace("1", "l")).code == code, "look-alikes are read as meant"


def test_random_letters_never_break_the_reader():
    from musters.rolls.bits import spelled

    dice = Dice("noise")
    for _ in range(300):
        noise = spelled([dice.below(2) for _ in range(20 * (1 + dice.below(6)))])
        with pytest.raises(Refusal):
            recipe_of(noise)


def test_words_count_however_a_phone_wrote_them():
    """NFC and casefold: Ёж composed or not, MOSS or moss."""
    assert dice_of(("Ёж",)).d10s(9) == dice_of(("\u0415\u0308\u0416",)).d10s(9)
    assert counted_word("  Straße ") == "strasse"
    assert counted_word("鼠") == "鼠"
    for wrong in ("", "   ", "a" * 41, "a\u0000b"):
        with pytest.raises(Refusal):
            counted_word(wrong)


def test_every_house_rule_that_touches_an_army_has_its_number():
    assert set(OPTION_NUMBERS) <= set(OPTION)
    assert sorted(OPTION_NUMBERS.values()) == list(range(len(OPTION_NUMBERS)))


def test_typed_dice_are_carried_as_they_fell():
    faces = iter([3, 7, 2, 5, 1, 1, 1, 10, 10, 9, 8])
    muster = played(Call(), lambda: next(faces))
    assert recipe_of(code_of(muster)).army.dice == muster.army.dice
