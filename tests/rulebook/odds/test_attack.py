"""Exact odds of one attack, against every way the dice can fall."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from refusal import Refusal
from rulebook.battle.attack_situations import Casting, Melee, Morale, Rally, Shooting
from rulebook.battle.combat import AttackResult, attack_in_melee, shoot
from rulebook.battle.hero_powers import cast_spell
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.data.heroes import HERO
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.units import UNITS
from rulebook.odds.attack import AttackOdds, cast_odds, melee_odds, morale_odds, rally_odds, shooting_odds
from rulebook.odds.distribution import chance_to_roll, hits_then_saves
from tests.rulebook.all_dice_outcomes import all_faces, every_way, rally_over_rounds, spread

SWAMP = Place("bad_goings")
ONE_MOUSE, TWO_MICE = UnitInPlay("field_mice", 1), UnitInPlay("field_mice", 2)


def result(done: AttackResult) -> tuple[int, int, int, str, UnitInPlay | None]:
    return done.hits, done.wounds, done.models_lost, done.outcome, done.target


def agree(exact: AttackOdds, counted: dict) -> None:
    """Every figure of the exact odds is the sum over the rolls that were played out."""
    for at, distribution in enumerate((exact.hits, exact.wounds, exact.models_lost)):
        walked: dict[int, Fraction] = {}
        for key, chance in counted.items():
            walked[key[at]] = walked.get(key[at], Fraction(0)) + chance
        assert {n: c for n, c in enumerate(distribution.chances) if c} == dict(sorted(walked.items()))
        assert sum(distribution.chances) == 1
    ends: dict[object, Fraction] = {}
    for end in exact.ends:
        ends[end.outcome, end.after] = ends.get((end.outcome, end.after), Fraction(0)) + Fraction(end.ways, exact.total)
    walked_ends: dict[object, Fraction] = {}
    for (_, _, _, outcome, after), chance in counted.items():
        walked_ends[outcome, after] = walked_ends.get((outcome, after), Fraction(0)) + chance
    assert spread(ends) == walked_ends
    assert exact.gone == sum(
        chance for (outcome, _), chance in walked_ends.items() if outcome in ("scatter", "destroyed")
    )


# --- every face of every die ------------------------------------------------------------------------------------

TINY = [
    Melee(ONE_MOUSE, TWO_MICE),
    Melee(ONE_MOUSE, new_unit("hoppers"), charged=True),
    Melee(ONE_MOUSE, ONE_MOUSE, battling_back=True),
    Melee(UnitInPlay("king", 1), UnitInPlay("king", 1, wounds=1)),
]
# Up to a hundred thousand rolls each.
SMALL = [
    Melee(UnitInPlay("mice_at_arms", 1, "assassin"), UnitInPlay("hoppers", 3)),
    Melee(ONE_MOUSE, replace(TWO_MICE, blessed=True)),
    Melee(UnitInPlay("mice_at_arms", 1, "barbarian"), UnitInPlay("bow_mice", 2)),
]


@pytest.mark.parametrize("situation", TINY, ids=lambda s: f"{s.attacker.key}-{s.attacker.hero}-{s.target.key}")
def test_odds_match_a_full_count_of_all_rolls(situation: Melee) -> None:
    agree(melee_odds(situation), every_way(lambda: attack_in_melee(situation), result, all_faces))


@pytest.mark.soak
@pytest.mark.parametrize("situation", SMALL, ids=lambda s: f"{s.attacker.key}-{s.attacker.hero}-{s.target.key}")
def test_odds_match_a_full_count_of_all_rolls_for_larger_units(situation: Melee) -> None:
    agree(melee_odds(situation), every_way(lambda: attack_in_melee(situation), result, all_faces))


# --- whole units, a hit and a miss taken together ----------------------------------------------------------------

ASSASSINS = new_unit("mice_at_arms", "assassin")
CAT = new_unit("battle_cat", spear=True, shield=True)
BLOWS = {
    "five against five": Melee(new_unit("mice_at_arms", "wizard"), new_unit("mice_at_arms", "ranger"), charged=True),
    "champion": Melee(new_unit("field_mice", "champion"), new_unit("bow_mice"), charged=True),
    "king re-rolls": Melee(new_unit("king"), new_unit("field_mice")),
    "king with champion": Melee(new_unit("king", "champion"), new_unit("hoppers"), charged=True),
    "assassin": Melee(UnitInPlay("mice_at_arms", 4, "assassin"), new_unit("bow_mice")),
    "assassin against the king": Melee(UnitInPlay("mice_at_arms", 3, "assassin"), new_unit("king", "snake_slayer")),
    "barbarian": Melee(UnitInPlay("mice_at_arms", 3, "barbarian"), new_unit("hoppers")),
    "blessed target": Melee(UnitInPlay("mice_at_arms", 3, "wizard"), replace(new_unit("field_mice"), blessed=True)),
    "princess": Melee(UnitInPlay("bow_mice", 3, kissed=1), new_unit("hoppers")),
    "shield": Melee(UnitInPlay("mice_at_arms", 4, "wizard"), CAT),
    "shield against an assassin": Melee(UnitInPlay("mice_at_arms", 4, "assassin"), replace(CAT, wounds=3)),
    "the cat strikes": Melee(new_unit("battle_cat", spear=True), new_unit("bow_mice"), charged=True),
    "the cat kissed": Melee(UnitInPlay("battle_cat", 1, kissed=1), UnitInPlay("hoppers", 2)),
    "ladybugs": Melee(new_unit("field_mice", "ladybug"), new_unit("field_mice", "ladybug")),
    "snake-slayer": Melee(new_unit("bow_mice"), UnitInPlay("mice_at_arms", 2, "snake_slayer", wounds=1)),
    "musician": Melee(new_unit("bow_mice"), new_unit("mice_at_arms", "musician")),
    "musician beside the king": Melee(new_unit("bow_mice"), new_unit("king", "musician")),
    "bearer beside the king": Melee(new_unit("bow_mice"), new_unit("king", "standard_bearer")),
    "king flanked in a swamp": Melee(new_unit("bow_mice"), new_unit("king"), target_at=Place("bad_goings", flanked=1)),
    "messenger": Melee(UnitInPlay("bow_mice", 4, first_activated=True), new_unit("hoppers"), event="messenger"),
    "natural one and ten": Melee(
        UnitInPlay("king", 3, ladybug=True), new_unit("hoppers"), target_at=SWAMP, charged=True
    ),
    "charged in flight": Melee(new_unit("hoppers"), UnitInPlay("field_mice", 3, fleeing=True), charged=True),
}
SHOTS = {
    "bows": Shooting(new_unit("bow_mice"), new_unit("field_mice"), 6),
    "ranger among bows": Shooting(new_unit("bow_mice", "ranger"), new_unit("mice_at_arms", "wizard"), 12),
    "ranger alone": Shooting(new_unit("king", "ranger"), new_unit("hoppers"), 6),
    "barbarian bows": Shooting(UnitInPlay("bow_mice", 3, "barbarian"), new_unit("hoppers"), 6),
    "assassin bows": Shooting(UnitInPlay("bow_mice", 3, "assassin"), new_unit("hoppers"), 6),
    "ballista": Shooting(new_unit("ballista"), new_unit("rat_riders"), 20, target_at=Place("barrier")),
    "the cat's shot": Shooting(new_unit("battle_cat"), new_unit("king"), 6),
    "at a fleeing unit": Shooting(new_unit("bow_mice"), UnitInPlay("field_mice", 3, fleeing=True), 6),
    "at a fleeing king": Shooting(new_unit("hoppers"), UnitInPlay("king", 3, fleeing=True), 6),
    "at a blessed king": Shooting(new_unit("hoppers"), UnitInPlay("king", 3, "cleric", blessed=True), 6),
    "at a lost king's mice": Shooting(new_unit("bow_mice"), new_unit("field_mice"), 6, target_at=Place(king="gone")),
}


@pytest.mark.parametrize("name", BLOWS)
def test_melee_attack_odds_match_the_engine(name: str) -> None:
    situation = BLOWS[name]
    agree(melee_odds(situation), every_way(lambda: attack_in_melee(situation), result))


@pytest.mark.parametrize("name", SHOTS)
def test_shooting_odds_match_the_engine(name: str) -> None:
    situation = SHOTS[name]
    agree(shooting_odds(situation), every_way(lambda: shoot(situation), result))


HOUSE_RULES = [
    Options(double_rule="literal"),
    Options(double_rule="difference"),
    Options(bad_goings_all=False),
    Options(natural_one_morale="scatter"),
    Options(outnumber_by="wounds"),
    Options(flank_stacks=True),
    Options(champion_scope="model"),
    Options(bearers_stack=True),
]


@pytest.mark.parametrize("options", HOUSE_RULES, ids=lambda options: str(options.differences()))
def test_house_rules_change_engine_and_odds_alike(options: Options) -> None:
    place = Place("bad_goings", flanked=2, bearers=2, king="near")
    situation = Melee(UnitInPlay("mice_at_arms", 3, "champion"), new_unit("king", "snake_slayer"), charged=True)
    situation = replace(situation, target_at=replace(place, king=None))
    agree(melee_odds(situation, options), every_way(lambda: attack_in_melee(situation, options), result))


@pytest.mark.parametrize(
    "options", [Options(barbarian="double"), Options(barbarian="melee_only"), Options(machines_aim=True)]
)
def test_house_rules_of_dice_and_aim_change_engine_and_odds_alike(options: Options) -> None:
    riders = Melee(UnitInPlay("rat_riders", 1, "barbarian"), new_unit("hoppers"))
    agree(melee_odds(riders, options), every_way(lambda: attack_in_melee(riders, options), result))
    bows = Shooting(UnitInPlay("bow_mice", 2, "barbarian"), new_unit("hoppers"), 6)
    agree(shooting_odds(bows, options), every_way(lambda: shoot(bows, options), result))
    machine = Shooting(new_unit("ballista"), new_unit("hoppers"), 6)
    agree(shooting_odds(machine, options), every_way(lambda: shoot(machine, options), result))


# --- by hand ----------------------------------------------------------------------------------------------------


def test_one_mouse_against_another_by_hand() -> None:
    """MELEE-04, SAVE-01: a 6 hits in 5 of 10 ways, a 9 saves in 2 of 10; what goes through destroys."""
    exact = melee_odds(Melee(ONE_MOUSE, ONE_MOUSE))
    assert exact.hits.chances == (Fraction(1, 2), Fraction(1, 2))
    assert exact.chance("destroyed") == exact.gone == Fraction(4, 10)
    assert exact.chance("unhurt") == Fraction(6, 10)
    assert exact.tests_morale == 0


def test_the_kings_re_roll_by_hand() -> None:
    """UNIT-23: a miss of 4 in 10 must happen twice."""
    exact = melee_odds(Melee(UnitInPlay("king", 1), new_unit("mice_at_arms", "wizard")))
    assert exact.hits.chance(0) == Fraction(4, 10) ** 2


def test_the_blessing_by_hand() -> None:
    """HERO-09: a failed save of 8 in 10 stays failed 9 times in 10."""
    exact = melee_odds(Melee(ONE_MOUSE, replace(ONE_MOUSE, blessed=True)))
    assert exact.gone == Fraction(1, 2) * Fraction(8, 10) * Fraction(9, 10)


def test_the_shield_by_hand() -> None:
    """UNIT-20, R-42: one die can never wound a cat with a shield."""
    exact = melee_odds(Melee(UnitInPlay("mice_at_arms", 1, "wizard"), CAT))
    assert exact.wounds.chances == (1,)
    assert exact.hits.chance(1) == Fraction(4, 10)
    spent = sum(end.ways for end in exact.ends if end.after == replace(CAT, shield=False))
    assert Fraction(spent, exact.total) == Fraction(4, 10)


@pytest.mark.parametrize(
    ("dice", "hit", "save", "chances"),
    [
        (0, Fraction(1, 2), Fraction(0), (1,)),
        (1, Fraction(1, 2), Fraction(1, 5), (Fraction(3, 5), Fraction(2, 5))),
        (2, Fraction(3, 10), Fraction(1, 2), (Fraction(289, 400), Fraction(102, 400), Fraction(9, 400))),
    ],
)
def test_chances_of_hits_after_saves(dice: int, hit: Fraction, save: Fraction, chances: tuple[Fraction, ...]) -> None:
    assert hits_then_saves(dice, hit, save).chances == chances


def test_invalid_chances_are_refused() -> None:
    with pytest.raises(Refusal, match="number of dice is -1"):
        hits_then_saves(-1, Fraction(1, 2))
    with pytest.raises(Refusal, match=r"number of dice is 1000000\. .* 0 to 400"):
        hits_then_saves(1_000_000, Fraction(1, 2))
    with pytest.raises(Refusal, match="number of rounds is 101"):
        rally_odds(Rally(UnitInPlay("bow_mice", 2, fleeing=True)), 101)
    with pytest.raises(Refusal, match=r"chance to hit is Fraction\(3, 2\)"):
        hits_then_saves(1, Fraction(3, 2))
    with pytest.raises(Refusal, match=r"chance to save is 0\.5"):
        hits_then_saves(1, Fraction(1, 2), 0.5)  # type: ignore[arg-type]
    with pytest.raises(Refusal, match=r"number needed is 1\. .* 2 to 10"):
        chance_to_roll(1)
    assert chance_to_roll(8) == Fraction(3, 10)


def test_distribution_gives_chances_and_mean() -> None:
    two = hits_then_saves(2, Fraction(1, 2))
    assert (two.chance(1), two.chance(7), two.chance(-1)) == (Fraction(1, 2), 0, 0)
    assert (two.at_least(1), two.at_least(0), two.at_least(-3), two.at_least(9)) == (Fraction(3, 4), 1, 1, 0)
    assert two.mean == 1


# --- morale, rally, spells --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("test", "stand", "flee", "scatter"),
    [
        (Morale(UnitInPlay("bow_mice", 3), UnitInPlay("bow_mice", 3)), 3, 3, 4),
        (Morale(new_unit("field_mice"), new_unit("field_mice")), 1, 3, 6),
        (Morale(UnitInPlay("hoppers", 1), new_unit("king"), Place(king="gone")), 1, 2, 7),
        (Morale(new_unit("mice_at_arms", "musician"), new_unit("king")), 10, 0, 0),
        (Morale(UnitInPlay("king", 3, ladybug=True), new_unit("hoppers")), 7, 3, 0),
    ],
)
def test_morale_odds_count_the_faces(test: Morale, stand: int, flee: int, scatter: int) -> None:
    """MORALE-02"""
    rows = morale_odds(test)
    assert rows == {"stand": Fraction(stand, 10), "flee": Fraction(flee, 10), "scatter": Fraction(scatter, 10)}


@pytest.mark.parametrize("blessed", [False, True])
def test_the_rally_ladder_adds_up(blessed: bool) -> None:
    """FLEE-02, FLEE-03, FLEE-04"""
    rally = Rally(UnitInPlay("bow_mice", 2, fleeing=True, blessed=blessed), Place(king="near"))
    rungs = rally_odds(rally, 3)
    for number, rung in enumerate(rungs, start=1):
        walked = every_way(lambda n=number: rally_over_rounds(rally, n), lambda done: done[-1].outcome)
        assert (rung.rallied, rung.fleeing, rung.scattered) == (walked["stand"], walked["flee"], walked["scatter"])


@pytest.mark.parametrize(
    "casting",
    [
        Casting(new_unit("mice_at_arms", "wizard"), new_unit("hoppers")),
        Casting(new_unit("mice_at_arms", "wizard"), new_unit("king"), target_engaged=True),
        Casting(new_unit("mice_at_arms", "wizard"), new_unit("bow_mice"), target_activated=True),
    ],
)
def test_spell_odds_match_the_engine(casting: Casting) -> None:
    """HERO-17, HERO-18, HERO-19"""
    walked = every_way(
        lambda: cast_spell(casting),
        lambda done: (
            done.loses_activation,
            done.attack.models_lost if done.attack else 0,
            done.attack.outcome if done.attack else "none",
        ),
    )
    rows = cast_odds(casting)
    assert rows.loses_activation == sum(c for k, c in walked.items() if k[0])
    for lost, chance in enumerate(rows.models_lost):
        assert chance == sum(c for k, c in walked.items() if k[1] == lost)
    assert rows.gone == sum(c for k, c in walked.items() if k[2] in ("scatter", "destroyed"))
    assert rows.flees == sum(c for k, c in walked.items() if k[2] == "flee")


# --- laws -------------------------------------------------------------------------------------------------------


@st.composite
def units(draw: st.DrawFn, standing: bool = True) -> UnitInPlay:
    row = draw(st.sampled_from(UNITS))
    hero = None if row.never_hero else draw(st.sampled_from([None, *(key for key in HERO if key != "ladybug")]))
    models = draw(st.integers(1, row.models))
    unit = UnitInPlay(row.key, models, hero, ladybug=draw(st.booleans()), blessed=draw(st.booleans()))
    spear = row.rolls_for_weapon and draw(st.booleans())
    kissed = draw(st.integers(0, min(1, unit.kissable)))
    shield = spear and row.key == "battle_cat" and draw(st.booleans())
    return replace(unit, spear=spear, shield=shield, kissed=kissed)


places = st.builds(
    Place,
    terrain=st.sampled_from(["clear", "mound", "tall_patch", "barrier", "bad_goings", "fortress", "building"]),
    flanked=st.integers(0, 2),
    bearers=st.integers(0, 2),
)
blows = st.builds(
    Melee, units(), units(), places, places, charged=st.booleans(), event=st.sampled_from([None, "storm"])
)
house_rules = st.sampled_from([BY_THE_BOOK, *HOUSE_RULES])


@settings(deadline=None)
@given(blows, house_rules)
def test_chances_sum_to_one(situation: Melee, options: Options) -> None:
    exact = melee_odds(situation, options)
    for distribution in (exact.hits, exact.wounds, exact.models_lost):
        assert sum(distribution.ways) == distribution.total
        assert min(distribution.ways) >= 0
    assert sum(end.ways for end in exact.ends) == exact.total
    assert sum(exact.outcomes.values()) == 1
    assert exact.hits.mean >= exact.wounds.mean >= 0
    if not situation.attacker.kissed and situation.attacker.hero is None and situation.attacker.key != "king":
        throw = exact.throws[0]
        assert exact.hits.mean == throw.dice * throw.tally.chance


def _no_worse(more: AttackOdds, less: AttackOdds) -> None:
    most = max(len(more.hits.ways), len(less.hits.ways), 6)
    for number in range(most):
        assert more.wounds.at_least(number) >= less.wounds.at_least(number)
        assert more.models_lost.at_least(number) >= less.models_lost.at_least(number)
    assert more.gone >= less.gone


@settings(deadline=None)
@given(blows, house_rules)
def test_one_more_a_for_the_attacker_never_hurts(situation: Melee, options: Options) -> None:
    plain = replace(situation, attacker=replace(situation.attacker, ladybug=False))
    winged = replace(situation, attacker=replace(situation.attacker, ladybug=True))
    more, less = melee_odds(winged, options), melee_odds(plain, options)
    _no_worse(more, less)
    assert all(more.hits.at_least(number) >= less.hits.at_least(number) for number in range(12))


@settings(deadline=None)
@given(blows, house_rules)
def test_one_more_a_for_the_target_never_hurts(situation: Melee, options: Options) -> None:
    # Hits are left out: better saves leave somebody standing for an Assassin's further die more often.
    plain = replace(situation, target=replace(situation.target, ladybug=False))
    winged = replace(situation, target=replace(situation.target, ladybug=True))
    _no_worse(melee_odds(plain, options), melee_odds(winged, options))


@settings(deadline=None)
@given(blows)
def test_heroes_never_make_an_attack_worse(situation: Melee) -> None:
    """HERO-08, HERO-11, HERO-14, HERO-15"""
    attacker = situation.attacker
    if attacker.unit.never_hero:
        return
    plain = melee_odds(replace(situation, attacker=replace(attacker, hero=None, kissed=0)))
    for hero in ("champion", "barbarian", "assassin"):
        led = UnitInPlay(
            attacker.key,
            attacker.models,
            hero,
            spear=attacker.spear,
            ladybug=attacker.ladybug,
            blessed=attacker.blessed,
        )
        _no_worse(melee_odds(replace(situation, attacker=led)), plain)
