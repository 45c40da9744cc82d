"""Playing alone: which unit the other army activates, what it does with it, and why.

The table is described as it lies, unit by unit; the answer is one activation, or a roll-off between units (or targets)
that fit equally well. The roll-off's winner is then handed to ``decide`` again.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from refusal import Refusal
from rulebook.campaign.roll_off import RollOff
from rulebook.data.heroes import HERO_REACH, hero_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.rule_texts import Rule
from rulebook.data.units import UNIT
from rulebook.input_checks import (
    Answer,
    check_count,
    check_d10,
    check_inches,
    check_one_of,
    look_up,
    no,
    quote_value,
    yes,
)
from text import join_list

RowKey = Literal["shoot", "charge", "attack", "move"]


@dataclass(frozen=True, slots=True)
class SoloRow:
    low: int
    high: int
    key: RowKey
    name: str
    nobody: str  # shown when no unit fits this row
    text: str
    rules: tuple[str, ...]


# fmt: off
SOLO_TABLE: tuple[SoloRow, ...] = (
    SoloRow(1,  3,  "shoot",  "Shoot",         "Nobody has a shot.",
            "Of the units that can shoot at a target in sight, the one with the nearest target shoots at it.",
            ("SOLO-03",)),
    SoloRow(4,  6,  "charge", "Charge",        "Nobody can charge.",
            "Of the units that can reach an enemy, the one with the nearest enemy charges it.", ("SOLO-04",)),
    SoloRow(7,  9,  "attack", "Attack",        "Nobody is in melee.",
            "A unit in melee attacks. If there are several, roll off.", ("SOLO-05",)),
    SoloRow(10, 10, "move",   "Move or rally", "Nobody needs to move.",
            "A unit that cannot shoot, charge or attack moves. If there are several, roll off; "
            "fleeing units come last and try to rally.", ("SOLO-06",)),
)
# fmt: on

# What a unit chosen by a row does; {target} is the unit it turns to.
# fmt: off
_ACTION_ROWS: tuple[Rule, ...] = (
    Rule("shoot", "Shoots", "It stays where it is and shoots at {target}.", ("SOLO-03",)),
    Rule("charge", "Charges", "It charges {target} and attacks.", ("SOLO-04",)),
    Rule("attack", "Attacks", "It attacks the enemy it is fighting.", ("SOLO-05",)),
    Rule("seek_shot", "Moves to shoot",
         "It moves to where it can see {target} and shoots. If it cannot get there, it goes to the best place to "
         "shoot from: a mound, a fortress or a battlement.", ("SOLO-07",)),
    Rule("drag", "Moves the machine",
         "It moves to where it can see {target}, or else to the best place to shoot from. A war machine that moved "
         "does not shoot.", ("SOLO-07", "UNIT-25")),
    Rule("advance", "Advances", "It moves straight towards {target}.", ("SOLO-07",)),
    Rule("rally", "Tries to rally", "It is fleeing and tests morale.", ("SOLO-06", "FLEE-02")),
    Rule("stand", "Stands", "It cannot move and waits for a target.", ("SIEGE-13", "R-84")),
)
# fmt: on
ACTIONS: dict[str, Rule] = {rule.key: rule for rule in _ACTION_ROWS}

# Heroes whose powers are used on somebody, and on whom the other army uses them.
# fmt: off
_HERO_ROWS: tuple[Rule, ...] = (
    Rule("cleric", "Cleric", "The Cleric blesses {target}.", ("SOLO-08", "R-88")),
    Rule("princess", "Princess", "The Princess blows a kiss to a model of {target}.", ("SOLO-08", "R-88")),
    Rule("wizard", "Wizard", "The Wizard casts a spell at {target}.", ("SOLO-08", "R-88")),
)
# fmt: on
HERO_ACTS: dict[str, Rule] = {rule.key: rule for rule in _HERO_ROWS}

# fmt: off
SOLO_RULES: tuple[Rule, ...] = (
    Rule("turn", "The opponent's turn",
         "Roll a d10 on the table and activate a unit that fits the row. If none fits, go down the list; after the "
         "last row, start again at the top.", ("SOLO-01", "SOLO-02", "R-87")),
    Rule("heroes", "Its heroes",
         'Before its unit acts, a Cleric or Princess turns to the nearest friend within 8", a Wizard to the nearest '
         "enemy he sees.", ("SOLO-08", "R-88")),
    Rule("moving", "Where it moves",
         "A unit that can shoot moves to where it sees the nearest target and shoots, or else to the best place to "
         "shoot from: a mound, a fortress or a battlement. Any other unit goes straight for the nearest enemy.",
         ("SOLO-07",)),
    Rule("before", "Before the battle",
         "Roll the muster and the scenario as usual. Place terrain sensibly.", ("SOLO-09",)),
)
# fmt: on


# --- the table as it lies ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SeenUnit:
    name: str
    inches: float

    def __post_init__(self) -> None:
        check_inches(self.inches, f"distance to {self.name}")


@dataclass(frozen=True, slots=True)
class SoloUnit:
    """A unit of the other army and what lies around it."""

    name: str
    key: str
    hero: str | None = None
    activated: bool = False
    fleeing: bool = False
    engaged: bool = False
    can_shoot: bool = True  # False where something keeps it from shooting: too few crew left
    fixed: bool = False  # a garrison Ballista
    targets: tuple[SeenUnit, ...] = ()  # enemies it sees and may shoot at
    chargeable: tuple[SeenUnit, ...] = ()  # enemies it can reach with a charge
    enemies: tuple[SeenUnit, ...] = ()  # enemies anywhere, to know where to move
    visible: tuple[SeenUnit, ...] = ()  # enemies a Wizard sees, those in melee included
    friends: tuple[SeenUnit, ...] = ()  # for a Cleric or Princess

    def __post_init__(self) -> None:
        row = look_up(self.key, UNIT, "unit")
        if not self.name:
            raise Refusal("A unit needs a name.", field="name")
        if self.hero is not None:
            hero_of(self.hero)
        if self.fleeing and self.engaged:
            raise Refusal(f"{self.name} is fleeing and has left the melee. It cannot be both.", field="fleeing")
        if self.fleeing and not row.tests_morale:
            raise Refusal(f"{self.name} is a {row.name} and never flees.", field="fleeing")
        if self.targets and not (row.shoots or self.hero == "ranger"):
            raise Refusal(f"{self.name} has no shooting attack, so it has no targets.", field="targets")

    @property
    def shooter(self) -> bool:
        return self.can_shoot and (UNIT[self.key].shoots or self.hero == "ranger")

    @property
    def free(self) -> bool:
        """Still to act, and neither fleeing nor held in a melee, where it may only attack (ROUND-06)."""
        return not (self.activated or self.fleeing or self.engaged)

    @property
    def shoots_now(self) -> bool:
        return self.free and self.shooter and bool(self.targets)

    @property
    def charges_now(self) -> bool:
        return self.free and not self.fixed and bool(self.chargeable)

    @property
    def attacks_now(self) -> bool:
        return self.engaged and not self.activated

    @property
    def moves_now(self) -> bool:
        return self.free and not self.shoots_now and not self.charges_now


# --- the decision -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeroAct:
    """What the hero does first. Several names in ``on``: they are equally near and roll off."""

    hero: str
    on: tuple[str, ...]
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    roll: int
    row: SoloRow | None  # the row that a unit fits; None when the army is through
    unit: str | None
    does: Rule | None
    target: str | None
    tied: tuple[str, ...]  # units that roll off for the activation, or targets that roll off for the attention
    hero: HeroAct | None
    reasons: tuple[str, ...]
    rules: tuple[str, ...]

    @property
    def through(self) -> bool:
        """Nothing is left to activate this round."""
        return self.row is None

    @property
    def tie(self) -> Literal["units", "targets"] | None:
        if not self.tied:
            return None
        return "units" if self.unit is None else "targets"

    def roll_off(self) -> RollOff:
        """The roll-off the tie asks for; its winner goes back into ``decide_turn``."""
        if not self.tied:
            raise Refusal("There is no tie to roll off.", field="roll-off")
        return RollOff.start(self.tied)

    @property
    def text(self) -> str:
        return " ".join(self.reasons)


def solo_row(roll: int) -> SoloRow:
    """The row of the table; a natural 1 or 10 is a row like any other (R-04)."""
    check_d10(roll, "solo roll")
    return next(row for row in SOLO_TABLE if row.low <= roll <= row.high)


def decide_turn(
    units: Iterable[SoloUnit], roll: int, *, unit: str | None = None, target: str | None = None
) -> Decision:
    """What the other army does on this roll. ``unit`` and ``target`` won the roll-offs an earlier answer asked for."""
    army = tuple(units)
    _check(army)
    first = SOLO_TABLE.index(solo_row(roll))
    if all(member.activated for member in army):
        through = "Every unit of this army has acted this round."
        return Decision(roll, None, None, None, None, (), None, (through,), ("ROUND-04",))
    reasons: list[str] = []
    for row in SOLO_TABLE[first:] + SOLO_TABLE[:first]:
        fitting, why = _units_for_row(row.key, army)
        if fitting:
            break
        reasons.append(row.nobody)
    # Somebody always fits: whoever cannot shoot, charge or attack can move or rally.
    rules = row.rules if row.key == SOLO_TABLE[first].key else (*row.rules, "SOLO-02", "R-87")
    names = tuple(member.name for member in fitting)
    if len(fitting) > 1 and unit is None:
        sentences = (*reasons, f"{row.name}: {join_list(names)} {why} They roll off.")
        return Decision(roll, row, None, None, None, names, None, sentences, (*rules, "R-87"))
    chosen = fitting[0]
    if unit is not None:
        check_one_of(unit, names, "winner of the roll-off")
        chosen = next(member for member in fitting if member.name == unit)
    return _activate_unit(chosen, row, roll, reasons, rules, target)


def _check(army: Sequence[SoloUnit]) -> None:
    if not army:
        raise Refusal("The opponent has no units left on the table.", field="units")
    names = [member.name for member in army]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        raise Refusal(f"Two units are called {quote_value(twice[0])}. Give each its own name.", field="units")


def _units_for_row(row: RowKey, army: tuple[SoloUnit, ...]) -> tuple[tuple[SoloUnit, ...], str]:
    """The units that fit a row best, and why there are several."""
    if row == "shoot":
        able = [unit for unit in army if unit.shoots_now]
        return _nearest_of(able, lambda unit: unit.targets), "have targets equally near."
    if row == "charge":
        able = [unit for unit in army if unit.charges_now]
        return _nearest_of(able, lambda unit: unit.chargeable), "have enemies equally near."
    if row == "attack":
        return tuple(unit for unit in army if unit.attacks_now), "are in melee."
    movers = tuple(unit for unit in army if unit.moves_now)
    if movers:
        return movers, "can only move."
    return tuple(unit for unit in army if unit.fleeing and not unit.activated), "are fleeing."


def _nearest_of(able: list[SoloUnit], of: Callable[[SoloUnit], tuple[SeenUnit, ...]]) -> tuple[SoloUnit, ...]:
    if not able:
        return ()
    least = min(seen.inches for unit in able for seen in of(unit))
    return tuple(unit for unit in able if min(seen.inches for seen in of(unit)) == least)


def _nearest(seen: tuple[SeenUnit, ...]) -> tuple[str, ...]:
    if not seen:
        return ()
    least = min(unit.inches for unit in seen)
    return tuple(unit.name for unit in seen if unit.inches == least)


def _activate_unit(
    chosen: SoloUnit, row: SoloRow, roll: int, reasons: list[str], rules: tuple[str, ...], target: str | None
) -> Decision:
    does, aims = _choose_action(chosen, row.key)
    picked = (*reasons, f"{row.name}: {chosen.name}.")
    hero = _hero_act(chosen)
    if len(aims) > 1 and target is None:
        sentences = (*picked, f"{join_list(aims)} are equally near and roll off.")
        return Decision(roll, row, chosen.name, does, None, aims, hero, sentences, (*rules, *does.rules, "R-87"))
    at = aims[0] if aims else None
    if target is not None:
        at = check_one_of(target, aims, "winner of the roll-off")
    sentence = does.text.format(target=at or "the nearest enemy")
    sentences = (*picked, *((hero.text,) if hero else ()), sentence)
    every_rule = (*rules, *does.rules, *(hero.rules if hero else ()))
    return Decision(roll, row, chosen.name, does, at, (), hero, sentences, tuple(dict.fromkeys(every_rule)))


def _choose_action(chosen: SoloUnit, row: RowKey) -> tuple[Rule, tuple[str, ...]]:
    if row == "shoot":
        return ACTIONS["shoot"], _nearest(chosen.targets)
    if row == "charge":
        return ACTIONS["charge"], _nearest(chosen.chargeable)
    if row == "attack":
        return ACTIONS["attack"], ()
    if chosen.fleeing:
        return ACTIONS["rally"], ()
    if chosen.fixed:
        return ACTIONS["stand"], ()
    if chosen.shooter:
        return ACTIONS["drag" if UNIT[chosen.key].war_machine else "seek_shot"], _nearest(chosen.enemies)
    return ACTIONS["advance"], _nearest(chosen.enemies)


def _hero_act(chosen: SoloUnit) -> HeroAct | None:
    """The hero's power comes first in the activation (HERO-06). A fleeing unit's hero runs with it."""
    rule = HERO_ACTS.get(chosen.hero or "")
    if rule is None or chosen.fleeing:
        return None
    if rule.key == "wizard":
        on = _nearest(chosen.visible or chosen.targets)
        if not on:
            return None
    else:
        # The nearest friend; with nobody in reach the power is used at home.
        on = _nearest(tuple(friend for friend in chosen.friends if friend.inches <= HERO_REACH)) or (chosen.name,)
    text = rule.text.format(target=join_list(on, "or"))
    if len(on) > 1:
        text += " They are equally near and roll off."
    return HeroAct(rule.key, on, text, rule.rules)


# --- what it chooses otherwise ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SoloChoice:
    key: str
    question: str
    answer: str
    text: str
    rules: tuple[str, ...]


# fmt: off
SOLO_CHOICES: tuple[SoloChoice, ...] = (
    SoloChoice("lesser_unit", "A lesser unit?",      "no",   "It takes the unit that was rolled.", ("R-89",)),
    SoloChoice("repeat_hero", "Same hero twice?",       "keep", "It keeps a hero rolled twice.", ("R-89",)),
    SoloChoice("spend_vp",    "VP for a re-roll?",   "no",   "It spends no VP.", ("R-89",)),
    SoloChoice("yield",       "Yield?",              "no",   "It fights to the end.", ("R-89",)),
    SoloChoice("scenario",    "Which scenario?",     "roll", "Roll the scenario as usual.", ("SOLO-09",)),
    SoloChoice("set_up",      "How does it deploy?", "sensibly", "Deploy its army sensibly.", ("SOLO-09",)),
)
# fmt: on

SOLO_CHOICE: dict[str, SoloChoice] = {choice.key: choice for choice in SOLO_CHOICES}

REROLLS = SoloChoice(
    "spend_vp", "VP for a re-roll?", "yes", "It re-rolls its first failed die each round while it has VP.", ("R-89",)
)


def solo_choice(key: str, options: Options = BY_THE_BOOK) -> SoloChoice:
    choice = look_up(key, SOLO_CHOICE, "choice")
    return REROLLS if key == "spend_vp" and options.ai_spends_vp else choice


def can_reroll(vp: int, already_this_round: bool, options: Options = BY_THE_BOOK) -> Answer:
    """Whether it pays 1 VP to roll a failed die of its own again."""
    check_count(vp, "VP of the other army")
    choice = solo_choice("spend_vp", options)
    if choice.answer == "no":
        return no(choice.text, *choice.rules)
    if already_this_round:
        return no("It has already re-rolled a die this round.", *choice.rules)
    if vp < 1:
        return no("It has no VP left.", *choice.rules)
    return yes(choice.text, *choice.rules)
