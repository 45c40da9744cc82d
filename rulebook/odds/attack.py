"""Exact odds of one attack, from the hits to the morale test, of a rally and of a spell.

Ways are whole numbers over powers of ten. The rules themselves are asked of the same functions that resolve an attack
at the table: who throws what, what a die needs, who falls, what a total means.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from rulebook.battle import modifiers
from rulebook.battle.attack_situations import Casting, Melee, Morale, Rally, Save, Shooting
from rulebook.battle.combat import AttackOutcome
from rulebook.battle.dice import AttackDice, melee_attack_dice, shooting_attack_dice
from rulebook.battle.hero_powers import can_spell_work, spell_attack_dice
from rulebook.battle.modifiers import Tally
from rulebook.battle.morale import BLESSING_NEEDS, MAX_ROUNDS, apply_morale_outcome, must_test_morale
from rulebook.battle.unit_in_play import Losses, UnitInPlay, take_wounds
from rulebook.data.battlefield import Outcome, morale_outcome
from rulebook.data.heroes import PHANTASM_FROM, SPELLS, Spell
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import check_count
from rulebook.odds.distribution import Distribution, add_ways, binomial, chance_to_roll, make_distribution

OUTCOMES: tuple[AttackOutcome, ...] = ("unhurt", "wounded", "stand", "flee", "scatter", "destroyed")
MORALE_OUTCOMES: tuple[Outcome, ...] = ("stand", "flee", "scatter")
# A morale die and the die of a blessing.
MORALE_TOTAL = 100
BLESSING_TURNS = 11 - BLESSING_NEEDS


@dataclass(frozen=True, slots=True)
class AttackEnd:
    """One way an attack can end for its target, in so many ways of the total."""

    left: UnitInPlay | None  # what the saves left of it, before its nerve was asked
    outcome: AttackOutcome
    ways: int

    @property
    def after(self) -> UnitInPlay | None:
        """The target as it is now; None when it is gone."""
        match self.outcome:
            case "stand" | "flee" | "scatter" if self.left is not None:
                return apply_morale_outcome(self.left, self.outcome)
            case _:
                return self.left


@dataclass(frozen=True, slots=True)
class AttackOdds:
    throws: tuple[AttackDice, ...]
    hits: Distribution
    wounds: Distribution  # unsaved, those beyond the last model included
    models_lost: Distribution  # by wounds; a unit that scatters is not counted here
    ends: tuple[AttackEnd, ...]
    total: int

    def chance(self, outcome: AttackOutcome) -> Fraction:
        return Fraction(sum(end.ways for end in self.ends if end.outcome == outcome), self.total)

    @property
    def outcomes(self) -> Mapping[AttackOutcome, Fraction]:
        return {outcome: self.chance(outcome) for outcome in OUTCOMES}

    @property
    def gone(self) -> Fraction:
        return Fraction(sum(end.ways for end in self.ends if end.outcome in ("scatter", "destroyed")), self.total)

    @property
    def tests_morale(self) -> Fraction:
        """That models fall and some are left, so the unit tests morale."""
        return self.chance("stand") + self.chance("flee") + self.chance("scatter")


@cache
def morale_ways(added: int, blessed: bool, options: Options) -> tuple[int, int, int]:
    """Stand, flee and scatter, in ways of MORALE_TOTAL."""
    ways: dict[Outcome, int] = {"stand": 0, "flee": 0, "scatter": 0}
    for face in range(1, 11):
        ways[morale_outcome(face, added, options)] += 10
    if blessed:
        for failure in MORALE_OUTCOMES[1:]:
            turned = ways[failure] // 10 * BLESSING_TURNS
            ways[failure] -= turned
            ways["stand"] += turned
    return ways["stand"], ways["flee"], ways["scatter"]


def shooting_odds(situation: Shooting, options: Options = BY_THE_BOOK) -> AttackOdds:
    throws = shooting_attack_dice(situation, options)
    return attack_odds(situation, throws, throws[0].tally, options)


def melee_odds(situation: Melee, options: Options = BY_THE_BOOK) -> AttackOdds:
    """The odds of one side of a melee: an attack, or a battle back."""
    if situation.target.fleeing:
        sure, none = Distribution((0,) * situation.target.models + (1,), 1), Distribution((1,), 1)
        return AttackOdds((), none, none, sure, (AttackEnd(None, "destroyed", 1),), 1)
    throws = melee_attack_dice(situation, options)
    return attack_odds(situation, throws, throws[0].tally, options)


def attack_odds(
    situation: Shooting | Melee | Casting, throws: tuple[AttackDice, ...], extra: Tally | None, options: Options
) -> AttackOdds:
    """The odds of any attack once its dice are known. ``extra`` is what an Assassin's further die would use."""
    target = situation.target
    hits, total = hit_ways(throws)
    fails, out_of = unsaved_ways(situation, options)
    table = _wounds_by_hits(hits, fails, out_of, target.shield)
    total *= out_of ** (len(hits) - 1)
    falls = _falls(target, len(hits))
    if extra is not None and situation.attacker.living_hero == "assassin":
        table = _with_assassin(table, falls, extra.faces, fails, out_of)
        total *= 10 * out_of
    wounds = [sum(ways) for ways in zip(*table, strict=True)]
    lost = [0] * (target.models + 1)
    for number, ways in enumerate(wounds):
        lost[len(_fall(falls, number).fallen)] += ways
    ends = [end for number, ways in enumerate(wounds) if ways for end in _ends(situation, falls, number, ways, options)]
    if target.shield:
        # Where nothing hit at all the shield is still whole.
        ends[0] = AttackEnd(falls[0].after, "unhurt", ends[0].ways - table[0][0] * MORALE_TOTAL)
        ends.insert(0, AttackEnd(target, "unhurt", table[0][0] * MORALE_TOTAL))
    return AttackOdds(
        throws,
        make_distribution([sum(row) for row in table], total),
        make_distribution(wounds, total),
        make_distribution(lost, total),
        tuple(ends),
        total * MORALE_TOTAL,
    )


def hit_ways(throws: tuple[AttackDice, ...]) -> tuple[list[int], int]:
    """Ways by number of hits, and their total. A hand that re-rolls misses with both dice."""
    ways, total = [1], 1
    for throw in throws:
        good, out_of = throw.tally.faces, 10
        if throw.rerolls:
            good, out_of = 100 - (10 - good) ** 2, 100
        ways = add_ways(ways, binomial(throw.dice, good, out_of))
        total *= out_of**throw.dice
    return ways, total


def unsaved_ways(situation: Shooting | Melee | Casting, options: Options) -> tuple[int, int]:
    """Ways in which one hit goes through the save and, where there is one, the blessing."""
    save = modifiers.save_tally(Save(situation.target, situation.target_at, situation.event), options)
    fails = 10 - save.faces
    return (fails * (10 - BLESSING_TURNS), 100) if situation.target.blessed else (fails, 10)


def _wounds_by_hits(hits: list[int], fails: int, out_of: int, shield: bool) -> list[list[int]]:
    """Ways for each pair of hits and wounds, over the total of the hits times one save for each die."""
    dice = len(hits) - 1
    table = []
    for number, ways in enumerate(hits):
        rolled = number - (shield and number > 0)
        ways *= out_of ** (dice - rolled)
        row = [ways * more for more in binomial(rolled, fails, out_of)]
        table.append(row + [0] * (dice - rolled))
    return table


def _with_assassin(table: list[list[int]], falls: list[Losses], faces: int, fails: int, out_of: int) -> list[list[int]]:
    """One more die wherever somebody fell and somebody is left; each way is now counted 10 * out_of times."""
    more = [[0] * (len(table[0]) + 1) for _ in range(len(table) + 1)]
    for hits, row in enumerate(table):
        for wounds, ways in enumerate(row):
            losses = _fall(falls, wounds)
            if losses.fallen and not losses.destroyed:
                more[hits][wounds] += ways * (10 - faces) * out_of
                more[hits + 1][wounds] += ways * faces * (out_of - fails)
                more[hits + 1][wounds + 1] += ways * faces * fails
            else:
                more[hits][wounds] += ways * 10 * out_of
    return more


def _falls(target: UnitInPlay, most: int) -> list[Losses]:
    """What 0, 1, 2 ... wounds do to the target, up to the one that removes it."""
    struck = replace(target, shield=False) if target.shield else target
    falls = [take_wounds(struck, wounds) for wounds in range(min(most, struck.wounds_left) + 1)]
    return falls


def _fall(falls: list[Losses], wounds: int) -> Losses:
    return falls[min(wounds, len(falls) - 1)]


def _ends(
    situation: Shooting | Melee | Casting, falls: list[Losses], wounds: int, ways: int, options: Options
) -> list[AttackEnd]:
    """How the target comes out of so many wounds; every End counts its ways over MORALE_TOTAL."""
    losses = _fall(falls, wounds)
    after = losses.after
    if after is None:
        return [AttackEnd(None, "destroyed", ways * MORALE_TOTAL)]
    if not losses.fallen:
        return [AttackEnd(after, "wounded" if wounds else "unhurt", ways * MORALE_TOTAL)]
    if not must_test_morale(after, len(losses.fallen)):
        return [AttackEnd(after, "stand", ways * MORALE_TOTAL)]
    test = Morale(after, situation.attacker, situation.target_at, situation.at.flanked, situation.event)
    chances = morale_ways(modifiers.morale_tally(test, options).added, after.blessed, options)
    return [
        AttackEnd(after, outcome, ways * times)
        for outcome, times in zip(MORALE_OUTCOMES, chances, strict=True)
        if times
    ]


def morale_odds(situation: Morale | Rally, options: Options = BY_THE_BOOK) -> dict[Outcome, Fraction]:
    unit = situation.unit
    if unit.living_hero == "musician":
        return {"stand": Fraction(1), "flee": Fraction(0), "scatter": Fraction(0)}
    tally = (
        modifiers.rally_tally(situation, options)
        if isinstance(situation, Rally)
        else modifiers.morale_tally(situation, options)
    )
    ways = morale_ways(tally.added, unit.blessed, options)
    return {outcome: Fraction(times, MORALE_TOTAL) for outcome, times in zip(MORALE_OUTCOMES, ways, strict=True)}


@dataclass(frozen=True, slots=True)
class RallyOdds:
    """A fleeing unit after so many activations."""

    rallied: Fraction
    scattered: Fraction
    fleeing: Fraction


def rally_odds(situation: Rally, rounds: int, options: Options = BY_THE_BOOK) -> tuple[RallyOdds, ...]:
    """Rung by rung: where a fleeing unit is after 1, 2, ... activations."""
    check_count(rounds, "number of rounds", least=1, most=MAX_ROUNDS)
    rungs: list[RallyOdds] = []
    rallied = scattered = Fraction(0)
    fleeing = Fraction(1)
    for _ in range(rounds):
        odds = morale_odds(situation, options)
        rallied += fleeing * odds["stand"]
        scattered += fleeing * odds["scatter"]
        fleeing *= odds["flee"]
        rungs.append(RallyOdds(rallied, scattered, fleeing))
        situation = situation.still_fleeing()
    return tuple(rungs)


# ── A Wizard's next spell ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SpellOdds:
    spell: Spell
    chance: Fraction  # that the die brings this spell
    works: bool  # against this target, as things are
    attack: AttackOdds | None


@dataclass(frozen=True, slots=True)
class CastOdds:
    spells: tuple[SpellOdds, ...]
    loses_activation: Fraction
    models_lost: tuple[Fraction, ...]
    flees: Fraction
    gone: Fraction


def cast_odds(casting: Casting, options: Options = BY_THE_BOOK) -> CastOdds:
    rows: list[SpellOdds] = []
    loses = flees = gone = Fraction(0)
    lost = [Fraction(0)] * (casting.target.models + 1)
    for spell in SPELLS:
        chance = Fraction(spell.high - spell.low + 1, 10)
        works = can_spell_work(spell, casting).yes
        attack = (
            attack_odds(casting, spell_attack_dice(spell, casting), None, options) if works and spell.dice else None
        )
        rows.append(SpellOdds(spell, chance, works, attack))
        if attack is None:
            lost[0] += chance
            if works:
                loses += chance * chance_to_roll(PHANTASM_FROM)
            continue
        flees += chance * attack.chance("flee")
        gone += chance * attack.gone
        for number, part in enumerate(attack.models_lost.chances):
            lost[number] += chance * part
    return CastOdds(tuple(rows), loses, tuple(lost), flees, gone)
