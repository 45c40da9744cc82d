"""Every printed table, under its name in the API."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulebook.battle.actions import ACTIVATION_CHOICES
from rulebook.battle.modifiers import MODIFIERS
from rulebook.campaign.attack_targets import VERDICTS
from rulebook.campaign.conquest import CONQUEST_RULES, REASONS
from rulebook.campaign.roll_off import ATTACKER_RULES
from rulebook.campaign.territories import TERRITORY_KINDS
from rulebook.campaign.vp_spending import PRICES, VP_RULES
from rulebook.data.battlefield import EVENT_RULES, EVENTS, MORALE_TABLE, TERRAIN_RULES, TERRAINS
from rulebook.data.heroes import HERO_RULES, HEROES, MUSICIAN, SPELLS
from rulebook.data.house_rules import OPTIONS
from rulebook.data.muster_table import MUSTER_RULES, MUSTER_TABLE
from rulebook.data.rule_texts import GLOSSARY, PLAYING, Rule
from rulebook.data.scenarios import SCENARIO_RULES, SCENARIOS
from rulebook.data.units import UNIT_RULES, UNITS
from rulebook.siege.castle import PIECE_KINDS, SIEGE_ENDS, SIEGE_RULES
from rulebook.solo_opponent import SOLO_CHOICES, SOLO_RULES, SOLO_TABLE


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule that is only text, with its chapter."""

    part: str
    key: str
    title: str
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RuleTable:
    key: str
    title: str
    rows: Sequence[Any]

    @property
    def row_class(self) -> type:
        return type(self.rows[0])

    def row(self, key: str) -> Any | None:
        return next((row for row in self.rows if row.key == key), None)


def _rule_texts() -> tuple[RuleText, ...]:
    parts: list[tuple[str, Sequence[Rule]]] = [
        ("units", UNIT_RULES),
        ("muster", MUSTER_RULES),
        ("heroes", HERO_RULES),
        ("terrain", TERRAIN_RULES),
        *((key, rules) for key, _, rules in PLAYING),
        ("activation", ACTIVATION_CHOICES),
        ("vp", VP_RULES),
        ("campaign", CONQUEST_RULES),
        ("attacker", ATTACKER_RULES),
        ("conquest", REASONS),
        ("events", EVENT_RULES),
        ("scenarios", SCENARIO_RULES),
        ("siege", SIEGE_RULES),
        ("solo", SOLO_RULES),
    ]
    # Two parts may use the same short key, so the part belongs to the key here.
    return tuple(
        RuleText(part, f"{part}-{rule.key}", rule.title, rule.text, rule.rules)
        for part, rules in parts
        for rule in rules
    )


TABLES: tuple[RuleTable, ...] = (
    RuleTable("units", "Units", UNITS),
    RuleTable("muster", "The muster table", MUSTER_TABLE),
    RuleTable("heroes", "Heroes, with the Musician after the Standard Bearer", (*HEROES[:6], MUSICIAN, *HEROES[6:])),
    RuleTable("spells", "The Wizard's spells", SPELLS),
    RuleTable("terrain", "Terrain", TERRAINS),
    RuleTable("modifiers", "Advantages, Disadvantages and flat bonuses", MODIFIERS),
    RuleTable("morale", "The morale table", MORALE_TABLE),
    RuleTable("prices", "What victory points buy", PRICES),
    RuleTable("territories", "The territories of a kingdom", TERRITORY_KINDS),
    RuleTable("verdicts", "Why a territory can or cannot be attacked", VERDICTS),
    RuleTable("events", "Random events", EVENTS),
    RuleTable("scenarios", "Scenarios and the siege, with their terrain", SCENARIOS),
    RuleTable("castle", "Castle pieces", PIECE_KINDS),
    RuleTable("siege-ends", "How a siege ends", SIEGE_ENDS),
    RuleTable("solo", "The solo table", SOLO_TABLE),
    RuleTable("solo-choices", "What the solo opponent does where a player would choose", SOLO_CHOICES),
    RuleTable("options", "House rules", OPTIONS),
    RuleTable("glossary", "Glossary", GLOSSARY),
    RuleTable("sentences", "Rules as text", _rule_texts()),
)

TABLE: dict[str, RuleTable] = {table.key: table for table in TABLES}
