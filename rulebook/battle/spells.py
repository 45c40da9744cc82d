"""The Wizard's spells, from the target to what is left of it."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook.basics.input_checks import check_d10
from rulebook.basics.yes_or_no import Answer, no, yes
from rulebook.battle import modifiers
from rulebook.battle.combat import AttackResult, resolve_attack
from rulebook.battle.dice_pools import AttackDice
from rulebook.battle.dice_requests import Die, Script, ScriptStep, ask_for_dice
from rulebook.battle.situations import Casting
from rulebook.data.heroes import PHANTASM_FROM, Spell, spell_for_roll
from rulebook.data.house_rules import BY_THE_BOOK, Options


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
