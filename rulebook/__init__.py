"""Mice-at-Arms as plain Python: printed tables, and functions that answer questions about them.

    data            units, heroes, terrain, scenarios, events, house rules, rule texts and the other printed tables
    muster          mustering an army, question by question or at once
    battle          whose turn it is, what a unit may do, its modifiers, attacks, morale, hero powers, the castle
    campaign        the map, attack targets, roll-offs, scoring, conquest, spending VP
    odds            exact odds of all of these, as fractions
    solo_opponent   the opponent nobody has to play
    checks          checks of what comes in, and answers with a reason
    __main__        the command line, with cli_output

A battle is fought by side A and side B, in every module; the attacker of a siege is side A. "Attacker" and "defender"
are the two kingdoms on the map, or the two units of one attack.

Exported here are the questions people ask most, with what they are asked about; docs/RULEBOOK.md shows each.
Modules inside the package import from each other, never from here.
"""

from rulebook.battle.actions import (
    activation_choices,
    can_charge,
    can_move,
    can_pass,
    can_see,
    can_shoot,
    is_occupying,
    is_together,
)
from rulebook.battle.attack_situations import Melee, Shooting
from rulebook.battle.castle import TerrainPiece, find_setup_problems
from rulebook.battle.combat import attack_in_melee, fight_to_the_end, shoot
from rulebook.battle.dice import run_script
from rulebook.battle.unit_in_play import Place, UnitInPlay, new_unit
from rulebook.campaign.attack_targets import list_legal_targets, list_targets
from rulebook.campaign.battle_scoring import Report, SideReport, score_report
from rulebook.campaign.campaign_map import CampaignMap
from rulebook.campaign.conquest import battle_consequences
from rulebook.campaign.roll_off import RollOff
from rulebook.data.heroes import HERO, HEROES
from rulebook.data.house_rules import BY_THE_BOOK, Options
from rulebook.data.muster_table import MusterCall
from rulebook.data.scenarios import SCENARIO, SCENARIOS
from rulebook.data.units import UNIT, UNITS
from rulebook.muster.roll_muster import muster_army
from rulebook.odds.attack import melee_odds, shooting_odds
from rulebook.odds.melee import exchange_odds, fight_odds
from rulebook.odds.muster import army_odds, lost_houses_odds
from rulebook.odds.rolls import event_odds, roll_off_odds
from rulebook.solo_opponent import decide_turn

__all__ = [
    "BY_THE_BOOK",
    "HERO",
    "HEROES",
    "SCENARIO",
    "SCENARIOS",
    "UNIT",
    "UNITS",
    "CampaignMap",
    "Melee",
    "MusterCall",
    "Options",
    "Place",
    "Report",
    "RollOff",
    "Shooting",
    "SideReport",
    "TerrainPiece",
    "UnitInPlay",
    "activation_choices",
    "army_odds",
    "attack_in_melee",
    "battle_consequences",
    "can_charge",
    "can_move",
    "can_pass",
    "can_see",
    "can_shoot",
    "decide_turn",
    "event_odds",
    "exchange_odds",
    "fight_odds",
    "fight_to_the_end",
    "find_setup_problems",
    "is_occupying",
    "is_together",
    "list_legal_targets",
    "list_targets",
    "lost_houses_odds",
    "melee_odds",
    "muster_army",
    "new_unit",
    "roll_off_odds",
    "run_script",
    "score_report",
    "shoot",
    "shooting_odds",
]
