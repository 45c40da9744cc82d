"""Exact odds both ways: battle back, melees fought out, and the engine rolling thousands of dice beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given, settings, strategies as st

from chance import Dice
from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.combat import Exchange, attack_in_melee, fight_exchange, fight_to_the_end, shoot
from rulebook.battle.dice import run_script
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.data.house_rules import Options
from rulebook.odds.attack import melee_odds, shooting_odds
from rulebook.odds.melee import FATES, exchange_odds, fight_odds
from tests.rulebook.all_dice_outcomes import every_way

FATE = {"destroyed": "destroyed", "scatter": "scatters", "flee": "flees"}


def fate(done: Exchange) -> str | None:
    """Who is gone or flees after an exchange, and how; None while it goes on."""
    if done.end == "goes on":
        return None
    side, blow = ("target", done.attack) if done.battle_back is None else ("attacker", done.battle_back)
    return f"{side} {FATE[blow.outcome]}"


# --- an attack and its battle back ------------------------------------------------------------------------------

EXCHANGES = {
    "one against one": Melee(UnitInPlay("field_mice", 1), UnitInPlay("hoppers", 1), charged=True),
    "two against two": Melee(UnitInPlay("bow_mice", 2), UnitInPlay("mice_at_arms", 2, "wizard")),
    "king against cat": Melee(
        UnitInPlay("king", 2), UnitInPlay("battle_cat", 1, wounds=2, spear=True, shield=True), charged=True
    ),
    "assassin both ways": Melee(UnitInPlay("mice_at_arms", 2, "assassin"), UnitInPlay("bow_mice", 2, "assassin")),
    "on a hill, flanked": Melee(
        UnitInPlay("field_mice", 2), UnitInPlay("hoppers", 2), Place("mound", flanked=1), Place("barrier", flanked=2)
    ),
    "charged in flight": Melee(new_unit("hoppers"), UnitInPlay("field_mice", 3, fleeing=True), charged=True),
}


@pytest.mark.parametrize("name", EXCHANGES)
def test_exchange_odds_match_the_engine(name: str) -> None:
    """MELEE-06"""
    situation = EXCHANGES[name]
    walked = every_way(
        lambda: fight_exchange(situation),
        lambda done: (
            fate(done),
            done.attacker,
            done.target,
            done.attack.models_lost,
            done.battle_back.models_lost if done.battle_back else 0,
        ),
    )
    result = exchange_odds(situation)
    ends: dict[Hashable, Fraction] = {}
    for end in result.ends:
        key = end.fate, end.attacker, end.target
        ends[key] = ends.get(key, Fraction(0)) + Fraction(end.ways, result.total)
    walked_ends: dict[Hashable, Fraction] = {}
    for key, chance in walked.items():
        walked_ends[key[:3]] = walked_ends.get(key[:3], Fraction(0)) + chance
    assert {key: chance for key, chance in ends.items() if chance} == walked_ends
    for at, distribution in ((3, result.target_lost), (4, result.attacker_lost)):
        for number, chance in enumerate(distribution.chances):
            assert chance == sum(c for key, c in walked.items() if key[at] == number)
    assert sum(result.fates.values()) + result.goes_on == 1


# --- a melee fought out -----------------------------------------------------------------------------------------


def test_two_lone_mice_by_hand() -> None:
    """MELEE-03: an endless series of exchanges in which nothing happens, summed exactly."""
    one = UnitInPlay("field_mice", 1)
    through = Fraction(8, 10)  # a failed save
    charge, blow, back = Fraction(6, 10) * through, Fraction(5, 10) * through, Fraction(4, 10) * through
    # After the opening every attack has the same chances, whoever's turn it is.
    wins = blow + 0 * back
    falls = (1 - blow) * back
    nothing = (1 - blow) * (1 - back)
    # The one whose turn it is wins in the end with x: x = wins + nothing * (1 - x).
    turn_wins = (wins + nothing) / (1 + nothing)
    opening_nothing = (1 - charge) * (1 - back)
    expected = charge + opening_nothing * (1 - turn_wins)
    result = fight_odds(Melee(one, one, charged=True))
    assert result.attacker_wins == expected
    assert result.target_wins == 1 - expected
    assert falls + wins + nothing == 1
    assert result.exchanges == 1 + opening_nothing / (1 - nothing)
    assert set(result.ends) == {("target destroyed", 1), ("attacker destroyed", 1)}


def test_a_charge_counts_in_the_first_exchange_only() -> None:
    """MELEE-08"""
    one, other = new_unit("mice_at_arms", "wizard"), new_unit("bow_mice")
    charged = fight_odds(Melee(one, other, charged=True))
    walked = fight_odds(Melee(one, other))
    opening = exchange_odds(Melee(one, other, charged=True))
    assert charged.attacker_wins > walked.attacker_wins
    assert charged.attacker_wins > opening.fates["target destroyed"]


def test_charging_a_fleeing_unit_ends_the_melee_at_once() -> None:
    """MELEE-09"""
    result = fight_odds(Melee(new_unit("hoppers"), UnitInPlay("king", 3, fleeing=True), charged=True))
    assert result.ends == {("target destroyed", 3): 1}
    assert result.exchanges == 1


@settings(deadline=None, max_examples=12)
@given(
    st.sampled_from([UnitInPlay("hoppers", 2), UnitInPlay("king", 2), UnitInPlay("battle_cat", 1, wounds=2)]),
    st.sampled_from([UnitInPlay("field_mice", 2), UnitInPlay("bow_mice", 2, "assassin"), UnitInPlay("rat_riders", 1)]),
    st.booleans(),
)
def test_every_melee_ends(one: UnitInPlay, other: UnitInPlay, charged: bool) -> None:
    result = fight_odds(Melee(one, other, charged=charged))
    assert sum(result.ends.values()) == 1
    assert min(result.ends.values()) >= 0
    assert result.exchanges >= 1
    assert sum(result.winner_models("attacker").values()) == result.attacker_wins
    assert sum(result.winner_models("target").values()) == result.target_wins


# --- beside the engine's own dice -------------------------------------------------------------------------------

CAT = new_unit("battle_cat", spear=True, shield=True)
FIGHTS = {
    "mice-at-arms and mice-at-arms": Melee(
        new_unit("mice_at_arms", "champion"), new_unit("mice_at_arms", "assassin"), charged=True
    ),
    "riders into the cat": Melee(new_unit("rat_riders", "barbarian", spear=True), CAT, charged=True),
    "king in a storm": Melee(new_unit("king", "snake_slayer"), new_unit("field_mice", "ladybug"), event="storm"),
    "blessed and kissed": Melee(
        UnitInPlay("bow_mice", 4, kissed=1), UnitInPlay("mice_at_arms", 5, "cleric", blessed=True), charged=True
    ),
}
ATTACKS = {
    "champion's charge": Melee(new_unit("mice_at_arms", "champion"), new_unit("king", "musician"), charged=True),
    "assassins": Melee(new_unit("rat_riders", "assassin"), new_unit("mice_at_arms", "snake_slayer")),
    "bows": Shooting(
        new_unit("bow_mice", "ranger", ladybug=True),
        new_unit("field_mice"),
        12,
        target_at=Place("barrier", king="near"),
    ),
}


def supply(seed: str) -> Iterator[int]:
    dice = Dice(seed)
    while True:
        yield dice.d10()


def close(seen: int, of: int, chance: Fraction) -> bool:
    """Within five standard deviations: one time in two million by chance alone, and the seed is fixed."""
    return abs(seen - of * float(chance)) <= 5 * sqrt(of * float(chance) * (1 - float(chance))) + 1e-9


def roll_attacks(name: str, times: int) -> None:
    situation = ATTACKS[name]
    exact = melee_odds(situation) if isinstance(situation, Melee) else shooting_odds(situation)
    dice = supply(name)
    hits: Counter[int] = Counter()
    lost: Counter[int] = Counter()
    outcomes: Counter[str] = Counter()
    for _ in range(times):
        done = run_script(attack_in_melee(situation) if isinstance(situation, Melee) else shoot(situation), dice)
        hits[done.hits] += 1
        lost[done.models_lost] += 1
        outcomes[done.outcome] += 1
    assert all(close(hits[n], times, chance) for n, chance in enumerate(exact.hits.chances))
    assert all(close(lost[n], times, chance) for n, chance in enumerate(exact.models_lost.chances))
    assert all(close(outcomes[outcome], times, chance) for outcome, chance in exact.outcomes.items())
    assert sum(hits[n] for n in range(len(exact.hits.ways))) == times


def roll_fights(name: str, times: int) -> None:
    situation = FIGHTS[name]
    exact = fight_odds(situation)
    dice = supply(name)
    seen: Counter[str] = Counter()
    exchanges = 0
    for _ in range(times):
        story = run_script(fight_to_the_end(situation), dice)
        exchanges += len(story)
        last = fate(story[-1])
        assert last is not None
        if len(story) % 2 == 0:  # the target of the whole melee made the last attack
            other = {"target": "attacker", "attacker": "target"}
            side, how = last.split()
            last = f"{other[side]} {how}"
        seen[last] += 1
    assert all(close(seen[f], times, exact.fates[f]) for f in FATES)
    assert abs(exchanges / times - float(exact.exchanges)) < 8 * float(exact.exchanges) / sqrt(times)


@pytest.mark.parametrize("name", ATTACKS)
def test_rolled_attacks_match_the_odds(name: str) -> None:
    roll_attacks(name, 10_000)


@pytest.mark.parametrize("name", FIGHTS)
def test_rolled_melees_match_the_odds(name: str) -> None:
    roll_fights(name, 3_000)


@pytest.mark.soak
@pytest.mark.parametrize("name", ATTACKS)
def test_million_rolled_attacks_match_the_odds(name: str) -> None:
    """A million in all."""
    roll_attacks(name, 1_000_000 // len(ATTACKS) + 1)


@pytest.mark.soak
@pytest.mark.parametrize("name", FIGHTS)
def test_hundred_thousand_rolled_melees_match_the_odds(name: str) -> None:
    """A hundred thousand in all."""
    roll_fights(name, 100_000 // len(FIGHTS))


def test_house_rules_apply_to_melee_odds() -> None:
    """R-24, R-23"""
    situation = Melee(new_unit("bow_mice"), new_unit("king"), target_at=Place(flanked=3), at=Place(flanked=1))
    book = fight_odds(situation).attacker_wins
    assert fight_odds(situation, Options(flank_stacks=True)).attacker_wins > book
    # Counted in wounds the King's unit weighs 4, not 3, against four bows.
    assert fight_odds(situation, Options(outnumber_by="wounds")).attacker_wins < book


def test_blessing_lasts_only_the_first_round_of_a_long_fight() -> None:
    """R-36: two lone mice, by hand."""
    one = UnitInPlay("field_mice", 1)
    fails = Fraction(8, 10)
    blow, back = Fraction(5, 10), Fraction(4, 10)

    def exchange_chances(striker_fails: Fraction, struck_fails: Fraction) -> tuple[Fraction, Fraction]:
        """The one who strikes wins; nothing happens."""
        wins = blow * struck_fails
        return wins, (1 - wins) * (1 - back * striker_fails)

    wins, nothing = exchange_chances(fails, fails)
    later = (wins + nothing) / (1 + nothing)  # for whoever's turn it is, when nobody is blessed
    blessed = fails * Fraction(9, 10)
    wins_1, nothing_1 = exchange_chances(blessed, fails)  # the blessed mouse opens
    wins_2, nothing_2 = exchange_chances(fails, blessed)  # the other answers in the same round
    loses_2 = 1 - wins_2 - nothing_2
    expected = wins_1 + nothing_1 * (loses_2 + nothing_2 * later)
    assert fight_odds(Melee(replace(one, blessed=True), one)).attacker_wins == expected


def test_a_storm_and_a_kiss_last_the_first_round_only() -> None:
    """EVENT-03, R-35"""
    one, other = UnitInPlay("field_mice", 2), UnitInPlay("hoppers", 2)
    kissed = fight_odds(Melee(replace(one, kissed=1), other, event="storm"))
    walked = _two_rounds(Melee(replace(one, kissed=1), other, event="storm"))
    for fate_ in FATES:
        assert kissed.fates[fate_] == walked[fate_]


def _two_rounds(situation: Melee) -> dict[str, Fraction]:
    """The first round exchange by exchange, then plain fights of what is left."""
    chances = dict.fromkeys(FATES, Fraction(0))
    swap = dict(zip(FATES, (*FATES[3:], *FATES[:3]), strict=True))
    first = exchange_odds(situation)
    for end in first.ends:
        part = Fraction(end.ways, first.total)
        if end.fate is not None:
            chances[end.fate] += part
            continue
        second = exchange_odds(situation.next_exchange(end.attacker, end.target, situation.event))
        for answer in second.ends:
            share = part * Fraction(answer.ways, second.total)
            if answer.fate is not None:
                chances[swap[answer.fate]] += share
                continue
            rest = fight_odds(Melee(answer.target.round_over(), answer.attacker.round_over()))
            for fate_, chance in rest.fates.items():
                chances[fate_] += share * chance
    return chances
