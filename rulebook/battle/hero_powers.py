"""Hero powers: blessing, kiss, standard, where a Ladybug flies, and the Wizard's spells."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from refusal import Refusal
from rulebook.battle import modifiers
from rulebook.battle.attack_situations import Casting
from rulebook.battle.combat import AttackResult, resolve_attack
from rulebook.battle.dice import AttackDice, Die, Script, ScriptStep, ask_for_dice
from rulebook.battle.unit_in_play import Role, UnitInPlay
from rulebook.data.heroes import HERO, HERO_REACH, PHANTASM_FROM, Spell, spell_for_roll
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.input_checks import Answer, check_d10, check_inches, check_one_of, no, yes


def is_in_reach(distance: float) -> bool:
    """Within 8", 8" included."""
    return check_inches(distance, "distance") <= HERO_REACH


POWER_RULES: dict[str, tuple[str, ...]] = {
    "cleric": ("HERO-09",),
    "princess": ("HERO-11",),
    "wizard": ("HERO-17", "R-38"),
}


def is_power_ready(hero: str, owner: UnitInPlay, *, used: bool = False) -> Answer:
    """Whether a hero can use the power of his activation at all, whatever its target."""
    rules = POWER_RULES[check_one_of(hero, POWER_RULES, "hero with a power")]
    if owner.living_hero != hero:
        return no(f"{owner.unit.name}: no {HERO[hero].name} in this unit.", *rules)
    if owner.fleeing:
        return no(f"The {HERO[hero].name}'s unit is fleeing and can only try to rally.", *rules, "FLEE-02")
    if used:
        return no(f"The {HERO[hero].name} has already used this power this round.", *rules)
    return yes(f"The {HERO[hero].name} can use this power.", *rules)


def can_bless(cleric: UnitInPlay, distance: float, *, used: bool = False) -> Answer:
    """Whether a Cleric may bless a unit that far away; his own is at 0"."""
    ready = is_power_ready("cleric", cleric, used=used)
    if not ready:
        return ready
    if not is_in_reach(distance):
        return no(f'The unit is {distance:g}" away; a blessing reaches {HERO_REACH}".', "HERO-09")
    return yes("Until the end of the round, a 10 turns its failed saves and morale tests.", "HERO-09", "R-36")


def give_blessing(unit: UnitInPlay) -> UnitInPlay:
    """A blessed unit. It counts from now on; dice already rolled stay as they fell (R-36)."""
    return replace(unit, blessed=True)


def can_kiss(
    princess: UnitInPlay, target: UnitInPlay, role: Role, distance: float, *, friend: bool = True, used: bool = False
) -> Answer:
    """Whether a Princess may choose a model of this role in a unit that far away."""
    ready = is_power_ready("princess", princess, used=used)
    if not ready:
        return ready
    if not friend:
        return no("The Princess can only kiss friends.", "HERO-11", "R-35")
    if role in ("king", "hero"):
        return no("You cannot choose a King or a hero.", "HERO-11")
    if role not in {model.role for model in target.standing}:
        return no(f"The unit has no such model ({role}) left.", "HERO-11")
    if not is_in_reach(distance):
        return no(f'The model is {distance:g}" away; a kiss reaches {HERO_REACH}".', "HERO-11")
    return yes("Until the end of the round, the model re-rolls its misses.", "HERO-11", "R-35")


def give_kiss(unit: UnitInPlay) -> UnitInPlay:
    if unit.kissed >= unit.kissable:
        raise Refusal("This unit has no model left that the Princess can choose.", field="kissed")
    return replace(unit, kissed=unit.kissed + 1)


def can_cast(wizard: UnitInPlay, *, in_sight: bool, used: bool = False) -> Answer:
    """Whether a Wizard may turn on a unit; which spell it will be, the die decides afterwards."""
    ready = is_power_ready("wizard", wizard, used=used)
    if not ready:
        return ready
    if not in_sight:
        return no("The Wizard cannot see the unit.", "HERO-17")
    return yes("He can see it. Roll a d10 for the spell.", "HERO-17")


def count_bearers_near(bearers: Iterable[tuple[UnitInPlay, float]]) -> int:
    """Standards that count for a unit, from other bearers' units and their distances (HERO-12)."""
    return sum(
        unit.living_hero in modifiers.BEARERS and not unit.fleeing and is_in_reach(distance)
        for unit, distance in bearers
    )


def ladybug_destinations(friends: Mapping[str, float]) -> tuple[str, ...]:
    """Friendly units a Ladybug may fly to when its own is removed; none means it is lost."""
    return tuple(name for name, distance in friends.items() if is_in_reach(distance))


def attach_ladybug(unit: UnitInPlay) -> UnitInPlay:
    return replace(unit, ladybug=True)


# ── Spells ───────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CastResult:
    """What a spell did. ``attack`` for Missile and Fireball, ``loses_activation`` for a Phantasm that worked."""

    spell: Spell
    steps: tuple[ScriptStep, ...]
    works: Answer
    attack: AttackResult | None = None
    loses_activation: bool = False


def can_spell_work(spell: Spell, casting: Casting) -> Answer:
    """Whether a spell can do anything to the target that was chosen."""
    if spell.dice == 0:
        if casting.target_activated:
            return no("The target has already acted this round and has no activation to lose.", "R-39")
        return yes("The target has not acted yet.", "HERO-19", "R-39")
    if casting.engaged:
        return no(f"The Wizard is in melee and cannot shoot {spell.name}.", "R-38", "SHOOT-01")
    if casting.target_engaged:
        return no(f"The target is in melee, so {spell.name} cannot be shot at it.", "R-38", "SHOOT-03")
    if casting.target_at.ground.hides:
        return no(f"The target is in a building, so {spell.name} cannot be shot at it.", "R-38", "SHOOT-08")
    return yes("Nothing is in the way.", "HERO-18")


def does_phantasm_work(roll: int) -> bool:
    return check_d10(roll, "phantasm roll") >= PHANTASM_FROM


def spell_attack_dice(spell: Spell, casting: Casting) -> tuple[AttackDice, ...]:
    """The free shooting dice of a spell: SQ +1, no [A] and no [D]."""
    if spell.sq is None:
        return ()
    return (
        AttackDice(
            "wizard", spell.dice, modifiers.spell_tally(casting.attacker, casting.target, spell.sq, casting.event)
        ),
    )


def cast_spell(casting: Casting, options: Options = BY_THE_BOOK) -> Script[CastResult]:
    """Roll for the spell and see it through. The unit may still move and attack afterwards (HERO-18)."""
    story: list[ScriptStep] = []
    # The spell table is a look-up: no face fails.
    faces = yield from ask_for_dice(story, "spell", "attacker", (Die("wizard", 1),))
    spell = spell_for_roll(faces[0])
    works = can_spell_work(spell, casting)
    if not works:
        return CastResult(spell, tuple(story), works)
    if spell.dice == 0:
        faces = yield from ask_for_dice(story, "phantasm", "attacker", (Die("wizard", PHANTASM_FROM),))
        return CastResult(spell, tuple(story), works, loses_activation=does_phantasm_work(faces[0]))
    hit = yield from resolve_attack("spell", casting, spell_attack_dice(spell, casting), None, options)
    return CastResult(spell, (*story, *hit.steps), works, hit)
