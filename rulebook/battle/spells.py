"""The Wizard's spells, from the target to what is left of it."""

from __future__ import annotations

from dataclasses import dataclass

from rulebook import modifiers
from rulebook.answers import Answer, no, yes
from rulebook.combat import AttackResult, attack
from rulebook.heroes import PHANTASM_FROM, Spell, spell_rolled
from rulebook.options import BY_THE_BOOK, Options
from rulebook.rolls import d10
from rulebook.script import Die, Script, Step, roll
from rulebook.situations import Casting
from rulebook.throws import Throw


@dataclass(frozen=True, slots=True)
class Cast:
    """What a spell did. ``attack`` for Missile and Fireball, ``loses_activation`` for a Phantasm that worked."""

    spell: Spell
    steps: tuple[Step, ...]
    works: Answer
    attack: AttackResult | None = None
    loses_activation: bool = False


def can_work(spell: Spell, casting: Casting) -> Answer:
    """Whether a spell can do anything to the target that was chosen."""
    if spell.dice == 0:
        if casting.target_activated:
            return no("The target has acted already this round, so there is no activation to lose.", "R-39")
        return yes("The target has not acted yet.", "HERO-19", "R-39")
    if casting.engaged:
        return no(f"The Wizard is in melee, and {spell.name} is a shooting attack.", "R-38", "SHOOT-01")
    if casting.target_engaged:
        return no(f"The target is in melee, and {spell.name} is a shooting attack.", "R-38", "SHOOT-03")
    if casting.target_at.ground.hides:
        return no(f"The target is in a building, and {spell.name} is a shooting attack.", "R-38", "SHOOT-08")
    return yes("The way is free.", "HERO-18")


def phantasm_works(roll: int) -> bool:
    return d10(roll, "phantasm roll") >= PHANTASM_FROM


def spell_throws(spell: Spell, casting: Casting) -> tuple[Throw, ...]:
    """The free shooting dice of a spell: SQ +1, no [A] and no [D]."""
    if spell.sq is None:
        return ()
    return (Throw("wizard", spell.dice, modifiers.spell(casting.attacker, casting.target, spell.sq, casting.event)),)


def cast(casting: Casting, options: Options = BY_THE_BOOK) -> Script[Cast]:
    """Roll for the spell and see it through. The unit may still move and attack afterwards (HERO-18)."""
    story: list[Step] = []
    # The spell table is a look-up: no face fails.
    faces = yield from roll(story, "spell", "attacker", (Die("wizard", 1),))
    spell = spell_rolled(faces[0])
    works = can_work(spell, casting)
    if not works:
        return Cast(spell, tuple(story), works)
    if spell.dice == 0:
        faces = yield from roll(story, "phantasm", "attacker", (Die("wizard", PHANTASM_FROM),))
        return Cast(spell, tuple(story), works, loses_activation=phantasm_works(faces[0]))
    hit = yield from attack("spell", casting, spell_throws(spell, casting), None, options)
    return Cast(spell, (*story, *hit.steps), works, hit)
