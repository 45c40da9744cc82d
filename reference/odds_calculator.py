"""Odds asked for by a form: the situation as fields, the answer as bars and reasons."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any

from django import forms

from dataclass_json import Ask, OneOf, Whole
from pages.fields.forms import QueryForm
from rulebook.battle.attack_situations import Melee, Shooting, read_situation
from rulebook.cli_output import OUTCOME_WORDS
from rulebook.data.battlefield import EVENTS, TERRAINS
from rulebook.data.heroes import HERO
from rulebook.data.muster_table import MusterCall
from rulebook.data.units import UNITS
from rulebook.odds.melee import FightOdds
from rulebook.odds.muster import ArmyOdds, army_odds
from rulebook.odds.odds_display import Bar, DiceGroup, dice_group, format_percent, models_lost_bars, situation_odds
from text import format_signed

EXAMPLE = {"kind": "melee", "attacker": "mice_at_arms", "target": "field_mice", "charged": "on", "inches": "6"}
LOYALTIES = range(-4, 5)


def _choose(rows: Iterable[tuple[str, str]], sentence: str) -> OneOf:
    choices = tuple(rows)
    return OneOf(lambda: choices, sentence)


NOBODY = ("", "none")
Kind = Annotated[str, _choose([("melee", "Melee"), ("shooting", "Shooting")], "Choose melee or shooting.")]
UnitKey = Annotated[
    str, _choose([(unit.key, unit.name) for unit in UNITS if unit.key != "cat_non"], "Choose one of the units.")
]
HeroKey = Annotated[str, _choose([NOBODY, *((hero.key, hero.name) for hero in HERO.values())], "Choose a hero.")]
Ground = Annotated[
    str, _choose([(terrain.key, terrain.name) for terrain in TERRAINS if terrain.enterable], "Choose the terrain.")
]
EventKey = Annotated[str, _choose([NOBODY, *((event.key, event.name) for event in EVENTS)], "Choose a random event.")]
KING_CHOICES = [("", "far"), ("near", "within 8″"), ("fleeing", "fleeing"), ("gone", "gone")]
KingIs = Annotated[str, _choose(KING_CHOICES, "Choose where the King is.")]
Models = Annotated[int | None, Whole("The number of models", 1, 5)]


@dataclass(frozen=True, kw_only=True)
class AskOdds:
    """Every field is a plain one, so the question is an address that can be shared."""

    kind: Annotated[Kind, Ask("Attack")]
    attacker: Annotated[UnitKey, Ask("Unit")]
    attacker_models: Annotated[Models, Ask("Models left")] = None
    attacker_hero: Annotated[HeroKey, Ask("Hero")] = ""
    attacker_spear: Annotated[bool, Ask("with spears")] = False
    at: Annotated[Ground, Ask("Terrain")] = "clear"
    at_flanked: Annotated[bool, Ask("flanked")] = False
    target: Annotated[UnitKey, Ask("Unit")]
    target_models: Annotated[Models, Ask("Models left")] = None
    target_hero: Annotated[HeroKey, Ask("Hero")] = ""
    target_spear: Annotated[bool, Ask("with spears")] = False
    target_shield: Annotated[bool, Ask("with a shield")] = False
    target_at: Annotated[Ground, Ask("Terrain")] = "clear"
    target_at_flanked: Annotated[bool, Ask("flanked")] = False
    target_king: Annotated[KingIs, Ask("King")] = ""
    charged: Annotated[bool, Ask("The attacker charged")] = False
    moved: Annotated[bool, Ask("The shooters moved")] = False
    inches: Annotated[float | None, Whole("The distance", 0, 34), Ask("Distance in inches")] = None
    event: Annotated[EventKey, Ask("Random event")] = ""

    @property
    def situation(self) -> Mapping[str, Any]:
        hows: dict[str, object] = {"charged": self.charged}
        if self.kind == "shooting":
            hows = {"moved": self.moved, "inches": 6.0 if self.inches is None else self.inches}
        return {
            "kind": self.kind,
            "event": self.event or None,
            "attacker": _given(
                key=self.attacker, models=self.attacker_models, hero=self.attacker_hero, spear=self.attacker_spear
            ),
            "target": _given(
                key=self.target,
                models=self.target_models,
                hero=self.target_hero,
                spear=self.target_spear,
                shield=self.target_shield,
            ),
            "at": _given(terrain=self.at, flanked=int(self.at_flanked)),
            "target_at": _given(terrain=self.target_at, flanked=int(self.target_at_flanked), king=self.target_king),
            **hows,
        }


def _given(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value}


class OddsForm(QueryForm[AskOdds]):
    kind = forms.ChoiceField(
        choices=[("melee", "Melee"), ("shooting", "Shooting")], widget=forms.RadioSelect, label="Attack"
    )


@dataclass(frozen=True, slots=True)
class OddsDisplay:
    title: str
    hands: tuple[DiceGroup, ...]
    average: str
    lost: tuple[Bar, ...]
    outcomes: tuple[tuple[str, str, int], ...]  # words, percent said, percent drawn
    back_average: str
    back: tuple[Bar, ...]
    fought: "FightDisplay | None"


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
    return _display(read_situation(situation))


@lru_cache(maxsize=256)
def _display(asked: Shooting | Melee) -> OddsDisplay:
    odds = situation_odds(asked)
    attack, back = odds.attack, odds.exchange.attacker_lost if odds.exchange else None
    return OddsDisplay(
        odds.title,
        tuple(dice_group(throw) for throw in attack.throws),
        f"{float(attack.models_lost.mean):.1f}",
        models_lost_bars(attack.models_lost, asked.target.models),
        _chances({str(key): chance for key, chance in attack.outcomes.items()}, OUTCOME_WORDS),
        f"{float(back.mean):.1f}" if back else "",
        models_lost_bars(back, asked.attacker.models) if back else (),
        _fight_display(odds.fight) if odds.fight else None,
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
        LoyaltyRow(row.name, tuple(_cell(odds.house.rows[at].chance) for odds in whole))
        for at, row in enumerate(whole[0].house.rows)
    )
    sums: LoyaltySums = (
        ("Models", tuple(f"{float(odds.house.models):.1f}" for odds in whole)),
        ("Largest", tuple(f"{float(odds.house.most_models):.1f}" for odds in whole)),
        ("Any hero", tuple(str(round(odds.any_hero * 100)) for odds in whole)),
    )
    return tuple(format_signed(loyalty) for loyalty in LOYALTIES), rows, sums


def _cell(chance: Fraction) -> tuple[str, int]:
    return str(round(chance * 100)) if chance else "", _shade(chance)
