"""A Wizard's spell, exactly: what the next cast will do to the unit he has chosen."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rulebook.heroes import PHANTASM_FROM, SPELLS, Spell
from rulebook.odds.attack import AttackOdds, attack_odds
from rulebook.options import BY_THE_BOOK, Options
from rulebook.situations import Casting
from rulebook.spells import can_work, spell_throws


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


def cast(casting: Casting, options: Options = BY_THE_BOOK) -> CastOdds:
    """The odds of one cast, all spells together."""
    rows: list[SpellOdds] = []
    loses = flees = gone = Fraction(0)
    lost = [Fraction(0)] * (casting.target.models + 1)
    for spell in SPELLS:
        chance = Fraction(spell.high - spell.low + 1, 10)
        works = can_work(spell, casting).yes
        attack = attack_odds(casting, spell_throws(spell, casting), None, options) if works and spell.dice else None
        rows.append(SpellOdds(spell, chance, works, attack))
        if attack is None:
            lost[0] += chance
            if works:
                loses += chance * Fraction(11 - PHANTASM_FROM, 10)
            continue
        flees += chance * attack.chance("flee")
        gone += chance * attack.gone
        for number, part in enumerate(attack.models_lost.chances):
            lost[number] += chance * part
    return CastOdds(tuple(rows), loses, tuple(lost), flees, gone)
