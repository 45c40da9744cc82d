"""Odds ready to show: bars and reasons for pages, answers for the API and the command line."""

from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from fractions import Fraction
from typing import Annotated, Any

from dataclass_json import PageOnly, answered_keys
from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.combat import AttackOutcome
from rulebook.battle.dice import THROWER_NAMES, AttackDice
from rulebook.battle.modifiers import Tally
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.attack import AttackOdds, shooting_odds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import ExchangeOdds, Fate, FightOdds, exchange_odds, fight_odds
from text import format_signed


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of a bar: what, how many in a hundred, and which of the four shades."""

    label: str
    percent: int
    shade: int
    exact: str

    @property
    def short_label(self) -> str:
        """What fits into its share of the bar."""
        return self.exact if self.percent >= 22 else str(self.percent) if self.percent >= 9 else ""


@dataclass(frozen=True, slots=True)
class DiceGroup:
    api_name = "Roll"

    name: Annotated[str, "whose dice"]
    dice: int
    needed: Annotated[int, "the lowest face that hits"]
    rerolls: Annotated[bool, "misses are re-rolled once"]
    marks: PageOnly[tuple[tuple[str, str], ...]]  # A, D or a number, and what it is
    sum: PageOnly[str]


def format_percent(chance: Fraction) -> str:
    """62.4 %, but never 0 or 100 for what is only nearly so. Number and sign stay on one line."""
    value = float(chance * 100)
    if 0 < value < 0.05:
        return "<\u00a00.1\u00a0%"
    if 99.95 < value < 100:
        return ">\u00a099.9\u00a0%"
    return f"{value:.1f}\u00a0%"


def models_lost_bars(spread: Distribution, most: int) -> tuple[Bar, ...]:
    """Models lost as a bar; darker is more."""
    bars = []
    shown = [(number, chance) for number, chance in enumerate(spread.chances) if chance]
    for number, chance in shown:
        shade = 1 if number == 0 else 4 if number == most else 2 if number <= (most + 1) // 2 else 3
        label = "none" if number == 0 else "all" if number == most else str(number)
        bars.append(Bar(label, round(chance * 100), shade, format_percent(chance)))
    return tuple(bar for bar in bars if bar.percent)


def dice_group(throw: AttackDice) -> DiceGroup:
    tally = throw.tally
    return DiceGroup(
        THROWER_NAMES[throw.whose], throw.dice, tally.needed, throw.rerolls, modifier_labels(tally), modifier_sum(tally)
    )


def modifier_labels(tally: Tally) -> tuple[tuple[str, str], ...]:
    return tuple(
        (held.modifier.kind if held.modifier.kind != "flat" else format_signed(held.worth), held.modifier.name)
        for held in tally.applied
    )


def modifier_sum(tally: Tally) -> str:
    parts = f"Quality {format_signed(tally.quality)}"
    if tally.step:
        parts += f", [A]/[D] {format_signed(tally.step)}"
    if tally.flat:
        parts += f", flat {format_signed(tally.flat)}"
    return f"{parts}, against {tally.against}."


# ── All odds of a situation ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SituationOdds:
    """``exchange`` and ``fight`` of a melee; both None for shooting."""

    title: str
    attack: AttackOdds
    exchange: ExchangeOdds | None = None
    fight: FightOdds | None = None


def situation_odds(situation: Shooting | Melee, options: Options = BY_THE_BOOK) -> SituationOdds:
    title = f"{situation.attacker.unit.name} against {situation.target.unit.name}"
    if isinstance(situation, Shooting):
        return SituationOdds(title, shooting_odds(situation, options))
    exchange = exchange_odds(situation, options)
    return SituationOdds(title, exchange.attack, exchange, fight_odds(situation, options))


# ── As answers: dataclasses, and JSON of any row or answer ───────────────────────────────────────────────


Plain = Any  # str, int, float, bool, None, and lists and dicts of these


@dataclass(frozen=True, slots=True)
class Chance:
    """A Fraction, exact and to read."""

    exact: Annotated[str, "A fraction, such as 3/10."]
    value: Annotated[float, "The same as a number, rounded to six places."]


@dataclass(frozen=True, slots=True)
class Chances:
    """A Distribution: the chance of 0, of 1, of 2 and so on."""

    chances: tuple[Chance, ...]
    mean: Chance


def write_chance(fraction: Fraction) -> Chance:
    return Chance(str(fraction), round(float(fraction), 6))


def write_chances(odds: Distribution) -> Chances:
    return Chances(tuple(map(write_chance, odds.chances)), write_chance(odds.mean))


def to_json(thing: object) -> Plain:
    """Dataclasses become objects, tuples lists; a Fraction keeps its exact form beside a number to read."""
    if isinstance(thing, Fraction):
        return to_json(write_chance(thing))
    if isinstance(thing, Distribution):
        return to_json(write_chances(thing))
    if is_dataclass(thing) and not isinstance(thing, type):
        return {name: to_json(getattr(thing, name)) for name in answered_keys(type(thing))}
    if isinstance(thing, Mapping):
        return {"nobody" if key is None else str(key): to_json(value) for key, value in thing.items()}
    if isinstance(thing, (list, tuple, set, frozenset)):
        return [to_json(part) for part in thing]
    if thing is None or isinstance(thing, (str, int, float, bool)):
        return thing
    raise TypeError(f"{type(thing).__name__} has no plain form")


@dataclass(frozen=True, slots=True)
class CountedModifier:
    key: str
    kind: Annotated[str, "A, D or flat."]
    name: str
    times: int


@dataclass(frozen=True, slots=True)
class TallyAnswer:
    """What is added to a die, with its reasons by name."""

    quality: int
    advantages: int
    disadvantages: int
    step: Annotated[int, "What [A] and [D] add up to."]
    flat: int
    added: Annotated[int, "Total added to each die."]
    against: int
    marks: tuple[CountedModifier, ...]


@dataclass(frozen=True, slots=True)
class DiceAnswer:
    whose: str
    name: str
    dice: int
    needs: Annotated[int, "The lowest face that hits."]
    rerolls: Annotated[bool, "Misses are re-rolled once."]
    why: TallyAnswer


@dataclass(frozen=True, slots=True)
class AttackAnswer:
    """Odds of one attack, with the [A] and [D] of each group of dice."""

    dice: tuple[DiceAnswer, ...]
    hits: Distribution
    unsaved_wounds: Distribution
    models_lost: Distribution
    outcomes: Mapping[AttackOutcome, Fraction]
    unit_gone: Fraction
    tests_morale: Fraction


@dataclass(frozen=True, slots=True)
class ExchangeAnswer:
    attack: AttackAnswer
    attacker_models_lost: Distribution
    fates: Mapping[Fate, Fraction]
    goes_on: Fraction


@dataclass(frozen=True, slots=True)
class FightAnswer:
    attacker_wins: Fraction
    target_wins: Fraction
    fates: Mapping[Fate, Fraction]
    attacker_models_left: Mapping[int, Fraction]
    target_models_left: Mapping[int, Fraction]
    exchanges: Annotated[Fraction, "Expected number of attacks with battle back."]


def describe_attack(odds: AttackOdds) -> AttackAnswer:
    dice = tuple(
        DiceAnswer(
            throw.whose,
            THROWER_NAMES[throw.whose],
            throw.dice,
            throw.tally.needed,
            throw.rerolls,
            describe_tally(throw.tally),
        )
        for throw in odds.throws
    )
    return AttackAnswer(dice, odds.hits, odds.wounds, odds.models_lost, odds.outcomes, odds.gone, odds.tests_morale)


def describe_tally(tally: Tally) -> TallyAnswer:
    marks = tuple(
        CountedModifier(held.modifier.key, held.modifier.kind, held.modifier.name, held.times) for held in tally.applied
    )
    return TallyAnswer(
        tally.quality, tally.advantages, tally.disadvantages, tally.step, tally.flat, tally.added, tally.against, marks
    )


def describe_exchange(odds: ExchangeOdds) -> ExchangeAnswer:
    return ExchangeAnswer(describe_attack(odds.attack), odds.attacker_lost, odds.fates, odds.goes_on)


def describe_fight(odds: FightOdds) -> FightAnswer:
    return FightAnswer(
        odds.attacker_wins,
        odds.target_wins,
        odds.fates,
        odds.winner_models("attacker"),
        odds.winner_models("target"),
        odds.exchanges,
    )
