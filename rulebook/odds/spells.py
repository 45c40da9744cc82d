"""Exact odds of a Wizard's next spell."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rulebook.battle.situations import Casting
from rulebook.battle.spells import can_spell_work, spell_attack_dice
from rulebook.data.heroes import PHANTASM_FROM, SPELLS, Spell
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.odds.attack import AttackOdds, attack_odds
from rulebook.odds.distribution import chance_to_roll


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
    """The odds of one cast, all spells together."""
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
