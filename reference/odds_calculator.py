"""Odds asked for by a form: the situation as fields, the answer as bars and reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django import forms

from rulebook import odds
from rulebook.battle.situations import Melee, Shooting
from rulebook.data.heroes import HERO
from rulebook.data.muster_table import MusterCall
from rulebook.data.random_events import EVENTS
from rulebook.data.terrain import TERRAINS
from rulebook.data.units import UNITS
from rulebook.odds.attack import AttackOdds
from rulebook.odds.distribution import Distribution
from rulebook.odds.melee import FightOdds
from rulebook.odds.muster import ArmyOdds, army_odds
from rulebook.odds.odds_display import Bar, DiceGroup, dice_group, format_percent, models_lost_bars
from rulebook.text.cli_output import OUTCOME_WORDS
from rulebook.text.odds_and_situations_json import read_situation
from text import format_signed

EXAMPLE = {"kind": "melee", "attacker": "mice_at_arms", "target": "field_mice", "charged": "on", "inches": "6"}
LOYALTIES = range(-4, 5)

NOBODY = [("", "none")]
UNIT_CHOICES = [(unit.key, unit.name) for unit in UNITS if unit.key != "cat_non"]
HERO_CHOICES = NOBODY + [(hero.key, hero.name) for hero in HERO.values()]
GROUND_CHOICES = [(terrain.key, terrain.name) for terrain in TERRAINS if terrain.enterable]
EVENT_CHOICES = NOBODY + [(event.key, event.name) for event in EVENTS]
KING_CHOICES = [("", "far"), ("near", "within 8″"), ("fleeing", "fleeing"), ("gone", "gone")]


class OddsForm(forms.Form):
    """Every field is a plain one, so the question is an address that can be shared."""

    kind = forms.ChoiceField(
        choices=[("melee", "Melee"), ("shooting", "Shooting")], widget=forms.RadioSelect, label="Attack"
    )
    attacker = forms.ChoiceField(choices=UNIT_CHOICES, label="Unit")
    attacker_models = forms.IntegerField(required=False, min_value=1, max_value=5, label="Models left")
    attacker_hero = forms.ChoiceField(choices=HERO_CHOICES, required=False, label="Hero")
    attacker_spear = forms.BooleanField(required=False, label="with spears")
    at = forms.ChoiceField(choices=GROUND_CHOICES, required=False, label="Terrain")
    at_flanked = forms.BooleanField(required=False, label="flanked")
    target = forms.ChoiceField(choices=UNIT_CHOICES, label="Unit")
    target_models = forms.IntegerField(required=False, min_value=1, max_value=5, label="Models left")
    target_hero = forms.ChoiceField(choices=HERO_CHOICES, required=False, label="Hero")
    target_spear = forms.BooleanField(required=False, label="with spears")
    target_shield = forms.BooleanField(required=False, label="with a shield")
    target_at = forms.ChoiceField(choices=GROUND_CHOICES, required=False, label="Terrain")
    target_at_flanked = forms.BooleanField(required=False, label="flanked")
    target_king = forms.ChoiceField(choices=KING_CHOICES, required=False, label="King")
    charged = forms.BooleanField(required=False, label="The attacker charged")
    moved = forms.BooleanField(required=False, label="The shooters moved")
    inches = forms.FloatField(required=False, min_value=0, max_value=34, label="Distance in inches")
    event = forms.ChoiceField(choices=EVENT_CHOICES, required=False, label="Random event")


# A fight as the API takes it: the rulebook reads and checks it.
Situation = dict[str, Any]


def situation_from_form(fields: Mapping[str, Any]) -> Situation:
    """The fields of the form as the plain data a situation is read from."""
    situation: Situation = {"kind": fields["kind"], "event": fields.get("event") or None}
    for who in ("attacker", "target"):
        unit: Situation = {"key": fields[who]}
        if fields.get(f"{who}_models"):
            unit["models"] = fields[f"{who}_models"]
        if fields.get(f"{who}_hero"):
            unit["hero"] = fields[f"{who}_hero"]
        for flag in ("spear", "shield"):
            if fields.get(f"{who}_{flag}"):
                unit[flag] = True
        situation[who] = unit
    for where in ("at", "target_at"):
        place: Situation = {"terrain": fields.get(where) or "clear"}
        if fields.get(f"{where}_flanked"):
            place["flanked"] = 1
        situation[where] = place
    if fields.get("target_king"):
        situation["target_at"]["king"] = fields["target_king"]
    if fields["kind"] == "shooting":
        situation |= {
            "inches": 6.0 if fields.get("inches") is None else fields["inches"],
            "moved": bool(fields.get("moved")),
        }
    else:
        situation["charged"] = bool(fields.get("charged"))
    return situation


@dataclass(frozen=True, slots=True)
class OddsDisplay:
    title: str
    hands: tuple[DiceGroup, ...]
    average: str
    lost: tuple[Bar, ...]
    outcomes: tuple[tuple[str, str, int], ...]  # words, percent said, percent drawn
    back_average: str
    back: tuple[Bar, ...]
    fought: FightDisplay | None


@dataclass(frozen=True, slots=True)
class FightDisplay:
    attacker_wins: str
    target_wins: str
    bars: tuple[Bar, ...]
    exchanges: str
    fates: tuple[tuple[str, str, int], ...]


def _chances(rows: Mapping[str, Fraction], words: Mapping[str, str]) -> tuple[tuple[str, str, int], ...]:
    return tuple(
        (words.get(key, key), format_percent(chance), round(chance * 100)) for key, chance in rows.items() if chance
    )


def calculate_odds(situation: Mapping[str, Any]) -> OddsDisplay:
    """The odds of a situation. The rulebook refuses impossible ones."""
    return _calculate(read_situation(situation))


@lru_cache(maxsize=256)
def _calculate(situation: Shooting | Melee) -> OddsDisplay:
    title = f"{situation.attacker.unit.name} against {situation.target.unit.name}"
    if isinstance(situation, Shooting):
        return _display(title, odds.shooting_odds(situation), situation.target.models)
    exchange = odds.exchange_odds(situation)
    fought = odds.fight_odds(situation)
    return _display(
        title, exchange.attack, situation.target.models, exchange.attacker_lost, situation.attacker.models, fought
    )


def _display(
    title: str,
    attack: AttackOdds,
    models: int,
    back: Distribution | None = None,
    attacker_models: int = 0,
    fought: FightOdds | None = None,
) -> OddsDisplay:
    return OddsDisplay(
        title,
        tuple(dice_group(throw) for throw in attack.throws),
        f"{float(attack.models_lost.mean):.1f}",
        models_lost_bars(attack.models_lost, models),
        _chances({str(key): chance for key, chance in attack.outcomes.items()}, OUTCOME_WORDS),
        f"{float(back.mean):.1f}" if back else "",
        models_lost_bars(back, attacker_models) if back else (),
        _fight_display(fought) if fought else None,
    )


def _fight_display(fought: FightOdds) -> FightDisplay:
    wins = round(fought.attacker_wins * 100)
    return FightDisplay(
        format_percent(fought.attacker_wins),
        format_percent(fought.target_wins),
        (
            Bar("attacker", wins, 4, format_percent(fought.attacker_wins)),
            Bar("target", 100 - wins, 2, format_percent(fought.target_wins)),
        ),
        f"{float(fought.exchanges):.1f}",
        _chances({str(key): chance for key, chance in fought.fates.items()}, {}),
    )


@dataclass(frozen=True, slots=True)
class LoyaltyRow:
    name: str
    cells: tuple[tuple[str, int], ...]  # chances in a hundred, and the shade from 0 to 4


LoyaltySums = tuple[tuple[str, tuple[str, ...]], ...]


def _shade(chance: Fraction) -> int:
    if not chance:
        return 0
    return 4 if chance >= Fraction(1, 2) else 3 if chance >= Fraction(3, 10) else 2 if chance >= Fraction(1, 5) else 1


def loyalty_table() -> tuple[tuple[str, ...], tuple[LoyaltyRow, ...], LoyaltySums]:
    """What a house sends at each loyalty: the loyalties, a row for each unit, then what it comes to."""
    whole: list[ArmyOdds] = [army_odds(MusterCall(loyalty)) for loyalty in LOYALTIES]
    rows = tuple(
        LoyaltyRow(
            row.name,
            tuple((_hundred(one.house.rows[at].chance), _shade(one.house.rows[at].chance)) for one in whole),
        )
        for at, row in enumerate(whole[0].house.rows)
    )
    sums: LoyaltySums = (
        ("Models", tuple(f"{float(one.house.models):.1f}" for one in whole)),
        ("Largest", tuple(f"{float(one.house.most_models):.1f}" for one in whole)),
        ("Any hero", tuple(str(round(one.any_hero * 100)) for one in whole)),
    )
    return tuple(format_signed(loyalty) for loyalty in LOYALTIES), rows, sums


def _hundred(chance: Fraction) -> str:
    return str(round(chance * 100)) if chance else ""
