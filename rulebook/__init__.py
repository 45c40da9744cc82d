"""Mice-at-Arms as plain Python: printed tables, and functions that answer questions about them.

    data        units, heroes, terrain, scenarios, events, house rules and the other printed tables
    muster      mustering an army, question by question or at once
    battle      activation, movement, advantages, attacks, morale, hero powers
    siege       the castle, bombardment, cheese sauce
    campaign    the map, attack targets, roll-offs, scoring, conquest, spending VP
    odds        exact odds of all of these, as fractions
    text        rule texts, JSON and the command line's output
    basics      checks of what comes in, and answers with a reason

Exported here are the questions people ask most. Modules inside the package import from each other, never from here.
"""

from rulebook.battle.situations import Melee, Shooting
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.campaign.attack_targets import list_legal_targets, list_targets
from rulebook.campaign.conquest import battle_consequences
from rulebook.campaign.scoring import Report, SideReport, score_report
from rulebook.campaign.territories import Realm
from rulebook.data.heroes import HERO, HEROES
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIO, SCENARIOS
from rulebook.data.units import UNIT, UNITS
from rulebook.muster.muster import muster_army
from rulebook.odds.attack import melee_odds, shooting_odds
from rulebook.odds.melee import exchange_odds, fight_odds
from rulebook.odds.muster import army_odds
from rulebook.solo_opponent import decide_turn

__all__ = [
    "BY_THE_BOOK",
    "HERO",
    "HEROES",
    "SCENARIO",
    "SCENARIOS",
    "UNIT",
    "UNITS",
    "Melee",
    "MusterCall",
    "Options",
    "Place",
    "Realm",
    "Report",
    "Shooting",
    "SideReport",
    "UnitInPlay",
    "army_odds",
    "battle_consequences",
    "decide_turn",
    "exchange_odds",
    "fight_odds",
    "list_legal_targets",
    "list_targets",
    "melee_odds",
    "muster_army",
    "new_unit",
    "score_report",
    "shooting_odds",
]
