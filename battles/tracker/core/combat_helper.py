"""The combat helper: the ticks, which [A] and [D] apply, the number to roll, and the exact odds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, Literal

from battles.tracker.core.fight_progress import BEARER_TICKS
from battles.tracker.core.state import Situation, TrackedUnit, TrackerState
from dataclass_json import PageOnly, stored_as
from rulebook.battle.assault import Bombardment, bombardment_tally, wall_saves_from
from rulebook.battle.attack_situations import Casting, Melee, Morale, Rally, Save, Shooting
from rulebook.battle.castle import piece_of
from rulebook.battle.combat import BuildingAttack, building_attack_dice
from rulebook.battle.hero_powers import count_bearers_near
from rulebook.battle.modifiers import MODIFIERS, Tally, morale_tally, rally_tally, save_tally
from rulebook.cli_output import OUTCOME_WORDS
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.attack import RallyOdds, cast_odds, morale_odds, rally_odds, shooting_odds
from rulebook.odds.melee import exchange_odds
from rulebook.odds.odds_display import (
    Bar,
    DiceGroup,
    dice_group,
    format_percent,
    models_lost_bars,
    modifier_labels,
    modifier_sum,
)
from rulebook.odds.rolls import ablaze_odds, levelling_odds
from text import format_signed


@dataclass(frozen=True, slots=True)
class Tick:
    """Something only the players can see. ``kind`` is [A], [D] or a bonus, ``roll`` the roll it applies to."""

    key: str
    kind: str
    text: str
    roll: Literal["attack", "morale"] = "attack"


_THEIR_MORALE = (
    Tick("target_king_near", "A", "target’s King within 8″", "morale"),
    Tick("target_bearer", "+1", "target’s standard within 8″", "morale"),
)
_OUR_MORALE = (
    Tick("king_near", "A", "own King within 8″", "morale"),
    Tick("bearer", "+1", "own standard within 8″", "morale"),
)
_FLANKS = (Tick("target_flanked", "A", "target flanked"), Tick("flanked", "D", "attacker flanked"))

TICKS: dict[str, tuple[Tick, ...]] = {
    "shoot": (Tick("still", "A", "aiming: has not moved"), Tick("far", "D", "more than 8″ away"), *_THEIR_MORALE),
    "charge": (*_FLANKS, *_THEIR_MORALE, *_OUR_MORALE),
    "cast": _THEIR_MORALE,
    "rally": _OUR_MORALE,
    "nerve": _OUR_MORALE,
    "torch": (Tick("flanked", "D", "attacker flanked"), Tick("enemy_inside", "", "an enemy unit is inside")),
    "bombard": (Tick("far", "D", "more than 8″ away"), Tick("still", "", "the gun has not moved")),
}
TICKS["strike"] = TICKS["charge"]


def ticks_for(how: str, *, several_bearers: bool = False) -> tuple[Tick, ...]:
    """The ticks of an attack; one for each further standard where the house rules add them up (R-37)."""
    rows: list[Tick] = []
    for tick in TICKS[how]:
        rows.append(tick)
        if several_bearers and tick.key.endswith("bearer"):
            words = tick.text.replace("standard", "{} standard")
            rows += [
                Tick(f"{tick.key}_{number}", tick.kind, words.format(nth), tick.roll)
                for number, nth in ((2, "second"), (3, "third"))
            ]
    return tuple(rows)


def is_tick_useful(tracker: TrackerState, tick: Tick, unit: TrackedUnit | None) -> bool:
    """Whether a tick about this unit can matter: a King or a standard must be there, and the unit must test morale."""
    if tick.roll != "morale":
        return True
    if unit is None or not unit.row.tests_morale:
        return False
    if tick.key.endswith("king_near"):
        king = tracker.king(unit.side)
        return unit.now.key != "king" and king is not None and king.here and not king.fleeing
    # Only the players can measure, so every bearer who could be near counts.
    bearers = count_bearers_near((near.now, 0) for near in tracker.units_here(unit.side) if near.id != unit.id)
    return bearers > BEARER_TICKS.index(tick.key.removeprefix("target_"))


@dataclass(frozen=True, slots=True)
class Chip:
    """An advantage or disadvantage that applies."""

    api_name = "ModifierInForce"

    kind: Annotated[str, "A, D or a number"]
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    name: str
    chance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatNumbers:
    """The numbers of one attack, ready to draw."""

    hands: tuple[DiceGroup, ...] = field(default=(), metadata=stored_as("rolls"))
    chips: tuple[Chip, ...] = field(default=(), metadata=stored_as("modifiers"))
    advantages: int = 0
    disadvantages: int = 0
    step: PageOnly[str] = "0"
    step_words: PageOnly[str] = ""
    save: Annotated[int | None, "the face the target saves on"] = None
    bars: tuple[Bar, ...] = field(default=(), metadata=stored_as("odds"))
    bars_of: Annotated[str, "what `odds` are about"] = field(default="", metadata=stored_as("odds_of"))
    outcomes: tuple[Outcome, ...] = ()
    back: Annotated[tuple[Bar, ...], "the odds of the battle back"] = field(
        default=(), metadata=stored_as("battle_back")
    )
    notes: tuple[str, ...] = ()


_TEXT = {mark.name: mark.text for mark in MODIFIERS}


def _numbers_of(tally: Tally, **more: Any) -> CombatNumbers:
    return CombatNumbers(
        chips=tuple(Chip(kind, name, _TEXT.get(name, "")) for kind, name in modifier_labels(tally)),
        advantages=tally.advantages,
        disadvantages=tally.disadvantages,
        step=format_signed(tally.step),
        step_words=_step_text(tally),
        **more,
    )


def _step_text(tally: Tally) -> str:
    a, d = tally.advantages, tally.disadvantages
    if a == d:
        return "equal" if a else "none"
    if a < d:
        return "more [D]"
    if tally.step < 2:
        return "more [A]"
    return "twice as many [A]" if d else "two or more [A]"


def combat_numbers(situation: Situation, options: Options = BY_THE_BOOK) -> CombatNumbers:
    """Numbers and odds of one situation, cached because every phone asks for the same."""
    return _cached_numbers(situation, options)


@lru_cache(maxsize=512)
def _cached_numbers(situation: Situation, options: Options) -> CombatNumbers:
    if isinstance(situation, Shooting):
        attack = shooting_odds(situation, options)
        return _attack_numbers(attack, situation, options)
    if isinstance(situation, Melee):
        if situation.target.fleeing:
            note = "A charged unit that is fleeing is destroyed without dice."
            return CombatNumbers(outcomes=(Outcome("is destroyed", "100 %"),), notes=(note,))
        both = exchange_odds(situation, options)
        return _attack_numbers(
            both.attack, situation, options, models_lost_bars(both.attacker_lost, situation.attacker.models)
        )
    if isinstance(situation, Casting):
        return _spell_numbers(cast_odds(situation, options))
    if isinstance(situation, (Rally, Morale)):
        chances = {str(key): chance for key, chance in morale_odds(situation, options).items()}
        if isinstance(situation, Morale):
            return _morale_numbers(morale_tally(situation, options), chances, None)
        return _morale_numbers(
            rally_tally(situation, options), chances, rally_odds(situation, RALLY_ROUNDS, options)[-1]
        )
    if isinstance(situation, BuildingAttack):
        return _fire_numbers(situation, options)
    return _bombardment_numbers(situation, options)


def _attack_numbers(
    attack: Any, situation: Shooting | Melee, options: Options, back: tuple[Bar, ...] = ()
) -> CombatNumbers:
    tally = attack.throws[0].tally
    needs = save_tally(Save(situation.target, situation.target_at, situation.event), options).needed
    return _numbers_of(
        tally,
        hands=tuple(dice_group(throw) for throw in attack.throws),
        save=needs,
        bars=models_lost_bars(attack.models_lost, situation.target.models),
        bars_of=f"Models lost after saves on {needs}+",
        outcomes=_outcomes({OUTCOME_WORDS[key]: chance for key, chance in attack.outcomes.items() if chance}),
        back=back,
    )


def _outcomes(chances: Mapping[str, Fraction]) -> tuple[Outcome, ...]:
    return tuple(Outcome(name, format_percent(chance)) for name, chance in chances.items())


def _spell_numbers(casting: Any) -> CombatNumbers:
    chances = {row.spell.name + ("" if row.works else ", no effect"): row.chance for row in casting.spells}
    chances["the target loses its activation"] = casting.loses_activation
    chances["the target is removed"] = casting.gone
    return CombatNumbers(outcomes=_outcomes(chances), notes=("Roll a d10 for the spell.",))


# For how many rounds ahead a fleeing unit shows its chances.
RALLY_ROUNDS = 3


def _morale_numbers(tally: Tally, chances: Mapping[str, Fraction], rallying: RallyOdds | None) -> CombatNumbers:
    """The numbers of a test; a fleeing unit tests again each round until it rallies or scatters."""
    words = {
        "stand": "rallies" if rallying else "stands",
        "flee": "keeps fleeing" if rallying else "flees",
        "scatter": "scatters",
    }
    shades = {"stand": 1, "flee": 2, "scatter": 4}
    bars = tuple(
        Bar(words[key], round(chance * 100), shades[key], format_percent(chance))
        for key, chance in chances.items()
        if chance
    )
    hand = DiceGroup("Morale", 1, tally.needed, False, modifier_labels(tally), modifier_sum(tally))
    notes: tuple[str, ...] = ()
    if rallying:
        later, gone = format_percent(rallying.rallied), format_percent(rallying.scattered)
        notes = (f"Within {RALLY_ROUNDS} rounds: rallies {later}, scatters {gone}, if it stays on the table.",)
    outcomes = _outcomes({words[key]: chance for key, chance in chances.items() if chance})
    return _numbers_of(tally, hands=(hand,), bars=bars, bars_of="Result of the test", outcomes=outcomes, notes=notes)


def _fire_numbers(torching: BuildingAttack, options: Options) -> CombatNumbers:
    throws = building_attack_dice(torching, options)
    tally = throws[0].tally
    chance = ablaze_odds(torching, options)
    bars = (
        Bar("stands", 100 - round(chance * 100), 1, format_percent(1 - chance)),
        Bar("ablaze", round(chance * 100), 4, format_percent(chance)),
    )
    hands, title = tuple(dice_group(throw) for throw in throws), f"{torching.building.name} after this attack"
    hits = "One more hit sets" if torching.building.wounds_left == 1 else "Two hits set"
    note = f"{hits} it ablaze. Buildings get no saves."
    return _numbers_of(tally, hands=hands, bars=bars, bars_of=title, notes=(note,))


def _bombardment_numbers(shot: Bombardment, options: Options) -> CombatNumbers:
    kind = piece_of(shot.piece).kind
    tally = bombardment_tally(shot, options)
    hand = DiceGroup("War machine", 2, tally.needed, False, modifier_labels(tally), modifier_sum(tally))
    saves = wall_saves_from(kind)
    return _numbers_of(tally, hands=(hand,), save=saves, notes=(f"The wall saves on {saves}+.",))


def wall_fall_bars(aimed: Bombardment, damage: int, options: Options = BY_THE_BOOK) -> tuple[Bar, ...]:
    """The chance that this shot levels the piece."""
    chance = levelling_odds(aimed, 1, options, damage=damage)[0]
    return (
        Bar("stands", 100 - round(chance * 100), 1, format_percent(1 - chance)),
        Bar("falls", round(chance * 100), 4, format_percent(chance)),
    )
