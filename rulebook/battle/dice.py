"""The dice of an attack: who throws which, how they are asked for one step at a time, and the sentences about them.

A script is a generator: it yields a ``DiceRequest``, is sent the faces rolled, and returns what happened.
``run_script`` feeds it from any supply of dice; ``follow_script`` feeds it the dice entered so far and gives the next
request.
"""

from collections import Counter
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Literal, TypeAlias, TypeVar

from refusal import Refusal
from rulebook.battle import modifiers
from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.modifiers import Tally
from rulebook.battle.unit_in_play import Model, UnitInPlay
from rulebook.data.battlefield import Outcome
from rulebook.data.heroes import HERO
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.units import shooting_quality
from rulebook.input_checks import check_d10s, format_dice
from text import join_list

# A thrower is a hero's key or one of these; the names are for pages.
THROWER_NAMES: dict[str, str] = {
    "unit": "Models",
    "kissed": "Kissed by the Princess",
    "king": "King",
    "machine": "War machine",
    **{key: hero.name for key, hero in HERO.items()},
}


@dataclass(frozen=True, slots=True)
class DicePool:
    """Dice that belong together before anything is added: whose, how many, at which quality."""

    whose: str
    dice: int
    quality: int
    rerolls: bool = False  # a miss is thrown once more and the second die stands


@dataclass(frozen=True, slots=True)
class AttackDice:
    whose: str
    dice: int
    tally: Tally
    rerolls: bool = False


def melee_pools(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> tuple[DicePool, ...]:
    """The melee dice of a unit as it is now: 1 for each model, more where the book says so."""
    row = unit.unit
    hero = unit.living_hero
    own_hand = hero in ("champion", "barbarian")
    hands = _plain_pools(unit, row.melee_dice, row.q, with_hero=hero is not None and not own_hand)
    if hero == "champion":
        hands.append(DicePool("champion", row.melee_dice, modifiers.CHAMPION_QUALITY))
    elif hero == "barbarian":
        hands.append(DicePool("barbarian", barbarian_dice(row.melee_dice, options), row.q))
    if row.key == "king":
        hands.append(DicePool("king", row.melee_dice, row.q, rerolls=True))
    return tuple(hands)


def shooting_pools(unit: UnitInPlay, options: Options = BY_THE_BOOK) -> tuple[DicePool, ...]:
    """The shooting dice of a unit as it is now; none if it cannot shoot."""
    row = unit.unit
    hero = unit.living_hero
    if row.shooting_dice is None:
        return (DicePool("ranger", 1, modifiers.RANGER_QUALITY),) if hero == "ranger" else ()
    quality = shooting_quality(row)
    if row.war_machine:
        # The machine shoots, not a model, so no kiss helps it.
        return (DicePool("machine", row.shooting_dice, quality),) if unit.models >= row.crew_to_shoot else ()
    doubled = hero == "barbarian" and options.barbarian != "melee_only"
    own_hand = hero == "ranger" or doubled
    hands = _plain_pools(unit, row.shooting_dice, quality, with_hero=hero is not None and not own_hand)
    if hero == "ranger":
        hands.append(DicePool("ranger", 1, modifiers.RANGER_QUALITY))
    elif doubled:
        hands.append(DicePool("barbarian", barbarian_dice(row.shooting_dice, options), quality))
    return tuple(hands)


def barbarian_dice(normal: int, options: Options = BY_THE_BOOK) -> int:
    """How many dice he throws where his model would throw ``normal`` (R-33)."""
    return normal * 2 if options.barbarian == "double" else normal + 1


def _plain_pools(unit: UnitInPlay, dice_each: int, quality: int, *, with_hero: bool) -> list[DicePool]:
    plain = unit.kissable - unit.kissed + with_hero
    hands = []
    if plain:
        hands.append(DicePool("unit", plain * dice_each, quality))
    if unit.kissed:
        hands.append(DicePool("kissed", unit.kissed * dice_each, quality, rerolls=True))
    return hands


def melee_attack_dice(situation: Melee, options: Options = BY_THE_BOOK) -> tuple[AttackDice, ...]:
    base = modifiers.melee_tally(situation, options)
    throws = []
    for hand in melee_pools(situation.attacker, options):
        tally = modifiers.melee_tally(situation, options, champion=True) if hand.whose == "champion" else base
        throws.append(AttackDice(hand.whose, hand.dice, tally, hand.rerolls))
    return tuple(throws)


def shooting_attack_dice(situation: Shooting, options: Options = BY_THE_BOOK) -> tuple[AttackDice, ...]:
    base = modifiers.shooting_tally(situation, options)
    throws = []
    for hand in shooting_pools(situation.attacker, options):
        tally = modifiers.shooting_tally(situation, options, quality=hand.quality) if hand.whose == "ranger" else base
        throws.append(AttackDice(hand.whose, hand.dice, tally, hand.rerolls))
    return tuple(throws)


# ── Dice asked for, one step at a time ───────────────────────────────────────────────────────────────────

R = TypeVar("R")

Side = Literal["attacker", "target"]
StepKind = Literal[
    "hit",
    "re-roll",
    "extra",
    "save",
    "blessed save",
    "morale",
    "blessed morale",
    "rally",
    "spell",
    "phantasm",
    "shield",
    "losses",
    "musician",
    "charged down",
]


@dataclass(frozen=True, slots=True)
class Die:
    whose: str
    needed: int  # the lowest face that succeeds


@dataclass(frozen=True, slots=True)
class DiceRequest:
    """Dice somebody has to roll now."""

    what: StepKind
    side: Side
    dice: tuple[Die, ...]

    @property
    def count(self) -> int:
        return len(self.dice)

    @property
    def text(self) -> str:
        return STEPS[self.what].ask.format(dice=format_dice(len(self.dice)))


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """One thing that happened: dice with their faces, or what followed from them."""

    what: StepKind
    side: Side
    dice: tuple[Die, ...] = ()
    faces: tuple[int, ...] = ()
    fallen: tuple[Model, ...] = ()
    outcome: Outcome | None = None

    @property
    def successes(self) -> int:
        return sum(face >= die.needed for die, face in zip(self.dice, self.faces, strict=True))

    @property
    def rules(self) -> tuple[str, ...]:
        return STEPS[self.what].rules

    def text(self, who: str) -> str:
        """The step in a sentence; ``who`` is the name of the unit it happens to or that rolls."""
        good = self.successes if self.faces else 0
        return STEPS[self.what].text.format(
            who=who,
            faces=join_list(self.faces),
            hits="1 hit" if good == 1 else f"{good} hits" if good else "no hit",
            saves="1 save" if good == 1 else f"{good} saves" if good else "no save",
            works="it works" if good else "it fails",
            fallen=_falls(self.fallen),
            outcome=OUTCOME_WORD[self.outcome] if self.outcome else "",
        )


_MANY = {"Mouse": "mice", "Guard": "guards", "Crew": "of the crew"}
_ONE = {"Leader": "the leader", "Mouse": "a mouse", "Guard": "a guard", "Crew": "one of the crew"}


def _falls(fallen: Sequence[Model]) -> str:
    """Who falls, in their order: 2 mice and the Musician fall."""
    if not fallen:
        return "nobody falls, but one model is wounded"
    counts = Counter(model.name for model in fallen)
    groups = [
        f"{count} {_MANY.get(name, f'× {name}')}" if count > 1 else _ONE.get(name, f"the {name}")
        for name, count in counts.items()
    ]
    return f"{join_list(groups)} {'falls' if len(fallen) == 1 else 'fall'}"


@dataclass(frozen=True, slots=True)
class StepRow:
    """One thing that can happen. The fields of its texts are filled in by ``ScriptStep.text``."""

    text: str
    rules: tuple[str, ...]
    ask: str = ""  # what is said when its dice are asked for


# fmt: off
STEPS: dict[StepKind, StepRow] = {
    "hit":            StepRow("{who} to hit: {faces}; {hits}.", ("SHOOT-05", "MELEE-04"), "Roll {dice} to hit."),
    "re-roll":        StepRow("{who}, misses re-rolled: {faces}; {hits}.", ("UNIT-23", "HERO-11"),
                              "Re-roll the misses: {dice}. The second roll counts."),
    "extra":          StepRow("The Assassin once more: {faces}; {hits}.", ("HERO-15", "R-34"),
                              "The Assassin attacks once more: roll {dice}."),
    "save":           StepRow("{who} to save: {faces}; {saves}.", ("SAVE-01",), "Roll {dice} to save."),
    "blessed save":   StepRow("{who}, blessing: {faces}; {saves}.", ("HERO-09", "R-36"),
                              "Blessing: roll {dice}; a 10 saves after all."),
    "morale":         StepRow("{who}, morale: {faces}{outcome}.", ("MORALE-01", "MORALE-02"),
                              "Test morale: roll {dice}."),
    "blessed morale": StepRow("{who}, blessing: {faces}{outcome}.", ("HERO-09", "R-36"),
                              "Blessing: roll {dice}; on a 10 the unit stands."),
    "rally":          StepRow("{who}, rally: {faces}{outcome}.", ("FLEE-02", "FLEE-03"), "Try to rally: roll {dice}."),
    "spell":          StepRow("The Wizard's spell: {faces}.", ("HERO-17",), "Roll {dice} for the spell."),
    "phantasm":       StepRow("The Phantasm: {faces}; {works}.", ("HERO-19",),
                              "Roll {dice} for the Phantasm; it works on 6 or more."),
    "shield":         StepRow("{who}: the shield stops one hit and breaks.", ("UNIT-20", "R-42")),
    "losses":         StepRow("{who}: {fallen}.", ("SAVE-02", "SAVE-03")),
    "musician":       StepRow("{who}: the Musician plays on; the unit stands without a roll.",
                              ("HERO-13", "MORALE-07")),
    "charged down":   StepRow("{who}: caught in flight and destroyed.", ("MELEE-09", "FLEE-06")),
}
# fmt: on
OUTCOME_WORD: dict[Outcome, str] = {
    "stand": "; the unit stands",
    "flee": "; the unit flees",
    "scatter": "; the unit scatters",
}

Script: TypeAlias = Generator[DiceRequest, Sequence[int], R]


def ask_for_dice(
    story: list[ScriptStep], what: StepKind, side: Side, needed: Sequence[Die]
) -> Generator[DiceRequest, Sequence[int], tuple[int, ...]]:
    wanted = tuple(needed)
    faces = check_d10s((yield DiceRequest(what, side, wanted)), f"{what} roll", len(wanted))
    story.append(ScriptStep(what, side, wanted, faces))
    return faces


def run_script(script: Script[R], faces: Iterable[int]) -> R:
    """Run a script to its end, taking dice as it asks for them. More dice than it needs are left in the supply."""
    supply = iter(faces)
    try:
        ask = next(script)
        while True:
            given = tuple(islice(supply, len(ask.dice)))
            if len(given) < len(ask.dice):
                raise Refusal(f"There are no dice left. {ask.text}", field=f"{ask.what} roll")
            ask = script.send(given)
    except StopIteration as end:
        result: R = end.value
        return result


@dataclass(frozen=True, slots=True)
class ScriptProgress(Generic[R]):
    """The rolls made so far, and either the next roll or the result."""

    rolled: tuple[tuple[DiceRequest, tuple[int, ...]], ...]
    ask: DiceRequest | None
    result: R | None


def follow_script(script: Script[R], faces: Sequence[int]) -> ScriptProgress[R]:
    """Where the dice rolled so far lead. Dice nobody asked for are refused."""
    rolled: list[tuple[DiceRequest, tuple[int, ...]]] = []
    at = 0
    try:
        ask = next(script)
        while at + ask.count <= len(faces):
            given = tuple(faces[at : at + ask.count])
            at += ask.count
            rolled.append((ask, given))
            ask = script.send(given)
    except StopIteration as end:
        if at < len(faces):
            too_many = len(faces) - at
            dice = "1 die" if too_many == 1 else f"{too_many} dice"
            raise Refusal(f"You entered {dice} too many.", field="faces") from None
        return ScriptProgress(tuple(rolled), None, end.value)
    if at < len(faces):
        raise Refusal(f"{ask.text} You entered {len(faces) - at}.", field="faces")
    return ScriptProgress(tuple(rolled), ask, None)
