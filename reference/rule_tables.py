"""Every printed table by the name the API gives it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rulebook.activation import CHOICES
from rulebook.conquest import CONQUEST_RULES, REASONS
from rulebook.events import EVENT_RULES, EVENTS
from rulebook.glossary import GLOSSARY
from rulebook.heroes import HERO_RULES, HEROES, MUSICIAN, SPELLS
from rulebook.kingdoms import PLACES
from rulebook.marks import MARKS
from rulebook.morale import MORALE
from rulebook.muster_table import MUSTER, MUSTER_RULES
from rulebook.options import OPTIONS
from rulebook.playing import PLAYING
from rulebook.rolloff import ATTACKER_RULES
from rulebook.rows import Rule
from rulebook.scenarios import SCENARIO_RULES, SCENARIOS
from rulebook.siege import PIECE_KINDS, SIEGE_ENDS, SIEGE_RULES
from rulebook.solo import SOLO_CHOICES, SOLO_RULES, SOLO_TABLE
from rulebook.spoils import PRICES, VP_RULES
from rulebook.targets import VERDICTS
from rulebook.terrain import TERRAIN_RULES, TERRAINS
from rulebook.units import UNIT_RULES, UNITS


@dataclass(frozen=True, slots=True)
class Sentence:
    """A rule that is told, with the part of the book it stands in."""

    part: str
    key: str
    title: str
    text: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listed:
    key: str
    title: str
    rows: Sequence[Any]

    @property
    def row_class(self) -> type:
        return type(self.rows[0])

    def row(self, key: str) -> Any | None:
        return next((row for row in self.rows if row.key == key), None)


def _sentences() -> tuple[Sentence, ...]:
    parts: list[tuple[str, Sequence[Rule]]] = [
        ("units", UNIT_RULES),
        ("muster", MUSTER_RULES),
        ("heroes", HERO_RULES),
        ("terrain", TERRAIN_RULES),
        *((key, rules) for key, _, rules in PLAYING),
        ("activation", CHOICES),
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
        Sentence(part, f"{part}-{rule.key}", rule.title, rule.text, rule.rules)
        for part, rules in parts
        for rule in rules
    )


TABLES: tuple[Listed, ...] = (
    Listed("units", "Units", UNITS),
    Listed("muster", "The muster table", MUSTER),
    Listed("heroes", "Heroes, the Musician beside the Standard Bearer", (*HEROES[:6], MUSICIAN, *HEROES[6:])),
    Listed("spells", "The Wizard's spells", SPELLS),
    Listed("terrain", "Terrain", TERRAINS),
    Listed("modifiers", "Advantages, Disadvantages and flat bonuses", MARKS),
    Listed("morale", "The morale table", MORALE),
    Listed("prices", "What victory points buy", PRICES),
    Listed("territories", "The territories of a kingdom", PLACES),
    Listed("verdicts", "Why a territory may or may not be attacked", VERDICTS),
    Listed("events", "Random events", EVENTS),
    Listed("scenarios", "Scenarios and the siege, with their ground", SCENARIOS),
    Listed("castle", "Castle pieces", PIECE_KINDS),
    Listed("siege-ends", "How a siege ends", SIEGE_ENDS),
    Listed("solo", "The solo table", SOLO_TABLE),
    Listed("solo-choices", "Where a player would choose and the solo opponent does not", SOLO_CHOICES),
    Listed("options", "House rules", OPTIONS),
    Listed("glossary", "Words of the game", GLOSSARY),
    Listed("sentences", "Rules told in words", _sentences()),
)

TABLE: dict[str, Listed] = {table.key: table for table in TABLES}
