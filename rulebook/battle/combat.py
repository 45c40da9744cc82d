"""Attacks from the first die to the last: hits, shield, saves, who falls, the Assassin, morale, battle back, arson.

Every attack is a script (see ``dice``): ``run_script(shoot(situation), dice)`` runs it to the end,
``follow_script`` step by step.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rulebook.battle import modifiers
from rulebook.battle.actions import can_battle_back
from rulebook.battle.attack_situations import Casting, Melee, Morale, Save, Shooting
from rulebook.battle.dice import (
    AttackDice,
    DiceRequest,
    Die,
    Script,
    ScriptStep,
    ask_for_dice,
    melee_attack_dice,
    melee_pools,
    shooting_attack_dice,
)
from rulebook.battle.modifiers import MODIFIER, AppliedModifier, Tally, tally_modifiers
from rulebook.battle.morale import BLESSING_NEEDS, MoraleRoll, apply_morale_outcome, roll_morale
from rulebook.battle.unit_in_play import OPEN, Model, Place, UnitInPlay, check_placement, take_wounds
from rulebook.data.battlefield import MESSENGER, STORM, event_of
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import Answer, check_count, no, yes

AttackKind = Literal["shooting", "melee", "battle back", "spell"]
AttackOutcome = Literal["unhurt", "wounded", "stand", "flee", "scatter", "destroyed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackResult:
    kind: AttackKind
    throws: tuple[AttackDice, ...]
    steps: tuple[ScriptStep, ...]
    hits: int = 0
    shielded: int = 0  # hits the shield turned
    saved: int = 0
    wounds: int = 0  # unsaved hits, those beyond the last model included
    fallen: tuple[Model, ...] = ()
    morale_roll: MoraleRoll | None = None
    outcome: AttackOutcome
    attacker: UnitInPlay
    struck: UnitInPlay  # the target as it was
    target: UnitInPlay | None  # as it is now; None when it is gone

    @property
    def ladybug_flies(self) -> bool:
        """The target is gone and its Ladybug looks for another unit."""
        return self.target is None and self.struck.ladybug

    def story(self) -> tuple[str, ...]:
        names = {"attacker": self.attacker.unit.name, "target": self.struck.unit.name}
        return tuple(step.text(names[step.side]) for step in self.steps)

    @property
    def models_lost(self) -> int:
        return len(self.fallen)

    @property
    def rallied(self) -> bool:
        """The target was fleeing and stands: its flee token becomes an activation mark (R-51, FLEE-03)."""
        return self.struck.fleeing and self.target is not None and not self.target.fleeing


@dataclass(slots=True)
class _AttackState:
    story: list[ScriptStep]
    target: UnitInPlay
    target_at: Place
    event: str | None
    options: Options
    hits: int = 0
    shielded: int = 0
    saved: int = 0
    wounds: int = 0
    fallen: tuple[Model, ...] = ()
    gone: bool = False


def shoot(situation: Shooting, options: Options = BY_THE_BOOK) -> Script[AttackResult]:
    throws = shooting_attack_dice(situation, options)
    return (yield from resolve_attack("shooting", situation, throws, throws[0].tally, options))


def attack_in_melee(situation: Melee, options: Options = BY_THE_BOOK) -> Script[AttackResult]:
    """One side of a melee: an attack, or a battle back."""
    kind: AttackKind = "battle back" if situation.battling_back else "melee"
    if situation.target.fleeing:
        # Charged while fleeing: no dice at all (MELEE-09).
        story = (ScriptStep("charged down", "target", fallen=situation.target.standing),)
        return AttackResult(
            kind=kind,
            throws=(),
            steps=story,
            fallen=situation.target.standing,
            outcome="destroyed",
            attacker=situation.attacker,
            struck=situation.target,
            target=None,
        )
    throws = melee_attack_dice(situation, options)
    return (yield from resolve_attack(kind, situation, throws, throws[0].tally, options))


def resolve_attack(
    kind: AttackKind,
    situation: Shooting | Melee | Casting,
    throws: tuple[AttackDice, ...],
    extra: Tally | None,
    options: Options,
) -> Script[AttackResult]:
    """Any attack once its dice are known.

    ``extra`` is what an Assassin's further die uses: the unit's figures, as his own first die did (R-34).
    """
    attacker = situation.attacker
    blow = _AttackState([], situation.target, situation.target_at, situation.event, options)
    hits = yield from _throw(blow.story, throws)
    yield from _defend(blow, hits)
    if extra is not None and attacker.living_hero == "assassin" and blow.fallen and not blow.gone:
        faces = yield from ask_for_dice(blow.story, "extra", "attacker", (Die("assassin", extra.needed),))
        if faces[0] >= extra.needed:
            yield from _defend(blow, 1)
    morale_roll: MoraleRoll | None = None
    target: UnitInPlay | None = blow.target
    outcome: AttackOutcome
    if blow.gone:
        target, outcome = None, "destroyed"
    elif not blow.fallen:
        outcome = "wounded" if blow.wounds else "unhurt"
    elif not blow.target.unit.tests_morale:
        outcome = "stand"
    else:
        test = Morale(blow.target, attacker, blow.target_at, situation.at.flanked, blow.event)
        morale_roll = yield from roll_morale(blow.story, test, "target", options)
        target, outcome = apply_morale_outcome(blow.target, morale_roll.outcome), morale_roll.outcome
    return AttackResult(
        kind=kind,
        throws=throws,
        steps=tuple(blow.story),
        hits=blow.hits,
        shielded=blow.shielded,
        saved=blow.saved,
        wounds=blow.wounds,
        fallen=blow.fallen,
        morale_roll=morale_roll,
        outcome=outcome,
        attacker=attacker,
        struck=situation.target,
        target=target,
    )


def _throw(story: list[ScriptStep], throws: tuple[AttackDice, ...]) -> Generator[DiceRequest, Sequence[int], int]:
    """The attack dice, misses thrown again where somebody may; how many hit."""
    dice = [die for throw in throws for die in [(Die(throw.whose, throw.tally.needed), throw.rerolls)] * throw.dice]
    faces = yield from ask_for_dice(story, "hit", "attacker", [die for die, _ in dice])
    hits = story[-1].successes
    misses = [die for (die, rerolls), face in zip(dice, faces, strict=True) if rerolls and face < die.needed]
    if misses:
        yield from ask_for_dice(story, "re-roll", "attacker", misses)
        hits += story[-1].successes
    return hits


def _defend(blow: _AttackState, hits: int) -> Generator[DiceRequest, Sequence[int], None]:
    """Shield, saves and blessing against some hits, then the losses."""
    blow.hits += hits
    if hits and blow.target.shield:
        blow.story.append(ScriptStep("shield", "target"))
        blow.target = replace(blow.target, shield=False)
        blow.shielded += 1
        hits -= 1
    if not hits:
        return
    needed = modifiers.save_tally(Save(blow.target, blow.target_at, blow.event), blow.options).needed
    faces = yield from ask_for_dice(blow.story, "save", "target", [Die("unit", needed)] * hits)
    failed = sum(face < needed for face in faces)
    if failed and blow.target.blessed:
        faces = yield from ask_for_dice(blow.story, "blessed save", "target", [Die("unit", BLESSING_NEEDS)] * failed)
        failed -= sum(face >= BLESSING_NEEDS for face in faces)
    blow.saved += hits - failed
    if not failed:
        return
    blow.wounds += failed
    losses = take_wounds(blow.target, failed)
    blow.fallen += losses.fallen
    blow.story.append(ScriptStep("losses", "target", fallen=losses.fallen))
    if losses.after is None:
        blow.gone = True
    else:
        blow.target = losses.after


MeleeEnd = Literal["goes on", "target gone", "target flees", "attacker gone", "attacker flees"]


@dataclass(frozen=True, slots=True)
class Exchange:
    """An attack in melee and the answer to it, where there was one."""

    attack: AttackResult
    battle_back: AttackResult | None

    @property
    def attacker(self) -> UnitInPlay | None:
        return self.attack.attacker if self.battle_back is None else self.battle_back.target

    @property
    def target(self) -> UnitInPlay | None:
        return self.attack.target

    @property
    def end(self) -> MeleeEnd:
        if self.target is None:
            return "target gone"
        if self.target.fleeing:
            return "target flees"
        if self.attacker is None:
            return "attacker gone"
        return "attacker flees" if self.attacker.fleeing else "goes on"


def fight_exchange(situation: Melee, options: Options = BY_THE_BOOK) -> Script[Exchange]:
    """An attack in melee; a target neither gone nor fleeing battles back at once, once (MELEE-06, MELEE-07)."""
    first = yield from attack_in_melee(situation, options)
    if first.target is None or not can_battle_back(first.target):
        return Exchange(first, None)
    back = yield from attack_in_melee(situation.battle_back(first.attacker, first.target), options)
    return Exchange(first, back)


def fight_to_the_end(situation: Melee, options: Options = BY_THE_BOOK) -> Script[tuple[Exchange, ...]]:
    """A melee carried on by turns until one unit is gone or flees.

    The attacker opens; then each side attacks in its own activation, the other battling back. Two exchanges are a
    round, and what lasts a round (event, blessing, kiss, Messenger) ends with the first.
    """
    story: list[Exchange] = []
    while True:
        done = yield from fight_exchange(situation, options)
        story.append(done)
        if done.end != "goes on" or done.attacker is None or done.target is None:
            return tuple(story)
        attacker, target, event = done.attacker, done.target, situation.event
        if len(story) % 2 == 0:
            attacker, target, event = attacker.round_over(), target.round_over(), None
        situation = situation.next_exchange(attacker, target, event)


# ── Burning buildings ────────────────────────────────────────────────────────────────────────────────────
# A village house is attacked like a unit that neither saves nor strikes back (Chevauchee).

BUILDING_AC = 5
BUILDING_WOUNDS = 2


@dataclass(frozen=True, slots=True)
class Building:
    name: str
    wounds: int = 0  # they add up from unit to unit and round to round

    def __post_init__(self) -> None:
        check_count(self.wounds, "number of wounds of a building", most=BUILDING_WOUNDS)

    @property
    def ablaze(self) -> bool:
        return self.wounds == BUILDING_WOUNDS

    @property
    def wounds_left(self) -> int:
        return BUILDING_WOUNDS - self.wounds


@dataclass(frozen=True, slots=True)
class BuildingAttack:
    """A unit beside a building that uses its attack to set it on fire."""

    unit: UnitInPlay
    building: Building
    at: Place = OPEN
    adjacent: bool = True
    event: str | None = None
    engaged: bool = False  # in contact with an enemy
    enemy_inside: bool = False

    def __post_init__(self) -> None:
        check_placement(self.unit, self.at)
        if self.event is not None:
            event_of(self.event)


def can_attack_building(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> Answer:
    if torching.building.ablaze:
        return no(f"{torching.building.name} is already ablaze.", "SCEN-10")
    if torching.unit.fleeing:
        return no("A fleeing unit cannot set buildings on fire.", "FLEE-02")
    if not torching.adjacent:
        return no("The unit must be next to the building.", "SCEN-10")
    if torching.enemy_inside:
        return no(f"An enemy unit is inside {torching.building.name}. Drive it out first.", "R-101")
    if torching.engaged and not options.torch_in_melee:
        return no("The unit is in melee and must fight its enemy first.", "R-93")
    return yes("The unit attacks the building.", "SCEN-10", "R-65")


def building_attack_dice(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> tuple[AttackDice, ...]:
    """The unit's melee dice against AC 5. No [A] for a charge or for riding: a house stands still (R-65)."""
    t = torching
    held = []
    if t.unit.ladybug:
        held.append(AppliedModifier(MODIFIER["melee_ladybug"]))
    if t.at.flanked:
        held.append(AppliedModifier(MODIFIER["melee_flanked"], t.at.flanked if options.flank_stacks else 1))
    if t.at.terrain == "bad_goings":
        held.append(AppliedModifier(MODIFIER["melee_bad_goings"]))
    if t.event == STORM:
        held.append(AppliedModifier(MODIFIER["melee_storm"]))
    if t.event == MESSENGER and t.unit.first_activated:
        held.append(AppliedModifier(MODIFIER["melee_messenger"]))

    def reckoned(quality: int) -> Tally:
        return tally_modifiers("melee", quality, tuple(held), BUILDING_AC, options)

    return tuple(
        AttackDice(hand.whose, hand.dice, reckoned(hand.quality), hand.rerolls) for hand in melee_pools(t.unit, options)
    )


@dataclass(frozen=True, slots=True)
class BuildingAttackResult:
    building: Building
    throws: tuple[AttackDice, ...]
    steps: tuple[ScriptStep, ...]
    hits: int

    @property
    def ablaze(self) -> bool:
        return self.building.ablaze


def attack_building(torching: BuildingAttack, options: Options = BY_THE_BOOK) -> Script[BuildingAttackResult]:
    """The attack on a building: every hit is a wound, because houses do not save."""
    can_attack_building(torching, options).require("building")
    throws = building_attack_dice(torching, options)
    story: list[ScriptStep] = []
    hits = yield from _throw(story, throws)
    building = torching.building
    lit = replace(building, wounds=min(BUILDING_WOUNDS, building.wounds + hits))
    return BuildingAttackResult(lit, throws, tuple(story), hits)
